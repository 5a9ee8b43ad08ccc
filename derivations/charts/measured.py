"""Measured runs, as the charts read them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from derivations.book import measured, workload
from derivations.catalogue import Result, results
from derivations.configure import figures_of
from derivations.language.working_out import worked_out


@dataclass(frozen=True, kw_only=True)
class Row:
    """One measured run. Its time is in seconds, its rate in tokens of answers per accelerator."""

    accelerator: str
    engine: str
    models: tuple[str, ...]
    """The models that it speaks for: those of one architecture."""
    precision: str
    kv_precision: str
    tensor_parallelism: int
    input_length: int
    output_length: int
    concurrency: int
    end_to_end: float
    output_rate: float


@cache
def rows() -> tuple[Row, ...]:
    """Give the measured runs."""
    return tuple(map(_row, results()))


def _row(result: Result) -> Row:
    figures = {given: float(datum.value) for given, datum in figures_of(result).items()}
    lengths = {
        workload.input_length: float(result.choices["input_length"]),
        workload.output_length: float(result.choices["output_length"]),
    }
    return Row(
        **result.choices,
        engine=result.engine,
        models=tuple(result.benchmark.texts["stands_for"]),
        end_to_end=figures[measured.end_to_end],
        output_rate=worked_out(measured.output_rate, {**figures, **lengths}, float),
    )
