"""Random formulas, for hypothesis: all signs, negations, calls, choices, numbers and bridges."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from hypothesis import settings
from hypothesis import strategies as st

from derivations.language.algebra import (
    Call,
    Choice,
    Comparison,
    Negation,
    Number,
    Operation,
    Quantity,
    Relation,
    Sign,
    Term,
)
from derivations.language.declare import Bridge, Constant, Unknown, Work
from derivations.language.functions import (
    FUNCTIONS,
    Function,
    ceiling,
    floor,
    maximum,
    minimum,
)

Build: TypeAlias = st.SearchStrategy[Term]

QUICK = settings(max_examples=250, deadline=None)
"""For what is cheap to try."""

FEW = settings(max_examples=80, deadline=None)
"""For what sympy has a part in."""

_NOWHERE = Work("A work", "Nobody", "https://example.org", date(2020, 1, 1)).at("a place")


def unknown(symbol: str, unit: str = "1") -> Unknown:
    """Give a quantity that is nothing but its symbol."""
    return Unknown(symbol=symbol, unit=unit, title=symbol, says="It stands in a test.")


def constant(value: int, unit: str = "1") -> Constant:
    """Give a named number."""
    return Constant(value, unit, str(value), says="It stands in a test.", source=_NOWHERE)


LETTERS = tuple(map(unknown, ("a", "b", "C", "W", "n", "t_step", "ISL", "S_mean", "n_kv")))
CONSTANTS = tuple(map(constant, (1, 2, 12)))
BRIDGES = tuple(Bridge("1", f"Bridge {name}", says="It is silent.") for name in "xyz")
RATIONAL = (maximum, minimum, ceiling, floor)
"""The functions that give an exact value for exact arguments."""

SIGNS: tuple[Sign, ...] = ("+", "-", "*", "/", "^")
COMPARISONS: tuple[Comparison, ...] = ("<", "<=", ">", ">=", "==")

_leaves: Build = st.sampled_from((*LETTERS, *LETTERS, *CONSTANTS, *map(Number, range(4))))


def _calls(inner: Build, functions: tuple[Function, ...]) -> Build:
    def call(function: Function) -> Build:
        least, most = function.arity
        lists = st.lists(inner, min_size=least, max_size=min(most, 3))
        return lists.map(lambda arguments: Call(function, tuple(arguments)))

    return st.one_of([call(function) for function in functions])


def _choices(inner: Build) -> Build:
    relations = st.builds(Relation, st.sampled_from(COMPARISONS), inner, inner)
    return st.builds(Choice, relations, inner, inner)


def terms(max_leaves: int = 20) -> Build:
    """Any formula that can be written, with bridges on the right of some × and ÷."""

    def grown(inner: Build) -> Build:
        bridged = st.builds(Operation, st.sampled_from(("*", "/")), inner, st.sampled_from(BRIDGES))
        return st.one_of(
            st.builds(Operation, st.sampled_from(SIGNS), inner, inner),
            st.builds(Operation, st.sampled_from(SIGNS), inner, inner),
            st.builds(Negation, inner),
            _calls(inner, FUNCTIONS),
            _choices(inner),
            bridged,
        )

    return st.recursive(_leaves, grown, max_leaves=max_leaves)


def rational_terms(max_leaves: int = 12) -> Build:
    """Formulas that have an exact value, save where they divide by zero."""

    def grown(inner: Build) -> Build:
        return st.one_of(
            st.builds(Operation, st.sampled_from(SIGNS[:-1]), inner, inner),
            st.builds(Operation, st.sampled_from(SIGNS[:-1]), inner, inner),
            st.builds(Operation, st.just("^"), inner, st.sampled_from((Number(2), CONSTANTS[1]))),
            st.builds(Negation, inner),
            _calls(inner, RATIONAL),
            _choices(inner),
        )

    return st.recursive(_leaves, grown, max_leaves=max_leaves)


def pairs() -> list[Term]:
    """Give each sign below each other one, on either side: where brackets are lost first."""
    a, b, c = LETTERS[:3]
    unary: list[Callable[[Term], Term]] = [Negation, lambda x: Call(maximum, (x, c))]
    unary.append(lambda x: Choice(Relation("<=", x, c), x, c))
    inner: list[Term] = [Operation(sign, a, b) for sign in SIGNS] + [make(a) for make in unary]
    below: list[Term] = [Operation(sign, each, c) for sign, each in product(SIGNS, inner)]
    below += [Operation(sign, c, each) for sign, each in product(SIGNS, inner)]
    return below + [make(each) for make, each in product(unary, inner)]


def values(most: int = 40) -> st.SearchStrategy[dict[Quantity, Fraction]]:
    """Positive values of all letters that a decimal text can hold exactly."""
    eighths = st.integers(1, most * 8).map(lambda eighth: Fraction(eighth, 8))
    return st.fixed_dictionaries(dict.fromkeys(LETTERS, eighths))
