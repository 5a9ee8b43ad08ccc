"""What is proven case by case holds everywhere, and what does not hold is not proven."""

from __future__ import annotations

import random

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from derivations.check.cases import Known, proves_not_negative, takes
from tests.terms import QUICK

A, B, C = sympy.symbols("a b c", positive=True)

TRUE = [
    sympy.Max(A, B) - A,
    A - sympy.Min(A, B),
    2 * sympy.Max(A, B) - A - B,
    sympy.Max(A, B) + sympy.Min(A, B) - A - B,
    sympy.Max(A, B, C) - sympy.Max(A, C),
    sympy.Max(A * B, A * C) - A * sympy.Min(B, C),
    sympy.Max(0, A - B) + B - A,
    A - sympy.Min(A, sympy.Max(0, A - B)),
    sympy.Max(A / B, A / C) - A / B,
]
FALSE = [
    A - sympy.Max(A, B),
    sympy.Min(A, B) - A,
    A + B - 3 * sympy.Max(A, B),
    sympy.Max(A, B) - A - B,
    sympy.Max(0, A - B) - A + C,
    A / B - sympy.Max(A / B, A / C),
    A - B,
    -A,
]


@pytest.mark.parametrize("expression", TRUE, ids=str)
def test_what_is_never_negative_is_proven(expression: sympy.Expr) -> None:
    assert proves_not_negative(expression, ())


@pytest.mark.parametrize("expression", FALSE, ids=str)
def test_what_may_be_negative_is_not(expression: sympy.Expr) -> None:
    assert not proves_not_negative(expression, ())


def test_premises_are_used() -> None:
    assert proves_not_negative(A - B, (Known(A - C), Known(C - B)))
    assert proves_not_negative(A / (B - C), (Known(B - C, strict=True),))
    assert not proves_not_negative(A / (B - C), (Known(B - C),))


def test_only_what_cases_can_decide_is_taken() -> None:
    free = sympy.Symbol("free", real=True)

    assert takes(sympy.Max(A, B / C) ** 2 - sympy.Rational(1, 2))
    assert not takes(sympy.floor(A))
    assert not takes(sympy.exp(A) + B)
    assert not takes(A + free)


def expressions() -> st.SearchStrategy[sympy.Expr]:
    leaves = st.sampled_from([A, B, C, sympy.Integer(1), sympy.Integer(2)])

    def grown(inner: st.SearchStrategy[sympy.Expr]) -> st.SearchStrategy[sympy.Expr]:
        pairs = st.tuples(inner, inner)
        return st.one_of(
            pairs.map(lambda pair: pair[0] + pair[1]),
            pairs.map(lambda pair: pair[0] - pair[1]),
            pairs.map(lambda pair: pair[0] * pair[1]),
            pairs.map(lambda pair: sympy.Max(*pair)),
            pairs.map(lambda pair: sympy.Min(*pair)),
        )

    return st.recursive(leaves, grown, max_leaves=6)


@QUICK
@given(expressions(), expressions())
def test_whatever_is_proven_holds_at_random_points(
    expression: sympy.Expr, premise: sympy.Expr
) -> None:
    known = (Known(premise),)
    proven = [each for each in ((), known) if proves_not_negative(expression, each)]
    dice = random.Random(1)

    for given_ in proven:
        for _ in range(60):
            point = {each: sympy.Rational(dice.randint(1, 400), 20) for each in (A, B, C)}
            if all(each.expression.subs(point) >= 0 for each in given_):
                assert expression.subs(point) >= 0
