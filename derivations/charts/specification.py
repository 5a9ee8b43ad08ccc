"""The charts as Vega-Lite specifications, and as the Vega that is made of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import altair as alt

from derivations.charts.look import HEIGHT, INKS, KEY_ROW, PADDING, ROOFLINE, WIDTH

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"

DOUBLED = [2**power for power in range(21)]
TENFOLD = [10.0**power for power in range(-3, 22)]
"""Where a logarithmic axis has its ticks, as far as they lie on it."""
Layered: TypeAlias = alt.LayerChart | alt.FacetChart
"""What `altair.layer` says that it gives."""


def specifications() -> dict[str, dict[str, Any]]:
    """Give the two kinds of charts as Vega without data: ``lines`` and ``roofline``."""
    return {"lines": _vega(_lines(), keyed=True), "roofline": _vega(_roofline(), keyed=False)}


def _lines() -> Layered:
    points = alt.NamedData("points")
    x = alt.X(
        "x:Q",
        scale=alt.Scale(type="log", base=2, nice=False),
        axis=alt.Axis(
            title="x_title", format="~g", grid=False, values=DOUBLED, labelOverlap="greedy"
        ),
    )
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(zero=True, nice=True),
        axis=alt.Axis(title=None, format="~r", tickCount=6),
    )
    color = alt.Color("color:N", scale=None, legend=None)
    line = (
        alt.Chart(points)
        .mark_line(interpolate="linear")
        .encode(
            x=x,
            y=y,
            color=color,
            detail="line:N",
            strokeDash=alt.StrokeDash("dash:N", scale=None, legend=None),
            strokeWidth=alt.StrokeWidth("width:Q", scale=None, legend=None),
        )
    )
    shape = alt.Shape("shape:N", scale=None, legend=None)
    size = alt.Size("size:Q", scale=None, legend=None)
    dots = (
        alt.Chart(points)
        .transform_filter("datum.kind === 'measured'")
        .mark_point(filled=False, opacity=1, strokeWidth=1.5)
        .encode(
            x=x,
            y=y,
            color=color,
            shape=shape,
            size=size,
            fill=alt.Fill("inside:N", scale=None, legend=None),
        )
    )
    targets = (
        alt.Chart(points)
        .mark_point(filled=True, opacity=0, size=250)
        .encode(x=x, y=y, tooltip="tip:N")
    )
    return alt.layer(line, dots, targets)


def _roofline() -> Layered:
    roof, marks = alt.NamedData("roof"), alt.NamedData("marks")
    x = alt.X(
        "x:Q",
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(
            title=ROOFLINE["x"], format="~s", grid=False, values=TENFOLD, labelOverlap="greedy"
        ),
    )
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(title=None, format="~s", grid=False, values=TENFOLD, labelOverlap="greedy"),
    )
    ink = {"expr": "ink"}
    above = alt.Chart(roof).mark_line(color=ink, strokeWidth=3).encode(x=x, y=y)
    drops = (
        alt.Chart(marks)
        .mark_rule(color={"expr": "quiet"}, strokeDash=[2, 3])
        .encode(x=x, y=y, y2=alt.value({"expr": "height"}))
    )
    points = (
        alt.Chart(marks)
        .mark_point(filled=True, size=110, opacity=1)
        .encode(
            x=x,
            y=y,
            color=alt.Color("color:N", scale=None, legend=None),
            shape=alt.Shape("shape:N", scale=None, legend=None),
            tooltip="tip:N",
        )
    )
    words = (
        alt.Chart(marks)
        .mark_text(fontSize=13, color=ink, lineBreak="\n", lineHeight=15)
        .encode(x=x, y=y, text="label:N")
    )
    headroom = alt.Chart(roof).mark_point(opacity=0).encode(x=x, y="top:Q")
    return alt.layer(above, drops, points, words, headroom)


def _vega(chart: Layered, *, keyed: bool) -> dict[str, Any]:
    import vl_convert

    params = [alt.param(name=name, value=value) for name, value in INKS["light"].items()]
    params += [alt.param(name=name, value="") for name in ("heading", "subheading", "x_title")]
    whole = (
        chart.add_params(*params)
        .properties(
            width=WIDTH - PADDING["left"] - PADDING["right"],
            height=HEIGHT - PADDING["top"] - PADDING["bottom"],
            autosize=alt.AutoSizeParams(type="none"),
            padding=PADDING,
            background="transparent",
            title=alt.TitleParams(
                text={"expr": "heading"},
                subtitle="subheading",
                anchor="start",
                frame="group",
                offset=8,
                dx=-PADDING["left"] + 8,
                color={"expr": "ink"},
                subtitleColor={"expr": "quiet"},
                fontSize=14,
                subtitleFontSize=12,
            ),
        )
        .configure(font=FONT, aria=False)
        .configure_axis(
            labelColor={"expr": "quiet"},
            titleColor={"expr": "ink"},
            gridColor={"expr": "grid"},
            domainColor={"expr": "quiet"},
            tickColor={"expr": "quiet"},
            labelFontSize=12,
            titleFontSize=13,
            titleFontWeight="normal",
        )
        .configure_view(stroke=None)
    )
    made: dict[str, Any] = vl_convert.vegalite_to_vega(whole.to_dict(validate=False))
    made.pop("$schema", None)
    made["title"]["subtitle"] = {"signal": "subheading"}
    for axis in made["axes"]:
        if axis.get("title") == "x_title":
            axis["title"] = {"signal": "x_title"}
    for mark in made["marks"]:
        if mark["name"].endswith("layer_3_marks"):
            _set_apart(mark["encode"]["update"])
    if keyed:
        made["data"].append({"name": "key"})
        made["marks"].extend(_key())
    return made


def _set_apart(encoded: dict[str, Any]) -> None:
    """Let the words of the roofline stand where neither roof runs."""
    for channel in ("dx", "dy", "align"):
        encoded[channel] = {"field": channel}


def _key() -> Iterable[dict[str, Any]]:
    """Give the marks of the key: a piece of each line, its point, and its name."""
    y = {"signal": f"height + {PADDING['bottom']} - 6 + datum.row * {KEY_ROW}"}
    line = {
        "x": {"field": "px"},
        "x2": {"field": "px", "offset": 30},
        "y": y,
        "stroke": {"field": "color"},
        "strokeWidth": {"field": "width"},
        "strokeDash": {"field": "dash"},
    }
    point = {
        "x": {"field": "px", "offset": 15},
        "y": y,
        "shape": {"field": "shape"},
        "size": {"field": "size"},
        "stroke": {"field": "color"},
        "strokeWidth": {"value": 1.5},
        "opacity": {"signal": "datum.kind === 'measured' ? 1 : 0"},
        "fill": {"field": "inside"},
    }
    words = {
        "x": {"field": "px", "offset": 37},
        "y": y,
        "text": {"field": "label"},
        "fill": {"signal": "ink"},
        "font": {"value": FONT},
        "limit": {"field": "limit"},
        "fontSize": {"value": 12},
        "baseline": {"value": "middle"},
        "fontWeight": {"signal": "datum.width > 2 ? 'bold' : 'normal'"},
    }
    for kind, encoded in (("rule", line), ("symbol", point), ("text", words)):
        yield {"type": kind, "from": {"data": "key"}, "encode": {"update": encoded}}
