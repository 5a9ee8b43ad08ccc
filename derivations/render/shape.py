"""
What pages of many configurations share: the text between the numbers.

A template is rendered once, with slots in place of everything that a configuration fills in, and
with a record of every decision that it took. A configuration that decides alike has the same shape,
and only its slots are filled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from derivations.render.escape import for_html, for_markdown
from derivations.render.lines import InNumbers
from derivations.render.phrases import Phrase
from derivations.render.workings import Workings

Ask = Callable[[Workings], Any]

MARK = re.compile("\ue000([0-9]+)\ue001")
"""A slot in a text, by its number."""


def mark(place: int) -> str:
    """Give the mark of a slot, by its number."""
    return f"\ue000{place}\ue001"


@dataclass(frozen=True)
class Slot:
    """Something that a configuration fills in: a number, or a text of a data file."""

    fill: Callable[[Workings], str]
    escaped: bool
    """Whether what fills it may hold any sign, and has to be escaped for where it lands."""
    hidden: bool = False
    """Whether it is a comment that stands on a line of its own."""


def without_hidden(converted: str, slots: Iterable[Slot]) -> str:
    """Take the comments out of HTML that was made from a text with these slots."""
    for place, slot in enumerate(slots):
        if slot.hidden:
            converted = converted.replace(f"<p>{mark(place)}</p>\n", "")
    return converted


@dataclass(frozen=True, eq=False)
class Shape:
    """A rendered template, with its slots open."""

    text: str
    slots: tuple[Slot, ...]
    decisions: tuple[tuple[Ask, Any], ...]

    def fits(self, workings: Workings) -> bool:
        """Tell whether a configuration takes all the decisions that this shape took."""
        return all(ask(workings) == outcome for ask, outcome in self.decisions)

    def markdown(self, workings: Workings) -> str:
        """Give the Markdown for a configuration."""
        return self._filled(self.text, workings, for_markdown)

    def html(self, converted: str, workings: Workings) -> str:
        """Fill the slots of HTML that was made from the text of this shape."""
        return self._filled(converted, workings, for_html)

    def _filled(self, text: str, workings: Workings, escape: Callable[[str], str]) -> str:
        found: dict[str, str] = {}

        def filled(match: re.Match[str]) -> str:
            place = match[1]
            if place not in found:
                slot = self.slots[int(place)]
                written = slot.fill(workings)
                found[place] = escape(written) if slot.escaped else written
            return found[place]

        return MARK.sub(filled, text)


@dataclass
class Tape:
    """Records the slots and the decisions of one rendering, which happens for one configuration."""

    workings: Workings
    slots: list[Slot] = field(default_factory=list)
    decisions: list[tuple[Ask, Any]] = field(default_factory=list)
    live: ClassVar[bool] = False
    """Whether the page can change its configuration by itself."""

    def number(self, fill: Callable[[Workings], str]) -> str:
        """Open a slot for digits and units."""
        return self._slot(Slot(fill, escaped=False))

    def said(self, fill: Callable[[Workings], str]) -> str:
        """Open a slot for text that comes from a data file."""
        return self._slot(Slot(fill, escaped=True))

    def comment(self, fill: Callable[[Workings], str]) -> str:
        """Open a slot for a comment that stands on a line of its own."""
        return self._slot(Slot(fill, escaped=False, hidden=True))

    def _slot(self, slot: Slot) -> str:
        slot.fill(self.workings)  # what cannot be filled fails here, where the template has a line
        return self._open(slot)

    def _open(self, slot: Slot) -> str:
        self.slots.append(slot)
        return mark(len(self.slots) - 1)

    def decide(self, ask: Ask) -> Any:
        """Give the answer for this configuration, and record that the text depends on it."""
        outcome = ask(self.workings)
        self.decisions.append((ask, outcome))
        return outcome

    def structure(self, line: Phrase[InNumbers]) -> InNumbers:
        """Give a worked line, and record that the text depends on how it is built."""
        self.decide(lambda workings: line(workings).structure)
        return line(self.workings)

    def line(self, line: Phrase[InNumbers], written: str) -> str:
        """Give a worked line that has been written."""
        return written

    def shape(self, text: str) -> Shape:
        """Give the shape that was recorded."""
        return Shape(text, tuple(self.slots), tuple(self.decisions))
