"""What templates say: of a configuration, of a quantity, of a statement. Every number is a slot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, wraps
from typing import Any, cast
from urllib.parse import urlencode

from jinja2 import (
    TemplateRuntimeError,
)
from markupsafe import Markup

from derivations.book import BOOK
from derivations.catalogue import defaults
from derivations.check import Report
from derivations.configure import MOST_NEAREST, Configuration
from derivations.evaluate import NoValue
from derivations.language.algebra import Quantity, Relation
from derivations.language.contents import Entry, UnknownName
from derivations.language.declare import (
    Approximation,
    Condition,
    Constant,
    Derivation,
    Formula,
    Given,
)
from derivations.language.notation.latex import latex_symbol
from derivations.render.engines import MOST_ENGINES, Engine, Near
from derivations.render.equations import latex_of, premise_of
from derivations.render.findings import Found
from derivations.render.lines import Figure, InNumbers, Line
from derivations.render.phrases import Phrase
from derivations.render.popover import SCHEME
from derivations.render.shape import Tape
from derivations.render.workings import Workings

READING = "reading.md#the-statements"
"""Where the site says what a sample is worth."""


@dataclass(frozen=True)
class Speech:
    """What a template can use: filters, tests and names."""

    filters: dict[str, Callable[..., Any]]
    tests: dict[str, Callable[..., Any]]
    names: dict[str, Any]


def speech_for(tape: Tape, report: Report, depth: int) -> Speech:
    """Give what a template can use, recorded on a tape, at a depth below the site's root."""
    root = "../" * depth
    words = Words(tape, report, root)
    sections = {name: Section(name) for name in _sections()}
    return Speech(
        {name: _placed(name, getattr(words, name)) for name in FILTERS},
        {"holding": words.holding},
        {**sections, "say": Say(tape, the_article=depth == 0), "root": root},
    )


def directive(chosen: Configuration) -> str:
    """
    Write a configuration for the Markdown extension, as a comment that no other host shows.

    Only what differs from the default is written.
    """
    different = {
        name: value
        for name, value in chosen.resolved().items()
        if value != defaults().get(name, chosen.precision)
    }
    return f"<!-- derivations?{urlencode(different)} -->"


@cache
def _sections() -> tuple[str, ...]:
    return tuple(each.__name__.rpartition(".")[2] for each in BOOK.sections)


