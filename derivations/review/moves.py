"""By how much values move over the grid, where the most, and on which pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from derivations.review.format import Export, Grid

ROUNDING = 1e-12
"""Relative changes up to here come from the order in which floats are added and multiplied."""


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """How the value of one formula or condition moves."""

    id: str
    kind: str
    before: float | None
    """The value in the default configuration. None stands for no value."""
    after: float | None
    largest: float | None
    """The largest relative change. None where it starts from 0, or nothing has a value in both."""
    where: dict[str, str]
    """The configuration of the largest change, by choice."""
    there_before: float | None
    there_after: float | None
    moved: int
    """In how many configurations it moves, has no value any more, or has one now."""
    lost: int
    gained: int
    of: int
    pages: tuple[str, ...]


class Both:
    """The rows that two revisions have in common, and where each has them."""

    def __init__(self, base: Export, head: Export, new: Mapping[str, str]) -> None:
        self.base, self.head = base, head
        self.new = new
        """The current id of what had another one."""

    @cached_property
    def rows(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The rows of the configurations that are in both grids, in either."""
        before, after = self.base.grid, self.head.grid
        common = [name for name in after.choices if name in before.choices]
        places = {self._called_now(common, row): n for row, n in _rows_of(before, common)}
        pairs = [(places.get(row), n) for row, n in _rows_of(after, common)]
        both = np.array([(old, n) for old, n in pairs if old is not None], dtype=np.intp)
        both = both.reshape(-1, 2)
        return both[:, 0], both[:, 1]

    def _called_now(self, names: list[str], row: tuple[str, ...]) -> tuple[str, ...]:
        """Give a configuration with the current ids of facts that were renamed."""
        return tuple(
            self.facts.get((_KINDS.get(name, ""), value), value)
            for name, value in zip(names, row, strict=True)
        )

    @cached_property
    def facts(self) -> dict[tuple[str, str], str]:
        """The current id of every data file that was renamed, by kind and former id."""
        return {
            (kind, alias): name
            for kind, there in self.head.facts.items()
            for name, fact in there.items()
            for alias in fact.aliases
            if alias in self.base.facts.get(kind, {}) and alias not in there
        }

    @cached_property
    def of_pages(self) -> tuple[list[str], list[str], NDArray[np.intp], NDArray[np.intp]]:
        """The pages that are in both: the place, the template, and the row in either."""
        new = {former: now for (_, former), now in self.facts.items()}
        before = {
            "/".join(new.get(part, part) for part in page.place.split("/")): page.row
            for page in self.base.pages
        }
        pages = [page for page in self.head.pages if page.place in before]
        old_rows = np.array([before[page.place] for page in pages], dtype=np.intp)
        new_rows = np.array([page.row for page in pages], dtype=np.intp)
        places, templates = [page.place for page in pages], [page.template for page in pages]
        return places, templates, old_rows, new_rows

    def moves(self) -> Iterator[Move]:
        """Give what moves, in reading order."""
        if not len(self.rows[0]):
            return
        for former in self.base.grid.columns:
            identity = self.new.get(former, former)
            if identity in self.head.grid.columns and identity in self.head.entries:
                found = self._move(former, identity)
                if found is not None:
                    yield found

    def _move(self, former: str, identity: str) -> Move | None:
        old, new = self.base.grid.column(former), self.head.grid.column(identity)
        change = _change(old[self.rows[0]], new[self.rows[1]])
        default = _change(old[:1], new[:1])
        places, templates, before, after = self.of_pages
        on_pages = _moves(_change(old[before], new[after]))
        moved = _moves(change)
        if not (moved.any() or _moves(default).any() or on_pages.any()):
            return None
        if moved.any():
            sizes = np.where(np.isfinite(change), np.abs(change), -1.0)
            biggest = sizes.max()
            place = self._plainest(sizes >= biggest * (1 - 1e-9) if biggest > 0 else moved)
            largest = float(change[place]) if biggest > 0 else None
            row_before, row_after = self.rows[0][place], self.rows[1][place]
        else:  # another configuration is the default, or that of a page
            row_before = row_after = 0
            largest = float(default[0]) if np.isfinite(default[0]) else None
        olds, news = np.isnan(old[self.rows[0]]), np.isnan(new[self.rows[1]])
        return Move(
            id=identity,
            kind=self.head.entries[identity].kind,
            before=_value(old[0]),
            after=_value(new[0]),
            largest=largest,
            where=dict(zip(self.head.grid.choices, self.head.grid.rows[row_after], strict=True)),
            there_before=_value(old[row_before]),
            there_after=_value(new[row_after]),
            moved=int(moved.sum()),
            lost=int((news & ~olds).sum()),
            gained=int((olds & ~news).sum()),
            of=len(moved),
            pages=tuple(
                page
                for page, template, one in zip(places, templates, on_pages, strict=True)
                if one and identity in self.shown[template]
            ),
        )

    def _plainest(self, wanted: NDArray[np.bool_]) -> int:
        """Give the place of one of the wanted rows: of those nearest to the default, the first."""
        return int(np.argmin(np.where(wanted, self._unlike_the_default, np.inf)))

    @cached_property
    def _unlike_the_default(self) -> NDArray[np.float64]:
        """In how many choices each common row differs from the default configuration."""
        rows = self.head.grid.rows
        return np.array(
            [
                sum(a != b for a, b in zip(rows[each], rows[0], strict=True))
                for each in self.rows[1]
            ],
            dtype=np.float64,
        )

    @cached_property
    def shown(self) -> dict[str, frozenset[str]]:
        """The ids that each template may show."""
        found = {name: frozenset(ids) for name, ids in self.head.shown.items()}
        return {page.template: found.get(page.template, frozenset()) for page in self.head.pages}

    def largest_rounding(self, former: str, identity: str) -> float:
        """Give the largest relative change of a formula, however small."""
        old, new = self.base.grid.column(former), self.head.grid.column(identity)
        change = np.abs(_change(old[self.rows[0]], new[self.rows[1]]))
        return float(np.max(change, where=np.isfinite(change), initial=0.0))

    def unvalued(self, former: str, identity: str) -> int:
        """Give in how many configurations a formula has a value in only one of the two."""
        old, new = self.base.grid.column(former), self.head.grid.column(identity)
        return int((np.isnan(old[self.rows[0]]) != np.isnan(new[self.rows[1]])).sum())


_KINDS = {
    "accelerator": "accelerator",
    "model": "model",
    "precision": "precision",
    "kv_precision": "precision",
    "arithmetic": "precision",
}
"""The kind of fact that a choice names."""


def _rows_of(grid: Grid, names: list[str]) -> Iterator[tuple[tuple[str, ...], int]]:
    """
    Give each configuration by the choices with these names, and its row.

    What is chosen beside them has to be as it is by default.
    """
    wanted = [grid.choices.index(name) for name in names]
    others = [n for n in range(len(grid.choices)) if n not in set(wanted)]
    for place, row in enumerate(grid.rows):
        if all(row[n] == grid.rows[0][n] for n in others):
            yield tuple(row[n] for n in wanted), place


def _change(old: NDArray[np.float64], new: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give relative changes: infinite from 0, and NaN where only one of the two is a value."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = (new - old) / np.abs(old)
    alike = (old == new) | (np.isnan(old) & np.isnan(new))
    return np.where(alike, 0.0, found)


def _moves(change: NDArray[np.float64]) -> NDArray[np.bool_]:
    return ~(np.abs(change) <= ROUNDING)  # NaN does, too


def _value(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)
