"""A new data file: read as the checker reads it, and only then put in its place, whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from derivations.catalogue import DataError, Fact, told
from derivations.catalogue.facts import ID, ID_SIGNS, read_fact
from derivations.catalogue.shelf import folder, others
from derivations.catalogue.vocabulary import vocabulary
from derivations.configure import misfits_of
from derivations.files import replace


class Refused(ValueError):
    """A new data file cannot be as it is wished for. The message says what is wrong with it."""


@dataclass(frozen=True)
class NewFile:
    """A data file that has been read already, and where it goes."""

    place: Path
    text: str
    fact: Fact

    def write(self) -> None:
        """Put the file in its place. Raises `Refused`, and then nothing has changed."""
        try:
            replace(self.place, self.text.encode())
        except OSError as problem:
            where = self.place.parent
            raise Refused(f"{where} cannot be written to: {problem.strerror}") from None


def new_file(kind: str, identity: str, text: str, *, over: bool = False) -> NewFile:
    """
    Give a new data file, checked. *over* allows the id of a file that is there.

    Raises `Refused`, and `DataError` where one of the other files cannot be used.
    """
    every = others(kind, free_id(kind, identity, over=over))
    fact = _read(kind, identity, text)
    aliases = [f"aliases: {each}" for each in taken(kind, fact.aliases, [identity], every)]
    if problems := [*aliases, *misfits_of(fact)]:
        raise Refused("\n".join(problems))
    return NewFile(folder(kind) / f"{identity}.toml", text, fact)


def free_id(kind: str, identity: str, *, over: bool = False) -> str:
    """Give an id that a new file may have. Raises `Refused`, and `DataError` as above."""
    if not ID.fullmatch(identity):
        lower = identity.lower()
        hint = f"; did you mean {lower}?" if ID.fullmatch(lower) else ""
        raise Refused(f"{told(identity)} is no id: {ID_SIGNS}{hint}")
    for problem in taken(kind, [identity], [], others(kind, identity)):
        raise Refused(problem)
    if not over and (folder(kind) / f"{identity}.toml").exists():
        raise Refused(
            f"there is a file {identity}.toml already; choose another id, or add --replace"
        )
    return identity


def taken(
    kind: str, names: Iterable[str], own: Iterable[str], every: Iterable[Fact]
) -> Iterator[str]:
    """Say of each name that it is an id already, or an alias, where it is one."""
    known = dict.fromkeys(own, f"the id of this {kind} itself")
    for each in every:
        known[each.id] = f"the id of {each.name}"
        known.update(dict.fromkeys(each.aliases, f"an alias of {each.id}"))
    for name in names:
        if name in known:
            yield f"{told(name)} is already {known[name]}"
        known[name] = "given as an alias"


def _read(kind: str, identity: str, text: str) -> Fact:
    with TemporaryDirectory() as beside:
        place = Path(beside) / f"{identity}.toml"
        try:
            place.write_text(text, encoding="utf-8")
            return read_fact(place, kind, vocabulary()[kind])
        except UnicodeEncodeError:
            raise Refused(f"{place.name}: it has signs in it that are no text") from None
        except DataError as problem:
            raise Refused(str(problem)) from None
