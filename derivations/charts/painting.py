"""Lines as the rows that a chart is fed with: colours, shapes, dashes, and the key below."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from derivations.catalogue import fact
from derivations.charts.lines import Drawing, Line
from derivations.charts.look import (
    FILLED,
    INKS,
    KEY_COLUMN,
    KEY_WORDS,
    LINES,
    PALETTE,
    PLACES,
    VENDORS,
    Scheme,
)
from derivations.charts.measured import Row

Rows = list[dict[str, Any]]


def written(value: float, decimals: int) -> str:
    """Write a number as the charts do: rounded half up, in every language alike."""
    scale = 10**decimals
    return f"{math.floor(value * scale + 0.5) / scale:.{decimals}f}"


def colours(rows: Iterable[Row], scheme: Scheme) -> dict[str, str]:
    """Give each accelerator that was ever measured a colour of its own."""
    palette = PALETTE[scheme]
    every = sorted({each.accelerator for each in rows})
    return {each: palette[place % len(palette)] for place, each in enumerate(every)}


def painted(
    name: str, drawn: Drawing, rows: Iterable[Row], scheme: Scheme, says: str, relative: bool
) -> Rows:
    """Give a row for each point of a drawing. *says* is what the x axis counts."""
    known = colours(rows, scheme)
    unit, decimals = (" %", 1) if relative else (f" {LINES[name]['unit']}", _decimals(name))
    return [
        {
            **_style(line, known, scheme),
            "line": f"{place}",
            "label": line.label,
            "kind": line.kind,
            "x": x,
            "y": y,
            "tip": f"{line.label}\n{says}: {x}\n{written(y, decimals)}{unit}",
        }
        for place, line in enumerate(drawn.lines)
        for x, y in line.points
    ]


def _decimals(name: str) -> int:
    return int(LINES[name]["decimals"])


def key(drawn: Drawing, rows: Iterable[Row], scheme: Scheme, width: float) -> tuple[Rows, int]:
    """Give the rows of the key below a plot of a width, and how many lines of text it takes."""
    known = colours(rows, scheme)
    columns = max(1, int(width // KEY_COLUMN))
    entries = drawn.keyed()
    found = [
        {
            **_style(line, known, scheme),
            "label": line.label,
            "kind": line.kind,
            "px": place % columns * (width / columns),
            "row": place // columns,
            "limit": width / columns - KEY_WORDS,
        }
        for place, line in enumerate(entries)
    ]
    return found, -(-len(entries) // columns)


def _style(line: Line, known: dict[str, str], scheme: Scheme) -> dict[str, Any]:
    if not line.family.accelerator:
        return _plain(scheme)
    vendor = fact("accelerator", line.family.accelerator).texts.get("vendor", "")
    told = VENDORS.get(str(vendor), VENDORS[""])
    color = known.get(line.family.accelerator, INKS[scheme]["ink"])
    return {
        "color": color,
        "shape": told["shape"],
        "dash": told["dash"] if line.kind == "ceiling" else [],
        "inside": color if line.engine == FILLED else INKS[scheme]["back"],
        "width": 3.5 if line.selected else 1.5,
        "size": 90 if line.selected else 45,
    }


def _plain(scheme: Scheme) -> dict[str, Any]:
    return {
        "color": INKS[scheme]["quiet"],
        "shape": "circle",
        "dash": [4, 3],
        "inside": INKS[scheme]["back"],
        "width": 1.5,
        "size": 45,
    }


def roofs(
    found: dict[str, Rows], accelerator: str, rows: Iterable[Row], scheme: Scheme
) -> dict[str, Rows]:
    """Give what a roofline is fed with: its roofs, and the marks below them with their words."""
    color = colours(rows, scheme).get(accelerator, INKS[scheme]["ink"])
    marks = [
        {
            **each,
            **PLACES[each["name"]],
            "color": INKS[scheme]["ink"] if each["name"] == "ridge" else color,
            "label": f"{each['name']}, {written(each['x'], 0)}",
            "tip": f"{each['name']}\n{written(each['x'], 1)} FLOP per byte\n"
            f"{written(each['y'] / 1e12, 1)} TFLOP/s",
        }
        for each in found["marks"]
    ]
    return {"roof": found["roof"], "marks": marks}


def table(
    name: str, drawn: Drawing, title: str, relative: bool
) -> tuple[list[str], list[list[str]]]:
    """Give the header and the rows of the table that says the same as a drawing."""
    decimals = 1 if relative else _decimals(name)
    points = [dict(each.points) for each in drawn.lines]
    header = [title, *(each.label for each in drawn.lines)]
    cells = [
        [str(x), *(written(each[x], decimals) if x in each else "–" for each in points)]
        for x in drawn.xs()
    ]
    return header, cells
