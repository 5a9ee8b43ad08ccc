"""The site in a real browser: at three widths, by mouse, by keyboard, by touch, without script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

WIDTHS = {1440: 900, 768: 1024, 375: 812}
SCHEMES = ("light", "dark")

Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def address(served: str) -> str:
    """Give the address of the built site."""
    return served


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Open]:
    """Give a function that opens the article, and closes it after the test."""
    contexts = []

    def open_(width: int = 1440, *, before: str = "", place: str = "", **options: Any) -> Page:
        viewport = {"width": width, "height": WIDTHS[width]}
        context = browser.new_context(viewport=viewport, **options)  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(30_000)
        page = context.new_page()
        if before:
            page.add_init_script(before)
        page.goto(address + place)
        return page

    yield open_
    for context in contexts:
        context.close()


def first_button(page: Page) -> Locator:
    return page.locator("button.d-number:visible").first


def later_mention(page: Page) -> Locator:
    return page.locator(":not([data-repeats]) > span.d-number:visible").first


def note_of(page: Page, number: Locator) -> Locator:
    return page.locator(f'[id="pop-{number.get_attribute("data-q")}"]')


def wait_until(note: Locator, state: Any) -> None:
    """Wait until a note is "visible" or "hidden"; playwright raises an error where it never is."""
    note.wait_for(state=state)
    assert note.is_visible() == (state == "visible")


# The page at each width


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_article_fits_the_screen_and_asks_no_other_host(
    width: int, scheme: str, browser: Browser, address: str
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": WIDTHS[width]},
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    page = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda each: said.append(each.text) if each.type == "error" else None)
    page.on("pageerror", lambda each: said.append(str(each)))
    page.on("request", lambda each: asked.append(each.url))
    page.goto(address, wait_until="networkidle")
    wide = page.evaluate("document.documentElement.scrollWidth")
    chosen = page.evaluate("document.body.dataset.mdColorScheme")
    lines = page.evaluate(
        "[...document.querySelectorAll('.d-card__line')].filter(e => e.scrollWidth > e.clientWidth)"
        ".map(e => e.textContent)"
    )
    context.close()

    assert wide <= width
    assert lines == []
    assert chosen == {"light": "default", "dark": "slate"}[scheme]
    assert said == []
    assert len(asked) > 4
    assert [each for each in asked if not each.startswith(address)] == []


def test_notes_stand_beside_the_text_where_there_is_room(open_page: Open) -> None:
    page = open_page(1440)
    text = page.locator("article p.d-lead").bounding_box()
    notes = [each.bounding_box() for each in page.locator("aside.d-aside").all()]

    assert text is not None
    assert len(notes) > 3
    for note in notes:
        assert note is not None
        assert note["x"] >= text["x"] + text["width"]
        assert note["x"] + note["width"] <= 1440
    for above, below in pairwise(filter(None, notes)):
        assert above["y"] + above["height"] <= below["y"]


@pytest.mark.parametrize("width", [768, 375])
def test_notes_stand_in_the_text_where_there_is_no_room(width: int, open_page: Open) -> None:
    page = open_page(width)
    text = page.locator("article p.d-lead").bounding_box()
    notes = [each.bounding_box() for each in page.locator("aside.d-aside").all()]

    assert text is not None
    for note in notes:
        assert note is not None
        assert note["x"] >= text["x"] - 1
        assert note["x"] + note["width"] <= text["x"] + text["width"] + 1


def test_formulas_are_set_in_the_font_that_the_site_brings(open_page: Open) -> None:
    page = open_page()
    page.evaluate("document.fonts.ready.then(() => true)")
    loaded = page.evaluate(
        "[...document.fonts].filter(f => f.family.includes('STIX Two Math')).map(f => f.status)"
    )
    family = page.evaluate("getComputedStyle(document.querySelector('article math')).fontFamily")

    assert loaded == ["loaded"]
    assert family.startswith('"STIX Two Math"')
    assert page.evaluate("""document.fonts.check('16px "STIX Two Math"')""")


# Numbers open, by every means

WITHOUT_INTEREST = """
    delete HTMLButtonElement.prototype.interestForElement;
    new MutationObserver(() => {
        for (const each of document.querySelectorAll("[interestfor]"))
            each.removeAttribute("interestfor");
    }).observe(document, { childList: true, subtree: true });
