"""Random configurations within what the givens allow, in exact fractions."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

from derivations.language.algebra import Exact, Quantity, Relation, Term, read
from derivations.language.declare import Bridge, Constant, Formula, Given, Premise, relation_of
from derivations.language.notation.plain import symbols


class NoValue(ArithmeticError):
    """A formula was asked for a value in a configuration where it has none."""


_NO_VALUE = (ArithmeticError, ValueError)
"""What Python raises for a division by zero, a number too large, the root of −1."""


class Sample:
    """One configuration, in which every quantity of a tree is worked out once, exactly."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self.values: dict[Quantity, Fraction] = {}

    def value(self, node: Term | Relation) -> Any:
        """Give the exact value of a tree, or the truth of a relation. May raise `NoValue`."""
        return read(node, Exact(self._leaf))

    def holds(self, premise: Premise) -> bool:
        """Tell whether a premise holds; where one of its quantities has no value, it does not."""
        try:
            return bool(self.value(relation_of(premise)))
        except _NO_VALUE:
            return False

    def _leaf(self, quantity: Quantity) -> Fraction:
        if quantity not in self.values:
            self.values[quantity] = self._work_out(quantity)
        return self.values[quantity]

    def _work_out(self, quantity: Quantity) -> Any:
        match quantity:
            case Constant(value):
                return Fraction(value)
            case Bridge():
                return Fraction(1)
            case Given():
                return draw(self._dice, quantity)
            case Formula():
                for premise in quantity.assuming:
                    if not self.holds(premise):
                        broken = symbols(relation_of(premise))
                        raise NoValue(f"{quantity.symbol} has a value only where {broken}")
                return self.value(quantity.body)
        return Fraction(self._dice.randint(1, 10**4))


def draw(dice: random.Random, given: Given) -> Fraction:
    """
    Draw a value of a given: all orders of magnitude between its bounds are as likely.

    What may be zero is zero half of the time.
    """
    if given.least == 0 and dice.random() < 0.5:
        return Fraction(0)
    least, low, high = _range(given)
    # Half of the draws stay near the lower end, where most real configurations are.
    exponent = math.floor(dice.uniform(low, high if dice.random() < 0.5 else min(high, low + 12)))
    parts = dice.randint(256, 511)  # in 256ths of a power of two
    if given.whole:
        whole = parts << exponent >> 8 if exponent >= 0 else 1
        return Fraction(min(max(whole, int(least)), int(given.most)))
    power = exponent - 8
    value = Fraction(parts << power) if power >= 0 else Fraction(parts, 1 << -power)
    return min(max(value, least), given.most)


@cache
def _range(given: Given) -> tuple[Fraction, float, float]:
    """Give the least value that is not zero, and the binary logarithms of it and of the most."""
    least = given.least or (Fraction(1) if given.whole else given.most / 2**40)
    return least, math.log2(least), math.log2(given.most)


def samples(seed: str) -> Iterator[Sample]:
    """Give configurations without end, the same ones for the same seed."""
    dice = random.Random(seed)
    while True:
        yield Sample(dice)


def counterexample(
    seed: str, wanted: int, tries: int, under: tuple[Premise, ...], fails: Callable[[Sample], bool]
) -> tuple[Sample | None, int]:
    """
    Look for a sample that meets the premises and fails.

    Gives it (or None), and how many samples met the premises. A sample in which something has
    no value (a broken premise, a division by zero, the root of −1) counts for nothing.
    """
    met = 0
    for sample in islice(samples(seed), tries):
        if not all(sample.holds(each) for each in under):
            continue
        try:
            if fails(sample):
                return sample, met
        except _NO_VALUE:
            continue
        met += 1
        if met == wanted:
            break
    return None, met
