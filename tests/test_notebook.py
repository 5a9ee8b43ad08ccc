"""Formulas as functions, and what a notebook shows of them and of worksheets."""

from __future__ import annotations

import copy
import inspect
import math
import pickle
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import pint
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from IPython.core.formatters import DisplayFormatter

import derivations as d
from derivations.book import BOOK, chunked, decode, machine, measured, memory
from derivations.configure import numbers
from derivations.evaluate.program import for_arrays, for_floats, outputs
from derivations.language.algebra import Call, Choice, Operation, Relation, nodes
from derivations.language.calling import name_of, named_by
from derivations.language.contents import Book, trees
from derivations.language.declare import Condition, Formula
from derivations.language.notation.latex import latex
from derivations.language.notation.plain import symbols
from derivations.language.units import UnitError, factor, registry, unit
from tests.configurations import Floats, float_givens
from tests.html_reader import parsed

CALLED: tuple[Formula | Condition, ...] = (*BOOK.formulas.values(), *BOOK.conditions.values())
ONE_ROW = 4

_floats = cache(lambda: for_floats(BOOK))
_arrays = cache(lambda: for_arrays(BOOK))


def worked_out(givens: Floats) -> dict[str, float]:
    """Give every given, formula and condition by id, NaN where there is no value."""
    return {**givens, **dict(zip(outputs(BOOK), _floats()(*givens.values()), strict=True))}


def arguments(thing: Formula | Condition, values: dict[str, Any]) -> dict[str, Any]:
    """Give what a formula names, by the shortest name."""
    return {name_of(thing, each): values[each.identity] for each in named_by(thing)}


def value_of(thing: Formula | Condition, **values: Any) -> float:
    """Call, and give NaN where there is no value."""
    try:
        return float(thing(**values))
    except d.NoValue:
        return math.nan


def same(one: Any, other: Any) -> bool:
    """Tell whether floats or arrays are the same to the bit, NaN included."""
    return np.array_equal(np.asarray(one, float), np.asarray(other, float), equal_nan=True)


# Values


@given(float_givens())
def test_a_call_with_what_a_formula_names_gives_what_evaluate_gives(givens: Floats) -> None:
    values = worked_out(givens)

    for thing in CALLED:
        assert same(value_of(thing, **arguments(thing, values)), values[thing.identity])


@given(float_givens())
def test_a_call_with_the_givens_gives_what_evaluate_gives(givens: Floats) -> None:
    values = worked_out(givens)

    for thing in CALLED:
        below = {each: givens[each] for each in givens if each in comes_down_to(thing)}
        assert same(value_of(thing, **below), values[thing.identity])


@cache
def comes_down_to(thing: Formula | Condition) -> frozenset[str]:
    found: set[str] = set()
    for each in named_by(thing):
        found |= comes_down_to(each) if isinstance(each, Formula) else {each.identity}
    return frozenset(found)


@given(float_givens(), st.data())
def test_values_may_be_given_anywhere_on_the_way_down(givens: Floats, data: st.DataObject) -> None:
    values = worked_out(givens)
    thing = data.draw(st.sampled_from(CALLED))
    asked: dict[str, float] = {}
    waiting = list(named_by(thing))
    while waiting:
        each = waiting.pop()
        if isinstance(each, Formula) and data.draw(st.booleans()):
            waiting.extend(named_by(each))
        else:
            asked[each.identity] = values[each.identity]
    needless = {name for name in asked if covered(thing, name, frozenset(asked))}

    result = value_of(thing, **{name: asked[name] for name in asked.keys() - needless})

    assert same(result, values[thing.identity])


def covered(thing: Formula | Condition, name: str, asked: frozenset[str]) -> bool:
    """Tell whether a value is not reached, because those above it are given."""
    waiting, met = list(named_by(thing)), set()
    while waiting:
        each = waiting.pop()
        met.add(each.identity)
        if isinstance(each, Formula) and each.identity not in asked:
            waiting.extend(named_by(each))
    return name not in met


