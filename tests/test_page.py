"""The article as it is read: everything of the book is there, and what it says is so."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given, settings

from derivations.book import BOOK
from derivations.build import BuildError, pages
from derivations.catalogue import fact
from derivations.configure import COUNTS
from derivations.evaluate import Worksheet, evaluate
from derivations.language.algebra import Number, Quantity, nodes
from derivations.language.contents import trees
from derivations.language.declare import Constant, Formula, Given
from derivations.language.notation.plain import symbols
from derivations.language.units import factor
from derivations.render import page
from tests.configurations import Choices, choices
from tests.html_reader import (
    EXTENSIONS,
    article,
    by_id,
    classes,
    html_of,
    page_of,
    parents_of,
    parsed,
    text_of,
    with_class,
)
from tests.plain_reader import sides_of, value_of
from tests.project_copy import PROJECT, copy_of_the_project, run_in

GOLDEN = Path(__file__).parent / "golden" / "pages"

CASES: dict[str, Choices] = {
    "article": {},
    "short-prompt": {"input_length": 128},
    "compute-bound-decode": {"concurrency": 4096, "input_length": 512, "output_length": 16},
    "partly-overlapped": {"concurrency": 200},
    "batch-beyond-the-threshold": {"concurrency": 512},
    "nothing-overlapped-and-short-prompts": {"concurrency": 512, "input_length": 128},
    "one-of-each": {
        "tensor_parallelism": 1,
        "concurrency": 1,
        "input_length": 1,
        "output_length": 1,
    },
    "cache-of-another-format": {"kv_precision": "bf16"},
    "weights-that-do-not-fit": {"precision": "bf16", "tensor_parallelism": 1},
    "fits-on-no-number-of-accelerators": {"precision": "bf16", "concurrency": 4096},
    "stored-only": {"precision": "fp4", "arithmetic": "fp8"},
    "just-below-the-threshold": {
        "accelerator": "h100-sxm",
        "concurrency": 295,
        "input_length": 295,
    },
    "two-engines": {"accelerator": "b200", "kv_precision": "fp8"},
    "queued": {
        "accelerator": "h200-sxm",
        "tensor_parallelism": 1,
        "output_length": 8192,
        "concurrency": 128,
    },
    "measured-with-another-cache": {"accelerator": "b200", "precision": "fp4"},
    "just-above-the-threshold": {"accelerator": "mi355x", "concurrency": 315, "input_length": 315},
}
each_case = pytest.mark.parametrize("case", CASES)


# Everything is there


def ids_on(root: Element) -> list[str]:
    return [name for each in root.iter() if (name := each.get("id")) is not None]


def by_section(names: Iterable[str]) -> dict[str, list[str]]:
    """Sort ids by their section. The article leaves a part of one for its appendix."""
    found: dict[str, list[str]] = {}
    for each in names:
        found.setdefault(each.partition(".")[0], []).append(each)
    return found


def test_every_formula_is_on_the_page_once_and_in_the_order_of_its_section() -> None:
    found = [each for each in ids_on(article()) if each in BOOK.formulas]

    assert by_section(found) == by_section(BOOK.formulas)


def test_every_statement_is_on_the_page_once_and_in_the_order_of_its_section() -> None:
    found = [each for each in ids_on(article()) if each in BOOK.statements]

    assert by_section(found) == by_section(BOOK.statements)


def title_of(name: str) -> str:
    return {**BOOK.formulas, **BOOK.statements}[name].title


@pytest.mark.parametrize("name", [*BOOK.formulas, *BOOK.statements])
def test_a_card_shows_its_title_and_its_formula(name: str) -> None:
    card = by_id(article(), name)
    shown = [each.get("data-q") for each in card.iter() if each.get("data-q")]

    assert text_of(card).startswith(title_of(name))
    assert len([each for each in card.iter() if each.tag == "math"]) >= 1
    assert name in shown or name in BOOK.statements


@pytest.mark.parametrize("name", BOOK.statements)
def test_a_statement_says_how_it_is_known(name: str) -> None:
    (verdict,) = with_class(by_id(article(), name), "d-statement__verdict")

    assert re.search(r"(P|p)roven|(S|s)ampled", text_of(verdict))


FIGURES = """
    295 tokens; 1.4336E14 FLOPs; 36.22 ms; 1.64E5 bytes; 1536 tokens; 251.66 MB; 1.61E10 bytes;
    7.00E10 bytes; 8.61E10 bytes; 12.85 ms; 13.20 s; 65536 tokens; 4980 tokens/s;
    2490 tokens/s per GPU; 0 tokens
