"""The measured results for the page: every run in numbers, and where it comes from."""

from __future__ import annotations

from typing import Any

from derivations.book import BOOK
from derivations.catalogue import Datum, Result, results
from derivations.catalogue.vocabulary import vocabulary
from derivations.configure import FIGURES, figures_of
from derivations.files import as_json
from derivations.language.declare import Given
from derivations.language.units import factor
from derivations.render.labels import as_written
from derivations.render.phrases import OF_BENCHMARKS
from derivations.render.popover import FEWER_ENGINES, datum_lines, lacking_words, paragraphs


def measured_json() -> str:
    """
    Give the results as JSON.

    ``rows`` has a list for each run: the place of its benchmark, what ran and how, and the digits
    of each of ``figures`` as they were published; ``factors`` are what makes base units of them,
    as fractions. A benchmark says where the value of each given comes from, in HTML around the
    digits.
    """
    every = results()
    firsts: dict[str, Result] = {}
    for each in every:
        firsts.setdefault(each.benchmark.id, each)
    places = {name: place for place, name in enumerate(firsts)}
    parts = {
        "figures": [BOOK.id_of(given) for given in FIGURES],
        "factors": [_factor(column) for column in FIGURES.values()],
        "lacking": {
            name: paragraphs([lacking_words(given)])
            for name, given in BOOK.givens.items()
            if given.lacking
        },
        "fewer": FEWER_ENGINES,
        "benchmarks": [_benchmark(each) for each in firsts.values()],
        "rows": [[places[each.benchmark.id], *_row(each)] for each in every],
    }
    return as_json(parts)


def _benchmark(first: Result) -> dict[str, Any]:
    found = figures_of(first)
    others = {given: datum for given, datum in found.items() if given not in FIGURES}
    return {
        **{kind: said(first.benchmark) for kind, said in OF_BENCHMARKS.items()},
        "stands_for": list(first.benchmark.texts["stands_for"]),
        "origin": {BOOK.id_of(given): _around(given, datum) for given, datum in found.items()},
        "values": {BOOK.id_of(given): float(datum.value) for given, datum in others.items()},
    }


def _around(given: Given, datum: Datum) -> list[str]:
    """Give the HTML before and after the digits; all of it where they are the benchmark's own."""
    html = paragraphs(datum_lines(datum))
    if given not in FIGURES:
        return [html]
    digits, _ = as_written(datum.entry.says)
    before, _, after = html.partition(digits)
    return [before, after]


def _factor(column: str) -> list[int]:
    found = factor(vocabulary()["result"][column].unit)
    return [found.numerator, found.denominator]


def _row(result: Result) -> list[Any]:
    figures = [result.figures[column] for column in FIGURES.values()]
    return [
        result.accelerator,
        result.engine,
        result.precision,
        result.kv_precision,
        *result.counts,
        *(as_written(each.entry.says)[0] for each in figures),
    ]
