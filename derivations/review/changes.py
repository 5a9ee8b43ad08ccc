"""What differs between two exports: formulas and statements, facts, values, and what is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Literal

import msgspec

from derivations.language.algebra import Quantity, Term
from derivations.review.format import Amount, Cited, Entry, Export, Fact, Premise, Tree
from derivations.review.moves import Both, Move
from derivations.review.trees import Declared, UnknownTree, named, renamed
from derivations.review.verdicts import Verdict, verdict

Status = Literal["added", "removed", "renamed", "moved", "changed"]


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What one revision declares under an id, and what the other does."""

    id: str
    former: str
    """The id that it had before."""
    status: Status
    before: Entry | None
    after: Entry | None
    trees: tuple[str, ...] = ()
    """The formulas of it that differ: ``body``, ``step 1``, …"""
    texts: tuple[str, ...] = ()
    """The words of it that differ: ``unit``, ``title``, …"""
    numbers: tuple[str, ...] = ()
    premises: bool = False
    sources: bool = False
    show: bool = False
    verdicts: bool = False
    verdict: Verdict | None = None
    rounding: float = 0.0
    """The largest relative change of the values, where it is the same value."""
    unvalued: int = 0
    """In how many configurations it has a value in only one of the two, by its own premises."""
    refused: bool = False
    """Whether the check finds something wrong with it now."""
    led: bool = True
    """Whether the id that it had still leads to it."""
    moved: bool = False
    """Whether its value moves by more than rounding."""

    @property
    def entry(self) -> Entry:
        """What is declared now, or what was."""
        found = self.after or self.before
        assert found is not None
        return found

    @property
    def value_changed(self) -> bool:
        """Tell whether something has another value than it had, by its own declaration."""
        if self.before is None or self.after is None:
            return False
        if self.unvalued or self.before.kind != self.after.kind:
            return True
        if self.verdict is not None:
            sure = self.verdict.says in ("factor", "different")
            return sure or (self.verdict.says == "unknown" and self.moved)
        if self.entry.kind == "condition":
            return bool(self.trees) and self.moved
        return self.entry.kind == "constant" and "value" in self.numbers


class Lost(msgspec.Struct, frozen=True, kw_only=True):
    """An id that was there, and that nothing answers to any more."""

    id: str
    kind: str
    title: str
    hint: str = ""
    """What it may be called now."""
    instead: str = ""
    """What answers to it now, and is something else."""


class Datum(msgspec.Struct, frozen=True, kw_only=True):
    """A number of a data file, before and after."""

    field: str
    before: Amount | None
    after: Amount | None

    @property
    def change(self) -> float | None:
        """The relative change, None where there is none or it is from zero."""
        if self.before is None or self.after is None:
            return None
        old, new = Fraction(self.before.value), Fraction(self.after.value)
        return float((new - old) / old) if old else None

    @property
    def value_changed(self) -> bool:
        """Tell whether a number that was there is another one now."""
        if self.before is None or self.after is None:
            return self.after is None
        return self.before.value != self.after.value or self.before.unit != self.after.unit


class FactChange(msgspec.Struct, frozen=True, kw_only=True):
    """A data file, before and after."""

    kind: str
    id: str
    former: str
    status: Status
    before: Fact | None
    after: Fact | None
    amounts: tuple[Datum, ...] = ()
    texts: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name that it goes by."""
        found = self.after or self.before
        assert found is not None
        return found.texts.get("name", self.id)

    @property
    def value_changed(self) -> bool:
        """Tell whether a number in it is another one now."""
        there = self.status in ("changed", "renamed")
        return there and any(each.value_changed for each in self.amounts)


class ResultChanges(msgspec.Struct, frozen=True, kw_only=True):
    """How the measured results differ."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[tuple[str, str, str, str], ...] = ()
    """What was measured, the figure, and its digits before and after."""


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """All that differs between two exports."""

    faults: tuple[str, ...]
    """What the check finds wrong now."""
    faults_before: tuple[str, ...]
    lost: tuple[Lost, ...]
    entries: tuple[Change, ...]
    facts: tuple[FactChange, ...]
    results: ResultChanges
    defaults: tuple[tuple[str, str, str], ...]
    """A choice of the default configuration, before and after."""
    moves: tuple[Move, ...]
    compared: int
    """In how many configurations values were compared."""
    pages: int
    """On how many pages."""
    pages_moved: tuple[str, ...]
    pages_new: tuple[str, ...]
    pages_gone: tuple[str, ...]
    unexplained: tuple[str, ...]
    """What moves although it is declared as before, and so is all that it is made of."""


