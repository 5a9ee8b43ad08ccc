"""The pages of single ids: what they say, how they are cited, and names that last."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any

import html5lib
import pytest
import sympy
import yaml
from citeproc import Citation as Cite
from citeproc import CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
from citeproc.source.json import CiteProcJSON
from click.testing import CliRunner, Result
from markdown import markdown
from pybtex.database import parse_string

import derivations as d
from derivations.book import BOOK, decode
from derivations.build import checked
from derivations.catalogue import facts
from derivations.cli import main
from derivations.evaluate.program import for_floats, given_order, outputs
from derivations.language.algebra import Term
from derivations.language.contents import Book
from derivations.language.declare import Bridge, Constant, Formula, Unknown
from derivations.language.meaning import meaning, symbol_of
from derivations.reference import pages
from derivations.reference.citing import (
    FORMATS,
    SHORT,
    Citation,
    bibtex,
    citation,
    csl_json,
    permalink,
    plain,
)
from derivations.reference.citing import markdown as as_markdown
from derivations.reference.declared import place_of
from derivations.reference.inputs import givens_below
from derivations.reference.meaning import Fingerprints
from derivations.reference.metadata import head
from derivations.reference.pages import Glossary, Reference, ReferencePage
from derivations.reference.published import published
from derivations.reference.sensitivity import elasticities
from derivations.reference.solving import solved

PROJECT = Path(__file__).parents[1]
SITE = "https://example.org/derivations"
SHEET = d.evaluate()


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


# Fingerprints


def mark_of(formula: Formula, **changes: Any) -> str:
    """Give the fingerprint of a formula that is declared otherwise."""
    section = ModuleType("derivations.book.another")
    vars(section)["one"] = replace(formula, **changes)
    return Fingerprints(Book([*BOOK.sections, section])).of("another.one")


MARKS = Fingerprints(BOOK)
CONCURRENCY = BOOK.givens["workload.concurrency"]


@pytest.mark.parametrize(
    "body",
    [
        CONCURRENCY * decode.kv_per_sequence + decode.weights,
        decode.weights + decode.kv_per_sequence * CONCURRENCY,
        (decode.weights / CONCURRENCY + decode.kv_per_sequence) * CONCURRENCY,
        decode.weights + decode.kv_total,
    ],
    ids=["reordered", "turned", "factored", "by another name"],
)
def test_another_way_to_write_it_has_the_same_fingerprint(body: Term) -> None:
    assert mark_of(decode.bytes, body=body) == MARKS.of("decode.bytes")


@pytest.mark.parametrize(
    "body",
    [
        decode.weights + CONCURRENCY * decode.kv_per_sequence * 2,
        decode.weights - CONCURRENCY * decode.kv_per_sequence,
        (decode.weights + CONCURRENCY * decode.kv_per_sequence) * (10**9 + 1) / 10**9,
    ],
    ids=["twice", "minus", "a billionth more"],
)
def test_another_value_has_another_fingerprint(body: Term) -> None:
    assert mark_of(decode.bytes, body=body) != MARKS.of("decode.bytes")


def test_words_do_not_count_and_units_and_premises_do() -> None:
    formula = decode.compute_bound_concurrency
    mark = MARKS.of("decode.compute_bound_concurrency")

    assert mark_of(formula, title="Other", says="Other", symbol="Z") == mark
    assert mark_of(formula, unit="byte") != mark
    assert mark_of(formula, assuming=()) != mark


def test_formulas_of_different_values_have_different_fingerprints() -> None:
    by_mark: dict[str, list[str]] = {}
    for name in BOOK.formulas:
        by_mark.setdefault(MARKS.of(name), []).append(name)

    for names in by_mark.values():
        same = {str(sympy.simplify(BOOK.formulas[name].expression())) for name in names}
        assert len(same) == 1, names


# Citations

HOSTILE = (
    r"""50 % of {this} & $that$ #1 \input{x} ~ ^ _ <script>"'</script> [link](javascript:x) | ]]>"""
)


def cited(**changes: Any) -> Citation:
    return replace(citation(SHEET, "decode.step_time", SITE, MARKS), **changes)


def read_bibtex(text: str) -> Any:
    (entry,) = parse_string(text, "bibtex").entries.items()
    return entry


def styled(text: str) -> str:
    """Give the bibliography that a processor of citation styles makes of CSL-JSON."""
    source = CiteProcJSON(json.loads(text))
    style = CitationStylesStyle("harvard-cite-them-right", validate=False)
    made = CitationStylesBibliography(style, source, formatter.plain)
    (key,) = source
    made.register(Cite([CitationItem(key)]))
    return str(made.bibliography()[0])


