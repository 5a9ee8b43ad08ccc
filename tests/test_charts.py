"""The charts: what they draw, in Python and in the browser alike, and how they behave there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from derivations import files
from derivations.build import assets, write
from derivations.charts import bundle, kept
from derivations.charts.lines import drawing, roofline
from derivations.charts.look import AXES, LINES, RELATIVE
from derivations.charts.painting import key, painted, table, written
from derivations.charts.pictures import CHARTS, pictures
from derivations.configure import configuration
from derivations.evaluate import evaluate
from tests.charts_page import MADE_UP, run, write_page
from tests.serving import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Open = Callable[..., "Page"]
DEFAULT = configuration()


# What is drawn


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("name", LINES)
def test_the_ceiling_is_what_the_book_works_out(name: str, axis: str) -> None:
    drawn = drawing(name, DEFAULT, (), axis=axis)
    (line,) = drawn.lines
    quantity = LINES[name]["ceiling"]["chunked"]

    assert line.selected
    assert len(line.points) > 2
    for x, y in line.points:
        there: dict[str, Any] = {AXES[axis]["choice"]: x}
        assert y == evaluate(**there).value(quantity)


def test_the_ceiling_ends_where_weights_and_cache_do_not_fit() -> None:
    (line,) = drawing("throughput", configuration(input_length=8192), ()).lines
    most = evaluate(input_length=8192).value("memory.largest_concurrency")

    assert max(x for x, _ in line.points) <= most < max(AXES["users"]["grid"])


@pytest.mark.parametrize("name", LINES)
def test_only_runs_of_the_chosen_configuration_are_drawn(name: str) -> None:
    drawn = drawing(name, DEFAULT, MADE_UP)
    runs = {each.label: each.points for each in drawn.lines if each.kind == "measured"}
    shown = {(x, y) for points in runs.values() for x, y in points}
    value = attrgetter("output_rate" if name == "throughput" else "end_to_end")
    chosen = [each for each in MADE_UP if each.precision == "fp8" and each.tensor_parallelism == 2]

    assert shown == {(each.concurrency, value(each)) for each in chosen}
    assert len(runs) == len({(each.accelerator, each.engine) for each in chosen})


@pytest.mark.parametrize("name", LINES)
def test_relative_performance_is_the_share_of_the_ceiling_of_the_run_itself(name: str) -> None:
    chosen = configuration(kv_precision="bf16")
    drawn = drawing(name, chosen, MADE_UP, relative=True)
    (line,) = (each for each in drawn.lines if each.label == "NVIDIA H100 SXM, vLLM")

    for x, share in line.points:
        (found,) = (
            each
            for each in MADE_UP
            if each.accelerator == "h100-sxm"
            and (each.concurrency, each.tensor_parallelism) == (x, 2)
        )
        sheet = evaluate(concurrency=x, kv_precision=found.kv_precision)
        most = sheet.value(LINES[name]["ceiling"]["chunked"])
        got = found.output_rate if name == "throughput" else found.end_to_end
        assert share == 100 * (got / most if name == "throughput" else most / got)


def test_the_selected_accelerator_is_drawn_and_stands_out_without_any_run() -> None:
    drawn = drawing("throughput", configuration(accelerator="a100-80-sxm", precision="bf16"), ())
    (line,) = key(drawn, MADE_UP, "light", 500)[0]
    others = painted(
        "throughput", drawing("throughput", DEFAULT, MADE_UP), MADE_UP, "light", "users", False
    )

    assert line["label"] == "NVIDIA A100 SXM 80GB, theory"
    assert line["width"] > min(each["width"] for each in others)


def test_of_two_ceilings_of_an_accelerator_the_chosen_one_stands_out() -> None:
    chosen = configuration(accelerator="b200", precision="fp4")
    drawn = drawing("throughput", chosen, (run("b200", "vLLM", 64, precision="fp4"),))
    ceilings = {each.label: each.selected for each in drawn.lines if each.kind == "ceiling"}

    assert ceilings == {"NVIDIA B200, theory (KV FP8)": False, "NVIDIA B200, theory (KV FP4)": True}


def test_vendors_differ_without_colour() -> None:
    drawn = drawing("throughput", DEFAULT, MADE_UP)
    rows = painted("throughput", drawn, MADE_UP, "light", "users", False)
    looks = {
        vendor: {
            (each["shape"], tuple(each["dash"]))
            for each in rows
            if each["label"].startswith(vendor) and each["kind"] == "ceiling"
        }
        for vendor in ("NVIDIA", "AMD")
    }

    assert all(len(each) == 1 for each in looks.values())
    assert looks["NVIDIA"] != looks["AMD"]


def test_the_roofline_carries_what_prefill_and_decode_reach() -> None:
    found = roofline(evaluate())
    compute, bandwidth = 3.958e15, 6.7e12

    for each in found["marks"]:
        assert each["y"] == pytest.approx(min(compute, bandwidth * each["x"]))


def test_numbers_are_rounded_half_up() -> None:
    assert written(0.125, 2) == "0.13"
    assert written(2.5, 0) == "3"
    assert written(12, 1) == "12.0"


# Files


def test_there_is_a_picture_for_every_chart_and_scheme() -> None:
    made = dict(pictures(DEFAULT, MADE_UP))

    assert len(made) == 2 * len(CHARTS)
    for content in made.values():
        root = ElementTree.fromstring(content)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert (root.get("width"), root.get("height")) == ("640", "480")


def test_what_was_made_once_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(files, "cache_folder", lambda: tmp_path)
    made = []

    def make() -> bytes:
        made.append(1)
        return b"made"

    assert [kept.kept("a.svg", of, make) for of in "xxy"] == [b"made"] * 3
    assert len(made) == 2


def test_a_cache_that_cannot_be_written_costs_time_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setattr(files, "cache_folder", lambda: tmp_path / "file" / "below")

    assert kept.kept("a.svg", "", lambda: b"made") == b"made"


def test_the_bundle_has_neither_vega_lite_nor_an_address_to_load_from() -> None:
    script = bundle.vega().decode()

    assert len(script) < 500_000
    assert "import(" not in script
    assert "jsdelivr" not in script
    assert "vega-lite" not in script


def test_only_the_article_brings_charts() -> None:
    assert {each.place for each in assets(["article"])} >= {"assets/live/vega.js"}
    assert list(assets(["catalogue", "models"])) == []


def test_the_files_are_written_beside_the_pages(tmp_path: Path) -> None:
    written = write(assets(), tmp_path)

    assert "assets/charts/throughput-light.svg" in written.new
    assert (tmp_path / "assets/live/vega.js").read_bytes() == bundle.vega()
    assert write(assets(), tmp_path).same == len(written.new)


# In the browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("charts")
    write_page(folder)
    with serving(folder) as found:
        yield found


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Open]:
    """Give a function that opens the page, which must neither complain nor ask another host."""
    contexts = []
    faults: list[str] = []

    def open_(width: int = 1000, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        context.set_default_timeout(30_000)
        page = context.new_page()
        page.on("console", lambda each: faults.append(each.text))
        page.on("pageerror", lambda each: faults.append(str(each)))
        page.on(
            "request",
            lambda each: (
                None
                if each.url.startswith((address, "blob:", "data:"))
                else faults.append(each.url)
            ),
        )
        page.add_init_script(
            "window.shifts = []; new PerformanceObserver((list) =>"
            " list.getEntries().forEach((each) => shifts.push(each.value)))"
            ".observe({ type: 'layout-shift', buffered: true });"
        )
        page.goto(address, wait_until="networkidle")
        return page

    yield open_
    for context in contexts:
        context.close()

    assert faults == []


def show(page: Page, name: str = "throughput") -> None:
    page.locator(f"[data-chart={name}]").scroll_into_view_if_needed()
    page.wait_for_selector(f"[data-chart={name}].d-chart--live")


def show_all(page: Page) -> None:
    for name in CHARTS:
        show(page, name)


def cells(page: Page, name: str) -> list[list[str]]:
    """Give the texts of a table, its header first."""
    found: list[list[str]] = page.evaluate(
        "name => [...document.querySelectorAll(`[data-chart=${name}] tr`)]"
        ".map(row => [...row.cells].map(cell => cell.textContent))",
        name,
    )
    return found


def test_vega_is_loaded_when_a_chart_comes_into_view(open_page: Open) -> None:
    page = open_page()
    names = "performance.getEntriesByType('resource').map(each => each.name.split('/').pop())"
    before = page.evaluate(names)
    show(page)
    after = page.evaluate(names)

    assert "charts.js" in before
    assert not {"vega.js", "specifications.js"} & set(before)
    assert {"vega.js", "specifications.js"} <= set(after)


@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("axis", AXES)
def test_the_browser_shows_what_python_works_out(
    axis: str, relative: bool, open_page: Open
) -> None:
    page = open_page()
    show_all(page)
    figure = page.locator("[data-chart=throughput]")
    figure.locator(f"input[value={axis}]").check()
    figure.locator("input[name=relative]").set_checked(relative)

    for name in LINES:
        drawn = drawing(name, DEFAULT, MADE_UP, axis=axis, relative=relative)
        header, rows = table(name, drawn, AXES[axis]["title"], relative)
        assert cells(page, name) == [header, *rows]
        said = page.locator(f"[data-chart={name}] .d-chart__live").get_attribute("aria-label")
        assert said is not None
        assert said.startswith(RELATIVE[name] if relative else LINES[name]["title"])
        assert "2 × NVIDIA H100 SXM" in said


@pytest.mark.parametrize("name", LINES)
def test_the_table_holds_what_is_drawn(name: str, open_page: Open) -> None:
    page = open_page()
    show(page, name)
    drawn = page.evaluate(
        "name => [...document.querySelectorAll(`[data-chart=${name}] .layer_2_marks path`)]"
        ".map(each => each.__data__.datum).map(({ label, x, y }) => [label, x, y])",
        name,
    )
    header, *rows = cells(page, name)
    told = {
        (label, int(row[0]), text)
        for row in rows
        for label, text in zip(header[1:], row[1:], strict=True)
        if text != "–"
    }

    assert {(label, x, written(y, LINES[name]["decimals"])) for label, x, y in drawn} == told


def test_the_charts_follow_what_is_chosen(open_page: Open) -> None:
    page = open_page()
    show_all(page)
    choices = {"accelerator": "b200", "precision": "fp4", "kv_precision": "fp4"}
    arithmetic = {"arithmetic": "fp4", "concurrency": 20}
    chosen = configuration(**choices, **arithmetic)
    page.evaluate("choices => charts.update({...CHOICES, ...choices})", {**choices, **arithmetic})

    for name in LINES:
        header, rows = table(name, drawing(name, chosen, MADE_UP), "Concurrent users", False)
        assert cells(page, name) == [header, *rows]
    marks = roofline(evaluate(**chosen.resolved()))["marks"]
    assert [row[1] for row in cells(page, "roofline")[1:]] == [
        written(each["x"], 1) for each in marks
    ]
    assert "FP4" in str(page.locator(".d-chart__live").last.get_attribute("aria-label"))


def test_an_impossible_choice_leaves_the_runs_and_draws_no_ceiling(open_page: Open) -> None:
    page = open_page()
    show_all(page)
    chosen = configuration(accelerator="mi300x", arithmetic="fp4")
    drawn = drawing("throughput", chosen, MADE_UP)
    page.evaluate("charts.update({...CHOICES, accelerator: 'mi300x', arithmetic: 'fp4'})")

    assert [each.family.arithmetic for each in drawn.lines if each.selected] == ["fp8"]
    assert cells(page, "throughput")[0][1:] == [each.label for each in drawn.lines]


def test_where_there_is_nothing_to_draw_nothing_is_drawn(open_page: Open) -> None:
    page = open_page()
    show_all(page)
    nothing = "{...CHOICES, accelerator: 'h100-sxm', arithmetic: 'fp4', input_length: 77}"
    page.evaluate(f"charts.update({nothing})")
    empty = {name: cells(page, name)[1:] for name in CHARTS}
    page.evaluate("charts.update({...CHOICES, concurrency: 1000, tensor_parallelism: 8})")
    chosen = configuration(concurrency=1000, tensor_parallelism=8)
    drawn = drawing("throughput", chosen, MADE_UP)
    header, rows = table("throughput", drawn, "Concurrent users", False)

    assert empty == {each: [] for each in CHARTS}
    assert cells(page, "throughput") == [header, *rows]
    assert {"256", "512", "1000"} <= {row[0] for row in rows}


def test_the_controls_work_by_keyboard_and_tell(open_page: Open) -> None:
    page = open_page()
    show_all(page)
    figure = page.locator("[data-chart=throughput]")
    figure.locator("input[value=users]").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")

    assert page.evaluate("said") == [
        {"axis": "tp", "relative": False},
        {"axis": "tp", "relative": True},
    ]
    assert page.locator("[data-chart=latency] input[value=tp]").is_checked()
    assert page.locator("[data-chart=latency] input[name=relative]").is_checked()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Save as SVG"


def test_a_chart_is_saved_as_svg(open_page: Open) -> None:
    page = open_page()
    show(page)
    with page.expect_download() as saved:
        page.locator("[data-chart=throughput] button").click()
    root = ElementTree.fromstring(Path(saved.value.path()).read_bytes())
    texts = {each.text for each in root.iter("{http://www.w3.org/2000/svg}text")}

    assert saved.value.suggested_filename == "throughput-h100-sxm.svg"
    assert LINES["throughput"]["title"] in texts
    assert "NVIDIA H100 SXM, vLLM" in texts


def test_light_and_dark_follow_the_page(open_page: Open) -> None:
    page = open_page()
    show(page)
    color = "document.querySelector('.role-title-text text').getAttribute('fill')"
    light = page.evaluate(color)
    page.evaluate("document.body.setAttribute('data-md-color-scheme', 'slate')")
    page.wait_for_function(f"{color} !== '{light}'")

    assert light == "#1c2733"
    assert page.evaluate(color) == "#eef1f5"


@pytest.mark.parametrize("width", [1440, 768, 375])
def test_nothing_moves_when_a_live_chart_takes_its_place(width: int, open_page: Open) -> None:
    page = open_page(width)
    place = "document.querySelector('[data-chart=latency] details').getBoundingClientRect().top"
    page.locator("[data-chart=throughput]").scroll_into_view_if_needed()
    at = f"scrollY + {place}"
    before = page.evaluate(at)
    show_all(page)
    page.wait_for_timeout(200)

    assert page.evaluate(at) == pytest.approx(before, abs=1)
    assert sum(page.evaluate("shifts")) < 0.001
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [1440, 375])
@pytest.mark.parametrize("name", LINES)
def test_every_text_of_a_chart_lies_inside_it(name: str, width: int, open_page: Open) -> None:
    page = open_page(width)
    show(page, name)
    for _ in range(2):
        outside = page.evaluate(
            "name => { const box = document.querySelector(`[data-chart=${name}] .d-chart__box`)"
            ".getBoundingClientRect(); return [...document.querySelectorAll("
            "`[data-chart=${name}] .d-chart__live text`)].filter(each => { const it = "
            "each.getBoundingClientRect(); return it.width && (it.left < box.left - 1 || "
            "it.right > box.right + 1 || it.bottom > box.bottom + 1) }).map(e => e.textContent) }",
            name,
        )
        assert outside == []
        page.locator(f"[data-chart={name}] input[name=relative]").check()


def test_the_pointer_reads_a_value(open_page: Open) -> None:
    page = open_page()
    show(page)
    page.locator("[data-chart=throughput] .layer_2_marks path").last.hover()
    tip = page.locator(".d-chart__tip")
    tip.wait_for(state="visible")

    assert "NVIDIA H100 SXM, vLLM\nconcurrent users: 64" in tip.inner_text()


def test_without_a_script_the_pictures_show(open_page: Open) -> None:
    page = open_page(java_script_enabled=False)
    for name in CHARTS:
        picture = page.locator(f"[data-chart={name}] img").first
        picture.scroll_into_view_if_needed()
        page.wait_for_timeout(100)
        box = picture.bounding_box()
        assert box is not None
        assert box["width"] / box["height"] == pytest.approx(4 / 3, abs=0.01)
        assert not page.locator(f"[data-chart={name}] img").last.is_visible()


def test_what_was_mounted_can_be_taken_away(open_page: Open) -> None:
    page = open_page()
    before = cells(page, "throughput")
    show(page)
    page.evaluate("charts.destroy()")

    assert page.locator(".d-chart__live").count() == 0
    assert page.locator("input").count() == 0
    assert cells(page, "throughput") == before
    assert page.locator("[data-chart=throughput] img").first.is_visible()
