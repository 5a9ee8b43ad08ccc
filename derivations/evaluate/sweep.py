"""Many configurations at once, in NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from derivations.book import BOOK
from derivations.configure import (
    COUNTS,
    LACKING,
    ChoiceError,
    Configuration,
    allowed,
    configuration,
    measured_with,
    numbers,
    override,
    recount,
    refuse_parts,
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
    has no value in a configuration is NaN. An array of what is the same in all rows holds one
    number, and cannot be written to. Raises `ChoiceError`.
    """
    arrays = {name: choices.pop(name) for name in COUNTS if _several(choices.get(name))}
    chosen = configuration(**choices)
    found: dict[Given, Any] = dict(numbers(chosen))
    for name, values in arrays.items():
        found[COUNTS[name]] = _column(name, COUNTS[name], values)
    if givens:
        refuse_parts(tuple(map(override, givens)))
        found.update(LACKING)
    for name, values in (givens or {}).items():
        given = override(name)
        several = _several(values)
        found[given] = _column(name, given, values) if several else allowed(given, values)
    rows = _rows(
        {name: found[each].size for name, each in BOOK.givens.items() if np.ndim(found[each])}
    )
    if arrays and not givens:
        found.update(_measured(chosen, found))
    recount(chosen, found, tuple(map(override, givens or ())))
    columns = [np.asarray(found[each]) for each in given_order(BOOK)]
    return _worked_out(columns, rows)


def _worked_out(columns: list[NDArray[Any]], rows: int) -> dict[str, NDArray[np.float64]]:
    """Work all rows out, block by block. What is the same in all of them stays one number."""

    def block(start: int) -> dict[str, Any]:
        part = (
            each.reshape(())[()] if each.size == 1 else each[start : start + BLOCK]
            for each in columns
        )
        return dict(zip(outputs(BOOK), _program()(*part), strict=True))

    first = block(0)
    differs = [name for name, values in first.items() if np.ndim(values)]
    # One table, because forty arrays of their own take half again as long to get from the system.
    table = dict(zip(differs, np.empty((len(differs), rows)), strict=True))
    for start in range(0, rows, BLOCK):
        values = block(start) if start else first
        for name, target in table.items():
            target[start : start + BLOCK] = values[name]
    return {
        name: table[name] if name in table else np.broadcast_to(np.float64(value), rows)
        for name, value in first.items()
    }


def _measured(chosen: Configuration, found: Mapping[Given, Any]) -> dict[Given, Any]:
    """Give what was measured in each row, NaN where nothing was, and one NaN where nothing is."""
    columns: dict[Given, Any] = dict(LACKING)
    for counts, result in measured_with(chosen).items():
        wanted = zip((found[each] for each in COUNTS.values()), counts, strict=True)
        alike = [values == count for values, count in wanted]  # truths, and arrays of truths
        if not all(each for each in alike if not np.ndim(each)):
            continue
        places = np.flatnonzero(reduce(np.logical_and, (each for each in alike if np.ndim(each))))
        if not places.size:
            continue
        rows = max(np.size(each) for each in alike)
        for given, value in result.items():
            if not np.ndim(columns[given]):
                columns[given] = np.full(rows, np.nan)
            columns[given][places] = value
    return columns


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
