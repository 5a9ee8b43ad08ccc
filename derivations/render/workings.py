"""Worked lines: a tree with its numbers, and as many digits as its own result needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from typing import Any

from msgspec import structs

from derivations.catalogue import Datum
from derivations.configure import Configuration
from derivations.evaluate import NoValue, Worksheet, evaluate
from derivations.evaluate.program import for_term
from derivations.language.algebra import (
    Choice,
    Exact,
    Number,
    Quantity,
    Relation,
    Term,
    leaves,
    nodes,
    parts,
    read,
)
from derivations.language.declare import Bridge, Derivation, Formula, Given, Shown
from derivations.language.notation.plain import Plain
from derivations.language.notation.writing import ATOM, LOOSE, POWER, Written
from derivations.language.units import dimensions, factor
from derivations.render.labels import label
from derivations.render.numbers import Number as Digits
from derivations.render.numbers import exact, shown

MOST_MORE = 17
"""No float has more significant digits."""


@dataclass(frozen=True)
class Figure:
    """A number on a page: of which quantity, its digits, and the unit after them (or nothing)."""

    quantity: Quantity | None
    digits: str
    unit: str = ""

    @property
    def text(self) -> str:
        """The digits and the unit."""
        return f"{self.digits} {self.unit}" if self.unit else self.digits

    def __str__(self) -> str:
        return self.text


Write = Callable[[Figure], str]


@dataclass(frozen=True)
class InNumbers:
    """A tree with its numbers: ``64 ≤ 295``."""

    term: Term | Relation
    operands: dict[Quantity, Figure]

    def left(self, write: Write = lambda figure: figure.text) -> str:
        """Write the tree, each figure in a way of one's own."""
        left = _written(self.term, self.operands, write)
        return f"({left})" if isinstance(self.term, Choice) else left

    def text(self, write: Write = lambda figure: figure.text) -> str:
        """Write the whole of it."""
        return self.left(write)

    @property
    def structure(self) -> tuple[Any, ...]:
        """What two of the same tree have in common if they differ in nothing but numbers."""
        return tuple(map(_strength, self.operands.values()))


@dataclass(frozen=True)
class Line(InNumbers):
    """
    One worked line: ``8.61E10 ÷ 6.70E12 = 12.85 ms``.

    Redone with the digits that it prints, it gives the result that it prints.
    """

    result: Figure
    also: Figure | None = None
    because: str = ""
    """Which branch of each choice was taken, and why."""

    @property
    def trivial(self) -> bool:
        """Whether the term is a single quantity, so that the result says it all."""
        return isinstance(self.term, Quantity | Number)

    @property
    def structure(self) -> tuple[Any, ...]:
        """What two lines of the same formula have in common if only their numbers differ."""
        return (*super().structure, self.also is None, not self.because)

    def text(self, write: Write = lambda figure: figure.text) -> str:
        """Write the whole line."""
        left = "" if self.trivial else f"{self.left(write)} = "
        also = f" ≈ {write(self.also)}" if self.also else ""
        because = f" ({self.because})" if self.because else ""
        return f"{left}{write(self.result)}{also}{because}"


def _written(node: Term | Relation, figures: dict[Quantity, Figure], write: Write) -> str:
    def leaf(quantity: Quantity) -> Written:
        figure = figures[quantity]
        return Written(write(figure), _strength(figure))

    return Plain(leaf).write(node)


def _strength(figure: Figure) -> int:
    """Tell how strongly the digits hold together, so that −5 and 1.64E5 get their brackets."""
    if figure.digits.startswith("−"):
        return LOOSE
    return POWER if "E" in figure.digits or figure.unit else ATOM


