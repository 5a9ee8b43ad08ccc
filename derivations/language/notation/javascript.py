"""Formulas as JavaScript: the same operations in the same order as in Python, so the same bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from derivations.language.algebra import Comparison
from derivations.language.functions import Function
from derivations.language.notation.code import Code
from derivations.language.notation.writing import OPEN, Written

RESERVED = frozenset(
    "arguments await break case catch class const continue debugger default delete do else enum "
    "eval export extends false finally for function if implements import in instanceof interface "
    "let new null package private protected public return static super switch this throw true "
    "try typeof undefined var void while with yield".split()
)


class JavaScript(Code):
    """JavaScript over plain names."""

    comparisons: ClassVar[dict[Comparison, str]] = {**Code.comparisons, "==": " === "}

    def spelling(self, function: Function) -> str:
        return function.javascript

    def choice(
        self, condition: Written, then: Callable[[], Written], otherwise: Callable[[], Written]
    ) -> Written:
        first, second = self.inside(then()), self.inside(otherwise())
        return Written(f"{condition.text} ? {first} : {second}", OPEN)