@given(st.lists(float_givens(), min_size=2, max_size=ONE_ROW))
def test_arrays_give_what_floats_give_row_by_row(rows: list[Floats]) -> None:
    table = {name: np.array([each[name] for each in rows]) for name in BOOK.givens}
    with np.errstate(all="ignore"):
        swept = dict(zip(outputs(BOOK), _arrays()(*table.values()), strict=True))
    values = {**table, **swept}

    for thing in CALLED:
        named = {
            name: np.broadcast_to(each, len(rows))
            for name, each in arguments(thing, values).items()
        }
        found = thing(**named)
        single = [
            value_of(thing, **{name: float(each[row]) for name, each in named.items()})
            for row in range(len(rows))
        ]
        assert found.dtype == (np.bool_ if isinstance(thing, Condition) else np.float64)
        assert same(found, np.broadcast_to(swept[thing.identity], len(rows)))
        assert same(found, single)


@pytest.mark.parametrize("accelerator", ["h100", "b200"])
def test_a_call_gives_the_very_value_of_a_worksheet_and_a_sweep(accelerator: str) -> None:
    sheet = d.evaluate(accelerator=accelerator)
    users = np.arange(1.0, 500)
    swept = d.sweep(accelerator=accelerator, concurrency=users)
    givens = {each.identity: value for each, value in numbers(sheet.chosen).items()}

    for thing in BOOK.formulas.values():
        below = {name: givens[name] for name in comes_down_to(thing)}
        assert not sheet.has_value(thing) or thing(**below) == sheet.value(thing)
        if "workload.concurrency" in below and "measured" not in str(below):
            assert same(thing(**{**below, "workload.concurrency": users}), swept[thing.identity])


def test_arrays_broadcast_and_lists_and_ranges_are_arrays() -> None:
    grid = decode.memory_time(bytes=[1, 2, 3], bandwidth=np.array([[1], [2]]))

    assert grid.tolist() == [[1, 2, 3], [0.5, 1, 1.5]]
    assert decode.memory_time(bytes=range(2), bandwidth=4).tolist() == [0, 0.25]
    assert decode.memory_time(bytes=np.array(2), bandwidth=np.int64(4)) == 0.5
    assert decode.memory_time(bytes=np.array([]), bandwidth=4).shape == (0,)


def test_numbers_of_any_kind_give_a_float() -> None:
    for number in (1, 1.0, Fraction(1), np.float32(1), np.int8(1)):
        found = decode.memory_time(bytes=number, bandwidth=4)
        assert (type(found), found) == (float, 0.25)


def test_what_is_handed_in_is_neither_changed_nor_handed_back() -> None:
    lengths = np.array([1.0, 2.0])
    for thing in CALLED:
        handed = {name_of(thing, each): lengths for each in named_by(thing)}
        with np.errstate(all="ignore"):
            found = thing(**handed)
        assert not np.shares_memory(found, lengths)
        assert found.flags.writeable
    assert lengths.tolist() == [1, 2]


# Units


ODD = {
    "second": "ms",
    "byte": "GB",
    "flop": "Tflop",
    "token": "kilotoken",
    "parameter": "gigaparameter",
}
BINARY = {"byte": "KiB"}


@cache
def strangers() -> pint.UnitRegistry[Any]:
    """Give pint's own registry, in which somebody has defined what is counted here."""
    units: pint.UnitRegistry[Any] = pint.UnitRegistry()
    for name in "flop token sequence parameter value layer head accelerator".split():
        units.define(f"{name} = [{name}]")
    return units


def in_units(value: float, unit: str, spelled: dict[str, str], units: Any) -> Any:
    """Give a value in base units as a pint quantity, in other units."""
    parts = re.sub("[a-z]+", lambda match: spelled.get(match[0], match[0]), unit)
    found = units.Quantity(1.0, "dimensionless" if unit == "1" else parts)
    return found / found.m * (value / float(factor(parts)))


