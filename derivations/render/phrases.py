"""What a page says of a configuration, by name: a number, a name of a data file, a yes or no."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from jinja2 import TemplateRuntimeError

from derivations.book import BOOK, machine, model
from derivations.catalogue import Fact, Result, fact
from derivations.catalogue.facts import Amount
from derivations.configure import nearest
from derivations.evaluate import NoValue
from derivations.language.algebra import Quantity
from derivations.language.contents import Entry
from derivations.language.declare import Condition, Derivation, Formula, Given
from derivations.render.labels import in_words
from derivations.render.lines import InNumbers, Line
from derivations.render.popover import day
from derivations.render.workings import Workings

Said = TypeVar("Said", bound=Any)


@dataclass(frozen=True)
class Phrase(Generic[Said]):
    """
    Something that a page says, and of what it says it.

    Called on the workings of a configuration, it gives what is said there: a text, a line, or
    whether something is so.
    """

    kind: str
    about: tuple[Entry, ...] = ()
    place: int | None = None

    def __call__(self, workings: Workings) -> Said:
        place = () if self.place is None else (self.place,)
        said: Said = _KINDS[self.kind](workings, *self.about, *place)
        return said

    @property
    def words(self) -> tuple[str, ...]:
        """The phrase as words: its kind, the ids of what it is about, and its place."""
        place = () if self.place is None else (str(self.place),)
        return (self.kind, *map(BOOK.id_of, self.about), *place)


class NoResult(NoValue, TemplateRuntimeError):
    """A page says something of a measured result that the configuration does not have."""


@dataclass(frozen=True)
class OfResult(Phrase[Said]):
    """What a page says of one of the measured results of a configuration, the best first."""

    result: int = 0

    def __call__(self, workings: Workings) -> Said:
        if len(workings.results) <= self.result:
            raise NoResult(f"there is no result {self.result + 1} here; ask for .there")
        return super().__call__(workings.results[self.result])

    @property
    def words(self) -> tuple[str, ...]:
        """The phrase as words, after those that name the result."""
        return ("result", str(self.result), *super().words)


def _figure(workings: Workings, quantity: Quantity) -> str:
    return workings.figure(quantity).text


def _digits(workings: Workings, quantity: Quantity) -> str:
    return workings.figure(quantity).digits


def _apart(workings: Workings, quantity: Formula | Given, other: Quantity) -> str:
    return workings.apart(quantity, other)


def _also(workings: Workings, formula: Formula) -> str:
    figure = workings.line(formula).also
    if figure is None:
        raise LookupError(f"{BOOK.id_of(formula)} declares no second unit")
    return figure.text


def _reason(workings: Workings, formula: Formula) -> str:
    try:
        workings.line(formula)
    except NoValue as problem:
        return str(problem).removeprefix(f"{BOOK.id_of(formula)} ")
    raise LookupError(f"{BOOK.id_of(formula)} has a value")


def _entry(workings: Workings, given: Given) -> Amount:
    found = workings.data.get(given)
    if found is None:
        raise LookupError(f"{BOOK.id_of(given)} is not a fact here, it was chosen")
    return found.entry


def _datum(workings: Workings, given: Given) -> str:
    return in_words(_entry(workings, given).says)


def _quoted(workings: Workings, given: Given) -> str:
    found = _entry(workings, given).quoted
    if not found:
        raise LookupError(f"the source of {BOOK.id_of(given)} quotes no other figure")
    return in_words(found)


def _rate(workings: Workings) -> Amount:
    return _entry(workings, machine.compute_per_accelerator)


def _cache_format(workings: Workings) -> str:
    chosen = workings.sheet.chosen
    return fact("precision", chosen.kv_precision or chosen.precision).name


def _arithmetic(workings: Workings) -> str:
    return str(workings.sheet.chosen.resolved()["arithmetic"]).upper()


def _line(workings: Workings, formula: Formula) -> Line:
    return workings.line(formula)


def _step(workings: Workings, derivation: Derivation, place: int) -> Line:
    return workings.steps(derivation)[place]


def _sides(workings: Workings, condition: Condition) -> InNumbers:
    return workings.sides(condition.relation)


def _holds(workings: Workings, condition: Condition) -> bool:
    return workings.sheet.holds(condition)


def _has_value(workings: Workings, entry: Formula | Derivation) -> bool:
    return workings.has_value(entry)


def _result(workings: Workings) -> Result:
    found = workings.sheet.result
    assert found is not None
    return found


OF_BENCHMARKS: dict[str, Callable[[Fact], str]] = {
    "benchmark": lambda fact: f"{fact.name}, {day(fact.texts['measured'])}",
    "attribution": lambda fact: f"{fact.texts['attribution']}, {fact.texts['licence']}",
    "statistic": lambda fact: str(fact.texts["statistic"]),
    "read": lambda fact: fact.sources[fact.texts["results"]].url,
}
"""What pages say of the benchmark that a result belongs to, by the kind of the phrase."""


def _of_benchmark(said: Callable[[Fact], str]) -> Callable[[Workings], str]:
    return lambda workings: said(_result(workings).benchmark)


def _near(workings: Workings, place: int) -> str:
    found = nearest(workings.sheet.chosen)
    if len(found) <= place:
        raise NoValue("there is no such configuration")
    changes = found[place].items()
    return " ".join(f"--{name.replace('_', '-')} {value}" for name, value in changes)


_KINDS: dict[str, Callable[..., Any]] = {
    "figure": _figure,
    "digits": _digits,
    "apart": _apart,
    "also": _also,
    "reason": _reason,
    "datum": _datum,
    "quoted": _quoted,
    "chip": lambda workings: fact("accelerator", workings.sheet.chosen.accelerator).name,
    "network": lambda workings: fact("model", workings.sheet.chosen.model).name,
    "weights_format": lambda workings: fact("precision", workings.sheet.chosen.precision).name,
    "kv_format": _cache_format,
    "arithmetic": _arithmetic,
    "quoted_as": lambda workings: _rate(workings).quoted_as,
    "derived": lambda workings: _rate(workings).derived,
    "line": _line,
    "step": _step,
    "sides": _sides,
    "holds": _holds,
    "has_value": _has_value,
    "chunked": lambda workings: True,  # a page that stands still shows the newer schedule
    "has_result": lambda workings, place: len(workings.results) > place,
    "engine": lambda workings: _result(workings).engine,
    **{kind: _of_benchmark(said) for kind, said in OF_BENCHMARKS.items()},
    "has_near": lambda workings, place: len(nearest(workings.sheet.chosen)) > place,
    "near": _near,
    "states_its_parameters": lambda workings: model.parameters in workings.data,
    "quotes_another_rate": lambda workings: bool(_rate(workings).quoted),
}
"""Every kind of phrase, and what it says."""
