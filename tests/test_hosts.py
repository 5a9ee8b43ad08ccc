"""Python-Markdown and MkDocs show the pages: formulas, numbers that open, a site from one host."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree.ElementTree import Element

import markdown
import pytest
from fontTools.ttLib import TTFont

from derivations.book import BOOK
from derivations.build import ConfigurationPage
from derivations.build import pages as made
from derivations.hosts.font import font_with, glyphs_of
from derivations.hosts.markdown import DerivationsExtension, MarkdownError
from derivations.render.equations import latex_of
from tests.html_reader import EXTENSIONS, html_of, parsed, text_of, with_class
from tests.project_copy import PROJECT, change, copy_of_the_project, run_in

GOLDEN = Path(__file__).parent / "golden" / "markdown"


# Numbers


def numbers(html: str) -> list[tuple[str, str, str]]:
    """Give the tag, the quantity and the text of each number."""
    return numbers_in(parsed(html))


def numbers_in(root: Element) -> list[tuple[str, str, str]]:
    found = with_class(root, "d-number")
    return [(each.tag, each.get("data-q", ""), text_of(each)) for each in found]


def popovers(html: str) -> dict[str, str]:
    found = with_class(parsed(html), "d-popover")
    return {each.get("id", "").removeprefix("pop-"): text_of(each) for each in found}


STEP = "[12.85 ms](derivation:decode.step_time)"


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.md")), ids=lambda path: path.stem)
def test_markdown_becomes_the_reviewed_html(path: Path) -> None:
    """To write the reviewed texts anew: GOLDEN=write pytest tests/test_hosts.py."""
    html = html_of(path.read_text(encoding="utf-8"), "tables", "md_in_html") + "\n"
    shown = re.sub('<div class="d-popovers".*', '<div class="d-popovers">…</div>', html)
    expected = path.with_suffix(".html")
    if os.environ.get("GOLDEN") == "write":
        expected.write_text(shown, encoding="utf-8")

    assert shown == expected.read_text(encoding="utf-8")


def test_a_number_is_a_button_first_and_a_span_later_in_the_section() -> None:
    found = numbers(html_of(f"{STEP} {STEP}\n\n{STEP}\n\n## Next\n\n{STEP} {STEP}"))

    assert [tag for tag, _, _ in found] == ["button", "span", "span", "button", "span"]
    assert {text for _, _, text in found} == {"12.85 ms"}


def test_a_button_opens_its_popover_without_a_script() -> None:
    (button,) = parsed(html_of(STEP)).iter("button")

    assert button.get("type") == "button"
    assert button.get("popovertarget") == button.get("interestfor") == "pop-decode.step_time"
    assert button.get("popovertargetaction") == "show"


def test_each_popover_is_there_once_at_the_end() -> None:
    other = "[64](derivation:workload.concurrency)"
    html = html_of(f"{STEP} {STEP} {other}\n\n## Next\n\n{other} {STEP}\n\nLast words.")

    assert list(popovers(html)) == ["decode.step_time", "workload.concurrency"]
    assert html.index("Last words.") < html.index("d-popovers")
    assert html.count('class="d-popovers"') == 1


def test_a_page_without_a_number_has_no_popovers() -> None:
    assert "d-popover" not in html_of("Words, and $`B`$.")


@pytest.mark.parametrize(
    ("text", "extensions"),
    [
        (f"- one\n\n    - two {STEP}\n", ()),
        (f"> {STEP}", ()),
        (f"| a |\n|---|\n| {STEP} |\n", ("tables",)),
        (f'<div markdown="1">\n\n{STEP}\n\n</div>', ("md_in_html",)),
        (f"# {STEP}", ("toc",)),
        (f"**{STEP}**", ()),
    ],
    ids="list quote table md_in_html heading strong".split(),
)
def test_a_number_may_stand_anywhere(text: str, extensions: tuple[str, ...]) -> None:
    html = html_of(text, *extensions)

    assert numbers(html) == [("button", "decode.step_time", "12.85 ms")]
    assert list(popovers(html)) == ["decode.step_time"]


def test_an_ordinary_link_stays_one() -> None:
    html = html_of("[a](https://example.com) and `[b](derivation:decode.step_time)`")

    assert numbers(html) == []
    assert 'href="https://example.com"' in html


def test_an_unknown_id_names_near_misses() -> None:
    with pytest.raises(MarkdownError, match=r"'decode\.steptime'.*did you mean decode\.step_time"):
        html_of("[12.85 ms](derivation:decode.steptime)")


@pytest.mark.parametrize("name", [*BOOK.statements, *BOOK.conditions, "workload.a_step"])
def test_what_has_no_value_cannot_be_shown_as_a_number(name: str) -> None:
    with pytest.raises(MarkdownError, match=f"^{re.escape(name)} has no value to show$"):
        html_of(f"[x](derivation:{name})")


# The configuration of a page

BANDWIDTH = "[x](derivation:machine.bandwidth)"


@pytest.mark.parametrize(
    ("directive", "line"),
    [
        ("", "2 × 3.35E12 = 6.70E12 bytes/s"),
        ("<!-- derivations? -->", "2 × 3.35E12 = 6.70E12 bytes/s"),
        ("<!-- derivations?accelerator=b200 -->", "2 × 8.00E12 = 1.60E13 bytes/s"),
        ("<!--derivations?accelerator=b200&tensor_parallelism=8-->", "8 × 8.00E12"),
        ("<!-- derivations?tensor_parallelism=1 -->", "1 × 3.35E12 = 3.35E12 bytes/s"),
        ("```\n<!-- derivations?accelerator=b200 -->\n```", "2 × 3.35E12 = 6.70E12 bytes/s"),
        ("    <!-- derivations?accelerator=b200 -->", "2 × 3.35E12 = 6.70E12 bytes/s"),
    ],
)
def test_a_comment_sets_the_configuration_of_the_page(directive: str, line: str) -> None:
    html = html_of(f"{directive}\n\n{BANDWIDTH}", "fenced_code")

    assert line in popovers(html)["machine.bandwidth"]
    assert "derivations?" not in text_of(parsed(html)) or directive[0] in "` "


def test_the_choices_of_the_extension_are_the_default_of_its_pages() -> None:
    extension = DerivationsExtension(choices={"accelerator": "b200"})
    changed = "<!-- derivations?tensor_parallelism=4 -->\n\n"
    texts = [
        popovers(markdown.markdown(text, extensions=[extension]))["machine.bandwidth"]
        for text in (BANDWIDTH, changed + BANDWIDTH)
    ]

    assert "2 × 8.00E12" in texts[0]
    assert "4 × 8.00E12" in texts[1]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("acelerator=b200", "there is no choice 'acelerator'; did you mean accelerator?"),
        ("accelerator=b20", "there is no accelerator 'b20'; did you mean b200"),
        ("accelerator=../b200", "there is no accelerator '../b200'"),
        ("accelerator=b200 precision=fp4", "there is no accelerator 'b200 precision=fp4'"),
        ("accelerator", "there is no accelerator ''"),
        ("concurrency=many", "concurrency is 'many', not a count"),
        ("concurrency=-1", "concurrency is '-1', not a count"),
        ("concurrency=0", "concurrency is 0; it should be a whole number from 1 to"),
        ("concurrency=1e3", "concurrency is '1e3', not a count"),
        ("concurrency=" + "9" * 5000, "not a count"),
        ("precision=fp4", "NVIDIA H100 SXM has no 'fp4' arithmetic; it has bf16"),
    ],
)
def test_a_configuration_that_cannot_be_is_refused(query: str, message: str) -> None:
    with pytest.raises(MarkdownError) as caught:
        html_of(f"<!-- derivations?{query} -->\n\n{BANDWIDTH}")

    assert str(caught.value).startswith("the configuration of this page: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("reset", [True, False])
def test_nothing_of_one_page_is_left_on_the_next(reset: bool) -> None:
    converter = markdown.Markdown(extensions=["derivations"])
    first = converter.convert(f"<!-- derivations?accelerator=b200 -->\n\n{BANDWIDTH}")
    if reset:
        converter.reset()
    second = converter.convert(BANDWIDTH)

    assert "2 × 8.00E12" in popovers(first)["machine.bandwidth"]
    assert "2 × 3.35E12" in popovers(second)["machine.bandwidth"]
    assert numbers(second)[0][0] == "button"


@pytest.mark.parametrize("reset", [True, False])
def test_nothing_of_a_page_that_failed_is_left_on_the_next(reset: bool) -> None:
    converter = markdown.Markdown(extensions=["derivations"])
    with pytest.raises(MarkdownError):
        converter.convert(
            f"<!-- derivations?accelerator=b200 -->\n\n{BANDWIDTH} [x](derivation:no.thing)"
        )
    if reset:
        converter.reset()
    html = converter.convert(BANDWIDTH)

    assert "2 × 3.35E12" in popovers(html)["machine.bandwidth"]
    assert list(popovers(html)) == ["machine.bandwidth"]


# Formulas


def maths(html: str) -> list[Element]:
    return list(parsed(html).iter("math"))


@pytest.mark.parametrize("name", [*BOOK.formulas, *BOOK.statements, *BOOK.conditions])
def test_a_fence_that_names_an_entry_shows_it_with_its_quantities(name: str) -> None:
    latex = latex_of(BOOK.entries[name])
    (shown,) = maths(html_of(f"```math derivation={name}\n{latex}\n```"))
    known = {each.get("data-q") for each in shown.iter()} - {None}

    assert shown.get("display") == "block"
    assert known
    assert known <= set(BOOK.quantities)
    assert name in known or name not in BOOK.formulas


def test_a_fence_may_leave_the_latex_to_the_book() -> None:
    latex = latex_of(BOOK["decode.step_time"])
    with_it, without = (
        html_of(f"```math derivation=decode.step_time\n{each}```") for each in (f"{latex}\n", "")
    )

    assert with_it == without


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("```math derivation=decode.step_time\nt = 1\n```", "decode.step_time is t_\\text{step} ="),
        ("```math derivation=decode.step\nt\n```", "nothing called 'decode.step' in the book"),
        ("```math derivation=model.layers\n```", "model.layers is a quantity without a formula"),
        ("```math\n\\frac{1}{2\n```", "this LaTeX has a brace without its other half: \\frac{1}{2"),
        ("```math\n\\nosuchthing{x}\n```", "this LaTeX has a command that is not known"),
        ("```math\n\\begin{aligned} a &= b \\end{aligned}\n```", "write split, not aligned"),
        ("$`\\begin{aligned} a \\end{aligned}`$", "write split, not aligned"),
        ("$`\\nosuchthing`$", "this LaTeX has a command that is not known"),
        ("```math\nx\n\nand on", "a formula needs an end"),
        ("- item\n    ```math\n    x\n    ```\n", "within a list an empty line before it"),
    ],
)
def test_a_formula_that_cannot_be_shown_is_refused(text: str, message: str) -> None:
    with pytest.raises(MarkdownError, match=re.escape(message)):
        html_of(text)


@pytest.mark.parametrize(
    ("text", "extensions"),
    [
        ("```math\nx^2\n```", ("fenced_code",)),
        ("- item\n\n    ```math\n    x^2\n    ```\n", ("fenced_code",)),
        ("1. item\n\n    - inner\n\n        ```math\n        x^2\n        ```\n", ()),
        ("> ```math\n> x^2\n> ```", ()),
        ('<div markdown="1">\n\n```math\nx^2\n```\n\n</div>', ("md_in_html",)),
    ],
    ids="alone list deeper quote md_in_html".split(),
)
def test_a_fence_of_plain_maths_may_stand_anywhere(text: str, extensions: tuple[str, ...]) -> None:
    html = html_of(text, *extensions)
    (shown,) = maths(html)

    assert "".join(shown.itertext()) == "x2"
    assert "```" not in html
    assert [each for each in shown.iter() if each.get("data-q")] == []


def test_a_symbol_of_the_book_is_marked_with_its_quantity_and_another_is_not() -> None:
    known, other = maths(html_of("$`B`$ and $`z`$"))

    assert [each.get("data-q") for each in known.iter("mi")] == ["workload.concurrency"]
    assert [each.get("data-q") for each in other.iter("mi")] == [None]


@pytest.mark.parametrize(
    "text", ["`` $`B`$ ``", "    $`B`$", "```\n$`B`$\n```", "    ```math\n    x\n    ```"]
)
def test_maths_in_code_stays_code(text: str) -> None:
    html = html_of(text, "fenced_code")

    assert maths(html) == []
    assert "<code>" in html


def test_two_formulas_in_a_line_are_two() -> None:
    assert len(maths(html_of("$`a`$ costs $5, $`b`$ costs $6"))) == 2


# The font


@pytest.fixture(scope="module")
def font(site: Path) -> TTFont:
    return TTFont(BytesIO((site / "assets" / "stix-two-math.woff2").read_bytes()))


def test_the_font_has_what_the_formulas_of_the_site_use(font: TTFont, site: Path) -> None:
    wanted: set[str] = set()
    for path in site.rglob("*.html"):
        for formula in re.findall(r"<math\b.*?</math>", path.read_text(encoding="utf-8"), re.S):
            wanted |= set("".join(unescape(re.sub(r"<[^>]+>", "", formula)).split()))
    known = {chr(code) for code in font.getBestCmap()}

    assert len(wanted) > 40
    assert wanted - {"\u2061"} <= known


def test_single_letters_are_there_in_italics_and_the_table_of_maths_is_kept(font: TTFont) -> None:
    known = {chr(code) for code in font.getBestCmap()}

    assert {"𝐵", "𝑇", "𝑛", "𝐶", "𝑊"} <= known
    assert "MATH" in font
    assert "glyf" in font or "CFF " in font


def test_the_glyphs_of_a_formula_are_its_signs_and_its_letters_in_italics() -> None:
    found = glyphs_of("<p>no</p><math><mi>h</mi><mo>&#x2264;</mo><mi>TP</mi><mi>x</mi></math>")

    assert found == {"h", "ℎ", "≤", "T", "P", "x", "𝑥"}


def test_the_font_is_small_and_the_same_each_time() -> None:
    content = font_with("x𝑥≤")

    assert content[:4] == b"wOF2"
    assert len(content) < 40_000
    assert font_with(["≤", "𝑥", "x"]) == content


# The site


Tags: TypeAlias = list[tuple[str, dict[str, str]]]

_HIDDEN = re.compile(r"(<script\b[^>]*>).*?</script>|<!--.*?-->", re.S)
_PAIR = r"""[^\s"'<>=/]+(?:="[^"]*"|='[^']*'|=[^\s>"']*)?"""
_TAG = re.compile(rf"<([a-z][a-z0-9-]*)((?:\s+{_PAIR})*)\s*/?>")
_ATTRIBUTE = re.compile(r"""([^\s"'<>=/]+)(?:="([^"]*)"|='([^']*)'|=([^\s>"']*))?""")


def tags_of(html: str) -> Tags:
    """Give the tags of a page with their attributes: fast, for the hundreds of pages of a site."""
    return [
        (tag, {name: unescape(a or b or c) for name, a, b, c in _ATTRIBUTE.findall(attributes)})
        for tag, attributes in _TAG.findall(_HIDDEN.sub(r"\1", html))
    ]


@cache
def pages(site: Path) -> dict[str, Tags]:
    """Give the tags of every page by its address."""
    return {
        path.relative_to(site).as_posix(): tags_of(path.read_text(encoding="utf-8"))
        for path in sorted(site.rglob("*.html"))
    }


def page(site: Path, place: str) -> Element:
    """Give a page as a tree. Raises `ParseError` where it is not HTML without a fault."""
    return parsed((site / place).read_text(encoding="utf-8"))


_LOADS = {"link": "href", "use": "href", "image": "href", "object": "data", "form": "action"}
_IN_CSS = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


def loaded(site: Path) -> set[tuple[str, str]]:
    """Give everything that a browser would fetch by itself, with the file that asks for it."""
    found = {
        (place, value)
        for place, tags in pages(site).items()
        for tag, attributes in tags
        for name in ("src", "srcset", "poster", _LOADS.get(tag, "src"))
        if (value := attributes.get(name)) and attributes.get("rel") != "canonical"
    }
    for path in (*site.rglob("*.css"), *site.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        styles = [text] if path.suffix == ".css" else re.findall(r"<style\b.*?</style>", text, re.S)
        found |= {(path.name, "".join(each)) for style in styles for each in _IN_CSS.findall(style)}
    return found


def test_nothing_is_loaded_from_another_host(site: Path) -> None:
    found = loaded(site)
    elsewhere = [pair for pair in found if re.match(r"(?!data:)[a-z]+:|//", pair[1])]

    assert len(found) > 20
    assert elsewhere == []


def test_our_own_assets_are_loaded_and_are_there(site: Path) -> None:
    asked = {value.rpartition("/")[2] for _, value in loaded(site)}

    for name in ("derivations.css", "derivations.js", "stix-two-math.woff2"):
        assert name in asked
        assert (site / "assets" / name).stat().st_size > 0


def dead_links(site: Path) -> Iterator[str]:
    """Give each link within the site that leads to no file, or to no id of it."""
    every = pages(site)
    ids = {place: {each.get("id") for _, each in tags} for place, tags in every.items()}
    for place, tags in every.items():
        if place == "404.html":  # its links start at the root of the site, wherever that is
            continue
        for target in {each[name] for _, each in tags for name in ("href", "src") if name in each}:
            if re.match(r"[a-z]+:|//", target):
                continue
            parts = urlsplit(urljoin(f"/{place}", target))
            path = unquote(parts.path).removeprefix("/")
            file = f"{path}index.html" if path == "" or path.endswith("/") else path
            if not (site / file).is_file():
                yield f"{place}: {target}: there is no {file}"
            elif file in ids and parts.fragment and unquote(parts.fragment) not in ids[file]:
                yield f"{place}: {target}: there is no such id"
        for name in ("popovertarget", "interestfor", "for", "aria-labelledby"):
            wanted = {each[name] for _, each in tags if name in each}
            yield from (f"{place}: {name}={each}: no such id" for each in wanted - ids[place])


def test_every_link_within_the_site_resolves(site: Path) -> None:
    assert list(dead_links(site)) == []


def test_the_checker_of_links_finds_dead_ones(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        "<p id='a'><a href='#a'>1</a> <a href=#b>2</a> <a href='c/'>3</a> <img src=\"d.png\"></p>"
        "<button popovertarget='e'></button><script>'<a href=\"#f\">'</script>"
    )

    assert len(list(dead_links(tmp_path))) == 4


@pytest.mark.parametrize("place", ["index.html", "reading/index.html", "404.html"])
def test_a_page_of_the_site_is_html_without_a_fault(place: str, site: Path) -> None:
    root = page(site, place)

    assert len(tags_of((site / place).read_text(encoding="utf-8"))) > 50
    assert root.tag == "body"


def test_ids_are_unique_in_every_page(site: Path) -> None:
    for place, tags in pages(site).items():
        counted = Counter(each["id"] for _, each in tags if "id" in each)
        assert [name for name, times in counted.items() if times > 1] == [], place


def filled_in(site: Path) -> list[ConfigurationPage]:
    """Give some of the pages of single configurations, from all over the site."""
    every = [each for each in made() if isinstance(each, ConfigurationPage) and not each.listed]
    return every[:: max(1, len(every) // 8)]


def test_a_page_that_was_filled_in_says_what_a_converted_one_says(site: Path) -> None:
    for each in filled_in(site):
        root = page(site, f"{each.place.removesuffix('.md')}/index.html")
        (shown,) = with_class(root, "md-content__inner")
        expected = parsed(html_of(each.markdown, *EXTENSIONS))
        assert text_of(expected) in text_of(shown, without=("d-popovers", "headerlink"))
        assert numbers_in(shown) == numbers_in(expected)


def test_the_generated_page_is_not_written_among_the_sources(site: Path) -> None:
    assert (site / "index.html").is_file()
    assert not (PROJECT / "site" / "index.md").exists()
    assert not (PROJECT / "site" / "assets" / "stix-two-math.woff2").exists()


# Faults stop the build


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "templates/article.md.jinja",
            "{{ card(decode.bytes) }}",
            "{{ card(decode.bites) }}",
            r"ERROR +-  article\.md\.jinja:\d+: there is nothing called 'decode\.bites' in the",
        ),
        (
            "templates/article.md.jinja",
            "{{ card(decode.bytes) }}",
            "{{ card(decode.bytes }}",
            r"ERROR +-  article\.md\.jinja:\d+: unexpected '}'",
        ),
        (
            "derivations/book/decode.py",
            "weights + workload.concurrency * kv_per_sequence,",
            "weights + workload.concurrency,",
            r"ERROR +-  decode\.bytes: ",
        ),
        (
            "derivations/book/decode.py",
            "bytes / machine.bandwidth,",
            "2 * bytes / machine.bandwidth,",
            r"ERROR +-  decode\.py:\d+: ",
        ),
        (
            "derivations/book/decode.py",
            "bytes / machine.bandwidth,",
            "bytes / machine.bandwidth)),",
            r"ERROR +-  decode\.py:\d+: unmatched '\)'",
        ),
        (
            "derivations/data/accelerators/h100-sxm.toml",
            'is = "3.35 TB / s / accelerator"',
            'is = "3.35 TB / accelerator"',
            r"ERROR +-  h100-sxm\.toml: bandwidth: '3\.35 TB / accelerator' cannot be read in",
        ),
        (
            "derivations/data/accelerators/h100-sxm.toml",
            'name = "NVIDIA H100 SXM"',
            "name = NVIDIA",
            r"ERROR +-  h100-sxm\.toml: ",
        ),
        (
            "site/reading.md",
            "## What the numbers are not",
            "[12.85 ms](derivation:decode.steptime)\n\n## What the numbers are not",
            r"ERROR +-  Error reading page 'reading\.md': there is nothing called 'decode\.stept",
        ),
    ],
    ids="name template unit bare_number syntax data toml page".split(),
)
def test_a_fault_stops_the_build_with_one_line_that_names_its_place(
    file: str, old: str, new: str, message: str, tmp_path: Path
) -> None:
    project = copy_of_the_project(tmp_path)
    change(project / file, old, new)
    done = run_in(project, "-m", "mkdocs", "build", "--strict", "--site-dir", "built")
    said = [
        line for line in done.stderr.splitlines() if re.match(r"ERROR|\S+Error|Traceback", line)
    ]

    assert done.returncode != 0
    assert len(said) == 1, done.stderr
    assert re.match(message, said[0])
