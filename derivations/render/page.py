"""Fill a template with one worksheet: prose from the template, every number from the sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, wraps
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import (
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    StrictUndefined,
    TemplateRuntimeError,
)
from markupsafe import Markup
from platformdirs import user_cache_path

from derivations.book import BOOK
from derivations.catalogue import defaults, fact
from derivations.catalogue.facts import Amount
from derivations.check import Report
from derivations.configure import Configuration
from derivations.evaluate import NoValue
from derivations.language.algebra import Quantity, Relation
from derivations.language.contents import Entry
from derivations.language.declare import (
    Condition,
    Constant,
    Derivation,
    Formula,
    Given,
)
from derivations.language.notation.latex import latex_symbol
from derivations.render.equations import latex_of, premise_of
from derivations.render.escape import for_markdown
from derivations.render.labels import as_written
from derivations.render.numbers import exact, shown
from derivations.render.workings import Figure, Line, Workings

SCHEME = "derivation:"
"""Links with this scheme lead from a number to what stands behind it."""
READING = "reading.md#the-statements"
"""Where the site says what a sample is worth."""


def templates() -> Path:
    """Give the folder of the templates: in the package where installed, else in the checkout."""
    package = Path(__file__).parents[1]
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def _compiled() -> FileSystemBytecodeCache | None:
    """Keep compiled templates in the user's cache folder, where there can be one."""
    try:
        return FileSystemBytecodeCache(str(user_cache_path("derivations", ensure_exists=True)))
    except OSError:
        return None


