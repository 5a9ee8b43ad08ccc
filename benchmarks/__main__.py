"""Print what is measured, ours and theirs, the ratio, and whether it is as wanted."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import yaml
from mkdocs.utils.yaml import yaml_load

import derivations as d
from benchmarks.by_hand import ARGUMENTS, RESULTS, chain, chain_of_arrays
from benchmarks.live import the_live_article
from benchmarks.measure import HEADER, ROOT, Measured, in_turns, processor_seconds, python
from benchmarks.pages import many_pages
from benchmarks.reviews import one_changed_formula
from derivations.book import BOOK
from derivations.catalogue import facts
from derivations.evaluate.program import outputs

ROWS = 1_000_000
HEAVY = ("sympy", "pint", "mkdocs", "numpy", "jinja2", "markdown", "rich", "msgspec")


def many_configurations(what: str, arrays: dict[str, Any]) -> Measured:
    """Measure `sweep` against the same chain in NumPy, for a million configurations."""
    # A result was measured with the facts; where facts are replaced, there is none.
    single = {
        name: math.nan if BOOK.givens[name].lacking else d.evaluate().value(name)
        for name in ARGUMENTS
    }
    columns = {name: arrays.get(name, value) for name, value in single.items()}
    ours = partial(d.sweep, givens=arrays)
    theirs = partial(chain_of_arrays, *columns.values())
    by_id = ours()
    for name, values in zip(RESULTS, theirs(), strict=True):
        np.testing.assert_allclose(by_id[name], np.broadcast_to(values, ROWS), 1e-12, 1e-12)
    return Measured(what, *in_turns(ours, theirs, 9), target=1.5)


def drawn(*names: str) -> dict[str, Any]:
    """Draw a million values of some givens."""
    dice = np.random.default_rng(1)
    chips = list(facts("accelerator").values())
    chip = dice.integers(0, len(chips), ROWS)
    every = {
        "workload.concurrency": dice.integers(1, 2000, ROWS).astype(float),
        "workload.input_length": dice.integers(1, 40_000, ROWS).astype(float),
        "workload.output_length": dice.integers(1, 20_000, ROWS).astype(float),
        "machine.accelerators": 2.0 ** dice.integers(0, 4, ROWS),
        "machine.compute_per_accelerator": np.array(
            [float(max(each.value for each in chip.each("compute").values())) for chip in chips]
        )[chip],
        "machine.bandwidth_per_accelerator": np.array(
            [float(chip.amounts["bandwidth"].value) for chip in chips]
        )[chip],
    }
    return {name: every[name] for name in names or every}


def one_configuration() -> Measured:
    """Measure `evaluate`, with other choices each time, against the same chain in Python."""
    choices: list[dict[str, Any]] = [
        {
            "accelerator": chip,
            "tensor_parallelism": accelerators,
            "input_length": length,
            "output_length": 1024,
            "concurrency": batch,
        }
        for chip, accelerators, length, batch in itertools.product(
            ("h100-sxm", "h200-sxm", "b200"), (1, 2, 8), (300, 1024, 8192), (1, 64, 512)
        )
    ]
    rows = [_arguments(d.evaluate(**each)) for each in choices]
    for choice, row in zip(choices, rows, strict=True):
        by_id = d.sweep(**choice)
        for name, value in zip(RESULTS, chain(*row), strict=True):
            np.testing.assert_allclose(by_id[name][0], value, 1e-12, 1e-12)
    repeats = range(20)

    def ours() -> None:
        for _ in repeats:
            for choice in choices:
                d.evaluate(**choice)

    def theirs() -> None:
        for _ in repeats:
            for row in rows:
                chain(*row)

    medians = in_turns(ours, theirs, 9)
    mine, by_hand = (median / len(choices) / len(repeats) for median in medians)
    return Measured("one configuration, against the chain in Python", mine, by_hand, target=5)


def _arguments(sheet: d.Worksheet) -> list[float]:
    """Give what a chain takes; NaN for what was not measured."""
    there = (BOOK.givens[name] for name in ARGUMENTS)
    return [sheet.value(each) if sheet.has_value(each) else math.nan for each in there]


def checking_the_book() -> Iterator[Measured]:
    """Measure the examiner: in a fresh process with its imports, and in this one."""
    code = "from derivations.book import BOOK; from derivations.check import examine; "
    code += "assert not examine(BOOK).faults"
    fresh = processor_seconds(partial(python, "-c", code))
    yield Measured("checking the whole book, in a fresh process", fresh, None, target=1)
    warm = processor_seconds(partial(d.examine, BOOK))
    yield Measured("checking the whole book, again", warm, None, target=1)


def help_on_the_command_line() -> Measured:
    """Measure `derivations --help` against what click itself needs."""
    ours = partial(python, "-m", "derivations", "--help")
    theirs = partial(python, "-c", "import click")
    code = (
        "import sys; from derivations.cli import main; main(['--help'], standalone_mode=False); "
        f"print([each for each in {HEAVY} if each in sys.modules], file=sys.stderr)"
    )
    loaded = python("-c", code).stderr.strip()
    what = f"derivations --help, against importing click; heavy: {loaded}"
    return Measured(what, *in_turns(ours, theirs, 9), target=2)


def building_the_article() -> Measured:
    """Measure `mkdocs build` of the article against one of the same Markdown, without us."""
    from derivations.build import pages

    with TemporaryDirectory() as folder:
        plain = Path(folder) / "docs"
        plain.mkdir()
        for page in pages(["article"]):
            (plain / page.place).write_text(page.markdown, encoding="utf-8")
        for source in (ROOT / "site").rglob("*"):
            place = plain / source.relative_to(ROOT / "site")
            if source.is_file() and not place.exists():
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(source.read_bytes())
        ours = _site(Path(folder), "ours", ROOT / "site", [{"derivations": {"parts": ["article"]}}])
        theirs = _site(Path(folder), "theirs", plain, [])
        medians = in_turns(ours, theirs, 7)
    return Measured("mkdocs build of the article, against plain MkDocs", *medians, target=1.3)


def _site(folder: Path, name: str, docs: Path, plugins: list[Any]) -> partial[Any]:
    """Give the build of a site that differs from ours in its plugins only."""
    config = yaml_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    config |= {"docs_dir": str(docs), "site_dir": str(folder / name)}
    config |= {"plugins": ["search", *plugins], "nav": [{"The article": "index.md"}]}
    place = folder / f"{name}.yml"
    place.write_text(yaml.safe_dump(config), encoding="utf-8")
    return partial(python, "-m", "mkdocs", "build", "--quiet", "--config-file", str(place))


def measurements() -> Iterator[Measured]:
    """Measure one thing after the other."""
    workload = [name for name in ARGUMENTS if name.startswith("workload.")]
    yield many_configurations("1e6 workloads, against NumPy", drawn(*workload))
    yield many_configurations("1e6 workloads and machines, against NumPy", drawn())
    yield one_configuration()
    yield from checking_the_book()
    yield help_on_the_command_line()
    yield building_the_article()
    yield from many_pages()
    yield from the_live_article()
    yield from one_changed_formula()


def main() -> int:
    """Print the table. Gives 1 where a target is missed."""
    print(HEADER)
    missed = False
    for each in measurements():
        print(each, flush=True)
        missed |= not each.met
    more = [name for name in outputs(BOOK) if name not in RESULTS]
    if more:
        print(f"Ours also work out what is not written by hand yet: {', '.join(more)}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
