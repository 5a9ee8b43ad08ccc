"""What all notations share: signs bind more or less strongly, and brackets show what was meant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from derivations.language.algebra import Comparison, Quantity, Relation, Sign, Term, read
from derivations.language.declare import Bridge, Constant
from derivations.language.functions import Function

OPEN, LOOSE, SUM, PRODUCT, POWER, ATOM = range(6)
"""How strongly a piece of text holds together.

A loose one (a negation) gets brackets as any operand, an open one (a choice) inside of anything.
"""

STRENGTH: dict[Sign, int] = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "^": POWER}


@dataclass(frozen=True)
class Written:
    """A piece of a formula in some notation. A bridge is written as nothing."""

    text: str
    strength: int = ATOM
    silent: bool = False
    flat: Written | None = None
    """The same without stacked fractions, where the text has any."""


SILENT = Written("", silent=True)
Leaf = Callable[[Quantity], Written]


@dataclass(frozen=True)
class Notation:
    """
    A reading that gives text. A notation sets the signs and overrides what it does differently.

    Brackets stand where the text would otherwise be read back as another tree.
    """

    leaf: Leaf

    signs: ClassVar[dict[Sign, str]]
    comparisons: ClassVar[dict[Comparison, str]]
    comma: ClassVar[str] = ", "

    def bracketed(self, text: str) -> str:
        return f"({text})"

    def number(self, value: int) -> Written:
        return Written(str(value))

    def quantity(self, quantity: Quantity) -> Written:
        match quantity:
            case Bridge():
                return SILENT
            case Constant(value):
                return self.constant(quantity, value)
        return self.leaf(quantity)

    def constant(self, quantity: Constant, value: int) -> Written:
        return self.leaf(quantity)

    def operation(self, sign: Sign, left: Written, right: Written) -> Written:
        if right.silent:
            return left
        mine = STRENGTH[sign]
        before = self.operand(left, stronger_than=mine if sign == "^" else mine - 1)
        after = self.operand(right, stronger_than=mine)
        return Written(self.joined(sign, before, after), mine)

    def operand(self, written: Written, *, stronger_than: int) -> str:
        loose = written.strength <= max(LOOSE, stronger_than)
        return self.bracketed(written.text) if loose else written.text

    def inside(self, written: Written) -> str:
        """Write an argument or a branch, which stands between other signs than operators."""
        return self.bracketed(written.text) if written.strength == OPEN else written.text

    def joined(self, sign: Sign, before: str, after: str) -> str:
        return f"{before}{self.signs[sign]}{after}"

    def negation(self, inner: Written) -> Written:
        return Written(self.signs["-"].strip() + self.operand(inner, stronger_than=POWER), LOOSE)

    def call(self, function: Function, arguments: tuple[Written, ...]) -> Written:
        inner = self.comma.join(self.inside(each) for each in arguments)
        return Written(self.spelling(function).replace("{}", inner))

    def spelling(self, function: Function) -> str:
        raise NotImplementedError

    def choice(
        self, condition: Written, then: Callable[[], Written], otherwise: Callable[[], Written]
    ) -> Written:
        raise NotImplementedError

    def relation(self, sign: Comparison, left: Written, right: Written) -> Written:
        text = f"{self.inside(left)}{self.comparisons[sign]}{self.inside(right)}"
        return Written(text, OPEN)

    def write(self, node: Term | Relation) -> str:
        """Write a tree in its authored order, with the brackets that it needs."""
        return read(node, self).text


class Stacked(Notation):
    """A notation in two dimensions: a division is a fraction, and a slash inside of one."""

    def fraction(self, above: str, below: str) -> str:
        raise NotImplementedError

    def operation(self, sign: Sign, left: Written, right: Written) -> Written:
        if right.silent:
            return left
        flat = super().operation(sign, left.flat or left, right.flat or right)
        if sign == "/":
            above, below = (left.flat or left).text, (right.flat or right).text
            return Written(self.fraction(above, below), POWER, flat=flat)
        return replace(super().operation(sign, left, right), flat=flat)

    def negation(self, inner: Written) -> Written:
        return replace(super().negation(inner), flat=super().negation(inner.flat or inner))

    def call(self, function: Function, arguments: tuple[Written, ...]) -> Written:
        flat = super().call(function, tuple(each.flat or each for each in arguments))
        return replace(super().call(function, arguments), flat=flat)
