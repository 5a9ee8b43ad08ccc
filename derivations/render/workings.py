"""Worked lines: a tree with its numbers, and as many digits as its own result needs."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property, lru_cache

from msgspec import structs

from derivations.catalogue import Datum
from derivations.configure import Configuration
from derivations.evaluate import NoValue, Worksheet, by_engine, evaluate
from derivations.language.algebra import (
    Exact,
    Quantity,
    Relation,
    Term,
    leaves,
    read,
)
from derivations.language.declare import Derivation, Formula, Given, Shown
from derivations.render.labels import label
from derivations.render.lines import Figure, InNumbers, Line
from derivations.render.numbers import Number as Digits
from derivations.render.numbers import exact, shown
from derivations.render.operands import MOST_MORE, Operands


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

    @cached_property
    def results(self) -> tuple[Workings, ...]:
        """The workings against each measured result, these ones first where there is any."""
        if self.sheet.result is None:
            return ()
        return self, *map(Workings, by_engine(self.sheet.chosen)[1:])

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
        operands = Operands(relation, show_of_sides(relation), self._value)
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
        operands = Operands(term, show, self._value)
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
                f"{InNumbers(relation, figures).text()} {'holds' if holds else 'does not hold'}"
                for relation, holds in operands.decided(found)
            ),
        )


def show_of_sides(relation: Relation) -> Shown:
    """Give how the sides of a relation are shown: as the first of its quantities is."""
    shows = (each.show for each in leaves(relation) if isinstance(each, Given | Formula))
    return next(shows, Shown("1"))


def _sign(difference: Fraction) -> int:
    return int(difference > 0) - int(difference < 0)


def _unit(digits: Digits, show: Shown) -> str:
    return label(show.unit, one=digits.text == "1")


@lru_cache(maxsize=32)
def workings_of(chosen: Configuration) -> Workings:
    """Give the workings of a configuration, which a page and its host both need."""
    return Workings(evaluate(**structs.asdict(chosen)))