"""


@pytest.mark.parametrize("figure", [each.strip() for each in FIGURES.split(";")])
def test_the_article_shows_the_figures_of_the_original(figure: str) -> None:
    assert re.search(rf"(?<![\d.]){re.escape(figure)}\b", text_of(article()))


ORIGINAL = """
    Threshold for matmuls to be compute bound: 295 tokens
    FLOPs required: 1.4336E14 FLOPs
    Total compute available: 3.96E15 FLOP/s
    Prefill time per sequence: 36.22 ms
    KV cache per token: 1.64E5 bytes per token
    Average sequence length: 1536 tokens per sequence
    KV cache per sequence: 251.66 MB per sequence
    Total KV cache: 1.61E10 bytes
    Model weights: 7.00E10 bytes
    Total bytes per decode step: 8.61E10 bytes
    Memory bandwidth: 6.70E12 bytes/s
    Average decode time per step: 12.85 ms
    Time to first token: 36.22 ms
    Prefill time: 36.22 ms
    Decode time per token: 12.85 ms
    Output tokens: 1024 tokens per sequence
    Total latency: 13.20 s
    Total prefill time, chunked: 0 ms
    Total decode time: 13160.10 ms
    Total time, chunked: 13.16 s
    Output tokens per cycle: 65536 tokens
    Throughput, chunked: 4980 tokens/s
    Throughput per GPU, chunked: 2490 tokens/s per GPU
    Non-overlapped prefill tokens: 0 tokens
"""
"""The labels and the results of the worked lines of the article on the web."""


@cache
def labelled_lines() -> list[tuple[str, str]]:
    """Give the label and the text of every line: of the cards, and of what is recalled."""
    cards = [
        (text_of(with_class(card, "d-card__title")[0]), text_of(line))
        for card in with_class(article(), "d-card")
        for line in with_class(card, "d-card__line")
    ]
    recalled = [
        tuple(text_of(item).split(": "))
        for recall in with_class(article(), "d-recall")
        for item in recall.iter("li")
    ]
    return [*cards, *recalled]  # type: ignore[list-item]  # a recalled line has one colon


@pytest.mark.parametrize("line", ORIGINAL.strip().splitlines())
def test_every_worked_line_of_the_original_is_there_under_its_label(line: str) -> None:
    label, _, result = line.strip().partition(": ")
    found = [text for title, text in labelled_lines() if title == label]

    assert any(text.endswith(result) for text in found), found


# Every number leads somewhere


def names_of(sheet: Worksheet) -> list[str]:
    """Give the texts of data files that a page shows as they are, the longest first."""
    chosen = sheet.chosen
    arithmetic = chosen.arithmetic or chosen.precision
    found = [
        fact("accelerator", chosen.accelerator).name,
        fact("model", chosen.model).name,
        *(fact("precision", each).name for each in (chosen.precision, chosen.kv_precision) if each),
        arithmetic.upper(),
    ]
    entry = fact("accelerator", chosen.accelerator).each("compute")[arithmetic].entry
    return sorted(filter(None, [*found, entry.quoted_as, entry.derived]), key=len, reverse=True)


def bare_counts(identity: str) -> set[str]:
    """Give the numbers that are counts in the declared tree itself, as the 2 of ``OSL ÷ 2``."""
    found = (node for tree in trees(BOOK.entries[identity]) for node in nodes(tree))
    return {str(each.value) for each in found if isinstance(each, Number)}


_FIND_DIGITS = re.compile(r"\d+").finditer


NOT_READ = (
    "d-popovers", "d-number", "a", "math", "d-card__line", "d-findings", "d-chart", "d-near",
)  # fmt: skip
"""What is over all results, and not of the page's configuration, has tests of its own."""


