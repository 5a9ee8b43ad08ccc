"""How the charts look, and what they say: read by the static charts and by the live ones."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

Scheme: TypeAlias = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")

WIDTH, HEIGHT = 640, 480
"""The size of a static chart, in pixels, and the shape of the room that is kept for a live one."""

PADDING = {"left": 58, "right": 18, "top": 52, "bottom": 58}
"""The room around a plot, in which its axes and its title stand; the key below has its own."""
KEY_ROW = 19
"""The height of a row of the key, in pixels."""
KEY_COLUMN = 280
"""The least width of a column of the key, in pixels."""
KEY_WORDS = 42
"""How much of a column is taken by the piece of line before the words, in pixels."""

INKS: dict[Scheme, dict[str, str]] = {
    "light": {"ink": "#1c2733", "quiet": "#55606d", "grid": "#d5dbe3", "back": "#ffffff"},
    "dark": {"ink": "#eef1f5", "quiet": "#a9b3c0", "grid": "#3a4250", "back": "#1e2129"},
}

PALETTE: dict[Scheme, tuple[str, ...]] = {
    "light": (
        "#1d5a96", "#a03c00", "#2b7a3d", "#7a3fa0", "#8a6d00", "#b3256f", "#0f7f86", "#5b5b5b",
    ),
    "dark": (
        "#8dbdf0", "#f0a868", "#86d39a", "#c9a3ef", "#e3cf6b", "#f29ac4", "#6fd3d8", "#c0c0c0",
    ),
}  # fmt: skip

VENDORS: dict[str, dict[str, Any]] = {
    "NVIDIA": {"shape": "circle", "dash": [7, 4]},
    "AMD": {"shape": "triangle-up", "dash": [2, 3]},
    "": {"shape": "diamond", "dash": [10, 3, 2, 3]},
}
"""What tells vendors apart without colour; the last row is that of all others."""

FILLED = "vLLM"
"""The engine whose points are filled; those of other engines are hollow."""

AXES: dict[str, dict[str, Any]] = {
    "users": {
        "choice": "concurrency",
        "title": "Concurrent users",
        "at": "Concurrent users, at tensor parallelism {}",
        "fixed": "tensor_parallelism",
        "says": "concurrent users",
        "grid": [1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128],
    },
    "tp": {
        "choice": "tensor_parallelism",
        "title": "Tensor parallelism",
        "at": "Tensor parallelism, at {} concurrent users",
        "fixed": "concurrency",
        "says": "tensor parallelism",
        "grid": [1, 2, 4, 8],
    },
}
"""What can stand on the x axis of the line charts: a choice of the configuration."""

LINES: dict[str, dict[str, Any]] = {
    "throughput": {
        "title": "Output tokens/s per accelerator",
        "ceiling": {
            "chunked": "chunked.per_accelerator",
            "sequential": "sequential.per_accelerator",
        },
        "unit": "tokens/s",
        "decimals": 0,
        "more_is_better": True,
    },
    "latency": {
        "title": "End-to-end latency, in seconds",
        "ceiling": {"chunked": "latency.end_to_end", "sequential": "latency.end_to_end"},
        "unit": "s",
        "decimals": 2,
        "more_is_better": False,
    },
}
"""The line charts: what is drawn, from which quantity of the book, in which unit."""

RELATIVE = {
    "throughput": "Percent of the theoretical throughput",
    "latency": "Theory, in percent of measured latency",
}
HOW_TO_READ = "Solid, with points: measured. Dashed: theory."
ROOFLINE: dict[str, Any] = {
    "title": "Attainable FLOP/s",
    "x": "Arithmetic intensity, in FLOP per byte",
    "table": ["Mark", "FLOP per byte", "TFLOP/s"],
}

PLACES: dict[str, dict[str, Any]] = {
    "ridge": {"shape": "diamond", "dx": -4, "dy": -14, "align": "right"},
    "decode": {"shape": "circle", "dx": 12, "dy": 18, "align": "left"},
    "prefill": {"shape": "square", "dx": 12, "dy": 18, "align": "left"},
}
"""Where the words of a mark on the roofline stand, beside it: where neither roof runs."""


def shared() -> dict[str, Any]:
    """Give all of it for the live charts, as plain data."""
    return {
        "padding": PADDING,
        "key_row": KEY_ROW,
        "key_column": KEY_COLUMN,
        "key_words": KEY_WORDS,
        "inks": INKS,
        "palette": PALETTE,
        "vendors": VENDORS,
        "filled": FILLED,
        "axes": AXES,
        "lines": LINES,
        "relative": RELATIVE,
        "how_to_read": HOW_TO_READ,
        "roofline": ROOFLINE,
        "places": PLACES,
    }
