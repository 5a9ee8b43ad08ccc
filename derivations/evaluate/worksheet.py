"""The worksheet: every value of one configuration, and where each comes from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from derivations.book import BOOK
from derivations.catalogue import Datum
from derivations.configure import (
    Configuration,
    allowed,
    configuration,
    data,
    numbers,
    override,
    recount,
)
from derivations.evaluate.program import for_floats, given_order, outputs
from derivations.language.contents import Entry, UnknownName
from derivations.language.declare import (
    Bridge,
    Condition,
    Constant,
    Formula,
    Given,
    relation_of,
)
from derivations.language.notation.plain import symbols

if TYPE_CHECKING:
    import pint

_GIVENS = given_order(BOOK)
_OUTPUTS = tuple(BOOK.entries[each] for each in outputs(BOOK))
_PLACES = {given: place for place, given in enumerate(_GIVENS)}
_RESULTS = {entry: place for place, entry in enumerate(_OUTPUTS)}


class NoValue(ArithmeticError):
    """A formula has no value in this configuration, because a premise of it does not hold."""


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

    __slots__ = ("_givens", "_values", "chosen", "overridden")

    def __init__(
        self,
        chosen: Configuration,
        givens: tuple[float, ...],
        overridden: frozenset[Given] = frozenset(),
    ) -> None:
        self.chosen = chosen
        self.overridden = overridden
        self._givens = givens
        self._values = _program()(*givens)

    def value(self, entry: Entry | str) -> float:
        """
        Give the value of a quantity, in base units.

        Raises `NoValue` where a premise of it does not hold, and `UnknownName`.
        """
        thing = BOOK[entry] if isinstance(entry, str) else entry
        place = _RESULTS.get(thing)
        if place is not None:
            value = float(self._values[place])
            if math.isnan(value) and isinstance(thing, Formula):
                raise NoValue(self._without_value(thing))
            return value
        match thing:
            case Given():
                return self._givens[_PLACES[thing]]
            case Constant(value):
                return float(value)
            case Bridge():
                return 1.0
        raise UnknownName(f"{BOOK.id_of(thing)} is a statement or an unknown; it has no value")

    def has_value(self, formula: Formula) -> bool:
        """Tell whether the premises of a formula hold, so that it has a value."""
        return not math.isnan(self._values[_RESULTS[formula]])

    def holds(self, condition: Condition) -> bool:
        """Tell whether a condition holds in this configuration."""
        return bool(self._values[_RESULTS[condition]])

    def _without_value(self, formula: Formula) -> str:
        broken = next(
            each
            for each in formula.assuming
            if not isinstance(each, Condition) or not self.holds(each)
        )
        reason = f": {broken.otherwise}" if isinstance(broken, Condition) else ""
        relation = symbols(relation_of(broken))
        return f"{BOOK.id_of(formula)} has no value here, because {relation} does not hold{reason}"

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
        """Give the ids of all givens, and of all formulas that have a value here."""
        yield from BOOK.givens
        yield from (name for name, each in BOOK.formulas.items() if self.has_value(each))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, identity: object) -> bool:
        return identity in set(self)

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
        return {given: datum for given, datum in found.items() if given not in self.overridden}


def evaluate(*, givens: Mapping[str, float] | None = None, **choices: Any) -> Worksheet:
    """
    Give the worksheet of the default configuration with some choices changed.

    The choices are those of `Configuration`: ``evaluate(accelerator="b200", concurrency=128)``.
    *givens* sets givens by id, in base units, in place of the facts:
    ``evaluate(givens={"model.parameters": 13e9})``. Raises `ChoiceError`.
    """
    chosen = configuration(**choices)
    found = numbers(chosen)
    if not givens:
        return Worksheet(chosen, tuple([found[each] for each in _GIVENS]))
    replaced = {override(name): value for name, value in givens.items()}
    for given, value in replaced.items():
        found[given] = allowed(given, value)
    recount(chosen, found, replaced)
    values = tuple([found[each] for each in _GIVENS])
    return Worksheet(chosen, values, frozenset(replaced))
