"""Where the data files stand, one folder a kind, and how one is found by its exact id."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from derivations.catalogue.facts import ID, Fact, read_fact
from derivations.catalogue.reading import DataError, told, toml
from derivations.catalogue.vocabulary import DATA, vocabulary


class UnknownFact(LookupError):
    """An id that no data file has."""


KINDS = {
    "accelerator": "accelerators",
    "model": "models",
    "precision": "precisions",
    "assumption": "assumptions",
    "benchmark": "benchmarks",
}
"""The kinds of facts, and the folder of each."""


@cache
def facts(kind: str) -> dict[str, Fact]:
    """
    Give all the facts of a kind by id, in the order of their ids.

    Raises `DataError` for the first file that cannot be used.
    """
    found = {path.stem: _read(path, kind) for path in _files(kind)}
    names = dict.fromkeys(found, "")
    for fact in found.values():
        for alias in fact.aliases:
            if alias in names:
                raise DataError(f"{fact.id}.toml: aliases: {alias!r} is already the id of another")
            names[alias] = fact.id
    return found


@cache
def _read(path: Path, kind: str) -> Fact:
    return read_fact(path, kind, vocabulary()[kind])


def _files(kind: str) -> list[Path]:
    return sorted(folder(kind).glob("*.toml"))


def folder(kind: str) -> Path:
    """Give the folder in which the files of a kind stand."""
    return DATA / KINDS[kind]


def others(kind: str, identity: str) -> list[Fact]:
    """Give the facts of a kind, but for the one with an id. Raises `DataError`."""
    fields = vocabulary()[kind]
    return [read_fact(path, kind, fields) for path in _files(kind) if path.stem != identity]


@cache
def fact(kind: str, identity: str) -> Fact:
    """Give the fact with an id or an alias, never by a part of it. Raises `UnknownFact`."""
    if ID.fullmatch(identity) and (path := folder(kind) / f"{identity}.toml").exists():
        return _read(path, kind)  # without the fifty others
    for each in facts(kind).values():
        if identity in each.aliases:
            return each
    raise UnknownFact(f"there is no {kind} {told(identity)}{_near(kind, identity)}")


def _near(kind: str, identity: str) -> str:
    names = [name for each in facts(kind).values() for name in (each.id, *each.aliases)]
    close = get_close_matches(identity.lower(), names, n=3, cutoff=0.6)
    if close:
        return f"; did you mean {' or '.join(close)}?"
    return f"; there is {', '.join(facts(kind))}"


def faults_of_facts() -> list[str]:
    """Read every fact, and give what is wrong with each."""
    try:
        fields = vocabulary()
    except DataError as problem:
        return [str(problem)]
    found = []
    for kind in KINDS:
        for path in _files(kind):
            try:
                read_fact(path, kind, fields[kind])
            except DataError as problem:
                found.append(str(problem))
    if not found:
        for kind in KINDS:
            try:
                facts(kind)
            except DataError as problem:
                found.append(str(problem))
    return found


@cache
def defaults() -> dict[str, Any]:
    """Give the configuration that every option starts from. Raises `DataError`."""
    return toml(DATA / "defaults.toml")
