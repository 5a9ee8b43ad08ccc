"""One data file: every number with its unit and its source, or not at all."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from derivations.catalogue.reading import DataError, in_words, told, toml
from derivations.catalogue.vocabulary import Field
from derivations.language.units import UnitError, amount

ID = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?")
ID_SIGNS = "small letters, digits, - and ."

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
Year = Annotated[int, msgspec.Meta(ge=1990, le=2100)]
Trust = Literal["high", "medium", "low"]


class Reference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A document: its title, where it is, when it was read, and how."""

    title: Text
    url: Annotated[str, msgspec.Meta(pattern=r"^https?://[^\s\"'<>]+\Z", max_length=500)]
    read: date
    seen: Text


class Other(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"says": "is"}):
    """Another published value for the same thing."""

    says: Text
    source: Text = msgspec.field(name="from")


class Amount(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"says": "is"}):
    """An amount as a file gives it."""

    says: Text
    source: Text = msgspec.field(name="from")
    trust: Trust
    note: str = ""
    quoted: str = ""
    quoted_as: str = ""
    derived: str = ""
    others: tuple[Other, ...] = ()


@dataclass(frozen=True)
class Datum:
    """One number of a data file: its value in base units, and all that is known of it."""

    value: Fraction
    unit: str
    entry: Amount
    source: Reference
    others: tuple[tuple[str, Reference], ...]
    place: str
    """The file and the field that it stands in."""