@pytest.mark.parametrize("name", BOOK.entries)
def test_every_id_is_cited_in_every_format(name: str) -> None:
    found = citation(SHEET, name, SITE, MARKS)
    key, entry = read_bibtex(bibtex(found))
    (item,) = json.loads(csl_json(found))

    assert key == f"derivations:{name}" == item["id"]
    assert entry.fields["url"] == f"{SITE}/derivations/{name}/" == item["URL"]
    assert entry.fields["version"] == d.__version__ == item["version"]
    for text in (plain(found), item["note"], entry.fields["note"].replace("\\_", "_")):
        assert f"id {name}, meaning {MARKS.of(name)[:SHORT]}" in text
    assert set(FORMATS) == {"text", "markdown", "bibtex", "csl-json"}


def test_a_processor_of_styles_reads_the_json() -> None:
    text = styled(csl_json(cited()))

    assert "derivations maintainers" in text
    assert "2026" in text
    assert "Average decode time per step (decode.step_time)" in text


def test_hostile_texts_are_read_back_as_they_were() -> None:
    found = cited(title=HOSTILE, whole=HOSTILE, authors=(HOSTILE,))
    _, entry = read_bibtex(bibtex(found))
    (item,) = json.loads(csl_json(found))

    assert untexed(entry.fields["title"].strip("{}")) == f"{HOSTILE} (decode.step_time)"
    assert untexed(str(entry.persons["author"][0]).strip("{}")) == HOSTILE
    assert item["author"] == [{"literal": HOSTILE}]
    assert item["title"] == f"{HOSTILE} (decode.step_time)"
    html = markdown(as_markdown(found))
    assert "<script>" not in html
    assert re.findall(r'href="([^"]*)"', html) == [found.address]
    page = whole(f"<!doctype html><html><head><title>x</title>{head(found)}</head></html>")
    contents = {each.get("name"): each.get("content") for each in page.iter("meta")}
    assert contents["citation_title"] == f"{HOSTILE} (decode.step_time)"
    (script,) = page.iter("script")
    assert json.loads(str(script.text))["headline"] == HOSTILE


def whole(text: str) -> Any:
    """Read a page, its head too. Raises where it is no HTML."""
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)


def untexed(text: str) -> str:
    """Give the text that TeX shows, for the signs that we write."""
    text = text.replace(r"\textbackslash{}", "\0").replace(r"\textasciitilde{}", "~")
    text = text.replace(r"\textasciicircum{}", "^")
    return re.sub(r"\\([{}$&%#_])", r"\1", text).replace("\0", "\\")


def test_an_address_cannot_end_its_field() -> None:
    _, entry = read_bibtex(bibtex(cited(address="https://example.org/}, note = {x % y")))

    assert entry.fields["url"] == "https://example.org/%7D,%20note%20=%20%7Bx%20%25%20y"


def test_a_configuration_of_its_own_stands_in_the_address_and_in_the_note() -> None:
    sheet = d.evaluate(accelerator="b200", concurrency=128, kv_precision="bf16")
    found = citation(sheet, "decode.step_time", SITE + "/", MARKS)

    query = "accelerator=b200&kv_precision=bf16&concurrency=128"
    assert found.address == f"{SITE}/?{query}#decode.step_time"
    assert f"configuration {query}, value " in found.note
    assert permalink(SITE, "decode.bytes") == f"{SITE}/derivations/decode.bytes/"


def test_the_data_are_of_the_day_on_which_their_latest_source_was_read() -> None:
    below = givens_below(decode.step_time)
    days = {datum.source.read for given, datum in SHEET.data().items() if given in below}

    assert cited().data_of == max(days)
    assert citation(SHEET, "model.multiply_add", SITE, MARKS).data_of is None


def test_the_command_line_cites() -> None:
    done = run("cite", "decode.step_time", "--format", "bibtex", "--site", SITE)

    assert (done.exit_code, done.output) == (0, bibtex(cited()) + "\n")
    wrong = run("cite", "decode.steptime")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "did you mean decode.step_time" in wrong.stderr
    nowhere = run("cite", "decode.bytes", "--site", "example.org/}")
    assert nowhere.exit_code == 2
    assert "is no address; write https://" in nowhere.stderr
    assert "http" not in run("cite", "decode.bytes", "--site", "").stdout


# Names that last


def test_every_published_id_still_leads_somewhere() -> None:
    known = {kind: {*facts(kind), *(a for each in facts(kind).values() for a in each.aliases)}
             for kind in ("accelerator", "model")}  # fmt: skip
    for ids in published().since.values():
        for name in ids:
            kind, _, identity = name.rpartition("/")
            assert identity in known[kind] if kind else BOOK[name], name


def test_every_id_is_published_once() -> None:
    listed = [name for ids in published().since.values() for name in ids]
    there = [*BOOK.entries, *BOOK.aliases]
    there += [f"{kind}/{name}" for kind in ("accelerator", "model") for name in facts(kind)]

    assert len(listed) == len(set(listed))
    new = sorted(set(there) - set(listed))
    assert not new, f'write them into data/published.toml, under "{d.__version__}": {new}'


def test_versions_are_those_of_the_package_and_of_its_citation_file() -> None:
    record = yaml.safe_load((PROJECT / "CITATION.cff").read_text(encoding="utf-8"))

    assert record["version"] == d.__version__
    assert record["date-released"] == published().versions[d.__version__]
    assert record["title"] == published().title
    assert [each["name"] for each in record["authors"]] == list(published().authors)
    assert set(published().since) <= set(published().versions)


