"""Files: written whole or not at all, kept where they take long to make, and data as JSON."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any


def replace(place: Path, content: bytes) -> None:
    """
    Put content in a place: written beside it, then moved there, so that nothing is half-written.

    Makes the folder where it is missing. Raises `OSError`, and then leaves nothing behind.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=place.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(beside, 0o644)
        os.replace(beside, place)
    except BaseException:
        os.unlink(beside)
        raise


def as_json(data: Any, *, by_name: bool = False) -> str:
    """Write plain data as JSON, on one line and without blanks; *by_name* sorts the keys."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=by_name)


def cache_folder() -> Path:
    """Give the folder in which the user keeps what can be made again. It need not be there yet."""
    from platformdirs import user_cache_path

    return user_cache_path("derivations")


def kept(name: str, of: str, make: Callable[[], bytes]) -> bytes:
    """
    Give a file that was made before of the same, or make it and keep it in the user's cache folder.

    *of* is the text of all that goes in.
    """
    digest = hashlib.sha256(of.encode()).hexdigest()[:24]
    stem, _, ending = name.rpartition(".")
    place = cache_folder() / f"{stem}-{digest}.{ending}"
    try:
        return place.read_bytes()
    except OSError:
        pass
    content = make()
    # A cache that cannot be written costs time, and nothing else.
    with suppress(OSError):
        replace(place, content)
    return content