class Section:
    """What a template finds in a section of the book: ``decode.step_time``."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Entry:
        """Give an entry. Raises `jinja2.TemplateRuntimeError`, with near misses."""
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return BOOK[f"{self._name}.{name}"]
        except UnknownName as problem:
            raise TemplateRuntimeError(str(problem)) from None


class Say:
    """What a template can say of the configuration as a whole, in the words of the data files."""

    def __init__(self, tape: Tape, *, the_article: bool) -> None:
        self._tape = tape
        self.the_article = the_article
        """Whether this is the article itself, at the root of the site."""
        self.results = [Engine(tape, place) for place in range(MOST_ENGINES)]
        """The measured results of the configuration, one for each engine, the best first."""
        self.nearest = [Near(tape, place) for place in range(MOST_NEAREST)]
        """The nearest configurations that were measured."""
        self.findings = Found() if the_article else None
        """What all measured results say together, which is the same on every page."""

    @property
    def live(self) -> bool:
        """Whether a selector beside the page can change its configuration."""
        return self._tape.live

    @property
    def chunked(self) -> Any:
        """Whether the limit on throughput is that with chunked prefill."""
        return self._tape.decide(Phrase("chunked"))

    @property
    def directive(self) -> Markup:
        """The comment that tells the host of the page its configuration."""
        return Markup(self._tape.comment(lambda workings: directive(workings.sheet.chosen)))

    @property
    def chip(self) -> Markup:
        """The name of the accelerator."""
        return self._said("chip")

    @property
    def network(self) -> Markup:
        """The name of the model."""
        return self._said("network")

    @property
    def weights_format(self) -> Markup:
        """The format of the weights."""
        return self._said("weights_format")

    @property
    def kv_format(self) -> Markup:
        """The format of the KV cache."""
        return self._said("kv_format")

    @property
    def arithmetic(self) -> Markup:
        """The type that is computed in."""
        return self._said("arithmetic")

    def chart(self, name: str) -> Markup:
        """A chart of the configuration, by name."""
        from derivations.render.charts import figure

        return Markup(self._tape.decide(lambda workings: figure(name, workings.sheet)))

    @property
    def states_its_parameters(self) -> Any:
        """Whether the file of the model states the parameters, in place of counting them."""
        return self._tape.decide(Phrase("states_its_parameters"))

    @property
    def quotes_another_rate(self) -> Any:
        """Whether the source of the rate quotes another figure than the one that is used."""
        return self._tape.decide(Phrase("quotes_another_rate"))

    @property
    def quoted_as(self) -> Markup:
        """What the quoted rate counts."""
        return self._said("quoted_as")

    @property
    def derived(self) -> Markup:
        """How the rate that is used follows from the quoted one."""
        return self._said("derived")

    def _said(self, kind: str) -> Markup:
        return Markup(self._tape.said(Phrase(kind)))


def _placed(name: str, filter_: Callable[..., Any]) -> Callable[..., Any]:
    """Let a filter fail as a fault of the template, whose line is then known."""

    @wraps(filter_)
    def run(*terms: Any) -> Any:
        try:
            return filter_(*terms)
        except (NoValue, LookupError, AttributeError, TypeError) as problem:
            raise TemplateRuntimeError(f"{name}: {problem}") from problem

    return run


FILTERS = (
    "id", "figure", "also", "digits", "line", "steps", "formula", "relation", "verdict",
    "symbol", "quoted", "datum", "has_value", "reason", "numbers", "apart",
)  # fmt: skip
"""What templates call as filters: methods of `Words`."""


class Words:
    """What a template can say of a quantity or a statement. Each is a filter of that name."""

    def __init__(self, tape: Tape, report: Report, root: str) -> None:
        self._tape = tape
        self._report = report
        self.root = root

    def id(self, entry: Entry) -> Markup:
        """Give the id of an entry."""
        return Markup(BOOK.id_of(entry))

    def holding(self, condition: Condition) -> Any:
        """Tell whether a condition holds in the configuration (as a test: ``is holding``)."""
        return self._tape.decide(Phrase("holds", (condition,)))

    def figure(self, quantity: Quantity) -> Markup:
        """Give the number of a quantity with its unit, leading to what stands behind it."""
        return self._linked("figure", quantity)

    def digits(self, quantity: Quantity) -> Markup:
        """Give the number alone."""
        return self._linked("digits", quantity)

    def apart(self, quantity: Formula | Given, other: Quantity) -> Markup:
        """Give the number alone, with as many digits as it takes to tell it from another one."""
        return self._linked("apart", quantity, other)

    def also(self, formula: Formula) -> Markup:
        """Give the number in its second unit: 13.20 s, where the first is in ms."""
        return self._linked("also", formula)

    def datum(self, given: Given) -> Markup:
        """Give a fact as its source writes it: 3.35 TB/s per GPU."""
        return self._linked("datum", given)

    def quoted(self, given: Given) -> Markup:
        """Give the figure that a source quotes for a fact, where another one is used."""
        return self._linked("quoted", given)

    def line(self, formula: Formula) -> Markup:
        """Give the worked line of a formula."""
        return self._written(Phrase("line", (formula,)))

    def steps(self, derivation: Derivation) -> list[Markup]:
        """Give the worked line of each step of a derivation."""
        return [
            self._written(Phrase("step", (derivation,), place))
            for place in range(len(derivation.steps))
        ]

    def numbers(self, condition: Condition) -> Markup:
        """Give a condition with the numbers of both sides."""
        return self._written(Phrase("sides", (condition,)))

    def has_value(self, entry: Formula | Derivation) -> Any:
        """Tell whether a formula, or every step of a derivation, has a value."""
        return self._tape.decide(Phrase("has_value", (entry,)))

    def reason(self, formula: Formula) -> Markup:
        """Say why a formula has no value: it "has no value here, because ..."."""
        return Markup(self._tape.said(Phrase("reason", (formula,))))

    def formula(self, entry: Entry) -> Markup:
        """Give an entry as LaTeX."""
        return Markup(latex_of(entry))

    def relation(self, premise: Relation | Condition) -> Markup:
        """Give a premise as LaTeX, within a line of text."""
        return Markup(f"$`{premise_of(premise)}`$")

    def symbol(self, quantity: Quantity) -> Markup:
        """Give the symbol of a quantity, within a line of text."""
        return Markup(f"$`{latex_symbol(quantity.symbol)}`$")

    def verdict(self, entry: Entry) -> Markup:
        """Say how a statement was found to hold."""
        found = self._report.verdicts[BOOK.id_of(entry)]
        proven = [each for each in found if each.how == "proven"]
        sampled = [each for each in found if each.how == "sampled"]
        if isinstance(entry, Approximation):
            large = " and ".join(str(self.symbol(each)) for each in entry.large)
            return Markup(
                f"Proven, by algebra: as {large} grow, the ratio of both sides nears one."
            )
        if not sampled:
            return Markup("Proven, by algebra.")
        tried = (
            f"[{min(each.samples for each in sampled)} random configurations]({self.root}{READING})"
        )
        if not proven:
            return Markup(f"Sampled, not proven: it held in all {tried} that were tried.")
        return Markup(
            "The steps are proven, by algebra. The last line is sampled: it held in all "
            f"{tried} that were tried."
        )

    def _written(self, line: Phrase[InNumbers]) -> Markup:
        """Write a worked line: its structure is the shape's, each of its numbers a slot."""
        first = self._tape.structure(line)
        if not isinstance(first, Line):
            sides = first.text(lambda figure: self._operand(line, figure.quantity))
            return Markup(self._tape.line(line, sides))
        worked = cast("Callable[[Workings], Line]", line)

        def write(figure: Figure) -> str:
            if figure is first.result:
                return self._result(lambda workings: worked(workings).result.text, figure)
            if figure is first.also:
                return self._result(lambda workings: str(worked(workings).also), figure)
            return self._operand(line, figure.quantity)

        because = self._tape.number(lambda workings: worked(workings).because)
        written = replace(first, because=because if first.because else "").text(write)
        return Markup(self._tape.line(line, written))

    def _result(self, fill: Callable[[Workings], str], figure: Figure) -> str:
        return f"**{self._number(fill, figure.quantity)}**"

    def _operand(self, line: Phrase[InNumbers], quantity: Quantity | None) -> str:
        assert quantity is not None
        return self._number(lambda workings: line(workings).operands[quantity].text, quantity)

    def _linked(self, kind: str, quantity: Quantity, *others: Quantity) -> Markup:
        return Markup(self._number(Phrase(kind, (quantity, *others)), quantity))

    def _number(self, fill: Callable[[Workings], str], quantity: Quantity | None) -> str:
        text = self._tape.number(fill)
        if not isinstance(quantity, Formula | Given | Constant):
            return text
        return f"[{text}]({SCHEME}{BOOK.id_of(quantity)})"
