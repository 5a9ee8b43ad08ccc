"""The value of every given, for one configuration: from facts, from choices, or counted."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from numbers import Integral, Real
from typing import Any

from derivations.book import BOOK, model
from derivations.catalogue import (
    DataError,
    Fact,
    fact,
    told,
)
from derivations.configure.choices import COUNTS, ChoiceError, Configuration
from derivations.configure.filling import COUNTED, MODEL_FIELDS, data, within
from derivations.configure.measuring import LACKING, measured_for
from derivations.language.algebra import leaves
from derivations.language.declare import Formula, Given
from derivations.language.working_out import worked_out


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
    result = measured_for(*ids).get(
        (
            chosen.tensor_parallelism,
            chosen.input_length,
            chosen.output_length,
            chosen.concurrency,
        )
    )
    if result is not None:
        found.update(result)
    return found


def _ids(chosen: Configuration) -> tuple[Any, ...]:
    return (
        chosen.accelerator, chosen.model, chosen.precision, chosen.kv_precision, chosen.arithmetic
    )  # fmt: skip


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
    found = {given: float(within(given, datum)) for given, datum in stated.items()}
    return {**LACKING, **_counts(model_id), **found}


@cache
def _counts(model_id: str) -> Mapping[Given, float]:
    """Give what a model leaves to be counted. Many configurations share it."""
    network = fact("model", model_id)
    stated = {MODEL_FIELDS[name]: datum for name, datum in network.amounts.items()}
    parts = {given: within(given, datum) for given, datum in stated.items()}
    return {
        given: float(counted_from(f"{network.id}.toml", given, formula, parts))
        for given, formula in COUNTED.items()
        if given not in parts
    }


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


def counted_from(
    place: str, given: Given, formula: Formula, values: Mapping[Given, Fraction]
) -> Fraction:
    value: Fraction = worked_out(formula, values)
    if not given.least <= value <= given.most:
        raise DataError(
            f"{place}: {given.title.lower()}: counted, they are {float(value):g}; they should be "
            f"from {float(given.least):g} to {float(given.most):g}"
        )
    return value


def counted(network: Fact) -> int:
    """Give the parameters of a model as its parts add up to, whatever its file states."""
    values = {MODEL_FIELDS[name]: datum.value for name, datum in network.amounts.items()}
    return int(worked_out(COUNTED[model.parameters], values))
