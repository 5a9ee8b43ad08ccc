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
    """Give the keys that are switched on, and that nothing here reads or knows to be harmless."""
    for key, value in config.items():
        if value and key not in known and not _HARMLESS.fullmatch(key):
            yield f"{shown(key, value)}: it is not understood, and may change the count"


_HARMLESS = re.compile(
    "|".join(
        """
        .*(_token_ids?|_token_index|_token) .*drop.* .*_eps(ilon)? .*_pdrop eps prefix
        (rope|rotary|rotary_emb)_.* partial_rotary_factor max_position_embeddings
        original_max_position_embeddings (max|min)_(length|new_tokens|seq_len) model_max_length
        n_ctx seq_length chunk_size_feed_forward batch_size
        .*(_multiplier|_scaling|_scale|_softcapping|_penalty) logits?_scal(e|ing) alibi
        query_pre_attn_scalar init.*|.*_init|.*initializer.* attention_softmax_in_fp32
        hidden_act(ivation)? activation_function (attn|attention)_implementation
        _attn_implementation.* cache_implementation masked_softmax_fusion slow_but_exact
        torch_dtype dtype transformers_version use_cache model_type architectures auto_map
        _name_or_path name_or_path _commit_hash quantization_config pretraining_tp
        gradient_checkpointing apply_residual_connection_post_layernorm use_parallel_residual
        num_labels num_logits_to_keep problem_type id2label label2id finetuning_task
        task_specific_params (num|no|encoder_no)_(beams?|beam_groups|return_sequences
        |repeat_ngram_size) do_sample temperature top_[kp] typical_p early_stopping
        output_(attentions|hidden_states|scores) return_dict(_in_generate)? torchscript
        tie_encoder_decoder summary_.* use_mrope use_bfloat16 use_flash_attn(ention)?
        max_window_layers layer_types sliding_window use_sliding_window residual_in_fp32
        layer_norm_epsilon norm_type clip_qkv _.*_tensor_names unsloth_.* tokenizer_class
        """.split()
    )
)
"""Names of keys that no parameter and no entry of the cache depends on, as patterns."""
