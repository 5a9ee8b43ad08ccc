"""Each id as JSON: it follows its schema, and says what the book and the worksheet say."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
import sympy

import derivations as d
from derivations.book import BOOK
from derivations.build import checked
from derivations.language.contents import Entry, needs
from derivations.language.declare import Constant, Formula, Given
from derivations.reference.pages import Reference
from derivations.render.equations import latex_of

FILES = dict(Reference(checked()).files())
SHEET = d.evaluate()
SCHEMA = json.loads(FILES["api/schema.json"])
INDEX = json.loads(FILES["api/index.json"])


def document(name: str) -> Any:
    return json.loads(FILES[f"api/{name}.json"])


@pytest.mark.parametrize("name", BOOK.entries)
def test_every_id_has_a_file_that_follows_the_schema(name: str) -> None:
    found, entry = document(name), BOOK.entries[name]

    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert found["id"] == name
    assert found["page"] == f"../derivations/{name}/"
    if isinstance(entry, Formula | Given | Constant):
        value = SHEET.value(entry) if name in SHEET or isinstance(entry, Constant) else None
        assert found["default"]["value"] == value
        assert found["default"]["unit"] == entry.unit
        shown = entry.unit if isinstance(entry, Constant) else entry.show.unit
        assert found["default"]["shown"] == shown
    if isinstance(entry, Formula):
        assert found["latex"] == latex_of(entry)
        assert sympy.sympify(found["sympy"]) == entry.expr
        below = givens_below(entry)
        assert {each["id"] for each in found["inputs"]} == {BOOK.id_of(each) for each in below}
        for each in found["inputs"]:
            assert (each["source"] is not None) == (each["kind"] in ("fact", "measured"))


def givens_below(entry: Entry) -> set[Given]:
    """Give the givens below an entry, by walking down every way there is."""
    found: set[Given] = set()
    waiting = [entry]
    while waiting:
        for each in needs(waiting.pop()):
            if isinstance(each, Given):
                found.add(each)
            elif isinstance(each, Formula):
                waiting.append(each)
    return found


def test_a_schema_refuses_what_is_something_else() -> None:
    wrong = {**document("decode.bytes"), "latex": 3}

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(wrong)


def test_the_index_lists_every_id_once_and_in_reading_order() -> None:
    schema = {**SCHEMA["$defs"]["Index"], "$defs": SCHEMA["$defs"]}

    jsonschema.Draft202012Validator(schema).validate(INDEX)
    assert [each["id"] for each in INDEX["entries"]] == list(BOOK.entries)
    for each in INDEX["entries"]:
        assert f"api/{each['json']}" in FILES
        found = document(each["id"])
        assert {name: found[name] for name in ("title", "kind", "unit")} == {
            name: each[name] for name in ("title", "kind", "unit")
        }


def test_what_needs_what_is_told_both_ways() -> None:
    for name in BOOK.entries:
        for other in document(name)["needs"]:
            assert name in document(other)["needed_by"]


def test_the_same_files_are_made_again() -> None:
    assert dict(Reference(checked()).files()) == FILES
