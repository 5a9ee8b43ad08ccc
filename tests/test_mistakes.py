"""Each planted mistake is refused with exactly the message that lies beside it."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from derivations.check import examine
from derivations.language.algebra import NotATerm
from derivations.language.contents import Book
from derivations.language.units import UnitError

MISTAKES = sorted(Path(__file__).with_name("mistakes").glob("*.py"))


def answer_to(path: Path) -> str:
    """
    Give what an author is told about a section.

    A section names the real ones that it reads (`_USES`) and the ones that follow (`_THEN`).
    """
    spec = spec_from_file_location("mistake", path)
    assert spec is not None
    assert spec.loader is not None

    section = module_from_spec(spec)
    try:
        spec.loader.exec_module(section)
    except (NotATerm, UnitError) as refusal:
        return f"{type(refusal).__name__}: {refusal}"
    book = Book((*getattr(section, "_USES", ()), section, *getattr(section, "_THEN", ())))
    return "\n".join(map(str, examine(book).faults))


@pytest.mark.parametrize("path", MISTAKES, ids=lambda path: path.stem)
def test_a_mistake_is_named_where_it_is_and_taught(path: Path) -> None:
    expected = path.with_suffix(".txt").read_text(encoding="utf-8")

    assert answer_to(path) + "\n" == expected


def test_every_message_belongs_to_a_mistake() -> None:
    messages = {path.stem for path in MISTAKES[0].parent.glob("*.txt")}

    assert messages == {path.stem for path in MISTAKES}
