"""Numbers, worked lines and whole derivations in the pages of another site."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import derivations as d
from derivations.book import decode
from derivations.configure import configuration
from derivations.hosts.markdown import DerivationsExtension, MarkdownError
from derivations.render.workings import Workings
from tests.html_reader import parsed, text_of, with_class

ANOTHER = Path(__file__).with_name("another_site")
SITE = "https://example.org/derivations"


def html_of(text: str, *, unknown: str = "refuse", site: str = SITE) -> str:
    from markdown import markdown

    return markdown(text, extensions=[DerivationsExtension(site=site, unknown=unknown)])


def built(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(place / "built"), *words],
        cwd=place,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
    )


@pytest.fixture
def another(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ANOTHER, tmp_path / "another"))


def test_another_site_shows_a_worked_line_with_its_notes_and_a_link(another: Path) -> None:
    done = built(another, "--strict")
    assert done.returncode == 0, done.stderr
    page = parsed((another / "built" / "index.html").read_text(encoding="utf-8"))
    text = " ".join(text_of(page).split())

    assert len((another / "mkdocs.yml").read_text(encoding="utf-8").splitlines()) == 4
    assert "which takes 8.61E10 ÷ 6.70E12 = 12.85 ms." in text
    assert "7.00E10 + 64 × 2.52E8 = 8.61E10 bytes" in text
    step = d.evaluate(accelerator="b200", concurrency=128)
    shown = Workings(step).figure(decode.step_time).text
    assert f"a step takes {shown}." in text
    notes = {each.get("id"): each for each in with_class(page, "d-popover")}
    for number in with_class(page, "d-number"):
        assert number.get("popovertarget", number.get("data-note")) in {*notes, None}
    links = {each.get("href") for each in notes["pop-decode.memory_time"].iter("a")}
    assert f"{SITE}/derivations/decode.memory_time/" in links
    for name in ("derivations.css", "derivations.js", "stix-two-math.woff2"):
        assert (another / "built" / "assets" / name).is_file()
    html = (another / "built" / "index.html").read_text(encoding="utf-8")
    assert "assets/derivations.css" in html
    assert "assets/derivations.js" in html


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[](derivation:decode.steptime)", "did you mean decode.step_time"),
        ("[](derivation:decode.bytes?accelerator=b20)", "did you mean b200"),
        ("[](derivation:decode.bytes?concurency=3)", "did you mean concurrency"),
        ("[](derivation:decode.bytes?concurrency=-3)", "concurrency is '-3', not a count"),
        ("[](derivation:decode.bytes#lines)", "has no #lines; write #line, or nothing"),
        ("[](derivation:model.layers#line)", "it is no formula"),
        ("[](derivation:chunked.never_slower)", "has no value to show"),
        ("```derivation decode.steptime\n```", "did you mean decode.step_time"),
        ("```derivation decode.bytes?model=gpt3\n```", "there is no model 'gpt3'"),
        ("[x](derivation:decode.steptime)", "did you mean decode.step_time"),
    ],
)
def test_what_there_is_not_fails_or_is_marked(
    text: str, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(MarkdownError) as problem:
        html_of(text)
    assert said in str(problem.value)
    page = parsed(html_of(text, unknown="mark"))

    assert "⚠" in text_of(page)
    assert said in text_of(page)
    assert said in caplog.text


def test_a_strict_build_of_another_site_fails_with_near_misses(another: Path) -> None:
    index = another / "docs" / "index.md"
    index.write_text("[](derivation:decode.steptime)\n", encoding="utf-8")
    strict, other = built(another, "--strict"), built(another)

    assert strict.returncode == 1
    assert "did you mean decode.step_time" in strict.stderr
    assert other.returncode == 0
    assert "WARNING -  there is nothing called 'decode.steptime'" in other.stderr
    assert "⚠" in (another / "built" / "index.html").read_text(encoding="utf-8")


def test_a_number_in_a_configuration_of_its_own_has_a_note_of_its_own() -> None:
    text = "[](derivation:decode.bytes) [](derivation:decode.bytes?concurrency=1)"
    page = parsed(html_of(text))
    numbers = with_class(page, "d-number")
    notes = {each.get("id"): text_of(each) for each in with_class(page, "d-popover")}

    assert [text_of(each) for each in numbers] == ["8.61E10 bytes", "7.03E10 bytes"]
    first, second = (notes[each.get("popovertarget")] for each in numbers)
    assert "64 × 2.52E8" in first
    assert "1 × 2.52E8" in second


def test_what_has_no_value_says_why() -> None:
    text = text_of(parsed(html_of("[](derivation:chunked.chunk_size?concurrency=4096)")))

    assert "has no value here, because" in text


def test_code_that_shows_how_it_is_written_is_left_alone() -> None:
    page = parsed(html_of("`[](derivation:decode.bytes)`\n\n    [](derivation:decode.bytes)\n"))

    assert with_class(page, "d-number") == []
    assert text_of(page).count("[](derivation:decode.bytes)") == 2


@pytest.mark.parametrize("site", ["javascript:alert(1)", "example.org", "https://x y", '"><b>'])
def test_an_address_of_the_derivations_is_one(site: str) -> None:
    with pytest.raises(MarkdownError, match="it should be an address"):
        html_of("text", site=site)


def test_the_default_configuration_is_that_of_the_page() -> None:
    text = "<!-- derivations?concurrency=1 -->\n\n[](derivation:decode.bytes)"

    assert "7.03E10 bytes" in text_of(parsed(html_of(text)))
    assert configuration().concurrency == 64
