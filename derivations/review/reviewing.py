"""A review: both revisions exported and compared, and what there is to object to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

import msgspec

from derivations.progress import Step
from derivations.review.changes import Changes, Lost, changes
from derivations.review.format import CONFIGURATIONS, Export
from derivations.review.revisions import CHANGELOG, Repository, Revision, RevisionError
from derivations.review.running import exports

_AREAS = (
    ("derivations/book/", "the book, beyond what is told above"),
    ("derivations/data/", "data, beyond what is told above"),
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
            *(f"{each.id} is lost: {_instead(each)}" for each in found.lost),
            *found.faults,
            *(
                f"{name} has another value, and no line of {CHANGELOG} names it"
                for name in self.untold
            ),
        )


def _instead(lost: Lost) -> str:
    return f"it means {lost.instead} now" if lost.instead else "nothing answers to it any more"


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
    files = repository.changed(base, head)
    before, after = found["base"], found["head"]
    if isinstance(before, str):
        raise RevisionError(f"the code of {base} does not run: {before}")
    if isinstance(after, str):
        return Review(base=str(base), head=str(head), broken=after, beside=files_beside(files))
    lines = added_lines(
        repository.text(base, CHANGELOG) or "", repository.text(head, CHANGELOG) or ""
    )
    made = review_of(before, after, str(base), str(head), lines, files)
    told("compared", 3)
    return made


def review_of(
    before: Export,
    after: Export,
    base: str,
    head: str,
    lines: tuple[str, ...] = (),
    files: tuple[str, ...] = (),
) -> Review:
    """
    Compare two exports.

    *lines* are those that the changelog has now, and had not before; *files* are those that differ.
    """
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
        beside=files_beside(files, found),
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
    for identity in found.unexplained:
        yield (identity,)


def _tells(line: str, name: str) -> bool:
    """Tell whether a line names something, as a word of its own."""
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)", line) is not None


def added_lines(before: str, after: str) -> tuple[str, ...]:
    """Give the lines that a text has now, and had not before."""
    there, new = (
        Counter(line.strip() for line in re.sub(r"<!--.*?-->", "", text, flags=re.S).splitlines())
        for text in (before, after)
    )
    return tuple(line for line in (new - there) if line)


def files_beside(files: tuple[str, ...], told: Changes | None = None) -> dict[str, tuple[str, ...]]:
    """Give the files that a report does not tell of, by what they are."""
    silent = {CHANGELOG, *(_told(told) if told else ())}
    found: dict[str, list[str]] = {}
    for place in files:
        if place not in silent:
            area = next(name for start, name in _AREAS if place.startswith(start))
            found.setdefault(area, []).append(place)
    return {area: tuple(places) for area, places in found.items()}


def _told(found: Changes) -> Iterator[str]:
    """Give the files that the report tells of: a section, a data file, a table of results."""
    for entry in found.entries:
        for identity in (entry.id, entry.former):
            yield f"derivations/book/{identity.partition('.')[0]}.py"
    for fact in found.facts:
        for identity in (fact.id, fact.former):
            yield f"derivations/data/{fact.kind}s/{identity}.toml"
    results = found.results
    for run in (*results.added, *results.removed, *(each[0] for each in results.changed)):
        yield f"derivations/data/benchmarks/{run.partition(' ')[0]}.csv"
    if found.defaults:
        yield "derivations/data/defaults.toml"