def only_products(thing: Formula | Condition) -> bool:
    """Tell whether small errors stay small: nothing is subtracted, compared or rounded."""
    every = [node for tree in trees(thing) for node in nodes(tree)]
    return not any(
        isinstance(each, Relation | Call | Choice)
        or (isinstance(each, Operation) and each.sign not in "*/")
        for each in every
    )


@given(float_givens(), st.booleans())
def test_quantities_in_other_units_agree_with_plain_numbers(givens: Floats, foreign: bool) -> None:
    values = worked_out(givens)
    units = strangers() if foreign else registry()

    for thing in CALLED:
        named = [(name_of(thing, each), each) for each in named_by(thing)]
        plain = {name: values[each.identity] for name, each in named}
        expected = value_of(thing, **plain)
        if math.isnan(expected):
            continue
        for spelled in (BINARY, ODD) if only_products(thing) else (BINARY,):
            found = thing(
                **{name: in_units(plain[name], each.unit, spelled, units) for name, each in named}
            )
            if isinstance(thing, Condition):
                assert found is bool(expected)
                continue
            exactly = spelled is BINARY
            assert found.magnitude == (expected if exactly else pytest.approx(expected, rel=1e-12))
            assert found.units == unit(thing.unit)


def test_a_quantity_may_stand_beside_plain_numbers_in_base_units() -> None:
    found = decode.memory_time(bytes=registry().Quantity(86, "GB"), bandwidth=8.6e12)

    assert f"{found.to('ms'):~P}" == "10.0 ms"


def test_an_array_may_have_a_unit() -> None:
    sizes = strangers().Quantity(np.array([43.0, 86.0]), "GB")
    found = decode.memory_time(bytes=sizes, bandwidth=8.6e12)

    assert found.to("ms").magnitude.tolist() == [5, 10]
    assert sizes.magnitude.tolist() == [43, 86]


def test_units_that_the_table_lacks_are_read_in_their_base_units() -> None:
    hourly = strangers().Quantity(3.6, "TB / hour")

    assert decode.memory_time(bytes=1e9, bandwidth=hourly).magnitude == 1


def test_a_worksheet_holds_what_a_call_takes() -> None:
    sheet = d.evaluate()
    found = decode.memory_time(
        **{each: sheet[each] for each in ("decode.bytes", "machine.bandwidth")}
    )

    assert found == sheet["decode.memory_time"]


@pytest.mark.parametrize(
    ("magnitude", "written", "message"),
    [
        (1, "s", "bandwidth is in second; it should be in byte / second"),
        (1, "GB", "bandwidth is in gigabyte; it should be in byte / second"),
        (1, "dimensionless", "bandwidth is a pure number; it should be in byte / second"),
        (1, "hour", "bandwidth is in hour; it should be in byte / second"),
        (1, "meter", "bandwidth should be in byte / second; there is no unit 'meter'"),
        (1, "byte ** 0.5", "bandwidth should be in byte / second; 'byte ** 0.5' has a power that "),
    ],
)
def test_a_wrong_dimension_is_named_with_the_right_one(
    magnitude: float, written: str, message: str
) -> None:
    with pytest.raises(UnitError) as problem:
        decode.memory_time(bytes=1, bandwidth=strangers().Quantity(magnitude, written))

    assert str(problem.value).startswith(message)


# What cannot be


class Hostile:
    def __repr__(self) -> str:
        return "<script>" * 1000


