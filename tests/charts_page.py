"""A page with nothing but the charts, on which made-up runs are drawn by the real scripts."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from itertools import product
from pathlib import Path

import markdown

from derivations.book import BOOK
from derivations.build import assets
from derivations.catalogue import fact
from derivations.charts.measured import Row
from derivations.configure import ChoiceError, configuration, numbers
from derivations.evaluate import evaluate
from derivations.evaluate.program import javascript_source
from derivations.render.charts import figure

HERE = Path(__file__).parent
ASSETS = HERE.parent / "site" / "assets"
CHIPS = ("h100-sxm", "h200-sxm", "b200", "mi300x", "mi325x", "mi355x", "a100-80-sxm")


def run(
    accelerator: str,
    engine: str,
    concurrency: int,
    *,
    tensor_parallelism: int = 2,
    precision: str = "fp8",
    rate: float = 40.0,
) -> Row:
    """Give a made-up run of the article's workload."""
    return Row(
        accelerator=accelerator,
        engine=engine,
        models=("llama-3-70b", "llama-3.1-70b"),
        precision=precision,
        kv_precision="fp8",
        tensor_parallelism=tensor_parallelism,
        input_length=1024,
        output_length=1024,
        concurrency=concurrency,
        end_to_end=25 + concurrency / 4,
        output_rate=rate * concurrency / (2 + concurrency / 64),
    )


MADE_UP = (
    *(run("h100-sxm", "vLLM", each, rate=35) for each in (4, 8, 16, 32, 64)),
    *(run("b200", "TensorRT-LLM", each, rate=75) for each in (4, 8, 16, 32, 64, 128)),
    *(run("b200", "vLLM", each, rate=65) for each in (4, 8, 16, 32, 64)),
    *(run("mi300x", "vLLM", each, rate=42) for each in (4, 16, 64)),
    *(run("mi355x", "vLLM", 64, tensor_parallelism=each) for each in (1, 2, 4, 8)),
    *(run("h100-sxm", "vLLM", 64, tensor_parallelism=each, rate=30) for each in (4, 8)),
    run("b200", "vLLM", 64, precision="fp4"),
)


def write_page(folder: Path, measured: tuple[Row, ...] = MADE_UP) -> None:
    """Write the page and all that it loads into a folder."""
    for each in assets():
        place = folder / each.place
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(each.content)
    shutil.copy(ASSETS / "derivations.css", folder / "assets")
    shutil.copy(ASSETS / "live" / "charts.js", folder / "assets" / "live")
    shutil.copy(HERE / "charts_harness.js", folder / "harness.js")
    (folder / "harness.css").write_text(_STYLE, encoding="utf-8")
    (folder / "program.js").write_text(javascript_source(BOOK), encoding="utf-8")
    (folder / "given.js").write_text(_given(measured), encoding="utf-8")
    figures = "\n".join(figure(each, evaluate()) for each in ("throughput", "latency", "roofline"))
    html = markdown.markdown(figures, extensions=["md_in_html", "attr_list", "tables"])
    page = (HERE / "charts_harness.html").read_text(encoding="utf-8")
    filled = page.replace("<!-- figures -->", html)
    (folder / "index.html").write_text(filled, encoding="utf-8")


_STYLE = """
html { font-size: 125%; } body { font: 0.8rem/1.6 sans-serif; margin: 0; }
[data-md-color-scheme=slate] { background: #1e2129; color: #eef1f5; }
[data-md-color-scheme=default] img[src$="#only-dark"],
[data-md-color-scheme=slate] img[src$="#only-light"] { display: none; }
main { margin: 0 auto; max-width: 34rem; padding: 0 0.8rem; }
.far { height: 2000px; }
"""


def _given(measured: tuple[Row, ...]) -> str:
    found = {}
    formats = ("bf16", "fp8", "fp4")
    for chip, weights, cache, arithmetic in product(CHIPS, formats, formats, formats):
        try:
            values = numbers(
                configuration(
                    accelerator=chip, precision=weights, kv_precision=cache, arithmetic=arithmetic
                )
            )
        except ChoiceError:
            continue
        key = " ".join([chip, configuration().model, weights, cache, arithmetic])
        found[key] = {BOOK.id_of(given): value for given, value in values.items()}
    names = {
        each: {
            "name": fact("accelerator", each).name,
            "vendor": str(fact("accelerator", each).texts["vendor"]),
        }
        for each in CHIPS
    }
    texts = {
        "GIVENS": found,
        "MEASURED": [asdict(each) for each in measured],
        "NAMES": names,
        "CHOICES": configuration().resolved(),
    }
    return "".join(f"export const {name} = {json.dumps(each)};\n" for name, each in texts.items())
