"""The article with all its branches: what each number says, and when each branch shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Literal

from derivations.evaluate import NoValue
from derivations.language.algebra import Quantity, leaves
from derivations.language.declare import Bridge, Derivation, Formula
from derivations.live.branches import Answer, Asked
from derivations.render.lines import Figure, InNumbers, Line
from derivations.render.phrases import Phrase
from derivations.render.regions import INLINE_REGION, inline_region
from derivations.render.shape import Ask, Slot, Tape

_REGION = re.compile(INLINE_REGION, re.S)


@dataclass(frozen=True)
class Region:
    """A part of the page that is written anew as a whole, or shown and hidden."""

    kind: Literal["line", "branch"]
    """What the page calls it, in ``data-line`` or ``data-branch``."""
    words: tuple[Any, ...]
    shown: bool = True


@dataclass(frozen=True)
class LivePage:
    """The article's Markdown with all its branches, with its slots and regions open."""

    text: str
    slots: tuple[Slot, ...]
    regions: tuple[Region, ...]
    untaken: frozenset[int]
    """The slots that stand in branches which the present configuration leaves out."""


@dataclass
class LiveTape(Tape):
    """Records what each slot says and when each branch shows, in place of deciding."""

    regions: list[Region] = field(default_factory=list)
    untaken: set[int] = field(default_factory=set)
    live: ClassVar[bool] = True
    _left_out: int = 0

    def _slot(self, slot: Slot) -> str:
        if not self._left_out:
            return super()._slot(slot)
        self.untaken.add(len(self.slots))
        return self._open(slot)

    def decide(self, ask: Ask) -> Any:
        """Give a question in place of an answer, where the answer may be another one."""
        if not isinstance(ask, Phrase):
            return ask(self.workings)
        if ask.kind == "has_value" and not _may_lack_a_value(ask.about[0]):
            return True
        try:
            return Asked(ask.words, ask(self.workings))
        except NoValue:
            if not self._left_out:
                raise
            return Asked(ask.words, False)

    def structure(self, line: Phrase[InNumbers]) -> InNumbers:
        """Give a worked line; a blank one where it has no value and will not show."""
        try:
            return line(self.workings)
        except NoValue:
            if not self._left_out:
                raise
            return _blank(line)

    def line(self, line: Phrase[InNumbers], written: str) -> str:
        """Mark a worked line as a region."""
        return self._region(Region("line", line.words), written)

    def branch(self, question: Answer, caller: Callable[[], str]) -> str:
        """Give a branch of a template: as it is, not at all, or as a region that may show."""
        if not isinstance(question, Asked):
            return caller() if question else ""
        self._left_out += not question.answer
        text = caller()
        self._left_out -= not question.answer
        region = Region("branch", question.words, question.answer)
        if "\n\n" not in text.strip("\n"):
            return self._region(region, text.rstrip("\n")) + "\n"
        return f"{_as_block(self._number(region), text)}\n"

    def live_page(self, text: str) -> LivePage:
        """Give the page that was recorded."""
        return LivePage(
            _PARAGRAPH.sub(self._alone, text),
            tuple(self.slots),
            tuple(self.regions),
            frozenset(self.untaken),
        )

    def _alone(self, paragraph: re.Match[str]) -> str:
        """Make blocks of the branches of a paragraph that has nothing else in it."""
        found = list(_REGION.finditer(paragraph[0]))
        branches = all(each["kind"] == "branch" for each in found)
        if not found or not branches or _REGION.sub("", paragraph[0]).strip():
            return paragraph[0]
        return "\n\n".join(_as_block(int(each["number"]), each["inside"]) for each in found)

    def _region(self, region: Region, text: str) -> str:
        return inline_region(region.kind, self._number(region), text)

    def _number(self, region: Region) -> int:
        self.regions.append(region)
        return len(self.regions) - 1


_PARAGRAPH = re.compile(r"^(?:.+\n?)+", re.M)


def _as_block(number: int, text: str) -> str:
    return f'<div data-branch="{number}" markdown="1">\n\n{text.strip()}\n\n</div>\n'


@cache
def _may_lack_a_value(entry: Any) -> bool:
    match entry:
        case Formula(body=body):
            return bool(entry.assuming) or any(map(_may_lack_a_value, leaves(body)))
        case Derivation(steps=steps):
            return any(_may_lack_a_value(leaf) for step in steps for leaf in leaves(step))
    return False


def _blank(line: Phrase[InNumbers]) -> InNumbers:
    entry = line.about[0]
    match entry:
        case Formula():
            also = Figure(entry, "0") if entry.also else None
            return Line(entry.body, _zeros(entry.body), Figure(entry, "0"), also)
        case Derivation():
            step = entry.steps[line.place or 0]
            return Line(step, _zeros(step), Figure(None, "0"))
    relation = entry.relation  # type: ignore[union-attr]  # lines are of no other entries
    return InNumbers(relation, _zeros(relation))


def _zeros(term: Any) -> dict[Quantity, Figure]:
    return {each: Figure(each, "0") for each in leaves(term) if not isinstance(each, Bridge)}
