"""Measured results: every run is carried over as it was published, and a bad table is refused."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derivations.catalogue import DataError, fact, results
from derivations.catalogue.measurements import read_results
from derivations.catalogue.vocabulary import vocabulary
from tests.project_copy import change, copy_of_the_project, run_in

BAD = Path(__file__).with_name("bad_results")
BAD_FILES = sorted(BAD.glob("*.csv"))
INFERENCEMAX = fact("benchmark", "inferencemax-2025-10")
HEADER = ",".join(vocabulary()["result"])
GOOD = "h100-sxm,vLLM,fp8,fp8,2,1024,1024,64,134.7738,29.0358,26.9378,2127.2857"


def message(path: Path) -> str:
    """Give what is said of a bad table."""
    with pytest.raises(DataError) as problem:
        read_results(path, INFERENCEMAX, vocabulary()["result"])
    return str(problem.value)


@pytest.mark.parametrize("path", BAD_FILES, ids=lambda path: path.stem)
def test_a_bad_table_is_refused_in_one_line_that_names_file_and_line(path: Path) -> None:
    told = message(path)

    assert told + "\n" == path.with_suffix(".txt").read_text(encoding="utf-8")
    assert "\n" not in told
    assert told.startswith(path.name)


def test_every_message_belongs_to_a_bad_table() -> None:
    assert {path.with_suffix(".csv") for path in BAD.glob("*.txt")} == set(BAD_FILES)


@given(st.text(alphabet='0123456789.,-+einf" \n\r\x00٣½', max_size=12))
def test_a_figure_is_read_as_it_stands_or_refused(
    tmp_path_factory: pytest.TempPathFactory, cell: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    text = f"{HEADER}\n{GOOD.replace('29.0358', cell)}\n"
    path.write_text(text, encoding="utf-8", newline="")
    try:
        (found,) = read_results(path, INFERENCEMAX, vocabulary()["result"])
    except DataError as problem:
        if not str(problem).startswith("any.csv:"):
            pytest.fail(str(problem))
        return

    assert float(found.figures["tpot_ms"].value) == pytest.approx(float(cell.strip('"')) / 1e3)
    assert found.figures["tpot_ms"].value > 0


def test_what_is_wrong_with_a_benchmark_is_told_once(tmp_path: Path) -> None:
    project = copy_of_the_project(tmp_path)
    folder = project / "derivations/data/benchmarks"
    change(folder / "inferencemax-2025-10.toml", 'is = "0.9"', 'is = "9"')
    done = run_in(project, "-m", "derivations", "check")

    assert done.stderr.count("drawn_share: '9' is out of bounds") == 1


# The real results


def test_every_run_is_there() -> None:
    found = Counter((each.accelerator, each.engine, each.precision) for each in results())

    assert found == {
        ("b200", "TensorRT-LLM", "fp4"): 72,
        ("b200", "TensorRT-LLM", "fp8"): 72,
        ("b200", "vLLM", "fp4"): 60,
        ("b200", "vLLM", "fp8"): 60,
        ("h100-sxm", "vLLM", "fp8"): 45,
        ("h200-sxm", "TensorRT-LLM", "fp8"): 72,
        ("h200-sxm", "vLLM", "fp8"): 60,
        ("mi300x", "vLLM", "fp8"): 60,
        ("mi325x", "vLLM", "fp8"): 60,
        ("mi355x", "vLLM", "fp4"): 60,
        ("mi355x", "vLLM", "fp8"): 60,
    }
    assert {each.kv_precision for each in results()} == {"fp8"}
    assert Counter(each.counts[1:3] for each in results()) == {
        (1024, 1024): 227,
        (1024, 8192): 227,
        (8192, 1024): 227,
    }


PUBLISHED = "d7f0bfc16ae6f37e9d3a75958cb85f6f56aca9660e1c3ef7c9a5f01bad6b26e4"
"""A hash of the figures, written as they were published, in the order of publication."""


def test_every_figure_is_the_one_that_was_published() -> None:
    lines = (
        ",".join(datum.entry.says.partition(" ")[0] for datum in each.figures.values())
        for each in results()
    )

    assert hashlib.sha256("\n".join(lines).encode()).hexdigest() == PUBLISHED


def test_a_figure_has_its_unit_its_source_and_its_place() -> None:
    for each in results():
        for column, datum in each.figures.items():
            assert datum.place == f"{each.place}: {column}"
            assert datum.unit == vocabulary()["result"][column].unit
            assert datum.source == INFERENCEMAX.sources["copy"]


def test_times_add_up_with_the_drawn_lengths() -> None:
    """A step for each token after the first. Where requests queue, medians add up roughly only."""
    share = float(INFERENCEMAX.amounts["drawn_share"].value)
    for each in results():
        first, token, whole = (
            float(each.figures[f].value) for f in ("ttft_ms", "tpot_ms", "e2e_s")
        )

        assert whole == pytest.approx(first + (share * each.counts[2] - 1) * token, rel=0.6)
