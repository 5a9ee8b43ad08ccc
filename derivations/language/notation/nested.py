"""Formulas as nested lists, for a reader in another language: ``["*", 0, ["+", 1, 2]]``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from derivations.language.algebra import Comparison, Quantity, Relation, Sign, Term, read
from derivations.language.declare import Bridge
from derivations.language.functions import Function

_SILENT = object()


@dataclass(frozen=True)
class Nested:
    """
    The reading of a tree as lists: a sign or the name of a function, and what it is applied to.

    A quantity is what *leaf* makes of it, a bare count is a list of one number, a choice begins
    with ``?``, and a bridge is left out.
    """

    leaf: Callable[[Quantity], Any]

    def number(self, value: int) -> Any:
        return [value]

    def quantity(self, quantity: Quantity) -> Any:
        return _SILENT if isinstance(quantity, Bridge) else self.leaf(quantity)

    def operation(self, sign: Sign, left: Any, right: Any) -> Any:
        return left if right is _SILENT else [sign, left, right]

    def negation(self, inner: Any) -> Any:
        return ["-", inner]

    def call(self, function: Function, arguments: tuple[Any, ...]) -> Any:
        return [function.plain.partition("(")[0], *arguments]

    def choice(self, condition: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        return ["?", condition, then(), otherwise()]

    def relation(self, sign: Comparison, left: Any, right: Any) -> Any:
        return [sign, left, right]


def nested(node: Term | Relation, leaf: Callable[[Quantity], Any]) -> Any:
    """Give a tree as nested lists, in its authored order."""
    return read(node, Nested(leaf))
