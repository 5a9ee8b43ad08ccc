"""Formulas that are called and that show themselves, as in a notebook."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from IPython.core.formatters import DisplayFormatter

import derivations as d
from derivations.book import BOOK, chunked, decode, memory, prefill
from derivations.evaluate.program import for_floats, outputs
from derivations.language.calling import NoValue, arguments
from derivations.language.declare import Formula
from derivations.language.units import UnitError, registry
from tests.configurations import float_givens
from tests.html_reader import parsed, text_of

PROGRAM = for_floats(BOOK)
SHEET = d.evaluate()


@given(float_givens())
@settings(max_examples=60)
def test_a_call_gives_what_the_program_of_the_book_gives(givens: dict[str, float]) -> None:
    """From what each formula names itself, bit for bit; where a premise is broken, no value."""
    values = {BOOK[name]: value for name, value in givens.items()}
    worked = dict(zip(outputs(BOOK), PROGRAM(*givens.values()), strict=True))
    values.update({BOOK[name]: value for name, value in worked.items()})
    for name, formula in BOOK.formulas.items():
        named = {each.symbol: values[each] for each in arguments(formula)}
        if any(math.isnan(each) for each in named.values()):
            continue
        try:
            assert formula(**named) == worked[name], name
        except NoValue:
            assert math.isnan(worked[name]), name


@given(float_givens())
@settings(max_examples=20)
def test_arrays_give_in_each_row_what_floats_give(givens: dict[str, float]) -> None:
    symbols = {BOOK.givens[name].symbol: value for name, value in givens.items()}
    rows = 3
    for formula in (chunked.per_accelerator, memory.needed, chunked.chunk_count):
        named = {
            name: value
            for name, value in symbols.items()
            if name in {each.symbol for each in below(formula)}
        }
        column = np.array([named["B"], 1.0, 2.0])
        found = formula(**{**named, "B": column})
        assert found.shape == (rows,)
        for place in range(rows):
            one = {**named, "B": column[place]}
            try:
                assert found[place] == formula(**one)
            except NoValue:
                assert math.isnan(found[place])


def below(formula: Formula) -> set[Any]:
    found = set()
    for each in arguments(formula):
        found.add(each)
        if isinstance(each, Formula):
            found |= below(each)
    return found


def test_a_formula_can_be_worked_out_from_further_down() -> None:
    givens = {BOOK.givens[name].symbol: SHEET.value(name) for name in BOOK.givens if name in SHEET}
    takes = {each.symbol for each in below(chunked.per_accelerator)}
    named = {name: value for name, value in givens.items() if name in takes}

    assert chunked.per_accelerator(**named) == SHEET.value("chunked.per_accelerator")
    assert decode.step_time(t_read=3, t_multiply=2) == 3.0


def test_quantities_with_units_give_one_with_a_unit() -> None:
    quantity = registry().Quantity
    found = decode.memory_time(Q=quantity(86.1, "GB"), W=quantity(6.7, "TB / s"))

    assert found.to("ms").magnitude == pytest.approx(86.1 / 6.7, rel=1e-12)
    assert decode.memory_time(Q=8.61e10, W=quantity(6.7, "TB / s")).units == found.units
    several = decode.memory_time(Q=quantity(np.array([1.0, 2.0]), "GB"), W=1e12)
    assert several.to("ms").magnitude == pytest.approx([1.0, 2.0])


def test_units_that_do_not_fit_are_refused() -> None:
    quantity = registry().Quantity

    with pytest.raises(UnitError, match=r"^Q is in second; it should be in byte$"):
        decode.memory_time(Q=quantity(1, "s"), W=1)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"t_red": 1}, r"^t_step is not made of anything called t_red; did you mean t_read\?$"),
        ({"xyzzy": 1}, "it takes t_read, t_multiply$"),
        ({"t_read": 1}, "^t_step lacks a value of B, P, TP, c$"),
        ({"t_read": "1", "t_multiply": 1}, "^t_read is '1'; it should be a number$"),
        ({"t_read": True, "t_multiply": 1}, "^t_read is True; it should be a number$"),
        ({"t_read": None, "t_multiply": 1}, "^t_read is None; it should be a number$"),
        ({"t_read": ["a"], "t_multiply": 1}, "^t_read should be an array of numbers$"),
    ],
)
def test_a_wrong_call_is_told(values: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        decode.step_time(**values)


def test_values_go_by_name() -> None:
    with pytest.raises(TypeError, match=r"^t_step takes its values by name: t_read, t_multiply$"):
        decode.step_time(1, 2)


def test_a_broken_premise_gives_no_value() -> None:
    with pytest.raises(NoValue, match="because B ≤ T does not hold"):
        chunked.chunk_size(T=10, B=20)
    assert np.isnan(chunked.chunk_size(T=10, B=np.array([5, 20]))).tolist() == [False, True]


@pytest.mark.parametrize("name", BOOK.formulas)
def test_help_says_what_it_is_and_what_it_takes(name: str) -> None:
    formula = BOOK.formulas[name]
    text = inspect.getdoc(formula)

    assert text is not None
    assert text.startswith(f"{formula.title}: {formula.symbol} = ")
    assert list(inspect.signature(formula).parameters) == [e.symbol for e in arguments(formula)]
    for each in arguments(formula):
        assert f"    {each.symbol}: " in text
    assert inspect.getdoc(Formula).startswith("A quantity that follows from others.")  # type: ignore[union-attr]


def displayed(thing: object) -> dict[str, str]:
    """Give what a notebook shows of something, by the kind of text."""
    shown, _ = DisplayFormatter().format(thing)  # type: ignore[no-untyped-call]
    return dict(shown)


@pytest.mark.parametrize("name", BOOK.formulas)
def test_a_formula_shows_itself(name: str) -> None:
    formula = BOOK.formulas[name]
    shown = displayed(formula)

    assert shown["text/latex"].startswith("$\\displaystyle ")
    page = parsed(shown["text/html"])
    assert formula.title in text_of(page)
    assert len(list(page.iter("math"))) == 1


def test_a_worksheet_shows_itself() -> None:
    shown = displayed(SHEET)
    page = parsed(shown["text/html"])
    rows = [[text_of(cell) for cell in row.iter("td")] for row in page.iter("tr")]
    by_id = {row[0]: row for row in rows if row}

    assert list(by_id) == [*BOOK.givens, *BOOK.formulas]
    assert by_id["decode.step_time"][1:4] == ["t_step", "0.0128517", "second"]
    assert by_id["decode.compute_bound_concurrency"][2] == "no value"
    assert "accelerator h100-sxm" in text_of(page)
    assert len(shown["text/plain"]) < 400


def test_hostile_titles_are_text() -> None:
    from dataclasses import replace

    hostile = replace(prefill.time, title="<script>alert(1)</script>", says='"&<b>')
    page = parsed(hostile._repr_html_())

    assert not list(page.iter("script"))
    assert "<script>alert(1)</script>" in text_of(page)
