"""A configuration becomes the parts of a dense decoder, or is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from derivations.adopt.families import FAMILIES, Count, Family, Part
from derivations.adopt.reading import Config, ConfigError, config, shown
from derivations.adopt.refusals import not_understood, refusals
from derivations.book import decode, model, parameters
from derivations.catalogue import told
from derivations.configure import MODEL_FIELDS
from derivations.language.declare import Formula, Given
from derivations.language.working_out import worked_out


@dataclass(frozen=True)
class Network:
    """A dense decoder, part by part, as its configuration describes it."""

    family: Family
    parts: Mapping[str, Part]
    """By the field of a model's data file."""
    named: str
    """The model on the hub that the configuration names, or nothing."""
    packed: str
    """How the weights are packed, or nothing. The counts do not depend on it."""

    @cached_property
    def _values(self) -> dict[Given, Fraction]:
        return {MODEL_FIELDS[name]: Fraction(part.value) for name, part in self.parts.items()}

    def total(self) -> int:
        """Give the number of its parameters."""
        return self._worked_out(parameters.total)

    def multiplied(self) -> int:
        """Give the number of parameters that a token is multiplied with."""
        return self._worked_out(parameters.multiplied)

    def kv_bytes_per_token(self, value_size: int = 2) -> int:
        """Give the bytes that a token takes in the cache, with so many bytes for each value."""
        return self._worked_out(
            decode.kv_per_token, {**self._values, model.kv_value_size: Fraction(value_size)}
        )

    def _worked_out(self, formula: Formula, values: Mapping[Given, Fraction] | None = None) -> int:
        return int(worked_out(formula, values or self._values))


def understood(path: Path) -> Network:
    """
    Read a configuration and understand it, to the last parameter.

    Raises `ConfigError` with the key that gives away what is not understood.
    """
    raw = config(path)
    away = list(refusals(raw))
    if away:
        raise ConfigError("\n".join(f"{raw.place}: {each}" for each in away))
    family = _family(raw)
    _refuse_other_kinds(raw, family)
    parts = {name: getattr(family, name).part(raw) for name in _PARTS}
    _refuse_out_of_bounds(raw, parts)
    unread = list(not_understood(raw, _read_by(family)))
    if unread:
        raise ConfigError("\n".join(f"{raw.place}: {each}" for each in unread))
    return Network(family, parts, _named(raw), _packed(raw))


def summary(network: Network) -> Iterator[str]:
    """Say what was understood, line by line."""
    count = {name: part.value for name, part in network.parts.items()}
    tied = "an output head of its own" if count["untied"] else "the output head tied"
    yield f"Family: {network.family.name}, {tied}"
    yield (
        f"Layers: {count['layers']}, each with {count['query_heads']} query heads and "
        f"{count['kv_heads']} key/value heads of {count['head_dimension']}"
    )
    yield f"Cache: {network.kv_bytes_per_token()} bytes per token, at 2 bytes a value"
    yield f"Parameters: {network.total()}, counted; multiplied with a token: {network.multiplied()}"
    if network.packed:
        yield f"Packed: {network.packed}; the counts do not depend on it"


_PARTS = tuple(name for name, given in MODEL_FIELDS.items() if given is not model.parameters)


def _family(raw: Config) -> Family:
    name = raw.text("model_type")
    if name is None:
        raw.refuse_missing("model_type")
    if name not in FAMILIES:
        close = get_close_matches(name.lower(), FAMILIES, n=2, cutoff=0.6)
        hint = f"did you mean {' or '.join(close)}? " if close else ""
        known = ", ".join(sorted(FAMILIES))
        raw.refuse("model_type", f"no such family is understood; {hint}there is {known}")
    return FAMILIES[name]


def _refuse_other_kinds(raw: Config, family: Family) -> None:
    """Refuse what the rules of a family would count wrong."""
    for key, value in family.only.items():
        if raw.switch(key) not in (None, value):
            known = shown(key, value)
            raw.refuse(key, f"of the family {family.name}, only models with {known} are understood")
    for key, other in family.same.items():
        if raw.count(key) not in (None, raw.count(other)):
            raw.refuse(key, f"it should be the same as {shown(other, raw.get(other))}")
    built = raw.get("architectures")
    if built and not (isinstance(built, list) and set(map(str, built)) & {*family.architectures}):
        raw.refuse("architectures", f"{family.architectures[0]} is what is understood")
    window = family.window_if_missing
    if window is not None and "sliding_window" not in raw:
        longest = raw.count("max_position_embeddings")
        if longest is None or longest > window:
            raise ConfigError(
                f"{raw.place}: sliding_window is missing, which means {window} in the family "
                f"{family.name}: its layers attend to a window of the sequence only"
            )


def _refuse_out_of_bounds(raw: Config, parts: Mapping[str, Part]) -> None:
    for name, part in parts.items():
        given = MODEL_FIELDS[name]
        if not given.least <= part.value <= given.most:
            raise ConfigError(
                f"{raw.place}: {part.because}: {given.title.lower()} should be from {given.least} "
                f"to {given.most}"
            )
    queries, keys = parts["query_heads"], parts["kv_heads"]
    if queries.value % keys.value:
        raise ConfigError(
            f"{raw.place}: {keys.because}: it should divide the query heads ({queries.because})"
        )


def _read_by(family: Family) -> frozenset[str]:
    """Give the keys that the rules of a family look at, or know to leave aside."""
    rules = (getattr(family, name) for name in _PARTS)
    keys = (key for rule in rules for key in _keys(rule))
    return frozenset({*keys, *family.only, *family.same, *family.ignored})


def _keys(rule: Any) -> Iterator[str]:
    """Give the keys that a rule may look at."""
    if isinstance(rule, Count):
        yield from rule.keys
    if isinstance(key := getattr(rule, "key", None), str):
        yield key
    inner = (getattr(rule, name, None) for name in ("missing", "of", "by"))
    for each in (*inner, *getattr(rule, "heads", ())):
        if each is not None and not isinstance(each, bool):
            yield from _keys(each)


def _named(raw: Config) -> str:
    """Give the model on the hub that a configuration names, never a path or anything else."""
    name = raw.get("_name_or_path")
    return name if isinstance(name, str) and _HUB_NAME.fullmatch(name) else ""


_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}", re.ASCII)


def _packed(raw: Config) -> str:
    how = raw.get("quantization_config")
    if how is None:
        return ""
    if not isinstance(how, dict):
        raw.refuse("quantization_config", "it should be an object of keys and values")
    method = how.get("quant_method")
    if not isinstance(method, str) or not re.fullmatch(r"[\w.-]{1,40}", method, re.ASCII):
        raise ConfigError(
            f"{raw.place}: quantization_config: quant_method is {told(method)}; it should be a "
            "name such as gptq"
        )
    bits = how.get("bits")
    return f"{method}, {bits} bits" if type(bits) is int and 0 < bits <= 64 else method
