"""Work a quantity out from the values of the givens, without a program for the whole book."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from derivations.language.algebra import Exact, Quantity, read
from derivations.language.declare import Bridge, Constant, Formula


def worked_out(
    quantity: Quantity, values: Mapping[Any, Any], number: Callable[[int], Any] = Fraction
) -> Any:
    """
    Give the value of a quantity, from the values of the givens below it.

    They are exact fractions, or floats or arrays where *number* makes such of a constant.
    Premises are not looked at. Raises `KeyError` for a given that has no value.
    """

    @cache
    def value(each: Quantity) -> Any:
        match each:
            case Formula(body=body):
                return read(body, Exact(value))
            case Constant(whole):
                return number(whole)
            case Bridge():
                return number(1)
        return values[each]

    return value(quantity)
