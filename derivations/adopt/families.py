"""The families of dense decoders that are understood: one row each, a rule for each value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from derivations.adopt.reading import Config, shown


@dataclass(frozen=True)
class Part:
    """One value of a model, what it follows from, and whether the file states it."""

    value: int
    because: str
    stated: bool = True


@dataclass(frozen=True)
class Count:
    """A count under one of several keys, or else what *missing* gives."""

    keys: tuple[str, ...]
    missing: Rule | None = None
    more: int = 0

    def part(self, config: Config) -> Part:
        for key in self.keys:
            value = config.count(key)
            if value is not None:
                more = f" and {self.more} more" if self.more else ""
                return Part(value + self.more, f"{key} = {value}{more}")
        if self.missing is None:
            config.refuse_missing(*self.keys)
        return self.missing.part(config)


@dataclass(frozen=True)
class Always:
    """A value that all models of a family share. No configuration states it."""

    value: int
    because: str

    def part(self, config: Config) -> Part:
        return Part(self.value, self.because, stated=False)


@dataclass(frozen=True)
class Switch:
    """1 or 0, as a key says, or as the family has it where the key is missing."""

    key: str
    missing: bool
    on: int = 1
    off: int = 0

    def part(self, config: Config) -> Part:
        found = config.switch(self.key)
        value = self.on if (self.missing if found is None else found) else self.off
        if found is not None:
            return Part(value, shown(self.key, found))
        standing = "true" if self.missing else "false"
        return Part(value, f"{self.key} is missing, which means {standing} here", stated=False)


@dataclass(frozen=True)
class Share:
    """One count over another, which has to divide it: the hidden size over the query heads."""

    of: Count
    by: Count

    def part(self, config: Config) -> Part:
        whole, parts = self.of.part(config), self.by.part(config)
        if whole.value % parts.value:
            config.refuse(
                next(key for key in self.by.keys if key in config),
                f"it does not divide the hidden size ({whole.because}), and head_dim is missing",
            )
        return Part(whole.value // parts.value, f"{whole.because}, over {parts.because}")


@dataclass(frozen=True)
class Multiple:
    """A count, so many times."""

    times: int
    of: Count

    def part(self, config: Config) -> Part:
        found = self.of.part(config)
        return Part(self.times * found.value, f"{self.times} times {found.because}")


@dataclass(frozen=True)
class NormedHeads:
    """All heads, where a key says that queries and keys are normed, each head by its own."""

    key: str
    heads: tuple[Count, Count]

    def part(self, config: Config) -> Part:
        if not Switch(self.key, missing=False).part(config).value:
            return Switch(self.key, missing=False).part(config)
        queries, keys = (each.part(config) for each in self.heads)
        because = f"{self.key} = true, {queries.because}, {keys.because}"
        return Part(queries.value + keys.value, because)


Rule = Count | Always | Switch | Share | Multiple | NormedHeads

_HIDDEN = Count(("hidden_size",))
_HEADS = Count(("num_attention_heads",))
_KV_HEADS = Count(("num_key_value_heads",), missing=_HEADS)
_KV_HEADS_STATED = Count(("num_key_value_heads",))
_NO = Always(0, "Models of this family have none.")
_YES = Always(1, "Models of this family have them.")
_GATED = Always(3, "The MLP is gated.")
_PLAIN = Always(2, "The MLP is not gated.")
_COMPUTED = Always(0, "Positions are computed, not learned.")
_ATTENTION_BIAS = Switch("attention_bias", missing=False)
_TWO_SCALES = Always(2, "An RMS norm before the attention, and one before the MLP.")
_ONE_SCALE = Always(1, "An RMS norm after the last layer.")
_TWO_LAYER_NORMS = Always(4, "Two layer norms, each with a scale and a shift.")
_ONE_LAYER_NORM = Always(2, "A layer norm after the last layer, with a scale and a shift.")


@dataclass(frozen=True, kw_only=True)
class Family:
    """A kind of architecture: the rule for each field of a model, and what it never has."""

    name: str
    """What model_type says."""
    architectures: tuple[str, ...]
    code: str
    """Where its model code is read."""
    layers: Rule = Count(("num_hidden_layers",))
    kv_heads: Rule = _KV_HEADS
    head_dimension: Rule = Count(("head_dim",), missing=Share(_HIDDEN, _HEADS))
    vocabulary: Rule = Count(("vocab_size",))
    hidden_size: Rule = _HIDDEN
    query_heads: Rule = _HEADS
    intermediate_size: Rule = Count(("intermediate_size",))
    mlp_matrices: Rule = _GATED
    qkv_bias: Rule = _NO
    output_bias: Rule = _NO
    mlp_bias: Rule = _NO
    qk_norm_heads: Rule = _NO
    norm_vectors: Rule = _TWO_SCALES
    final_vectors: Rule = _ONE_SCALE
    positions: Rule = _COMPUTED
    untied: Rule = Switch("tie_word_embeddings", missing=False, on=0, off=1)
    only: Mapping[str, Any] = field(default_factory=dict)
    """Keys that have this value in every model that is counted right, if they are there."""
    same: Mapping[str, str] = field(default_factory=dict)
    """Keys that are the same as another key in every such model, if they are there."""
    ignored: frozenset[str] = frozenset()
    """Keys that the model code of this family does not look at."""
    window_if_missing: int | None = None
    """The sliding window that a model has whose configuration names none."""


_TIED = Switch("tie_word_embeddings", missing=True, on=0, off=1)
_HUB = "https://github.com/huggingface/transformers/tree/main/src/transformers/models"


def _family(name: str, architecture: str, **rules: Any) -> Family:
    return Family(name=name, architectures=(architecture,), code=f"{_HUB}/{name}", **rules)


_llama = _family(
    "llama",
    "LlamaForCausalLM",
    qkv_bias=_ATTENTION_BIAS,
    output_bias=_ATTENTION_BIAS,
    mlp_bias=Switch("mlp_bias", missing=False),
)
_n_embd, _n_head = Count(("n_embd", "hidden_size")), Count(("n_head", "num_attention_heads"))
_bloom_hidden = Count(("n_embed", "hidden_size"))
_bloom_heads = Count(("n_head", "num_attention_heads"))
_falcon_hidden = Count(("n_embed", "hidden_size"))
_falcon_heads = Count(("num_attention_heads", "n_head"))

FAMILIES = {
    each.name: each
    for each in (
        _llama,
        replace(
            _llama,
            name="granite",
            architectures=("GraniteForCausalLM",),
            code=f"{_HUB}/granite",
        ),
        _family("mistral", "MistralForCausalLM", kv_heads=_KV_HEADS_STATED, window_if_missing=4096),
        _family(
            "qwen2",
            "Qwen2ForCausalLM",
            kv_heads=_KV_HEADS_STATED,
            qkv_bias=Always(1, "Queries, keys and values have biases in this family."),
        ),
        _family(
            "qwen3",
            "Qwen3ForCausalLM",
            kv_heads=_KV_HEADS_STATED,
            head_dimension=Count(("head_dim",)),
            qkv_bias=_ATTENTION_BIAS,
            output_bias=_ATTENTION_BIAS,
            qk_norm_heads=Always(2, "One norm for all queries, and one for all keys."),
            only={"use_qk_norm": True},
        ),
        _family(
            "gemma",
            "GemmaForCausalLM",
            kv_heads=_KV_HEADS_STATED,
            head_dimension=Count(("head_dim",)),
            qkv_bias=_ATTENTION_BIAS,
            output_bias=_ATTENTION_BIAS,
            untied=_TIED,
        ),
        _family("phi3", "Phi3ForCausalLM", only={"attention_bias": False}),
        Family(
            name="internlm2",
            architectures=("InternLM2ForCausalLM",),
            code="https://huggingface.co/internlm/internlm2-7b/blob/main/modeling_internlm2.py",
            qkv_bias=Switch("bias", missing=True),
            output_bias=Switch("bias", missing=True),
        ),
        _family(
            "cohere",
            "CohereForCausalLM",
            qkv_bias=_ATTENTION_BIAS,
            output_bias=_ATTENTION_BIAS,
            qk_norm_heads=NormedHeads("use_qk_norm", (_HEADS, _KV_HEADS)),
            norm_vectors=Always(1, "One layer norm for attention and MLP, with a scale only."),
            final_vectors=Always(1, "A layer norm after the last layer, with a scale only."),
            untied=_TIED,
        ),
        _family(
            "gpt2",
            "GPT2LMHeadModel",
            layers=Count(("n_layer", "num_hidden_layers")),
            kv_heads=_n_head,
            head_dimension=Share(_n_embd, _n_head),
            hidden_size=_n_embd,
            query_heads=_n_head,
            intermediate_size=Count(("n_inner",), missing=Multiple(4, _n_embd)),
            mlp_matrices=_PLAIN,
            qkv_bias=_YES,
            output_bias=_YES,
            mlp_bias=_YES,
            norm_vectors=_TWO_LAYER_NORMS,
            final_vectors=_ONE_LAYER_NORM,
            positions=Count(("n_positions", "max_position_embeddings")),
            untied=_TIED,
        ),
        _family(
            "gpt_neox",
            "GPTNeoXForCausalLM",
            kv_heads=_HEADS,
            head_dimension=Share(_HIDDEN, _HEADS),
            mlp_matrices=_PLAIN,
            qkv_bias=Switch("attention_bias", missing=True),
            output_bias=Switch("attention_bias", missing=True),
            mlp_bias=_YES,
            norm_vectors=_TWO_LAYER_NORMS,
            final_vectors=_ONE_LAYER_NORM,
        ),
        _family(
            "opt",
            "OPTForCausalLM",
            kv_heads=_HEADS,
            head_dimension=Share(_HIDDEN, _HEADS),
            intermediate_size=Count(("ffn_dim",)),
            mlp_matrices=_PLAIN,
            qkv_bias=_YES,
            output_bias=_YES,
            mlp_bias=_YES,
            norm_vectors=_TWO_LAYER_NORMS,
            final_vectors=_ONE_LAYER_NORM,
            positions=Count(("max_position_embeddings",), more=2),
            untied=_TIED,
            only={
                "do_layer_norm_before": True,
                "_remove_final_layer_norm": False,
                "enable_bias": True,
                "layer_norm_elementwise_affine": True,
            },
            same={"word_embed_proj_dim": "hidden_size"},
        ),
        _family(
            "bloom",
            "BloomForCausalLM",
            layers=Count(("n_layer", "num_hidden_layers")),
            kv_heads=_bloom_heads,
            head_dimension=Share(_bloom_hidden, _bloom_heads),
            hidden_size=_bloom_hidden,
            query_heads=_bloom_heads,
            intermediate_size=Multiple(4, _bloom_hidden),
            mlp_matrices=_PLAIN,
            qkv_bias=_YES,
            output_bias=_YES,
            mlp_bias=_YES,
            norm_vectors=_TWO_LAYER_NORMS,
            final_vectors=Always(4, "A layer norm after the table, and one after the last layer."),
            untied=_TIED,
        ),
        _family(
            "falcon",
            "FalconForCausalLM",
            layers=Count(("num_hidden_layers", "n_layer")),
            kv_heads=Always(1, "All query heads share one key and one value (multi_query)."),
            head_dimension=Share(_falcon_hidden, _falcon_heads),
            hidden_size=_falcon_hidden,
            query_heads=_falcon_heads,
            intermediate_size=Count(("ffn_hidden_size",), missing=Multiple(4, _falcon_hidden)),
            mlp_matrices=_PLAIN,
            qkv_bias=Switch("bias", missing=False),
            output_bias=Switch("bias", missing=False),
            mlp_bias=Switch("bias", missing=False),
            norm_vectors=Always(2, "One layer norm for attention and MLP, with scale and shift."),
            final_vectors=_ONE_LAYER_NORM,
            untied=_TIED,
            only={
                "new_decoder_architecture": False,
                "multi_query": True,
                "parallel_attn": True,
            },
            ignored=frozenset({"n_head_kv", "num_kv_heads"}),
        ),
    )
}
"""By model_type. Every row agrees with a published total to the last parameter (a test says so)."""
