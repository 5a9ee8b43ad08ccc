"""The fields that a data file may have, from `data/vocabulary.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

DATA = Path(__file__).parents[1] / "data"


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One field: what it means, and how its value is written."""

    kind: Literal["text", "texts", "year", "amount"]
    means: str
    unit: str = "1"
    required: bool = False
    whole: bool = False
    each: bool = False


@cache
def vocabulary() -> dict[str, dict[str, Field]]:
    """Give the fields of each kind of file, by name, in the order of the vocabulary."""
    text = (DATA / "vocabulary.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, dict[str, Field]])
