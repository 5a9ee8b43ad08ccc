"""How a number is shown: decimal digits, rounded half up, by one rule in every language."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from derivations.language.declare import Shown
from derivations.language.units import factor

LEAST_DIGITS = 3
"""A number that was rounded shows at least as many significant digits."""
WHOLE_UP_TO = 10**5
"""Significant digits are written as 1.64E5 from here on."""
MOST_DECIMALS = 6
"""Numbers that would need more decimals are written as 1.64E-7."""


@dataclass(frozen=True)
class Number:
    """The text of a number, and the exact value that a reader takes from it."""

    text: str
    value: Fraction


def exact(value: float) -> Fraction:
    """Give the shortest decimal number that stands for a float, exactly."""
    return Fraction(Decimal(repr(float(value))))


def shown(value: Fraction, show: Shown, more: int = 0) -> Number:
    """
    Show a value (in base units) in the unit of *show*, with *more* digits than it asks for.

    The `Number.value` is in base units, too: it is what the digits say.
    """
    scale = factor(show.unit)
    number = rounded(value / scale, show, more)
    return Number(number.text, number.value * scale)


def rounded(value: Fraction, show: Shown, more: int = 0) -> Number:
    """Show a value that is in the unit of *show* already."""
    if value == 0:
        return Number("0", value)
    size = abs(value)
    exponent = _exponent(size)
    if show.decimals is None:
        digits = show.digits + more
        if size >= WHOLE_UP_TO or digits - 1 - exponent > MOST_DECIMALS + more:
            return _scientific(value, digits)
        if value.denominator == 1:
            return _decimal(value, 0)
        found = _decimal(value, max(0, digits - 1 - exponent))
        return found if abs(found.value) < WHOLE_UP_TO else _scientific(value, digits)
    if value.denominator == 1 and show.decimals == 0:
        return _decimal(value, 0)
    decimals = max(show.decimals, LEAST_DIGITS - 1 - exponent) + more
    if decimals > MOST_DECIMALS + more:
        return _scientific(value, LEAST_DIGITS + more)
    if show.decimals == 0:
        decimals = min(decimals, _decimals_of(value, decimals))
    return _decimal(value, decimals)


def _exponent(size: Fraction) -> int:
    """Give the power of ten of the first digit: 3 for 1234, -2 for 0.05."""
    guess = len(str(size.numerator)) - len(str(size.denominator))
    return guess if size >= Fraction(10) ** guess else guess - 1


def _decimals_of(value: Fraction, most: int) -> int:
    """Give the decimals that write a value exactly, if they are no more than *most*."""
    return next((places for places in range(most) if (value * 10**places).denominator == 1), most)


def _half_up(value: Fraction) -> int:
    """Round to a whole number, ties away from zero."""
    whole = (abs(value).numerator * 2 + value.denominator) // (value.denominator * 2)
    return -whole if value < 0 else whole


def _decimal(value: Fraction, places: int) -> Number:
    units = _half_up(value * 10**places)
    digits = str(abs(units)).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return Number(_signed(units, text), Fraction(units, 10**places))


def _scientific(value: Fraction, digits: int) -> Number:
    exponent = _exponent(abs(value))
    units = _half_up(value * Fraction(10) ** (digits - 1 - exponent))
    if len(str(abs(units))) > digits:  # 9.995 was rounded to 10.00
        exponent += 1
        units = _half_up(value * Fraction(10) ** (digits - 1 - exponent))
    written = str(abs(units))
    mantissa = f"{written[0]}.{written[1:]}" if digits > 1 else written
    read = units * Fraction(10) ** (exponent - digits + 1)
    return Number(_signed(units, f"{mantissa}E{exponent}"), read)


def _signed(units: int, text: str) -> str:
    return f"−{text}" if units < 0 else text
