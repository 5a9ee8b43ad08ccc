"""What a tree means to sympy: for proofs, derivatives and solving, never for printing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import sympy

from derivations.language.algebra import Comparison, Quantity, Relation, Sign, Term, read
from derivations.language.declare import Bridge, Constant, Formula, Given
from derivations.language.functions import Function

_RELATIONS = {
    "<": sympy.StrictLessThan,
    "<=": sympy.LessThan,
    ">": sympy.StrictGreaterThan,
    ">=": sympy.GreaterThan,
    "==": sympy.Equality,
}


@dataclass(frozen=True)
class Meaning:
    """The reading of a tree as a sympy expression."""

    leaf: Callable[[Quantity], Any]

    def number(self, value: int) -> Any:
        return sympy.Integer(value)

    def quantity(self, quantity: Quantity) -> Any:
        if isinstance(quantity, Bridge):
            return sympy.Integer(1)
        if isinstance(quantity, Constant):
            return sympy.Integer(quantity.value)
        return self.leaf(quantity)

    def operation(self, sign: Sign, left: Any, right: Any) -> Any:
        match sign:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "/":
                return left / right
            case "^":
                return left**right

    def negation(self, inner: Any) -> Any:
        return -inner

    def call(self, function: Function, arguments: tuple[Any, ...]) -> Any:
        return function.meaning(sympy, *arguments)

    def choice(self, condition: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        return sympy.Piecewise((then(), condition), (otherwise(), True))

    def relation(self, sign: Comparison, left: Any, right: Any) -> Any:
        return _RELATIONS[sign](left, right)


@cache
def symbol_of(quantity: Quantity) -> sympy.Symbol:
    """Give the sympy symbol of a quantity; the book's checker keeps symbols apart."""
    if isinstance(quantity, Given) and quantity.least == 0:
        return sympy.Symbol(quantity.symbol, nonnegative=True)
    # Of a formula nothing is assumed: None, where False would say that it is not positive.
    positive = None if isinstance(quantity, Formula) else True
    return sympy.Symbol(quantity.symbol, positive=positive, real=True)


def meaning(node: Term | Relation) -> Any:
    """Give the sympy expression of a tree, down to the quantities that it names."""
    return read(node, Meaning(symbol_of))


def meaning_in_givens(node: Term | Relation) -> Any:
    """Give the sympy expression of a tree, down to the givens."""
    return read(node, Meaning(_down))


@cache
def _down(quantity: Quantity) -> Any:
    return (
        meaning_in_givens(quantity.body) if isinstance(quantity, Formula) else symbol_of(quantity)
    )
