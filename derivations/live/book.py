"""The book as an ES module: its values as straight-line code, its worked lines as trees."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from derivations.book import BOOK
from derivations.evaluate.program import javascript_source
from derivations.files import as_json
from derivations.language.algebra import Quantity, Relation, Term
from derivations.language.declare import (
    Condition,
    Derivation,
    Formula,
    Given,
    Shown,
    relation_of,
)
from derivations.language.notation.nested import nested
from derivations.language.notation.plain import symbols
from derivations.language.units import factor
from derivations.render.labels import label
from derivations.render.operands import operand_shows
from derivations.render.workings import show_of_sides


class _Shows:
    """The ways in which numbers are shown, each listed once."""

    def __init__(self) -> None:
        self._places: dict[Shown, int] = {}

    def place(self, show: Shown) -> int:
        return self._places.setdefault(show, len(self._places))

    def listed(self) -> list[list[Any]]:
        return [_shown(each) for each in self._places]


def _shown(show: Shown) -> list[Any]:
    """Give the factor to base units (a fraction), the digits, the decimals, and the labels."""
    scale = factor(show.unit)
    many, one = label(show.unit), label(show.unit, one=True)
    labels = [many] if one == many else [many, one]
    return [scale.numerator, scale.denominator, show.digits, show.decimals, *labels]


def book_module() -> str:
    """
    Give the module: ``program`` from givens to values, and how each worked line is written.

    ``constants`` holds numbers by id. ``shows`` lists how numbers are shown. ``quantities`` gives
    the place in it for each given and formula. ``lines`` has the tree of each formula and condition
    and of each step of a derivation, whose leaves are places in its operands, and the operands:
    id, place in ``shows``, and the unit to print with them, if any. ``premises`` are those of each
    formula that may have no value: a condition, and what is said where it does not hold.
    """
    shows = _Shows()
    lines = {
        **{name: _line(each.body, each.show, each.also, shows) for name, each in _formulas()},
        **{name: _line(each.relation, None, None, shows) for name, each in BOOK.conditions.items()},
        **{
            f"{name} {place}": _line(step, each.of.show, None, shows)
            for name, each in BOOK.statements.items()
            if isinstance(each, Derivation)
            for place, step in enumerate(each.steps)
        },
    }
    shown = {
        name: shows.place(each.show)
        for name, each in BOOK.quantities.items()
        if isinstance(each, Formula | Given)
    }
    parts = {
        "constants": {name: each.value for name, each in BOOK.constants.items()},
        "quantities": shown,
        "lines": lines,
        "premises": {
            name: [_premise(each) for each in formula.assuming]
            for name, formula in _formulas()
            if formula.assuming
        },
        "shows": shows.listed(),
    }
    exported = "".join(f"export const {name} = {as_json(part)};\n" for name, part in parts.items())
    return javascript_source(BOOK) + exported


def _formulas() -> Iterable[tuple[str, Formula]]:
    return BOOK.formulas.items()


def _line(
    tree: Term | Relation, show: Shown | None, also: Shown | None, shows: _Shows
) -> list[Any]:
    chosen = show_of_sides(tree) if show is None and isinstance(tree, Relation) else show
    assert chosen is not None
    operands: dict[Quantity, tuple[Shown, str]] = operand_shows(tree, chosen)
    places = {each: place for place, each in enumerate(operands)}
    listed = [_operand(each, shows.place(own), unit) for each, (own, unit) in operands.items()]
    line = [nested(tree, places.__getitem__), listed, shows.place(chosen)]
    return line if also is None else [*line, shows.place(also)]


def _operand(quantity: Quantity, show: int, unit: str) -> list[Any]:
    name = BOOK.id_of(quantity)
    return [name, show, unit] if unit else [name, show]


def _premise(premise: Relation | Condition) -> list[Any]:
    why = f"{symbols(relation_of(premise))} does not hold"
    if isinstance(premise, Condition):
        return [BOOK.id_of(premise), f"{why}: {premise.otherwise}"]
    return [None, why]