def changes(base: Export, head: Export) -> Changes:
    """Compare two exports. Raises `FormatError` where values are not as they should be."""
    led = _new_ids(base, head)
    lost = tuple(_lost_entries(base, head, led))
    # What looks like a renamed entry is compared as one, although nothing leads to it.
    new = {**led, **{each.id: each.hint for each in lost if each.hint}}
    both = Both(base, head, new)
    moves = tuple(both.moves())
    moving = {each.id for each in moves}
    found = tuple(
        msgspec.structs.replace(each, moved=each.id in moving)
        for each in _entries(base, head, new, led, both)
    )
    facts = tuple(_facts(base, head))
    results, defaults = _results(base, head), tuple(_defaults(base, head))
    named_data = any(each.value_changed or each.status != "changed" for each in facts)
    told = named_data or results != ResultChanges() or defaults
    before, after = ({page.place for page in each.pages} for each in (base, head))
    renamed = {page for page in both.of_pages[0] if page not in before}
    return Changes(
        faults=head.faults,
        faults_before=base.faults,
        lost=(*lost, *_lost_facts(base, head)),
        entries=found,
        facts=facts,
        results=results,
        defaults=defaults,
        moves=moves,
        compared=len(both.rows[0]),
        pages=len(head.pages),
        pages_moved=tuple(dict.fromkeys(page for move in moves for page in move.pages)),
        pages_new=tuple(sorted(after - before - renamed)),
        pages_gone=tuple(sorted(before - after)) if len(after) and not renamed else (),
        unexplained=() if told else tuple(_unexplained(head, moves, found)),
    )


def _unexplained(head: Export, moves: tuple[Move, ...], found: tuple[Change, ...]) -> Iterator[str]:
    """Give what moves by itself: neither it nor any of its parts that move is declared anew."""
    moving = {each.id for each in moves if each.moved}
    by_itself = {each.id for each in found}
    for move in moves:
        if move.id not in moving or move.id in by_itself:
            continue
        if not any(name in moving or name in by_itself for name in names_of(head.entries[move.id])):
            yield move.id


def _new_ids(base: Export, head: Export) -> dict[str, str]:
    """Give the current id of every entry that was renamed."""
    aliases = {former: name for name, each in head.entries.items() for former in each.formerly}
    return {
        name: aliases[name] for name in base.entries if name not in head.entries and name in aliases
    }


_NAMELESS = ("bridge", "unknown")
"""Nobody can cite these: they have no place on a page."""


def _lost_entries(base: Export, head: Export, new: Mapping[str, str]) -> Iterator[Lost]:
    aliases = {former: name for name, each in head.entries.items() for former in each.formerly}
    for name, entry in base.entries.items():
        if name in head.entries or name in new or entry.kind in _NAMELESS:
            continue
        title = entry.texts.get("title", "")
        yield Lost(id=name, kind=entry.kind, title=title, hint=_hint(entry, base, head))
    for name, entry in base.entries.items():
        for former in entry.formerly:
            if former not in aliases and former not in head.entries:
                title = entry.texts.get("title", "")
                yield Lost(id=former, kind=f"former id of a {entry.kind}", title=title)
            elif aliases.get(former, new.get(name, name)) != new.get(name, name):
                title = entry.texts.get("title", "")
                kind, other = f"former id of a {entry.kind}", aliases[former]
                yield Lost(id=former, kind=kind, title=title, instead=other)


def _hint(entry: Entry, base: Export, head: Export) -> str:
    """Give the id of what is new, and looks like what is gone."""
    for candidate, each in head.entries.items():
        if candidate in base.entries or each.kind != entry.kind:
            continue
        if each.texts.get("title") == entry.texts.get("title") or _meaning(each) == _meaning(entry):
            return candidate
    return ""


def _meaning(entry: Entry) -> tuple[object, ...]:
    """Give what an entry is, whatever it is called."""
    words = (entry.texts.get("symbol"), entry.texts.get("unit"))
    return entry.trees, entry.premises, entry.numbers, words


