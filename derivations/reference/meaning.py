"""A fingerprint of what an entry means: the same for a reordering, another for another value."""

from __future__ import annotations

import hashlib
import random
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from derivations.check.samples import NoValue, Sample
from derivations.language.algebra import Quantity, Relation
from derivations.language.contents import Book, Entry, trees
from derivations.language.declare import Bridge, Constant, Given, Unknown

SAMPLES = 48
DIGITS = 12
"""Significant digits of a value that count: functions such as exp are worked out in floats."""

_ROUNDED = Context(prec=DIGITS)


class Fingerprints:
    """
    The fingerprints of a book.

    Each entry is worked out for the same configurations, drawn by the ids of the givens, and hashed
    with its unit. How it is written, and in which words, does not count.
    """

    def __init__(self, book: Book) -> None:
        self._book = book
        self._samples = [_Drawn(book, place) for place in range(SAMPLES)]

    def of(self, identity: str) -> str:
        """Give the fingerprint of an entry: 64 hexadecimal digits. Raises `UnknownName`."""
        entry = self._book[identity]
        said = [type(entry).__name__, getattr(entry, "unit", "")]
        if isinstance(entry, Constant):
            said.append(str(entry.value))
        elif not isinstance(entry, Given | Bridge | Unknown):
            for sample in self._samples:
                said.extend(_told(sample, each) for each in _meant(entry))
        return hashlib.sha256("\n".join(said).encode()).hexdigest()


def _meant(entry: Entry) -> list[Any]:
    """Give what the meaning of an entry lies in: a formula itself, or the trees of a statement."""
    return [entry] if isinstance(entry, Quantity) else list(trees(entry))


def _told(sample: _Drawn, node: Any) -> str:
    try:
        value = sample.value(node)
    except (NoValue, ArithmeticError, ValueError):
        return "no value"
    if isinstance(node, Relation):
        return str(bool(value))
    exact = Fraction(value)
    return str(_ROUNDED.divide(Decimal(exact.numerator), Decimal(exact.denominator)).normalize())


class _Drawn(Sample):
    """A configuration in which each given has a value that its id alone decides."""

    def __init__(self, book: Book, place: int) -> None:
        super().__init__(random.Random(0))
        self._book, self._place = book, place

    def _work_out(self, quantity: Quantity) -> Any:
        if not isinstance(quantity, Given | Unknown):
            return super()._work_out(quantity)
        former = getattr(quantity, "formerly", ())
        name = former[0] if former else self._book.id_of(quantity)
        dice = random.Random(f"{name} {self._place}")
        size = 2 ** dice.randint(0, 20)
        return Fraction(dice.randint(1, 999) * size, dice.choice((1, 1, 7, 60)))
