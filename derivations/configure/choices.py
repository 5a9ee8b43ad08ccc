"""What can be chosen, and a configuration as the choices that were made."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

import msgspec

from derivations.book import machine, workload
from derivations.catalogue import (
    DataError,
    Fact,
    UnknownFact,
    defaults,
    fact,
    told,
)
from derivations.language.declare import Given


class ChoiceError(ValueError):
    """A configuration that cannot be: it names the option, what it is, and what it may be."""


def known(kind: str, identity: str) -> Fact:
    if not isinstance(identity, str):
        raise ChoiceError(f"{kind} is {told(identity)}; it should be the id of one")
    try:
        return fact(kind, identity)
    except UnknownFact as problem:
        raise ChoiceError(str(problem)) from None


def cache_format_of(kv_precision: str | None, weights: Fact) -> Fact:
    return weights if kv_precision is None else known("precision", kv_precision)


def computed_in(weights: Fact) -> str:
    """Give the type that a format is computed in, where nothing else is chosen."""
    return str(weights.texts.get("computes_in", weights.id))


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """
    One choice of hardware, model, number formats and workload.

    Where *kv_precision* or *arithmetic* is None, it follows *precision*.
    """

    accelerator: str
    model: str
    precision: str
    kv_precision: str | None = None
    arithmetic: str | None = None
    tensor_parallelism: int
    input_length: int
    output_length: int
    concurrency: int

    def resolved(self) -> dict[str, Any]:
        """Give every choice by name, with the formats that follow *precision* filled in."""
        weights = fact("precision", self.precision)
        cache_format = cache_format_of(self.kv_precision, weights)
        return {
            **msgspec.structs.asdict(self),
            "accelerator": fact("accelerator", self.accelerator).id,
            "model": fact("model", self.model).id,
            "precision": weights.id,
            "kv_precision": cache_format.id,
            "arithmetic": computed_in(weights) if self.arithmetic is None else self.arithmetic,
        }


COUNTS: dict[str, Given] = {
    "tensor_parallelism": machine.accelerators,
    "input_length": workload.input_length,
    "output_length": workload.output_length,
    "concurrency": workload.concurrency,
}
"""The choices that are whole numbers, and the given that each fills."""


def configuration(**choices: Any) -> Configuration:
    """
    Give the default configuration with some choices changed.

    Raises `ChoiceError` for a choice that there is not.
    """
    if not choices.keys() <= _CHOICES:
        raise ChoiceError(_no_choice(next(name for name in choices if name not in _CHOICES)))
    return Configuration(**{**_defaults(), **choices})


_CHOICES = frozenset(Configuration.__struct_fields__)


@cache
def _defaults() -> Mapping[str, Any]:
    found = defaults()
    for name in found:
        if name not in _CHOICES:
            raise DataError(f"defaults.toml: {_no_choice(name)}")
    for each in msgspec.structs.fields(Configuration):
        if each.required and each.name not in found:
            raise DataError(f"defaults.toml: {each.name} is missing")
    return found


def _no_choice(name: str) -> str:
    known = Configuration.__struct_fields__
    close = get_close_matches(name, known, n=2, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there is {', '.join(known)}"
    return f"there is no choice {told(name)}; {hint}"
