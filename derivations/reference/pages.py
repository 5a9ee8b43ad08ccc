"""A page for each id of the book, and the list of all of them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from markupsafe import Markup

from derivations.book import BOOK
from derivations.check import Report
from derivations.configure import COUNTED, COUNTS, configuration
from derivations.evaluate import Worksheet, evaluate
from derivations.language.contents import Entry, mentions, needs
from derivations.language.declare import Bridge, Constant, Formula, Given, Unknown
from derivations.language.notation.latex import latex, latex_symbol
from derivations.reference import api
from derivations.reference.citing import FORMATS, SHORT, Citation, citation
from derivations.reference.declared import place_of
from derivations.reference.graph import around, drawn, whole
from derivations.reference.inputs import givens_below
from derivations.reference.inventory import inventory
from derivations.reference.meaning import Fingerprints
from derivations.reference.metadata import head
from derivations.reference.published import published
from derivations.reference.sensitivity import elasticities
from derivations.reference.solving import solved
from derivations.render.equations import premise_of
from derivations.render.escape import for_html, for_markdown
from derivations.render.facts import linked
from derivations.render.labels import label
from derivations.render.page import environment, front_matter, said
from derivations.render.places import templates
from derivations.render.popover import day
from derivations.render.shape import Tape
from derivations.render.workings import Workings, workings_of

FOLDER = "derivations"
_CITED_AS = {
    "text": "Plain text",
    "markdown": "Markdown",
    "bibtex": "BibTeX",
    "csl-json": "CSL-JSON",
}


@dataclass(frozen=True)
class Named:
    """An entry to link to."""

    id: Markup
    title: str


@dataclass(frozen=True)
class Input:
    """A given that an entry comes down to, and where its value is from."""

    id: Markup
    title: str
    given: Given
    there: bool
    origin: str
    source: Markup | None
    as_of: str
    trust: str
    moves: str


@dataclass(frozen=True)
class Reference:
    """What the pages share: the default configuration, and what was worked out for all of them."""

    report: Report
    site: str = ""
    """The address at which the site is published, if it is known."""
    sheet: Worksheet = field(default_factory=evaluate)
    marks: Fingerprints = field(default_factory=lambda: Fingerprints(BOOK))

    @cached_property
    def workings(self) -> Workings:
        """The worked lines of the default configuration."""
        return workings_of(configuration())

    @cached_property
    def in_article(self) -> frozenset[str]:
        """The ids that have a place of their own in the article."""
        text = "".join(
            (templates() / name).read_text(encoding="utf-8")
            for name in ("article.md.jinja", "counting.jinja", "findings.jinja")
        )
        return frozenset(re.findall(r"(?:card|statement)\((\w+\.\w+)\)", text))

    def pages(self) -> Iterator[ReferencePage | Glossary]:
        """Give the list of all ids, and the page of each, in reading order."""
        yield Glossary()
        yield from (ReferencePage(self, identity) for identity in BOOK.entries)

    def files(self, *, every: bool = True) -> Iterator[tuple[str, bytes]]:
        """
        Give the place and the content of all that is no page: data, inventory, redirects.

        Not *every* leaves out the data of single ids, which take a second.
        """
        if every:
            yield from api.documents(self.report, self.sheet, self.marks)
        yield from api.overview()
        yield "objects.inv", inventory()
        yield from redirects()


@dataclass(frozen=True)
class ReferencePage:
    """The page of one id, made when it is asked for."""

    shared: Reference
    id: str
    listed: bool = False

    @property
    def place(self) -> str:
        """Where it goes, below the folder of the site."""
        return f"{FOLDER}/{self.id}.md"

    @property
    def front_matter(self) -> str:
        """What a host has to know of the page before it reads it."""
        return front_matter(_title(BOOK[self.id], self.id), searched=True)

    @cached_property
    def cited(self) -> Citation:
        """How it is cited."""
        return citation(self.shared.sheet, self.id, self.shared.site, self.shared.marks)

    @property
    def head(self) -> str:
        """What the head of the page says to those who collect citations."""
        return head(self.cited)

    @cached_property
    def markdown(self) -> str:
        """The page. Raises `jinja2.TemplateError`."""
        entry = BOOK[self.id]
        tape = Tape(self.shared.workings)
        names = {"entry": entry, "it": self._told(entry), "site": "../../"}
        own = environment().overlay()
        text = said(own, "reference.md.jinja", tape, self.shared.report, 1, names)
        return tape.shape(text).markdown(self.shared.workings)

    def _told(self, entry: Entry) -> dict[str, Any]:
        inputs = self._inputs(entry)
        return {
            "id": Markup(self.id),
            "kind": kind_of(entry),
            "title": _title(entry, self.id),
            "unit": _unit(entry),
            "since": published().version_of(self.id),
            "says": getattr(entry, "says", ""),
            "solved": list(_solved(entry)),
            "premises": [
                Markup(premise_of(each))
                for each in getattr(entry, "assuming", getattr(entry, "under", ()))
            ],
            "proofs": [
                (_how(each), each.what) for each in self.shared.report.verdicts.get(self.id, ())
            ],
            "inputs": inputs,
            "sensitive": any(each.moves for each in inputs),
            "needs": [_named(each) for each in _needs(entry)],
            "needed_by": [
                Named(Markup(each), _title(BOOK[each], each)) for each in _needed_by(entry)
            ],
            "graph": self._graph(),
            "left_out": around(BOOK, self.id).left_out,
            "source": _source(entry),
            "in_article": self.id in self.shared.in_article,
            "declared": Markup(place_of(entry)),
            "formerly": [Markup(each) for each in getattr(entry, "formerly", ())],
            "digits": SHORT,
            "citations": [
                (name, Markup(html.escape(FORMATS[form](self.cited))))
                for form, name in _CITED_AS.items()
            ],
        }

    def _graph(self) -> Markup:
        """Draw what it needs and what needs it; nothing where it stands alone."""
        graph = around(BOOK, self.id)
        if not graph.edges:
            return Markup("")
        return Markup(drawn(graph, BOOK, here=self.id, link=lambda name: f"../{name}/"))

    def _inputs(self, entry: Entry) -> list[Input]:
        sheet = self.shared.sheet
        data = sheet.data()
        moves = elasticities(sheet, entry) if isinstance(entry, Formula) else {}
        found = []
        for given in givens_below(entry):
            datum = data.get(given)
            found.append(
                Input(
                    id=Markup(BOOK.id_of(given)),
                    title=given.title,
                    given=given,
                    there=sheet.has_value(given),
                    origin=_origin(given),
                    source=linked(datum.source) if datum else None,
                    as_of=day(datum.source.read) if datum else "",
                    trust=datum.entry.trust if datum else "",
                    moves=_signed(moves[given]) if given in moves else "",
                )
            )
        return found


@dataclass(frozen=True)
class Glossary:
    """The page that lists every symbol and every id of the book."""

    place: str = f"{FOLDER}/index.md"
    listed: bool = True
    title: str = "Every formula and symbol"
    head: str = ""

    @property
    def front_matter(self) -> str:
        """What a host has to know of the page before it reads it."""
        return front_matter(self.title, searched=True)

    @property
    def markdown(self) -> str:
        """The page."""
        sections: dict[str, list[dict[str, str]]] = {}
        for identity, entry in BOOK.entries.items():
            symbol = getattr(entry, "symbol", "") if not isinstance(entry, Constant) else ""
            sections.setdefault(identity.partition(".")[0], []).append(
                {
                    "id": Markup(identity),
                    "title": _title(entry, identity),
                    "symbol": Markup(latex_symbol(symbol)) if symbol else "",
                    "unit": _unit(entry),
                }
            )
        titles = {
            each.__name__.rpartition(".")[2]: (each.__doc__ or "").strip().rstrip(".")
            for each in BOOK.sections
        }
        return environment().get_template("glossary.md.jinja").render(
            title=self.title,
            graph=Markup(drawn(whole(BOOK), BOOK, link=lambda name: f"{name}/")),
            sections=[
                {"name": name, "title": titles[name], "entries": entries}
                for name, entries in sections.items()
            ],
        )  # fmt: skip


def redirects() -> Iterator[tuple[str, bytes]]:
    """Give a page for each former id, which leads to the current one: its place, and its HTML."""
    for former, entry in BOOK.aliases.items():
        target = f"../{BOOK.id_of(entry)}/"
        text = (
            f'<!doctype html><html lang="en"><meta charset="utf-8">'
            f"<title>{for_html(former)}</title>"
            f'<link rel="canonical" href="{target}"><meta name="robots" content="noindex">'
            f'<meta http-equiv="refresh" content="0; url={target}">'
            f'<p>This is <a href="{target}">{for_html(BOOK.id_of(entry))}</a> now.</p></html>\n'
        )
        yield f"{FOLDER}/{former}/index.html", text.encode()


def kind_of(entry: Entry) -> str:
    """Name the kind of an entry."""
    return type(entry).__name__.lower()


def _source(entry: Entry) -> Markup | None:
    """Say where a statement comes from, with a link."""
    source = getattr(entry, "source", None)
    if source is None:
        return None
    work = source.work
    title = f"[{for_markdown(work.title)}](<{for_html(work.url)}>)"
    rest = for_markdown(f"by {work.author}, {source.place}, read {day(work.read)}")
    return Markup(f"{title} {rest}")


def _title(entry: Entry, identity: str) -> str:
    return str(getattr(entry, "title", "") or identity)


def _unit(entry: Entry) -> str:
    unit = str(getattr(entry, "unit", ""))
    return "" if unit == "1" else label(unit) if unit else ""


def _named(entry: Entry) -> Named:
    return Named(Markup(BOOK.id_of(entry)), _title(entry, BOOK.id_of(entry)))


def _needs(entry: Entry) -> list[Entry]:
    found: dict[Entry, None] = dict.fromkeys(
        each for each in needs(entry) if each in BOOK and not isinstance(each, Bridge)
    )
    found.update(dict.fromkeys(mentions(entry)))
    return [each for each in found if each is not entry]


def _needed_by(entry: Entry) -> list[str]:
    found = []
    for name, other in BOOK.entries.items():
        if other is not entry and (entry in set(needs(other)) or entry in set(mentions(other))):
            found.append(name)
    return found


def _solved(entry: Entry) -> Iterator[Markup]:
    if not isinstance(entry, Formula):
        return
    for quantity, term in solved(entry):
        if not isinstance(quantity, Unknown):
            yield Markup(f"{latex_symbol(quantity.symbol)} = {latex(term)}")


def _origin(given: Given) -> str:
    if given in COUNTS.values():
        return "chosen"
    if given in COUNTED:
        return "counted from the model's configuration"
    return given.lacking or "chosen"


def _signed(value: float) -> str:
    return f"{'−' if value < 0 else '+'}{abs(value):.3f}"


def _how(verdict: Any) -> str:
    return "Proven" if verdict.how == "proven" else f"Sampled on {verdict.samples} configurations"
