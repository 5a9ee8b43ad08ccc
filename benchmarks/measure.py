"""Time two ways of doing the same thing, taking turns, so that both meet the same machine."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Measured:
    """What was measured: our time and theirs (in seconds), and what was wanted."""

    what: str
    ours: float
    theirs: float | None
    target: float
    """The largest ratio that is allowed or, where there is nothing to compare with, the amount."""
    unit: str = "s"

    @property
    def met(self) -> bool:
        """Whether we are as fast as we want to be."""
        return (self.ours if self.theirs is None else self.ours / self.theirs) <= self.target

    def __str__(self) -> str:
        theirs = "-" if self.theirs is None else self._amount(self.theirs)
        ratio = "-" if self.theirs is None else f"{self.ours / self.theirs:.2f}"
        alone = self.theirs is None
        target = f"≤ {self.target:g} {self.unit}" if alone else f"≤ {self.target:g}"
        verdict = "met" if self.met else "MISSED"
        ours = self._amount(self.ours)
        return f"{self.what:<58}{ours:>10}{theirs:>10}{ratio:>7}{target:>10}  {verdict}"

    def _amount(self, value: float) -> str:
        return _time(value) if self.unit == "s" else f"{value:.3g} {self.unit}"


HEADER = f"{'':<58}{'ours':>10}{'theirs':>10}{'ratio':>7}{'target':>10}"


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def in_turns(
    ours: Callable[[], object], theirs: Callable[[], object], repeats: int
) -> tuple[float, float]:
    """Give the medians of both, after one run of each that is not counted."""
    ours(), theirs()
    first, second = [], []
    for _ in range(repeats):
        first.append(seconds(ours))
        second.append(seconds(theirs))
    return statistics.median(first), statistics.median(second)


def seconds(work: Callable[[], object]) -> float:
    """Give the time that something takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def processor_seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """Give the median of the time that processors spend on it, here and in processes below."""
    work()
    found = []
    for _ in range(repeats):
        before = sum(os.times()[:4])
        work()
        found.append(sum(os.times()[:4]) - before)
    return statistics.median(found)


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the folder of the project. Raises where it fails."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, check=True, capture_output=True, text=True
    )
