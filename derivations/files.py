"""Write a file whole, or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


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
