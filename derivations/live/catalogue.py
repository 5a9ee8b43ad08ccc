"""The facts for the page: every value that fills a given, in numbers and in words."""

from __future__ import annotations

from typing import Any

from derivations.book import BOOK
from derivations.catalogue import Datum, Fact, defaults, facts
from derivations.configure import CHOSEN_FROM, COUNTED, COUNTS, computed_in, counted, filled_by
from derivations.files import as_json
from derivations.language.declare import Given
from derivations.render.labels import in_words
from derivations.render.popover import counted_words, datum_lines, paragraphs

_KINDS = ("accelerator", "model", "precision", "assumption")


def catalogue_json() -> str:
    """
    Give the facts as JSON, and how they fill the givens.

    ``facts`` has each fact by kind and id: its name and its amounts by field. An amount has its
    value in base units, and the words that the pages use for it. ``filled`` names, for each given,
    the choice that decides, the kind of fact and the field; ``counted`` the formula that stands in
    for what a model does not state, and the words around it; ``counts`` the given of each choice
    that is a number, and its bounds; ``defaults`` the choices to start from.
    """
    parts = {
        "facts": {
            kind: {name: _fact(each) for name, each in facts(kind).items()} for kind in _KINDS
        },
        "filled": {BOOK.id_of(given): place for given, place in CHOSEN_FROM.items()},
        "counted": {
            BOOK.id_of(given): [BOOK.id_of(formula), *counted_words(given)]
            for given, formula in COUNTED.items()
        },
        "counts": {name: _count(given) for name, given in COUNTS.items()},
        "defaults": dict(defaults()),
    }
    return as_json(parts, by_name=True)


def _fact(fact: Fact) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": fact.name,
        "aliases": list(fact.aliases),
        "amounts": {
            key: _amount(datum)
            for key, datum in fact.amounts.items()
            if filled_by(fact.kind, key.partition(".")[0])
        },
    }
    if fact.kind == "accelerator":
        found["vendor"] = fact.texts["vendor"]
    if fact.kind == "precision":
        found["computes_in"] = computed_in(fact)
    if fact.kind == "model":
        found["counted"] = counted(fact)
    return found


def _amount(datum: Datum) -> dict[str, Any]:
    entry = datum.entry
    found: dict[str, Any] = {
        "value": float(datum.value),
        "datum": in_words(entry.says),
        "origin": paragraphs(datum_lines(datum)),
    }
    if entry.quoted:
        found["quoted"] = in_words(entry.quoted)
        found["quoted_as"] = entry.quoted_as
        found["derived"] = entry.derived
    return found


def _count(given: Given) -> dict[str, Any]:
    return {"given": BOOK.id_of(given), "least": int(given.least), "most": int(given.most)}
