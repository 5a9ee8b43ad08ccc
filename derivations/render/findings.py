"""What all measured results say together, as texts for a template: every number is worked out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from derivations.catalogue import fact
from derivations.evaluate import findings as worked
from derivations.language.declare import Shown
from derivations.render.labels import label
from derivations.render.numbers import exact, shown

_SHARE = Shown("percent", decimals=1)
_WHOLE = Shown("1", decimals=0)


def share(value: float) -> str:
    """Write a share in percent."""
    return f"{shown(exact(value), _SHARE).text} {label('percent')}"


@dataclass(frozen=True)
class Median:
    """A group of runs: its name, how many they are in words, and their median share."""

    name: str
    runs: str
    median: str


@dataclass(frozen=True)
class Direction:
    """How the share goes with more of something: in how many pairs it falls, and medians."""

    pairs: int
    fell: int
    rose: int
    falls: bool
    rises: bool
    uneven: bool
    medians: tuple[Median, ...]


@dataclass(frozen=True)
class Border:
    """From how many users the cache outweighs the weights, and the medians on both sides."""

    format: str
    prompt: int
    answer: int
    users: str
    below: Median | None
    beyond: Median | None


class Found:
    """What a template finds in ``say.findings``. Nothing is worked out before it is asked for."""

    def __init__(self, runs: Iterable[worked.Run] | None = None) -> None:
        self._runs = runs

    @cached_property
    def of(self) -> worked.Findings:
        """The counts."""
        return worked.findings(worked.runs() if self._runs is None else self._runs)

    @property
    def parallelism(self) -> Direction:
        """How the share goes with tensor parallelism."""
        return _direction(self.of.parallelism)

    @property
    def users(self) -> Direction:
        """How the share goes with users."""
        return _direction(self.of.users)

    @property
    def vendors(self) -> tuple[Median, ...]:
        """The vendors, the lowest median first."""
        return tuple(map(_median, self.of.vendors))

    @property
    def engines(self) -> tuple[Median, ...]:
        """The engines of each vendor."""
        return tuple(
            Median(" with ".join(each.key), _count(each.runs), share(each.median))
            for each in self.of.engines
        )

    @property
    def median(self) -> str:
        """The median share of all runs."""
        return share(self.of.median)

    @property
    def between(self) -> str:
        """The share of the runs whose own share lies in the middle."""
        return share(self.of.between / self.of.counted)

    @property
    def least(self) -> str:
        """Where the middle begins."""
        return share(worked.LEAST_SHARE)

    @property
    def most(self) -> str:
        """Where the middle ends."""
        return share(worked.MOST_SHARE)

    @property
    def borders(self) -> tuple[Border, ...]:
        """For each format and workload, from how many users the cache outweighs the weights."""
        return tuple(map(_border, self.of.overtaking))

    @property
    def highest(self) -> str:
        """The highest share, and where it was reached."""
        return _run(self.of.highest)

    @property
    def lowest(self) -> str:
        """The lowest share, and where it was reached."""
        return _run(self.of.lowest)


def _median(group: worked.Group) -> Median:
    return Median(str(group.key), _count(group.runs), share(group.median))


def _count(runs: int) -> str:
    return f"{runs} {'run' if runs == 1 else 'runs'}"


def _direction(found: worked.Tendency) -> Direction:
    medians = tuple(map(_median, found.groups))
    return Direction(
        found.pairs, found.fell, found.rose, found.falls, found.rises, found.uneven, medians
    )


def _border(found: worked.Overtaking) -> Border:
    prompt, answer = found.lengths
    sides = (_median(each) if each else None for each in (found.below, found.beyond))
    below, beyond = sides
    users = shown(exact(found.users), _WHOLE).text
    return Border(_name("precision", found.precision), prompt, answer, users, below, beyond)


def _run(run: worked.Run) -> str:
    result = run.result
    parallel, prompt, answer, users = result.counts
    gpus = f"{parallel} {label('accelerator', one=parallel == 1)}"
    return (
        f"{share(run.share)}: {_name('accelerator', result.accelerator)} with {result.engine}, "
        f"{_name('precision', result.precision)}, {gpus}, prompts of {prompt} and answers of "
        f"{answer} tokens, {users} {'user' if users == 1 else 'users'}"
    )


def _name(kind: str, identity: str) -> str:
    return fact(kind, identity).name
