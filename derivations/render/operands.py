"""The operands of a line, and the fewest digits with which it gives its result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

from derivations.evaluate.program import for_term
from derivations.language.algebra import (
    Choice,
    Exact,
    Quantity,
    Relation,
    Term,
    leaves,
    nodes,
    parts,
    read,
)
from derivations.language.declare import Bridge, Formula, Given, Shown
from derivations.language.units import dimensions, factor
from derivations.render.labels import label
from derivations.render.numbers import Number as Digits
from derivations.render.numbers import shown

MOST_MORE = 17
"""No float has more significant digits."""


def _printed(quantity: Quantity) -> bool:
    return not isinstance(quantity, Bridge)


@dataclass(frozen=True)
class _Plan:
    """What is so in every configuration: how each operand of a line is shown."""

    shows: dict[Quantity, Shown]
    units: dict[Quantity, str]
    choices: bool
    takes: tuple[Quantity, ...]
    redo: Callable[..., Any]
    """Works the tree out exactly, from the values of what it takes."""


@cache
def _plan(term: Term | Relation, show: Shown) -> _Plan:
    shows = {each: _operand_show(each, show) for each in leaves(term) if _printed(each)}
    units = {}
    for each, chosen in shows.items():
        own = getattr(each, "show", None)
        other = dimensions(each.unit) != dimensions(show.unit)
        differs = own is not None and chosen.unit != own.unit and other
        units[each] = label(chosen.unit) if differs else ""
    choices = any(isinstance(each, Choice) for each in nodes(term))
    return _Plan(shows, units, choices, *for_term(term))


def _operand_show(quantity: Quantity, show: Shown) -> Shown:
    """Choose the unit of an operand: the result's where both measure the same."""
    match quantity:
        case Given(show=own) | Formula(show=own):
            pass
        case _:
            return Shown("1", decimals=0)
    if dimensions(quantity.unit) == dimensions(show.unit):
        return replace(own, unit=show.unit)
    return own if factor(own.unit) == 1 else replace(own, unit=quantity.unit)


def operand_shows(term: Term | Relation, show: Shown) -> dict[Quantity, tuple[Shown, str]]:
    """Give how each operand of a line is shown, and the unit to print with it, if any."""
    plan = _plan(term, show)
    return {each: (own, plan.units[each]) for each, own in plan.shows.items()}


class Operands:
    """The operands of one line, and the search for the fewest digits that give its result."""

    def __init__(
        self, term: Term | Relation, show: Shown, value: Callable[[Quantity], Fraction]
    ) -> None:
        self._term = term
        self._show = show
        self._plan = _plan(term, show)
        self._values = {each: value(each) for each in self._plan.shows}

    def unit(self, quantity: Quantity) -> str:
        """Give the unit to print with an operand: only where the reader would guess another."""
        return self._plan.units[quantity]

    def digits(self, more: dict[Quantity, int]) -> dict[Quantity, Digits]:
        return {
            each: shown(value, self._plan.shows[each], more[each])
            for each, value in self._values.items()
        }

    def all_digits(self) -> dict[Quantity, Digits]:
        found = {}
        for each, value in self._values.items():
            for more in range(MOST_MORE + 1):
                digits = self.digits({**dict.fromkeys(self._values, 0), each: more})[each]
                if digits.value == value:
                    break
            # Times in ms may need a digit more than any float: they are shown to 17.
            found[each] = digits
        return found

    def result(self, digits: dict[Quantity, Digits]) -> Any:
        """Redo the line with the printed digits, exactly: a value, or whether a relation holds."""
        return self._plan.redo(*(digits[each].value for each in self._plan.takes))

    def decided(self, digits: dict[Quantity, Digits]) -> list[tuple[Relation, bool]]:
        """Give the condition of each choice that is made, with the printed digits."""
        return list(_decided(self._term, {each: found.value for each, found in digits.items()}))

    def enough_for(self, wanted: str, more_of_result: int) -> dict[Quantity, Digits] | None:
        """Give the fewest digits with which the line gives the wanted text, or None."""
        return self._fewest(lambda value: shown(value, self._show, more_of_result).text == wanted)

    def enough_to_decide(self) -> dict[Quantity, Digits] | None:
        """Give the fewest digits with which a relation holds exactly if it does, or None."""
        truth = read(self._term, Exact(_leaf(self._values)))
        return self._fewest(lambda holds: holds == truth)

    def _fewest(self, right: Callable[[Any], bool]) -> dict[Quantity, Digits] | None:
        choices = self._plan.choices and list(_decided(self._term, self._values))

        def gives(more: dict[Quantity, int]) -> bool:
            digits = self.digits(more)
            try:
                if not right(self.result(digits)):
                    return False
                return not self._plan.choices or self.decided(digits) == choices
            except ZeroDivisionError:
                return False

        for extra in range(MOST_MORE + 1):
            more = dict.fromkeys(self._values, extra)
            if gives(more):
                break
        else:
            return None
        for each in more:
            for fewer in range(more[each]):
                if gives({**more, each: fewer}):
                    more[each] = fewer
                    break
        return self.digits(more)


def _leaf(values: Mapping[Quantity, Fraction]) -> Callable[[Quantity], Fraction]:
    return lambda quantity: values[quantity] if _printed(quantity) else Fraction(1)


def _decided(
    node: Term | Relation, values: Mapping[Quantity, Fraction]
) -> Iterator[tuple[Relation, bool]]:
    """Give the condition of each choice that is made in a tree, and whether it holds."""
    if not isinstance(node, Choice):
        for part in parts(node):
            yield from _decided(part, values)
        return
    holds = bool(read(node.condition, Exact(_leaf(values))))
    yield node.condition, holds
    yield from _decided(node.condition, values)
    yield from _decided(node.then if holds else node.otherwise, values)
