"""How the book hangs together: what is needed on the left, what needs it on the right."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape

from derivations.language.contents import Book, needs
from derivations.language.declare import Condition, Formula, Given

DEPTH = 2
"""How many steps back the picture of one entry goes. What is further down is counted."""

WIDE, HIGH, APART, BETWEEN, EDGE = 200, 40, 12, 70, 12
"""The size of a box, and the room between boxes, between columns, and around all, in pixels."""
_LONGEST_TITLE = 28
_SWEEPS = 8


@dataclass(frozen=True)
class Graph:
    """Ids, and pairs of them: what is needed, and what needs it."""

    nodes: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    left_out: int = 0
    """How many more stand behind what is drawn."""


def whole(book: Book) -> Graph:
    """
    Give every formula and condition, and every given that one of them needs.

    Constants and bridges are left out: nothing follows from them alone.
    """
    edges = tuple(_edges(book, [*book.formulas, *book.conditions]))
    drawn = {name for edge in edges for name in edge}.union(book.formulas, book.conditions)
    return Graph(tuple(name for name in book.entries if name in drawn), edges)


def around(book: Book, identity: str) -> Graph:
    """Give an entry with what it needs, some steps back, and with what needs it directly."""
    every = list(_edges(book, [*book.formulas, *book.conditions]))
    if not any(identity in edge for edge in every):
        return Graph((), ())
    back: dict[str, list[str]] = defaultdict(list)
    for needed, by in every:
        back[by].append(needed)
    drawn, edge = {identity}, {identity}
    for _ in range(DEPTH):
        edge = {needed for name in edge for needed in back[name]} - drawn
        drawn |= edge
    behind, waiting = set(drawn), list(drawn)
    while waiting:
        new = set(back[waiting.pop()]) - behind
        behind |= new
        waiting.extend(new)
    users = {by for needed, by in every if needed == identity}
    nodes = drawn | users
    edges = tuple(
        (needed, by)
        for needed, by in every
        if (needed in drawn and by in drawn) or (needed == identity and by in users)
    )
    return Graph(
        tuple(name for name in book.entries if name in nodes), edges, len(behind) - len(drawn)
    )


def _edges(book: Book, names: Iterable[str]) -> Iterable[tuple[str, str]]:
    for name in names:
        for each in needs(book.entries[name]):
            if isinstance(each, Formula | Given | Condition):
                yield book.id_of(each), name


def layers(graph: Graph) -> list[list[str]]:
    """
    Give the columns of a picture, from left to right, each from top to bottom.

    What needs others stands right of all of them. What needs nothing stands right before what needs
    it first. Within a column, each stands near what it is joined to.
    """
    before: dict[str, list[str]] = defaultdict(list)
    after: dict[str, list[str]] = defaultdict(list)
    for needed, by in graph.edges:
        before[by].append(needed)
        after[needed].append(by)
    column: dict[str, int] = {}

    def place(name: str) -> int:
        if name not in column:
            column[name] = 1 + max((place(each) for each in before[name]), default=-1)
        return column[name]

    for name in graph.nodes:
        place(name)
    for name in graph.nodes:
        if not before[name] and after[name]:
            column[name] = min(column[each] for each in after[name]) - 1
    made: list[list[str]] = [[] for _ in range(1 + max(column.values(), default=-1))]
    for name in graph.nodes:
        made[column[name]].append(name)
    for sweep in range(_SWEEPS):
        forth = sweep % 2 == 0
        rows = {name: row / len(each) for each in made for row, name in enumerate(each)}
        order = range(len(made)) if forth else reversed(range(len(made)))
        for each in order:
            joined = before if forth else after
            middle = {
                name: sum(rows[other] for other in joined[name]) / len(joined[name])
                if joined[name]
                else rows[name]
                for name in made[each]
            }
            made[each].sort(key=middle.__getitem__)
            rows.update({name: row / len(made[each]) for row, name in enumerate(made[each])})
    return made


def drawn(graph: Graph, book: Book, *, here: str = "", link: Callable[[str], str]) -> str:
    """
    Draw a graph as SVG: a box for each id, which leads to what *link* gives, *here* set apart.

    Colours are those of the page, where it has any.
    """
    columns = layers(graph)
    tallest = max(map(len, columns), default=0)
    width = 2 * EDGE + len(columns) * (WIDE + BETWEEN) - BETWEEN
    height = 2 * EDGE + tallest * (HIGH + APART) - APART
    spots: dict[str, tuple[int, int]] = {}
    for number, names in enumerate(columns):
        top = EDGE + (tallest - len(names)) * (HIGH + APART) // 2
        for row, name in enumerate(names):
            spots[name] = EDGE + number * (WIDE + BETWEEN), top + row * (HIGH + APART)
    prefix = hashlib.sha256(f"{here} {graph}".encode()).hexdigest()[:6]
    lines = "".join(_line(spots[needed], spots[by]) for needed, by in graph.edges)
    boxes = "".join(_box(book, name, spots[name], name == here, link(name)) for name in spots)
    label = f"What {here} needs, and what needs it" if here else "What needs what in the book"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="d-graph" role="group" '
        f'aria-label="{escape(label)}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
        f'<defs><marker id="d-{prefix}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="6" '
        'markerHeight="6" orient="auto"><path d="M0 0 8 4 0 8z" '
        'fill="var(--d-graph-line, #8a94a6)"/></marker></defs>'
        f'<g fill="none" stroke="var(--d-graph-line, #8a94a6)" marker-end="url(#d-{prefix})">'
        f"{lines}</g>{boxes}</svg>"
    )


def _line(start: tuple[int, int], end: tuple[int, int]) -> str:
    x, y = start[0] + WIDE, start[1] + HIGH // 2
    to_x, to_y = end[0], end[1] + HIGH // 2
    bend = max(BETWEEN // 2, (to_x - x) // 3)
    return f'<path d="M{x} {y}C{x + bend} {y} {to_x - bend} {to_y} {to_x} {to_y}"/>'


def _box(book: Book, name: str, spot: tuple[int, int], is_here: bool, address: str) -> str:
    entry = book.entries[name]
    assert isinstance(entry, Formula | Given | Condition)
    x, y = spot
    title = entry.title
    short = title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1].rstrip()}…"
    symbol = "" if isinstance(entry, Condition) else _symbol(entry.symbol)
    unit = "" if isinstance(entry, Condition) else f", in {entry.unit}"
    line = "var(--d-graph-here, #1d4e89)" if is_here else "var(--d-graph-line, #8a94a6)"
    fill = "var(--d-graph-box, #f4f6f9)"
    dash = ' stroke-dasharray="4 3"' if isinstance(entry, Given) else ""
    first = f'<tspan font-weight="bold">{symbol}</tspan>' if symbol else escape("if")
    return (
        f'<a href="{escape(address)}"><title>{escape(f"{title} ({name}{unit})")}</title>'
        f'<rect x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="5" fill="{fill}" '
        f'stroke="{line}" stroke-width="{3 if is_here else 1}"{dash}/>'
        f'<text fill="var(--d-graph-text, #1c2430)"><tspan x="{x + 9}" y="{y + 16}">{first}'
        f'</tspan><tspan x="{x + 9}" y="{y + 32}" font-size="11">{escape(short)}</tspan>'
        "</text></a>"
    )


def _symbol(symbol: str) -> str:
    """Write a symbol with its subscript a little lower."""
    base, _, below = symbol.partition("_")
    if not below:
        return escape(base)
    return (
        f'{escape(base)}<tspan dy="3" font-size="11">{escape(below)}</tspan>'
        '<tspan dy="-3">\u200b</tspan>'
    )
