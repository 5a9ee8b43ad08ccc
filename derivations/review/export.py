"""This revision as data, by its own code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, meta, nodes

from derivations import __version__
from derivations.book import BOOK
from derivations.catalogue import KINDS, DataError, defaults, facts, faults, results
from derivations.catalogue.facts import Datum, Reference
from derivations.catalogue.facts import Fact as CatalogueFact
from derivations.check import Report, remembered
from derivations.configure import ChoiceError, misfits
from derivations.language.algebra import Quantity, Relation, Term, leaves, read
from derivations.language.contents import Entry as BookEntry
from derivations.language.contents import mentions
from derivations.language.declare import (
    Approximation,
    Claim,
    Condition,
    Constant,
    Crossing,
    Derivation,
    Equivalence,
    Formula,
    Given,
    Shown,
    Source,
    relation_of,
)
from derivations.language.notation.nested import Nested
from derivations.render.places import templates
from derivations.review.format import (
    CONFIGURATIONS,
    VERSION,
    Amount,
    Cited,
    Display,
    Document,
    Entry,
    Export,
    Fact,
    Grid,
    Kind,
    Page,
    Premise,
    Tree,
    Verdict,
)
from derivations.review.grid import configurations, grid, made_pages, pages_on


def exported(wanted: int = CONFIGURATIONS) -> Export:
    """
    Give all that a review compares of this revision, with at least *wanted* rows in its grid.

    What is wrong with the book or the data is told in the export. Where it keeps the data from
    being used, there are no facts and no values.
    """
    report = remembered(BOOK, keep=False)
    found = [*map(str, report.faults)]
    data: dict[str, Any] = {"facts": {}, "results": {}, "defaults": {}, "grid": Grid()}
    wrong = faults() or misfits()
    found.extend(wrong)
    if not wrong:
        try:
            data = _data(wanted)
        except (DataError, ChoiceError, ArithmeticError) as problem:
            found.append(str(problem))
    return Export(
        version=VERSION,
        made_by=__version__,
        entries={name: _entry(each, name, report) for name, each in BOOK.entries.items()},
        faults=tuple(found),
        shown=shown_by_template(),
        **data,
    )


def _data(wanted: int) -> dict[str, Any]:
    made = made_pages()
    rows = configurations(wanted, made)
    pages: tuple[Page, ...] = pages_on(rows, made)
    return {
        "facts": {
            kind: {name: _fact(each) for name, each in facts(kind).items()} for kind in KINDS
        },
        "results": {
            " ".join(map(str, (each.benchmark.id, each.accelerator, each.engine, each.precision,
                               each.kv_precision, *each.counts))): dict(each.published)
            for each in results()
        },
        "defaults": {name: str(value) for name, value in defaults().items()},
        "grid": grid(rows),
        "pages": pages,
    }  # fmt: skip


_WORDS = ("symbol", "unit", "title", "says", "otherwise", "lacking")
_NUMBERS = ("value", "least", "most")


def _entry(entry: BookEntry, identity: str, report: Report) -> Entry:
    there = {each.name: getattr(entry, each.name) for each in fields(entry)}  # type: ignore[arg-type]
    if isinstance(entry, Constant):
        there["symbol"] = ""
    source = there.get("source")
    texts = {name: str(there[name]) for name in _WORDS if there.get(name)}
    if there.get("whole"):
        texts["whole"] = "yes"
    return Entry(
        kind=_kind(entry),
        texts=texts,
        trees={name: tree(each) for name, each in _trees(entry)},
        premises=tuple(
            Premise(tree(relation_of(each)), _id(each) if isinstance(each, Condition) else "")
            for each in there.get("assuming", there.get("under", ()))
        ),
        formerly=tuple(there.get("formerly", ())),
        links=_links(entry),
        sources=(_cited(source),) if isinstance(source, Source) else (),
        show=_display(there.get("show")),
        also=_display(there.get("also")),
        numbers={name: str(there[name]) for name in _NUMBERS if name in there},
        verdicts=tuple(
            Verdict(each.what, each.how, each.samples) for each in report.verdicts.get(identity, ())
        ),
    )


def _kind(entry: BookEntry) -> Kind:
    found: Any = type(entry).__name__.lower()
    return found  # type: ignore[no-any-return]


def _display(show: Shown | None) -> Display | None:
    return None if show is None else Display(show.unit, show.digits, show.decimals)


def _cited(source: Source) -> Cited:
    return Cited(source.work.title, source.work.url, source.place, str(source.work.read))


def _links(entry: BookEntry) -> dict[str, tuple[str, ...]]:
    match entry:
        case Formula(solves=Crossing() as crossing):
            return {"solves": (_id(crossing),)}
        case Derivation(of=formula):
            return {"of": (_id(formula),)}
        case Crossing(unknown=unknown):
            return {"unknown": (_id(unknown),)}
        case Approximation(large=unknowns):
            return {"large": tuple(map(_id, unknowns))}
    return {}


def _trees(entry: BookEntry) -> Iterator[tuple[str, Term | Relation]]:
    match entry:
        case Formula():
            yield "body", entry.body
        case Condition() | Crossing():
            yield "relation", entry.relation
        case Claim(Equivalence(left, right)):
            yield "left", left
            yield "right", right
        case Claim(Relation() as relation):
            yield "relation", relation
        case Approximation():
            yield "exact", entry.exact
            yield "simple", entry.simple
        case Derivation():
            for place, step in enumerate(entry.steps, 1):
                yield f"step {place}", step


class Whole(Nested):
    """The reading of a tree as lists, bridges included."""

    def quantity(self, quantity: Quantity) -> Any:
        return self.leaf(quantity)


def tree(node: Term | Relation) -> Tree:
    """Give a tree as lists, in its authored order, with the ids of its quantities."""
    return read(node, Whole(_id))


def _id(thing: Any) -> str:
    """Give the id of something, and its title where no section names it."""
    return BOOK.id_of(thing) if thing in BOOK else f"?{getattr(thing, 'title', '')}"


_DETAILS = ("note", "quoted", "quoted_as", "derived")


def _fact(fact: CatalogueFact) -> Fact:
    folder = KINDS[fact.kind]
    return Fact(
        texts={name: _text(each) for name, each in fact.texts.items() if name != "aliases"},
        amounts={name: _amount(each) for name, each in fact.amounts.items()},
        aliases=fact.aliases,
        page=f"{folder}/{fact.id}/index.md" if fact.kind in ("accelerator", "model") else "",
    )


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _amount(datum: Datum) -> Amount:
    return Amount(
        says=datum.entry.says,
        value=str(datum.value),
        unit=datum.unit,
        source=_document(datum.source),
        trust=datum.entry.trust,
        texts={name: found for name in _DETAILS if (found := getattr(datum.entry, name))},
        others=tuple((says, _document(each)) for says, each in datum.others),
    )


def _document(reference: Reference) -> Document:
    return Document(reference.title, reference.url, str(reference.read), reference.seen)


def shown_by_template() -> dict[str, tuple[str, ...]]:
    """
    Give the ids of the formulas and conditions that each template names, in any of its branches.

    A formula stands there with what it is made of: its worked line shows it, too.
    """
    folder = templates()
    environment = Environment(loader=FileSystemLoader(folder))  # only read, never rendered

    @cache
    def named(name: str) -> frozenset[str]:
        text = (folder / name).read_text(encoding="utf-8")
        parsed = environment.parse(text, name)
        own = {
            f"{each.node.name}.{each.attr}"
            for each in parsed.find_all(nodes.Getattr)
            if isinstance(each.node, nodes.Name)
        }
        others = (named(other) for other in meta.find_referenced_templates(parsed) if other)
        return frozenset(own).union(*others)

    return {
        path.name: tuple(sorted(_with_parts(named(path.name))))
        for path in sorted(folder.glob("*.md.jinja"))
    }


def _with_parts(names: frozenset[str]) -> set[str]:
    found = {name for name in names if name in BOOK.entries}
    for name in tuple(found):
        entry = BOOK.entries[name]
        if isinstance(entry, Formula | Condition):
            found.update(_id(each) for _, one in _trees(entry) for each in leaves(one))
        found.update(_id(each) for each in mentions(entry))
    return {name for name in found if not isinstance(BOOK.entries.get(name), Given)}