def without_target(root: Element, sheet: Worksheet) -> Iterator[tuple[str, str]]:
    """
    Give each number that is neither a `.d-number`, nor in a link, a formula or a name.

    Three kinds need no target in a worked line: a bare count of the declared tree, the result of a
    step of a derivation (the line is where it comes from), and what "holds", which the line has
    with a target already.
    """
    for card in [*with_class(root, "d-card"), *with_class(root, "d-statement")]:
        identity = card.get("id", "")
        for line in with_class(card, "d-card__line"):
            known = {text_of(each).split()[0] for each in with_class(line, "d-number")}
            left = text_of(line, without=("d-number", "a", "math"))
            if identity in BOOK.statements:
                left = sides_of(left)[0]
            yield from (
                (identity, each[0])
                for each in re.finditer(r"[\d.]+(?:E\d+)?", left)
                if each[0]
                not in bare_counts(identity) | (known if "hold" in left[each.end() :] else set())
            )
    text = text_of(root, without=NOT_READ)
    for name in names_of(sheet):
        text = text.replace(name, "")
    yield from ((text[max(0, each.start() - 30) :][:60], each[0]) for each in _FIND_DIGITS(text))


@each_case
def test_every_number_of_the_page_has_a_target(case: str) -> None:
    root = article(**CASES[case])

    assert list(without_target(root, evaluate(**CASES[case]))) == []


@each_case
def test_every_number_opens_a_popover_of_the_page(case: str) -> None:
    root = article(**CASES[case])
    numbers = with_class(root, "d-number")
    ids = ids_on(root)

    assert len(numbers) > 100
    for number in numbers:
        assert f"pop-{number.get('data-q')}" in ids
        assert re.search(r"\d", text_of(number))


@each_case
def test_the_first_number_in_a_section_is_a_button_and_later_ones_are_not(case: str) -> None:
    seen: set[str] = set()
    for each in article(**CASES[case]).iter():
        if each.tag in ("h1", "h2", "h3", "h4"):
            seen.clear()
        if "d-number" not in classes(each):
            continue
        name = each.get("data-q", "")
        assert each.tag == ("span" if name in seen else "button"), name
        seen.add(name)


def popovers() -> dict[str, Element]:
    found = with_class(article(), "d-popover")
    return {each.get("id", "").removeprefix("pop-"): each for each in found}


def test_a_popover_tells_where_its_number_comes_from() -> None:
    assert len(popovers()) > 30
    for name, popover in popovers().items():
        entry = BOOK.entries[name]
        assert isinstance(entry, Formula | Constant | Given)
        links = [each.get("href", "") for each in popover.iter("a")]
        text = text_of(popover)
        assert entry.title in text
        assert entry.says in text
        match entry:
            case Formula():
                assert f"#{name}" in links
                assert any(each.startswith("https://") for each in links)
                assert f"{entry.symbol} = {symbols(entry.body)}" in text
            case Constant():
                assert any(each.startswith("https://") for each in links)
            case Given() if entry in COUNTS.values():
                assert "Chosen for this page, with --" in text
            case Given() if "Not stated for this model" in text:
                assert any(each.startswith("#parameters.") for each in links)
            case Given():
                assert any(each.startswith("https://") for each in links)
                assert re.search(r"As of \d+ \w+ \d{4}\.", text)
                assert "Trust: " in text


