"""Whether every declaration says what it has to: symbols apart, sources there, names usable."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator

from derivations.check.fault import Fault
from derivations.language.algebra import Number, Operation, Quantity, Relation, Term, nodes, parts
from derivations.language.contents import Book, Entry, mentions, needs, trees
from derivations.language.declare import (
    SYMBOL,
    Approximation,
    Bridge,
    Condition,
    Constant,
    Crossing,
    Formula,
    Given,
    Premise,
    Source,
    Unknown,
    Work,
    relation_of,
)
from derivations.language.functions import FUNCTIONS
from derivations.language.notation.javascript import RESERVED
from derivations.language.notation.plain import symbols

_WORDS = {"if", "otherwise", *(each.plain.partition("(")[0] for each in FUNCTIONS)}
_PART = r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*"
_ID = re.compile(rf"{_PART}\.{_PART}")


def wording_faults(book: Book) -> Iterator[Fault]:
    """Give what is wrong with names, symbols, sources and the order of the book."""
    for first, second in book.same:
        yield Fault(second, f"it is the same thing as {first}; leave one of the names out")
    yield from _symbols(book)
    yield from _aliases(book)
    order = {entry: place for place, entry in enumerate(book.entries.values())}
    for identity, entry in book.entries.items():
        yield from _name(identity)
        yield from _text(identity, entry)
        yield from _order(book, identity, entry, order)
        yield from _bridges(identity, entry)
        yield from _unknowns(book, identity, entry)
        if isinstance(entry, Formula):
            yield from _premises(book, identity, entry)
            yield from _lacking(book, identity, entry)
        if isinstance(entry, Given) and not 0 <= entry.least <= entry.most > 0:
            yield Fault(
                identity,
                f"its least value is {entry.least} and its most {entry.most}; write "
                "0 ≤ least ≤ most, and 0 < most",
            )


def _name(identity: str) -> Iterator[Fault]:
    name = identity.rpartition(".")[2]
    if not _ID.fullmatch(identity):
        yield Fault(
            identity, "an id is made of small letters, digits and single _, such as decode.bytes"
        )
    elif keyword.iskeyword(name) or name in RESERVED:
        yield Fault(
            identity, f"{name!r} is a reserved word of Python or JavaScript; choose another name"
        )


def _symbols(book: Book) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    for identity, quantity in book.quantities.items():
        if isinstance(quantity, Constant | Bridge):
            continue
        if not SYMBOL.fullmatch(quantity.symbol):
            yield Fault(
                identity,
                f"{quantity.symbol!r} is no symbol; write a letter or a word and at most one "
                "subscript, such as t_step",
            )
        elif quantity.symbol in _WORDS:
            yield Fault(
                identity,
                f"its symbol {quantity.symbol!r} is a word of the notation; choose another",
            )
        elif quantity.symbol in seen:
            yield Fault(
                identity,
                f"its symbol {quantity.symbol} is already that of {seen[quantity.symbol]}; "
                "choose another",
            )
        seen.setdefault(quantity.symbol, identity)


def _aliases(book: Book) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    for identity, entry in book.entries.items():
        for former in getattr(entry, "formerly", ()):
            if not _ID.fullmatch(former):
                yield Fault(identity, f"its former id {former!r} is no id, such as decode.bytes")
            elif former in book.entries:
                yield Fault(
                    identity, f"its former id {former} is in use; a published id is never reused"
                )
            elif former in seen:
                yield Fault(identity, f"its former id {former} is also one of {seen[former]}")
            seen.setdefault(former, identity)


def _text(identity: str, entry: Entry) -> Iterator[Fault]:
    if not str(getattr(entry, "title", "")).strip():
        yield Fault(identity, "it has no title (title=)")
    if not str(getattr(entry, "says", "")).strip():
        yield Fault(identity, "it does not say why (says=)")
    if isinstance(entry, Given | Bridge | Condition | Unknown):
        return
    source = getattr(entry, "source", None)
    if not isinstance(source, Source):
        what = "a whole work" if isinstance(source, Work) else repr(source)
        yield Fault(identity, f"its source is {what}; name a place in a work: WORK.at('section')")
    elif not source.place.strip() or not source.work.title.strip():
        yield Fault(identity, "its source names no place; write WORK.at('section')")


def _order(book: Book, identity: str, entry: Entry, order: dict[Entry, int]) -> Iterator[Fault]:
    for need in dict.fromkeys((*needs(entry), *mentions(entry))):
        if need not in book:
            what = getattr(need, "title", repr(need))
            yield Fault(
                identity,
                f"it uses {what!r}, which no section of the book names; give it a name of its own, "
                "without a leading _",
            )
        elif order[need] > order[entry]:
            yield Fault(
                identity,
                f"it uses {book.id_of(need)}, which comes later in the book; declare it before",
            )


def _unknowns(book: Book, identity: str, entry: Entry) -> Iterator[Fault]:
    """An unknown stands in statements, where it may be anything; a formula has to have a value."""
    named = tuple(needs(entry))
    match entry:
        case Formula() | Condition():
            for need in named:
                if isinstance(need, Unknown):
                    yield Fault(
                        identity,
                        f"it uses {need.symbol}, an unknown, which never has a value; use a Given",
                    )
        case Crossing(unknown=unknown) if unknown not in named:
            yield Fault(
                identity,
                f"{symbols(entry.relation)} cannot be solved for {unknown.symbol}, which it does "
                "not name",
            )
        case Approximation(large=unknowns):
            if not unknowns:
                yield Fault(identity, "it does not say what grows (large=)")
            for unknown in unknowns:
                if unknown not in named:
                    yield Fault(
                        identity,
                        f"{unknown.symbol} grows (large=), but {symbols(entry.exact)} does not "
                        "name it",
                    )


def _bridges(identity: str, entry: Entry) -> Iterator[Fault]:
    for bridge in (each for tree in trees(entry) for each in _printed(tree)):
        yield Fault(
            identity,
            f"the bridge {bridge.title!r} is never printed, so it goes on the right of a × or a ÷",
        )


def _printed(node: Term | Relation) -> Iterator[Bridge]:
    """Give the bridges of a tree that stand elsewhere than on the right of a × or a ÷."""
    match node:
        case Bridge():
            yield node
        case Operation("*" | "/", left, Bridge()):
            yield from _printed(left)
        case _:
            for part in parts(node):
                yield from _printed(part)


def _premises(book: Book, identity: str, formula: Formula) -> Iterator[Fault]:
    """A formula that needs another with a premise has to state a premise of its own."""
    for need in needs_of_body(formula.body):
        if isinstance(need, Formula) and need.assuming and not formula.assuming:
            broken = symbols(relation_of(need.assuming[0]))
            name = book.id_of(need) if need in book else need.title
            yield Fault(
                identity,
                f"it uses {name}, which has a value only where {broken}; say so (assuming=)",
            )


def _lacking(book: Book, identity: str, formula: Formula) -> Iterator[Fault]:
    """A formula that comes down to what may be lacking has to state first that it is there."""
    lacking = next(_may_be_lacking(formula.body), None)
    if lacking is None or (formula.assuming and _is_there(formula.assuming[0])):
        return
    name = book.id_of(lacking) if lacking in book else lacking.title
    yield Fault(
        identity,
        f"it uses {name}, which a configuration may lack ({lacking.lacking}); let its first "
        f"premise be a condition that compares it, such as {lacking.symbol} > 0 (assuming=)",
    )


def _is_there(premise: Premise) -> bool:
    """Tell whether a premise is a condition on a given that may be lacking, and on nothing else."""
    if not isinstance(premise, Condition):
        return False
    relation = premise.relation
    return (
        relation.sign == ">"
        and isinstance(relation.left, Given)
        and bool(relation.left.lacking)
        and isinstance(relation.right, Number)
    )


def _may_be_lacking(term: Term) -> Iterator[Given]:
    """Give what may be lacking of all that a term comes down to."""
    for each in needs_of_body(term):
        if isinstance(each, Given) and each.lacking:
            yield each
        elif isinstance(each, Formula):
            yield from _may_be_lacking(each.body)


def needs_of_body(body: Term) -> Iterator[Quantity]:
    """Give the quantities that a body names, each once."""
    return iter(dict.fromkeys(node for node in nodes(body) if isinstance(node, Quantity)))
