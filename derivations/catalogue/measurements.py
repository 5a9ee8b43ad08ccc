"""Measured results: one table beside the file of a benchmark, one run a line."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from derivations.catalogue.facts import ID, Amount, Datum, Fact
from derivations.catalogue.reading import DataError, text, told
from derivations.catalogue.shelf import facts, faults_of_facts, folder
from derivations.catalogue.vocabulary import Field, vocabulary
from derivations.language.units import factor

BENCHMARK = "benchmark"
_PLAIN = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_MOST_SIGNS = 24
"""No figure that was measured is longer."""
_WHOLE = re.compile(r"[0-9]+")
_RATE = "total_tokens_per_s_per_gpu"
_FIGURES = ("ttft_ms", "tpot_ms", "e2e_s", _RATE)
_RUN = ("tensor_parallelism", "input_length", "output_length", "concurrency")


@dataclass(frozen=True)
class Result:
    """
    One run: what ran, and what was measured.

    *counts* are tensor parallelism, input and output length, and concurrency; *published* are the
    digits of each measured amount, by column.
    """

    benchmark: Fact
    accelerator: str
    engine: str
    precision: str
    kv_precision: str
    counts: tuple[int, int, int, int]
    published: Mapping[str, str]
    place: str
    """The file and the line."""

    @cached_property
    def figures(self) -> dict[str, Datum]:
        """The measured amounts, by column, each with all that is known of it."""
        return {column: self._figure(column, digits) for column, digits in self.published.items()}

    def _figure(self, column: str, digits: str) -> Datum:
        unit = vocabulary()["result"][column].unit
        texts = self.benchmark.texts
        note = f"The {texts['statistic']} of a run." if column != _RATE else ""
        entry = Amount(
            says=f"{digits} {unit}", source=texts["results"], trust=texts["trust"], note=note
        )
        source = self.benchmark.sources[texts["results"]]
        value = Fraction(digits) * factor(unit)
        return Datum(value, unit, entry, source, (), f"{self.place}: {column}")

    @property
    def choices(self) -> dict[str, Any]:
        """The choices of its configuration, but for the model, by name."""
        return {
            "accelerator": self.accelerator,
            "precision": self.precision,
            "kv_precision": self.kv_precision,
            **dict(zip(_RUN, self.counts, strict=True)),
        }

    @property
    def total_rate(self) -> Fraction:
        """Tokens of prompts and answers, in each second, for each accelerator."""
        return Fraction(self.published[_RATE])


def read_results(path: Path, benchmark: Fact, fields: Mapping[str, Field]) -> tuple[Result, ...]:
    """
    Read the table of a benchmark, in its order.

    Raises `DataError`, which names the file, the line, what is and what should be.
    """
    lines = _lines(path)
    _header(path.name, next(lines, (1, []))[1], fields)
    found: list[Result] = []
    seen: dict[Any, str] = {}
    for number, cells in lines:
        place = f"{path.name}:{number}"
        if len(cells) != len(fields):
            raise DataError(f"{place}: it has {len(cells)} cells; it should have {len(fields)}")
        result = _result(place, dict(zip(fields, cells, strict=True)), benchmark, fields)
        run = (
            result.accelerator, result.engine, result.precision, result.kv_precision, result.counts
        )  # fmt: skip
        if run in seen:
            raise DataError(f"{place}: the same run stands in {seen[run]} already")
        seen[run] = place
        found.append(result)
    if not found:
        raise DataError(f"{path.name}: it has no results in it")
    return tuple(found)


@cache
def results() -> tuple[Result, ...]:
    """Give the results of all benchmarks. Raises `DataError` for the first that cannot be used."""
    return tuple(each for benchmark in facts(BENCHMARK).values() for each in results_of(benchmark))


def results_of(benchmark: Fact) -> tuple[Result, ...]:
    """Read the results of one benchmark. Raises `DataError`."""
    place = folder(BENCHMARK) / f"{benchmark.id}.csv"
    return read_results(place, benchmark, vocabulary()["result"])


def faults() -> list[str]:
    """Read every data file, tables of results too, and give what is wrong with each."""
    found = faults_of_facts()
    if found:
        return found
    for benchmark in facts(BENCHMARK).values():
        for model in benchmark.texts["stands_for"]:
            if not _exists(model, "model"):
                found.append(f"{benchmark.id}.toml: stands_for: {_not_there(model, 'model')}")
        try:
            results_of(benchmark)
        except DataError as problem:
            found.append(str(problem))
    for path in sorted(folder(BENCHMARK).glob("*.csv")):
        if path.stem not in facts(BENCHMARK):
            found.append(f"{path.name}: there is no {path.stem}.toml beside it")
    return found


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Give the number and the cells of each line."""
    content = text(path)
    if content.startswith("\ufeff"):
        raise DataError(f"{path.name}:1: it begins with a byte order mark; save it without one")
    reader = csv.reader(content.splitlines(keepends=True), strict=True)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as problem:
        raise DataError(f"{path.name}:{reader.line_num}: it is not CSV: {problem}") from None


