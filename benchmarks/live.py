"""What the live article costs in a browser: after a change, and on a first visit."""

from __future__ import annotations

import gzip
import os
import shutil
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.measure import Measured, python
from tests.serving import FLAGS, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Response

VISITS = 9

CHANGES = """async () => {
  const { Sheet } = await import("/assets/live/sheet.js");
  const { writerOf } = await import("/assets/live/page.js");
  const { catalogue, measured: results, asked } = window.shown.sheet;
  const write = writerOf(document.querySelector("[data-md-component=container]"));
  const others = {
    accelerator: ["b200", "h200-sxm", "mi300x", "h100-sxm"],
    concurrency: [128, 16, 512, 64, 1],
    model: ["qwen3-32b", "llama-3.1-8b", "llama-3-70b"],
    tensor_parallelism: [4, 8, 2],
    input_length: [8192, 777, 1024],
    output_length: [8192, 100, 1024],
  };
  const names = Object.keys(others);
  const times = [];
  let chosen = { ...asked };
  for (let turn = 0; turn < 90; turn += 1) {
    const name = names[turn % names.length];
    const values = others[name];
    chosen = { ...chosen, [name]: values[Math.floor(turn / names.length) % values.length] };
    const start = performance.now();
    write(new Sheet({ catalogue, results }, chosen));
    times.push(performance.now() - start);
    await new Promise((done) => setTimeout(done, 20));
  }
  return times;
}"""

CHARTS = """async () => {
  const names = ["roofline", "throughput", "latency"];
  for (const name of names) {
    const chart = document.querySelector(`[data-chart=${name}]`);
    chart.scrollIntoView();
    const live = () => chart.classList.contains("d-chart--live");
    while (!live()) await new Promise((done) => setTimeout(done, 50));
  }
  const form = document.querySelector("form.d-selector");
  const others = [["accelerator", ["b200", "h200-sxm", "mi300x", "h100-sxm"]],
    ["concurrency", [128, 16, 32, 64]], ["tensor_parallelism", [4, 8, 2]]];
  const times = [];
  for (let turn = 0; turn < 60; turn += 1) {
    const [name, values] = others[turn % others.length];
    form.elements[name].value = values[Math.floor(turn / others.length) % values.length];
    const start = performance.now();
    form.elements[name].dispatchEvent(new Event("change", { bubbles: true }));
    times.push(performance.now() - start);
    await new Promise((done) => setTimeout(done, 30));
  }
  return times;
}"""

FIRST = """() => new Promise((done) => {
  const paint = performance.getEntriesByName("first-contentful-paint")[0].startTime;
  const font = performance.getEntriesByType("resource").find((each) => each.name.endsWith("woff2"));
  done([paint, font ? font.responseEnd : 0]);
})"""


def the_live_article() -> Iterator[Measured]:
    """Measure the article in the system's Chromium; nothing where there is none."""
    place = shutil.which("chromium")
    if place is None:
        print("The live article was not measured: there is no Chromium on this machine.")
        return
    from playwright.sync_api import sync_playwright

    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Path(folder) / "site"
        python("-m", "mkdocs", "build", "--quiet", "--site-dir", str(site))
        browser = playwright.chromium.launch(executable_path=place, args=FLAGS)
        with serving(site) as address:
            yield from _measured(browser, address)
        browser.close()


def _is_chart(address: str) -> bool:
    """Tell whether something is loaded for the charts, which come after all the rest."""
    return address.endswith(("charts.js", "vega.js", "specifications.js", ".svg"))


def _keeping(answers: list[Response]) -> Callable[[Response], None]:
    return lambda answer: answers.append(answer)


def _measured(browser: Browser, address: str) -> Iterator[Measured]:
    firsts: list[tuple[float, float]] = []
    changes: list[float] = []
    charts: list[float] = []
    moved = 0
    for _ in range(VISITS):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        page = context.new_page()
        answers: list[Response] = []
        page.on("response", keep := _keeping(answers))
        page.add_init_script(
            "addEventListener('derivations:shown', (event) => { window.shown = event.detail })"
        )
        page.goto(address, wait_until="networkidle")
        page.wait_for_function("window.shown")
        moved = sum(len(gzip.compress(each.body())) for each in answers if not _is_chart(each.url))
        page.remove_listener("response", keep)
        firsts.append(page.evaluate(FIRST))
        if len(firsts) <= 3:
            changes += page.evaluate(CHANGES)
            charts += page.evaluate(CHARTS)
        context.close()
    text = statistics.median(paint for paint, _ in firsts)
    formula = statistics.median(max(each) for each in firsts)
    what = "all numbers after a change (the original: 0.4 to 1.4 ms)"
    yield Measured(what, statistics.median(changes) / 1e3, None, target=0.003)
    what = "numbers, selector and charts (the original: 67 ms)"
    yield Measured(what, statistics.median(charts) / 1e3, None, target=0.025)
    what = "first readable formula, after the first text"
    yield Measured(what, (formula - text) / 1e3, None, target=0.05)
    what = "first visit before charts, gzipped (the original: 486 KB)"
    yield Measured(what, moved / 1e3, None, target=250, unit="KB")
