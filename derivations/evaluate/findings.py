"""What all measured results say together: counts and medians, each from the book's own formulas."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from statistics import median
from typing import Any

from derivations.book import decode, measured, memory
from derivations.catalogue import Result, fact, results
from derivations.configure import configuration
from derivations.evaluate.worksheet import by_engine

LEAST_SHARE, MOST_SHARE = 0.2, 0.5
"""The shares between which the original article sees most results."""


@dataclass(frozen=True)
class Run:
    """A measured result: the share of the limit that it reached, and what goes with it."""

    result: Result
    share: float
    """Of the throughput with chunked prefill, by the output rate."""
    queued: bool
    fits: bool
    even: float
    """The users at which the cache weighs as much as the weights."""

    @property
    def vendor(self) -> str:
        """Who makes the accelerator."""
        return str(fact("accelerator", self.result.accelerator).texts["vendor"])

    @property
    def parallel(self) -> int:
        """The tensor parallelism."""
        return self.result.counts[0]

    @property
    def lengths(self) -> tuple[int, int]:
        """The nominal lengths of prompt and answer."""
        return self.result.counts[1:3]

    @property
    def users(self) -> int:
        """The concurrency of the client."""
        return self.result.counts[3]


@dataclass(frozen=True)
class Group:
    """Runs that have something in common: what that is, how many there are, their median share."""

    key: Any
    runs: int
    median: float


@dataclass(frozen=True)
class Tendency:
    """How the share changes with one choice, between runs that differ in nothing else."""

    pairs: int
    fell: int
    rose: int
    groups: tuple[Group, ...]

    @property
    def uneven(self) -> bool:
        """Whether some choices were run more often than others."""
        return len({each.runs for each in self.groups}) > 1

    @property
    def falls(self) -> bool:
        """Whether the share is lower with more, in more than half of the pairs."""
        return 2 * self.fell > self.pairs

    @property
    def rises(self) -> bool:
        """Whether the share is higher with more, in more than half of the pairs."""
        return 2 * self.rose > self.pairs


@dataclass(frozen=True)
class Overtaking:
    """For one format and workload: from how many users the cache outweighs the weights."""

    precision: str
    lengths: tuple[int, int]
    users: float
    below: Group | None
    beyond: Group | None
    """The runs with fewer users, and those with at least as many."""


@dataclass(frozen=True)
class Findings:
    """What the runs say together. All but the counts are of the runs that did not queue."""

    runs: int
    queued: int
    crowded: int
    """Those that queued, and whose cache has no room for all the users."""
    counted: int
    median: float
    parallelism: Tendency
    users: Tendency
    vendors: tuple[Group, ...]
    """The lowest median first."""
    engines: tuple[Group, ...]
    """By vendor and engine, in the order of their names."""
    between: int
    overtaking: tuple[Overtaking, ...]
    highest: Run
    lowest: Run


@cache
def runs() -> tuple[Run, ...]:
    """Give every measured result with its share, for the first model that it stands for."""
    found = []
    for each in results():
        model = each.benchmark.texts["stands_for"][0]
        sheets = by_engine(configuration(model=model, **each.choices))
        sheet = next(sheet for sheet in sheets if sheet.result is each)
        found.append(
            Run(
                each,
                sheet.value(measured.share_of_chunked),
                sheet.holds(measured.queued),
                sheet.holds(memory.fits),
                sheet.value(decode.even_concurrency),
            )
        )
    return tuple(found)


def findings(every: Iterable[Run]) -> Findings:
    """Find what runs say together. Raises `ValueError` where all of them queued."""
    known = tuple(every)
    kept = [each for each in known if not each.queued]
    if not kept:
        raise ValueError("there is no run that did not queue; there is nothing to find")
    return Findings(
        runs=len(known),
        queued=len(known) - len(kept),
        crowded=sum(each.queued and not each.fits for each in known),
        counted=len(kept),
        median=median(each.share for each in kept),
        parallelism=_tendency(kept, lambda run: run.parallel, 0),
        users=_tendency(kept, lambda run: run.users, 3),
        vendors=tuple(sorted(_groups(kept, lambda run: run.vendor), key=lambda g: g.median)),
        engines=_groups(kept, lambda run: (run.vendor, run.result.engine)),
        between=sum(LEAST_SHARE <= each.share <= MOST_SHARE for each in kept),
        overtaking=tuple(_overtaking(kept)),
        highest=max(kept, key=lambda run: run.share),
        lowest=min(kept, key=lambda run: run.share),
    )


def _tendency(kept: list[Run], choice: Callable[[Run], int], place: int) -> Tendency:
    """Compare all pairs that differ in one count only, which stands at *place* of the counts."""
    alike: defaultdict[Hashable, list[Run]] = defaultdict(list)
    for each in kept:
        result = each.result
        others = (*result.counts[:place], *result.counts[place + 1 :])
        alike[
            result.benchmark.id, result.accelerator, result.engine, result.precision,
            result.kv_precision, others,
        ].append(each)  # fmt: skip
    pairs = [
        (less, more)
        for group in alike.values()
        for less, more in combinations(sorted(group, key=choice), 2)
    ]
    return Tendency(
        len(pairs),
        sum(more.share < less.share for less, more in pairs),
        sum(more.share > less.share for less, more in pairs),
        _groups(kept, choice),
    )


def _groups(kept: Iterable[Run], key: Callable[[Run], Any]) -> tuple[Group, ...]:
    found: defaultdict[Any, list[float]] = defaultdict(list)
    for each in kept:
        found[key(each)].append(each.share)
    return tuple(Group(name, len(found[name]), median(found[name])) for name in sorted(found))


def _overtaking(kept: list[Run]) -> Iterable[Overtaking]:
    found: defaultdict[Any, list[Run]] = defaultdict(list)
    for each in kept:
        found[each.result.precision, each.lengths, each.even].append(each)
    for (precision, lengths, users), group in sorted(found.items()):
        sides = {each.key: each for each in _groups(group, lambda run: run.users >= run.even)}
        yield Overtaking(precision, lengths, users, sides.get(False), sides.get(True))
