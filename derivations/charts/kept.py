"""What takes long to make, kept in the user's cache folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path

from derivations import files

ROOM = Path(__file__).parent


def kept(name: str, of: str, make: Callable[[], bytes]) -> bytes:
    """
    Give a file that was made before of the same, or make it.

    *of* is the text of what goes in. Whatever this room does with it, and the versions of what it
    uses, belong to what goes in as well.
    """
    return files.kept(name, f"{_tools()}\0{of}", make)


@cache
def _tools() -> str:
    sources = (
        ROOM / name
        for name in ("specification.py", "look.py", "bundle.py", "painting.py", "pictures.py")
    )
    read = [each.read_text(encoding="utf-8") for each in sources]
    return "\0".join([version("altair"), version("vl-convert-python"), *read])