@pytest.mark.parametrize(
    ("thing", "values", "message"),
    [
        (decode.memory_time, {"bytes": 1},
         "decode.memory_time is missing bandwidth (byte / second); to work it out instead takes "
         "accelerators and bandwidth_per_accelerator"),
        (decode.memory_time, {"bytes": 1, "accelerators": 1},
         "decode.memory_time is missing bandwidth (byte / second); to work it out instead takes "
         "bandwidth_per_accelerator"),
        (decode.mean_length, {},
         "decode.mean_length is missing input_length (token / sequence) and output_length "),
        (decode.memory_time, {"bytes": 1, "bandwith": 1},
         "decode.memory_time takes no 'bandwith'; did you mean bandwidth?"),
        (decode.memory_time, {"bytes": 1, "W": 1},
         "decode.memory_time takes no 'W'; did you mean bandwidth?"),
        (decode.memory_time, {"zzzz": 1},
         "decode.memory_time takes no 'zzzz'; there is bytes and bandwidth"),
        (decode.memory_time, {"memory_time": 1}, "decode.memory_time takes no 'memory_time'; "),
        (decode.memory_time, {"x" * 10**6: 1}, "decode.memory_time takes no 'xxxx"),
        (decode.memory_time, {"bytes": 1, "bandwidth": 1, "machine.bandwidth": 2},
         "decode.memory_time got bandwidth twice, as 'bandwidth' and 'machine.bandwidth'"),
        (decode.memory_time, {"bytes": 1, "bandwidth": 1, "accelerators": 2},
         "decode.memory_time does not use accelerators beside bytes and bandwidth"),
        (measured.share_of_end_to_end, {"end_to_end": 1},
         "measured.share_of_end_to_end comes down to latency.end_to_end and measured.end_to_end, "
         'and \'end_to_end\' may be each of them; write **{"latency.end_to_end": …}'),
        *(
            (decode.memory_time, {"bytes": wrong, "bandwidth": 1}, f"bytes {message}")
            for wrong, message in [
                ("x", "is 'x'; it should be a number, an array of numbers or a pint quantity (by"),
                (None, "is None; it should be"),
                (True, "is True; it should be"),
                (1j, "is 1j; it should be"),
                ({1: 2}, "is {1: 2}; it should be"),
                (Hostile(), "is <script><scri"),
                (decode.bytes, "is <Formula deco"),
                (10**5000, "is larger than any float"),
                ([[1], [2, 3]], "is ragged; it should be"),
                (["1"], "should be an array of numbers, and of nothing else"),
                ([True], "should be an array of numbers, and of nothing else"),
                ([None], "should be an array of numbers, and of nothing else"),
                (np.ma.array([1, 2], mask=[False, True]), "should be an array of numbers, and of "),
                ([registry().Quantity(1, "byte")], "is a list of pint quantities; it should be "),
            ]
        ),
    ],
)  # fmt: skip
def test_what_a_formula_does_not_take_is_named_with_what_it_takes(
    thing: Formula, values: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError) as problem:
        thing(**values)

    assert str(problem.value).startswith(message)
    assert len(str(problem.value)) < 400


def test_values_go_by_name() -> None:
    with pytest.raises(TypeError, match=r"takes its values by name: bytes and bandwidth$"):
        decode.memory_time(1, 2)


def test_two_that_are_called_alike_go_by_their_ids() -> None:
    found = measured.share_of_end_to_end(
        **{"latency.end_to_end": 1, "measured.end_to_end": 4, "measured.total_rate": 1}
    )

    assert found == 0.25


def test_arrays_that_do_not_broadcast_are_named() -> None:
    message = r"do not broadcast: bytes is of shape \(2,\), bandwidth is of shape \(3,\)$"
    with pytest.raises(ValueError, match=message):
        decode.memory_time(bytes=[1, 2], bandwidth=[1, 2, 3])


def test_what_is_in_no_book_has_no_names() -> None:
    alone = replace(decode.weights, title="Alone")

    with pytest.raises(TypeError, match="'Alone' is in no book"):
        alone(parameters=1)
    assert "Alone: M, in byte" in str(alone.__doc__)
    assert repr(alone).startswith("<Formula: M = P × ")
    parsed(alone._repr_html_())


# Premises and conditions


def test_without_a_premise_a_float_is_refused_and_an_array_has_nan() -> None:
    message = (
        "chunked.chunk_size has no value here, because B ≤ T does not hold: "
        "the batch alone already exceeds the threshold, so there is no chunk"
    )
    for batch in (400, registry().Quantity(400, "sequence")):
        with pytest.raises(d.NoValue) as problem:
            chunked.chunk_size(tokens=300, concurrency=batch)
        assert str(problem.value) == message
    rows = chunked.chunk_size(tokens=300, concurrency=[100, 400])

    assert same(rows, [200, math.nan])


