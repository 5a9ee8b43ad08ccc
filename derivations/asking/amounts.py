"""An amount as a person gives it, read as the amount of a data file."""

from __future__ import annotations

from collections.abc import Sequence

from derivations.catalogue import DataError, Fact, told
from derivations.catalogue.facts import ID, ID_SIGNS, value_in
from derivations.catalogue.vocabulary import Field, vocabulary
from derivations.configure import filled_by, in_bounds
from derivations.language.units import UnitError, dimensions


def split(flag: str, text: str, pattern: str) -> tuple[str, str]:
    """Take an answer such as ``fp4=20 Pflop / s`` apart. Raises `DataError`."""
    key, sign, rest = text.partition("=")
    if not sign or not rest.strip():
        example = told(f"fp8={'…' if sign else text}")
        raise DataError(f"{flag}: {told(text)} should be {pattern}, such as {example}")
    if not ID.fullmatch(key):
        lower = key.strip().lower()
        hint = f"; did you mean {lower}?" if ID.fullmatch(lower) else ""
        raise DataError(f"{flag}: {told(key)} is no key: {ID_SIGNS}{hint}")
    return key, rest


def read_amount(kind: str, name: str, flag: str, text: str, known: Sequence[Fact]) -> str:
    """
    Give an amount as a data file says it: all of it for one, ``16 TB / s / accelerator``.

    Raises `DataError`, with an example from another file.
    """
    field = vocabulary()[kind][name]
    says = _of_one(text.strip(), kind, field)
    try:
        value = value_in(flag, says, field)
    except DataError as problem:
        raise DataError(f"{problem}{_example(kind, name, known)}") from None
    for given in filled_by(kind, name):
        in_bounds(given, flag, says, value)
    return says


def _of_one(says: str, kind: str, field: Field) -> str:
    """Add ``/ accelerator`` where only that is left out."""
    written = says.partition(" ")[2].strip()
    try:
        if written and dimensions(f"{written} / {kind}") == dimensions(field.unit):
            return f"{says} / {kind}"
    except UnitError:
        pass
    return says


def _example(kind: str, name: str, known: Sequence[Fact]) -> str:
    for each in known:
        for key, datum in each.amounts.items():
            if key.partition(".")[0] == name:
                return f"; write it like {datum.entry.says.removesuffix(f' / {kind}')!r}"
    return ""
