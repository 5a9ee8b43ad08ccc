"""Formulas in LaTeX, within what GitHub and other hosts accept, in authored order."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from derivations.language.algebra import Comparison, Quantity, Relation, Sign, Term
from derivations.language.functions import Function
from derivations.language.notation.writing import OPEN, Stacked, Written


class Latex(Stacked):
    """LaTeX. A division is a fraction, and a division inside of a fraction is a slash."""

    signs: ClassVar[dict[Sign, str]] = {
        "+": " + ",
        "-": " - ",
        "*": r" \cdot ",
        "/": " / ",
        "^": "^",
    }
    comparisons: ClassVar[dict[Comparison, str]] = {
        "<": " < ",
        "<=": r" \le ",
        ">": " > ",
        ">=": r" \ge ",
        "==": " = ",
    }
    comma: ClassVar[str] = r",\ "

    def bracketed(self, text: str) -> str:
        return rf"\left({text}\right)"

    def fraction(self, above: str, below: str) -> str:
        return rf"\frac{{{above}}}{{{below}}}"

    def joined(self, sign: Sign, before: str, after: str) -> str:
        return f"{{{before}}}^{{{after}}}" if sign == "^" else super().joined(sign, before, after)

    def spelling(self, function: Function) -> str:
        return function.latex

    def choice(
        self, condition: Written, then: Callable[[], Written], otherwise: Callable[[], Written]
    ) -> Written:
        first, second = self.inside(then()), self.inside(otherwise())
        return Written(
            rf"\begin{{cases}}{first} & \text{{if }} {condition.text} \\ "
            rf"{second} & \text{{otherwise}}\end{{cases}}",
            OPEN,
        )


def latex_symbol(symbol: str) -> str:
    r"""Write a symbol such as ``t_step`` as LaTeX: ``t_\text{step}``."""
    base, _, below = symbol.partition("_")
    written = base if len(base) == 1 or base.isdigit() else rf"\mathrm{{{base}}}"
    if not below:
        return written
    return f"{written}_{below}" if len(below) == 1 else rf"{written}_\text{{{below}}}"


def by_symbol(quantity: Quantity) -> Written:
    """Write a quantity as its symbol."""
    return Written(latex_symbol(quantity.symbol))


def latex(node: Term | Relation) -> str:
    """Write a tree in LaTeX, in its symbols."""
    return Latex(by_symbol).write(node)
