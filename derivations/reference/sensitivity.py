"""By how many percent a value moves where one of its inputs moves by one: its elasticities."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from derivations.evaluate import NoValue, Worksheet
from derivations.language.algebra import Quantity, leaves
from derivations.language.declare import Bridge, Constant, Formula, Given
from derivations.language.meaning import meaning, symbol_of


def elasticities(sheet: Worksheet, formula: Formula) -> dict[Given, float]:
    """
    Give the elasticity of a formula to each given that it comes down to, in a configuration.

    It is (x ÷ f) · ∂f/∂x, by sympy for each formula on the way, and by the chain rule from there to
    the givens. Where a maximum changes hands exactly here, it is that of the side which is taken.
    Givens that do not move it are left out. Empty where the formula has no value, or is zero.
    """
    return dict(_Chain(sheet).of(formula))


class _Chain:
    def __init__(self, sheet: Worksheet) -> None:
        self._sheet = sheet
        self._known: dict[Quantity, dict[Given, float]] = {}

    def of(self, quantity: Quantity) -> dict[Given, float]:
        if isinstance(quantity, Given):
            return {quantity: 1.0}
        if not isinstance(quantity, Formula):
            return {}
        if quantity not in self._known:
            self._known[quantity] = self._worked_out(quantity)
        return self._known[quantity]

    def _worked_out(self, formula: Formula) -> dict[Given, float]:
        found: dict[Given, float] = {}
        try:
            value = self._sheet.value(formula)
            at = {symbol_of(each): self._sheet.value(each) for each in _parts(formula)}
        except NoValue:
            return {}
        if value == 0:
            return {}
        for part in _parts(formula):
            slope = float(_derivative(formula, part).subs(at).evalf())
            own = slope * self._sheet.value(part) / value
            if own == 0 or math.isnan(own):
                continue
            for given, below in self.of(part).items():
                found[given] = found.get(given, 0.0) + own * below
        return {given: each for given, each in found.items() if abs(each) > 1e-12}


def _parts(formula: Formula) -> list[Quantity]:
    """Give the quantities of a body that have a value which may move."""
    return [
        each
        for each in dict.fromkeys(leaves(formula.body))
        if not isinstance(each, Constant | Bridge)
    ]


@cache
def _derivative(formula: Formula, part: Quantity) -> Any:
    """Give ∂f/∂x of a body in the quantities that it names. Steps of a ceiling do not count."""
    import sympy

    found = sympy.diff(meaning(formula.body), symbol_of(part))
    flat = found.replace(sympy.Derivative, lambda *_: sympy.Integer(0))
    flat = flat.replace(sympy.Subs, lambda *_: sympy.Integer(0))
    # Where both sides of a maximum are equal, its first side is the one that is taken.
    return flat.replace(sympy.Heaviside, lambda x, *_: sympy.Heaviside(x, 1))
