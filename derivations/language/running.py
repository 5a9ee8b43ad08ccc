"""What Python that was written from trees runs with: the meaning of its names."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any


def compiled(source: str, names: dict[str, Any]) -> Callable[..., Any]:
    """Compile ``program``, in source that was written from a book's trees and nothing else."""
    space = dict(names)
    exec(compile(source, "<book>", "exec"), space)
    program: Callable[..., Any] = space["program"]
    return program


def in_floats() -> dict[str, Any]:
    """Give what the names of the Python notation mean for floats. What has no value is NaN."""
    return {
        "maximum": max,
        "minimum": min,
        "ceil": lambda value: float(math.ceil(value)),
        "floor": lambda value: float(math.floor(value)),
        "sqrt": math.sqrt,
        "exp": math.exp,
        "log2": math.log2,
        "nothing": math.nan,
    }


def in_arrays() -> dict[str, Any]:
    """Give what the names of the NumPy notation mean, for arrays of float64 that broadcast."""
    from functools import reduce

    import numpy as np

    def choose(condition: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        if not np.ndim(condition):  # the same in all rows
            return then() if condition else otherwise()
        # The branch that is not taken may divide by zero; what comes of it is thrown away.
        with np.errstate(all="ignore"):
            return np.where(condition, then(), otherwise())

    return {
        "maximum": lambda *terms: reduce(np.maximum, terms),
        "minimum": lambda *terms: reduce(np.minimum, terms),
        "ceil": np.ceil,
        "floor": np.floor,
        "sqrt": np.sqrt,
        "exp": np.exp,
        "log2": np.log2,
        "choose": choose,
        "nothing": np.nan,
    }