def test_a_former_id_leads_to_the_current_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BOOK, "aliases", {"decode.old_name": decode.bytes})
    ((place, html),) = pages.redirects()
    page = whole(html.decode())

    assert place == "derivations/decode.old_name/index.html"
    (link,) = page.iter("a")
    assert link.get("href") == "../decode.bytes/"
    (refresh,) = (each for each in page.iter("meta") if each.get("http-equiv"))
    assert refresh.get("content") == "0; url=../decode.bytes/"


# Solved, and moved


def test_a_formula_is_solved_rightly() -> None:
    tried = 0
    for formula in BOOK.formulas.values():
        for quantity, term in solved(formula):
            back = meaning(formula.body).subs(symbol_of(quantity), meaning(term))
            assert sympy.simplify(back - symbol_of(formula)) == 0, formula.title
            tried += 1
    assert tried > 100


def test_what_stands_in_a_maximum_is_not_solved_for() -> None:
    assert list(solved(decode.step_time)) == []
    assert [each for each, _ in solved(decode.mean_length)] == [
        BOOK.givens["workload.input_length"],
        BOOK.givens["workload.output_length"],
    ]


def test_elasticities_are_those_that_small_steps_show() -> None:
    """Against differences of the program itself, a thousandth of a percent to either side."""
    program, names = for_floats(BOOK), outputs(BOOK)
    order = given_order(BOOK)
    start = [SHEET.value(each) if SHEET.has_value(each) else math.nan for each in order]
    moved = {}
    for place, given in enumerate(order):
        ends = [program(*(v * (1 + s) if n == place else v for n, v in enumerate(start)))
                for s in (-1e-5, 1e-5)]  # fmt: skip
        moved[given] = [dict(zip(names, each, strict=True)) for each in ends]
    for name, formula in BOOK.formulas.items():
        found = elasticities(SHEET, formula)
        assert set(found) <= set(givens_below(formula))
        value = SHEET.value(formula) if SHEET.has_value(formula) else 0.0
        if not value:
            assert found == {}, name
            continue
        for given, (low, high) in moved.items():
            slope = (high[name] - low[name]) / value / 2e-5
            if math.isnan(slope):
                continue
            assert found.get(given, 0.0) == pytest.approx(slope, abs=1e-3), (name, given.title)


# The pages


@pytest.fixture(scope="module")
def reference() -> Reference:
    return Reference(checked(), SITE)


def test_every_id_has_a_page(reference: Reference) -> None:
    made = [each for each in reference.pages() if isinstance(each, ReferencePage)]

    assert [each.id for each in made] == list(BOOK.entries)
    for each in made:
        text = each.markdown
        assert each.place == f"derivations/{each.id}.md"
        assert f"`{each.id}`" in text
        assert f"@misc{{derivations:{each.id}," in text
        assert f"since version {published().version_of(each.id)}" in text


def test_each_is_declared_where_the_page_says() -> None:
    for name, entry in BOOK.entries.items():
        place, _, line = place_of(entry).rpartition(":")
        text = (PROJECT / place).read_text(encoding="utf-8").splitlines()[int(line) - 1]
        assert text.startswith(f"{name.partition('.')[2]} = "), name


def test_the_glossary_lists_every_id_once() -> None:
    text, _, _ = Glossary().markdown.partition("<svg")

    assert re.findall(r'<a href="([\w.]+)/">', text) == list(BOOK.entries)


def test_the_page_says_what_needs_what_both_ways(reference: Reference) -> None:
    links: dict[str, tuple[set[str], set[str]]] = {}
    for each in reference.pages():
        if isinstance(each, ReferencePage):
            needs, _, needed = each.markdown.partition("Needs: ")[2].partition("Needed by: ")
            if "Needed by: " not in each.markdown.partition("Needs: ")[2]:
                needed = each.markdown.partition("Needed by: ")[2]
            ids = re.compile(r'href="\.\./([\w.]+)/"')
            first = set(ids.findall(needs.partition("\n")[0])) if needs else set()
            links[each.id] = first, set(ids.findall(needed.partition("\n")[0]))
    for name, (needs_ids, needed_ids) in links.items():
        for other in needed_ids:
            if not isinstance(BOOK[name], Bridge):
                assert name in links[other][0], (name, other)
        for other in needs_ids:
            assert name in links[other][1], (name, other)


def test_formulas_constants_and_silent_ones_say_what_they_are(reference: Reference) -> None:
    text = {each.id: each.markdown for each in reference.pages() if isinstance(each, ReferencePage)}

    for name, entry in BOOK.entries.items():
        match entry:
            case Formula():
                assert f"```math derivation={name}\n" in text[name]
            case Constant():
                assert f"(derivation:{name})" in text[name]
            case Unknown():
                assert "It is written" in text[name]
            case Bridge():
                assert "It is not written" in text[name]
    assert isinstance(cited().released, date)
