"""The inventory of the site, `objects.inv`: what other documentation looks links up in."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from derivations import __version__
from derivations.book import BOOK
from derivations.catalogue import facts
from derivations.render.escape import for_plain

PROJECT = "derivations"
_PAGES = {"accelerator": "accelerators", "model": "models"}


def inventory() -> bytes:
    """
    Give the inventory in version 2 of Sphinx's format.

    All are labels (``std:label``): that is what ``:external:ref:``, MyST and mkdocs-autorefs look
    up by default. An id of the book is its own name; an accelerator is ``accelerator.b200``, a
    model ``model.llama-3-70b``, so that none of them meets an id of the book. Former ids and
    aliases are there, too, and lead to the same place.
    """
    head = (
        "# Sphinx inventory version 2\n"
        f"# Project: {PROJECT}\n"
        f"# Version: {__version__}\n"
        "# The remainder of this file is compressed using zlib.\n"
    )
    lines = (f"{name} std:label -1 {place} {_title(title)}\n" for name, place, title in _labels())
    return head.encode() + zlib.compress("".join(lines).encode(), 9)


def _labels() -> Iterator[tuple[str, str, str]]:
    for name, entry in BOOK.entries.items():
        title = str(getattr(entry, "title", "") or name)
        for each in (name, *getattr(entry, "formerly", ())):
            yield each, f"derivations/{name}/", title
    for kind, folder in _PAGES.items():
        for name, fact in facts(kind).items():
            for each in (name, *fact.aliases):
                yield f"{kind}.{each}", f"{folder}/{name}/", fact.name


def _title(text: str) -> str:
    """Give a title on one line. A hyphen alone would stand for the name itself: a dash is not."""
    title = for_plain(text)
    return "–" if title == "-" else title or "untitled"
