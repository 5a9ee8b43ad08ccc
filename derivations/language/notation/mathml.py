"""Formulas in MathML, in which every symbol is marked with the quantity that it stands for."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import ClassVar

from derivations.language.algebra import Comparison, Quantity, Relation, Sign, Term
from derivations.language.functions import Function
from derivations.language.notation.writing import OPEN, Stacked, Written


class MathML(Stacked):
    """Presentation MathML. Fractions as in LaTeX: none inside of another."""

    signs: ClassVar[dict[Sign, str]] = {
        "+": "<mo>+</mo>",
        "-": "<mo>&#x2212;</mo>",
        "*": "<mo>&#xB7;</mo>",
        "/": "<mo>/</mo>",
        "^": "",
    }
    comparisons: ClassVar[dict[Comparison, str]] = {
        "<": "<mo>&lt;</mo>",
        "<=": "<mo>&#x2264;</mo>",
        ">": "<mo>&gt;</mo>",
        ">=": "<mo>&#x2265;</mo>",
        "==": "<mo>=</mo>",
    }
    comma: ClassVar[str] = "<mo>,</mo>"

    def bracketed(self, text: str) -> str:
        return f"<mrow><mo>(</mo>{text}<mo>)</mo></mrow>"

    def number(self, value: int) -> Written:
        return Written(f"<mn>{value}</mn>")

    def fraction(self, above: str, below: str) -> str:
        return f"<mfrac><mrow>{above}</mrow><mrow>{below}</mrow></mfrac>"

    def joined(self, sign: Sign, before: str, after: str) -> str:
        if sign == "^":
            return f"<msup><mrow>{before}</mrow><mrow>{after}</mrow></msup>"
        return super().joined(sign, before, after)

    def spelling(self, function: Function) -> str:
        return function.mathml

    def choice(
        self, condition: Written, then: Callable[[], Written], otherwise: Callable[[], Written]
    ) -> Written:
        rows = (
            (self.inside(then()), f"<mtext>if&#xA0;</mtext>{condition.text}"),
            (self.inside(otherwise()), "<mtext>otherwise</mtext>"),
        )
        table = "".join(f"<mtr><mtd>{term}</mtd><mtd>{reason}</mtd></mtr>" for term, reason in rows)
        return Written(f"<mrow><mo>{{</mo><mtable>{table}</mtable></mrow>", OPEN)


def mathml_symbol(quantity: Quantity, name: str) -> str:
    """Write a symbol such as ``t_step``, marked with the id of its quantity."""
    mark = f' data-q="{escape(name)}"' if name else ""
    base, _, below = escape(quantity.symbol).partition("_")
    if base.isdigit():
        return f"<mn{mark}>{base}</mn>"
    if not below:
        return f"<mi{mark}>{base}</mi>"
    return f"<msub{mark}><mi>{base}</mi><mtext>{below}</mtext></msub>"


def mathml(node: Term | Relation, name_of: Callable[[Quantity], str]) -> str:
    """Write a tree in MathML, in its symbols, without the ``math`` element around it."""
    return MathML(lambda quantity: Written(mathml_symbol(quantity, name_of(quantity)))).write(node)
