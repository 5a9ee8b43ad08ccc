"""The live article for everyone: axe finds nothing of ours, and nothing moves by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDTHS = (1440, 768, 375)
PLACES = ("", "accelerators/h100-sxm/", "models/", "reading/")

OF_THE_THEME = (".md-copyright", ".md-header", ".md-nav__title", ".md-search", ".md-top")
"""Parts that the theme brings, which are not ours to change."""

SHIFTS = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) sum += each.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 400);
})"""


@pytest.fixture(params=("light", "dark"))
def scheme(request: pytest.FixtureRequest) -> str:
    """Give each of the two palettes."""
    return str(request.param)


@pytest.fixture(params=WIDTHS)
def page(request: pytest.FixtureRequest, browser: Browser, scheme: str) -> Iterator[Page]:
    """Give a page of each width, in each palette."""
    viewport: Any = {"width": request.param, "height": 900}
    chosen: Any = scheme
    context = browser.new_context(viewport=viewport, color_scheme=chosen)
    yield context.new_page()
    context.close()


def faults(page: Page) -> list[str]:
    """Give what axe finds wrong with the parts that are ours."""
    return [
        f"{each['id']}: {node['target']}: {node['failureSummary']}"
        for each in Axe().run(page).response["violations"]
        for node in each["nodes"]
        if not any(part in str(node["target"]) for part in OF_THE_THEME)
    ]


@pytest.mark.parametrize("place", PLACES)
def test_axe_finds_nothing_of_ours(page: Page, served: str, place: str) -> None:
    page.goto(f"{served}{place}", wait_until="networkidle")

    assert faults(page) == []


def test_axe_finds_nothing_of_ours_in_what_another_configuration_shows(
    page: Page, served: str
) -> None:
    address = f"{served}?concurrency=5000&input_length=3&model=x"
    page.goto(address, wait_until="networkidle")
    page.wait_for_function("document.querySelector('.d-selector__said').textContent")
    page.evaluate("document.querySelector('.d-popover').showPopover()")

    assert faults(page) == []


def test_axe_sees_what_is_wrong(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<html><body><img src='data:,'><button></button></body></html>")
    found = faults(page)
    page.close()

    assert {each.partition(":")[0] for each in found} >= {"image-alt", "button-name"}


@pytest.mark.parametrize("query", ["", "?accelerator=b200&concurrency=512"])
def test_nothing_moves_while_the_article_loads(page: Page, served: str, query: str) -> None:
    page.goto(f"{served}{query}", wait_until="networkidle")

    # What another configuration says may take a line more or less; a shift of 0.1 is noticed.
    assert page.evaluate(SHIFTS) < (0.005 if query == "" else 0.05)
