"""One configuration becomes a worksheet of values, many become arrays."""

from derivations.evaluate.sweep import sweep
from derivations.evaluate.worksheet import NoValue, Worksheet, evaluate

__all__ = ["NoValue", "Worksheet", "evaluate", "sweep"]