@cache
def _environment(folder: Path) -> Environment:
    return Environment(
        loader=FileSystemLoader(folder),
        bytecode_cache=_compiled(),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=_harmless,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _harmless(value: Any) -> Any:
    return value if hasattr(value, "__html__") else Markup(for_markdown(str(value)))


def render(template: str, workings: Workings, report: Report) -> str:
    """
    Give one page, in Markdown.

    Raises `jinja2.UndefinedError` for a name that a template makes up.
    """
    words = Words(workings, report)
    environment = _environment(templates()).overlay()
    environment.filters.update(words.filters())
    environment.tests["holding"] = workings.sheet.holds
    sections = {each.__name__.rpartition(".")[2]: each for each in BOOK.sections}
    chosen = workings.sheet.chosen
    facts = {
        "chip": fact("accelerator", chosen.accelerator),
        "network": fact("model", chosen.model),
        "weights_format": fact("precision", chosen.precision),
        "kv_format": fact("precision", chosen.kv_precision or chosen.precision),
        "arithmetic_format": chosen.arithmetic or chosen.precision,
        "directive": Markup(directive(chosen)),
    }
    return environment.get_template(template).render({**sections, **facts})


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


def _placed(name: str, filter_: Callable[..., Any]) -> Callable[..., Any]:
    """Let a filter fail as a fault of the template, whose line is then known."""

    @wraps(filter_)
    def run(*terms: Any) -> Any:
        try:
            return filter_(*terms)
        except (NoValue, LookupError, AttributeError, TypeError) as problem:
            raise TemplateRuntimeError(f"{name}: {problem}") from problem

    return run


def _sign(difference: Any) -> int:
    return int(difference > 0) - int(difference < 0)


class Words:
    """What a template can say of a quantity or a statement. Each is a filter of that name."""

    def __init__(self, workings: Workings, report: Report) -> None:
        self._workings = workings
        self._report = report

    def filters(self) -> Mapping[str, Any]:
        """Give the filters by name."""
        names = (
            "id", "figure", "also", "digits", "line", "steps", "formula", "relation", "verdict",
            "symbol", "quoted", "datum", "has_value", "reason", "numbers", "apart",
        )  # fmt: skip
        return {name: _placed(name, getattr(self, name)) for name in names}

    def id(self, entry: Entry) -> Markup:
        """Give the id of an entry."""
        return Markup(BOOK.id_of(entry))

    def figure(self, quantity: Quantity) -> Markup:
        """Give the number of a quantity with its unit, leading to what stands behind it."""
        return self._linked(self._workings.figure(quantity), quantity)

    def digits(self, quantity: Quantity) -> Markup:
        """Give the number alone."""
        figure = self._workings.figure(quantity)
        return self._linked(Figure(quantity, figure.digits), quantity)

    def apart(self, quantity: Formula | Given, other: Quantity) -> Markup:
        """Give the number alone, with as many digits as it takes to tell it from another one."""
        value, border = (exact(self._workings.sheet.value(each)) for each in (quantity, other))
        for more in count():
            digits = shown(value, quantity.show, more)
            if digits.value == value or _sign(digits.value - border) == _sign(value - border):
                return self._linked(Figure(quantity, digits.text), quantity)
        raise AssertionError("no float has endless digits")

    def also(self, formula: Formula) -> Markup:
        """Give the number in its second unit: 13.20 s, where the first is in ms."""
        figure = self._workings.line(formula).also
        if figure is None:
            raise LookupError(f"{BOOK.id_of(formula)} declares no second unit")
        return self._linked(figure, formula)

    def line(self, formula: Formula) -> Markup:
        """Give the worked line of a formula."""
        return self._written(self._workings.line(formula))

    def steps(self, derivation: Derivation) -> list[Markup]:
        """Give the worked line of each step of a derivation."""
        return [self._written(line) for line in self._workings.steps(derivation)]

    def has_value(self, entry: Formula | Derivation) -> bool:
        """Tell whether a formula, or every step of a derivation, has a value."""
        try:
            if isinstance(entry, Derivation):
                self._workings.steps(entry)
            else:
                self._workings.line(entry)
        except NoValue:
            return False
        return True

    def reason(self, formula: Formula) -> str:
        """Say why a formula has no value: it "has no value here, because ..."."""
        try:
            self._workings.line(formula)
        except NoValue as problem:
            return str(problem).removeprefix(f"{BOOK.id_of(formula)} ")
        raise ValueError(f"{BOOK.id_of(formula)} has a value")

    def numbers(self, condition: Condition) -> Markup:
        """Give a condition with the numbers of both sides."""
        return Markup(self._workings.sides(condition.relation, self._side))

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
        if not sampled:
            return Markup("Proven, by algebra.")
        tried = f"[{min(each.samples for each in sampled)} random configurations]({READING})"
        if not proven:
            return Markup(f"Sampled, not proven: it held in all {tried} that were tried.")
        return Markup(
            "The steps are proven, by algebra. The last line is sampled: it held in all "
            f"{tried} that were tried."
        )

    def datum(self, given: Given) -> Markup:
        """Give a fact as its source writes it: 3.35 TB/s per GPU."""
        return self._linked(Figure(given, *as_written(self._entry(given).says)), given)

    def quoted(self, given: Given) -> Markup:
        """Give the figure that a source quotes for a fact, where another one is used."""
        quoted = self._entry(given).quoted
        if not quoted:
            raise LookupError(f"the source of {BOOK.id_of(given)} quotes no other figure")
        return self._linked(Figure(given, *as_written(quoted)), given)

    def _entry(self, given: Given) -> Amount:
        found = self._workings.sheet.data().get(given)
        if found is None:
            raise LookupError(f"{BOOK.id_of(given)} is not a fact here, it was chosen")
        return found.entry

    def _written(self, line: Line) -> Markup:
        def write(figure: Figure) -> str:
            written = self._linked(figure, figure.quantity) if figure.quantity else figure.text
            return f"**{written}**" if figure is line.result or figure is line.also else written

        return Markup(line.text(write))

    def _side(self, figure: Figure) -> str:
        assert figure.quantity is not None
        return self._linked(figure, figure.quantity)

    def _linked(self, figure: Figure, quantity: Quantity) -> Markup:
        if not isinstance(quantity, Formula | Given | Constant):
            return Markup(figure.text)
        return Markup(f"[{figure.text}]({SCHEME}{BOOK.id_of(quantity)})")
