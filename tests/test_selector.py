"""The selector of the live article, in a real browser: what it shows, and what it refuses."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner
from markdown import Markdown

from derivations.build import checked
from derivations.catalogue import defaults, facts, results
from derivations.cli import main
from derivations.configure import ChoiceError
from derivations.evaluate import evaluate
from derivations.render.page import render
from derivations.render.popover import SCHEME
from derivations.render.workings import workings_of
from tests.configurations import Choices

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

Open = Callable[..., "Page"]

READ = """(root) => {
  const kept = root.cloneNode(true);
  const aside = "[hidden], .d-tools, .d-current, .d-popovers, .headerlink, .d-chart, script";
  kept.querySelectorAll(aside).forEach((each) => each.remove());
  return kept.textContent.replace(/\\s+/g, " ").trim();
}"""
"""What a page shows, without the notes behind its numbers."""

NOTES = """(root) => Object.fromEntries([...root.querySelectorAll(".d-popover")].map(
  (note) => [note.id, note.textContent.replace(/\\s+/g, " ").trim()]
))"""


@pytest.fixture
def open_page(browser: Browser, served: str) -> Iterator[Open]:
    """Give a function that opens the article for a query, ready to choose in."""
    contexts = []
    faults: list[str] = []

    def open_(query: str = "", width: int = 1440, place: str = "", **options: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        context.set_default_timeout(30_000)
        page = context.new_page()
        page.on("pageerror", lambda each: faults.append(str(each)))
        page.add_init_script(
            "addEventListener('derivations:shown', (event) => { window.shown = event.detail })"
        )
        page.goto(f"{served}{place}{query}")
        if not place and options.get("java_script_enabled", True):
            page.wait_for_function("window.shown")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert faults == []


def field(page: Page, name: str) -> Locator:
    return page.locator(f"form.d-selector [name={name}]")


def said(page: Page) -> str:
    return page.locator("form.d-selector [role=status]").text_content() or ""


def query(page: Page) -> str:
    found: str = page.evaluate("location.search")
    return found


def line(page: Page, identity: str) -> str:
    return page.locator(f'[id="{identity}"] [data-line]').inner_text()


# The same texts everywhere


def some(seed: int) -> Choices:
    """Give a configuration chosen at random, every third of those that were measured."""
    draw = random.Random(seed)
    if seed % 3 == 0:
        models = {"model": draw.choice(["llama-3-70b", "llama-3.1-70b"])}
        return {**draw.choice(results()).choices, **models}
    formats = sorted(facts("precision"))
    while True:
        chosen: Choices = {
            "accelerator": draw.choice(sorted(facts("accelerator"))),
            "model": draw.choice(sorted(facts("model"))),
            "precision": draw.choice(formats),
            "kv_precision": draw.choice(formats),
            "tensor_parallelism": draw.choice((1, 2, 4, 8, 16, 3)),
            "input_length": draw.randint(1, 9000),
            "output_length": draw.randint(1, 9000),
            "concurrency": draw.randint(1, 900),
        }
        try:
            evaluate(**chosen)
        except ChoiceError:
            continue
        return chosen


def static(choices: Choices) -> str:
    """Give the HTML of the article with the numbers of a configuration, without the live page."""
    extensions = ["attr_list", "md_in_html", "tables", "derivations"]
    text = render("article.md.jinja", workings_of(evaluate(**choices).chosen), checked())
    own = {"derivations": {"site": "."}}  # the plugin says so for a page at the root
    return Markdown(extensions=extensions, extension_configs=own).convert(text)


PARSED = "(html) => new DOMParser().parseFromString(html, 'text/html').body"


@pytest.mark.parametrize("seed", range(20))
def test_the_live_page_the_static_page_and_the_command_say_the_same(
    open_page: Open, seed: int
) -> None:
    choices = some(seed)
    page = open_page(f"?{urlencode(choices)}")
    live = page.locator(".md-content__inner").evaluate_handle("(each) => each")
    alone = page.evaluate_handle(PARSED, static(choices))
    notes, other_notes = page.evaluate(NOTES, live), page.evaluate(NOTES, alone)
    options = [f"--{name.replace('_', '-')}={value}" for name, value in choices.items()]
    told = json.loads(CliRunner().invoke(main, ["evaluate", *options, "--json"]).stdout)["values"]
    results = page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('[data-line^=\"line \"]')]"
        ".filter((each) => !each.closest('[hidden]')).map((each) => "
        "[each.dataset.line.slice(5), each.querySelector('strong').textContent]))"
    )

    assert page.evaluate(READ, live) == page.evaluate(READ, alone)
    assert {name: notes[name] for name in other_notes} == other_notes
    assert len(results) > 40
    assert results == {name: told[name]["display"] for name in results}
    assert SCHEME not in page.content()


# Choosing


def test_each_field_changes_the_numbers_and_the_address(open_page: Open) -> None:
    page = open_page()
    before = line(page, "decode.bytes")
    field(page, "concurrency").fill("128")
    field(page, "concurrency").press("Enter")

    assert before == "7.00E10 + 64 × 2.52E8 = 8.61E10 bytes"
    assert line(page, "decode.bytes") == "7.00E10 + 128 × 2.52E8 = 1.02E11 bytes"
    assert query(page) == "?concurrency=128"

    field(page, "accelerator").select_option("b200")
    field(page, "precision").select_option("fp4")
    field(page, "model").select_option("qwen3-32b")
    field(page, "tensor_parallelism").fill("4")
    field(page, "tensor_parallelism").press("Tab")
    page.locator("[data-lengths]").select_option("8192 1024")
    page.get_by_text("Cache and arithmetic").click()
    field(page, "kv_precision").select_option("fp8")
    field(page, "arithmetic").select_option("bf16")
    field(page, "chunked").uncheck()

    assert dict(page.evaluate("[...new URLSearchParams(location.search)]")) == {
        "accelerator": "b200",
        "model": "qwen3-32b",
        "precision": "fp4",
        "tensor_parallelism": "4",
        "input_length": "8192",
        "concurrency": "128",
        "kv_precision": "fp8",
        "arithmetic": "bf16",
        "chunked": "off",
    }
    assert "Chunked prefill is switched off." in page.locator(".md-content__inner").inner_text()

    page.get_by_role("button", name="own configuration").click()

    assert query(page) == ""
    assert line(page, "decode.bytes") == before


def test_the_selector_is_in_sight_from_the_start(open_page: Open) -> None:
    page = open_page()
    page.wait_for_load_state("networkidle")
    top = page.evaluate(
        "() => ['[name=accelerator]', '.md-nav--primary > .md-nav__title']"
        ".map((each) => document.querySelector(each).getBoundingClientRect())"
        ".map(({ top, bottom }) => [top, bottom])"
    )
    field_top, title_bottom = top[0][0], top[1][1]

    assert title_bottom < field_top < 300


def test_a_number_that_is_in_use_keeps_the_focus(open_page: Open) -> None:
    page = open_page()
    number = page.locator('[id="decode.bytes"] [data-line] button.d-number').first
    number.focus()
    page.evaluate(
        "() => { window.moved = 0; new MutationObserver((all) => { window.moved += all.filter("
        "(each) => [...each.addedNodes].some((node) => node.nodeType === 1)).length })"
        ".observe(document.querySelector('.md-content__inner'), {childList: true, subtree: true}) }"
    )
    page.evaluate(
        "() => { const users = document.querySelector('[name=concurrency]');"
        "users.value = 128; users.dispatchEvent(new Event('change', { bubbles: true })) }"
    )

    assert line(page, "decode.bytes") == "7.00E10 + 128 × 2.52E8 = 1.02E11 bytes"
    assert page.evaluate("document.activeElement.dataset.q") == "decode.bytes"
    assert page.evaluate("window.moved") < 10


def test_nothing_is_moved_while_the_article_wakes_up(browser: Browser, served: str) -> None:
    page = browser.new_page()
    page.add_init_script(
        "addEventListener('DOMContentLoaded', () => { window.moved = 0;"
        "new MutationObserver((all) => all.forEach((each) => { window.moved += [...each.addedNodes]"
        ".filter((node) => node.nodeType === 1 && node.matches('.d-number, strong')).length }))"
        ".observe(document.body, { childList: true, subtree: true }) });"
        "addEventListener('derivations:shown', () => { window.shown = true })"
    )
    page.goto(served)
    page.wait_for_function("window.shown")
    moved = page.evaluate("window.moved")
    page.close()

    assert moved == 0


def test_lengths_can_be_chosen_freely(open_page: Open) -> None:
    page = open_page()
    page.locator("[data-lengths]").select_option("")

    assert page.evaluate("document.activeElement.name") == "input_length"

    field(page, "input_length").fill("777")
    field(page, "input_length").press("Enter")

    assert query(page) == "?input_length=777"
    assert page.locator("[data-lengths]").input_value() == ""


def test_what_a_chip_cannot_do_cannot_be_chosen_and_says_why(open_page: Open) -> None:
    page = open_page()
    fp4 = field(page, "precision").locator("option[value=fp4]")
    a100 = field(page, "accelerator").locator("option[value=a100-80-sxm]")

    assert fp4.get_attribute("disabled") is not None
    assert fp4.text_content() == "FP4 (no FP4 on this accelerator)"
    assert a100.get_attribute("disabled") is not None
    assert (a100.text_content() or "").endswith(" (no FP8)")

    field(page, "accelerator").select_option("b200")

    assert fp4.get_attribute("disabled") is None
    assert fp4.text_content() == "FP4"


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("0", "Concurrency is “0”; it should be a whole number from 1 to 1000000."),
        ("", "Concurrency is “”; it should be a whole number from 1 to 1000000."),
        ("1.5", "Concurrency is “1.5”; it should be a whole number from 1 to 1000000."),
        ("-3", "Concurrency is “-3”; it should be a whole number from 1 to 1000000."),
        ("1e3", "Concurrency is “1e3”; it should be a whole number from 1 to 1000000."),
        ("9999999", "Concurrency is “9999999”; it should be a whole number from 1 to 1000000."),
    ],
)
def test_a_count_that_cannot_be_changes_nothing(open_page: Open, typed: str, answer: str) -> None:
    page = open_page()
    before = page.evaluate(READ, page.locator(".md-content__inner").element_handle())
    field(page, "concurrency").fill(typed)
    field(page, "concurrency").press("Tab")

    assert said(page) == answer
    assert query(page) == ""
    assert page.evaluate(READ, page.locator(".md-content__inner").element_handle()) == before


# The address


QUERIES = {
    "?accelerator=h200": ("h200-sxm", ""),
    "?accelerator=b20": (
        "h100-sxm",
        "There is no accelerator “b20”; did you mean b200 or",
    ),
    "?accelerator=%3Cscript%3Ealert(1)%3C/script%3E": (
        "h100-sxm",
        "There is no accelerator “<script>alert(1)</script>”",
    ),
    "?accelerator=constructor": ("h100-sxm", "There is no accelerator “constructor”"),
    "?precision=fp4": (
        "h100-sxm",
        "NVIDIA H100 SXM has no FP4 arithmetic; it has BF16, ",
    ),
    "?concurrency=many": (
        "h100-sxm",
        "Concurrency is “many”; it should be a whole number from 1 to 1000000.",
    ),
    "?input_length=1e99": ("h100-sxm", "Input length is “1e99”; it should be a whole number"),
    "?concurency=3": ("h100-sxm", "There is no choice “concurency”; did you mean concurrency?"),
    "?utm_source=mail": ("h100-sxm", ""),
    "?accelerator=mi300x&accelerator=b200": (
        "b200",
        "“accelerator” is given twice; the last one counts.",
    ),
    "?accelerator=b200&accelerator=b200": ("b200", ""),
    "?kv_precision=": ("h100-sxm", "There is no precision “”; there is bf16, "),
    "?model=../../etc/passwd": (
        "h100-sxm",
        "There is no model “../../etc/passwd”; choose one from the list.",
    ),
    "?chunked=maybe": ("h100-sxm", "Chunked is “maybe”; it should be on or off."),
    "?arithmetic=fp99": ("h100-sxm", "There is no arithmetic “fp99”; did you mean fp"),
    "?" + "x" * 5000: ("h100-sxm", ""),
}


@pytest.mark.parametrize("address", QUERIES)
def test_an_address_that_cannot_be_is_told_and_the_rest_is_shown(
    open_page: Open, address: str
) -> None:
    chip, answer = QUERIES[address]
    page = open_page(address)

    assert field(page, "accelerator").input_value() == chip
    assert said(page).startswith(answer)
    assert bool(said(page)) == bool(answer)
    assert page.locator("form.d-selector script").count() == 0


def test_back_forward_and_reload_show_what_the_address_says(open_page: Open) -> None:
    page = open_page()
    field(page, "accelerator").select_option("b200")
    field(page, "accelerator").select_option("mi300x")
    page.go_back()
    page.wait_for_function("window.shown.choices.accelerator === 'b200'")

    assert field(page, "accelerator").input_value() == "b200"
    assert query(page) == "?accelerator=b200"

    page.go_back()
    page.wait_for_function("window.shown.choices.accelerator === 'h100-sxm'")

    assert query(page) == ""

    page.go_forward()
    page.wait_for_function("window.shown.choices.accelerator === 'b200'")
    page.reload()
    page.wait_for_function("window.shown?.choices.accelerator === 'b200'")

    assert field(page, "accelerator").input_value() == "b200"
    assert "8 TB/s per GPU" in page.locator(".d-machine").inner_text()


def test_the_choices_of_the_charts_are_in_the_address(open_page: Open) -> None:
    page = open_page("?chart=tp")
    chart = page.locator("[data-chart=throughput]")
    chart.scroll_into_view_if_needed()
    users = chart.get_by_role("radio", name="Concurrent users")
    parallel = chart.get_by_role("radio", name="Tensor parallelism")
    users.wait_for(state="visible")

    assert parallel.is_checked()

    chart.get_by_role("checkbox").check()

    assert query(page) == "?chart=tp&relative=on"

    users.check()

    assert query(page) == "?relative=on"

    page.go_back()
    page.wait_for_function("window.shown.view.chart === 'tp'")

    assert parallel.is_checked()
    assert chart.get_by_role("checkbox").is_checked()


def test_instant_navigation_leaves_and_comes_back(open_page: Open) -> None:
    page = open_page("?concurrency=128")
    page.evaluate("window.stayed = true")
    page.locator(".md-nav--primary").get_by_role("link", name="Models").first.click()
    page.wait_for_url("**/models/")
    page.locator("form.d-selector").wait_for(state="detached")

    page.evaluate("window.shown = null")
    page.go_back()
    page.wait_for_function("window.shown")

    assert query(page) == "?concurrency=128"
    assert line(page, "decode.bytes") == "7.00E10 + 128 × 2.52E8 = 1.02E11 bytes"
    assert page.evaluate("window.stayed")

    field(page, "concurrency").fill("32")
    field(page, "concurrency").press("Enter")

    assert line(page, "decode.bytes") == "7.00E10 + 32 × 2.52E8 = 7.81E10 bytes"


# Without a mouse, without a script


def test_the_selector_works_by_keyboard_alone(open_page: Open) -> None:
    page = open_page()
    field(page, "accelerator").focus()
    page.keyboard.type("NVIDIA H200 S")
    page.keyboard.press("Tab")
    for _ in range(3):
        page.keyboard.press("Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type("16")
    page.keyboard.press("Enter")

    assert query(page) == "?accelerator=h200-sxm&concurrency=16"


def test_on_a_phone_the_selector_is_in_the_drawer(open_page: Open) -> None:
    page = open_page("?accelerator=b200", width=375, has_touch=True, is_mobile=True)
    current = page.locator(".d-current")

    assert "NVIDIA B200, FP8: Llama 3 70B on 2 GPUs, 64 sequences" in current.inner_text()

    current.get_by_text("Choose another").tap()
    field(page, "accelerator").wait_for(state="visible")
    page.wait_for_timeout(400)  # the drawer slides in
    field(page, "concurrency").tap()
    field(page, "concurrency").fill("8")
    field(page, "concurrency").press("Enter")

    assert query(page) == "?accelerator=b200&concurrency=8"
    assert "8 sequences" in current.inner_text()


def test_without_a_script_the_default_configuration_is_read(open_page: Open) -> None:
    page = open_page(java_script_enabled=False)

    assert not page.locator("form.d-selector").is_visible()
    assert not page.locator(".d-current label").is_visible()
    assert line(page, "decode.bytes") == "7.00E10 + 64 × 2.52E8 = 8.61E10 bytes"
    assert page.locator(".md-content__inner").inner_text().count("configuration does not fit") == 0


# Symbols and formulas


def test_a_symbol_lights_up_everywhere(open_page: Open) -> None:
    page = open_page()
    page.locator('math [data-q="model.parameters"]').first.hover()
    lit = page.locator(".d-lit")

    assert lit.count() == page.locator('math [data-q="model.parameters"]').count() > 3

    page.locator("h1").hover()

    assert lit.count() == 0


def test_a_formula_can_be_copied_and_linked_to(open_page: Open) -> None:
    page = open_page("?concurrency=128", permissions=["clipboard-read", "clipboard-write"])
    card = page.locator('[id="decode.memory_time"]')
    card.hover()
    card.get_by_role("button", name="Copy this formula as LaTeX").click()

    assert page.evaluate("navigator.clipboard.readText()") == (r"t_\text{read} = \frac{Q}{W}")

    card.get_by_role("link", name="Link to this formula").click()

    assert page.evaluate("location.search + location.hash") == "?concurrency=128#decode.memory_time"
    assert defaults()["concurrency"] == 64
