"""Where an entry is declared: the file of its section, and the line."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from derivations.book import BOOK
from derivations.language.contents import Entry


def place_of(entry: Entry) -> str:
    """Give the file below the project and the line in which an entry is named."""
    section, _, name = BOOK.id_of(entry).partition(".")
    module = next(each for each in BOOK.sections if each.__name__.rpartition(".")[2] == section)
    assert module.__file__ is not None
    line = _lines(Path(module.__file__)).get(name, 1)
    return f"{module.__name__.replace('.', '/')}.py:{line}"


@cache
def _lines(path: Path) -> dict[str, int]:
    """Give the line of each name that a file declares at its top."""
    parsed = ast.parse(path.read_text(encoding="utf-8"))
    return {
        target.id: node.lineno
        for node in parsed.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
