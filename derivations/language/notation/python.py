"""Formulas as Python, for floats, fractions and arrays: straight-line code over plain names."""

from __future__ import annotations

from collections.abc import Callable

from derivations.language.functions import Function
from derivations.language.notation.code import Code
from derivations.language.notation.writing import OPEN, Written


class Python(Code):
    """Python for one configuration: a choice works out the branch that it takes, only."""

    def spelling(self, function: Function) -> str:
        return function.python

    def choice(
        self, condition: Written, then: Callable[[], Written], otherwise: Callable[[], Written]
    ) -> Written:
        first, second = self.inside(then()), self.inside(otherwise())
        return Written(f"{first} if {condition.text} else {second}", OPEN)


class ExactPython(Python):
    """Python for fractions: whole numbers are fractions, too, so that 1 / 2 stays exact."""

    def number(self, value: int) -> Written:
        return Written(f"Fraction({value})")


class NumPy(Python):
    """Python for arrays: a choice works both branches out, and takes each where it belongs."""

    def choice(
        self, condition: Written, then: Callable[[], Written], otherwise: Callable[[], Written]
    ) -> Written:
        text = f"choose({condition.text}, lambda: {then().text}, lambda: {otherwise().text})"
        return Written(text)
