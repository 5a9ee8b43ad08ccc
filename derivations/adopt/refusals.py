"""The keys that give away an architecture which would be counted wrong, and what each means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from derivations.adopt.reading import Config, shown


@dataclass(frozen=True)
class Sign:
    """An architecture that is not understood, and the keys that give it away, clearest first."""

    means: str
    keys: tuple[str, ...]
    """Patterns for the whole key. Null, false, 0 and nothing give nothing away."""

    def found_in(self, values: dict[str, Any]) -> str | None:
        """Give the first key that is there and switched on."""
        for pattern in self.keys:
            for key, value in values.items():
                if value and re.fullmatch(pattern, key):
                    return key
        return None


SIGNS = (
    Sign(
        "the configuration is nested, and models of several parts are not understood",
        (
            "text_config", "vision_config", "audio_config", "language_config", "llm_config",
            "thinker_config", "speech_config", "encoder", "decoder", "(vision|audio|image)_.*",
        ),
    ),
    Sign(
        "its attention goes through a latent vector, whose matrices and cache have other sizes",
        ("kv_lora_rank", "q_lora_rank", "[a-z]+_lora_rank", "qk_(nope|rope)_head_dim"),
    ),
    Sign(
        "it is a mixture of experts, of which each token meets only some",
        (
            "num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts",
            "n_shared_experts", "num_shared_experts", "num_experts_per_tok", "moe_.*",
            ".*_?experts?(_.*)?", "expert_.*",
        ),
    ),
    Sign(
        "it has recurrent layers, which keep a state in place of a cache",
        (
            "attn_type_list", "hybrid_override_pattern", "layers_block_type", "block_types",
            "full_attention_interval", "attn_layer_period", "mamba_.*", "ssm_.*", "state_size",
            "conv_kernel", "linear_(conv|key|num|value)_.*", "rwkv.*", "lru_.*", "time_step_.*",
        ),
    ),
    Sign(
        "its attention reads only a part of the sequence",
        ("attention_chunk_size", "sliding_window_pattern", "_sliding_window_pattern"),
    ),
    Sign(
        "it predicts further tokens with layers of their own",
        ("num_nextn_predict_layers", "mtp_.*", "num_mtp_.*"),
    ),
    Sign(
        "it attends to something beside its own sequence",
        ("is_encoder_decoder", "add_cross_attention", "cross_attention.*"),
    ),
    Sign(
        "its layers are not built alike",
        ("block_configs", "pruned_heads", "per_layer_.*", "hidden_size_per_layer_.*"),
    ),
)  # fmt: skip


def refusals(config: Config) -> Iterator[str]:
    """Give what gives the model away: a key, its value, and what that means. One for a sign."""
    values = _flattened(config)
    for sign in SIGNS:
        key = sign.found_in(values)
        if key is not None:
            yield f"{shown(key, values[key])}: {sign.means}"
    yield from _windows(config)


def _flattened(config: Config) -> dict[str, Any]:
    """Give the keys of a configuration, and those of configurations right inside of it."""
    inner = {
        f"{key}.{name}": each
        for key, value in config.items()
        if key in ("ffn_config", "attn_config") and isinstance(value, dict)
        for name, each in value.items()
    }
    return {**config, **inner}


def _windows(config: Config) -> Iterator[str]:
    kinds = config.get("layer_types")
    if isinstance(kinds, list) and any(each != "full_attention" for each in kinds):
        yield f"{shown('layer_types', kinds)}: not all of its layers attend to the whole sequence"
        return
    window = config.count("sliding_window")
    switched_on = config.switch("use_sliding_window")
    if window is None or switched_on is False:
        return
    if switched_on is None and config.get("model_type") in _OFF_UNLESS_SWITCHED_ON:
        return
    longest, layers = config.count("max_position_embeddings"), config.count("num_hidden_layers")
    if longest is not None and window >= longest:
        return
    first = config.count("max_window_layers")
    if switched_on and first is not None and layers is not None and first >= layers:
        return
    length = shown("max_position_embeddings", longest) if longest else "its length is not stated"
    yield (
        f"{shown('sliding_window', window)}: its layers attend to a window of the sequence only, "
        f"and the cache stops growing there ({length})"
    )


_OFF_UNLESS_SWITCHED_ON = ("qwen2", "qwen3")
"""Families whose model code leaves a window aside unless use_sliding_window is true."""


def not_understood(config: Config, known: frozenset[str]) -> Iterator[str]:
    """Give the keys that nothing here reads, are switched on, and by their name may be sizes."""
    for key, value in config.items():
        if key in known or key in _HARMLESS or "drop" in key:
            continue
        if value and not isinstance(value, str) and _SIZE.search(key):
            yield f"{shown(key, value)}: it is not understood, and may change the count"


_SIZE = re.compile(
    r"(^|_)(num|n|size|dims?|rank|layers?|heads?|hidden|width|depth|bias|norm|rows|vocab|embed"
    r"|embds?|embeddings?|proj|projection|gate|gated|shared|tied?|ffn|mlp|adapters?|lora|groups?)"
    r"(_|$)"
)
"""Words in names of keys that tell of sizes, or of parts that are there or not."""

_HARMLESS = frozenset(
    """
    num_labels num_beams num_beam_groups num_return_sequences num_logits_to_keep
    no_repeat_ngram_size encoder_no_repeat_ngram_size chunk_size_feed_forward batch_size
    rms_norm_eps rms_norm_epsilon layer_norm_eps layer_norm_epsilon norm_eps norm_epsilon
    max_window_layers max_position_embeddings original_max_position_embeddings n_ctx
    layer_types rotary_dim embedding_multiplier output_hidden_states
    apply_residual_connection_post_layernorm
    summary_proj_to_labels summary_use_proj quantization_config tie_encoder_decoder
    gradient_checkpointing auto_map task_specific_params id2label label2id rope_scaling
    rope_parameters
    """.split()
)
"""Keys with such a word in their name that no parameter depends on."""
