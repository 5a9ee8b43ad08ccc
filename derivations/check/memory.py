"""Remember the report on a book that has not changed, so that a build need not prove it again."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

import msgspec

from derivations.check.examine import Report, examine
from derivations.check.proofs import Verdict
from derivations.files import replace
from derivations.language.contents import Book

_PACKAGE = Path(__file__).parents[1]


class _Kept(msgspec.Struct, forbid_unknown_fields=True):
    fingerprint: str
    verdicts: dict[str, tuple[Verdict, ...]]


def remembered(book: Book) -> Report:
    """
    Give the report on a book, from memory where nothing that it rests on has changed.

    Only reports without a fault are kept: in the user's cache folder, by a fingerprint of the
    language, the sections, the examiner and sympy. A memory that cannot be read is no memory.
    """
    fingerprint = _fingerprint(tuple(str(each.__file__) for each in book.sections))
    place = _place()
    try:
        kept = msgspec.json.decode(place.read_bytes(), type=_Kept)
        if kept.fingerprint == fingerprint:
            return Report((), kept.verdicts)
    except (OSError, msgspec.DecodeError):
        pass
    report = examine(book)
    if not report.faults:
        # A cache that cannot be written costs time, and nothing else.
        with suppress(OSError):
            replace(place, msgspec.json.encode(_Kept(fingerprint, report.verdicts)))
    return report


@cache
def _place() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("derivations") / "proofs.json"


def _fingerprint(sections: tuple[str, ...]) -> str:
    digest = hashlib.sha256(version("sympy").encode())
    rooms = [path for room in ("language", "check") for path in (_PACKAGE / room).rglob("*.*")]
    for path in sorted({*rooms, *map(Path, sections)}):
        if path.suffix in (".py", ".txt"):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
