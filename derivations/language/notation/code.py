"""What notations that computers read have in common: numbers for constants, and signs of ASCII."""

from __future__ import annotations

from typing import ClassVar

from derivations.language.algebra import Comparison, Sign
from derivations.language.declare import Constant
from derivations.language.notation.writing import Notation, Written


class Code(Notation):
    """A notation over plain names."""

    signs: ClassVar[dict[Sign, str]] = {
        "+": " + ",
        "-": " - ",
        "*": " * ",
        "/": " / ",
        "^": " ** ",
    }
    comparisons: ClassVar[dict[Comparison, str]] = {
        "<": " < ",
        "<=": " <= ",
        ">": " > ",
        ">=": " >= ",
        "==": " == ",
    }

    def constant(self, quantity: Constant, value: int) -> Written:
        return self.number(value)
