"""The fields that a data file may have, from `data/vocabulary.toml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from derivations.catalogue.reading import DataError, toml

DATA = Path(__file__).parents[1] / "data"


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One field: what it means, and how its value is written."""

    kind: Literal["text", "id", "ids", "key", "year", "date", "trust", "amount"]
    means: str
    unit: str = "1"
    of: str = ""
    """The kind of facts that an id is one of."""
    required: bool = False
    whole: bool = False
    zero: bool = False
    """Whether it may be zero."""
    each: bool = False


@cache
def vocabulary() -> dict[str, dict[str, Field]]:
    """Give the fields of each kind of file, by name, in its order. Raises `DataError`."""
    try:
        return msgspec.convert(toml(DATA / "vocabulary.toml"), dict[str, dict[str, Field]])
    except msgspec.ValidationError as problem:
        raise DataError(f"vocabulary.toml: {problem}") from None
