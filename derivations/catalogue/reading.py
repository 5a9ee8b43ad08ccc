"""A TOML file, read with care, and how a message names what stands in it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

MOST_BYTES = 256 * 1024
"""No data file is longer. Files of another kind, or broken ones, are."""


class DataError(ValueError):
    """A data file cannot be used as it is. The message names the file and the field."""


def told(value: object) -> str:
    """Give a value as messages name it: on one line, and cut where it is long."""
    try:
        text = " ".join(repr(value).split())
    except (ValueError, RecursionError):  # a whole number of 5000 digits, lists in lists in lists
        return f"a very long {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:80]}…"


def toml(path: Path) -> dict[str, Any]:
    """Read a TOML file. Raises `DataError`."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise DataError(f"{path.name}: it is longer than {MOST_BYTES} bytes; no data file is")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise DataError(f"{path.name}: it cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise DataError(f"{path.name}: it is not written in UTF-8") from None
    except tomllib.TOMLDecodeError as problem:
        raise DataError(f"{path.name}: it is not TOML: {problem}") from None
    except RecursionError:
        raise DataError(f"{path.name}: it is nested too deeply") from None
    except ValueError as problem:
        if isinstance(problem, DataError):
            raise
        raise DataError(f"{path.name}: it has a number of too many digits in it") from None
