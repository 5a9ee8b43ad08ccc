"""A JSON Schema of a kind of data files, for editors, made from the vocabulary."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec

from derivations.catalogue.facts import ID, Amount, Reference, Text, Trust, Year
from derivations.catalogue.vocabulary import Field, vocabulary
from derivations.language.table import measure, names, prefixes

_NOTHING_UNSEEN = r"^[^\x00-\x1f\x7f]+$"
_ID = f"^{ID.pattern}$"


def schema(kind: str) -> dict[str, Any]:
    """
    Give the schema of a kind, in the dialect of 2020-12.

    What a schema cannot say (that a source is in the file, that an id is free), the reader says.
    """
    fields = vocabulary()[kind]
    _, definitions = msgspec.json.schema_components(
        [Amount, Reference], ref_template="#/$defs/{name}"
    )
    source = definitions["Reference"]["properties"]["url"]
    source["pattern"] = source["pattern"].replace(r"\Z", "$")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{kind.capitalize()}: a data file of derivations",
        "type": "object",
        "properties": {
            **{name: _property(field) for name, field in fields.items()},
            "sources": {
                "description": "The documents that the amounts are from, each by a key.",
                "type": "object",
                "minProperties": 1,
                "additionalProperties": {"$ref": "#/$defs/Reference"},
            },
        },
        "required": [*(name for name, field in fields.items() if field.required), "sources"],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _property(field: Field) -> dict[str, Any]:
    about = {"description": field.means}
    match field.kind:
        case "ids":
            least = {"minItems": 1} if field.required else {}
            return {**about, "type": "array", "items": {"type": "string", "pattern": _ID}, **least}
        case "year":
            return {**about, **msgspec.json.schema(Year)}
        case "date":
            return {**about, **msgspec.json.schema(date)}
        case "trust":
            return {**about, **msgspec.json.schema(Trust)}
        case "text" | "id" | "key":
            return {**about, **msgspec.json.schema(Text), "pattern": _NOTHING_UNSEEN}
    if not field.each:
        return {**about, **_amount(field)}
    return {
        **about,
        "type": "object",
        "minProperties": 1,
        "propertyNames": {"pattern": _ID},
        "additionalProperties": _amount(field),
    }


def _amount(field: Field) -> dict[str, Any]:
    """Give what an amount of a field has beyond what every amount has: its unit."""
    says = {"pattern": amount_pattern(field.unit, zero=field.zero)}
    return {
        "$ref": "#/$defs/Amount",
        "properties": {
            "is": {**says, "description": f"A number and its unit, which is that of {field.unit}."},
            "quoted": says,
            "others": {"items": {"properties": {"is": says}}},
        },
    }


def amount_pattern(unit: str, *, zero: bool = False) -> str:
    """
    Give the pattern of an amount in a unit: a number, and names of the table that measure the same.

    The names stand in the order of *unit*, in which people write them: ``TB / s / accelerator``.
    """
    number = r"[0-9]+(?:\.[0-9]+)?" if zero else r"(?:0*[1-9][0-9]*(?:\.[0-9]+)?|0+\.0*[1-9][0-9]*)"
    number = rf"\+?{number}(?:[eE][+-]?[0-9]{{1,2}})?"
    above, *below = (_names(part.strip()) for part in unit.split("/"))
    divided = "".join(rf"\s*/\s*{each}" for each in below)
    if unit.partition("/")[0].strip() != "1":
        return rf"^\s*{number}\s+{above}{divided}\s*$"
    pure = _names("1")
    if divided:
        return rf"^\s*{number}(?:\s+(?:1|{pure}))?\s{divided}\s*$"
    return rf"^\s*{number}(?:\s+{pure})?\s*$"


def _names(name: str) -> str:
    """Give the names that measure what a name does, with prefixes."""
    alike = [each for each in names() if _same(each, name)]
    before = "|".join(sorted(prefixes(), key=lambda each: (-len(each), each)))
    return f"(?:{before})?(?:{'|'.join(sorted(alike, key=lambda each: (-len(each), each)))})"


def _same(name: str, other: str) -> bool:
    return measure(name).dimensions == measure(other).dimensions
