"""The facts as rows of pages: what each value is, where it comes from, how far to trust it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from derivations.catalogue import Datum, Fact, Reference, facts
from derivations.catalogue.vocabulary import vocabulary
from derivations.configure import MODEL_FIELDS, counted
from derivations.render.escape import for_html, for_markdown
from derivations.render.labels import in_words
from derivations.render.page import environment, for_front_matter
from derivations.render.popover import TRUST, day


@dataclass(frozen=True)
class Row:
    """One value of a data file, in words."""

    field: str
    title: str
    means: str
    amount: str
    value: float
    quoted: str
    quoted_as: str
    derived: str
    note: str
    trust: str
    trust_means: str
    source: Reference
    as_of: str
    others: tuple[tuple[str, Reference], ...]


@dataclass(frozen=True)
class Link:
    """A page about something: its title, and where it is below the root of the site."""

    title: str
    place: str


def rows(fact: Fact) -> list[Row]:
    """Give the values of a fact, in the order of the vocabulary."""
    fields = vocabulary()[fact.kind]
    order = list(fields)
    found = sorted(fact.amounts.items(), key=lambda pair: order.index(pair[0].partition(".")[0]))
    return [
        _row(fact.kind, key, datum, fields[key.partition(".")[0]].means) for key, datum in found
    ]


def _row(kind: str, key: str, datum: Datum, means: str) -> Row:
    entry = datum.entry
    name, _, part = key.partition(".")
    given = MODEL_FIELDS.get(name) if kind == "model" else None
    title = given.title if given else name.replace("_", " ").capitalize()
    return Row(
        field=key,
        title=f"{title}, {part.upper()}" if part else title,
        means=means,
        amount=in_words(entry.says),
        value=float(datum.value),
        quoted=in_words(entry.quoted) if entry.quoted else "",
        quoted_as=entry.quoted_as,
        derived=entry.derived,
        note=entry.note,
        trust=entry.trust,
        trust_means=TRUST[entry.trust],
        source=datum.source,
        as_of=day(datum.source.read),
        others=tuple((in_words(text), other) for text, other in datum.others),
    )


def fact_page(fact: Fact, links: list[Link]) -> str:
    """Give the page of one fact, in Markdown: every value, and the pages that use it."""
    return _filled(
        "fact.md.jinja", {"fact": fact, "rows": rows(fact), "links": links, "root": "../../"}
    )


def catalogue_page(kind: str, links: dict[str, list[Link]]) -> str:
    """Give the page that lists all facts of a kind, one a row, sortable."""
    every = facts(kind)
    columns = list(dict.fromkeys(row.field for each in every.values() for row in rows(each)))
    fields = list(vocabulary()[kind])
    columns.sort(key=lambda key: (fields.index(key.partition(".")[0]), _TYPES.get(key, 99), key))
    table = {identity: {row.field: row for row in rows(each)} for identity, each in every.items()}
    titles = {row.field: row.title for each in every.values() for row in rows(each)}
    return _filled(
        f"{kind}s.md.jinja",
        {
            "facts": every,
            "columns": columns,
            "titles": titles,
            "table": table,
            "links": links,
            "counted": {name: counted(each) for name, each in every.items() if kind == "model"},
            "fields": vocabulary()[kind],
            "root": "../",
        },
    )


_TYPES = {
    f"compute.{name}": place
    for place, name in enumerate(("tf32", "bf16", "fp16", "fp8", "int8", "fp6", "fp4"))
}
"""Types from wide to narrow."""


def linked(reference: Reference) -> Markup:
    """Give a link to a document, in Markdown."""
    return Markup(f"[{for_markdown(reference.title)}](<{for_html(reference.url)}>)")


def _filled(template: str, names: dict[str, Any]) -> str:
    found: Environment = environment()
    return found.get_template(template).render(
        {**names, "cell": _cell, "linked": linked, "for_front_matter": for_front_matter}
    )


def _cell(row: Row | None, place: str) -> Markup:
    """Give a cell of a sortable table, which leads to the value's own place."""
    if row is None:
        return Markup("<td>–</td>")
    doubt = "" if row.trust == "high" else f' <small title="Trust: {row.trust}">?</small>'
    text = for_html(row.amount.replace(" per GPU", ""))
    return Markup(
        f'<td data-sort="{row.value!r}"><a href="{place}#{row.field}">{text}</a>{doubt}</td>'
    )