def _lost_facts(base: Export, head: Export) -> Iterator[Lost]:
    if not head.facts:
        return  # the data could not be read, which is told already
    for kind, before in base.facts.items():
        now = head.facts.get(kind, {})
        answers = {alias: name for name, each in now.items() for alias in each.aliases}
        answers.update(zip(now, now, strict=True))
        for name, fact in before.items():
            goes_on = answers.get(name)
            for identity in (name, *fact.aliases):
                title = fact.texts.get("name", "")
                found = answers.get(identity)
                if found is None:
                    yield Lost(id=identity, kind=kind, title=title)
                elif goes_on is not None and found != goes_on:
                    yield Lost(id=identity, kind=kind, title=title, instead=found)


def _entries(
    base: Export, head: Export, new: Mapping[str, str], led: Mapping[str, str], both: Both
) -> Iterator[Change]:
    former = {now: before for before, now in new.items()}
    compared = _Compared(base, head, new)
    for name, after in head.entries.items():
        before_name = former.get(name, name)
        before = base.entries.get(before_name)
        if before is None:
            yield Change(id=name, former=name, status="added", before=None, after=after)
            continue
        found = _change(name, before_name, before, after, compared, both)
        if found is not None:
            refused = any(fault.startswith(f"{name}: ") for fault in head.faults)
            goes_on = before_name == name or before_name in led
            yield msgspec.structs.replace(found, refused=refused, led=goes_on)
    for name, before in base.entries.items():
        if name not in head.entries and name not in new:
            yield Change(id=name, former=name, status="removed", before=before, after=None)


def _change(
    name: str, former: str, before: Entry, after: Entry, compared: _Compared, both: Both
) -> Change | None:
    new = both.new
    trees = tuple(
        each
        for each in dict.fromkeys((*before.trees, *after.trees))
        if _renamed(before.trees.get(each), new) != after.trees.get(each)
    )
    if trees and after.kind == before.kind == "derivation":
        trees = ("steps",)  # one by one they would be told apart by their numbers
    texts = _differing(before.texts, after.texts)
    numbers = _differing(before.numbers, after.numbers)
    premises = _premises(before, new) != after.premises
    flags = {
        "premises": premises,
        "sources": before.sources != after.sources,
        "show": (before.show, before.also) != (after.show, after.also),
        # Where anything is at fault, no statement is tried.
        "verdicts": not (both.base.faults or both.head.faults)
        and _verdicts(before) != _verdicts(after),
    }
    links = {key: tuple(new.get(each, each) for each in ids) for key, ids in before.links.items()}
    if links != after.links:
        texts = (*texts, "links")
    status: Status = "changed"
    if name != former:
        same_section = name.partition(".")[0] == former.partition(".")[0]
        status = "renamed" if same_section else "moved"
    elif not (trees or texts or numbers or any(flags.values()) or before.kind != after.kind):
        return None
    found = None
    rounding, unvalued = 0.0, 0
    if after.kind == before.kind == "formula" and (trees or premises):
        found = compared.verdict(name, before, after)
        if former in both.base.grid.columns and name in both.head.grid.columns:
            if found.says == "same":
                rounding = both.largest_rounding(former, name)
            if premises:
                unvalued = both.unvalued(former, name)
    return Change(
        id=name, former=former, status=status, before=before, after=after, trees=trees,
        texts=texts, numbers=numbers, verdict=found, rounding=rounding, unvalued=unvalued, **flags,
    )  # fmt: skip