def test_the_links_within_the_page_lead_to_something_on_it() -> None:
    links = [each.get("href", "") for each in article().iter("a")]
    targets = {each.removeprefix("#") for each in links if each.startswith("#")}

    assert len(targets) > 20
    assert targets <= set(ids_on(article()))


# Every line recomputes


def printed(text: str) -> tuple[Fraction, Fraction]:
    """Give what digits say, and what the last one of them is worth."""
    match = re.fullmatch(r"(−?)(\d+)(?:\.(\d+))?(?:E([−-]?\d+))?", text)
    assert match is not None, text
    sign, whole, behind, power = match.groups(default="")
    unit = Fraction(10) ** (int(power.replace("−", "-") or 0) - len(behind))
    size = int(whole + behind) * unit
    return (-size if sign else size), unit


def rounded_like(value: Fraction, text: str) -> Fraction:
    """Round a value half up to the last digit of a text."""
    _, unit = printed(text)
    size = (abs(value) / unit * 2 + 1) // 2 * unit
    return -size if value < 0 else size


_AFTER = re.compile(r"(?<=\d) (?:s|ms)(?: per \w+)?\b")
"""A unit after a number within a line."""


def redone(line: str, scale: Fraction) -> None:
    """Redo a line with its own digits; *scale* is the unit of the result in base units."""
    worked, _, second = line.partition(" ≈ ")
    left, right = sides_of(worked)
    digits, _, _ = right.partition(" ")
    value = value_of(_AFTER.sub("", left))
    results = {rounded_like(value / each, digits) for each in (Fraction(1), scale)}

    assert printed(digits)[0] in results, line
    if second:
        again, unit = second.split(" ", 1)
        bigger = factor("MB") if unit.startswith("MB") else factor("s")
        value = printed(digits)[0] * scale / bigger
        assert rounded_like(value, again) == printed(again)[0], line


def redo_all(root: Element) -> int:
    """Redo every worked line of a page, and give their number."""
    lines = 0
    for card in [*with_class(root, "d-card"), *with_class(root, "d-statement")]:
        entry = BOOK.entries[card.get("id", "")]
        formula = entry if isinstance(entry, Formula) else getattr(entry, "of", None)
        for line in with_class(card, "d-card__line"):
            text = text_of(line)
            if "=" not in text:
                assert isinstance(entry, Formula)
                assert isinstance(entry.body, Quantity)
                continue
            assert formula is not None
            redone(text, factor(formula.show.unit))
            lines += 1
    return lines


@each_case
def test_every_worked_line_of_the_page_can_be_redone_from_its_own_digits(case: str) -> None:
    assert redo_all(article(**CASES[case])) >= 27


def test_the_lines_in_popovers_are_those_of_the_cards() -> None:
    found = {
        name: text_of(line)
        for name, popover in popovers().items()
        for line in with_class(popover, "d-worked")
    }

    assert len(found) > 20
    for name, text in found.items():
        (line,) = with_class(by_id(article(), name), "d-card__line")
        assert text_of(line) == text


# The HTML


@each_case
def test_ids_are_unique_and_nothing_is_nested_that_cannot_be(case: str) -> None:
    root = article(**CASES[case])
    parents = parents_of(root)

    assert len(ids_on(root)) == len(set(ids_on(root)))
    for button in root.iter("button"):
        above = parents[button]
        while above is not root:
            assert above.tag not in ("a", "button")
            above = parents[above]


def test_two_renders_are_the_same() -> None:
    assert page_of() == page_of()
    assert html_of(page_of(), *EXTENSIONS) == html_of(page_of(), *EXTENSIONS)


def skeleton(html: str) -> list[tuple[str, list[str]]]:
    """Give the elements of a page with the names of their attributes."""
    return [(str(each.tag), sorted(each.attrib)) for each in parsed(html).iter()]


