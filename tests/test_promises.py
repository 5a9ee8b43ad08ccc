"""What the book promises of every allowed configuration, in exact fractions: equal means equal."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
import sympy
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

import derivations as d
from derivations.book import BOOK
from derivations.evaluate.program import for_floats, javascript_source, outputs
from derivations.language.algebra import (
    Call,
    Comparison,
    Exact,
    Quantity,
    Sign,
    leaves,
    nodes,
    read,
)
from derivations.language.declare import (
    Bridge,
    Condition,
    Constant,
    Formula,
    relation_of,
)
from derivations.language.functions import Function, ceiling, floor, maximum, minimum
from derivations.language.meaning import symbol_of
from derivations.language.units import dimensions
from tests.configurations import (
    Choices,
    Exactly,
    Floats,
    at_the_threshold,
    choices,
    exact_givens,
    exactly_worked_out,
    float_givens,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

exact = given(exact_givens())

TIMES = [name for name, each in BOOK.formulas.items() if each.unit == "second"]
MEASURED = ("measured.output_rate", "measured.steps_rate")
"""They follow from what was measured, and not from what a machine could do."""
THROUGHPUTS = [
    name
    for name, each in BOOK.formulas.items()
    if each.unit.startswith("token / sec") and name not in MEASURED
]


def without_a_result(givens: Exactly) -> Exactly:
    """Take out what a configuration may lack."""
    lacking: dict[str, Any] = {name: math.nan for name, each in BOOK.givens.items() if each.lacking}
    return {**givens, **lacking}


@pytest.mark.parametrize("holds", [True, False])
@pytest.mark.parametrize("name", BOOK.conditions)
def test_the_drawn_configurations_meet_and_break_every_condition(name: str, holds: bool) -> None:
    first = settings(max_examples=500, phases=[Phase.generate])
    found = find(
        exact_givens() | exact_givens().map(without_a_result),
        lambda each: exactly_worked_out(each)[name] is holds,
        settings=first,
    )

    assert exactly_worked_out(found)[name] is holds


# The two bounds


@given(exact_givens() | at_the_threshold())
def test_prefill_is_compute_bound_exactly_from_the_threshold_on(givens: Exactly) -> None:
    values = exactly_worked_out(givens)
    long = givens["workload.input_length"] >= values["threshold.tokens"]

    assert values["prefill.compute_bound"] == long
    assert (values["prefill.compute_time"] >= values["prefill.memory_time"]) == long
    assert values["prefill.time"] == (
        values["prefill.compute_time"] if long else values["prefill.memory_time"]
    )


@given(at_the_threshold())
def test_at_the_threshold_a_prompt_takes_as_long_to_compute_as_the_weights_to_read(
    givens: Exactly,
) -> None:
    values = exactly_worked_out(givens)

    assert values["threshold.tokens"] == givens["workload.input_length"]
    assert values["prefill.compute_time"] == values["prefill.memory_time"]
    assert values["prefill.compute_bound"]


@exact
def test_a_step_is_never_shorter_than_either_bound(givens: Exactly) -> None:
    values = exactly_worked_out(givens)
    bounds = (values["decode.memory_time"], values["decode.compute_time"])

    assert values["decode.step_time"] in bounds
    assert all(values["decode.step_time"] >= bound for bound in bounds)


@exact
def test_decode_is_compute_bound_only_from_the_threshold_on(givens: Exactly) -> None:
    values = exactly_worked_out(givens)
    full = givens["workload.concurrency"] >= values["threshold.tokens"]

    assert full or not values["decode.compute_bound"]


# Chunked prefill


@exact
def test_every_prompt_token_rides_along_or_is_read_alone(givens: Exactly) -> None:
    values = exactly_worked_out(givens)
    prompts = givens["workload.concurrency"] * givens["workload.input_length"]
    overlapped = values["chunked.overlapped_tokens"]
    alone = values["chunked.non_overlapped_tokens"]

    assert 0 <= overlapped <= prompts
    assert 0 <= alone <= prompts
    assert overlapped + alone == prompts
    assert values["chunked.fully_overlapped"] == (alone == 0)
    assert values["chunked.never_overlapped"] == (overlapped == 0)


@exact
def test_chunked_prefill_is_never_slower(givens: Exactly) -> None:
    values = exactly_worked_out(givens)

    assert values["chunked.cycle_time"] <= values["sequential.cycle_time"]
    assert values["chunked.throughput"] >= values["sequential.throughput"]


@exact
def test_the_chunks_have_a_size_and_a_count_exactly_where_the_batch_leaves_room(
    givens: Exactly,
) -> None:
    values = exactly_worked_out(givens)
    room = values["threshold.tokens"] - givens["workload.concurrency"]
    size, count = values["chunked.chunk_size"], values["chunked.chunk_count"]

    assert size == room if room >= 0 else math.isnan(size)
    assert (
        count * room == (givens["workload.concurrency"] * givens["workload.input_length"])
        if room > 0
        else math.isnan(count)
    )


# What more of something does


def more_of(name: str) -> st.SearchStrategy[tuple[Exactly, Exactly]]:
    """Draw a configuration, and the same one with more of one given."""
    changed = BOOK.givens[name]
    added = st.integers(1, 10**6) if changed.whole else st.fractions(Fraction(1, 100), 100)

    def with_more(less: Exactly, added: Fraction) -> tuple[Exactly, Exactly]:
        now = less[name]
        return less, {**less, name: now + added if changed.whole else now * (1 + added)}

    return st.builds(with_more, exact_givens(), added)


@given(more_of("workload.concurrency"))
def test_latency_rises_with_concurrency(pair: tuple[Exactly, Exactly]) -> None:
    fewer, more = map(exactly_worked_out, pair)

    assert more["decode.step_time"] > fewer["decode.step_time"]
    assert more["latency.end_to_end"] > fewer["latency.end_to_end"]
    assert more["sequential.cycle_time"] > fewer["sequential.cycle_time"]
    assert more["chunked.cycle_time"] > fewer["chunked.cycle_time"]
    assert more["latency.time_to_first_token"] == fewer["latency.time_to_first_token"]


@given(more_of("workload.concurrency"))
def test_more_sequences_never_lower_the_throughput(pair: tuple[Exactly, Exactly]) -> None:
    fewer, more = map(exactly_worked_out, pair)

    assert all(more[name] >= fewer[name] for name in THROUGHPUTS)


@given(more_of("workload.input_length") | more_of("workload.output_length"))
def test_more_tokens_never_take_less_time(pair: tuple[Exactly, Exactly]) -> None:
    fewer, more = map(exactly_worked_out, pair)

    assert all(more[name] >= fewer[name] for name in TIMES if name != "chunked.prefill_time")


@given(more_of("workload.output_length"))
def test_a_longer_answer_takes_longer(pair: tuple[Exactly, Exactly]) -> None:
    shorter, longer = map(exactly_worked_out, pair)

    assert longer["latency.end_to_end"] > shorter["latency.end_to_end"]
    assert longer["sequential.cycle_time"] > shorter["sequential.cycle_time"]
    assert longer["chunked.cycle_time"] > shorter["chunked.cycle_time"]


@given(more_of("machine.compute_per_accelerator") | more_of("machine.accelerators"))
def test_more_compute_never_slows_anything(pair: tuple[Exactly, Exactly]) -> None:
    less, more = map(exactly_worked_out, pair)

    assert all(more[name] <= less[name] for name in TIMES)
    assert all(more[name] >= less[name] for name in THROUGHPUTS)


@given(more_of("machine.bandwidth_per_accelerator"))
def test_more_bandwidth_slows_nothing_but_the_prompts_that_find_less_room(
    pair: tuple[Exactly, Exactly],
) -> None:
    # Shorter steps have room for fewer prompt tokens. The cycle as a whole is not longer.
    less, more = map(exactly_worked_out, pair)

    assert all(more[name] <= less[name] for name in TIMES if name != "chunked.prefill_time")
    assert all(more[name] >= less[name] for name in THROUGHPUTS)
    assert more["chunked.non_overlapped_tokens"] >= less["chunked.non_overlapped_tokens"]


@exact
def test_twice_the_accelerators_halve_every_time_and_give_as_much_each(givens: Exactly) -> None:
    doubled = {**givens, "machine.accelerators": 2 * givens["machine.accelerators"]}
    once, twice = exactly_worked_out(givens), exactly_worked_out(doubled)

    assert all(2 * twice[name] == once[name] for name in TIMES)
    assert twice["sequential.per_accelerator"] == once["sequential.per_accelerator"]
    assert twice["chunked.per_accelerator"] == once["chunked.per_accelerator"]
    assert twice["threshold.tokens"] == once["threshold.tokens"]


# Units

FORMULAS = tuple(BOOK.formulas.values())
NUMBERED = {leaf for each in FORMULAS for leaf in leaves(each.body)} - set(BOOK.givens.values())
"""What stands in formulas beside the givens: constants and bridges have units, too."""

UNITS = sorted({name for each in BOOK.quantities.values() for name in dimensions(each.unit)})
IN_GIVENS_ONLY = [
    unit
    for unit in UNITS
    if not any(
        unit in dimensions(each.unit) for each in NUMBERED if isinstance(each, Constant | Bridge)
    )
]


def times(quantity: Quantity, unit: str, size: int) -> Fraction:
    """Give what a unit that is *size* times smaller does to the figure of a quantity."""
    return Fraction(size) ** dimensions(quantity.unit).get(unit, 0)


def in_smaller_units(givens: Exactly, unit: str, size: int) -> Callable[[Quantity], Fraction]:
    """Give the value of any quantity, worked out with everything in a smaller unit."""

    @cache
    def value(quantity: Quantity) -> Any:
        match quantity:
            case Formula(body=body):
                return read(body, Exact(value))
            case Constant(number):
                return number * times(quantity, unit, size)
            case Bridge():
                return times(quantity, unit, size)
        return givens[BOOK.id_of(quantity)] * times(quantity, unit, size)

    return value


@given(exact_givens(), st.sampled_from(UNITS), st.integers(2, 1000))
def test_a_smaller_unit_scales_every_figure_in_it_and_no_other(
    givens: Exactly, unit: str, size: int
) -> None:
    before = exactly_worked_out(givens)
    after = in_smaller_units(givens, unit, size)

    for name, formula in BOOK.formulas.items():
        if not math.isnan(before[name]) and unit not in counted_in_whole(formula):
            assert after(formula) == before[name] * times(formula, unit, size), name


@cache
def counted_in_whole(quantity: Quantity) -> frozenset[str]:
    """Give the units in which something below is rounded to whole ones: half ones are others."""
    if not isinstance(quantity, Formula):
        return frozenset()
    calls = (each for each in nodes(quantity.body) if isinstance(each, Call))
    rounds = any(each.function in (ceiling, floor) for each in calls)
    own = dimensions(quantity.unit) if rounds else ()
    return frozenset(own).union(*map(counted_in_whole, leaves(quantity.body)))


@given(float_givens(), st.sampled_from(IN_GIVENS_ONLY))
def test_half_a_unit_doubles_every_float_in_it_to_the_bit(givens: Floats, unit: str) -> None:
    def scaled(name: str, value: float) -> float:
        return value * float(times(BOOK.quantities[name], unit, 2))

    before = dict(zip(outputs(BOOK), in_floats(givens), strict=True))
    rescaled = {name: scaled(name, value) for name, value in givens.items()}
    after = dict(zip(outputs(BOOK), in_floats(rescaled), strict=True))

    assert all(bits(after[name]) == bits(scaled(name, before[name])) for name in BOOK.formulas)
    assert all(after[name] == before[name] for name in BOOK.conditions)


# One book, five ways to work it out

_float_program = cache(lambda: for_floats(BOOK))


def in_floats(givens: Floats) -> tuple[Any, ...]:
    results: tuple[Any, ...] = _float_program()(*givens.values())
    return results


def bits(value: float) -> bytes:
    """Give the bits of a float; all that is no number is the same."""
    return struct.pack(">d", math.nan if math.isnan(value) else value)


@given(st.lists(float_givens(), min_size=1, max_size=5))
def test_python_and_numpy_agree_to_the_bit(rows: list[Floats]) -> None:
    columns = {name: [row[name] for row in rows] for name in BOOK.givens}
    swept = d.sweep(givens=columns)

    for place, row in enumerate(rows):
        for name, value in zip(outputs(BOOK), in_floats(row), strict=True):
            assert bits(swept[name][place]) == bits(value), name


@given(choices())
def test_a_worksheet_and_a_sweep_of_one_agree_to_the_bit(chosen: Choices) -> None:
    sheet, swept = d.evaluate(**chosen), d.sweep(**chosen)

    for name, entry in BOOK.entries.items():
        match entry:
            case Condition():
                assert sheet.holds(entry) == swept[name][0], name
            case Formula() if sheet.has_value(entry):
                assert bits(sheet.value(entry)) == bits(swept[name][0]), name
            case Formula():
                assert math.isnan(swept[name][0]), name


@dataclass(frozen=True)
class Rounded:
    """A reading as an exact value, and how far floats may be from it after all their roundings."""

    leaf: Callable[[Quantity], tuple[Fraction, Fraction]]

    def number(self, value: int) -> Any:
        return Fraction(value), Fraction(0)

    def quantity(self, quantity: Quantity) -> Any:
        return self.leaf(quantity)

    def operation(self, sign: Sign, left: Any, right: Any) -> Any:
        (a, off_a), (b, off_b) = left, right
        match sign:
            case "+" | "-":
                value, off = (a + b if sign == "+" else a - b), off_a + off_b
            case "*":
                value, off = a * b, abs(a) * off_b + abs(b) * off_a + off_a * off_b
            case "/":
                if abs(b) <= off_b:
                    return math.nan, math.inf
                value, off = a / b, (off_a + abs(a / b) * off_b) / (abs(b) - off_b)
            case _:
                raise NotImplementedError(sign)
        return value, off + (abs(value) + off) * Fraction(1, 2**53)

    def negation(self, inner: Any) -> Any:
        return -inner[0], inner[1]

    def call(self, function: Function, arguments: tuple[Any, ...]) -> Any:
        off = max(off for _, off in arguments)
        if not off < math.inf:
            return math.nan, math.inf
        if function in (ceiling, floor):
            ((value, _),) = arguments
            low, here, high = (function.exact(value + each) for each in (-off, 0, off))
            return here, max(here - low, high - here)
        assert function in (maximum, minimum)
        return function.exact(*(value for value, _ in arguments)), off

    def choice(self, condition: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        holds, sure = condition
        return (then() if holds else otherwise()) if sure else (math.nan, math.inf)

    def relation(self, sign: Comparison, left: Any, right: Any) -> Any:
        """Give whether a relation holds, and whether floats are sure to find the same."""
        (a, off_a), (b, off_b) = left, right
        return Exact(lambda _: Fraction(0)).relation(sign, a, b), off_a + off_b < abs(a - b)


def with_room(givens: Floats) -> Callable[[Quantity], tuple[Any, Any]]:
    """Give the exact value of any quantity, and the room that floats have around it."""

    @cache
    def value(quantity: Quantity) -> Any:
        match quantity:
            case Formula(body=body):
                return read(body, Rounded(value))
            case Constant(number):
                return Fraction(number), Fraction(0)
            case Bridge():
                return Fraction(1), Fraction(0)
        return Fraction(givens[BOOK.id_of(quantity)]), Fraction(0)

    return value


def subtracts(quantity: Quantity) -> bool:
    """Tell whether a difference stands somewhere below, in which digits may cancel."""
    if not isinstance(quantity, Formula):
        return False
    signs = (getattr(each, "sign", "") for each in nodes(quantity.body))
    return "-" in signs or any(map(subtracts, leaves(quantity.body)))


@given(float_givens())
def test_floats_come_as_close_to_the_exact_values_as_their_roundings_allow(givens: Floats) -> None:
    exactly = exactly_worked_out({name: Fraction(value) for name, value in givens.items()})
    found = dict(zip(outputs(BOOK), in_floats(givens), strict=True))
    room = with_room(givens)

    for name, formula in BOOK.formulas.items():
        value, off = room(formula)
        if math.isnan(found[name]) or math.isnan(exactly[name]):
            sure = [read(relation_of(each), Rounded(room))[1] for each in formula.assuming]
            both = math.isnan(found[name]) and math.isnan(exactly[name])
            assert both or not all(sure), name
            continue
        if not off < math.inf:
            continue
        assert value == exactly[name], name
        assert abs(Fraction(found[name]) - value) <= off, name
        if not subtracts(formula) and not counted_in_whole(formula):
            assert abs(Fraction(found[name]) - value) <= value * Fraction(1, 10**14), name


@settings(max_examples=8)
@given(exact_givens())
def test_sympy_agrees_exactly(givens: Exactly) -> None:
    exactly = exactly_worked_out(givens)
    values = {
        symbol_of(each): sympy.Rational(givens[name].numerator, givens[name].denominator)
        for name, each in BOOK.givens.items()
    }

    for name, formula in BOOK.formulas.items():
        if not math.isnan(exactly[name]):
            found = formula.expression().xreplace(values)
            assert Fraction(int(found.p), int(found.q)) == exactly[name], name


def test_the_expression_over_the_named_quantities_keeps_their_names() -> None:
    formulas = BOOK.formulas
    compute, memory = (
        symbol_of(formulas[name]) for name in ("decode.compute_time", "decode.memory_time")
    )

    assert formulas["decode.step_time"].expr == sympy.Max(compute, memory)
    assert not {compute, memory} & formulas["decode.step_time"].expression().free_symbols


@pytest.fixture(scope="module")
def page(browser: Browser) -> Any:
    """Give a page on which `program` is the JavaScript twin of the book."""
    page = browser.new_page()
    page.evaluate(
        "async source => { window.program = "
        "(await import('data:text/javascript,' + encodeURIComponent(source))).program }",
        javascript_source(BOOK),
    )
    yield page
    page.close()


def test_javascript_agrees_with_python_to_the_bit(page: Page) -> None:
    @settings(max_examples=50)
    @given(st.lists(float_givens() | at_the_threshold().map(as_floats), min_size=1, max_size=20))
    def agree(rows: list[Floats]) -> None:
        answers = page.evaluate("rows => rows.map(row => window.program(row))", rows)

        for row, answer in zip(rows, answers, strict=True):
            assert list(answer) == list(outputs(BOOK))
            for name, value in zip(outputs(BOOK), in_floats(row), strict=True):
                assert type(answer[name]) is bool or bits(answer[name]) == bits(value), name
                assert type(answer[name]) is not bool or answer[name] is value, name

    agree()


def as_floats(givens: Exactly) -> Floats:
    return {name: float(value) for name, value in givens.items()}
