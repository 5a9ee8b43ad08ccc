"""Exported entries as declarations again, so that they can be written, worked out and compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from derivations.language.algebra import (
    Call,
    Choice,
    Negation,
    NotATerm,
    Number,
    Operation,
    Quantity,
    Relation,
    Term,
)
from derivations.language.declare import (
    SYMBOL,
    Bridge,
    Constant,
    Formula,
    Given,
    Shown,
    Source,
    Unknown,
    Work,
)
from derivations.language.functions import FUNCTIONS
from derivations.review.format import Entry, Tree

_FUNCTIONS = {each.plain.partition("(")[0]: each for each in FUNCTIONS}
_SIGNS = ("+", "-", "*", "/", "^")
_COMPARISONS = ("<", "<=", ">", ">=", "==")
_SOURCE = Source(Work("", "", "", date.min), "")


class UnknownTree(ValueError):
    """An exported tree that this code's language has no words for."""


Leaf = Callable[[str], Quantity]


class Declared:
    """
    The quantities of an export, made when they are asked for.

    What *elsewhere* gives for an id is taken in place of what this export declares: so a formula of
    one revision can be read in the terms of another.
    """

    def __init__(
        self,
        entries: Mapping[str, Entry],
        elsewhere: Callable[[str], Quantity | None] = lambda identity: None,
        suffix: str = "",
    ) -> None:
        self.entries = entries
        self._elsewhere = elsewhere
        self._suffix = suffix
        self._made: dict[str, Quantity] = {}

    def quantity(self, identity: str) -> Quantity:
        """Give a quantity by its id. Raises `UnknownTree`."""
        found = self._elsewhere(identity)
        if found is not None:
            return found
        if identity not in self._made:
            self._made[identity] = self._make(identity)
        return self._made[identity]

    def tree(self, written: Tree) -> Term | Relation:
        """Give an exported tree in these quantities. Raises `UnknownTree`."""
        return rebuilt(written, self.quantity)

    def premises(self, entry: Entry) -> tuple[Relation, ...]:
        """Give what an entry rests on. Raises `UnknownTree`."""
        found = (self.tree(each.tree) for each in entry.premises)
        return tuple(each for each in found if isinstance(each, Relation))

    def _make(self, identity: str) -> Quantity:
        entry = self.entries.get(identity)
        if entry is None:
            raise UnknownTree(f"it names {identity.lstrip('?')}, which nothing declares")
        texts = entry.texts
        symbol = texts.get("symbol", "") + self._suffix
        words: dict[str, Any] = {name: texts.get(name, "") for name in ("unit", "title", "says")}
        try:
            match entry.kind:
                case "given":
                    least, most = Fraction(entry.numbers["least"]), Fraction(entry.numbers["most"])
                    return Given(
                        symbol=symbol, **words, show=shown(entry), least=least, most=most,
                        whole="whole" in texts, lacking=texts.get("lacking", ""),
                    )  # fmt: skip
                case "unknown":
                    return Unknown(symbol=symbol, **words)
                case "constant":
                    value = int(entry.numbers["value"])
                    return Constant(
                        value, texts.get("unit", ""), texts.get("title", ""),
                        says=texts.get("says", ""), source=_SOURCE,
                    )  # fmt: skip
                case "bridge":
                    unit, title = texts.get("unit", ""), texts.get("title", "")
                    return Bridge(unit, title, says=texts.get("says", ""))
                case "formula":
                    body = _term(entry.trees["body"], self.quantity)
                    return Formula(
                        body, symbol=symbol, **words, source=_SOURCE, show=shown(entry),
                        assuming=self.premises(entry),
                    )  # fmt: skip
        except (KeyError, ValueError, NotATerm) as problem:
            raise UnknownTree(f"{identity} cannot be read: {problem}") from None
        raise UnknownTree(f"{identity} is no quantity")


def shown(entry: Entry) -> Shown:
    """Give how the values of an entry are shown."""
    if entry.show is None:
        return Shown(entry.texts.get("unit", "1"))
    return Shown(entry.show.unit, digits=entry.show.digits, decimals=entry.show.decimals)


def safe_symbol(entry: Entry) -> str:
    """Give the symbol of an entry, or a question mark where it is none that can be written."""
    if entry.kind == "constant":
        return entry.numbers.get("value", "?")
    symbol = entry.texts.get("symbol", "")
    return symbol if len(symbol) <= 40 and SYMBOL.fullmatch(symbol) else "?"


def rebuilt(written: Tree, leaf: Leaf) -> Term | Relation:
    """Give an exported tree as a tree of the language again. Raises `UnknownTree`."""
    match written:
        case str():
            return leaf(written)
        case [int(value)]:
            return Number(value)
        case ["-", inner]:
            return Negation(_term(inner, leaf))
        case [str(sign), left, right] if sign in _SIGNS:
            return Operation(sign, _term(left, leaf), _term(right, leaf))  # type: ignore[arg-type]
        case [str(sign), left, right] if sign in _COMPARISONS:
            return Relation(sign, _term(left, leaf), _term(right, leaf))  # type: ignore[arg-type]
        case ["?", condition, then, otherwise]:
            holds = rebuilt(condition, leaf)
            if isinstance(holds, Relation):
                return Choice(holds, _term(then, leaf), _term(otherwise, leaf))
        case [str(name), *arguments] if name in _FUNCTIONS:
            return Call(_FUNCTIONS[name], tuple(_term(each, leaf) for each in arguments))
        case [str(name), *_]:
            raise UnknownTree(f"it has {name!r} in it, which this code does not know")
    raise UnknownTree("it is written in a way that this code does not know")


def _term(written: Tree, leaf: Leaf) -> Term:
    found = rebuilt(written, leaf)
    if not isinstance(found, Term):
        raise UnknownTree("it has a relation where a value should be")
    return found


def named(written: Tree) -> list[str]:
    """Give the ids of the quantities in an exported tree, in the order of writing, each once."""
    if isinstance(written, str):
        return [written]
    if not isinstance(written, list | tuple) or len(written) < 2:
        return []
    return list(dict.fromkeys(each for part in written[1:] for each in named(part)))


def renamed(written: Tree, new: Mapping[str, str]) -> Tree:
    """Give an exported tree with other ids in place of some."""
    if isinstance(written, str):
        return new.get(written, written)
    if len(written) < 2:
        return written
    return [written[0], *(renamed(part, new) for part in written[1:])]
