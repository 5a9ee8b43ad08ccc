"""Every worked line recomputes: a reader who redoes it gets what it prints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import derivations as d
from derivations.book import BOOK
from derivations.language.algebra import (
    Call,
    Choice,
    Exact,
    Negation,
    Operation,
    Quantity,
    Relation,
    Term,
    leaves,
    read,
    when,
)
from derivations.language.algebra import Number as Count
from derivations.language.declare import Bridge, Constant, Derivation, Formula, Given, Shown
from derivations.language.functions import ceiling, floor, maximum, minimum, positive_part
from derivations.language.units import dimensions, factor
from derivations.render.lines import Line
from derivations.render.numbers import exact
from derivations.render.workings import Workings
from tests.configurations import Choices, Floats, choices, float_givens
from tests.plain_reader import Tree, sides_of, tree_of, value_of, worked_out
from tests.terms import constant

DERIVATIONS = [each for each in BOOK.statements.values() if isinstance(each, Derivation)]
ARTICLE = BOOK.formulas["decode.bytes"].source


# Reading a line as a person does, who knows only what is printed and what it is about

RESULT = re.compile(r"(?P<digits>−?[0-9.]+(?:E-?[0-9]+)?)(?: (?P<unit>%|[A-Za-z][A-Za-z/ ]*))?")
SCALES = {
    "ms": Fraction(1, 1000),
    "ms per sequence": Fraction(1, 1000),
    "MB per sequence": Fraction(10**6),
    "%": Fraction(1, 100),
}
"""What stands behind a result and is no base unit."""


def parts_of(text: str) -> tuple[str, str, str, str]:
    """Cut a line into its left side, its result, what follows ≈, and the reasons in brackets."""
    *left, rest = sides_of(text)
    match = re.fullmatch(r"([^≈(]*?)(?: ≈ ([^(]*?))?(?: \((.*)\))?", rest)
    assert match is not None, rest
    result, second, reasons = match.groups("")
    assert len(left) < 2, text
    return "".join(left), result, second, reasons


def redone(left: str) -> Fraction:
    """Work a left side out, in seconds where it says seconds."""
    return value_of(re.sub(r"(?<=[0-9]) s\b(?: per \w+)?", "", left))


def agrees(value: Fraction, digits: str) -> bool:
    """Tell whether a value, rounded half up to the digits that are printed, gives just these."""
    match = re.fullmatch(r"−?[0-9]+(?:\.([0-9]+))?(?:E(-?[0-9]+))?", digits)
    assert match is not None, digits
    unit = Fraction(10) ** (int(match[2] or 0) - len(match[1] or ""))
    printed = value_of(digits)
    if printed == 0:
        return value == 0
    half_up = (abs(value) / unit * 2 + 1) // 2 * unit
    return printed == (half_up if value > 0 else -half_up)


def assert_recomputes(line: Line, show: Shown) -> None:
    """Redo a line by its text alone, and follow its ≈."""
    left, result, second, _ = parts_of(line.text())
    match = RESULT.fullmatch(result)
    assert match is not None, result
    scale = SCALES.get(match["unit"] or "", Fraction(1))
    assert scale == factor(show.unit), result
    if left:
        # Operands that measure what the result measures are printed in its unit.
        alike = any(dimensions(each.unit) == dimensions(show.unit) for each in line.operands)
        value = redone(left) / (1 if alike else scale)
        assert agrees(value, match["digits"]), line.text()
    if second:
        also = RESULT.fullmatch(second)
        assert also is not None, second
        seen = value_of(match["digits"]) * scale / SCALES.get(also["unit"] or "", Fraction(1))
        assert agrees(seen, also["digits"]), line.text()


SIGNS = {"+": "+", "-": "−", "*": "×", "/": "÷", "^": "^"}
COMPARISONS = {"<": "<", "<=": "≤", ">": ">", ">=": "≥", "==": "="}


def authored(node: Term | Relation, line: Line) -> Tree | None:
    """Give the tree that a line should read as: the authored one, with the digits it prints."""
    match node:
        case Bridge():
            return None
        case Quantity():
            digits = line.operands[node].digits
            bare = value_of(digits.removeprefix("−"))
            return ("negated", bare) if digits.startswith("−") else bare
        case Count(value):
            return Fraction(value)
        case Operation(sign, left, right):
            before, after = authored(left, line), authored(right, line)
            return before if after is None else (SIGNS[sign], before, after)
        case Relation(sign, left, right):
            return COMPARISONS[sign], authored(left, line), authored(right, line)
        case Negation(inner):
            return "negated", authored(inner, line)
        case Call(function, arguments):
            return (function.plain[:-4], *(authored(each, line) for each in arguments))
        case Choice(condition, then, otherwise):
            return "if", *(authored(each, line) for each in (condition, then, otherwise))
    raise AssertionError(node)


def assert_as_authored(line: Line) -> None:
    left = re.sub(r"(?<=[0-9]) s\b(?: per \w+)?", "", parts_of(line.text())[0])

    assert line.trivial or tree_of(left) == authored(line.term, line), line.text()


# Every line of the book


def sheets() -> st.SearchStrategy[d.Worksheet]:
    """Draw a worksheet of any allowed configuration, by choices or by givens."""

    def chosen(drawn: Choices) -> d.Worksheet:
        return d.evaluate(**drawn)

    def given_all(drawn: Floats) -> d.Worksheet:
        return d.evaluate(givens=drawn)

    return choices().map(chosen) | float_givens().map(given_all)


def lines_of(sheet: d.Worksheet) -> Iterator[tuple[str, Line, Shown]]:
    """Give every line that a worksheet has: of the formulas, and of the steps that lead to them."""
    workings = Workings(sheet)
    for name, formula in BOOK.formulas.items():
        if sheet.has_value(formula):
            yield name, workings.line(formula), formula.show
    for derivation in DERIVATIONS:
        if all(sheet.has_value(each) for each in formulas_in(derivation)):
            for line in workings.steps(derivation):
                yield BOOK.id_of(derivation), line, derivation.of.show


def formulas_in(derivation: Derivation) -> Iterator[Formula]:
    for step in derivation.steps:
        yield from (each for each in leaves(step) if isinstance(each, Formula))


@settings(max_examples=120)
@given(sheets())
def test_every_line_recomputes_from_its_own_digits(sheet: d.Worksheet) -> None:
    for _, line, show in lines_of(sheet):
        assert_recomputes(line, show)


@settings(max_examples=60)
@given(sheets())
def test_every_line_reads_as_it_was_authored(sheet: d.Worksheet) -> None:
    for _, line, _ in lines_of(sheet):
        assert_as_authored(line)


@settings(max_examples=60)
@given(sheets())
def test_the_printed_result_is_right_to_half_of_its_last_digit(sheet: d.Worksheet) -> None:
    workings = Workings(sheet)

    for name, formula in BOOK.formulas.items():
        if sheet.has_value(formula):
            value = exact(sheet.value(formula)) / factor(formula.show.unit)
            # A tie that the float misses may be rounded to the other side, as its line is.
            allowed = Fraction(1, 10**12) * abs(value)
            printed = value_of(workings.line(formula).result.digits)
            unit = last_digit(workings.line(formula).result.digits)
            assert abs(printed - value) <= unit / 2 + allowed, name


def last_digit(digits: str) -> Fraction:
    mantissa, _, power = digits.partition("E")
    return Fraction(10) ** (int(power or 0) - len(mantissa.partition(".")[2]))


@settings(max_examples=60)
@given(sheets())
def test_the_sides_of_a_condition_show_whether_it_holds(sheet: d.Worksheet) -> None:
    workings = Workings(sheet)

    for name, condition in BOOK.conditions.items():
        quantities = [
            each for each in leaves(condition.relation) if isinstance(each, Formula | Given)
        ]
        if all(map(sheet.has_value, quantities)):
            text = workings.sides(condition.relation).text()
            assert worked_out(tree_of(text)) == sheet.holds(condition), f"{name}: {text}"


def test_the_lines_of_the_default_configuration() -> None:
    golden = Path(__file__).with_name("golden") / "lines.txt"
    printed = [f"{name}: {line.text()}" for name, line, _ in lines_of(d.evaluate())]

    assert printed == golden.read_text(encoding="utf-8").splitlines()


def test_the_lines_of_the_article_are_printed() -> None:
    printed = {line.text() for _, line, _ in lines_of(d.evaluate())}

    assert "3.958E15 ÷ (6.70E12 ÷ 1) ÷ 2 = 295 tokens" in printed
    assert "1.4336E14 ÷ 3.958E15 = 36.22 ms" in printed
    assert "7.00E10 + 64 × 2.52E8 = 8.61E10 bytes" in printed
    assert "65536 ÷ 13.16 s = 4980 tokens/s" in printed


def test_a_line_that_is_one_quantity_prints_its_number_once() -> None:
    line = Workings(d.evaluate()).line(BOOK.formulas["latency.time_to_first_token"])

    assert line.text() == "36.22 ms"


def test_zero_keeps_its_unit() -> None:
    line = Workings(d.evaluate()).line(BOOK.formulas["chunked.non_overlapped_tokens"])

    assert line.text().endswith(" = 0 tokens")


def test_one_of_something_is_singular() -> None:
    workings = Workings(d.evaluate(concurrency=1, output_length=1, tensor_parallelism=1))

    assert workings.line(BOOK.formulas["cycle.output_tokens"]).text() == "1 × 1 = 1 token"
    assert workings.figure(BOOK.givens["machine.accelerators"]).text == "1 GPU"


def test_a_condition_that_hangs_by_a_fraction_shows_it() -> None:
    # 295.37 tokens is the threshold: 295 sequences leave room, 296 do not.
    room = BOOK.conditions["chunked.room"].relation
    sides = {
        batch: Workings(d.evaluate(concurrency=batch)).sides(room).text() for batch in (295, 296)
    }

    assert sides == {295: "295 ≤ 295", 296: "296 ≤ 295"}


# Lines that the book does not have yet


class Sheet:
    """A worksheet of any quantities, which knows the values of what is given."""

    def __init__(self, values: dict[Quantity, Fraction]) -> None:
        self._values = values

    def value(self, quantity: Quantity) -> float:
        match quantity:
            case Formula(body=body):
                return float(read(body, Exact(lambda each: exact(self.value(each)))))
            case Constant(number):
                return float(number)
        return float(self._values[quantity])


A, B, C = (
    Given(
        symbol=symbol,
        unit="token",
        title=symbol,
        says="It stands in a test.",
        show=Shown("token", decimals=0),
        least=Fraction(-(10**9)),
        most=Fraction(10**9),
    )
    for symbol in "ABC"
)
TWO = constant(2)


def line_of(body: Term, show: Shown, *values: float, also: Shown | None = None) -> Line:
    """Give the worked line of a body, with values for A, B and C."""
    formula = Formula(
        body, symbol="x", unit="token", title="x", says="It stands in a test.", source=ARTICLE,
        show=show, also=also,
    )  # fmt: skip
    sheet = Sheet({each: Fraction(value) for each, value in zip((A, B, C), values, strict=False)})
    return Workings(cast(d.Worksheet, sheet)).line(formula)


WHOLE = Shown("token", decimals=0)
THREE = Shown("token", digits=3)

OTHER_LINES: list[tuple[Any, Shown, tuple[float, ...], str]] = [
    (A**2, WHOLE, (12,), "12^2 = 144 tokens"),
    (A**2, THREE, (2.5e6,), "2500000^2 = 6.25E12 tokens"),
    (A**2, WHOLE, (-3,), "(−3)^2 = 9 tokens"),
    (A - B, WHOLE, (3, -4), "3 − (−4) = 7 tokens"),
    (A + B, WHOLE, (-3, -4), "(−3) + (−4) = −7 tokens"),
    (-A, WHOLE, (3,), "−3 = −3 tokens"),
    (-(A - B), WHOLE, (3, 5), "−(3 − 5) = 2 tokens"),
    (A - (B - C), WHOLE, (9, 5, 3), "9 − (5 − 3) = 7 tokens"),
    (A / (B * C), WHOLE, (12, 2, 3), "12 ÷ (2 × 3) = 2 tokens"),
    (A / B * C, WHOLE, (12, 2, 3), "12 ÷ 2 × 3 = 18 tokens"),
    (TWO * A, WHOLE, (5,), "2 × 5 = 10 tokens"),
    (A * 1, WHOLE, (5,), "5 × 1 = 5 tokens"),
    (ceiling(A / B), WHOLE, (7, 2), "ceil(7 ÷ 2) = 4 tokens"),
    (floor(A / B), WHOLE, (7, 2), "floor(7 ÷ 2) = 3 tokens"),
    (maximum(A, B, C), WHOLE, (7, 2, 9), "max(7, 2, 9) = 9 tokens"),
    (minimum(A, B - C), WHOLE, (7, 2, 9), "min(7, 2 − 9) = −7 tokens"),
    (positive_part(A - B), WHOLE, (2, 7), "max(0, 2 − 7) = 0 tokens"),
    (
        when(A <= B, A * C, B * C),
        WHOLE,
        (2, 3, 5),
        "(2 × 5 if 2 ≤ 3, otherwise 3 × 5) = 10 tokens (2 ≤ 3 holds)",
    ),
    (
        when(A > B, A * C, B * C),
        WHOLE,
        (2, 3, 5),
        "(2 × 5 if 2 > 3, otherwise 3 × 5) = 15 tokens (2 > 3 does not hold)",
    ),
    (
        C + when(A.equals(B), A, -B),
        WHOLE,
        (2, 3, 5),
        "5 + (2 if 2 = 3, otherwise −3) = 2 tokens (2 = 3 does not hold)",
    ),
    (
        when(A < B, when(B < C, A, B), C),
        WHOLE,
        (2, 3, -5),
        "((2 if 3 < −5, otherwise 3) if 2 < 3, otherwise −5) = 3 tokens"
        " (2 < 3 holds; 3 < −5 does not hold)",
    ),
]


@pytest.mark.parametrize(("body", "show", "values", "text"), OTHER_LINES)
def test_other_trees_are_worked_as_in_the_table(
    body: Term, show: Shown, values: tuple[float, ...], text: str
) -> None:
    line = line_of(body, show, *values)

    assert line.text() == text
    assert_recomputes(line, show)
    assert_as_authored(line)


def test_a_choice_shows_the_digits_that_it_hangs_by() -> None:
    # Rounded to whole tokens both would be 295, and the wrong branch would be taken.
    line = line_of(when(A <= B, C, C), WHOLE, 295.4, 295.3, 5)

    assert line.text() == "(5 if 295.4 ≤ 295, otherwise 5) = 5 tokens (295.4 ≤ 295 does not hold)"


def test_digits_are_added_only_where_the_result_needs_them() -> None:
    three = line_of(A * B + C, THREE, 295.373134, 1e6, 0.25)
    five = line_of(A * B + C, Shown("token", digits=5), 295.373134, 1e6, 0.25)

    assert three.text() == "295 × 1000000 + 0.25 = 2.95E8 tokens"
    assert five.text() == "295.37 × 1000000 + 0.25 = 2.9537E8 tokens"


def test_the_second_unit_follows_from_the_first_as_printed() -> None:
    also = Shown("token", decimals=2)
    line = line_of(A / B, WHOLE, 1000, 7, also=also)

    assert_recomputes(line, WHOLE)
    assert line.text() == "1000 ÷ 7 = 142.86 tokens ≈ 142.86 tokens"


quantities = st.sampled_from((A, B, C))


def trees() -> st.SearchStrategy[Term]:
    """Draw trees of all that has an exact value."""

    def grown(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
        compared = st.sampled_from(("<", "<=", ">", ">=", "=="))
        return st.one_of(
            st.builds(Operation, st.sampled_from(("+", "-", "*", "/")), inner, inner),
            st.builds(Operation, st.just("^"), inner, st.just(Count(2))),
            st.builds(Negation, inner),
            st.builds(lambda a, b: Call(maximum, (a, b)), inner, inner),
            st.builds(lambda a: Call(ceiling, (a,)), inner),
            st.builds(
                lambda sign, four: Choice(Relation(sign, *four[:2]), *four[2:]),
                compared,
                st.tuples(inner, inner, inner, inner),
            ),
        )

    return st.recursive(quantities | st.just(Count(3)) | st.just(TWO), grown, max_leaves=6)


drawn_values = st.one_of(
    st.integers(-3000, 3000).map(float),
    st.floats(-(10.0**9), 10.0**9).filter(lambda value: value == 0 or abs(value) > 1e-6),
)


@settings(max_examples=200)
@given(
    trees(),
    st.tuples(drawn_values, drawn_values, drawn_values),
    st.builds(Shown, st.just("token"), digits=st.integers(1, 6))
    | st.builds(Shown, st.just("token"), decimals=st.integers(0, 3)),
)
def test_any_tree_recomputes_and_reads_as_authored(
    body: Term, values: tuple[float, ...], show: Shown
) -> None:
    try:
        line = line_of(body, show, *values)
    except (ZeroDivisionError, OverflowError):
        return

    assert_recomputes(line, show)
    assert_as_authored(line)
