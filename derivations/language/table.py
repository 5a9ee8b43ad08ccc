"""
The table of units, `units.txt`, read without pint: what each name measures, and how much.

Reading a fact needs no more than this, and costs a millisecond where importing pint costs a
hundred. What units do in a formula is pint's business; a test holds both to the same table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("units.txt")

_FACTOR = re.compile(r"([*/])?\s*([A-Za-z]+|\d[\dEe.+-]*)(?:\s*\*\*\s*(-?[1-9]))?")


@dataclass(frozen=True)
class Measure:
    """What a unit measures (dimensions with exponents), and how many base units it is."""

    dimensions: tuple[tuple[str, int], ...]
    factor: Fraction


class UnknownUnit(LookupError):
    """A name that the table does not have."""


@cache
def measure(text: str) -> Measure:
    """
    Give the measure of a product or quotient of names: ``TB / s / accelerator``.

    Raises `UnknownUnit` for the first name that the table does not have.
    """
    return _product(text, _named)


def _product(text: str, named: Callable[[str], Measure]) -> Measure:
    powers: Counter[str] = Counter()
    factor = Fraction(1)
    for sign, name, power in _factors(text):
        found = Measure((), Fraction(name)) if name[0].isdigit() else named(name)
        exponent = int(power or 1) * (-1 if sign == "/" else 1)
        factor *= found.factor**exponent
        for dimension, each in found.dimensions:
            powers[dimension] += each * exponent
    return Measure(tuple((each, power) for each, power in sorted(powers.items()) if power), factor)


def _factors(text: str) -> Iterator[tuple[str, str, str]]:
    for match in _FACTOR.finditer(text):
        yield match[1] or "", match[2], match[3] or ""


@cache
def names() -> dict[str, Measure]:
    """Give every unit of the table by name and by alias, without prefixes."""
    known: dict[str, Measure] = {}
    for name, meaning, aliases in _lines():
        if name.endswith("-"):
            continue
        if meaning.startswith("["):
            found = Measure(((meaning.strip("[]"), 1),), Fraction(1))
        else:
            found = _product(meaning, known.__getitem__)
        known.update(dict.fromkeys((name, *aliases), found))
    return known


@cache
def prefixes() -> dict[str, Fraction]:
    """Give every prefix of the table, long and short: ``tera`` and ``T``."""
    return {
        each.rstrip("-"): Fraction(meaning)
        for name, meaning, aliases in _lines()
        if name.endswith("-")
        for each in (name, *aliases)
    }


@cache
def _lines() -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    found = []
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        text = line.partition("#")[0].strip()
        if text:
            name, meaning, *aliases = (part.strip() for part in text.split("="))
            found.append((name, meaning, tuple(each for each in aliases if each != "_")))
    return tuple(found)


@cache
def _named(name: str) -> Measure:
    known = names()
    if name in known:
        return known[name]
    for prefix, size in prefixes().items():
        rest = name.removeprefix(prefix)
        if rest != name and rest in known:
            return Measure(known[rest].dimensions, size * known[rest].factor)
    raise UnknownUnit(name)
