"""The grid: the configurations in which two revisions are compared, and their values."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from derivations.book import BOOK
from derivations.build import PARTS, Worked, worked_out
from derivations.catalogue import facts, results
from derivations.configure import Configuration, configuration, numbers
from derivations.evaluate.program import for_arrays, given_order, outputs
from derivations.review.format import Grid, Page, packed

_PARALLEL = (1, 2, 4, 8, 16)
_LENGTHS = ((128, 128), (512, 512), (1024, 1024), (1024, 8192), (8192, 1024), (32768, 256))
_CONCURRENCY = (1, 4, 16, 64, 256, 1024, 4096)


def made_pages() -> list[Worked]:
    """Give the pages that are worked out, each with its configuration."""
    return [page for part in PARTS for page in worked_out(part)]


def configurations(wanted: int, made: Iterable[Worked]) -> dict[Configuration, int]:
    """
    Give the configurations of the grid, each with its row: *wanted* of them, or a few more.

    They are the default, those of the pages and of the measured results, and then every
    accelerator, in each type that it computes in, with every model. What is served there, and on
    how many accelerators, is drawn by the ids alone: it stays the same when there are others.
    """
    rows: dict[Configuration, int] = {}
    for each in _candidates(made):
        rows.setdefault(each, len(rows))
        if len(rows) >= wanted:
            break
    return rows


def _candidates(made: Iterable[Worked]) -> Iterator[Configuration]:
    yield _resolved(configuration())
    yield from (_resolved(page.chosen) for page in made)
    for result in results():
        for network in result.benchmark.texts["stands_for"]:
            yield _resolved(configuration(model=network, **result.choices))
    kinds = [
        (chip.id, kind)
        for chip in facts("accelerator").values()
        for kind in chip.each("compute")
        if kind in facts("precision")
    ]
    turn = 0
    while kinds:
        for chip, kind in kinds:
            for network in facts("model"):
                served = _drawn(chip, kind, network, str(turn))
                yield _resolved(
                    configuration(accelerator=chip, model=network, precision=kind, **served)
                )
        turn += 1


def _drawn(*ids: str) -> dict[str, Any]:
    """Draw what is served, and on how many accelerators: the same for the same ids."""
    digest = hashlib.sha256("\0".join(ids).encode()).digest()
    lengths = _LENGTHS[digest[0] % len(_LENGTHS)]
    return {
        "tensor_parallelism": _PARALLEL[digest[1] % len(_PARALLEL)],
        "input_length": lengths[0],
        "output_length": lengths[1],
        "concurrency": _CONCURRENCY[digest[2] % len(_CONCURRENCY)],
    }


def _resolved(chosen: Configuration) -> Configuration:
    return configuration(**chosen.resolved())


def grid(rows: Iterable[Configuration]) -> Grid:
    """Give the values of every formula and condition in the configurations of a grid."""
    chosen = tuple(rows)
    given = [numbers(each) for each in chosen]
    columns = [np.array([each[name] for each in given]) for name in given_order(BOOK)]
    values = for_arrays(BOOK)(*columns)
    return Grid(
        choices=Configuration.__struct_fields__,
        rows=tuple(tuple(str(getattr(each, name)) for name in _CHOICES) for each in chosen),
        columns={
            identity: packed(np.atleast_1d(np.asarray(column, dtype=np.float64)))
            for identity, column in zip(outputs(BOOK), values, strict=True)
        },
    )


_CHOICES = Configuration.__struct_fields__


def pages_on(rows: dict[Configuration, int], made: Iterable[Worked]) -> tuple[Page, ...]:
    """Give the pages whose configuration is in the grid, each with its row."""
    found = ((page, rows.get(_resolved(page.chosen))) for page in made)
    return tuple(Page(page.place, row, page.template) for page, row in found if row is not None)
