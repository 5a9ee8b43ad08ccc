"""Which measured results a configuration has: those of runs with exactly its choices."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from derivations.book import BOOK, measured
from derivations.catalogue import Datum, Result, fact, results
from derivations.configure.choices import ChoiceError, Configuration, computed_in
from derivations.language.declare import Given

Counts = tuple[int, int, int, int]
"""Tensor parallelism, input length, output length, concurrency."""

FIGURES: dict[Given, str] = {
    measured.total_rate: "total_tokens_per_s_per_gpu",
    measured.time_to_first_token: "ttft_ms",
    measured.time_per_output_token: "tpot_ms",
    measured.end_to_end: "e2e_s",
}
"""The column of a result that fills each given."""

LACKING: dict[Given, float] = {given: math.nan for given in BOOK.givens.values() if given.lacking}
"""The givens that a configuration may lack, as they are where it does."""


def figures_of(result: Result) -> dict[Given, Datum]:
    """Give the datum of each given that a result fills."""
    return {
        **{given: result.figures[column] for given, column in FIGURES.items()},
        measured.drawn_share: result.benchmark.amounts["drawn_share"],
    }


def results_for(chosen: Configuration) -> tuple[Result, ...]:
    """
    Give the results of a configuration, one for each engine, the highest output rate first.

    The output rate is the same share of the published rate for all of them.
    """
    every = _results(
        chosen.accelerator, chosen.model, chosen.precision, chosen.kv_precision, chosen.arithmetic
    )
    counts = (
        chosen.tensor_parallelism, chosen.input_length, chosen.output_length, chosen.concurrency
    )  # fmt: skip
    return every.get(counts, ())


def measured_with(chosen: Configuration) -> Mapping[Counts, Mapping[Given, float]]:
    """Give the values of the best result for each workload that was measured, by its counts."""
    return measured_for(
        chosen.accelerator, chosen.model, chosen.precision, chosen.kv_precision, chosen.arithmetic
    )


@cache
def measured_for(
    accelerator: str,
    model: str,
    precision: str,
    kv_precision: str | None,
    arithmetic: str | None,
) -> Mapping[Counts, Mapping[Given, float]]:
    """Give the values of the best result for each workload, as floats in base units."""
    every = _results(accelerator, model, precision, kv_precision, arithmetic)
    return {
        counts: {given: float(datum.value) for given, datum in figures_of(found[0]).items()}
        for counts, found in every.items()
    }


@cache
def _results(
    accelerator: str,
    model: str,
    precision: str,
    kv_precision: str | None,
    arithmetic: str | None,
) -> Mapping[Counts, tuple[Result, ...]]:
    weights = fact("precision", precision)
    if arithmetic is not None and arithmetic != computed_in(weights):
        return {}  # the runs computed in the type of their weights
    chosen = (
        fact("accelerator", accelerator).id,
        weights.id,
        weights.id if kv_precision is None else fact("precision", kv_precision).id,
    )
    network = fact("model", model).id
    found: defaultdict[Counts, list[Result]] = defaultdict(list)
    for each in _by_hardware().get(chosen, ()):
        if network in each.benchmark.texts["stands_for"]:
            found[each.counts].append(each)
    return {counts: tuple(sorted(each, key=_best_first)) for counts, each in found.items()}


def _best_first(result: Result) -> Any:
    return -result.total_rate, result.engine


@cache
def _by_hardware() -> Mapping[tuple[str, str, str], list[Result]]:
    found: defaultdict[tuple[str, str, str], list[Result]] = defaultdict(list)
    for each in results():
        found[each.accelerator, each.precision, each.kv_precision].append(each)
    return found


def refuse_parts(given: Collection[Given]) -> None:
    """Refuse a result that is set in part. Raises `ChoiceError`."""
    there = [each for each in LACKING if each in given]
    for each in LACKING:
        if there and each not in given:
            raise ChoiceError(
                f"{BOOK.id_of(each)} is lacking; a result is set as a whole, and "
                f"{BOOK.id_of(there[0])} is set"
            )
