"""A review: both revisions exported and compared, and what there is to object to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

import msgspec

from derivations.progress import Step
from derivations.review.changes import Changes, changes
from derivations.review.format import CONFIGURATIONS, Export
from derivations.review.revisions import CHANGELOG, Repository, Revision, RevisionError
from derivations.review.running import exports

_COMPARED = ("derivations/book/", "derivations/data/", CHANGELOG)
"""What a report tells of by itself."""
_AREAS = (
    ("templates/", "prose"),
    ("site/", "site"),
    ("tests/", "tests"),
    ("derivations/", "code"),
    ("", "other files"),
)


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """What a change does, and what there is to object to."""

    base: str
    head: str
    untold: tuple[str, ...] = ()
    """What has another value, and no line in the changelog."""
    lines: tuple[str, ...] = ()
    """The lines that the changelog has now, and had not before."""
    broken: str = ""
    """What the code of the head says where it cannot run. Nothing could be compared then."""
    changes: Changes | None = None
    before: Export | None = None
    after: Export | None = None
    beside: dict[str, tuple[str, ...]] = {}
    """Other files that differ, by what they are."""

    @property
    def objections(self) -> tuple[str, ...]:
        """Why it should not be merged as it is. Without any, the exit code is 0."""
        if self.broken:
            return (f"the code of {self.head} does not run",)
        found = self.changes
        assert found is not None
        return (
            *(f"{each.id} is lost: nothing answers to it any more" for each in found.lost),
            *found.faults,
            *(
                f"{name} has another value, and no line of {CHANGELOG} names it"
                for name in self.untold
            ),
        )


def reviewed(
    repository: Repository,
    base: Revision,
    head: Revision,
    configurations: int = CONFIGURATIONS,
    step: Step | None = None,
) -> Review:
    """
    Compare two revisions.

    Raises `RevisionError` where the base cannot run, and `FormatError` where an export cannot be
    read.
    """
    told = step or (lambda name, total: None)
    with ExitStack() as stack:
        folders = {
            end: stack.enter_context(repository.unpacked(revision))
            for end, revision in (("base", base), ("head", head))
        }
        names = {"base": str(base), "head": str(head)}
        found = exports(folders, names, configurations, lambda end: told(f"exported {end}", 3))
    beside = files_beside(repository.changed(base, head))
    before, after = found["base"], found["head"]
    if isinstance(before, str):
        raise RevisionError(f"the code of {base} does not run: {before}")
    if isinstance(after, str):
        return Review(base=str(base), head=str(head), broken=after, beside=beside)
    lines = added_lines(
        repository.text(base, CHANGELOG) or "", repository.text(head, CHANGELOG) or ""
    )
    made = review_of(before, after, str(base), str(head), lines, beside)
    told("compared", 3)
    return made


def review_of(
    before: Export,
    after: Export,
    base: str,
    head: str,
    lines: tuple[str, ...] = (),
    beside: dict[str, tuple[str, ...]] | None = None,
) -> Review:
    """Compare two exports; *lines* are those that the changelog has now, and had not before."""
    found = changes(before, after)
    return Review(
        base=base,
        head=head,
        untold=tuple(
            names[0]
            for names in _changed(found)
            if not any(_tells(line, name) for line in lines for name in names)
        ),
        lines=lines,
        changes=found,
        before=before,
        after=after,
        beside=beside or {},
    )


def _changed(found: Changes) -> Iterator[tuple[str, ...]]:
    """Give the names of everything that has another value by its own declaration."""
    for entry in found.entries:
        if entry.value_changed:
            yield entry.id, entry.former
    for fact in found.facts:
        if fact.value_changed:
            yield fact.id, fact.former, fact.name
    if found.results.changed or found.results.removed:
        yield ("results", "result", "measured")
    if found.defaults:
        yield ("defaults", "default")


def _tells(line: str, name: str) -> bool:
    """Tell whether a line names something, as a word of its own."""
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)", line) is not None


def added_lines(before: str, after: str) -> tuple[str, ...]:
    """Give the lines that a text has now, and had not before."""
    there = Counter(line.strip() for line in before.splitlines())
    new = Counter(line.strip() for line in after.splitlines())
    return tuple(line for line in (new - there) if line)


def files_beside(files: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Give the files that a report does not tell of, by what they are."""
    found: dict[str, list[str]] = {}
    for place in files:
        if not place.startswith(_COMPARED):
            area = next(name for start, name in _AREAS if place.startswith(start))
            found.setdefault(area, []).append(place)
    return {area: tuple(places) for area, places in found.items()}
