"""How a number is shown: decimal digits, rounded half up, by one rule in every language."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import lru_cache

from derivations.language.declare import Shown
from derivations.language.units import factor

LEAST_DIGITS = 3
"""A number that was rounded shows at least as many significant digits."""
WHOLE_UP_TO = 10**5
"""Significant digits are written as 1.64E5 from here on."""
MOST_DECIMALS = 6
"""Numbers that would need more decimals are written as 1.64E-7."""

_EXACTLY = Context(prec=400, rounding=ROUND_HALF_UP)
"""Far more digits than a float, or a product of a few of them, can have."""


@dataclass(frozen=True)
class Number:
    """The text of a number, and the exact value that a reader takes from it."""

    text: str
    value: Fraction


def exact(value: float) -> Fraction:
    """Give the shortest decimal number that stands for a float, exactly."""
    return Fraction(Decimal(repr(float(value))))


@lru_cache(maxsize=1 << 16)
def shown(value: Fraction, show: Shown, more: int = 0) -> Number:
    """
    Show a value (in base units) in the unit of *show*, with *more* digits than it asks for.

    The `Number.value` is in base units, too: it is what the digits say.
    """
    scale = factor(show.unit)
    if scale == 1:
        return rounded(value, show, more)
    number = rounded(value / scale, show, more)
    return Number(number.text, number.value * scale)


def rounded(value: Fraction, show: Shown, more: int = 0) -> Number:
    """Show a value that is in the unit of *show* already."""
    if not value:
        return Number("0", value)
    whole = value.denominator == 1
    number = _EXACTLY.divide(Decimal(value.numerator), Decimal(value.denominator))
    exponent = number.adjusted()
    if show.decimals is None:
        digits = show.digits + more
        if abs(number) >= WHOLE_UP_TO or digits - 1 - exponent > MOST_DECIMALS + more:
            return _scientific(number, digits)
        if whole:
            return _decimal(number, 0)
        found = _decimal(number, max(0, digits - 1 - exponent))
        return found if abs(found.value) < WHOLE_UP_TO else _scientific(number, digits)
    if whole and show.decimals == 0:
        return _decimal(number, 0)
    decimals = max(show.decimals, LEAST_DIGITS - 1 - exponent) + more
    if decimals > MOST_DECIMALS + more:
        return _scientific(number, LEAST_DIGITS + more)
    if show.decimals == 0:
        decimals = min(decimals, _decimals_of(number))
    return _decimal(number, decimals)


def _decimals_of(number: Decimal) -> int:
    """Give the decimals that write a number in full."""
    return max(0, -int(number.normalize(_EXACTLY).as_tuple().exponent))


def _decimal(number: Decimal, places: int) -> Number:
    kept = number.quantize(Decimal((0, (1,), -places)), context=_EXACTLY)
    return Number(_signed(kept, f"{kept.copy_abs():f}"), Fraction(kept))


def _scientific(number: Decimal, digits: int) -> Number:
    kept = _significant(number, digits)
    written = "".join(map(str, kept.as_tuple().digits))
    mantissa = f"{written[0]}.{written[1:]}" if digits > 1 else written
    return Number(_signed(kept, f"{mantissa}E{kept.adjusted()}"), Fraction(kept))


def _significant(number: Decimal, digits: int) -> Decimal:
    last = number.adjusted() - digits + 1
    kept = number.quantize(Decimal((0, (1,), last)), context=_EXACTLY)
    if kept.adjusted() > number.adjusted():  # 9.995 was rounded to 10.00
        kept = number.quantize(Decimal((0, (1,), last + 1)), context=_EXACTLY)
    return kept


def _signed(kept: Decimal, text: str) -> str:
    return f"−{text}" if kept < 0 else text
