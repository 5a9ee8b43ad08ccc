"""The things that a section of the book declares: quantities, claims, and where they come from."""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from derivations.language.algebra import Named, NotATerm, Quantity, Relation, Term

if TYPE_CHECKING:
    from inspect import Signature

    import sympy


@dataclass(frozen=True)
class Work:
    """Something to cite: what it is, whose, where, and when it was read."""

    title: str
    author: str
    url: str
    read: date

    def at(self, place: str) -> Source:
        """Give the source that is this work at one place."""
        return Source(self, place)


@dataclass(frozen=True)
class Source:
    """Where a statement comes from, precisely enough to find it again."""

    work: Work
    place: str


@dataclass(frozen=True)
class Shown:
    """
    How a value is shown: in which unit, and how precisely at least.

    With *digits* large numbers read 1.64E5 (significant digits), with *decimals* they read
    12.85 (digits behind the point). A line shows more where its result needs them.
    """

    unit: str
    _: KW_ONLY
    digits: int = 3
    decimals: int | None = None


class _Showing:
    """What shows itself at a prompt and in a notebook."""

    def __repr__(self) -> str:
        from derivations.language.shown import in_short

        return in_short(self)

    def _repr_latex_(self) -> str:
        from derivations.language.shown import as_latex

        return as_latex(self)

    def _repr_html_(self) -> str:
        from derivations.language.shown import as_html

        return as_html(self)


class _Doc:
    """The docstring of a class, and one of its own for each thing in it."""

    def __init__(self, of_the_class: str | None) -> None:
        self.of_the_class = of_the_class

    def __get__(self, thing: Any, kind: Any = None) -> str | None:
        if thing is None:
            return self.of_the_class
        from derivations.language.describing import described

        return described(thing)


class _Signature:
    """The signature of each thing in a class. The class itself keeps that of its constructor."""

    def __get__(self, thing: Any, kind: Any = None) -> Signature:
        if thing is None or not thing.identity:
            raise AttributeError("__signature__")
        from derivations.language.describing import signature

        return signature(thing)


class _Called(_Showing):
    """What can be called with values by name."""

    __signature__ = _Signature()

    def __init_subclass__(cls) -> None:
        cls.__doc__ = _Doc(cls.__doc__)  # type: ignore[assignment]  # it gives a text

    def __call__(self, /, *positional: Any, **values: Any) -> Any:
        from derivations.language.calling import call

        return call(self, positional, values)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Given(_Showing, Quantity):
    """
    A quantity that a configuration brings along.

    *least* and *most* are the values that make sense, in base units: inputs outside are
    refused, and tests and samples draw from between them.

    Where a configuration may lack it, *lacking* says what is so then. Its value is NaN, with which
    no relation holds. What is worked out from it needs a condition among its premises that
    compares such a given: a configuration has all of them, or none.
    """

    symbol: str
    unit: str
    title: str
    says: str
    show: Shown
    least: Fraction
    most: Fraction
    whole: bool = False
    lacking: str = ""
    formerly: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Unknown(Quantity):
    """A quantity without a value, for a statement that holds for any value of it."""

    symbol: str
    unit: str
    title: str
    says: str


@dataclass(frozen=True, eq=False)
class Constant(Quantity):
    """A number that is part of a formula and still has a unit and a reason."""

    value: int
    unit: str
    title: str
    _: KW_ONLY
    says: str
    source: Source
    formerly: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if type(self.value) is not int or self.value < 1:
            raise NotATerm(
                f"the value of {self.title!r} is {self.value!r}; a constant is a whole number "
                "from 1 on, and a half is a division by 2"
            )

    @property
    def symbol(self) -> str:  # type: ignore[override]  # a constant is written as its number
        return str(self.value)


@dataclass(frozen=True, eq=False)
class Bridge(Quantity):
    """
    A silent one: it carries a unit across, says why that is allowed, and is never printed.

    It stands on the right of a × or a ÷.
    """

    unit: str
    title: str
    _: KW_ONLY
    says: str
    symbol: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Condition(_Called, Named):
    """
    A relation with a name, which holds in some configurations and not in others.

    Called with the values that it compares, by name, it gives whether it holds.
    """

    relation: Relation
    _: KW_ONLY
    title: str
    says: str
    otherwise: str
    """What is so where it does not hold."""
    formerly: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _refuse_all_but_relations(self.title, self.relation)


