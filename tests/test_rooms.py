"""The rooms lie in a row: a module imports only from earlier ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from derivations import book

PACKAGE = Path(__file__).parents[1] / "derivations"
ROOMS = (
    "files",
    "language",
    "book",
    "check",
    "catalogue",
    "configure",
    "landing",
    "asking",
    "adopt",
    "evaluate",
    "charts",
    "render",
    "reference",
    "live",
    "build",
    "progress",
    "review",
)
LAST = ("cli", "hosts", "__main__")
"""The doors to the world. They may all use everything before them, and each other."""

MODULES = sorted(PACKAGE.rglob("*.py"))


def parts_of(path: Path) -> tuple[str, ...]:
    """Give ``("derivations", "check", "units")``; a package is named without ``__init__``."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[str]:
    """Give what a module imports, at its top or inside of a function, by dotted name."""
    for node in ast.walk(tree(path)):
        match node:
            case ast.Import(names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module, names, level):
                package = parts_of(path)[: None if path.name == "__init__.py" else -1]
                base = package[: len(package) - level + 1] if level else ()
                source = ".".join((*base, *filter(None, [module])))
                yield from (f"{source}.{each.name}" for each in names)


def place(room: str) -> int:
    """Give where in the row a room lies."""
    return len(ROOMS) if room in LAST else ROOMS.index(room)


def inside(*rooms: str) -> list[Path]:
    return [path for path in MODULES if parts_of(path)[1:2] and parts_of(path)[1] in rooms]


def short(path: Path) -> str:
    return ".".join(parts_of(path))


def test_every_module_lies_in_a_room_of_the_plan() -> None:
    rooms = {parts_of(path)[1] for path in MODULES if len(parts_of(path)) > 1}
    planned = {*ROOMS, *LAST}

    assert rooms - planned <= {"data", "templates"}


@pytest.mark.parametrize("path", inside(*ROOMS, *LAST), ids=short)
def test_a_module_imports_only_from_earlier_rooms(path: Path) -> None:
    here = place(parts_of(path)[1])
    rooms = {name.split(".")[1] for name in imports(path) if name.startswith("derivations.")}

    assert {room for room in rooms if room in {*ROOMS, *LAST} and place(room) > here} == set()


@pytest.mark.parametrize(
    ("room", "stranger"),
    [
        ("book", "check"),
        ("book", "catalogue"),
        ("check", "book"),
        ("catalogue", "book"),
        ("catalogue", "check"),
    ],
)
def test_rooms_that_do_not_know_each_other(room: str, stranger: str) -> None:
    known = {name for path in inside(room) for name in imports(path)}

    assert not {name for name in known if name.startswith(f"derivations.{stranger}")}


def test_only_the_hosts_know_mkdocs() -> None:
    for path in set(MODULES) - set(inside("hosts")):
        assert not {name for name in imports(path) if name.split(".")[0] == "mkdocs"}, short(path)


@pytest.mark.parametrize("path", inside("book"), ids=short)
def test_a_section_imports_sections_and_not_quantities(path: Path) -> None:
    for node in ast.walk(tree(path)):
        if not isinstance(node, ast.ImportFrom):
            continue
        source = node.module or ""
        if source == "derivations.book":
            for each in node.names:
                assert isinstance(getattr(book, each.name), ModuleType), each.name
        elif source.startswith("derivations.book."):
            assert source == "derivations.book.sources"


@pytest.mark.parametrize("path", inside("language"), ids=short)
def test_sympy_and_pint_are_imported_when_they_are_needed(path: Path) -> None:
    top = {
        name.name.split(".")[0]
        for node in tree(path).body
        if isinstance(node, ast.Import)
        for name in node.names
    }

    assert "pint" not in top
    assert "sympy" not in top or path.name == "meaning.py"


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_no_text_is_evaluated(path: Path) -> None:
    forbidden = {"eval", "literal_eval", "sympify", "parse_expr", "parse_latex"}
    called = {
        node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
    }
    names = {name.rpartition(".")[2] for name in imports(path)}

    assert not forbidden & (called | names)


@pytest.mark.parametrize("path", inside("language"), ids=short)
def test_a_module_says_first_what_it_is(path: Path) -> None:
    assert ast.get_docstring(tree(path))
