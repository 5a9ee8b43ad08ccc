"""What the examiner finds wrong."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Fault:
    """One mistake: where it is, and what is and should be."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"
