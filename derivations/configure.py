"""Which datum fills which given: the one place where the facts meet the book."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from numbers import Integral, Real
from typing import Any

import msgspec

from derivations.book import BOOK, architecture, machine, memory, model, parameters, workload
from derivations.catalogue import (
    KINDS,
    DataError,
    Datum,
    Fact,
    UnknownFact,
    defaults,
    fact,
    facts,
    told,
)
from derivations.language.algebra import leaves
from derivations.language.declare import Formula, Given
from derivations.language.working_out import worked_out


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
        weights = fact("precision", self.precision)
        cache_format = _format(self.kv_precision, weights)
        return {
            **msgspec.structs.asdict(self),
            "accelerator": fact("accelerator", self.accelerator).id,
            "model": fact("model", self.model).id,
            "precision": weights.id,
            "kv_precision": cache_format.id,
            "arithmetic": _computed_in(weights) if self.arithmetic is None else self.arithmetic,
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


def _ids(chosen: Configuration) -> tuple[Any, ...]:
    return (
        chosen.accelerator, chosen.model, chosen.precision, chosen.kv_precision, chosen.arithmetic
    )  # fmt: skip


def numbers(chosen: Configuration) -> dict[Given, float]:
    """
    Give the value of every given, as a float in base units.

    Raises `ChoiceError` for what cannot be.
    """
    ids = _ids(chosen)
    try:
        found = dict(_facts(*ids))
    except TypeError:  # what cannot be hashed is no id
        data(*ids)
        raise
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
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise ChoiceError(f"{name} is {told(value)}; it should be a whole number")
    whole = int(value)
    if not least <= whole <= most:
        raise ChoiceError(
            f"{name} is {told(whole)}; it should be a whole number from {least} to {most}"
        )
    return whole


def override(name: Any) -> Given:
    """Give the given with an id, to be set in place of a fact. Raises `ChoiceError`."""
    if name in BOOK.givens:
        return BOOK.givens[name]
    close = get_close_matches(name, BOOK.givens, n=2, cutoff=0.5) if isinstance(name, str) else ()
    hint = f"did you mean {' or '.join(close)}?" if close else f"there is {', '.join(BOOK.givens)}"
    raise ChoiceError(f"there is no given {told(name)}; {hint}")


def allowed(given: Given, value: Any) -> float:
    """Give a value of a given, in base units, as a float. Raises `ChoiceError`."""
    name = BOOK.id_of(given)
    if not isinstance(value, Real) or isinstance(value, bool):
        raise ChoiceError(f"{name} is {told(value)}; it should be a number")
    if not given.least <= value <= given.most:  # NaN is not, either
        raise ChoiceError(
            f"{name} is {told(value)}; it should be from {float(given.least):g} to "
            f"{float(given.most):g} {given.unit}"
        )
    number = float(value)
    if given.whole and not number.is_integer():
        raise ChoiceError(f"{name} is {told(value)}; it should be a whole number")
    return number


@cache
def _facts(
    accelerator: str,
    model_id: str,
    precision: str,
    kv_precision: str | None,
    arithmetic: str | None,
) -> Mapping[Given, float]:
    stated = data(accelerator, model_id, precision, kv_precision, arithmetic)
    found = {given: _within(given, datum) for given, datum in stated.items()}
    for given, formula in COUNTED.items():
        if given not in found:
            found[given] = _counted(f"{fact('model', model_id).id}.toml", given, formula, found)
    return {given: float(value) for given, value in found.items()}


COUNTED: dict[Given, Formula] = {model.parameters: parameters.total}
"""Givens that a model need not state, and the formula that then works them out from the others."""


def recount(
    chosen: Configuration,
    found: dict[Given, Any],
    replaced: Collection[Given],
) -> None:
    """
    Count again, in place, what the model leaves to be counted, after givens were replaced.

    The values are floats, or arrays of floats that broadcast.
    """
    for given, formula in COUNTED.items():
        if given in replaced or _parts_of(formula).isdisjoint(replaced):
            continue
        if given not in data(*_ids(chosen)):
            found[given] = worked_out(formula, found, float)


@cache
def _parts_of(formula: Formula) -> frozenset[Given]:
    """Give the givens that a formula comes down to."""
    below = set(leaves(formula.body))
    deeper = (_parts_of(each) for each in below if isinstance(each, Formula))
    return frozenset(each for each in below if isinstance(each, Given)).union(*deeper)


def _counted(
    place: str, given: Given, formula: Formula, values: Mapping[Given, Fraction]
) -> Fraction:
    value: Fraction = worked_out(formula, values)
    if not given.least <= value <= given.most:
        raise DataError(
            f"{place}: {given.title.lower()}: counted, they are {float(value):g}; they should be "
            f"from {float(given.least):g} to {float(given.most):g}"
        )
    return value


def _within(given: Given, datum: Datum) -> Fraction:
    return in_bounds(given, datum.place, datum.entry.says, datum.value)


def in_bounds(given: Given, place: str, says: str, value: Fraction) -> Fraction:
    """Give a value that a given may have. Raises `DataError`, which names *place*."""
    if not given.least <= value <= given.most:
        raise DataError(
            f"{place}: {says!r} is out of bounds; {given.title.lower()} should "
            f"be from {float(given.least):g} to {float(given.most):g} {given.unit}"
        )
    return value


def data(
    accelerator: str,
    model_id: str,
    precision: str,
    kv_precision: str | None,
    arithmetic: str | None,
) -> dict[Given, Datum]:
    """
    Give the datum behind every given that is a fact. What a model leaves to be counted has none.

    Raises `ChoiceError` for an unknown id, and for arithmetic that the accelerator lacks.
    """
    chip = _known("accelerator", accelerator)
    network = _known("model", model_id)
    weights = _known("precision", precision)
    cache_format = _format(kv_precision, weights)
    chosen = {
        "accelerator": chip,
        "model": network,
        "precision": weights,
        "assumption": fact("assumption", "serving"),
    }
    return {
        **{
            given: chosen[kind].amounts[field]
            for given, (kind, field) in _FILLED.items()
            if given not in COUNTED or field in chosen[kind].amounts
        },
        machine.compute_per_accelerator: _rate(chip, arithmetic, weights),
        model.kv_value_size: cache_format.amounts["size"],
    }


_FILLED: dict[Given, tuple[str, str]] = {
    machine.bandwidth_per_accelerator: ("accelerator", "bandwidth"),
    model.parameters: ("model", "parameters"),
    model.layers: ("model", "layers"),
    model.kv_heads: ("model", "kv_heads"),
    model.head_dimension: ("model", "head_dimension"),
    **{
        given: ("model", BOOK.id_of(given).partition(".")[2])
        for given in vars(architecture).values()
        if isinstance(given, Given)
    },
    model.weight_size: ("precision", "size"),
    memory.capacity_per_accelerator: ("accelerator", "memory"),
    memory.usable_share: ("assumption", "usable_share"),
}
"""The kind of fact and the field that fills a given, where no choice is left."""

MODEL_FIELDS: dict[str, Given] = {
    field: given for given, (kind, field) in _FILLED.items() if kind == "model"
}
"""The fields of a model, and the given that each fills."""


def filled_by(kind: str, field: str) -> list[Given]:
    """Give the givens that a field of a kind of facts fills."""
    return [given for given, place in _FILLED_OR_CHOSEN.items() if place == (kind, field)]


_FILLED_OR_CHOSEN = {
    **_FILLED,
    machine.compute_per_accelerator: ("accelerator", "compute"),
    model.kv_value_size: ("precision", "size"),
}


def misfits_of(each: Fact) -> list[str]:
    """Give what is wrong with the amounts of a fact: out of bounds, or not fit for each other."""
    found = []
    for key, datum in each.amounts.items():
        for given in filled_by(each.kind, key.partition(".")[0]):
            try:
                _within(given, datum)
            except DataError as problem:
                found.append(str(problem))
    if each.kind == "model" and not found:
        found.extend(_parts_that_do_not_fit(each))
    return found


def _parts_that_do_not_fit(network: Fact) -> Iterator[str]:
    values = {MODEL_FIELDS[name]: datum.value for name, datum in network.amounts.items()}
    queries, keys = values[architecture.query_heads], values[model.kv_heads]
    if queries % keys:
        yield (
            f"{network.amounts['kv_heads'].place}: {keys} heads cannot be shared evenly by "
            f"{queries} query heads"
        )
    for given, formula in COUNTED.items():
        if given not in values:
            try:
                _counted(f"{network.id}.toml", given, formula, values)
            except DataError as problem:
                yield str(problem)


def counted(network: Fact) -> int:
    """Give the parameters of a model as its parts add up to, whatever its file states."""
    values = {MODEL_FIELDS[name]: datum.value for name, datum in network.amounts.items()}
    return int(worked_out(COUNTED[model.parameters], values))


def misfits() -> list[str]:
    """Give the facts that are out of the bounds of their givens, and what is wrong by default."""
    every = (each for kind in KINDS for each in facts(kind).values())
    found = [problem for each in every for problem in misfits_of(each)]
    try:
        numbers(configuration())
    except ChoiceError as problem:
        found.append(f"defaults.toml: {problem}")
    except DataError as problem:
        found.append(str(problem))
    return found


def _format(kv_precision: str | None, weights: Fact) -> Fact:
    return weights if kv_precision is None else _known("precision", kv_precision)


def _known(kind: str, identity: str) -> Fact:
    if not isinstance(identity, str):
        raise ChoiceError(f"{kind} is {told(identity)}; it should be the id of one")
    try:
        return fact(kind, identity)
    except UnknownFact as problem:
        raise ChoiceError(str(problem)) from None


def _computed_in(weights: Fact) -> str:
    """Give the type that a format is computed in, where nothing else is chosen."""
    return str(weights.texts.get("computes_in", weights.id))


def _rate(chip: Fact, arithmetic: str | None, weights: Fact) -> Datum:
    rates = chip.each("compute")
    chosen = _computed_in(weights) if arithmetic is None else arithmetic
    if isinstance(chosen, str) and chosen in rates:
        return rates[chosen]
    lacks = f"{chip.name} has no {told(chosen)} arithmetic; it has {', '.join(sorted(rates))}"
    if arithmetic is None:
        need = "need the type to compute in (arithmetic)"
        lacks += f". Weights that are only stored in {weights.id} {need}"
    raise ChoiceError(lacks)
