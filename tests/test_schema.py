"""The JSON Schemas: editors accept what the reader accepts, and mark what it refuses."""

from __future__ import annotations

import json
import re
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from derivations.catalogue import KINDS
from derivations.catalogue.schema import amount_pattern, schema
from derivations.catalogue.vocabulary import DATA, vocabulary
from derivations.cli import main
from derivations.language.table import names, prefixes
from derivations.language.units import UnitError, amount

FILES = [(kind, path) for kind in KINDS for path in sorted((DATA / KINDS[kind]).glob("*.toml"))]
BAD = Path(__file__).with_name("bad_data")
BY_THE_READER_ONLY = {
    # what is no TOML reaches no schema
    *("json", "key-twice", "no-value", "not-utf-8", "nul-byte", "table-twice", "truncated"),
    *("amount-of-5000-digits",),
    # names of files, and what is elsewhere in the file
    *("Capital", "blank in it", "amount-from-nowhere", "others-from-nowhere"),
    # signs that nobody sees, and bounds
    *("name-turned-around", "note-with-nul", "amount-absurd", "layers-and-a-half"),
    # an end of a pattern that is one in JavaScript, but not in Python
    *("source-with-a-line-break-in-its-url",),
}


LACKS = re.compile(r": .* is a required property")
"""Most of the bad files lack fields, too, which is not what they are about."""


def faults(kind: str, path: Path) -> list[str]:
    """Give what an editor would mark. Editors see the dates of TOML as texts."""
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    plain = json.loads(json.dumps(found, default=date.isoformat))
    checker = Draft202012Validator(schema(kind), format_checker=Draft202012Validator.FORMAT_CHECKER)
    return [
        f"{'.'.join(map(str, each.path))}: {each.message}" for each in checker.iter_errors(plain)
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_one_and_describes_every_field(kind: str) -> None:
    Draft202012Validator.check_schema(schema(kind))
    described = {name: each["description"] for name, each in schema(kind)["properties"].items()}

    assert {name: field.means for name, field in vocabulary()[kind].items()} == {
        name: means for name, means in described.items() if name != "sources"
    }


@pytest.mark.parametrize(("kind", "path"), FILES, ids=[path.stem for _, path in FILES])
def test_every_data_file_fits_its_schema(kind: str, path: Path) -> None:
    assert faults(kind, path) == []


@pytest.mark.parametrize(
    "path", sorted(BAD.glob("*/*.toml")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_bad_data_file_does_not_but_for_what_only_its_reader_can_see(path: Path) -> None:
    if path.stem in BY_THE_READER_ONLY:
        return
    message = path.with_suffix(".txt").read_text(encoding="utf-8")
    is_missing = " is missing: " in message or "sources: it names none" in message
    found = faults(path.parent.name, path)

    assert [each for each in found if is_missing or not LACKS.match(each)]


def test_what_only_the_reader_can_see_is_there() -> None:
    assert {path.stem for path in BAD.glob("*/*.toml")} >= BY_THE_READER_ONLY


UNITS = sorted({field.unit for fields in vocabulary().values() for field in fields.values()})
NUMBERS = st.one_of(
    st.from_regex(r"[+-]?[0-9]{1,4}(\.[0-9]{1,3})?([eE][+-]?[0-4]?[0-9])?", fullmatch=True),
    st.sampled_from(["", "nan", "inf", "1,5", ".5", "0", "0.0", "-1", "9**9", "1e400", "٣"]),
)
NAMES = st.builds(
    "".join, st.tuples(st.sampled_from(["", *prefixes()]), st.sampled_from([*names()]))
)


@given(unit=st.sampled_from(UNITS), number=NUMBERS, data=st.data())
def test_a_pattern_accepts_the_amounts_that_the_reader_accepts(
    unit: str, number: str, data: Any
) -> None:
    """In the order of the unit, and as large as a float can hold."""
    parts = [
        data.draw(st.one_of(st.just(part.strip()), NAMES)) if part.strip() != "1" else ""
        for part in unit.split("/")
    ]
    text = f"{number} {' / '.join(parts).strip()}".strip()
    fits = re.search(amount_pattern(unit), text) is not None

    assert fits == readable(text, unit)


def readable(text: str, unit: str) -> bool:
    try:
        return amount(text, unit) > 0
    except UnitError:
        return False


@pytest.mark.parametrize("kind", KINDS)
def test_the_command_prints_the_schema(kind: str) -> None:
    done = CliRunner().invoke(main, ["schema", kind])

    assert done.exit_code == 0
    assert json.loads(done.stdout) == json.loads(json.dumps(schema(kind)))


def test_there_is_no_schema_of_what_is_no_kind() -> None:
    done = CliRunner().invoke(main, ["schema", "accelerators"])

    assert done.exit_code == 2
    assert done.stderr == (
        "Error: there is no kind 'accelerators' of data files; "
        "there is accelerator, model, precision, assumption, benchmark\n"
    )
