"""The examiner: units fit, steps follow, claims hold, every statement says where it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from derivations.check.fault import Fault
from derivations.check.memory import remembered
from derivations.check.report import Report, Verdict

if TYPE_CHECKING:
    from derivations.check.examiner import examine

__all__ = ["Fault", "Report", "Verdict", "examine", "remembered"]


def __getattr__(name: str) -> Any:
    """Import the examiner itself when it is asked for: what it finds is mostly remembered."""
    if name == "examine":
        from derivations.check.examiner import examine

        return examine
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