"""
"""Makes the browser one that does not know `interestfor`."""

each_browser = pytest.mark.parametrize(
    "before", ["", WITHOUT_INTEREST], ids=["of today", "without interestfor"]
)


@each_browser
@pytest.mark.parametrize("number_of", [first_button, later_mention])
def test_the_pointer_opens_a_number_and_leaving_closes_it(
    number_of: Callable[[Page], Locator], before: str, open_page: Open
) -> None:
    page = open_page(before=before)
    number = number_of(page)
    note = note_of(page, number)

    number.hover()
    wait_until(note, "visible")
    box, around = note.bounding_box(), number.bounding_box()

    assert box is not None
    assert around is not None
    assert box["y"] - 30 <= around["y"] + around["height"] <= box["y"] + box["height"] + 60
    assert box["x"] - 30 <= around["x"] + around["width"] / 2 <= box["x"] + box["width"] + 30

    page.mouse.move(2, 400)
    wait_until(note, "hidden")


@each_browser
def test_the_pointer_may_move_into_the_note(before: str, open_page: Open) -> None:
    page = open_page(before=before)
    number = later_mention(page)
    note = note_of(page, number)
    number.hover()
    wait_until(note, "visible")
    note.hover()
    page.wait_for_timeout(500)

    assert note.is_visible()


@each_browser
def test_the_keyboard_opens_a_number_and_closes_it(before: str, open_page: Open) -> None:
    page = open_page(before=before)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.d-number')"):
            break
    number = page.locator(":focus")
    note = note_of(page, number)
    page.keyboard.press("Enter")
    wait_until(note, "visible")
    page.keyboard.press("Escape")
    wait_until(note, "hidden")

    assert page.evaluate("document.activeElement.matches('button.d-number')")


@each_browser
@pytest.mark.parametrize("number_of", [first_button, later_mention])
def test_a_tap_opens_a_number_and_a_tap_elsewhere_closes_it(
    number_of: Callable[[Page], Locator], before: str, open_page: Open
) -> None:
    page = open_page(375, before=before, has_touch=True, is_mobile=True)
    number = number_of(page)
    note = note_of(page, number)
    number.tap()
    wait_until(note, "visible")
    box = note.bounding_box()

    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 375
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= WIDTHS[375]

    page.locator("article h1").tap()
    wait_until(note, "hidden")


def test_one_note_is_open_at_a_time(open_page: Open) -> None:
    page = open_page()
    first, second = page.locator("article .d-machine button.d-number").all()[:2]
    first.click()
    second.click()
    wait_until(note_of(page, second), "visible")

    assert page.locator(".d-popover:popover-open").count() == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_without_a_script_the_article_reads_and_its_buttons_open(
    width: int, open_page: Open
) -> None:
    page = open_page(width, java_script_enabled=False)
    number = first_button(page)
    note = note_of(page, number)
    text = page.locator("article").inner_text()

    assert "2490 tokens/s per GPU" in text
    assert "All the prompts ride along" in text
    assert not note.is_visible()

    number.click()
    wait_until(note, "visible")


@pytest.mark.parametrize("width", [1440, 375])
def test_the_link_of_a_note_leads_to_the_card(width: int, open_page: Open) -> None:
    page = open_page(width)
    number = page.locator('button.d-number[data-q="decode.step_time"]').last
    note = note_of(page, number)
    number.click()
    page.wait_for_timeout(300)  # the theme notes where a page is scrolled to a moment later
    note.locator("a", has_text="Go to the derivation").click()
    page.wait_for_function("location.hash === '#decode.step_time'")
    wait_until(note, "hidden")
    page.wait_for_function(
        "(() => { const box = document.getElementById('decode.step_time').getBoundingClientRect();"
        " const header = document.querySelector('.md-header').getBoundingClientRect();"
        " return box.top >= header.bottom - 1 && box.bottom <= innerHeight })()"
    )

    assert page.locator('[id="decode.step_time"]').is_visible()


def test_print_shows_the_text_and_no_note(open_page: Open) -> None:
    page = open_page()
    number = first_button(page)
    note = note_of(page, number)
    number.click()
    wait_until(note, "visible")
    page.emulate_media(media="print")

    assert not note.is_visible()
    assert page.locator('[id="decode.step_time"]').is_visible()


# Contrast

TEXTS = (
    "article p.d-lead",
    ".d-card__title",
    ".d-card__line",
    ".d-card__line button.d-number",
    ".d-aside p",
    ".d-statement__verdict",
    ".d-statement__verdict a",
    ".d-recall li",
    ".d-machine td",
    ".d-popover p",
    ".d-popover a",
    ".d-popover code",
)

COLORS = """
selector => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const blend = (color) => { context.fillStyle = color; context.fillRect(0, 0, 1, 1); };
  const read = () => [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  const element = document.querySelector(selector);
  const layers = [];
  for (let each = element; each; each = each.parentElement)
    layers.unshift(getComputedStyle(each).backgroundColor);
  ["#fff", ...layers].forEach(blend);
  const below = read();
  blend(getComputedStyle(element).color);
  return [read(), below];
}
"""


def luminance(color: list[int]) -> float:
    """Give the relative luminance of WCAG 2."""
    parts = [value / 255 for value in color]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: list[int], other: list[int]) -> float:
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_all_texts_stand_out_from_what_is_behind_them(scheme: str, open_page: Open) -> None:
    page = open_page(color_scheme=scheme)
    found = {text: contrast(*page.evaluate(COLORS, text)) for text in TEXTS}

    assert {text: ratio for text, ratio in found.items() if ratio < 4.5} == {}


def test_contrast_is_measured_as_wcag_does() -> None:
    assert contrast([0, 0, 0], [255, 255, 255]) == pytest.approx(21)
    assert contrast([119, 119, 119], [255, 255, 255]) == pytest.approx(4.48, abs=0.01)
