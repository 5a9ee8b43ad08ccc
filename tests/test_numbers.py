"""How numbers are shown: by one rule, rounded half up, and never as less than they are."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derivations.language.declare import Shown
from derivations.language.units import factor
from derivations.render.numbers import exact, rounded, shown
from tests.plain_reader import value_of

GOLDEN = """
value             unit    as          text
281.25            1       .1          281.3
281.35            1       .1          281.4
281.249           1       .1          281.2
-281.25           1       .1          −281.3
0.5               1       .0          0.5
2.5               1       .0          2.5
0                 1       .0          0
0                 byte    3           0
0                 ms      .2          0
7E10              byte    3           7.00E10
70001E6           byte    3           7.00E10
163840            byte    3           1.64E5
1.4336E14         flop    5           1.4336E14
9.995E9           byte    3           1.00E10
9.994E9           byte    3           9.99E9
99999             byte    3           99999
99999.6           byte    3           1.00E5
99999.4           byte    3           99999
100000            byte    3           1.00E5
1536              token   .0          1536
295.373134        token   .0          295
295.5             token   .0          296
9.996             token   .0          10.00
999.5             token   .0          1000
1.875             byte    .0          1.88
0.125             byte    .0          0.125
0.0128516608      ms      .2          12.85
0.0128516608      second  .2          0.0129
0.000012          ms      .2          0.0120
13.1601006592     second  .2          13.16
13.1601006592     ms      .2          13160.10
251658240         MB      .2          251.66
4.00E-10          second  .2          4.00E-10
4.00E-10          second  3           4.00E-10
-4.00E-10         second  3           −4.00E-10
0.0000123456      second  3           1.23E-5
0.000123456       second  3           0.000123
9.9999E-8         second  3           1.00E-7
12                1       .0          12
-12               1       .0          −12
1E20              token   .0          100000000000000000000
6.02214076E23     1       9           6.02214076E23
0.3333333333      1       1           0.3
"""


@pytest.mark.parametrize("row", GOLDEN.strip().splitlines()[1:])
def test_a_number_is_shown_as_in_the_table(row: str) -> None:
    value, unit, manner, text = row.split()

    assert shown(Fraction(value), shows(unit, manner)).text == text


def shows(unit: str, manner: str) -> Shown:
    """Read ``.2`` as two decimals, ``3`` as three significant digits."""
    if manner.startswith("."):
        return Shown(unit, decimals=int(manner[1:]))
    return Shown(unit, digits=int(manner))


def test_more_digits_are_the_next_ones() -> None:
    value = Fraction(3, 7)
    texts = [shown(value, Shown("1", decimals=2), more).text for more in range(5)]

    assert texts == ["0.429", "0.4286", "0.42857", "0.428571", "0.4285714"]


def test_an_exact_count_needs_no_more_digits() -> None:
    for more in range(5):
        assert shown(Fraction(64), Shown("sequence", decimals=0), more).text == "64"
        assert shown(Fraction(99999), Shown("byte", digits=3), more).text == "99999"


def test_a_float_stands_for_the_shortest_number_that_gives_it() -> None:
    assert exact(0.1) == Fraction(1, 10)
    assert exact(3.35e12) == 3_350_000_000_000
    assert exact(5e-324) == Fraction(5, 10**324)
    assert exact(2.0**53) == 2**53


# Any value, in any manner

values = st.one_of(
    st.fractions(max_denominator=10**6),
    st.builds(
        lambda digits, power: Fraction(digits) * Fraction(10) ** power,
        st.integers(-(10**6), 10**6),
        st.integers(-30, 30),
    ),
    st.floats(allow_nan=False, allow_infinity=False).map(exact),
)
manners = st.one_of(
    st.builds(Shown, st.just("1"), digits=st.integers(1, 9)),
    st.builds(Shown, st.just("1"), decimals=st.integers(0, 6)),
)


def last_digit_of(text: str) -> Fraction:
    """Give what one more in the last digit would add."""
    match = re.fullmatch(r"−?\d+(?:\.(\d+))?(?:E(-?\d+))?", text)
    assert match is not None, text
    return Fraction(10) ** (int(match[2] or 0) - len(match[1] or ""))


@given(values, manners, st.integers(0, 17))
def test_a_text_is_right_to_half_of_its_last_digit(value: Fraction, show: Shown, more: int) -> None:
    number = rounded(value, show, more)

    assert number.value == value_of(number.text)
    assert abs(number.value - value) <= last_digit_of(number.text) / 2


@given(values, manners, st.integers(0, 17))
def test_ties_go_away_from_zero_and_signs_mirror(value: Fraction, show: Shown, more: int) -> None:
    number, mirrored = rounded(value, show, more), rounded(-value, show, more)

    assert number.value == -mirrored.value
    assert number.text.removeprefix("−") == mirrored.text.removeprefix("−")
    if abs(number.value - value) == last_digit_of(number.text) / 2:
        assert abs(number.value) > abs(value)


@given(values, manners, st.integers(0, 5))
def test_a_rounded_number_keeps_three_digits_or_what_was_asked(
    value: Fraction, show: Shown, more: int
) -> None:
    number = rounded(value, show, more)
    digits = number.text.removeprefix("−").partition("E")[0].replace(".", "").lstrip("0")
    asked = show.digits if show.decimals is None else 3

    assert number.value == value or len(digits) >= asked + (more if show.decimals is None else 0)


@given(values, manners)
def test_only_zero_is_shown_as_zero(value: Fraction, show: Shown) -> None:
    assert (rounded(value, show).value == 0) == (value == 0)


@given(values, values, manners)
def test_a_larger_value_is_never_shown_as_a_smaller_one(
    one: Fraction, other: Fraction, show: Shown
) -> None:
    low, high = sorted((one, other))

    assert rounded(low, show).value <= rounded(high, show).value


@given(values, st.sampled_from(["ms", "GB", "GiB", "Tflop / s / accelerator"]))
def test_the_value_is_in_base_units_whatever_the_unit_shown(value: Fraction, unit: str) -> None:
    number = shown(value, Shown(unit, digits=4))

    assert number.value == value_of(number.text) * factor(unit)
