"""One configuration becomes a worksheet of values, many become arrays (`evaluate.sweep`)."""

from derivations.evaluate.worksheet import NoValue, Worksheet, evaluate

__all__ = ["NoValue", "Worksheet", "evaluate"]
