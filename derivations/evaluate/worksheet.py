"""The worksheet: every value of one configuration, and where each comes from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from derivations.book import BOOK
from derivations.catalogue import Datum, Result
from derivations.configure import (
    LACKING,
    Configuration,
    allowed,
    configuration,
    data,
    figures_of,
    numbers,
    override,
    recount,
    refuse_parts,
    results_for,
)
from derivations.evaluate.program import for_floats, given_order, outputs
from derivations.language.calling import NoValue, without_value
from derivations.language.contents import Entry, UnknownName
from derivations.language.declare import (
    Bridge,
    Condition,
    Constant,
    Formula,
    Given,
)
from derivations.language.later import LATER

if TYPE_CHECKING:
    import pint

_GIVENS = given_order(BOOK)
_OUTPUTS = tuple(BOOK.entries[each] for each in outputs(BOOK))
_PLACES = {given: place for place, given in enumerate(_GIVENS)}
_RESULTS = {entry: place for place, entry in enumerate(_OUTPUTS)}


class NoQuantity(UnknownName, KeyError):
    """A worksheet was asked for what is no quantity with a value and a unit."""

    __str__ = UnknownName.__str__


@cache
def _program() -> Any:
    return for_floats(BOOK)


class Worksheet(Mapping[str, "pint.Quantity[float]"]):
    """
    Every value of one configuration.

    As a mapping it gives pint quantities by id, in base units: ``sheet["decode.step_time"]``.
    `value` gives plain floats. Values are float64. What has no value here is not in the mapping,
    and asking for it raises `NoValue`.
    """

    __slots__ = ("_givens", "_place", "_values", "chosen", "overridden")

    def __init__(
        self,
        chosen: Configuration,
        givens: tuple[float, ...],
        overridden: frozenset[Given] = frozenset(),
        place: int = 0,
    ) -> None:
        self.chosen = chosen
        self.overridden = overridden
        self._givens = givens
        self._place = place
        self._values = _program()(*givens)

    def value(self, entry: Entry | str) -> float:
        """
        Give the value of a quantity, in base units.

        Raises `NoValue` where a premise of it does not hold or the configuration lacks it, and
        `UnknownName`.
        """
        thing = BOOK[entry] if isinstance(entry, str) else entry
        place = _RESULTS.get(thing)
        if place is not None:
            value = float(self._values[place])
            if math.isnan(value) and isinstance(thing, Formula):
                raise self._without_value(thing)
            return value
        match thing:
            case Given():
                value = self._givens[_PLACES[thing]]
                if math.isnan(value):
                    raise NoValue(f"{BOOK.id_of(thing)} has no value here, because {thing.lacking}")
                return value
            case Constant(value):
                return float(value)
            case Bridge():
                return 1.0
        raise UnknownName(f"{BOOK.id_of(thing)} is a statement or an unknown; it has no value")

    def has_value(self, quantity: Formula | Given) -> bool:
        """Tell whether the premises of a formula hold, or a given is there: it has a value."""
        if isinstance(quantity, Given):
            return not math.isnan(self._givens[_PLACES[quantity]])
        return not math.isnan(self._values[_RESULTS[quantity]])

    def holds(self, condition: Condition) -> bool:
        """Tell whether a condition holds in this configuration."""
        return bool(self._values[_RESULTS[condition]])

    def _without_value(self, formula: Formula) -> NoValue:
        broken = next(
            each
            for each in formula.assuming
            if not isinstance(each, Condition) or not self.holds(each)
        )
        return without_value(BOOK.id_of(formula), broken)

    def __getitem__(self, identity: str) -> pint.Quantity[float]:
        from derivations.language.units import registry, unit

        try:
            entry = BOOK[identity]
        except UnknownName as problem:
            raise NoQuantity(str(problem)) from None
        if not isinstance(entry, Formula | Given | Constant):
            raise NoQuantity(f"{identity} has no value with a unit of its own")
        quantity: pint.Quantity[float] = registry().Quantity(self.value(entry), unit(entry.unit))
        return quantity

    def __iter__(self) -> Iterator[str]:
        """Give the ids of all givens and formulas that have a value here."""
        yield from (name for name, each in BOOK.givens.items() if self.has_value(each))
        yield from (name for name, each in BOOK.formulas.items() if self.has_value(each))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, identity: object) -> bool:
        return identity in set(self)

    def __repr__(self) -> str:
        chosen = [f"{name}={value!r}" for name, value in self.chosen.resolved().items()]
        givens = {
            name: self._givens[_PLACES[each]]
            for name, each in BOOK.givens.items()
            if each in self.overridden
        }
        return f"Worksheet({', '.join([*chosen, *([f'{givens=}'] if givens else [])])})"

    def _repr_html_(self) -> str:
        """Show every value in a notebook. How is known to a later room."""
        return LATER["Worksheet"](self)

    def data(self) -> dict[Given, Datum]:
        """Give the datum behind every given that is a fact, not a choice or overridden."""
        chosen = self.chosen
        found = data(
            chosen.accelerator,
            chosen.model,
            chosen.precision,
            chosen.kv_precision,
            chosen.arithmetic,
        )
        if self.result is not None:
            found.update(figures_of(self.result))
        return {given: datum for given, datum in found.items() if given not in self.overridden}

    @property
    def result(self) -> Result | None:
        """The measured result that the configuration is held against, if there is one."""
        if self.overridden:
            return None
        found = results_for(self.chosen)
        return found[self._place] if found else None


def evaluate(*, givens: Mapping[str, float] | None = None, **choices: Any) -> Worksheet:
    """
    Give the worksheet of the default configuration with some choices changed.

    The choices are those of `Configuration`: ``evaluate(accelerator="b200", concurrency=128)``.
    *givens* sets givens by id, in base units, in place of the facts:
    ``evaluate(givens={"model.parameters": 13e9})``. What was measured with the facts is then
    left out. Raises `ChoiceError`.
    """
    chosen = configuration(**choices)
    found = numbers(chosen)
    if not givens:
        return Worksheet(chosen, tuple([found[each] for each in _GIVENS]))
    replaced = {override(name): value for name, value in givens.items()}
    refuse_parts(replaced)
    found.update(LACKING)
    for given, value in replaced.items():
        found[given] = allowed(given, value)
    recount(chosen, found, replaced)
    values = tuple([found[each] for each in _GIVENS])
    return Worksheet(chosen, values, frozenset(replaced))


def by_engine(chosen: Configuration) -> tuple[Worksheet, ...]:
    """
    Give a worksheet for each measured result of a configuration, in the order of `results_for`.

    The first holds what `evaluate` gives. Where nothing was measured, there is none.
    """
    found: dict[Given, float] = numbers(chosen)
    sheets = []
    for place, result in enumerate(results_for(chosen)):
        found.update({given: float(datum.value) for given, datum in figures_of(result).items()})
        sheets.append(Worksheet(chosen, tuple([found[each] for each in _GIVENS]), place=place))
    return tuple(sheets)
