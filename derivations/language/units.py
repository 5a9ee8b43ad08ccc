"""The units of the book: pint's engine with our own table, never pint's default registry."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from derivations.language.table import TABLE, Measure, UnknownUnit, measure, names

if TYPE_CHECKING:
    from pint import UnitRegistry

_NAME = r"[A-Za-z]+"
_POWER = r"(?:\s*\*\*\s*-?[1-9])?"
_UNIT = re.compile(rf"1|(?:1\s*/\s*)?{_NAME}{_POWER}(?:\s*[*/]\s*{_NAME}{_POWER}){{0,7}}")
_AMOUNT = re.compile(r"([+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)(?:\s+(\S.*))?")
_SMALLEST, _LARGEST = Fraction(1, 10**100), Fraction(10**100)


class UnitError(ValueError):
    """A unit that the table does not know, or an amount in a unit that does not fit."""


@cache
def registry() -> UnitRegistry[Any]:
    """Give the one registry of the project, made of `units.txt` when it is first needed."""
    from pint import UnitRegistry

    return UnitRegistry(str(TABLE), cache_folder=None)


@cache
def unit(text: str) -> Any:
    """
    Read a unit such as ``byte / second / accelerator`` and give pint's unit.

    Only names of the table, ``*``, ``/`` and small powers are read; nothing is evaluated.
    Raises `UnitError`, with the near misses of an unknown name.
    """
    _measured(text)
    return registry().Unit("dimensionless" if text == "1" else text)


def _measured(text: str) -> Measure:
    if len(text) > 120 or not _UNIT.fullmatch(text):
        raise UnitError(f"{text[:120]!r} is not a unit; write one like 'byte / second'")
    try:
        return measure(text)
    except UnknownUnit as problem:
        name = problem.args[0]
        raise UnitError(f"there is no unit {name!r}{_near(name)}") from None


def _near(name: str) -> str:
    from difflib import get_close_matches

    spellings = {each.lower(): each for each in (*names(), *_COMMON)}
    near = get_close_matches(name.lower(), spellings, n=2, cutoff=0.6)
    return f"; did you mean {' or '.join(spellings[each] for each in near)}?" if near else ""


_COMMON = ("ms", "GB", "MB", "TB", "Tflop", "Pflop")
"""Names with a prefix that a near miss may mean."""


def dimensions(text: str) -> dict[str, int]:
    """Give the dimensions of a unit with their exponents: ``{"data": 1, "time": -1}``."""
    return dict(_measured(text).dimensions)


def measure_of(quantity: Any) -> Measure:
    """
    Give the measure of a pint quantity of any registry, by the names of its units.

    What the table lacks (hours, minutes) is read in the base units of that registry.
    Raises `UnitError`.
    """
    powers: Counter[str] = Counter()
    scale = Fraction(1)
    for name, exponent in quantity.unit_items():
        if int(exponent) != exponent:
            raise UnitError(f"{str(quantity.units)!r} has a power that is not whole")
        found = _of_any(quantity, name)
        scale *= found.factor ** int(exponent)
        for dimension, power in found.dimensions:
            powers[dimension] += power * int(exponent)
    return Measure(tuple((each, power) for each, power in sorted(powers.items()) if power), scale)


def _of_any(quantity: Any, name: str) -> Measure:
    """Give the measure of one unit of a quantity's registry."""
    from pint import PintError

    try:
        return measure(name)
    except UnknownUnit:
        unknown = UnitError(f"there is no unit {name!r}{_near(name)}")
    try:
        root = quantity.__class__(1, name).to_root_units()
    except (PintError, ValueError):
        raise unknown from None
    if [each for each, _ in root.unit_items()] == [name]:
        raise unknown
    found = measure_of(root)
    return Measure(found.dimensions, found.factor * Fraction(Decimal(str(root.magnitude))))


def exponents(found: Any) -> dict[str, int]:
    """Give the dimensions of a pint unit, each with its exponent."""
    return {name.strip("[]"): power for name, power in found.dimensionality.items()}


def factor(text: str) -> Fraction:
    """Give the number of base units in one of a unit: 1/1000 for ``ms``, exactly."""
    return _measured(text).factor


def amount(text: str, target: str) -> Fraction:
    """
    Read an amount such as ``3.35 TB / s / accelerator``, in base units of *target*.

    A count by something is written ``2 / layer``, a pure one as a bare number.

    Raises `UnitError` where the number or the unit cannot be read, or does not fit, and where
    the number is beyond what a float can hold.
    """
    match = _AMOUNT.fullmatch(text.strip()) if len(text) <= 120 else None
    if match is None:
        raise UnitError(f"{text[:120]!r} is not a number and its unit, such as '3.35 TB / s'")
    number, written = match[1], match[2] or "1"
    if written.startswith("/"):
        written = f"1 {written}"
    if dimensions(written) != dimensions(target):
        raise UnitError(f"{text!r} cannot be read in {target}")
    value = Fraction(Decimal(number)) * factor(written)
    if value and not _SMALLEST < abs(value) < _LARGEST:
        raise UnitError(f"{text!r} is beyond all numbers that can be computed with")
    return value


_WORDS = {
    "time": "second", "data": "byte", "arithmetic": "flop", "energy": "joule",
}  # fmt: skip


def spelled(found: Any) -> str:
    """Write a pint unit in the reader's notation: ``byte · token / flop``, or ``1``."""
    bases = {_WORDS.get(name, name): power for name, power in sorted(exponents(found).items())}
    above = " · ".join(_powered(name, power) for name, power in bases.items() if power > 0)
    below = "".join(f" / {_powered(name, -power)}" for name, power in bases.items() if power < 0)
    return (above or "1") + below


def _powered(name: str, power: Any) -> str:
    if power == 1:
        return name
    return f"{name}^{int(power)}" if int(power) == power else f"{name}^({Fraction(power)})"
