"""Arithmetic that remembers the order, the division signs and the brackets of its author."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NoReturn, Protocol, TypeAlias, TypeVar

Sign: TypeAlias = Literal["+", "-", "*", "/", "^"]
Comparison: TypeAlias = Literal["<", "<=", ">", ">=", "=="]
T = TypeVar("T")


class NotATerm(TypeError):
    """Something that has no unit, or no meaning, was put into a formula."""


class Term:
    """
    Anything that may stand in a formula.

    Signs between terms build a tree. Only whole numbers may join in bare, and only
    on the right, where they are pure counts such as the 2 of a halving.
    """

    def __add__(self, other: Term | int) -> Operation:
        return Operation("+", self, as_term(other))

    def __sub__(self, other: Term | int) -> Operation:
        return Operation("-", self, as_term(other))

    def __mul__(self, other: Term | int) -> Operation:
        return Operation("*", self, as_term(other))

    def __truediv__(self, other: Term | int) -> Operation:
        return Operation("/", self, as_term(other))

    def __pow__(self, other: Term | int) -> Operation:
        return Operation("^", self, as_term(other))

    def __neg__(self) -> Negation:
        return Negation(self)

    def __lt__(self, other: Term | int) -> Relation:
        return Relation("<", self, as_term(other))

    def __le__(self, other: Term | int) -> Relation:
        return Relation("<=", self, as_term(other))

    def __gt__(self, other: Term | int) -> Relation:
        return Relation(">", self, as_term(other))

    def __ge__(self, other: Term | int) -> Relation:
        return Relation(">=", self, as_term(other))

    def equals(self, other: Term | int) -> Relation:
        """Give the relation of two equal terms (``==`` still compares identities)."""
        return Relation("==", self, as_term(other))

    def _refuse_bare_number(self, other: object) -> NoReturn:
        raise NotATerm(
            f"{other!r} stands bare before a quantity; a number with a meaning is a Constant "
            "with a unit and a reason, and a pure count goes after the quantity"
        )

    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rpow__ = _refuse_bare_number


@dataclass(frozen=True, eq=False)
class Number(Term):
    """A bare count, such as the 2 of a halving. It has no unit."""

    value: int


@dataclass(frozen=True, eq=False)
class Operation(Term):
    """Two terms and the sign between them."""

    sign: Sign
    left: Term
    right: Term


@dataclass(frozen=True, eq=False)
class Negation(Term):
    """A term with its sign turned."""

    inner: Term


@dataclass(frozen=True, eq=False)
class Call(Term):
    """A function of the table (`language.functions`) and what it is applied to."""

    function: Any  # a row of the table, which is built on terms itself
    arguments: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class Choice(Term):
    """One of two terms, by a condition."""

    condition: Relation
    then: Term
    otherwise: Term


@dataclass(frozen=True, eq=False)
class Relation:
    """Two terms in one unit, and how they compare. It holds or not, per configuration."""

    sign: Comparison
    left: Term
    right: Term

    def __bool__(self) -> bool:
        raise NotATerm(
            "a relation has no truth of its own, it has one in each configuration; "
            "use when(condition, then, otherwise), and write a ≤ b ≤ c as two relations"
        )


class Named:
    """What has an id of its own: the first book that it is put into gives it one."""

    identity: str = ""


class Quantity(Term, Named):
    """A leaf: the one kind of term that has a symbol and a unit of its own."""

    symbol: str
    unit: str


def as_term(value: object) -> Term:
    """
    Give a term as it is, and a whole number as a pure count.

    A negative count is a negated one, so that every notation brackets it like any negation.
    Raises `NotATerm` for anything else: a float would be a number without a meaning.
    """
    if isinstance(value, Term):
        return value
    if isinstance(value, Relation):
        raise NotATerm("a relation is no value; use when(condition, then, otherwise)")
    if isinstance(value, int) and not isinstance(value, bool):
        return Number(value) if value >= 0 else Negation(Number(-value))
    if isinstance(value, float):
        raise NotATerm(
            f"{value!r} is a bare decimal; a number with a meaning is a Given or a Constant, with "
            "a unit and a reason, and a half is a division by 2"
        )
    raise NotATerm(f"{value!r} cannot stand in a formula; only terms and whole numbers can")


def when(condition: Relation, then: Term | int, otherwise: Term | int) -> Choice:
    """Give *then* where the condition holds, and *otherwise* where it does not."""
    if not isinstance(condition, Relation):
        raise NotATerm(
            f"{condition!r} is not a condition; compare two terms with <, <=, > or >=, or write "
            "left.equals(right)"
        )
    return Choice(condition, as_term(then), as_term(otherwise))


class Reading(Protocol[T]):
    """One meaning of a tree: a value, a unit, a text. Each kind of node has its method."""

    def number(self, value: int) -> T: ...
    def quantity(self, quantity: Quantity) -> T: ...
    def operation(self, sign: Sign, left: T, right: T) -> T: ...
    def negation(self, inner: T) -> T: ...
    def call(self, function: Any, arguments: tuple[T, ...]) -> T: ...
    def choice(self, condition: T, then: Callable[[], T], otherwise: Callable[[], T]) -> T: ...
    def relation(self, sign: Comparison, left: T, right: T) -> T: ...


def read(node: Term | Relation, reading: Reading[T]) -> T:
    """Read a tree from its leaves up. A choice reads a branch only when it is asked to."""
    match node:
        case Quantity():
            return reading.quantity(node)
        case Number(value):
            return reading.number(value)
        case Operation(sign, left, right):
            return reading.operation(sign, read(left, reading), read(right, reading))
        case Negation(inner):
            return reading.negation(read(inner, reading))
        case Call(function, arguments):
            return reading.call(function, tuple(read(each, reading) for each in arguments))
        case Choice(condition, then, otherwise):
            return reading.choice(
                read(condition, reading),
                lambda: read(then, reading),
                lambda: read(otherwise, reading),
            )
        case Relation(sign, left, right):
            return reading.relation(sign, read(left, reading), read(right, reading))
    raise NotATerm(f"{node!r} is no part of a formula")


def parts(node: Term | Relation) -> tuple[Term | Relation, ...]:
    """Give the nodes right below a node, in the order in which they are written."""
    match node:
        case Operation(_, left, right) | Relation(_, left, right):
            return left, right
        case Negation(inner):
            return (inner,)
        case Call(_, arguments):
            return arguments
        case Choice(condition, then, otherwise):
            return condition, then, otherwise
    return ()


def nodes(node: Term | Relation) -> Iterator[Term | Relation]:
    """Walk a tree: a node first, then what stands below it, in the order of writing."""
    yield node
    for part in parts(node):
        yield from nodes(part)


def leaves(node: Term | Relation) -> Iterator[Quantity]:
    """Walk the quantities of a tree in the order in which they are written."""
    return (each for each in nodes(node) if isinstance(each, Quantity))


_COMPARE: dict[Comparison, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: bool(a < b),
    "<=": lambda a, b: bool(a <= b),
    ">": lambda a, b: bool(a > b),
    ">=": lambda a, b: bool(a >= b),
    "==": lambda a, b: bool(a == b),
}
_OPERATE: dict[Sign, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": lambda a, b: a**b,
}


@dataclass(frozen=True)
class Exact:
    """
    The exact value of a tree, from the exact values of its leaves.

    Functions that have no exact value (exp, log2) are worked out in floats.
    """

    leaf: Callable[[Quantity], Fraction]

    def number(self, value: int) -> Any:
        return Fraction(value)

    def quantity(self, quantity: Quantity) -> Any:
        return self.leaf(quantity)

    def operation(self, sign: Sign, left: Any, right: Any) -> Any:
        return _OPERATE[sign](left, right)

    def negation(self, inner: Any) -> Any:
        return -inner

    def call(self, function: Any, arguments: tuple[Any, ...]) -> Any:
        return function.exact(*arguments)

    def choice(self, condition: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        return then() if condition else otherwise()

    def relation(self, sign: Comparison, left: Any, right: Any) -> Any:
        return _COMPARE[sign](left, right)
