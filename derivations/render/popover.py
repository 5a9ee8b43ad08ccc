"""What opens behind a number: its name, its formula in numbers, and where it comes from."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable
from datetime import date
from functools import cache

from derivations.book import BOOK
from derivations.catalogue import Datum, Reference
from derivations.configure import COUNTED, COUNTS
from derivations.evaluate import NoValue
from derivations.language.declare import Constant, Formula, Given, Source
from derivations.language.notation.plain import symbols
from derivations.render.escape import for_html
from derivations.render.labels import as_written
from derivations.render.workings import Workings

TRUST = {
    "high": "The sources agree, or the one that there is cannot be wrong about it.",
    "medium": "There is one source only, or sources disagree, or the figure is rounded.",
    "low": "Unverified.",
}


SCHEME = "derivation:"
"""Links with this scheme lead from a number to what stands behind it."""


def key_of(identity: str, place: int) -> str:
    """Give the key of a quantity held against one of several measured results, the first bare."""
    return f"{identity}@{place}" if place else identity


def place_of(key: str) -> tuple[str, int]:
    """Give the id of a key, and which of the measured results it is held against."""
    identity, _, place = key.partition("@")
    return identity, int(place) if place.isdecimal() else 0


def popover_id(identity: str, query: str = "") -> str:
    """Give the id of the popover of a quantity, in a configuration of its own where it has one."""
    if not query:
        return f"pop-{identity}"
    return f"pop-{identity}-{hashlib.sha256(query.encode()).hexdigest()[:8]}"


OPENING = '<div class="d-popovers" data-search-exclude>'
"""Where the popovers of a page begin. They stand at its end."""


def popovers(workings: Workings, identities: Iterable[str], here: Container[str], link: str) -> str:
    """
    Give the popovers of a page as HTML, one for each quantity that it mentions.

    Those of *here* have their derivation in the page, others lead to *link*.

    What depends on the configuration says so: ``data-worked`` a worked line, ``data-origin`` where
    a value comes from.
    """
    notes = (
        popover(workings, each, link=IN_THE_PAGE if place_of(each)[0] in here else link)
        for each in identities
    )
    return f"{OPENING}{''.join(notes)}</div>"


IN_THE_PAGE = "#{id}"
"""Where a popover leads to in a page that holds the derivation."""


def popover(workings: Workings, identity: str, *, link: str = IN_THE_PAGE, query: str = "") -> str:
    """
    Give the popover of a key as HTML: one per quantity, however often it is mentioned.

    *link* is the address of the derivation, with ``{id}`` for its id; where it is empty, there is
    no link. *query* is the configuration, where it is another one than that of the page.
    """
    before, after = _frame(identity, link, query)
    name, place = place_of(identity)
    missing = place > 0 and place >= len(workings.results)
    if place and not missing:
        workings = workings.results[place]
    match BOOK[name]:
        case Formula() as formula:
            worked = FEWER_ENGINES if missing else _worked(workings, formula)
            mark = f'class="d-worked" data-worked="{identity}"'
            return f"{before}<p><span {mark}>{worked}</span></p>{after}"
        case Given() as given:
            origin = paragraphs([FEWER_ENGINES] if missing else _origin(workings, given))
            return f'{before}<div data-origin="{identity}">{origin}</div>{after}'
    return before + after


FEWER_ENGINES = "This configuration was measured with fewer engines."
"""What is said of a result that is not there."""


@cache
def _frame(identity: str, address: str, query: str) -> tuple[str, str]:
    """Give what a popover says before and after its numbers, in every configuration."""
    key, (identity, _) = identity, place_of(identity)
    quantity = BOOK[identity]
    assert isinstance(quantity, Formula | Given | Constant)
    before = (
        f'<div popover class="d-popover" id="{popover_id(key, query)}">'
        f'<p class="d-popover__title"><strong>{for_html(quantity.title)}</strong> '
        f"<code>{identity}</code></p><p>{for_html(quantity.says)}</p>"
    )
    link = ""
    if address and (isinstance(quantity, Formula) or address != IN_THE_PAGE):
        href = for_html(address.replace("{id}", identity))
        link = f'<p><a href="{href}">Go to the derivation</a></p>'
    if isinstance(quantity, Given):
        return before, f"{link}</div>"
    source = f"<p>{_cited(quantity.source)}</p>"
    if isinstance(quantity, Constant):
        return before, f"{source}{link}</div>"
    formula = for_html(f"{quantity.symbol} = {symbols(quantity.body)}")
    return f"{before}<p><i>{formula}</i></p>", f"{source}{link}</div>"


def paragraphs(lines: Iterable[str]) -> str:
    """Give lines of HTML as paragraphs."""
    return "".join(f"<p>{line}</p>" for line in lines)


def _worked(workings: Workings, formula: Formula) -> str:
    try:
        return for_html(workings.line(formula).text())
    except NoValue as reason:
        return for_html(str(reason))


def _origin(workings: Workings, given: Given) -> list[str]:
    datum = workings.data.get(given)
    if datum is not None:
        return datum_lines(datum)
    if given in workings.sheet.overridden:
        return ["Set by the caller, in place of the fact."]
    if given.lacking:
        return [lacking_words(given)]
    if given in COUNTED:
        before, after = counted_words(given)
        return [before + for_html(workings.line(COUNTED[given]).result.text) + after]
    name = next(name for name, each in COUNTS.items() if each is given)
    return [f"Chosen for this page, with <code>--{name.replace('_', '-')}</code>."]


def lacking_words(given: Given) -> str:
    """Say of a given that the configuration lacks it, as a line of HTML."""
    return f"It has no value here, because {for_html(given.lacking)}."


def counted_words(given: Given) -> tuple[str, str]:
    """Give what is said before and after the count that stands in for a fact."""
    name = BOOK.id_of(COUNTED[given])
    return "Counted from the parts of the model: ", f" (<code>{name}</code>)."


def datum_lines(datum: Datum) -> list[str]:
    """Give all that is known of a datum, as lines of HTML."""
    entry = datum.entry
    lines = [f"<strong>{_amount(entry.says)}</strong>, from {_reference(datum.source)}"]
    if entry.quoted:
        kind = f", {for_html(entry.quoted_as)}" if entry.quoted_as else ""
        lines.append(f"Quoted: {_amount(entry.quoted)}{kind}. Used: {for_html(entry.derived)}.")
    lines.extend(f"Also published: {_amount(text)}, in {_link(ref)}." for text, ref in datum.others)
    if entry.note:
        lines.append(for_html(entry.note))
    lines.append(f"Trust: {entry.trust}. {TRUST[entry.trust]}")
    return lines


def _amount(text: str) -> str:
    return for_html(" ".join(as_written(text)))


@cache
def _cited(source: Source) -> str:
    work = source.work
    link = f'<a href="{for_html(work.url)}">{for_html(work.title)}</a>'
    return (
        f"Source: {for_html(work.author)}, {link}, “{for_html(source.place)}”. "
        f"Read on {day(work.read)}."
    )


def _reference(reference: Reference) -> str:
    return f"{_link(reference)}. {for_html(reference.seen)} As of {day(reference.read)}."


def _link(reference: Reference) -> str:
    return f'<a href="{for_html(reference.url)}">{for_html(reference.title)}</a>'


def day(when: date) -> str:
    """Write a date out: 29 November 2026."""
    return f"{when.day} {when:%B %Y}"
