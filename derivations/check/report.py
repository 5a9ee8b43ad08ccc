"""What the examiner gives: the faults of a book, and a verdict for everything that it states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from derivations.check.fault import Fault


@dataclass(frozen=True)
class Verdict:
    """How one statement was found to hold: which one, proven or sampled, and on how many."""

    what: str
    how: Literal["proven", "sampled"]
    samples: int = 0


@dataclass(frozen=True)
class Report:
    """The faults of a book, and a verdict for everything that it states."""

    faults: tuple[Fault, ...]
    verdicts: dict[str, tuple[Verdict, ...]]
