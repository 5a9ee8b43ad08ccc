"""A fingerprint of what an entry means: the same for a reordering, another for another value."""

from __future__ import annotations

import hashlib
import random
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

from derivations.check.samples import NoValue, Sample
from derivations.evaluate.program import for_fractions, outputs
from derivations.language.algebra import Quantity
from derivations.language.contents import Book, trees
from derivations.language.declare import Bridge, Condition, Constant, Formula, Given, Unknown

SAMPLES = 256
"""Configurations in which formulas are worked out: each condition of the book holds in some."""
STATED = 48
"""Configurations in which statements are worked out."""
DIGITS = 12
"""Significant digits of a value that count: functions such as exp are worked out in floats."""

_ROUNDED = Context(prec=DIGITS)

_SIZES = {
    "flop / second / accelerator": (38, 52),
    "byte / second / accelerator": (30, 46),
    "byte / accelerator": (30, 46),
    "parameter": (20, 40),
    "byte / parameter": (-3, 2),
    "byte / value": (-3, 2),
    "1": (-4, 0),
    "second": (-10, 8),
    "second / token": (-10, 2),
    "token / second / accelerator": (2, 16),
    "accelerator": (0, 6),
    "head / layer": (0, 7),
}
"""Powers of two between which a given is drawn, by its unit: so that the cases are all met."""
_ANY_SIZE = (0, 13)


class Fingerprints:
    """
    The fingerprints of a book.

    Each entry is worked out for the same configurations, drawn by the ids of the givens, and hashed
    with its unit. How it is written, and in which words, does not count.
    """

    def __init__(self, book: Book) -> None:
        self._book = book
        self._stated = [_Drawn(book, place) for place in range(STATED)]

    @cached_property
    def _columns(self) -> dict[str, list[Any]]:
        """The values of every formula and condition, exactly."""
        program = for_fractions(self._book)
        givens = self._book.givens.values()
        rows = [
            program(*(drawn(self._book, each, place) for each in givens))
            for place in range(SAMPLES)
        ]
        return dict(zip(outputs(self._book), map(list, zip(*rows, strict=True)), strict=True))

    def of(self, identity: str) -> str:
        """Give the fingerprint of an entry: 64 hexadecimal digits. Raises `UnknownName`."""
        entry = self._book[identity]
        said = [type(entry).__name__, getattr(entry, "unit", "")]
        match entry:
            case Constant(value):
                said.append(str(value))
            case Formula() | Condition():
                said.extend(map(_told, self._columns[self._book.id_of(entry)]))
            case Given() | Bridge() | Unknown():
                pass
            case _:
                for sample in self._stated:
                    said.extend(_stated(sample, each) for each in trees(entry))
        return hashlib.sha256("\n".join(said).encode()).hexdigest()


def drawn(book: Book, quantity: Given | Unknown, place: int) -> Fraction:
    """Draw a value that the id of a quantity decides: the first one that it was published by."""
    former = getattr(quantity, "formerly", ())
    dice = random.Random(f"{former[0] if former else book.id_of(quantity)} {place}")
    least, most = _SIZES.get(quantity.unit, _ANY_SIZE)
    return Fraction(dice.randint(256, 511), 256) * Fraction(2) ** dice.randint(least, most)


def _told(value: Any) -> str:
    if isinstance(value, bool):
        return str(value)
    if value != value:
        return "no value"
    exact = Fraction(value)
    return str(_ROUNDED.divide(Decimal(exact.numerator), Decimal(exact.denominator)).normalize())


def _stated(sample: _Drawn, node: Any) -> str:
    try:
        return _told(sample.value(node))
    except (NoValue, ArithmeticError, ValueError):
        return "no value"


class _Drawn(Sample):
    """A configuration in which each given has a value that its id alone decides."""

    def __init__(self, book: Book, place: int) -> None:
        super().__init__(random.Random(0))
        self._book, self._place = book, place

    def _work_out(self, quantity: Quantity) -> Any:
        if isinstance(quantity, Given | Unknown):
            return drawn(self._book, quantity, self._place)
        return super()._work_out(quantity)