def test_nan_has_no_value_and_is_named() -> None:
    with pytest.raises(d.NoValue, match="no value here, because bytes is NaN"):
        decode.memory_time(bytes=math.nan, bandwidth=1)
    assert same(decode.memory_time(bytes=[math.nan, 1], bandwidth=1), [math.nan, 1])


def test_a_condition_gives_a_truth_or_an_array_of_truths() -> None:
    assert decode.compute_bound(compute_time=2, memory_time=1) is True
    assert decode.compute_bound(compute_time=registry().Quantity(1, "ms"), memory_time=1) is False
    rows = decode.compute_bound(compute_time=[1, 2, 3], memory_time=2)
    assert (rows.dtype, rows.tolist()) == (np.bool_, [False, True, True])


# What they say of themselves


@pytest.mark.parametrize("thing", CALLED, ids=lambda each: str(each.identity))
def test_a_formula_documents_itself_as_a_function(thing: Formula | Condition) -> None:
    text = str(thing.__doc__)
    signature = inspect.signature(thing)
    named = {name_of(thing, each): each.unit for each in named_by(thing)}

    assert thing.title in text
    assert thing.says in text
    assert symbols(thing.body if isinstance(thing, Formula) else thing.relation) in text
    for each in named_by(thing):
        assert re.search(rf"^    {name_of(thing, each)} +\S+ +{re.escape(each.unit)}  ", text, re.M)
    *parameters, _by_id = signature.parameters.values()
    assert {each.name: each.annotation for each in parameters} == {
        name: unit for name, unit in named.items() if "." not in name
    }
    assert all(each.kind is each.KEYWORD_ONLY for each in parameters)
    assert signature.return_annotation == (thing.unit if isinstance(thing, Formula) else bool)
    signature.bind(**named)


def test_the_classes_keep_their_own_words_and_signatures() -> None:
    assert str(Formula.__doc__).strip().startswith("A quantity that follows from others.")
    assert "body" in inspect.signature(Formula).parameters
    assert "relation" in inspect.signature(Condition).parameters


def test_help_says_what_a_formula_is() -> None:
    import pydoc

    text = pydoc.plain(pydoc.render_doc(decode.step_time))

    assert "<Formula decode.step_time: t_step = max(t_read, t_multiply), in second>" in text
    assert "    memory_time   t_read      second  Time to read a step" in text
    assert "Source: Fergus Finn" in text


def test_formulas_are_what_they_were() -> None:
    copied = copy.deepcopy(decode.weights)
    pickled = pickle.loads(pickle.dumps(decode.weights))

    assert decode.weights not in (copied, pickled)
    assert copied(parameters=2, weight_size=3) == pickled(parameters=2, weight_size=3) == 6
    assert isinstance(decode.step_time.expr, sympy.Max)
    assert hash(decode.weights) == object.__hash__(decode.weights)
    with pytest.raises(AttributeError):
        decode.weights.unit = "byte"  # type: ignore[misc]


def test_the_first_book_names_what_it_holds() -> None:
    assert all(BOOK.quantities[name].identity == name for name in BOOK.quantities)
    other = ModuleType("other")
    vars(other)["renamed"] = decode.weights

    assert Book([other]).id_of(decode.weights) == "other.renamed"
    assert decode.weights.identity == "decode.weights"


# In IPython


@cache
def formatter() -> DisplayFormatter:
    return DisplayFormatter()


def displayed(thing: Any) -> dict[str, str]:
    """Give what a notebook gets to show, by kind."""
    found, _ = formatter().format(thing)  # type: ignore[no-untyped-call]
    return dict(found)


