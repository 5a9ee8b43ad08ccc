"""
A revision as data: what it declares, what its files say, and its values over the grid.

Each revision writes this by its own code, and another one reads it. A field that is new has a
default, so that older exports can still be read; whatever else changes the meaning of what is
written raises `VERSION`, and then `decoded` turns what is older into what is current.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

VERSION = 1
CONFIGURATIONS = 10_000
"""How many configurations a review compares, unless it is told otherwise."""

Kind = Literal[
    "given",
    "constant",
    "bridge",
    "unknown",
    "formula",
    "condition",
    "claim",
    "approximation",
    "crossing",
    "derivation",
]
Tree = Any
"""A sign or a function and what it is applied to, an id, or a list of one whole number."""


class FormatError(ValueError):
    """An export that this code cannot read."""


class Cited(msgspec.Struct, frozen=True):
    """Where a statement comes from: a work, and the place in it."""

    title: str
    url: str
    place: str
    read: str = ""


class Display(msgspec.Struct, frozen=True):
    """In which unit a value is shown, and how precisely at least."""

    unit: str
    digits: int
    decimals: int | None = None


class Premise(msgspec.Struct, frozen=True):
    """What something rests on: a relation, and the id of the condition that it is, if it is one."""

    tree: Tree
    condition: str = ""


class Verdict(msgspec.Struct, frozen=True):
    """How a part of a statement was found to hold."""

    what: str
    how: Literal["proven", "sampled"]
    samples: int = 0


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What a section declares under one id. What a kind does not have is left empty."""

    kind: Kind
    texts: dict[str, str]
    """Its symbol, unit, title, reason, and whatever else is written in words."""
    trees: dict[str, Tree]
    """Its formulas by what they are: ``body``, ``statement``, ``step 1``, …"""
    premises: tuple[Premise, ...] = ()
    formerly: tuple[str, ...] = ()
    links: dict[str, tuple[str, ...]] = {}
    """The ids of other entries that it is about."""
    sources: tuple[Cited, ...] = ()
    show: Display | None = None
    also: Display | None = None
    numbers: dict[str, str] = {}
    """A value, and bounds: whole numbers or fractions, in digits."""
    verdicts: tuple[Verdict, ...] = ()


class Document(msgspec.Struct, frozen=True):
    """What a number of a data file was taken from."""

    title: str
    url: str
    read: str
    seen: str


class Amount(msgspec.Struct, frozen=True, kw_only=True):
    """A number of a data file, as it is written, and in base units."""

    says: str
    value: str
    unit: str
    source: Document
    trust: str
    texts: dict[str, str] = {}
    """Its note, what the source quotes, how it was derived from that."""
    others: tuple[tuple[str, Document], ...] = ()


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """A data file."""

    texts: dict[str, str]
    amounts: dict[str, Amount]
    aliases: tuple[str, ...] = ()
    page: str = ""


class Page(msgspec.Struct, frozen=True):
    """A page with the numbers of a configuration: the row of the grid, and what it may show."""

    place: str
    row: int
    template: str


class Grid(msgspec.Struct, frozen=True, kw_only=True):
    """
    The configurations that were worked out, and their values, in float64.

    The first row is the default configuration. What has no value is NaN, a condition is 1 or 0.
    """

    choices: tuple[str, ...] = ()
    """The names of what is chosen."""
    rows: tuple[tuple[str, ...], ...] = ()
    """What is chosen in each configuration, in words."""
    columns: dict[str, str] = {}
    """The values of a formula or a condition, one a row, or one for all: `packed`."""

    def column(self, identity: str) -> NDArray[np.float64]:
        """Give the values of one formula or condition, of shape (rows,)."""
        try:
            values = np.frombuffer(b64decode(self.columns[identity]), dtype="<f8")
            return np.broadcast_to(values, len(self.rows))
        except ValueError:
            raise FormatError(f"the values of {identity} are not one for each row") from None


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """All that a review compares of one revision."""

    version: int
    made_by: str
    """The version of the package that wrote this."""
    entries: dict[str, Entry]
    """What the book declares by id, in reading order."""
    facts: dict[str, dict[str, Fact]]
    """The data files by kind and id."""
    results: dict[str, dict[str, str]]
    """The measured results, by what was measured: the figures, as written."""
    defaults: dict[str, str]
    faults: tuple[str, ...] = ()
    """All that the check finds wrong: units, proofs, facts."""
    grid: Grid
    pages: tuple[Page, ...] = ()
    shown: dict[str, tuple[str, ...]] = {}
    """The ids that each template names, in one branch or another."""


def packed(values: NDArray[np.float64]) -> str:
    """Write a column: little-endian float64, in base 64. One number stands for all rows."""
    return b64encode(values.astype("<f8").tobytes()).decode()


class _Versioned(msgspec.Struct):
    version: int


def decoded(text: bytes, of: str) -> Export:
    """
    Read the export of a revision, which *of* names.

    Raises `FormatError` for a format of a later version, and for what is no export.
    """
    try:
        version = msgspec.json.decode(text, type=_Versioned).version
        if version > VERSION:
            raise FormatError(
                f"{of} writes its export in format {version}, and this code reads up to format "
                f"{VERSION}; run the review with the code of {of}"
            )
        if version < 1:
            raise FormatError(f"{of} writes its export in format {version}, which there is not")
        return msgspec.json.decode(text, type=Export)
    except msgspec.MsgspecError as problem:
        raise FormatError(f"{of} does not write an export that can be read: {problem}") from None


def encoded(export: Export) -> bytes:
    """Write an export as JSON."""
    return msgspec.json.encode(export)