Premise: TypeAlias = Relation | Condition


def _refuse_all_but_relations(title: str, *stated: object) -> None:
    for each in stated:
        if not isinstance(each, Relation):
            what = "a value" if isinstance(each, Term) else repr(each)
            raise NotATerm(
                f"{title!r} states {what}, which is no relation; compare two terms with <, <=, > "
                "or >=, or write left.equals(right)"
            )


def _refuse_all_but_terms(title: str, *terms: object) -> None:
    for each in terms:
        if not isinstance(each, Term):
            what = (
                "a relation, which is no value; declare it as a Condition, or use when(…)"
                if isinstance(each, Relation)
                else f"{each!r}, which is not a formula"
            )
            raise NotATerm(f"{title!r} is made of {what}")


@dataclass(frozen=True, eq=False)
class Equivalence:
    """Two relations of which each holds exactly when the other does."""

    left: Relation
    right: Relation

    def __post_init__(self) -> None:
        _refuse_all_but_relations("an equivalence", self.left, self.right)


@dataclass(frozen=True, eq=False)
class Claim:
    """A statement that holds in every configuration, or in every one that meets *under*."""

    statement: Relation | Equivalence
    _: KW_ONLY
    title: str
    says: str
    source: Source
    under: tuple[Premise, ...] = ()
    formerly: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.statement, Equivalence):
            _refuse_all_but_relations(self.title, self.statement)
        _refuse_all_but_relations(self.title, *map(relation_of, self.under))


@dataclass(frozen=True, eq=False)
class Approximation:
    """An exact term, and the simple one that it comes close to when *large* grow together."""

    exact: Term
    simple: Term
    _: KW_ONLY
    large: tuple[Unknown, ...]
    unit: str
    title: str
    says: str
    source: Source
    formerly: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _refuse_all_but_terms(self.title, self.exact, self.simple)


@dataclass(frozen=True, eq=False)
class Crossing:
    """A relation that is solved for one of its unknowns, where both sides are equal."""

    relation: Relation
    unknown: Unknown
    _: KW_ONLY
    title: str
    says: str
    source: Source
    formerly: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _refuse_all_but_relations(self.title, self.relation)


@dataclass(frozen=True, eq=False, repr=False)
class Formula(_Called, Quantity):
    """
    A quantity that follows from others.

    The body keeps the order in which it was written. Where *assuming* does not hold, the
    formula has no value. *solves* names the crossing whose unknown it is.

    Called with values by name, it gives its own: ``memory_time(bytes=…, bandwidth=…)``. See
    `language.calling`.
    """

    body: Term
    _: KW_ONLY
    symbol: str
    unit: str
    title: str
    says: str
    source: Source
    show: Shown
    also: Shown | None = None
    assuming: tuple[Premise, ...] = ()
    solves: Crossing | None = None
    formerly: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _refuse_all_but_terms(self.title, self.body)
        _refuse_all_but_relations(self.title, *map(relation_of, self.assuming))

    @property
    def expr(self) -> sympy.Expr:
        """The sympy expression of the body, down to the quantities that it names."""
        from derivations.language.meaning import meaning

        return meaning(self.body)

    def expression(self) -> Any:
        """Give the sympy expression down to the givens, for proofs, derivatives and solving."""
        from derivations.language.meaning import meaning_in_givens

        return meaning_in_givens(self.body)


@dataclass(frozen=True, eq=False)
class Derivation:
    """
    The steps that lead to a formula, each equal to the one before.

    The last step equals the formula wherever *under* holds.
    """

    of: Formula
    steps: tuple[Term, ...]
    _: KW_ONLY
    title: str
    says: str
    source: Source
    under: tuple[Premise, ...] = ()
    formerly: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.steps:
            raise NotATerm(f"{self.title!r} has no steps; write the terms that lead there")
        _refuse_all_but_terms(self.title, *self.steps)
        _refuse_all_but_relations(self.title, *map(relation_of, self.under))


Statement: TypeAlias = Claim | Approximation | Crossing | Derivation

SYMBOL = re.compile(r"[A-Za-z]+(?:_[A-Za-z0-9]+)?")
"""A letter or a word, and a subscript: ``B``, ``ISL``, ``t_step``."""


def relation_of(premise: Premise) -> Relation:
    """Give the relation of a premise, named or not."""
    return premise.relation if isinstance(premise, Condition) else premise