@pytest.mark.parametrize(
    "thing", [*CALLED, *BOOK.givens.values()], ids=lambda each: str(each.identity)
)
def test_a_notebook_shows_every_formula_condition_and_given(thing: Any) -> None:
    shown = displayed(thing)
    body = parsed(shown["text/html"])
    text = " ".join("".join(body.itertext()).split())

    assert set(shown) == {"text/plain", "text/latex", "text/html"}
    assert shown["text/plain"] == repr(thing)
    assert "\n" not in repr(thing)
    assert shown["text/latex"].startswith("$$")
    assert shown["text/latex"].endswith("$$")
    assert thing.title in text
    assert thing.says in text
    assert thing.identity in text
    assert len(list(body.iter("math"))) == 1
    if isinstance(thing, Formula):
        assert latex(thing.body) in shown["text/latex"]


def test_a_worksheet_is_shown_with_its_configuration_and_every_value() -> None:
    sheet = d.evaluate()
    shown = displayed(sheet)
    body = parsed(shown["text/html"])
    rows = [["".join(cell.itertext()) for cell in row.iter("td")] for row in body.iter("tr")]
    values = {name: (value, title) for name, _, value, title in rows[1:]}

    assert shown["text/plain"] == (
        "Worksheet(accelerator='h100-sxm', model='llama-3-70b', precision='fp8', "
        "kv_precision='fp8', arithmetic='fp8', tensor_parallelism=2, input_length=1024, "
        "output_length=1024, concurrency=64)"
    )
    assert set(shown) == {"text/plain", "text/html"}
    assert list(values) == [*BOOK.givens, *BOOK.formulas]
    assert values["decode.step_time"] == ("12.85 ms", "Average decode time per step")
    first = "".join(next(body.iter("p")).itertext())
    assert first.startswith("accelerator h100-sxm, model llama-3-70b, precision fp8")
    assert "This fits into the memory." in "".join(body.itertext())


def test_a_worksheet_says_what_does_not_fit_has_no_value_or_was_set() -> None:
    sheet = d.evaluate(concurrency=1000, givens={"model.parameters": 1e12})
    shown = displayed(sheet)
    text = "".join(parsed(shown["text/html"]).itertext())

    assert not sheet.holds(memory.fits)
    assert "This does not fit: it needs " in text
    assert "Set by the caller, in place of the facts: model.parameters." in text
    assert "no value" in text
    assert shown["text/plain"].endswith(", givens={'model.parameters': 1000000000000.0})")


HOSTILE = '<script>alert("1")</script> & $x$ \'-->'


@pytest.mark.parametrize("thing", [chunked.chunk_size, decode.compute_bound, machine.accelerators])
def test_what_is_shown_is_escaped(thing: Any) -> None:
    words = {"title": HOSTILE, "says": HOSTILE}
    words |= {"unit": HOSTILE, "symbol": HOSTILE} if hasattr(thing, "unit") else {}
    words |= {"otherwise": HOSTILE} if isinstance(thing, Condition) else {}
    hostile = replace(thing, **words)
    body = parsed(displayed(hostile)["text/html"])

    assert not list(body.iter("script"))
    assert HOSTILE in "".join(body.itertext())


def test_a_worksheet_escapes_the_titles_of_the_book(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(decode.weights), "title", HOSTILE)
    body = parsed(displayed(d.evaluate())["text/html"])

    assert not list(body.iter("script"))
    assert HOSTILE in "".join(body.itertext())


@pytest.mark.parametrize(
    "first", ["from derivations.evaluate import evaluate", "from derivations import evaluate"]
)
def test_a_worksheet_shows_itself_whatever_was_imported(first: str) -> None:
    code = f"{first}\nprint(evaluate()._repr_html_()[:4])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (run.stdout, run.stderr) == ("<div\n", "")


def test_neither_calling_nor_showing_is_imported_before_it_is_needed() -> None:
    code = (
        "import sys, derivations.book, derivations\n"
        "late = 'calling describing shown running units'.split()\n"
        "print([each for each in late if f'derivations.language.{each}' in sys.modules],"
        " 'numpy' in sys.modules, 'pint' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (run.stdout, run.stderr) == ("[] False False\n", "")