class Workings:
    """The worked lines of one worksheet, each found once."""

    def __init__(self, sheet: Worksheet) -> None:
        self.sheet = sheet
        self._lines: dict[Formula, Line] = {}
        self._steps: dict[Derivation, tuple[Line, ...]] = {}

    @cached_property
    def data(self) -> dict[Given, Datum]:
        """The datum behind every given that is a fact."""
        return self.sheet.data()

    def line(self, formula: Formula) -> Line:
        """Give the worked line of a formula. Raises `NoValue` where it has no value."""
        if formula not in self._lines:
            value = exact(self.sheet.value(formula))
            self._lines[formula] = self._work(
                formula, formula.body, value, formula.show, formula.also
            )
        return self._lines[formula]

    def steps(self, derivation: Derivation) -> tuple[Line, ...]:
        """Give the worked line of each step of a derivation. May raise `NoValue`."""
        if derivation not in self._steps:
            self._steps[derivation] = tuple(
                self._work(None, step, read(step, Exact(self._value)), derivation.of.show, None)
                for step in derivation.steps
            )
        return self._steps[derivation]

    def sides(self, relation: Relation) -> InNumbers:
        """
        Give a relation with the numbers of both sides: ``64 ≤ 295``.

        They have the digits that it takes to see whether it holds: ``296 ≤ 295.6`` does not.
        """
        shows = (each.show for each in leaves(relation) if isinstance(each, Given | Formula))
        operands = _Operands(relation, next(shows, Shown("1")), self._value)
        digits = operands.enough_to_decide() or operands.all_digits()
        return InNumbers(
            relation, {each: Figure(each, found.text) for each, found in digits.items()}
        )

    def has_value(self, entry: Formula | Derivation) -> bool:
        """Tell whether a formula, or every step of a derivation, has a value."""
        if isinstance(entry, Formula):
            return self.sheet.has_value(entry)
        try:
            self.steps(entry)
        except NoValue:
            return False
        return True

    def apart(self, quantity: Formula | Given, other: Quantity) -> str:
        """Give the digits that it takes to tell a quantity from another one."""
        value, border = self._value(quantity), self._value(other)
        for more in range(MOST_MORE + 1):
            digits = shown(value, quantity.show, more)
            if _sign(digits.value - border) == _sign(value - border):
                break
        return digits.text

    def figure(self, quantity: Quantity) -> Figure:
        """Give a quantity with its result's digits and unit. Raises `NoValue`."""
        if isinstance(quantity, Formula):
            return self.line(quantity).result
        if isinstance(quantity, Given):
            digits = shown(self._value(quantity), quantity.show)
            return Figure(quantity, digits.text, _unit(digits, quantity.show))
        return Figure(quantity, str(int(self.sheet.value(quantity))))

    def _value(self, quantity: Quantity) -> Fraction:
        return exact(self.sheet.value(quantity))

    def _work(
        self,
        quantity: Quantity | None,
        term: Term,
        value: Fraction,
        show: Shown,
        also: Shown | None,
    ) -> Line:
        operands = _Operands(term, show, self._value)
        more_of_result = 0
        second = shown(value, also) if also else None
        while True:
            result = shown(value, show, more_of_result)
            if also is None or second is None or shown(result.value, also).text == second.text:
                break
            more_of_result += 1
        found = operands.enough_for(result.text, more_of_result)
        if found is None:
            # Even all digits of the operands give another last digit: print what they give.
            found = operands.all_digits()
            result = shown(operands.result(found), show, more_of_result)
            second = shown(result.value, also) if also else None
        figures = {
            each: Figure(each, digits.text, operands.unit(each)) for each, digits in found.items()
        }
        return Line(
            term,
            figures,
            Figure(quantity, result.text, _unit(result, show)),
            Figure(quantity, second.text, _unit(second, also)) if second and also else None,
            "; ".join(
                f"{_written(relation, figures, lambda figure: figure.text)} "
                f"{'holds' if holds else 'does not hold'}"
                for relation, holds in operands.decided(found)
            ),
        )


def _sign(difference: Fraction) -> int:
    return int(difference > 0) - int(difference < 0)


def _unit(digits: Digits, show: Shown) -> str:
    return label(show.unit, one=digits.text == "1")


def _printed(quantity: Quantity) -> bool:
    return not isinstance(quantity, Bridge)


@lru_cache(maxsize=32)
def workings_of(chosen: Configuration) -> Workings:
    """Give the workings of a configuration, which a page and its host both need."""
    return Workings(evaluate(**structs.asdict(chosen)))


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


class _Operands:
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
