"""A formula solved for what it is made of, in the notation of the book."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.algebra import Negation, Operation, Quantity, Term, leaves
from derivations.language.declare import Bridge, Constant, Formula


def solved(formula: Formula) -> Iterator[tuple[Quantity, Term]]:
    """
    Give each quantity that a formula can be solved for by turning its operations around.

    It stands in the body once, and not within a function or a choice, nor in an exponent.
    """
    every = list(leaves(formula.body))
    for quantity in dict.fromkeys(every):
        if isinstance(quantity, Constant | Bridge) or every.count(quantity) != 1:
            continue
        found = _turned(formula.body, quantity, formula)
        if found is not None and not isinstance(formula.body, Quantity):
            yield quantity, found


def _turned(node: Term, wanted: Quantity, result: Term) -> Term | None:
    """Give what a quantity equals where *node* equals *result*."""
    match node:
        case Quantity():
            return result if node is wanted else None
        case Negation(inner):
            return _turned(inner, wanted, -result)
        case Operation(sign, left, right):
            inside = wanted in set(leaves(left))
            part, other = (left, right) if inside else (right, left)
            back = _undone(sign, result, other, first=inside)
            return None if back is None else _turned(part, wanted, back)
    return None


def _undone(sign: str, result: Term, other: Term, *, first: bool) -> Term | None:
    """Give what one side of an operation equals, from its result and the other side."""
    if isinstance(other, Bridge):
        # A bridge is silent: what it carries across one way, it carries back.
        return result / other if sign == "*" else result * other
    match sign:
        case "+":
            return result - other
        case "-":
            return result + other if first else other - result
        case "*":
            return result / other
        case "/":
            return result * other if first else other / result
    return None
