"""The lines of the charts: ceilings and measured runs, for one configuration."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from derivations.book import memory
from derivations.catalogue import fact
from derivations.charts.look import AXES, LINES
from derivations.charts.measured import Row
from derivations.configure import ChoiceError, Configuration, computed_in
from derivations.evaluate import NoValue, Worksheet, evaluate


class Family(NamedTuple):
    """What a ceiling is drawn for."""

    accelerator: str
    kv_precision: str
    arithmetic: str


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line of a chart, with its points from left to right."""

    label: str
    kind: str
    """``ceiling`` or ``measured``."""
    family: Family
    engine: str
    selected: bool
    points: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Drawing:
    """A line chart, before it has colours."""

    lines: tuple[Line, ...]

    def keyed(self) -> tuple[Line, ...]:
        """Give the lines that need a word in the key: a ceiling of measured runs needs none."""
        measured = {each.family for each in self.lines if each.kind == "measured"}
        return tuple(
            each for each in self.lines if each.kind == "measured" or each.family not in measured
        )

    def xs(self) -> tuple[int, ...]:
        """Give every place on the x axis at which something is drawn."""
        return tuple(sorted({x for each in self.lines for x, _ in each.points}))


def drawing(
    name: str,
    chosen: Configuration,
    rows: Iterable[Row],
    *,
    axis: str = "users",
    relative: bool = False,
    chunked: bool = True,
) -> Drawing:
    """
    Give the lines of a chart: a ceiling for each accelerator, and what was measured below it.

    *name* and *axis* are keys of `LINES` and `AXES`.
    """
    choice = AXES[axis]["choice"]
    found = tuple(each for each in rows if _speaks_for(each, chosen, choice))
    own = Family(*(chosen.resolved()[each] for each in Family._fields))
    families = dict.fromkeys([_family_of(each) for each in _in_order(found)])
    ordered = [each for each in families if each.accelerator != own.accelerator]
    ordered += [each for each in families if each.accelerator == own.accelerator and each != own]
    ordered.append(own)
    here = getattr(chosen, choice)
    xs = sorted({*_grid(axis, here), *(getattr(each, choice) for each in found)})
    measured = [
        _measured(name, chosen, family, runs, engine, choice, relative, chunked)
        for family in ordered
        for engine, runs in _by_engine(found, family)
    ]
    if relative:
        ceilings = [_all_of_it(own, xs)]
    else:
        ceilings = [
            _ceiling(name, chosen, family, ordered, xs, choice, chunked) for family in ordered
        ]
    lines = (each for each in (*ceilings, *measured) if each.points)
    return Drawing(tuple(lines))


def _grid(axis: str, here: int) -> list[int]:
    """Give where ceilings are worked out: up to the choice, where it lies beyond."""
    grid: list[int] = list(AXES[axis]["grid"])
    while 2 * grid[-1] < here:
        grid += [2 * grid[-2], 2 * grid[-1]]
    return [*grid, here]


def _speaks_for(row: Row, chosen: Configuration, choice: str) -> bool:
    return chosen.model in row.models and all(
        getattr(row, each) == getattr(chosen, each)
        for each in (
            "precision", "input_length", "output_length", "concurrency", "tensor_parallelism"
        )
        if each != choice
    )  # fmt: skip


def _in_order(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda each: (each.accelerator, each.kv_precision))


def _family_of(row: Row) -> Family:
    return Family(row.accelerator, row.kv_precision, computed_in(fact("precision", row.precision)))


def _by_engine(rows: Sequence[Row], family: Family) -> list[tuple[str, list[Row]]]:
    found: dict[str, list[Row]] = {}
    for each in rows:
        if _family_of(each) == family:
            found.setdefault(each.engine, []).append(each)
    return sorted(found.items())


def _measured(
    name: str,
    chosen: Configuration,
    family: Family,
    runs: list[Row],
    engine: str,
    choice: str,
    relative: bool,
    chunked: bool,
) -> Line:
    points = []
    for run in sorted(runs, key=lambda each: int(getattr(each, choice))):
        x = getattr(run, choice)
        value = run.output_rate if name == "throughput" else run.end_to_end
        if relative:
            most = _limit(name, chosen, family, choice, x, chunked)
            more_is_better = LINES[name]["more_is_better"]
            value = 100 * (value / most if more_is_better else most / value)
        if math.isfinite(value):
            points.append((x, value))
    return Line(
        label=f"{_name(family)}, {engine}",
        kind="measured",
        family=family,
        engine=engine,
        selected=family.accelerator == chosen.accelerator,
        points=tuple(points),
    )


def _ceiling(
    name: str,
    chosen: Configuration,
    family: Family,
    families: list[Family],
    xs: list[int],
    choice: str,
    chunked: bool,
) -> Line:
    """Give the ceiling, as far as weights and cache fit. The last family is the chosen one."""
    found = ((x, _limit(name, chosen, family, choice, x, chunked, fits=True)) for x in xs)
    alone = [each.accelerator for each in families].count(family.accelerator) == 1
    cache_format = "" if alone else f" (KV {family.kv_precision.upper()})"
    return Line(
        label=f"{_name(family)}, theory{cache_format}",
        kind="ceiling",
        family=family,
        engine="",
        selected=family == families[-1],
        points=tuple((x, value) for x, value in found if math.isfinite(value)),
    )


def _all_of_it(family: Family, xs: list[int]) -> Line:
    return Line(
        label="Theory",
        kind="ceiling",
        family=Family("", "", ""),
        engine="",
        selected=False,
        points=tuple((x, 100.0) for x in xs),
    )


def _name(family: Family) -> str:
    return fact("accelerator", family.accelerator).name


def _limit(
    name: str,
    chosen: Configuration,
    family: Family,
    choice: str,
    x: int,
    chunked: bool,
    fits: bool = False,
) -> float:
    """Give the ceiling at one place, or NaN: where it has no value, or does not fit but should."""
    sheet = _sheet(tuple({**chosen.resolved(), **family._asdict(), choice: x}.items()))
    if sheet is None or (fits and not sheet.holds(memory.fits)):
        return math.nan
    try:
        return sheet.value(LINES[name]["ceiling"]["chunked" if chunked else "sequential"])
    except NoValue:
        return math.nan


@cache
def _sheet(choices: tuple[tuple[str, Any], ...]) -> Worksheet | None:
    try:
        return evaluate(**dict(choices))
    except ChoiceError:
        return None


def roofline(sheet: Worksheet) -> dict[str, list[dict[str, Any]]]:
    """Give the two roofs, the ridge, and what prefill and decode reach, in base units."""
    compute, bandwidth = sheet.value("machine.compute"), sheet.value("machine.bandwidth")
    ridge = sheet.value("roofline.balance")
    marks: list[dict[str, Any]] = [
        {"name": name, "x": sheet.value(x), "y": sheet.value(y)}
        for name, x, y in (
            ("decode", "roofline.decode_intensity", "roofline.decode_rate"),
            ("prefill", "roofline.prefill_intensity", "roofline.prefill_rate"),
        )
    ]
    left = min(1.0, *(each["x"] / 2 for each in marks))
    right = max(4 * ridge, *(4 * each["x"] for each in marks))
    roof = [
        {"x": x, "y": y, "top": 4 * compute}
        for x, y in ((left, left * bandwidth), (ridge, compute), (right, compute))
    ]
    return {"roof": roof, "marks": [{"name": "ridge", "x": ridge, "y": compute}, *marks]}
