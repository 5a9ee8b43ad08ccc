"""The things that a section of the book declares: quantities, claims, and where they come from."""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass
from datetime import date
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias

from derivations.language.algebra import NotATerm, Quantity, Relation, Term

if TYPE_CHECKING:
    import inspect

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


@dataclass(frozen=True, eq=False, kw_only=True)
class Given(Quantity):
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


@dataclass(frozen=True, eq=False)
class Condition:
    """A relation with a name, which holds in some configurations and not in others."""

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


class _Told:
    """The docstring of a class, and for each of its formulas one of its own."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __get__(self, formula: Formula | None, kind: type) -> str:
        if formula is None:
            return self._text
        from derivations.language.calling import described

        return described(formula)


@dataclass(frozen=True, eq=False)
class Formula(Quantity):
    __doc__ = _Told(
        """
        A quantity that follows from others.

        The body keeps the order in which it was written. Where *assuming* does not hold, the
        formula has no value. *solves* names the crossing whose unknown it is.

        It can be called, with values by the symbols of what it is made of:
        ``decode.memory_time(Q=8.6e10, W=6.7e12)``.
        """
    )

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

    def __call__(self, *positional: Any, **values: Any) -> Any:
        """
        Work it out from values by the symbols of what it is made of, or of what those are made of.

        Floats give a float, arrays an array of float64, pint quantities a pint quantity. Raises
        `TypeError` for names, `UnitError` for units, `NoValue` where a premise does not hold.
        """
        from derivations.language.calling import called

        return called(self, positional, values)

    @property
    def __signature__(self) -> inspect.Signature:
        """The names that a call takes, each with its unit."""
        from derivations.language.calling import signature

        return signature(self)

    def _repr_latex_(self) -> str:
        """Show it in a notebook, as LaTeX."""
        from derivations.language.notation.latex import latex, latex_symbol

        return rf"$\displaystyle {latex_symbol(self.symbol)} = {latex(self.body)}$"

    def _repr_html_(self) -> str:
        """Show it in a notebook: what it is, the formula, its unit, its reason, its source."""
        from derivations.language.notation.mathml import mathml, mathml_symbol

        def named(quantity: Quantity) -> str:
            return quantity.symbol

        body = mathml(self.body, named)
        formula = f"{mathml_symbol(self, self.symbol)}<mo>=</mo>{body}"
        work = self.source.work
        return (
            f"<div><strong>{escape(self.title)}</strong>, in {escape(self.unit)}"
            f'<p><math display="block"><mrow>{formula}</mrow></math></p>'
            f"<p>{escape(self.says)}</p>"
            f'<p>Source: <a href="{escape(work.url)}">{escape(work.title)}</a>, '
            f"{escape(self.source.place)}</p></div>"
        )

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
