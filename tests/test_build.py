"""Every configuration gets its page: small, the same each time, and as if it were made alone."""

from __future__ import annotations

import gzip
import json
import re
from itertools import groupby
from pathlib import Path

import pytest
from markdown import Markdown

from derivations.book.memory import smallest_tensor_parallelism as SMALLEST
from derivations.build import PARTS, ConfigurationPage, Page, pages, write
from derivations.catalogue import facts
from derivations.charts.look import INKS, LINES
from derivations.hosts.shapes import Shapes
from tests.project_copy import change, copy_of_the_project, run_in

MADE = list(pages())
CONFIGURED = [each for each in MADE if isinstance(each, ConfigurationPage)]
APART = [each for each in CONFIGURED if not each.listed]
EXTENSIONS = ["attr_list", "md_in_html", "tables", "toc", "derivations"]


def test_every_accelerator_has_a_page_for_each_type_that_it_computes_in() -> None:
    places = {each.place for each in MADE}

    for chip in facts("accelerator").values():
        for kind in chip.each("compute"):
            assert f"accelerators/{chip.id}/{kind}.md" in places
        assert f"accelerators/{chip.id}/index.md" in places


def test_every_model_has_a_page_and_its_parameters_counted() -> None:
    places = {each.place for each in MADE}

    for model in facts("model"):
        assert {f"models/{model}/{name}.md" for name in ("index", "fp8", "parameters")} <= places


def test_no_two_pages_share_a_place() -> None:
    places = [each.place for each in MADE]

    assert len(places) == len(set(places))


def test_a_page_runs_on_the_smallest_power_of_two_of_accelerators_that_holds_it() -> None:
    for page in (each for each in APART if each.template == "article.md.jinja"):
        parallel = page.chosen.tensor_parallelism
        sheet = page.workings.sheet

        assert parallel & (parallel - 1) == 0
        if sheet.has_value(SMALLEST):
            assert parallel / 2 < sheet.value(SMALLEST) <= parallel


def test_only_lists_and_the_article_are_in_the_navigation() -> None:
    listed = {each.place for each in MADE if each.listed}

    assert listed == {"index.md", "accelerators/index.md", "models/index.md"}


def test_pages_of_configurations_are_not_searched() -> None:
    assert all("search:\n  exclude: true" in each.front_matter for each in APART)
    assert all(
        "search:" not in each.text.split("---")[1] for each in MADE if isinstance(each, Page)
    )


@pytest.mark.parametrize("part", PARTS)
def test_a_part_can_be_made_alone(part: str) -> None:
    places = {each.place for each in pages([part])}

    assert places
    assert places <= {each.place for each in MADE}


def one_of_each_shape() -> list[ConfigurationPage]:
    """Give two pages of each shape where there are two: the first one, and one filled in after."""
    by_shape = sorted(APART, key=lambda page: id(page.shape))
    groups = [list(group) for _, group in groupby(by_shape, key=lambda page: page.shape)]
    return [page for group in groups for page in group[:: max(1, len(group) - 1)][:2]]


def test_a_page_that_was_filled_in_is_the_page_that_is_made_alone() -> None:
    """What MkDocs fills into HTML is what Python-Markdown makes of the whole page."""
    shapes = Shapes()

    for page in one_of_each_shape():
        text = shapes.markdown(page)
        filled, _ = shapes.html(page, Markdown(extensions=EXTENSIONS).convert(text), None)
        whole = page.markdown.removeprefix(page.front_matter)

        assert normal(filled) == normal(Markdown(extensions=EXTENSIONS).convert(whole)), page.place


def normal(html: str) -> str:
    """Leave out what nobody sees: comments, and how a sign is written in a text."""
    from html import unescape

    return unescape(re.sub(r"<!--.*?-->\s*", "", html)).strip()


def test_two_builds_give_the_same_bytes() -> None:
    again = list(pages())

    assert [each.place for each in again] == [each.place for each in MADE]
    for before, after in zip(MADE[::5], again[::5], strict=True):
        assert before.markdown == after.markdown


def test_writing_says_what_is_new_what_has_changed_and_what_is_the_same(tmp_path: Path) -> None:
    some = MADE[:4]
    first = write(some, tmp_path)
    (tmp_path / some[1].place).write_text("something else")
    second = write(some, tmp_path)

    assert (first.new, first.changed, first.same) == (tuple(p.place for p in some), (), 0)
    assert (second.new, second.changed, second.same) == ((), (some[1].place,), 3)


def test_a_page_that_is_no_longer_made_is_removed_and_nothing_else(tmp_path: Path) -> None:
    write(MADE[:4], tmp_path)
    (tmp_path / "mine.md").write_text("a page of somebody's own")
    (tmp_path / ".pages.txt").write_text("../../etc/passwd\n/etc/passwd\n" + MADE[3].place + "\n")
    again = write(MADE[:3], tmp_path)

    assert again.gone == (MADE[3].place,)
    assert not (tmp_path / MADE[3].place).exists()
    assert (tmp_path / "mine.md").exists()


def test_no_mark_of_markdown_is_left_on_a_page(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert "**" not in page.read_text(encoding="utf-8"), page


def test_a_changed_fact_changes_only_the_pages_that_use_it(tmp_path: Path) -> None:
    project = copy_of_the_project(tmp_path)
    run_in(project, "-m", "derivations", "build")
    change(project / "derivations/data/accelerators/h200-sxm.toml", 'is = "4.8 TB', 'is = "4.9 TB')
    done = run_in(project, "-m", "derivations", "build")

    told = dict(line.split()[::-1] for line in done.stderr.splitlines() if line.startswith("chan"))
    assert set(told) == {
        "accelerators/index.md",
        "accelerators/h200-sxm/index.md",
        "accelerators/h200-sxm/bf16.md",
        "accelerators/h200-sxm/fp8.md",
        "index.md",  # which counts over all accelerators that were measured
        *(f"assets/charts/{name}-{scheme}.svg" for name in LINES for scheme in INKS),
    }


def test_generated_pages_are_small(site: Path) -> None:
    generated = [*site.glob("accelerators/*/*/index.html"), *site.glob("models/*/*/index.html")]

    assert len(generated) >= len(APART)
    for page in generated:
        html = page.read_bytes()

        assert len(html) < 190_000, page
        assert len(gzip.compress(html)) < 30_000, page


def test_the_index_of_the_search_does_not_grow_by_configurations(site: Path) -> None:
    index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))
    places = {entry["location"].partition("#")[0] for entry in index["docs"]}

    assert "" in places
    assert not {
        each for each in places if re.fullmatch(r"(accelerators|models)/[^/]+/[^/]+/", each)
    }