def _header(name: str, header: list[str], fields: Mapping[str, Field]) -> None:
    for column in header:
        if column not in fields:
            missing = [each for each in fields if each not in header]
            near = get_close_matches(column, missing or list(fields), n=2, cutoff=0.5)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise DataError(f"{name}:1: there is no column {told(column)}{hint}")
    for column, field in fields.items():
        if column not in header:
            raise DataError(f"{name}:1: the column {column} is missing: {field.means}")
    if header != list(fields):
        raise DataError(f"{name}:1: the columns should be {','.join(fields)}")


def _result(
    place: str, cells: dict[str, str], benchmark: Fact, fields: Mapping[str, Field]
) -> Result:
    for column, field in fields.items():
        cell = cells[column]
        if not _fits(cell, field):
            raise DataError(f"{place}: {column}: it is {told(cell)}; it should be {_wanted(field)}")
        if field.kind == "id" and not _exists(cell, field.of):
            raise DataError(f"{place}: {column}: {_not_there(cell, field.of)}")
    tensor_parallelism, input_length, output_length, concurrency = (
        int(cells[each]) for each in _RUN
    )
    return Result(
        benchmark,
        cells["accelerator"],
        cells["engine"],
        cells["precision"],
        cells["kv_precision"],
        (tensor_parallelism, input_length, output_length, concurrency),
        {each: cells[each] for each in _FIGURES},
        place,
    )


def _wanted(field: Field) -> str:
    match field.kind:
        case "id":
            return f"the id of {'an' if field.of[0] in 'aeiou' else 'a'} {field.of}"
        case "amount":
            return f"a {'whole ' if field.whole else ''}number above zero, in {field.unit}"
    return "a text of visible signs, without blanks around it"


def _fits(cell: str, field: Field) -> bool:
    """Tell whether a cell can stand in a column: a plain number above zero, or a visible text."""
    if field.kind != "amount":
        return bool(cell) and cell == cell.strip() and cell.isprintable()
    if len(cell) > _MOST_SIGNS or not (_WHOLE if field.whole else _PLAIN).fullmatch(cell):
        return False
    return cell.strip("0.") != ""


@cache
def _exists(identity: str, kind: str) -> bool:
    """Tell whether there is a fact with an id, without reading the fifty others."""
    return bool(ID.fullmatch(identity)) and (folder(kind) / f"{identity}.toml").exists()


def _not_there(identity: str, kind: str) -> str:
    """Say what to write in place of what is not the id of a fact. An alias is none."""
    known = facts(kind)
    for each in known.values():
        if identity in each.aliases:
            return f"{told(identity)} is an alias; write {each.id}"
    near = get_close_matches(identity.lower(), list(known), n=3, cutoff=0.6)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there is {', '.join(known)}"
    return f"there is no {kind} {told(identity)}; {hint}"