@dataclass(frozen=True)
class Fact:
    """One file: the texts and the amounts in it, by field (``name``, ``compute.fp8``)."""

    id: str
    kind: str
    texts: Mapping[str, Any]
    amounts: Mapping[str, Datum]
    sources: Mapping[str, Reference]

    @property
    def name(self) -> str:
        """The name that it goes by."""
        return str(self.texts["name"])

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other ids for it."""
        return tuple(self.texts.get("aliases", ()))

    def each(self, field: str) -> dict[str, Datum]:
        """Give the amounts of a field that is a table: ``compute`` → ``{"fp8": …}``."""
        start = f"{field}."
        return {
            key.removeprefix(start): datum
            for key, datum in self.amounts.items()
            if key.startswith(start)
        }


def read_fact(path: Path, kind: str, fields: Mapping[str, Field]) -> Fact:
    """
    Read one data file.

    Raises `DataError`, which names the file, the field, what it is and what it should be.
    """
    if not ID.fullmatch(path.stem):
        raise DataError(f"{told(path.name)}: a file is named by its id: {ID_SIGNS}")
    place = path.name
    raw = toml(path)
    sources = _sources(place, raw.pop("sources", None))
    texts: dict[str, Any] = {}
    amounts: dict[str, Datum] = {}
    for name, value in raw.items():
        if name not in fields:
            known = [*fields, "sources"]
            raise DataError(f"{place}: {_key(name)}: there is no such field{_near(name, known)}")
        field = fields[name]
        if field.kind != "amount":
            texts[name] = text_in(f"{place}: {name}", value, field)
            if field.kind == "key":
                _source(f"{place}: {name}", texts[name], sources)
            continue
        for key, entry in _entries(f"{place}: {name}", name, value, field):
            amounts[key] = _datum(f"{place}: {key}", entry, field, sources)
    for name, field in fields.items():
        given = {key.partition(".")[0] for key in (*texts, *amounts)}
        if field.required and name not in given:
            raise DataError(f"{place}: {name} is missing: {field.means}")
    return Fact(path.stem, kind, texts, amounts, sources)


def _key(name: str) -> str:
    """Give a key as it is, or quoted where it is not a plain one."""
    return name if re.fullmatch(r"[\w.-]{1,80}", name) else told(name)


def _sources(place: str, raw: Any) -> dict[str, Reference]:
    if not isinstance(raw, dict) or not raw:
        raise DataError(f"{place}: sources: it names none; add a table [sources.KEY]")
    return {
        key: converted(f"{place}: sources.{_key(key)}", entry, Reference)
        for key, entry in raw.items()
    }


def text_in(place: str, value: Any, field: Field) -> Any:
    """Give what stands in a field that is no amount. Raises `DataError`, which names *place*."""
    match field.kind:
        case "year":
            return converted(place, value, Year)
        case "date":
            return converted(place, value, date)
        case "trust":
            return converted(place, value, Trust)
        case "ids":
            for each in (ids := converted(place, value, tuple[Text, ...])):
                if not ID.fullmatch(each):
                    raise DataError(f"{place}: {told(each)} is no id: {ID_SIGNS}")
            if field.required and not ids:
                raise DataError(f"{place}: it names none: {field.means}")
            return ids
    text = converted(place, value, Text)
    _refuse_unseen(place, text)
    return text


def _refuse_unseen(place: str, text: str, but: str = "") -> None:
    """Refuse a text with signs that nobody sees: control characters, line breaks, turned text."""
    for sign in text:
        if unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp") and sign not in but:
            raise DataError(f"{place}: {told(text)} has a line break or a control character in it")


def _entries(place: str, name: str, value: Any, field: Field) -> Iterator[tuple[str, Any]]:
    if not field.each:
        yield name, value
        return
    if not isinstance(value, dict) or not value or "is" in value:
        raise DataError(f"{place}: it should be a table of amounts, such as [{name}.fp8]")
    for key, entry in value.items():
        if not ID.fullmatch(key):
            raise DataError(f"{place}: {told(key)} is no key: {ID_SIGNS}")
        yield f"{name}.{key}", entry


def _datum(place: str, raw: Any, field: Field, sources: Mapping[str, Reference]) -> Datum:
    if not isinstance(raw, dict):
        raise DataError(
            f'{place}: {told(raw)} should be a table: is = "a number and its unit", '
            'from = "a source", trust = "high"'
        )
    for key in raw:
        if key not in _AMOUNT_KEYS:
            raise DataError(f"{place}: {_key(key)}: there is no such key{_near(key, _AMOUNT_KEYS)}")
    if "from" not in raw:
        raise DataError(
            f"{place}: it has no source; write from = {' or '.join(map(told, sources))}"
        )
    entry = converted(place, raw, Amount)
    if entry.quoted:
        value_in(f"{place}: quoted", entry.quoted, field)
    others = tuple(
        (other.says, _source(f"{place}: others", other.source, sources)) for other in entry.others
    )
    for other in entry.others:
        value_in(f"{place}: others", other.says, field)
    value = value_in(place, entry.says, field)
    if field.whole and value.denominator != 1:
        raise DataError(f"{place}: {told(entry.says)} should be a whole number")
    return Datum(value, field.unit, entry, _source(place, entry.source, sources), others, place)


_AMOUNT_KEYS = ("is", "from", "trust", "note", "quoted", "quoted_as", "derived", "others")


def _source(place: str, key: str, sources: Mapping[str, Reference]) -> Reference:
    if key not in sources:
        raise DataError(f"{place}: there is no source {told(key)} in the file{_near(key, sources)}")
    return sources[key]


def value_in(place: str, text: str, field: Field) -> Fraction:
    """Give an amount of a field, in base units. Raises `DataError`, which names *place*."""
    try:
        value = amount(text, field.unit)
    except UnitError as problem:
        raise DataError(f"{place}: {problem}") from None
    if not (0 < value < 10**30 or (field.zero and value == 0)):
        least = "zero or more" if field.zero else "more than zero"
        raise DataError(f"{place}: {told(text)} should be {least}, and less than 1e30")
    return value


def converted(place: str, value: Any, kind: Any) -> Any:
    """Give what TOML holds as a type of ours. Raises `DataError`, which names *place*."""
    try:
        found = msgspec.convert(value, kind)
    except msgspec.ValidationError as problem:
        raise DataError(f"{place}: {in_words(problem)}") from None
    if isinstance(found, msgspec.Struct):
        for name, text in msgspec.structs.asdict(found).items():
            if isinstance(text, str):
                _refuse_unseen(f"{place}: {name}", text, but="\n")
    return found


def _near(word: str, known: Any) -> str:
    near = get_close_matches(word, list(known), n=2, cutoff=0.5)
    if near:
        return f"; did you mean {' or '.join(map(_key, near))}?"
    return f"; there is {', '.join(map(_key, known))}"