def _differing(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    names = dict.fromkeys((*before, *after))
    return tuple(name for name in names if before.get(name) != after.get(name))


def _renamed(tree: Tree, new: Mapping[str, str]) -> Tree:
    return None if tree is None else renamed(tree, new)


def _premises(entry: Entry, new: Mapping[str, str]) -> tuple[Premise, ...]:
    return tuple(
        Premise(renamed(each.tree, new), new.get(each.condition, each.condition))
        for each in entry.premises
    )


def _verdicts(entry: Entry) -> list[str]:
    """Give how each part of a statement was found to hold; what it says is told by its trees."""
    return [each.how for each in entry.verdicts]


class _Compared:
    """Compares formulas, the former one in the terms of the current book."""

    def __init__(self, base: Export, head: Export, new: Mapping[str, str]) -> None:
        self._after = Declared(head.entries)
        self._new = new
        self._base = base
        self._head = head
        # What is only in the former book must not be taken for something else with its symbol.
        self._before = Declared(base.entries, self._now, suffix="_before")

    def _now(self, identity: str) -> Quantity | None:
        """Give what an id of the former book is today, if it is the same kind of thing."""
        name = self._new.get(identity, identity)
        before, after = self._base.entries.get(identity), self._head.entries.get(name)
        if before is None or after is None:
            return None
        # A constant that has changed is another number, and a formula that uses it does not.
        return self._after.quantity(name)

    def verdict(self, name: str, before: Entry, after: Entry) -> Verdict:
        """Compare the bodies of a formula, all that they name being as it is now."""
        try:
            old, new = (
                self._before.tree(before.trees["body"]),
                self._after.tree(after.trees["body"]),
            )
            under = (*self._before.premises(before), *self._after.premises(after))
            assert isinstance(old, Term)
            assert isinstance(new, Term)
            return verdict(old, new, under, seed=name)
        except (KeyError, UnknownTree, RecursionError) as problem:
            return Verdict("unknown", reason=str(problem))


def _facts(base: Export, head: Export) -> Iterator[FactChange]:
    if not (base.facts and head.facts):
        return  # the data of one of the two could not be read
    for kind in dict.fromkeys((*base.facts, *head.facts)):
        before, after = base.facts.get(kind, {}), head.facts.get(kind, {})
        names = {alias: name for name, each in after.items() for alias in each.aliases}
        new = {name: names[name] for name in before if name not in after and name in names}
        former = {now: name for name, now in new.items()}
        for name in after:
            found = _fact(kind, name, former.get(name, name), before, after)
            if found is not None:
                yield found
        for name, fact in before.items():
            if name not in after and name not in new:
                gone = tuple(
                    Datum(field=field, before=amount, after=None)
                    for field, amount in fact.amounts.items()
                )
                yield FactChange(
                    kind=kind, id=name, former=name, status="removed", before=fact, after=None,
                    amounts=gone,
                )  # fmt: skip


def _fact(
    kind: str, name: str, former: str, before: Mapping[str, Fact], after: Mapping[str, Fact]
) -> FactChange | None:
    old, new = before.get(former), after[name]
    fields = dict.fromkeys((*(old.amounts if old else ()), *new.amounts))
    amounts = tuple(
        Datum(
            field=field,
            before=old.amounts.get(field) if old else None,
            after=new.amounts.get(field),
        )
        for field in fields
        if old is None or old.amounts.get(field) != new.amounts.get(field)
    )
    texts = _differing(old.texts, new.texts) if old else ()
    if old is not None and old.aliases != new.aliases:
        texts = (*texts, "aliases")
    if old is not None and name == former and not (amounts or texts):
        return None
    status: Status = "added" if old is None else "changed" if name == former else "renamed"
    return FactChange(
        kind=kind, id=name, former=former, status=status, before=old, after=new,
        amounts=amounts, texts=texts,
    )  # fmt: skip


def _results(base: Export, head: Export) -> ResultChanges:
    if not (base.facts and head.facts):
        return ResultChanges()
    return ResultChanges(
        added=tuple(each for each in head.results if each not in base.results),
        removed=tuple(each for each in base.results if each not in head.results),
        changed=tuple(
            (run, column, base.results[run].get(column, ""), digits.get(column, ""))
            for run, digits in head.results.items()
            if run in base.results
            for column in _differing(base.results[run], digits)
        ),
    )


def _defaults(base: Export, head: Export) -> Iterator[tuple[str, str, str]]:
    if not (base.facts and head.facts):
        return
    for name in _differing(base.defaults, head.defaults):
        yield name, base.defaults.get(name, ""), head.defaults.get(name, "")


def names_of(entry: Entry) -> list[str]:
    """Give the ids that the formulas of an entry name, each once."""
    trees = (*entry.trees.values(), *(each.tree for each in entry.premises))
    return list(dict.fromkeys(name for tree in trees for name in named(tree)))


def users(export: Export) -> dict[str, list[str]]:
    """Give the ids of what names a quantity, by the id of the quantity."""
    found: dict[str, list[str]] = {}
    for name, entry in export.entries.items():
        for each in names_of(entry):
            found.setdefault(each, []).append(name)
    return found


def new_sources(before: Entry, after: Entry) -> tuple[list[Cited], list[Cited]]:
    """Give the sources that are gone, and those that have come."""
    gone = [each for each in before.sources if each not in after.sources]
    return gone, [each for each in after.sources if each not in before.sources]
