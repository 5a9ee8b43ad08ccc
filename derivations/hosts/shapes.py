"""
Pages of the same shape are converted once, and filled in after.

Converting Markdown takes ten times as long as filling it in, and pages of single configurations
differ in nothing but what is filled in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from derivations.build import ConfigurationPage
from derivations.render.popover import OPENING, popovers
from derivations.render.shape import Shape, without_hidden

_ID = re.compile(r'<div popover class="d-popover" id="pop-([^"]+)"')
_HERE = re.compile(r'\bid="([a-z_]+\.[a-z_]+)"')


@dataclass(frozen=True)
class _Converted:
    html: str
    quantities: tuple[str, ...]
    here: frozenset[str]
    """The ids of what has its place in the page."""
    toc: Any


@dataclass
class Shapes:
    """The HTML of every shape that was met so far, with its slots open."""

    _known: dict[Shape, _Converted] = field(default_factory=dict)

    def markdown(self, page: ConfigurationPage) -> str:
        """Give what has to be converted for a page: nothing, where its shape is known."""
        return "" if page.shape in self._known else page.shape.text

    def html(
        self, page: ConfigurationPage, converted: str, toc: Any, link: str = ""
    ) -> tuple[str, Any]:
        """
        Give the HTML and the table of contents of a page that was converted, or not.

        *link* is where notes lead to whose derivation is not in the page.
        """
        shape, workings = page.shape, page.workings
        if shape not in self._known:
            text, _, notes = converted.partition(OPENING)
            kept = without_hidden(text, shape.slots)
            here = frozenset(_HERE.findall(kept))
            self._known[shape] = _Converted(kept, tuple(_ID.findall(notes)), here, toc)
        known = self._known[shape]
        filled = shape.html(known.html, workings)
        notes = popovers(workings, known.quantities, known.here, link)
        return filled + notes, known.toc
