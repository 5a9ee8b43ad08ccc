"""The words for units in running text: ``tokens/s per GPU``, ``bytes per token``."""

from __future__ import annotations

import re
from functools import cache

_ONE_AND_MANY = {
    "byte": ("byte", "bytes"),
    "flop": ("FLOP", "FLOPs"),
    "token": ("token", "tokens"),
    "sequence": ("sequence", "sequences"),
    "step": ("step", "steps"),
    "value": ("value", "values"),
    "parameter": ("parameter", "parameters"),
    "layer": ("layer", "layers"),
    "head": ("head", "heads"),
    "accelerator": ("GPU", "GPUs"),
    "second": ("s", "s"),
    "Tflop": ("TFLOP", "TFLOP"),
    "Pflop": ("PFLOP", "PFLOP"),
    "percent": ("%", "%"),
}
"""Words with a plural of their own; other units (ms, MB) are written as they are."""


@cache
def label(unit: str, *, one: bool = False) -> str:
    """
    Give the words for a unit that follow a number.

    A rate is written with a slash (``FLOP/s``), everything else with "per".
    """
    above, *below = re.split(r"\s*/\s*", unit)
    if above in ("1", ""):
        return " ".join(f"per {_ONE_AND_MANY.get(each, (each,))[0]}" for each in below)
    single, plural = _ONE_AND_MANY.get(above, (above, above))
    rate = "second" in below or "s" in below
    text = single if one or (rate and above == "flop") else plural
    if rate:
        text += "/s"
    rest = [each for each in below if each not in ("second", "s")]
    return " per ".join([text, *(_ONE_AND_MANY.get(each, (each,))[0] for each in rest)])


def in_words(amount: str) -> str:
    """Give an amount as its source writes it, with words for its unit: 3958 TFLOP/s per GPU."""
    return " ".join(as_written(amount)).strip()


def as_written(amount: str) -> tuple[str, str]:
    """Give the number of an amount as its source writes it, and the words for its unit."""
    number, _, unit = amount.partition(" ")
    return number, label(unit)
