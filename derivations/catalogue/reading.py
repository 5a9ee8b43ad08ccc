"""A TOML file, read with care, and how a message names what stands in it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from stat import S_ISDIR, S_ISREG
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


def text(path: Path) -> str:
    """Read a data file as it is. Raises `DataError`."""
    try:
        found = path.stat()
        if not (S_ISREG(found.st_mode) or S_ISDIR(found.st_mode)):
            raise DataError(f"{path.name}: it is a device or a pipe, not a file")
        if found.st_size > MOST_BYTES:
            raise DataError(f"{path.name}: it is longer than {MOST_BYTES} bytes; no data file is")
        return path.read_bytes().decode()
    except OSError as problem:
        raise DataError(f"{path.name}: it cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise DataError(f"{path.name}: it is not written in UTF-8") from None


def toml(path: Path) -> dict[str, Any]:
    """Read a TOML file. Raises `DataError`."""
    content = text(path).replace("\r\n", "\n")
    try:
        return tomllib.loads(content)
    except tomllib.TOMLDecodeError as problem:
        raise DataError(f"{path.name}: it is not TOML: {problem}") from None
    except RecursionError:
        raise DataError(f"{path.name}: it is nested too deeply") from None
    except ValueError:
        raise DataError(f"{path.name}: it has a number of too many digits in it") from None


_WORDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "date": "a date such as 2026-11-29, without quotation marks",
}
_SAID = (
    (r"Expected `str` of length >= 1", "it is empty"),
    (r"Expected `str` of length <= (\d+)", r"it is longer than \1 signs"),
    (r"Expected `str` matching regex .*", "it should be an address such as https://example.org"),
    (r"Expected `int` >= (\d+)", r"it should be \1 or more"),
    (r"Expected `int` <= (\d+)", r"it should be \1 or less"),
    (r"Object missing required field `(\w+)`", r"the key '\1' is missing"),
    (r"Object contains unknown field `(.*)`", r"\1: there is no such key"),
    (r"Invalid enum value '(.*)'", r"it is '\1'; it should be high, medium or low"),
    (r"Invalid RFC3339 encoded date", f"it should be {_WORDS['date']}"),
)


def in_words(problem: Exception) -> str:
    """Say what msgspec found in words of a data file: where it is, what it is and should be."""
    what, _, where = str(problem).partition(" - at `$")
    for pattern, words in _SAID:
        what = re.sub(pattern, words, what, flags=re.DOTALL)
    what = re.sub(r"Expected `(\w+)`, got `(\w+)`", _expected, what)
    where = where.strip("`").lstrip(".").partition("[")[0]
    return f"{where}: {what}" if where else what


def _expected(found: re.Match[str]) -> str:
    wanted, is_now = (_WORDS.get(each, each) for each in found.groups())
    return f"it is {is_now}; it should be {wanted}"
