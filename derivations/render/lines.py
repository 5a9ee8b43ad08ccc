"""A worked line: a tree with its numbers, and how it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from derivations.language.algebra import (
    Choice,
    Number,
    Quantity,
    Relation,
    Term,
)
from derivations.language.notation.plain import Plain
from derivations.language.notation.writing import ATOM, LOOSE, POWER, Written


@dataclass(frozen=True)
class Figure:
    """A number on a page: of which quantity, its digits, and the unit after them (or nothing)."""

    quantity: Quantity | None
    digits: str
    unit: str = ""

    @property
    def text(self) -> str:
        """The digits and the unit."""
        return f"{self.digits} {self.unit}" if self.unit else self.digits

    def __str__(self) -> str:
        return self.text


Write = Callable[[Figure], str]


@dataclass(frozen=True)
class InNumbers:
    """A tree with its numbers: ``64 ≤ 295``."""

    term: Term | Relation
    operands: dict[Quantity, Figure]

    def left(self, write: Write = lambda figure: figure.text) -> str:
        """Write the tree, each figure in a way of one's own."""
        left = _written(self.term, self.operands, write)
        return f"({left})" if isinstance(self.term, Choice) else left

    def text(self, write: Write = lambda figure: figure.text) -> str:
        """Write the whole of it."""
        return self.left(write)

    @property
    def structure(self) -> tuple[Any, ...]:
        """What two of the same tree have in common if they differ in nothing but numbers."""
        return tuple(map(_strength, self.operands.values()))


@dataclass(frozen=True)
class Line(InNumbers):
    """
    One worked line: ``8.61E10 ÷ 6.70E12 = 12.85 ms``.

    Redone with the digits that it prints, it gives the result that it prints.
    """

    result: Figure
    also: Figure | None = None
    because: str = ""
    """Which branch of each choice was taken, and why."""

    @property
    def trivial(self) -> bool:
        """Whether the term is a single quantity, so that the result says it all."""
        return isinstance(self.term, Quantity | Number)

    @property
    def structure(self) -> tuple[Any, ...]:
        """What two lines of the same formula have in common if only their numbers differ."""
        return (*super().structure, self.also is None, not self.because)

    def text(self, write: Write = lambda figure: figure.text) -> str:
        """Write the whole line."""
        left = "" if self.trivial else f"{self.left(write)} = "
        also = f" ≈ {write(self.also)}" if self.also else ""
        because = f" ({self.because})" if self.because else ""
        return f"{left}{write(self.result)}{also}{because}"


def _written(node: Term | Relation, figures: dict[Quantity, Figure], write: Write) -> str:
    def leaf(quantity: Quantity) -> Written:
        figure = figures[quantity]
        return Written(write(figure), _strength(figure))

    return Plain(leaf).write(node)


def _strength(figure: Figure) -> int:
    """Tell how strongly the digits hold together, so that −5 and 1.64E5 get their brackets."""
    if figure.digits.startswith("−"):
        return LOOSE
    return POWER if "E" in figure.digits or figure.unit else ATOM
