"""The live article: what its script works out is what Python works out, to the bit and the sign."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from itertools import cycle, product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from msgspec.structs import asdict

from derivations.book import BOOK
from derivations.build import checked
from derivations.catalogue import facts, results
from derivations.configure import ChoiceError, Configuration, configuration
from derivations.evaluate import NoValue, evaluate
from derivations.evaluate.program import outputs
from derivations.evaluate.sweep import sweep
from derivations.language.declare import Constant, Derivation, Formula, Given
from derivations.live.article import live_article
from derivations.live.selector import OFTEN
from derivations.live.tape import LivePage
from derivations.render.lines import InNumbers
from derivations.render.phrases import Phrase
from derivations.render.workings import Workings, workings_of
from tests.configurations import Choices, choices

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WORKLOADS = [
    {
        "tensor_parallelism": parallel,
        "concurrency": users,
        "input_length": lengths[0],
        "output_length": lengths[1],
    }
    for parallel, users, lengths in product(
        OFTEN["tensor_parallelism"], OFTEN["concurrency"], OFTEN["lengths"]
    )
]
"""Every workload that the selector offers at once."""

SLICES = 6


def systems() -> Iterator[dict[str, str]]:
    """Give every accelerator, type that it computes in, and model of the catalogue."""
    for chip in facts("accelerator").values():
        for kind in sorted(chip.each("compute")):
            stored = kind if kind in facts("precision") else "fp16"
            for model in facts("model"):
                yield {
                    "accelerator": chip.id,
                    "model": model,
                    "precision": stored,
                    "arithmetic": kind,
                }


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    """Give a page on which ``sheetOf(choices)`` is the worksheet of the live article."""
    page = browser.new_page()
    page.goto(f"{served}reading/")
    page.evaluate(
        """async () => {
          const { Catalogue } = await import("/assets/live/catalogue.js");
          const { Results } = await import("/assets/live/measured.js");
          const { Sheet } = await import("/assets/live/sheet.js");
          const read = async (name) => (await fetch(`/assets/live/${name}`)).json();
          const catalogue = new Catalogue(await read("catalogue.json"));
          const results = new Results(await read("measured.json"));
          window.sheetOf = (choices) => new Sheet({ catalogue, results }, choices);
        }"""
    )
    yield page
    page.close()


# Values


def test_every_value_of_the_catalogue_is_that_of_python_to_the_bit(page: Page) -> None:
    every = list(systems())
    ours = [hashlib.sha256(_table(each).tobytes()).hexdigest() for each in every]
    theirs = page.evaluate(
        """async ([every, workloads, names]) => {
          const hex = (byte) => byte.toString(16).padStart(2, "0");
          const hashes = [];
          for (const system of every) {
            const table = new Float64Array(names.length * workloads.length);
            workloads.forEach((workload, row) => {
              const { values } = sheetOf({ ...system, ...workload });
              names.forEach((name, column) => {
                table[column * workloads.length + row] = Number(values[name]);
              });
            });
            const hash = await crypto.subtle.digest("SHA-256", table.map((each) => each));
            hashes.push([...new Uint8Array(hash)].map(hex).join(""));
          }
          return hashes;
        }""",
        [every, WORKLOADS, outputs(BOOK)],
    )

    assert len(every) > 3000
    assert [
        each for each, one, other in zip(every, ours, theirs, strict=True) if one != other
    ] == []


def _table(system: dict[str, str]) -> np.ndarray:
    """Give the values of all workloads: a row each quantity, a NaN always of the same bits."""
    columns = {name: [each[name] for each in WORKLOADS] for name in WORKLOADS[0]}
    asked: dict[str, Any] = {**system, **columns}
    found = sweep(**asked)
    table = np.array([found[name] for name in outputs(BOOK)])
    table[np.isnan(table)] = np.nan
    return table


# Texts


@cache
def article() -> LivePage:
    """Give the live article, with all its branches."""
    return live_article("article.md.jinja", workings_of(configuration()), checked())


@cache
def phrases() -> tuple[Phrase[Any], ...]:
    """Give all that the live article says of a configuration, and every line of the book."""
    said = (slot.fill for slot in article().slots)
    figures = (
        Phrase[Any]("figure", (each,))
        for each in BOOK.quantities.values()
        if isinstance(each, Formula | Given | Constant)
    )
    lines = (Phrase[Any]("line", (each,)) for each in BOOK.formulas.values())
    sides = (Phrase[Any]("sides", (each,)) for each in BOOK.conditions.values())
    steps = (
        Phrase[Any]("step", (each,), place)
        for each in BOOK.statements.values()
        if isinstance(each, Derivation)
        for place in range(len(each.steps))
    )
    found = (*(each for each in said if isinstance(each, Phrase)), *figures, *lines, *sides, *steps)
    return tuple(dict.fromkeys(found))


@cache
def questions() -> tuple[tuple[Any, ...], ...]:
    """Give all that decides which branch of the article shows, as words."""
    return tuple(dict.fromkeys(each.words for each in article().regions if each.kind == "branch"))


def answer(words: tuple[Any, ...], workings: Workings) -> bool:
    """Answer a question as the templates of a page that stands still do."""
    match words:
        case ("not", inner):
            return not answer(inner, workings)
        case ("and", one, other):
            return answer(one, workings) and answer(other, workings)
        case ("result", place, *rest):
            held = int(place) < len(workings.results)
            return held and answer(tuple(rest), workings.results[int(place)])
        case ("has_result" | "has_near" as kind, place):
            return bool(Phrase[bool](kind, place=int(place))(workings))
        case (kind, *ids):
            return bool(Phrase[bool](kind, tuple(BOOK[each] for each in ids))(workings))
    raise AssertionError(words)


def said_by(workings: Workings) -> list[str | bool | None]:
    """Give what each phrase says (None where it says nothing), and the answer to each question."""
    said = [_said(each, workings) for each in phrases()]
    return [*said, *(answer(each, workings) for each in questions())]


def _said(phrase: Phrase[Any], workings: Workings) -> str | None:
    try:
        found = phrase(workings)
    except (NoValue, LookupError):
        return None
    return found.text() if isinstance(found, InNumbers) else str(found) or None


SAID = """([every, phrases, questions]) => every.map((choices) => {
  const sheet = sheetOf(choices);
  const said = phrases.map(([kind, ...about]) => {
    const isLine = ["line", "sides", "step"].includes(kind);
    // A derivation has all of its steps, or none.
    if (kind === "step" && !sheet.holds(["has_value", about[0]])) return null;
    return (isLine ? sheet.line(about.join(" "))?.text : sheet.says([kind, ...about])) ?? null;
  });
  return [...said, ...questions.map((each) => sheet.holds(each))];
})"""


def differences(page: Page, every: list[Configuration]) -> list[Any]:
    """Give what the script says otherwise than Python, with its configuration."""
    asked = [_asked(each) for each in every]
    words = [each.words for each in phrases()]
    found = []
    told = page.evaluate(SAID, [asked, words, questions()])
    for chosen, theirs in zip(every, told, strict=True):
        ours = said_by(workings_of(chosen))
        found += [
            (chosen, phrase, one, other)
            for phrase, one, other in zip([*words, *questions()], ours, theirs, strict=True)
            if one != other
        ]
    return found


def _asked(chosen: Configuration) -> dict[str, Any]:
    """Give the choices that were made, by their own ids: what follows the precision is left out."""
    resolved = chosen.resolved()
    return {name: resolved[name] for name, each in asdict(chosen).items() if each is not None}


@pytest.mark.parametrize("part", range(SLICES))
def test_every_text_of_the_catalogue_is_that_of_python(page: Page, part: int) -> None:
    every = [
        configuration(**system, **WORKLOADS[place * 7 % len(WORKLOADS)])
        for place, system in enumerate(systems())
    ][part::SLICES]

    assert differences(page, every) == []


def test_the_texts_of_any_configuration_are_those_of_python(page: Page) -> None:
    @settings(max_examples=60)
    @given(choices())
    def agree(drawn: Choices) -> None:
        try:
            chosen = evaluate(**drawn).chosen
        except ChoiceError:
            return
        assert differences(page, [chosen]) == []

    agree()


def test_every_workload_reads_alike(page: Page) -> None:
    every = [configuration(**workload) for workload in WORKLOADS]

    assert differences(page, every) == []


def test_what_was_measured_reads_alike(page: Page) -> None:
    every = [
        configuration(**each.choices, model=model)
        for each, model in zip(
            results()[::8], cycle(["llama-3-70b", "llama-3.1-70b"]), strict=False
        )
    ]

    assert {len(workings_of(each).results) for each in every} == {1, 2}
    assert differences(page, every) == []


# What is emitted


def test_the_module_of_the_formulas_is_small(served: str) -> None:
    import gzip
    from urllib.request import urlopen

    source = urlopen(f"{served}assets/live/book.js").read()

    assert len(gzip.compress(source)) < 6 * 1024
