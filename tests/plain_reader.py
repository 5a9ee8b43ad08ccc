"""
A reader of the plain notation that knows nothing of the language: text in, tree or number out.

It is written from what a person knows about formulas, so that it can judge what is printed. It
refuses what people read in two ways (``−x^2``, ``a^b^c``, a choice without brackets in a choice).

A tree is a tuple of a sign and what it joins, a symbol, or a number:
``("−", ("×", "B", "ISL"), Fraction(3))``. The signs are ``+ − × ÷ ^``, ``< ≤ > ≥ =``, ``negated``,
``if`` (condition, then, otherwise), and the names of functions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

Tree: TypeAlias = str | Fraction | tuple[Any, ...]

RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: bool(a < b),
    "≤": lambda a, b: bool(a <= b),
    ">": lambda a, b: bool(a > b),
    "≥": lambda a, b: bool(a >= b),
    "=": lambda a, b: bool(a == b),
}
SIGNS: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "−": lambda a, b: a - b,
    "×": lambda a, b: a * b,
    "÷": lambda a, b: a / b,
    "^": lambda a, b: a**b,
    "negated": lambda a: -a,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "max": max,
    "min": min,
    "ceil": lambda a: Fraction(math.ceil(a)),
    "floor": lambda a: Fraction(math.floor(a)),
    "sqrt": lambda a: Fraction(math.sqrt(a)),
    "exp": lambda a: Fraction(math.exp(a)),
    "log2": lambda a: Fraction(math.log2(a)),
}

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]+)?(?:E[−-]?[0-9]+)?)"
    r"|(?P<word>[A-Za-z]+[0-9]*(?:_[A-Za-z0-9]+)?)"
    r"|(?P<sign>[-+−×÷^<≤>≥=(),?:]))"
)


class Unreadable(ValueError):
    """A text that is no formula, or one that can be read in two ways."""


class Reader:
    """Reads one text from left to right. A method per level, from the loosest to the tightest."""

    functions: ClassVar[frozenset[str]] = frozenset(FUNCTIONS)

    def __init__(self, text: str, functions: frozenset[str] = frozenset()) -> None:
        self.text = text
        self.known = self.functions | functions
        self.tokens: list[tuple[str, str]] = []
        place = 0
        while text[place:].strip():
            match = _TOKEN.match(text, place)
            if match is None:
                raise Unreadable(f"{text[place:]!r} in {text!r}")
            self.tokens.append((str(match.lastgroup), match[str(match.lastgroup)]))
            place = match.end()
        self.tokens.append(("end", ""))

    def whole(self) -> Tree:
        """Read all of the text."""
        tree = self.relation_or_choice()
        if self.next != "":
            raise Unreadable(f"{self.next!r} follows a whole formula in {self.text!r}")
        return tree

    @property
    def next(self) -> str:
        return self.tokens[0][1]

    def take(self, *wanted: str) -> str:
        if wanted and self.next not in wanted:
            raise Unreadable(
                f"{self.next!r} where {' or '.join(wanted)} should be in {self.text!r}"
            )
        return self.tokens.pop(0)[1]

    def relation_or_choice(self) -> Tree:
        first = self.sum()
        if self.next in RELATIONS:
            return self.take(), first, self.sum()
        return self.choice(first)

    def choice(self, then: Tree) -> Tree:
        if self.next != "if":
            return then
        self.take("if")
        condition = self.relation()
        self.take(",")
        self.take("otherwise")
        return "if", condition, then, self.sum()

    def relation(self) -> Tree:
        left = self.sum()
        return self.take(*RELATIONS), left, self.sum()

    def sum(self) -> Tree:
        tree = self.product()
        while self.next in ("+", "−"):
            tree = self.take(), tree, self.product()
        return tree

    def product(self) -> Tree:
        tree = self.signed()
        while self.next in ("×", "÷"):
            tree = self.take(), tree, self.signed()
        return tree

    def signed(self) -> Tree:
        if self.next != "−":
            return self.power()
        self.take("−")
        inner = self.atom()
        if self.next == "^":
            raise Unreadable(f"a minus before a power can be read in two ways: {self.text!r}")
        return "negated", inner

    def power(self) -> Tree:
        tree = self.atom()
        if self.next != "^":
            return tree
        self.take("^")
        exponent = self.atom()
        if self.next == "^":
            raise Unreadable(f"a power of a power can be read in two ways: {self.text!r}")
        return "^", tree, exponent

    def atom(self) -> Tree:
        kind, text = self.tokens[0]
        self.take()
        if kind == "number":
            return Fraction(text.replace("−", "-"))
        if text == "(":
            inner = self.relation_or_choice()
            if isinstance(inner, tuple) and inner[0] in RELATIONS:
                raise Unreadable(f"a relation in brackets is no value: {self.text!r}")
            self.take(")")
            return inner
        if kind != "word" or text in ("if", "otherwise"):
            raise Unreadable(f"{text!r} where a value should be in {self.text!r}")
        return (text, *self.arguments()) if text in self.known else text

    def arguments(self) -> list[Tree]:
        self.take("(")
        found = [self.sum()]
        while self.take(",", ")") == ",":
            found.append(self.sum())
        return found


def tree_of(text: str, functions: frozenset[str] = frozenset()) -> Tree:
    """Read a formula or a relation. Raises `Unreadable`."""
    return Reader(text, functions).whole()


def sides_of(line: str) -> list[str]:
    """Cut a printed line at the signs of equality outside of all brackets."""
    sides, depth = [""], 0
    for sign in line:
        depth += (sign == "(") - (sign == ")")
        if sign == "=" and depth == 0:
            sides.append("")
        else:
            sides[-1] += sign
    return [side.strip() for side in sides]


def value_of(text: str) -> Fraction:
    """Work a text of numbers out exactly (functions that have no exact value, as floats)."""
    value = worked_out(tree_of(text))
    if isinstance(value, bool):
        raise Unreadable(f"{text!r} holds or not, it has no value")
    return Fraction(value)


def worked_out(tree: Tree) -> Any:
    """Work a tree out, only the branch that is taken of a choice."""
    match tree:
        case Fraction():
            return tree
        case str():
            raise Unreadable(f"{tree} is a symbol, not a number")
        case ("if", condition, then, otherwise):
            return worked_out(then if worked_out(condition) else otherwise)
        case (name, *inner):
            work = RELATIONS.get(name) or SIGNS.get(name) or FUNCTIONS[name]
            return work(*map(worked_out, inner))
    raise Unreadable(repr(tree))
