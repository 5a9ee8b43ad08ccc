"""Whether the units of a tree fit together, on the authored tree, where nothing has cancelled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from derivations.check.fault import Fault
from derivations.language.algebra import (
    Call,
    Choice,
    Negation,
    Number,
    Operation,
    Quantity,
    Relation,
    Term,
)
from derivations.language.contents import Book, Entry
from derivations.language.declare import (
    Approximation,
    Bridge,
    Claim,
    Condition,
    Crossing,
    Derivation,
    Equivalence,
    Formula,
    Given,
    Shown,
    Unknown,
    relation_of,
)
from derivations.language.notation.plain import Plain, symbols
from derivations.language.notation.writing import Written
from derivations.language.units import UnitError, factor, registry, spelled, unit

Name = Callable[[Term], str]

ZERO = None
"""The unit of a bare zero, which fits every unit."""


class Misfit(ValueError):
    """Two terms whose units do not fit together."""


def unit_faults(book: Book, identity: str, entry: Entry) -> Iterator[Fault]:
    """Give what is wrong with the units of an entry."""
    try:
        for message in _messages(entry, lambda term: _named(book, term)):
            yield Fault(identity, message)
    except (Misfit, UnitError) as problem:
        yield Fault(identity, str(problem))


def _messages(entry: Entry, name: Name) -> Iterator[str]:
    match entry:
        case Given() | Formula():
            yield from _declared(entry.unit)
            yield from _shown(entry.unit, entry.show)
        case Quantity():
            yield from _declared(entry.unit)
    match entry:
        case Formula():
            if entry.also is not None:
                yield from _shown(entry.unit, entry.also)
            yield from _comes_out(entry.body, entry.unit, name)
            for premise in entry.assuming:
                relation_unit(relation_of(premise), name)
            if entry.solves is not None:
                yield from _solved(entry, entry.solves.unknown)
        case Condition() | Crossing():
            relation_unit(entry.relation, name)
        case Claim():
            statement = entry.statement
            sides = (
                (statement.left, statement.right)
                if isinstance(statement, Equivalence)
                else (statement,)
            )
            for relation in (*sides, *map(relation_of, entry.under)):
                relation_unit(relation, name)
        case Approximation():
            yield from _comes_out(entry.exact, entry.unit, name)
            yield from _comes_out(entry.simple, entry.unit, name)
        case Derivation():
            for step in entry.steps:
                yield from _comes_out(step, entry.of.unit, name)
            for premise in entry.under:
                relation_unit(relation_of(premise), name)


def _declared(text: str) -> Iterator[str]:
    if factor(text) != 1:
        yield (
            f"it is declared in {text}, which is no base unit; declare it in "
            f"{spelled(unit(text))}, and show it as you like (show=)"
        )


def _shown(declared: str, show: Shown) -> Iterator[str]:
    if unit(show.unit).dimensionality != unit(declared).dimensionality:
        yield f"it is in {declared}, but shown in {show.unit}"


def _solved(formula: Formula, unknown: Unknown) -> Iterator[str]:
    if unit(formula.unit).dimensionality != unit(unknown.unit).dimensionality:
        yield (
            f"it is in {formula.unit}, but {unknown.symbol}, for which it solves, is in "
            f"{unknown.unit}"
        )


def _comes_out(body: Term, declared: str, name: Name) -> Iterator[str]:
    found = unit_of(body, name)
    if found is ZERO:
        return
    missing = unit(declared) / found
    if missing.dimensionality:
        yield (
            f"{name(body)} comes out {_as(found)}, not {_as(unit(declared), declared)}; "
            f"a factor of {spelled(missing)} is missing"
        )


def relation_unit(relation: Relation, name: Name) -> None:
    """Raise `Misfit` where the sides of a relation do not compare."""
    _same((relation.left, relation.right), name)


def unit_of(node: Term, name: Name) -> Any:
    """
    Give pint's unit of a term, or `ZERO`, which fits every unit.

    Raises `Misfit` with both sides, in the reader's notation.
    """
    match node:
        case Number(value):
            return ZERO if value == 0 else registry().dimensionless
        case Quantity():
            return unit(node.unit)
        case Negation(inner):
            return unit_of(inner, name)
        case Operation("*", left, right):
            return _or_pure(unit_of(left, name)) * _or_pure(unit_of(right, name))
        case Operation("/", left, right):
            if isinstance(right, Number) and right.value == 0:
                raise Misfit(f"{symbols(node)} divides by zero")
            return _or_pure(unit_of(left, name)) / _or_pure(unit_of(right, name))
        case Operation("^", left, right):
            return _power(left, right, name)
        case Operation(_, left, right):
            return _same((left, right), name)
        case Choice(condition, then, otherwise):
            relation_unit(condition, name)
            return _same((then, otherwise), name)
        case Call(function, arguments):
            if function.unit == "same":
                return _same(arguments, name)
            (argument,) = arguments
            found = _or_pure(unit_of(argument, name))
            if function.unit == "root":
                return found**0.5
            if found.dimensionality:
                raise Misfit(
                    f"{name(argument)} {_is(found)}, but {function.name} takes a pure number only"
                )
            return registry().dimensionless
    raise Misfit(f"{node!r} has no unit")


def _or_pure(found: Any) -> Any:
    return registry().dimensionless if found is ZERO else found


def _power(base: Term, exponent: Term, name: Name) -> Any:
    of_exponent = _or_pure(unit_of(exponent, name))
    if of_exponent.dimensionality:
        raise Misfit(
            f"the exponent {name(exponent)} {_is(of_exponent)}; an exponent has to be a pure number"
        )
    of_base = _or_pure(unit_of(base, name))
    if not of_base.dimensionality:
        return of_base
    match exponent:
        case Number(value):
            return of_base**value
        case Negation(Number(value)):
            return of_base**-value
    raise Misfit(
        f"{name(base)} {_is(of_base)}, so its exponent has to be a whole number, "
        f"not {name(exponent)}"
    )


def _same(terms: tuple[Term, ...], name: Name) -> Any:
    known = [(term, unit_of(term, name)) for term in terms]
    fixed = [(term, found) for term, found in known if found is not ZERO]
    if not fixed:
        return ZERO
    first, expected = fixed[0]
    for term, found in fixed[1:]:
        if found.dimensionality != expected.dimensionality:
            bare = any(isinstance(each, Number) for each in (first, term))
            hint = "; a number with a unit is a Constant, only 0 fits every unit" if bare else ""
            raise Misfit(f"{name(first)} {_is(expected)}, but {name(term)} {_is(found)}{hint}")
    return expected


def _is(found: Any) -> str:
    return f"is in {spelled(found)}" if found.dimensionality else "is a pure number"


def _as(found: Any, declared: str = "") -> str:
    return f"in {declared or spelled(found)}" if found.dimensionality else "as a pure number"


class _Aloud(Plain):
    """Plain text in which bridges are written, too: without them, units do not add up."""

    def quantity(self, quantity: Quantity) -> Written:
        return self.leaf(quantity) if isinstance(quantity, Bridge) else super().quantity(quantity)


def _named(book: Book, term: Term) -> str:
    """Name a quantity by its id in the book, and anything longer by its symbols and bridges."""

    def leaf(quantity: Quantity) -> Written:
        if quantity in book and (quantity is term or isinstance(quantity, Bridge)):
            return Written(book.id_of(quantity))
        return Written(quantity.symbol or repr(getattr(quantity, "title", quantity)))

    return _Aloud(leaf).write(term)
