"""Remember the report on a book that has not changed, so that a build need not prove it again."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import fields
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import msgspec

from derivations.check.report import Report, Verdict
from derivations.files import replace
from derivations.language.algebra import (
    Call,
    Number,
    Operation,
    Quantity,
    Relation,
    Term,
    nodes,
)
from derivations.language.contents import Book
from derivations.language.declare import Condition, Crossing, Equivalence

_PACKAGE = Path(__file__).parents[1]


class _Kept(msgspec.Struct, forbid_unknown_fields=True):
    fingerprint: str
    verdicts: dict[str, tuple[Verdict, ...]]


def remembered(book: Book, *, keep: bool = True) -> Report:
    """
    Give the report on a book, from memory where nothing that it rests on has changed.

    Only reports without a fault are kept, and only where *keep* is set: in the user's cache folder,
    by a fingerprint of the language, the sections, the examiner and sympy. A memory that cannot be
    read is no memory.
    """
    fingerprint = _fingerprint(book)
    place = _place() / f"proofs-{fingerprint[:24]}.json"
    try:
        kept = msgspec.json.decode(place.read_bytes(), type=_Kept)
        if kept.fingerprint == fingerprint:
            return Report((), kept.verdicts)
    except (OSError, msgspec.DecodeError):
        pass
    from derivations.check.examiner import examine  # with all that it needs, where it is needed

    report = examine(book)
    if keep and not report.faults:
        # A cache that cannot be written costs time, and nothing else.
        with suppress(OSError):
            replace(place, msgspec.json.encode(_Kept(fingerprint, report.verdicts)))
    return report


@cache
def _place() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("derivations")


def _fingerprint(book: Book) -> str:
    """
    Give a hash of all that a report rests on.

    Of the book it takes what was loaded, not what the files say by now: somebody may be writing.
    """
    digest = hashlib.sha256(_CODE)
    for identity, entry in book.entries.items():
        digest.update(f"{identity}\0{_declared(book, entry)}\0".encode())
    digest.update(repr(book.same).encode())
    return digest.hexdigest()


def _declared(book: Book, entry: object) -> str:
    """Write a declaration out, down to the ids that it names."""
    kept = fields(entry)  # type: ignore[arg-type]  # every entry is a dataclass
    return f"{type(entry).__name__}({', '.join(_said(book, getattr(entry, f.name)) for f in kept)})"


def _said(book: Book, value: object) -> str:
    match value:
        case Term() | Relation():
            # From the top down, which tells every tree from every other one, bridges included.
            return " ".join(_node(book, each) for each in nodes(value))
        case tuple():
            return f"({', '.join(_said(book, each) for each in value)})"
        case Condition() | Crossing() if value in book:
            return book.id_of(value)
        case Condition() | Crossing() | Equivalence():
            return _declared(book, value)
    return repr(value)


def _node(book: Book, node: Term | Relation) -> str:
    match node:
        case Quantity():
            return book.id_of(node) if node in book else repr(node)
        case Call(function, arguments):
            return f"{function.name}/{len(arguments)}"
        case Number(value):
            return str(value)
        case Operation(sign) | Relation(sign):
            return sign
    return type(node).__name__


def _sympy() -> bytes:
    """Give the file in which sympy states its version; its metadata would take longer to read."""
    found = find_spec("sympy")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).with_name("release.py").read_bytes()


def _code() -> bytes:
    digest = hashlib.sha256(_sympy())
    rooms = [path for room in ("language", "check") for path in (_PACKAGE / room).rglob("*.*")]
    for path in sorted(rooms):
        if path.suffix in (".py", ".txt"):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.digest()


_CODE = _code()
"""A hash of the language and the examiner, as they are when this module is loaded."""