HOSTILE = (
    "<script>alert(1)</script> <b onclick=x> ](javascript:alert(1)) [a](javascript:b) `code` "
    "{: onclick=x } $`\\evil`$ **bold** _it_ ![i](x) <!-- derivations?concurrency=1 --> | \\ "
    "&amp; \" ' [1](derivation:decode.step_time) {{ 7 * 7 }} {% raw %} <http://a.b> ~~s~~"
)
LINES = "\n\n# heading\n\n```math\nx\n```\n\n- item\n\n"

PRINT = """
import json
from tests.html_reader import EXTENSIONS, html_of, page_of
print(json.dumps(html_of(page_of(), *EXTENSIONS)))
"""


def test_what_a_data_file_says_never_becomes_an_element(tmp_path: Path) -> None:
    data = copy_of_the_project(tmp_path) / "derivations" / "data"
    for path, keys in {
        data / "accelerators" / "h100-sxm.toml": "name note quoted_as derived title seen",
        data / "models" / "llama-3-70b.toml": "name note title seen",
        data / "precisions" / "fp8.toml": "name title seen",
    }.items():
        text = path.read_text(encoding="utf-8")
        for key in keys.split():
            said = HOSTILE if key == "name" else HOSTILE + LINES
            text = re.sub(rf"(?m)^{key} = .*$", lambda _: f"{key} = {json.dumps(said)}", text)  # noqa: B023
        path.write_text(text, encoding="utf-8")
    done = run_in(tmp_path, "-c", PRINT)
    html = json.loads(done.stdout)
    ordinary = html_of(page_of(), *EXTENSIONS)

    assert skeleton(html) == skeleton(ordinary)
    assert text_of(parsed(html), without=()).count(HOSTILE) >= 10


# Faults of a template


