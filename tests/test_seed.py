"""The article's own code in 48 configurations, against ours."""

from __future__ import annotations

import csv
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import derivations as d
from derivations.book import BOOK, chunked, model, threshold
from derivations.language.algebra import Exact, Quantity, read
from derivations.language.declare import Bridge, Constant, Formula

_TABLE = Path(__file__).with_name("data") / "seed-vectors.csv"
ROWS = list(csv.DictReader(_TABLE.read_text(encoding="utf-8").splitlines()))
FORMATS = {"2": "bf16", "1": "fp8", "0.5": "fp4"}

COLUMNS = {
    "compute_flop_per_s": ("machine.compute", "flop / second"),
    "bandwidth_byte_per_s": ("machine.bandwidth", "byte / second"),
    "prefill_flop": ("prefill.flops", "flop"),
    "prefill_time_ms": ("prefill.time", "ms"),
    "kv_bytes_per_token": ("decode.kv_per_token", "byte / token"),
    "mean_sequence_length_tokens": ("decode.mean_length", "token / sequence"),
    "kv_bytes_per_sequence": ("decode.kv_per_sequence", "byte / sequence"),
    "decode_bytes_per_step": ("decode.bytes", "byte"),
    "decode_step_time_ms": ("decode.step_time", "ms"),
    "end_to_end_latency_ms": ("latency.end_to_end", "ms"),
    "sequential_prefill_time_ms": ("sequential.prefill_time", "ms"),
    "total_decode_time_ms": ("cycle.decode_time", "ms"),
    "sequential_total_time_ms": ("sequential.cycle_time", "ms"),
    "output_tokens_per_cycle": ("cycle.output_tokens", "token"),
}
"""The columns that do not depend on the threshold, each with its formula and its unit."""

ON_THE_THRESHOLD = {
    "compute_bound_threshold_tokens",
    "non_overlapped_prefill_tokens",
    "non_overlapped_prefill_time_ms",
    "chunked_total_time_ms",
    "total_time_ms",
    "throughput_tokens_per_s",
    "throughput_per_gpu_tokens_per_s",
}
CHOSEN = {"accelerator", "bytes_per_parameter", "tp", "users", "isl", "osl", "chunked"}


@cache
def sheet(place: int) -> d.Worksheet:
    row = ROWS[place]
    return d.evaluate(
        accelerator=row["accelerator"].lower(),
        precision=FORMATS[row["bytes_per_parameter"]],
        tensor_parallelism=int(row["tp"]),
        concurrency=int(row["users"]),
        input_length=int(row["isl"]),
        output_length=int(row["osl"]),
    )


def near(value: float) -> Any:
    return pytest.approx(value, rel=1e-12, abs=0)


def is_chunked(row: dict[str, str]) -> bool:
    return {"True": True, "False": False}[row["chunked"]]


every_row = pytest.mark.parametrize("place", range(len(ROWS)))


def test_all_rows_and_all_columns_are_compared() -> None:
    assert len(ROWS) == 48
    assert set(ROWS[0]) == {*COLUMNS, *ON_THE_THRESHOLD, *CHOSEN}


@every_row
def test_what_does_not_depend_on_the_threshold_is_the_same(place: int) -> None:
    for column, (name, unit) in COLUMNS.items():
        ours = sheet(place)[name].to(unit).magnitude

        assert ours == near(float(ROWS[place][column])), column


@every_row
def test_the_threshold_of_the_article_is_ours_rounded(place: int) -> None:
    ours = sheet(place).value(threshold.tokens)

    assert abs(ours - int(ROWS[place]["compute_bound_threshold_tokens"])) <= 0.5


@every_row
def test_the_rounding_of_the_threshold_moves_the_rest_by_half_a_token_a_step(place: int) -> None:
    row, ours = ROWS[place], sheet(place)
    tokens = int(row["osl"]) / 2 * (1 + 1e-12)
    milliseconds = tokens * 1000 * 2 * ours.value(model.parameters) / ours.value("machine.compute")
    alone = ours.value(chunked.non_overlapped_tokens)
    alone_time = ours["chunked.prefill_time"].to("ms").magnitude
    cycle_time = ours["chunked.cycle_time"].to("ms").magnitude
    slack = cycle_time * 1e-12

    assert abs(alone - float(row["non_overlapped_prefill_tokens"])) <= tokens
    assert abs(alone_time - float(row["non_overlapped_prefill_time_ms"])) <= milliseconds
    assert abs(cycle_time - float(row["chunked_total_time_ms"])) <= milliseconds + slack


@every_row
def test_with_the_threshold_rounded_first_all_the_rest_is_the_same(place: int) -> None:
    row, rounded = ROWS[place], rounding_first(place)
    alone = rounded(chunked.non_overlapped_tokens)
    chosen = "chunked" if is_chunked(row) else "sequential"
    cycle_time = float(rounded(formula(f"{chosen}.cycle_time")) * 1000)
    throughput = float(rounded(formula(f"{chosen}.throughput")))
    each = float(rounded(formula(f"{chosen}.per_accelerator")))

    assert alone == Fraction(row["non_overlapped_prefill_tokens"])
    assert float(rounded(chunked.prefill_time) * 1000) == near(
        float(row["non_overlapped_prefill_time_ms"])
    )
    assert float(rounded(chunked.cycle_time) * 1000) == near(float(row["chunked_total_time_ms"]))
    assert cycle_time == near(float(row["total_time_ms"]))
    assert throughput == near(float(row["throughput_tokens_per_s"]))
    assert each == near(float(row["throughput_per_gpu_tokens_per_s"]))


@every_row
def test_the_throughput_is_that_of_the_chosen_schedule(place: int) -> None:
    row, ours = ROWS[place], sheet(place)
    if is_chunked(row):
        spared = int(row["osl"]) / 2 * 2 * ours.value(model.parameters)
        most = spared / ours.value("machine.compute") / ours.value(chunked.cycle_time) + 1e-12
    else:
        most = 1e-12
    chosen = "chunked" if is_chunked(row) else "sequential"

    for column, name in (
        ("throughput_tokens_per_s", f"{chosen}.throughput"),
        ("throughput_per_gpu_tokens_per_s", f"{chosen}.per_accelerator"),
    ):
        theirs = float(row[column])
        assert abs(ours.value(name) - theirs) <= theirs * most, column


def formula(name: str) -> Formula:
    return BOOK.formulas[name]


def rounding_first(place: int) -> Any:
    """Give the exact value of any quantity of a row, with the threshold rounded first."""
    ours = sheet(place)

    @cache
    def value(quantity: Quantity) -> Any:
        match quantity:
            case Formula() if quantity is threshold.tokens:
                return Fraction(ROWS[place]["compute_bound_threshold_tokens"])
            case Formula(body=body):
                return read(body, Exact(value))
            case Constant(number):
                return Fraction(number)
            case Bridge():
                return Fraction(1)
        return Fraction(ours.value(quantity))

    return value
