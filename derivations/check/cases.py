"""
Proofs of statements with maxima and minima in them: case by case, each by adding inequalities up.

In each case every maximum is one of its terms, and at least as large as the others. What is left
are polynomials in positive quantities. To prove that one of them is not negative, suppose that it
is, and add multiples of what is known until a sum comes out that cannot be: one whose terms are all
negative, though it has to be positive.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice, product
from operator import add, sub
from typing import Any, TypeAlias

_Terms: TypeAlias = dict[tuple[int, ...], Any]

MOST_CASES = 64
MOST_PAIRS = 400


class Undecided(Exception):
    """Neither proven nor refuted this way."""


@dataclass(frozen=True)
class Known:
    """Something that is not negative or, where *strict*, positive."""

    expression: Any
    strict: bool = False


def takes(expression: Any) -> bool:
    """Tell whether an expression is of sums, products, quotients, maxima and minima only."""
    import sympy

    kinds = (sympy.Add, sympy.Mul, sympy.Max, sympy.Min, sympy.Rational, sympy.Symbol)
    return all(
        isinstance(each, kinds) or (isinstance(each, sympy.Pow) and each.exp.is_Integer)
        for each in sympy.preorder_traversal(expression)
    ) and all(each.is_positive for each in expression.free_symbols)


def proves_not_negative(expression: Any, known: tuple[Known, ...]) -> bool:
    """Tell whether an expression can be shown to be at least zero wherever all of *known* holds."""
    try:
        opposite = Known(-expression, strict=True)
        return all(_impossible(case) for case in _cases((opposite, *known)))
    except Undecided:
        return False


def _cases(known: tuple[Known, ...]) -> Iterator[tuple[Known, ...]]:
    """Split at an innermost maximum or minimum until there is none left."""
    waiting, made = [known], 0
    while waiting:
        case = waiting.pop()
        bend = _innermost(case)
        if bend is None:
            made += 1
            if made > MOST_CASES:
                raise Undecided
            yield case
            continue
        waiting.extend(_at(bend, term, case) for term in bend.args)


def _innermost(case: tuple[Known, ...]) -> Any:
    import sympy

    for each in case:
        for bend in each.expression.atoms(sympy.Max, sympy.Min):
            if not any(term.has(sympy.Max, sympy.Min) for term in bend.args):
                return bend
    return None


def _at(bend: Any, term: Any, case: tuple[Known, ...]) -> tuple[Known, ...]:
    import sympy

    sign = 1 if isinstance(bend, sympy.Max) else -1
    larger = (Known(sign * (term - other)) for other in bend.args if other is not term)
    replaced = (Known(each.expression.xreplace({bend: term}), each.strict) for each in case)
    return (*replaced, *larger)


def _impossible(case: tuple[Known, ...]) -> bool:
    """Tell whether what is known in a case contradicts itself, or a sum of three parts of it."""
    given = _polynomials(case)
    if any(map(_contradicts, given)):
        return True
    first = [each for one, other in combinations(given, 2) for each in _sums(one, other)]
    if any(map(_contradicts, first)):
        return True
    pairs = islice(product(first, given), MOST_PAIRS)
    return any(_contradicts(each) for one, other in pairs for each in _sums(one, other))


def _polynomials(case: tuple[Known, ...]) -> list[_Sum]:
    """Give the numerators of what is known, where the denominators are positive."""
    symbols = sorted({s for each in case for s in each.expression.free_symbols}, key=str)
    if not symbols:
        raise Undecided
    fractions = [(*_fraction(each.expression), each.strict) for each in case]
    found: list[_Sum] = []
    positive: list[Any] = []
    for above, below, strict in sorted(fractions, key=lambda each: len(each[1].args)):
        numerator, denominator = (_polynomial(each, tuple(symbols)) for each in (above, below))
        sign = _sign(denominator, positive)
        if sign == 0:
            raise Undecided
        numerator *= sign
        terms = {powers: value for powers, value in numerator.terms() if value}
        found.append(_Sum(terms, strict))
        if strict and not numerator.is_zero:
            positive.append(numerator)
    return found


@cache
def _fraction(expression: Any) -> tuple[Any, Any]:
    import sympy

    above, below = sympy.fraction(sympy.together(expression))
    return above, below


@cache
def _polynomial(expression: Any, symbols: tuple[Any, ...]) -> Any:
    import sympy

    return sympy.Poly(expression, *symbols)


def _sign(polynomial: Any, positive: list[Any]) -> int:
    """Give the sign of a denominator: of all its terms, or of something known to be positive."""
    if all(each > 0 for each in polynomial.coeffs()):
        return 1
    if all(each < 0 for each in polynomial.coeffs()):
        return -1
    for each in positive:
        for sign in (1, -1):
            quotient, rest = (sign * polynomial).div(each)
            if rest.is_zero and all(part > 0 for part in quotient.coeffs()):
                return sign
    return 0


@dataclass(frozen=True)
class _Sum:
    """A polynomial that is not negative or, where *strict*, positive: coefficients by powers."""

    terms: _Terms
    strict: bool


def _sums(one: _Sum, other: _Sum) -> Iterator[_Sum]:
    """Add multiples of two such that a term with a plus in one and a minus in the other goes."""
    for up, down in ((one, other), (other, one)):
        for powers, high in up.terms.items():
            for others, low in down.terms.items():
                if high > 0 > low:
                    shared = tuple(map(min, powers, others))
                    terms = _times(up.terms, _less(others, shared), -low)
                    for key, value in _times(down.terms, _less(powers, shared), high).items():
                        terms[key] = terms.get(key, 0) + value
                    kept = {key: value for key, value in terms.items() if value}
                    yield _Sum(kept, one.strict or other.strict)


def _times(terms: _Terms, powers: tuple[int, ...], factor: Any) -> _Terms:
    return {tuple(map(add, key, powers)): value * factor for key, value in terms.items()}


def _less(powers: tuple[int, ...], shared: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(sub, powers, shared))


def _contradicts(known: _Sum) -> bool:
    if not known.terms:
        return known.strict
    return all(value < 0 for value in known.terms.values())
