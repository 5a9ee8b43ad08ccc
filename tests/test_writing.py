"""A data file that is written reads back to what it was written from."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from derivations.catalogue import KINDS, Fact, Reference
from derivations.catalogue.facts import Amount, read_fact
from derivations.catalogue.vocabulary import DATA, vocabulary
from derivations.catalogue.writing import fact_file

FILES = [(kind, path) for kind in KINDS for path in sorted((DATA / KINDS[kind]).glob("*.toml"))]
SOURCE = Reference(
    title="A sheet", url="https://example.org/sheet", read=date(2026, 11, 30), seen="The page."
)


def written_again(kind: str, path: Path, fact: Fact) -> str:
    """Write a file from its fact, with the sources as the file has them."""
    sources = tomllib.loads(path.read_text(encoding="utf-8"))["sources"]
    amounts = {key: datum.entry for key, datum in fact.amounts.items()}
    return fact_file(kind, fact.texts, amounts, msgspec.convert(sources, dict[str, Reference]))


@pytest.mark.parametrize(("kind", "path"), FILES, ids=[path.stem for _, path in FILES])
def test_every_data_file_can_be_written_again(kind: str, path: Path, tmp_path: Path) -> None:
    fields = vocabulary()[kind]
    fact = read_fact(path, kind, fields)
    again = tmp_path / path.name
    again.write_text(written_again(kind, path, fact), encoding="utf-8")

    assert read_fact(again, kind, fields) == fact
    assert tomllib.loads(again.read_text(encoding="utf-8")) == tomllib.loads(
        path.read_text(encoding="utf-8")
    )


@given(st.text(min_size=1), st.text(min_size=1))
def test_any_text_is_written_as_it_is(name: str, note: str) -> None:
    amount = Amount(says="1 GB / accelerator", source="sheet", trust="low", note=note)
    text = fact_file("accelerator", {"name": name}, {"memory": amount}, {"sheet": SOURCE})
    found = tomllib.loads(text)

    assert found["name"] == name
    assert found["memory"]["note"] == note
    assert found["sources"]["sheet"] == msgspec.to_builtins(SOURCE, builtin_types=(date,))


def test_fields_stand_in_the_order_of_the_vocabulary_and_sources_come_last() -> None:
    amount = Amount(says="1", source="sheet", trust="low")
    text = fact_file(
        "accelerator",
        {"vendor": "Acme", "name": "Acme One"},
        {"power": amount, "compute.fp8.e4m3": amount, "memory": amount},
        {"sheet": SOURCE},
    )
    found = tomllib.loads(text)

    assert list(found) == ["name", "vendor", "memory", "compute", "power", "sources"]
    assert list(found["compute"]) == ["fp8.e4m3"]
    assert "note" not in found["memory"]
