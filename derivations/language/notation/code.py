"""What notations that computers read have in common: numbers for constants, and signs of ASCII."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from derivations.language.algebra import Comparison, Relation, Sign, read
from derivations.language.declare import Condition, Constant, Formula, relation_of
from derivations.language.notation.writing import Leaf, Notation, Written


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


def assigned(
    entry: Formula | Condition | Relation, notation: type[Notation], leaf: Leaf, nothing: str
) -> str:
    """Write what an entry is worth: *nothing* where a premise of a formula does not hold."""
    if not isinstance(entry, Formula):
        return read(relation_of(entry), notation(leaf)).text
    value = read(entry.body, notation(leaf))
    for premise in entry.assuming:
        holds = read(relation_of(premise), notation(leaf))
        value = notation(leaf).choice(holds, _always(value), _always(Written(nothing)))
    return value.text


def _always(written: Written) -> Callable[[], Written]:
    return lambda: written
