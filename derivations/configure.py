"""Which datum fills which given: the one place where the facts meet the book."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec

from derivations.book import machine, model, workload
from derivations.catalogue import DataError, Datum, Fact, defaults, fact, near
from derivations.language.declare import Given


class ChoiceError(ValueError):
    """A configuration that cannot be: it names the option, what it is, and what it may be."""


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
        return {
            **msgspec.structs.asdict(self),
            "accelerator": fact("accelerator", self.accelerator).id,
            "model": fact("model", self.model).id,
            "kv_precision": self.kv_precision or self.precision,
            "arithmetic": self.arithmetic or self.precision,
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
    return Configuration(**{**defaults(), **choices})


_CHOICES = frozenset(Configuration.__struct_fields__)


def _no_choice(name: str) -> str:
    from difflib import get_close_matches

    known = Configuration.__struct_fields__
    close = get_close_matches(name, known, n=2, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there is {', '.join(known)}"
    return f"there is no choice {name!r}; {hint}"


def numbers(chosen: Configuration) -> dict[Given, float]:
    """
    Give the value of every given, as a float in base units.

    Raises `ChoiceError` for what cannot be.
    """
    found = dict(_facts(
        chosen.accelerator, chosen.model, chosen.precision, chosen.kv_precision, chosen.arithmetic
    ))  # fmt: skip
    for name, given, least, most in _BOUNDS:
        value = getattr(chosen, name)
        if type(value) is not int or not least <= value <= most:
            value = _whole(name, value, least, most)
        found[given] = float(value)
    return found


_BOUNDS = [(name, each, int(each.least), int(each.most)) for name, each in COUNTS.items()]
"""As whole numbers, which compare twenty times faster than fractions."""


def _whole(name: str, value: Any, least: int, most: int) -> int:
    """Give a count that may come from NumPy as an int. Raises `ChoiceError` where it is none."""
    if not hasattr(value, "__index__") or isinstance(value, bool):
        raise ChoiceError(f"{name} is {value!r}; it should be a whole number")
    whole = int(value.__index__())
    if not least <= whole <= most:
        raise ChoiceError(f"{name} is {whole}; it should be a whole number from {least} to {most}")
    return whole


@cache
def _facts(
    accelerator: str,
    model_id: str,
    precision: str,
    kv_precision: str | None,
    arithmetic: str | None,
) -> Mapping[Given, float]:
    found = data(accelerator, model_id, precision, kv_precision, arithmetic)
    return {given: float(_within(given, datum)) for given, datum in found.items()}


def _within(given: Given, datum: Datum) -> Fraction:
    if not given.least <= datum.value <= given.most:
        raise DataError(
            f"{datum.place}: {datum.entry.says!r} is out of bounds; {given.title.lower()} should "
            f"be from {float(given.least):g} to {float(given.most):g} {given.unit}"
        )
    return datum.value


def data(
    accelerator: str,
    model_id: str,
    precision: str,
    kv_precision: str | None,
    arithmetic: str | None,
) -> dict[Given, Datum]:
    """
    Give the datum behind every given that is a fact.

    Raises `ChoiceError` for an unknown id, and for arithmetic that the accelerator lacks.
    """
    chip = _known("accelerator", accelerator)
    network = _known("model", model_id)
    weights = _known("precision", precision)
    cache_format = _known("precision", kv_precision) if kv_precision else weights
    rate = arithmetic or weights.id
    return {
        machine.compute_per_accelerator: _rate(chip, rate, explicit=arithmetic is not None),
        machine.bandwidth_per_accelerator: chip.amounts["bandwidth"],
        model.parameters: network.amounts["parameters"],
        model.layers: network.amounts["layers"],
        model.kv_heads: network.amounts["kv_heads"],
        model.head_dimension: network.amounts["head_dimension"],
        model.weight_size: weights.amounts["size"],
        model.kv_value_size: cache_format.amounts["size"],
    }


def _known(kind: str, identity: str) -> Fact:
    if not isinstance(identity, str):
        raise ChoiceError(f"{kind} is {identity!r}; it should be the id of one")
    try:
        return fact(kind, identity)
    except DataError:
        raise ChoiceError(f"there is no {kind} {identity!r}{near(kind, identity)}") from None


def _rate(chip: Fact, arithmetic: str, *, explicit: bool) -> Datum:
    rates = chip.each("compute")
    if arithmetic in rates:
        return rates[arithmetic]
    has = ", ".join(sorted(rates))
    if explicit:
        raise ChoiceError(f"{chip.name} has no {arithmetic} arithmetic; it has {has}")
    raise ChoiceError(
        f"{chip.name} has no {arithmetic} arithmetic; it has {has}. Weights that are only stored "
        f"in {arithmetic} need the type to compute in (arithmetic)"
    )
