"""The static charts: SVG files that are there without a script."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from derivations.catalogue import fact
from derivations.charts.kept import kept
from derivations.charts.lines import drawing, roofline
from derivations.charts.look import (
    AXES,
    HOW_TO_READ,
    INKS,
    KEY_ROW,
    LINES,
    PADDING,
    ROOFLINE,
    SCHEMES,
    WIDTH,
    Scheme,
)
from derivations.charts.measured import Row
from derivations.charts.painting import Rows, key, painted, roofs
from derivations.configure import Configuration
from derivations.evaluate import evaluate

FOLDER = "assets/charts"
CHARTS = (*LINES, "roofline")
AXIS = "users"


@dataclass(frozen=True)
class _Filled:
    """A chart with its data: what a picture is made of."""

    kind: str
    data: dict[str, Rows]
    signals: dict[str, str]
    key_rows: int


def pictures(chosen: Configuration, rows: tuple[Row, ...]) -> Iterator[tuple[str, bytes]]:
    """Give the place and the content of each picture, for a configuration."""
    for name in CHARTS:
        for scheme in SCHEMES:
            filled = _filled(name, chosen, rows, scheme)
            text = json.dumps([filled.kind, filled.data, filled.signals, filled.key_rows])
            made = kept(f"chart-{name}.svg", text, lambda filled=filled: _svg(filled))  # type: ignore[misc]
            yield f"{FOLDER}/{name}-{scheme}.svg", made


def _filled(name: str, chosen: Configuration, rows: tuple[Row, ...], scheme: Scheme) -> _Filled:
    signals = {**INKS[scheme]}
    if name == "roofline":
        chip = fact("accelerator", chosen.accelerator).name
        data = roofs(roofline(evaluate(**chosen.resolved())), chosen.accelerator, rows, scheme)
        count = chosen.tensor_parallelism
        signals |= {"heading": ROOFLINE["title"], "subheading": f"{count} × {chip}"}
        return _Filled("roofline", data, signals, 0)
    drawn = drawing(name, chosen, rows, axis=AXIS)
    width = WIDTH - PADDING["left"] - PADDING["right"]
    entries, count = key(drawn, rows, scheme, width)
    points = painted(name, drawn, rows, scheme, AXES[AXIS]["says"], False)
    signals |= {
        "heading": LINES[name]["title"],
        "subheading": HOW_TO_READ,
        "x_title": axis_title(chosen, AXIS),
    }
    return _Filled("lines", {"points": points, "key": entries}, signals, count)


def axis_title(chosen: Configuration, axis: str) -> str:
    """Say what the x axis counts, and what stays as it is chosen."""
    return str(AXES[axis]["at"]).format(getattr(chosen, AXES[axis]["fixed"]))


def _svg(filled: _Filled) -> bytes:
    import vl_convert

    from derivations.charts.specification import specifications

    made = specifications()[filled.kind]
    for each in made["data"]:
        if each["name"] in filled.data:
            each["values"] = filled.data[each["name"]]
    for signal in made["signals"]:
        if signal["name"] in filled.signals:
            signal["value"] = filled.signals[signal["name"]]
    _make_room(made, filled.key_rows)
    return vl_convert.vega_to_svg(made).encode()


def _make_room(made: dict[str, Any], key_rows: int) -> None:
    made["height"] -= key_rows * KEY_ROW
    made["padding"] = {**PADDING, "bottom": PADDING["bottom"] + key_rows * KEY_ROW}