def template_with(monkeypatch: pytest.MonkeyPatch, place: Path, line: str) -> int:
    """Add a line to a copy of the article's template, and give its number."""
    folder = shutil.copytree(PROJECT / "templates", place / "templates")
    article = folder / "article.md.jinja"
    text = article.read_text(encoding="utf-8")
    article.write_text(f"{text}{line}\n", encoding="utf-8")
    monkeypatch.setattr(page, "templates", lambda: folder)
    return text.count("\n") + 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "{{ decode.stepp_time | figure }}",
            "nothing called 'decode.stepp_time' in the book",
        ),
        ("{{ card(decode.bites) }}", "'decode.bites' in the book; did you mean decode.bytes or"),
        ("{{ decod.step_time | figure }}", "'decod' is undefined"),
        ("{{ decode.step_time | figur }}", "No filter named 'figur'."),
        ("{{ decode.step_time | also }}", "also: decode.step_time declares no second unit"),
        ("{{ workload.concurrency | datum }}", "datum: workload.concurrency is not a fact here"),
        ("{{ model.parameters | quoted }}", "the source of model.parameters quotes no other"),
        (
            "{{ threshold.inputs | figure }}",
            "figure: threshold.inputs is a statement or an unknown",
        ),
        ("{% if decode.compute_bound %}", "Unexpected end of template"),
    ],
)
def test_a_fault_of_a_template_is_told_with_its_line(
    line: str, message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    number = template_with(monkeypatch, tmp_path, line)

    with pytest.raises(BuildError) as caught:
        [each.markdown for each in pages(["article"])]

    assert str(caught.value).startswith(f"article.md.jinja:{number}: ")
    assert message in str(caught.value)


# The prose follows the case


def paragraphs(case: str) -> list[str]:
    """Give what a page says beside its worked lines: a paragraph or an item a text."""
    root = article(**CASES[case])
    skipped = ("d-popovers", "d-card__line", "d-card__title", "d-chart", "math")
    parents = parents_of(root)

    def seen(element: Element) -> bool:
        while element is not root:
            if not set(skipped).isdisjoint([*classes(element), element.tag]):
                return False
            element = parents[element]
        return True

    return [
        text_of(each)
        for each in root.iter()
        if each.tag in ("p", "li", "td", "th") and seen(each) and text_of(each)
    ]


def shape(paragraph: str) -> str:
    return re.sub(r"[\d.]+(?:E\d+)?", "#", paragraph)


@cache
def always_said() -> frozenset[str]:
    every = [set(map(shape, paragraphs(case))) for case in CASES]
    return frozenset(set.intersection(*every))


# To write the reviewed texts anew: GOLDEN=write pytest tests/test_page.py
@each_case
def test_the_prose_that_depends_on_the_case_is_the_reviewed_one(case: str) -> None:
    said = [each for each in paragraphs(case) if shape(each) not in always_said()]
    text = "\n".join(said) + "\n"
    golden = GOLDEN / f"{case}.txt"
    if os.environ.get("GOLDEN") == "write":
        golden.write_text(text, encoding="utf-8")

    assert text == golden.read_text(encoding="utf-8")


def test_every_reviewed_text_belongs_to_a_case() -> None:
    assert {each.stem for each in GOLDEN.glob("*.txt")} == set(CASES)


def said_exactly_when(text: str, sentence: str, holds: bool) -> None:
    assert (sentence in text) == holds, sentence


def comparisons(text: str, pattern: str) -> list[tuple[Fraction, Fraction]]:
    return [(printed(a)[0], printed(b)[0]) for a, b in re.findall(pattern, text)]


_COUNTED = "token|sequence|GPU|byte|step|parameter|FLOP|layer|head|value"
_NUMBER = r"([\d.]*\d(?:E[−-]?\d+)?)"


@settings(max_examples=25)
@given(choices())
def test_no_sentence_contradicts_the_configuration(chosen: Choices) -> None:
    root = parsed(html_of(page_of(**chosen), *EXTENSIONS))
    sheet = evaluate(**chosen)
    text = text_of(root)
    value = {
        name: sheet.value(each) for name, each in BOOK.formulas.items() if sheet.has_value(each)
    }
    long = value["prefill.compute_time"] >= value["prefill.memory_time"]
    busy = value["decode.compute_time"] >= value["decode.memory_time"]
    all_ride = value["chunked.non_overlapped_tokens"] == 0
    none_rides = value["chunked.overlapped_tokens"] == 0
    threshold, batch = value["threshold.tokens"], chosen["concurrency"]

    said_exactly_when(text, "prefill is compute bound, and", long)
    said_exactly_when(text, "prefill is memory bound:", not long)
    said_exactly_when(text, "decode is compute bound in this configuration", busy)
    said_exactly_when(text, "decode is memory bound in this configuration", not busy)
    said_exactly_when(text, "no more than the threshold", batch <= threshold and not busy)
    said_exactly_when(text, "That is more than the threshold", batch > threshold and not busy)
    said_exactly_when(text, "All the prompts ride along.", all_ride)
    said_exactly_when(text, "Nothing rides along", none_rides)
    said_exactly_when(text, "A part of the prompts rides along.", not all_ride and not none_rides)
    said_exactly_when(text, "Chunked prefill gains nothing here.", none_rides and long)
    said_exactly_when(text, "The first premise is broken here", batch >= threshold)
    said_exactly_when(text, "there is no such chunk", batch >= threshold)
    if "gains nothing" in text:
        assert value["chunked.cycle_time"] == pytest.approx(value["sequential.cycle_time"])
    for length, border in comparisons(text, rf"length of {_NUMBER} and a threshold of {_NUMBER},"):
        assert (length >= border) == long
    of_all = rf"{_NUMBER} in all\. That is %s than the threshold of {_NUMBER},"
    for all_of_them, border in comparisons(text, of_all % "more"):
        assert all_of_them > border
    for all_of_them, border in comparisons(text, of_all % "no more"):
        assert all_of_them <= border
    assert not re.search(rf"(?<![\d.])1 (?:{_COUNTED})s\b(?!/)", text)
    assert not re.search(r"\b(?:nan|inf|None|Undefined)\b", text)
    assert list(without_target(root, sheet)) == []
    assert redo_all(root) >= 20
