"""Many configurations at once, in NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from derivations.book import BOOK
from derivations.configure import (
    COUNTS,
    ChoiceError,
    allowed,
    configuration,
    numbers,
    override,
    recount,
)
from derivations.evaluate.program import for_arrays, given_order, outputs
from derivations.language.declare import Given

BLOCK = 8192
"""Rows worked out at a time: few enough that every array of a block stays in the cache."""


@cache
def _program() -> Any:
    return for_arrays(BOOK)


def sweep(
    *, givens: Mapping[str, ArrayLike] | None = None, **choices: Any
) -> dict[str, NDArray[np.float64]]:
    """
    Give every formula and condition for many configurations, by id.

    The choices are those of `Configuration`; concurrency, input_length, output_length and
    tensor_parallelism may be arrays, and so may be *givens* by id, in base units. Arrays broadcast
    to one shape (n,). Values are float64 of shape (n,), in base units; conditions are 1 or 0; what
    has no value in a configuration is NaN. Raises `ChoiceError`.
    """
    arrays = {name: choices.pop(name) for name in COUNTS if _several(choices.get(name))}
    chosen = configuration(**choices)
    found: dict[Given, Any] = dict(numbers(chosen))
    for name, values in arrays.items():
        found[COUNTS[name]] = _column(name, COUNTS[name], values)
    for name, values in (givens or {}).items():
        given = override(name)
        several = _several(values)
        found[given] = _column(name, given, values) if several else allowed(given, values)
    rows = _rows(
        {name: found[each].size for name, each in BOOK.givens.items() if np.ndim(found[each])}
    )
    recount(chosen, found, tuple(map(override, givens or ())))
    columns = [np.asarray(found[each]) for each in given_order(BOOK)]
    # One table, because forty arrays of their own take half again as long to get from the system.
    results = np.empty((len(outputs(BOOK)), rows))
    for start in range(0, rows, BLOCK):
        block = slice(start, start + BLOCK)
        # What is the same in all rows stays a single number.
        part = (each[block] if each.size > 1 else each.reshape(())[()] for each in columns)
        for target, values in zip(results, _program()(*part), strict=True):
            target[block] = values
    return dict(zip(outputs(BOOK), results, strict=True))


def _several(values: Any) -> bool:
    return hasattr(values, "__len__") and not isinstance(values, str | bytes)


def _rows(lengths: Mapping[str, int]) -> int:
    """Give the one length of all arrays that are longer or shorter than 1."""
    several = {length: name for name, length in lengths.items() if length != 1}
    if len(several) > 1:
        differ = ", ".join(f"{name} has {length}" for length, name in several.items())
        raise ChoiceError(f"the arrays are not of one length: {differ}")
    return next(iter(several), 1)


def _column(name: str, given: Given, values: Any) -> NDArray[np.float64]:
    """Give an array as float64, checked. An integer product would overflow without a word."""
    try:
        raw = np.asarray(values)
    except ValueError:
        raise ChoiceError(f"{name} should be an array of numbers, in one dimension") from None
    if (raw.size and raw.dtype.kind not in "iuf") or np.ma.is_masked(values):
        raise ChoiceError(f"{name} should be an array of numbers, and of nothing else")
    if raw.ndim != 1:
        raise ChoiceError(f"{name} has {raw.ndim} dimensions; it should have one")
    column = raw.astype(np.float64)
    fits = (column >= float(given.least)) & (column <= float(given.most))  # NaN does not
    if given.whole:
        fits &= column == np.floor(column)
    if not fits.all():
        whole = "whole numbers" if given.whole else "numbers"
        raise ChoiceError(
            f"{name} has {column[~fits][0]:g} in it; it should have {whole} from "
            f"{float(given.least):g} to {float(given.most):g} {given.unit}"
        )
    return column
