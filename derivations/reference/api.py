"""Each id of the book as JSON, for programs: one file an id, an index, and a schema of both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from derivations import __version__
from derivations.book import BOOK
from derivations.check import Report
from derivations.configure import COUNTS
from derivations.evaluate import NoValue, Worksheet
from derivations.language.contents import Entry, needs
from derivations.language.declare import Bridge, Constant, Formula, Given, Source, Unknown
from derivations.language.notation.plain import symbols
from derivations.reference.inputs import givens_below
from derivations.reference.meaning import Fingerprints
from derivations.reference.published import published
from derivations.render.equations import latex_of, premise_of
from derivations.render.workings import Workings

FOLDER = "api"


class Cited(msgspec.Struct, frozen=True):
    """Where something comes from."""

    title: str
    url: str
    read: str
    place: str = ""
    trust: str = ""


class Value(msgspec.Struct, frozen=True):
    """A value in the default configuration, in the declared unit, and as the pages show it."""

    value: float | None
    unit: str
    display: str
    """Where there is no value, the reason."""
    shown: str
    """The unit in which the pages show it."""


class Input(msgspec.Struct, frozen=True):
    """A given that an entry comes down to."""

    id: str
    symbol: str
    value: Value
    kind: Literal["fact", "choice", "counted", "measured"]
    source: Cited | None = None


class Proof(msgspec.Struct, frozen=True):
    """How a part of a statement was found to hold, and on how many samples."""

    what: str
    how: Literal["proven", "sampled"]
    samples: int = 0


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of one id. Addresses are relative to the file."""

    id: str
    kind: str
    title: str
    says: str
    version: str
    since: str | None
    formerly: tuple[str, ...]
    meaning: str
    """A fingerprint: another one, where the value is another one."""
    page: str
    symbol: str = ""
    unit: str = ""
    latex: str = ""
    plain: str = ""
    """The formula as it is written, in plain text."""
    sympy: str = ""
    """The expression as sympy's `srepr` writes it, in the symbols of what it names."""
    premises: tuple[str, ...] = ()
    """In LaTeX."""
    proofs: tuple[Proof, ...] = ()
    source: Cited | None = None
    needs: tuple[str, ...] = ()
    needed_by: tuple[str, ...] = ()
    inputs: tuple[Input, ...] = ()
    default: Value | None = None


class Listed(msgspec.Struct, frozen=True):
    """One id in the index."""

    id: str
    kind: str
    title: str
    unit: str
    page: str
    json: str
    formerly: tuple[str, ...]


class Index(msgspec.Struct, frozen=True):
    """Every id of the book, in reading order."""

    version: str
    schema: str
    entries: tuple[Listed, ...]


def documents(report: Report, sheet: Worksheet, marks: Fingerprints) -> Iterator[tuple[str, bytes]]:
    """Give the place and the content of the file of each id."""
    needed = _needed_by()
    for name, entry in BOOK.entries.items():
        found = _document(name, entry, report, sheet, marks, needed)
        yield f"{FOLDER}/{name}.json", _json(found)


def overview() -> Iterator[tuple[str, bytes]]:
    """Give the place and the content of the index and of the schema."""
    listed = (
        Listed(
            name,
            type(entry).__name__.lower(),
            str(getattr(entry, "title", name)),
            str(getattr(entry, "unit", "")),
            f"../derivations/{name}/",
            f"{name}.json",
            tuple(getattr(entry, "formerly", ())),
        )
        for name, entry in BOOK.entries.items()
    )
    yield f"{FOLDER}/index.json", _json(Index(__version__, "schema.json", tuple(listed)))
    yield f"{FOLDER}/schema.json", _json(schema())


def schema() -> dict[str, Any]:
    """Give the JSON Schema of a file of one id; that of the index is among its definitions."""
    (document, _), parts = msgspec.json.schema_components(
        (Document, Index), ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **document,
        "$defs": parts,
    }


def _json(data: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(data), indent=1) + b"\n"


def _document(
    name: str,
    entry: Entry,
    report: Report,
    sheet: Worksheet,
    marks: Fingerprints,
    needed: dict[Entry, list[str]],
) -> Document:
    written = not isinstance(entry, Given | Constant | Bridge | Unknown)
    source = getattr(entry, "source", None)
    return Document(
        id=name,
        kind=type(entry).__name__.lower(),
        title=str(getattr(entry, "title", name)),
        says=str(getattr(entry, "says", "")),
        version=__version__,
        since=published().version_of(name),
        formerly=tuple(getattr(entry, "formerly", ())),
        meaning=marks.of(name),
        page=f"../derivations/{name}/",
        symbol=str(getattr(entry, "symbol", "")),
        unit=str(getattr(entry, "unit", "")),
        latex=latex_of(entry) if written else "",
        plain=f"{entry.symbol} = {symbols(entry.body)}" if isinstance(entry, Formula) else "",
        sympy=_srepr(entry) if isinstance(entry, Formula) else "",
        premises=tuple(map(premise_of, getattr(entry, "assuming", getattr(entry, "under", ())))),
        proofs=tuple(
            Proof(each.what, each.how, each.samples) for each in report.verdicts.get(name, ())
        ),
        source=_cited(source) if isinstance(source, Source) else None,
        needs=tuple(BOOK.id_of(each) for each in needs(entry) if each is not entry),
        needed_by=tuple(needed.get(entry, ())),
        inputs=tuple(_inputs(entry, sheet)) if isinstance(entry, Formula) else (),
        default=_value(entry, sheet) if isinstance(entry, Formula | Given | Constant) else None,
    )


def _srepr(formula: Formula) -> str:
    import sympy

    return str(sympy.srepr(formula.expr))


def _needed_by() -> dict[Entry, list[str]]:
    found: dict[Entry, list[str]] = {}
    for name, entry in BOOK.entries.items():
        for each in needs(entry):
            if each is not entry:
                found.setdefault(each, []).append(name)
    return found


def _cited(source: Source) -> Cited:
    work = source.work
    return Cited(work.title, work.url, str(work.read), source.place)


def _inputs(entry: Entry, sheet: Worksheet) -> Iterator[Input]:
    data = sheet.data()
    for given in givens_below(entry):
        datum = data.get(given)
        source = None
        if datum is not None:
            reference = datum.source
            source = Cited(reference.title, reference.url, str(reference.read),
                           trust=datum.entry.trust)  # fmt: skip
        yield Input(
            BOOK.id_of(given), given.symbol, _value(given, sheet), _kind(given, source), source
        )


def _kind(given: Given, source: Cited | None) -> Literal["fact", "choice", "counted", "measured"]:
    if given.lacking:
        return "measured"
    if source is not None:
        return "fact"
    return "choice" if given in COUNTS.values() else "counted"


def _value(entry: Formula | Given | Constant, sheet: Worksheet) -> Value:
    shown = entry.unit if isinstance(entry, Constant) else entry.show.unit
    try:
        return Value(sheet.value(entry), entry.unit, Workings(sheet).figure(entry).text, shown)
    except NoValue as reason:
        return Value(None, entry.unit, str(reason), shown)
