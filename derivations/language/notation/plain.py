"""Formulas as the article writes them: one line, with ×, ÷ and a true minus sign."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from derivations.language.algebra import Comparison, Quantity, Relation, Sign, Term
from derivations.language.functions import Function
from derivations.language.notation.writing import OPEN, Notation, Written


class Plain(Notation):
    """One line of text. `symbols` fills it with symbols, a worksheet with numbers."""

    signs: ClassVar[dict[Sign, str]] = {"+": " + ", "-": " − ", "*": " × ", "/": " ÷ ", "^": "^"}
    comparisons: ClassVar[dict[Comparison, str]] = {
        "<": " < ",
        "<=": " ≤ ",
        ">": " > ",
        ">=": " ≥ ",
        "==": " = ",
    }

    def spelling(self, function: Function) -> str:
        return function.plain

    def choice(
        self, condition: Written, then: Callable[[], Written], otherwise: Callable[[], Written]
    ) -> Written:
        first, second = self.inside(then()), self.inside(otherwise())
        return Written(f"{first} if {condition.text}, otherwise {second}", OPEN)


def by_symbol(quantity: Quantity) -> Written:
    """Write a quantity as its symbol."""
    return Written(quantity.symbol)


def symbols(node: Term | Relation) -> str:
    """Write a tree in its symbols: ``B × (ISL + OSL) − OSL × T``."""
    return Plain(by_symbol).write(node)
