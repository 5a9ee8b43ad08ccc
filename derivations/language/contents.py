"""A book: its sections in reading order, and the name of everything that they declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cached_property
from types import ModuleType
from typing import TypeAlias

from derivations.language.algebra import Named, Quantity, Relation, Term, leaves
from derivations.language.declare import (
    Approximation,
    Bridge,
    Claim,
    Condition,
    Constant,
    Crossing,
    Derivation,
    Equivalence,
    Formula,
    Given,
    Premise,
    Statement,
    Unknown,
    relation_of,
)

Entry: TypeAlias = Quantity | Condition | Statement

_ENTRIES = (Quantity, Condition, Claim, Approximation, Crossing, Derivation)


class UnknownName(LookupError):
    """A name that nothing in the book has."""


class Book:
    """
    Sections in reading order.

    An id is the name of the section and the name in it: ``decode.step_time``.
    """

    def __init__(self, sections: Iterable[ModuleType]) -> None:
        self.sections = tuple(sections)
        self.entries: dict[str, Entry] = {}
        self.same: list[tuple[str, str]] = []
        """Pairs of ids that name the same thing, which the checker refuses."""
        names: dict[Entry, str] = {}
        chapters: set[str] = set()
        for section in self.sections:
            chapter = section.__name__.rpartition(".")[2]
            if chapter in chapters:
                raise ValueError(f"two sections are called {chapter!r}; ids need them apart")
            chapters.add(chapter)
            for name, thing in vars(section).items():
                if name.startswith("_") or not isinstance(thing, _ENTRIES):
                    continue
                if isinstance(thing, Quantity) and not isinstance(
                    thing, Given | Formula | Constant | Bridge | Unknown
                ):
                    continue
                identity = f"{chapter}.{name}"
                if thing in names:
                    self.same.append((names[thing], identity))
                    continue
                self.entries[identity] = thing
                names[thing] = identity
                if isinstance(thing, Named) and not thing.identity:
                    object.__setattr__(thing, "identity", identity)  # it is frozen otherwise
        self._names = names

    def id_of(self, thing: Entry) -> str:
        """Give the id of something that the book declares. Raises `UnknownName`."""
        try:
            return self._names[thing]
        except KeyError:
            name = getattr(thing, "title", repr(thing))
            raise UnknownName(f"{name} is used, but no section of the book names it") from None

    def __contains__(self, thing: object) -> bool:
        return thing in self._names

    def __getitem__(self, identity: str) -> Entry:
        """Give what an id (or a former id) names. Raises `UnknownName`."""
        found = self.entries.get(identity) or self.aliases.get(identity)
        if found is None:
            near = get_close_matches(identity, self.entries, n=3, cutoff=0.5)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise UnknownName(f"there is nothing called {identity!r} in the book{hint}")
        return found

    @cached_property
    def aliases(self) -> dict[str, Entry]:
        """The former ids of what was renamed."""
        return {
            name: entry
            for entry in self.entries.values()
            for name in getattr(entry, "formerly", ())  # bridges and unknowns have no page
        }

    @cached_property
    def formulas(self) -> dict[str, Formula]:
        """The formulas by id, in reading order."""
        return {name: each for name, each in self.entries.items() if isinstance(each, Formula)}

    @cached_property
    def givens(self) -> dict[str, Given]:
        """The givens by id, in reading order."""
        return {name: each for name, each in self.entries.items() if isinstance(each, Given)}

    @cached_property
    def constants(self) -> dict[str, Constant]:
        """The constants by id, in reading order."""
        return {name: each for name, each in self.entries.items() if isinstance(each, Constant)}

    @cached_property
    def conditions(self) -> dict[str, Condition]:
        """The conditions by id, in reading order."""
        return {name: each for name, each in self.entries.items() if isinstance(each, Condition)}

    @cached_property
    def statements(self) -> dict[str, Statement]:
        """The claims, approximations, crossings and derivations by id, in reading order."""
        return {name: each for name, each in self.entries.items() if isinstance(each, Statement)}

    @cached_property
    def quantities(self) -> dict[str, Quantity]:
        """All quantities by id, in reading order."""
        return {name: each for name, each in self.entries.items() if isinstance(each, Quantity)}

    def needed_by(self, quantity: Quantity) -> tuple[str, ...]:
        """Give the ids of the formulas whose body or premise names a quantity."""
        return tuple(name for name, each in self.formulas.items() if quantity in set(needs(each)))


def mentions(entry: Entry) -> Iterator[Entry]:
    """Give what an entry refers to beside the quantities in its trees."""
    match entry:
        case Formula(assuming=premises, solves=crossing):
            yield from (each for each in premises if isinstance(each, Condition))
            if crossing is not None:
                yield crossing
        case Claim(under=premises):
            yield from (each for each in premises if isinstance(each, Condition))
        case Derivation(of=formula, under=premises):
            yield formula
            yield from (each for each in premises if isinstance(each, Condition))
        case Crossing(unknown=unknown):
            yield unknown
        case Approximation(large=unknowns):
            yield from unknowns


def needs(entry: Entry | Premise) -> Iterator[Quantity]:
    """Give what an entry names, in the order of writing, each once."""
    return iter(dict.fromkeys(leaf for node in trees(entry) for leaf in leaves(node)))


def trees(entry: Entry | Premise) -> Iterator[Term | Relation]:
    """Give the trees that an entry was declared with."""
    match entry:
        case Formula():
            yield entry.body
            yield from (relation_of(each) for each in entry.assuming)
        case Relation():
            yield entry
        case Condition() | Crossing():
            yield entry.relation
        case Claim(Equivalence(left, right)):
            yield left
            yield right
            yield from (relation_of(each) for each in entry.under)
        case Claim(Relation() as relation):
            yield relation
            yield from (relation_of(each) for each in entry.under)
        case Approximation():
            yield entry.exact
            yield entry.simple
        case Derivation():
            yield from entry.steps
            yield from (relation_of(each) for each in entry.under)
