"""One configuration, or many: `derivations.evaluate` and `derivations.sweep`."""

from __future__ import annotations

import math
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import derivations as d
from derivations.book import BOOK, chunked
from derivations.configure import COUNTS
from derivations.language.contents import UnknownName
from derivations.language.units import dimensions
from tests.configurations import Choices, choices

# What the book is to give, by the article's default configuration

CONTRACT = """
machine.accelerators            accelerator                     2
machine.compute                 flop/second                     3.958E15
machine.bandwidth               byte/second                     6.7E12
threshold.tokens                token                           295.373
prefill.flops                   flop                            1.4336E14
prefill.compute_time            second                          36.2203E-3
prefill.memory_time             second                          10.4478E-3
prefill.time                    second                          36.2203E-3
decode.kv_per_token             byte/token                      163840
decode.mean_length              token/sequence                  1536
decode.kv_per_sequence          byte/sequence                   2.5166E8
decode.kv_total                 byte                            1.6106E10
decode.weights                  byte                            7E10
decode.bytes                    byte                            8.6106E10
decode.memory_time              second                          12.8517E-3
decode.compute_time             second                          2.2638E-3
decode.step_time                second                          12.8517E-3
latency.time_to_first_token     second                          36.2203E-3
latency.end_to_end              second                          13.19632
cycle.decode_time               second                          13.16010
cycle.output_tokens             token                           65536
sequential.prefill_time         second                          2.31810
sequential.cycle_time           second                          15.47820
sequential.throughput           token/second                    4234.08
sequential.per_accelerator      token/second/accelerator        2117.04
chunked.chunk_size              token                           231.373
chunked.overlapped_tokens       token                           65536
chunked.non_overlapped_tokens   token                           0
chunked.prefill_time            second                          0
chunked.cycle_time              second                          13.16010
chunked.throughput              token/second                    4979.90
chunked.per_accelerator         token/second/accelerator        2489.95
"""


@pytest.mark.parametrize("row", CONTRACT.strip().splitlines())
def test_a_promised_id_has_its_unit_and_the_value_of_the_article(row: str) -> None:
    identity, unit, figure = row.split()
    digits = len(figure.partition("E")[0].replace(".", "").rstrip("0"))
    sheet = d.evaluate()

    assert dimensions(BOOK.quantities[identity].unit) == dimensions(unit)
    assert sheet.value(identity) == pytest.approx(float(figure), rel=0.5 * 10 ** (1 - digits))
    assert sheet[identity].magnitude == sheet.value(identity)


def test_a_value_is_a_quantity_that_converts() -> None:
    sheet = d.evaluate()

    assert sheet["decode.step_time"].to("ms").magnitude == pytest.approx(12.8516608, rel=1e-15)
    assert str(sheet["decode.step_time"].units) == "second"
    assert sheet["decode.kv_per_sequence"].to("MB / sequence").magnitude == pytest.approx(251.65824)
    assert f"{sheet['prefill.time'].to('ms'):.2f~P}" == "36.22 ms"


def test_a_value_does_not_convert_to_another_kind() -> None:
    from pint import DimensionalityError

    with pytest.raises(DimensionalityError, match="token"):
        d.evaluate()["decode.kv_per_token"].to("byte")


def test_the_defaults_are_those_of_the_article() -> None:
    chosen = d.evaluate(
        accelerator="h100-sxm",
        model="llama-3-70b",
        precision="fp8",
        kv_precision="fp8",
        arithmetic="fp8",
        tensor_parallelism=2,
        input_length=1024,
        output_length=1024,
        concurrency=64,
    )

    assert {name: chosen.value(name) for name in chosen} == {
        name: d.evaluate().value(name) for name in d.evaluate()
    }


def test_an_alias_is_as_good_as_an_id() -> None:
    assert d.evaluate(accelerator="h100").chosen.resolved() == d.evaluate().chosen.resolved()


def test_the_cache_has_a_format_of_its_own() -> None:
    narrow, wide = d.evaluate(), d.evaluate(kv_precision="bf16")

    assert wide.value("decode.kv_per_token") == 2 * narrow.value("decode.kv_per_token")
    assert wide.value("decode.weights") == narrow.value("decode.weights")


def test_weights_that_are_only_stored_narrow_are_computed_wide() -> None:
    sheet = d.evaluate(accelerator="h100", precision="fp4", arithmetic="bf16")

    assert sheet.value("decode.weights") == 35e9
    assert sheet.value("machine.compute") == 2 * 989.5e12


# A worksheet


def test_a_worksheet_is_a_mapping_of_what_has_a_value() -> None:
    sheet = d.evaluate(concurrency=400)  # more than the threshold: there is no chunk
    everything = dict(sheet)

    assert list(everything) == list(sheet)
    assert len(everything) == len(sheet)
    assert "decode.step_time" in everything
    assert "workload.concurrency" in everything
    assert "chunked.chunk_size" not in sheet
    assert "decode.step" not in sheet
    assert sheet.get("decode.step") is None


def test_without_a_premise_there_is_no_value_and_it_is_said_why() -> None:
    sheet = d.evaluate(concurrency=400)
    message = (
        "chunked.chunk_size has no value here, because B ≤ T does not hold: "
        "the batch alone already exceeds the threshold, so there is no chunk"
    )

    with pytest.raises(d.NoValue) as problem:
        sheet.value("chunked.chunk_size")

    assert str(problem.value) == message
    assert not sheet.has_value(chunked.chunk_size)
    with pytest.raises(d.NoValue, match="has no value here"):
        sheet["chunked.chunk_size"]


def test_beyond_the_threshold_no_prompt_rides_along_and_none_is_counted_twice() -> None:
    sheet = d.evaluate(concurrency=1000)

    assert sheet.value("chunked.overlapped_tokens") == 0
    assert sheet.value("chunked.non_overlapped_tokens") == 1000 * 1024
    assert sheet.value("chunked.cycle_time") == sheet.value("sequential.cycle_time")
    assert math.isnan(d.sweep(concurrency=1000)["chunked.chunk_size"][0])


@pytest.mark.parametrize(
    ("identity", "message"),
    [
        (
            "decode.step_tim",
            "there is nothing called 'decode.step_tim' in the book; did you mean "
            "decode.step_time or decode.compute_time or decode.memory_time?",
        ),
        ("threshold.inputs", "threshold.inputs has no value with a unit of its own"),
        ("chunked.room", "chunked.room has no value with a unit of its own"),
    ],
)
def test_what_is_no_quantity_is_a_missing_key_with_a_hint(identity: str, message: str) -> None:
    with pytest.raises(KeyError) as problem:
        d.evaluate()[identity]

    assert str(problem.value) == message
    assert isinstance(problem.value, UnknownName)


# Choices that cannot be

HINT = "; there is accelerator, model, precision, kv_precision, arithmetic, tensor_parallelism, "
WRONG_CHOICES: list[tuple[Choices, str]] = [
    ({"accelerator": "h10"}, "there is no accelerator 'h10'; did you mean h100 "),
    ({"model": "llama"}, "there is no model 'llama'; did you mean "),
    ({"precision": "fp9"}, "there is no precision 'fp9'; did you mean "),
    ({"kv_precision": "int9"}, "there is no precision 'int9'"),
    ({"kv_precision": ""}, "there is no precision ''; there is "),
    ({"accelerator": None}, "accelerator is None; it should be the id of one"),
    ({"accelerator": ["h100"]}, "accelerator is ['h100']; it should be the id of one"),
    ({"accelerator": "../../etc/passwd"}, "there is no accelerator '../../etc/passwd'; "),
    ({"accelerator": "<script>"}, "there is no accelerator '<script>'; "),
    ({"accelerator": "h100\n"}, "there is no accelerator 'h100\\n'; did you mean h100"),
    ({"accelerator": "h\x00100"}, "there is no accelerator 'h\\x00100'; "),
    ({"accelerator": "x" * 10**6}, f"there is no accelerator '{'x' * 79}…; there is "),
    (
        {"precision": "fp4"},
        "NVIDIA H100 SXM has no 'fp4' arithmetic; it has bf16, fp8. Weights that are only stored "
        "in fp4 need the type to compute in (arithmetic)",
    ),
    ({"arithmetic": "fp4"}, "NVIDIA H100 SXM has no 'fp4' arithmetic; it has bf16, fp8"),
    ({"arithmetic": ""}, "NVIDIA H100 SXM has no '' arithmetic; it has bf16, fp8"),
    ({"arithmetic": ["fp8"]}, "NVIDIA H100 SXM has no ['fp8'] arithmetic; it has bf16, fp8"),
    ({"kv_precison": "fp8"}, "there is no choice 'kv_precison'; did you mean kv_precision "),
    ({"gpu": "h100"}, "there is no choice 'gpu'" + HINT),
    ({"a\nb": 1}, "there is no choice 'a\\nb'" + HINT),
]
BOUNDS = {name: f"a whole number from 1 to {int(each.most)}" for name, each in COUNTS.items()}
WRONG_COUNTS: list[tuple[Any, str]] = [
    (0, "0; it should be {}"),
    (-1, "-1; it should be {}"),
    (10**12, "1000000000000; it should be {}"),
    (10**400, f"1{'0' * 79}…; it should be {{}}"),
    (10**5000, "a very long int; it should be {}"),
    (1.5, "1.5; it should be a whole number"),
    (64.0, "64.0; it should be a whole number"),
    (math.nan, "nan; it should be a whole number"),
    (math.inf, "inf; it should be a whole number"),
    (True, "True; it should be a whole number"),
    ("64", "'64'; it should be a whole number"),
    ("<script>", "'<script>'; it should be a whole number"),
    (None, "None; it should be a whole number"),
    (np.array([1, 2]), "array([1, 2]); it should be a whole number"),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG_CHOICES)
def test_a_choice_that_cannot_be_is_named_with_what_can_be(wrong: Choices, message: str) -> None:
    with pytest.raises(d.ChoiceError) as problem:
        d.evaluate(**wrong)

    assert str(problem.value).startswith(message)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize(
    ("value", "message"), WRONG_COUNTS, ids=[message[:15] for _, message in WRONG_COUNTS]
)
def test_a_count_that_cannot_be_is_named_with_what_can_be(
    name: str, value: Any, message: str
) -> None:
    with pytest.raises(d.ChoiceError) as problem:
        d.evaluate(**{name: value})

    assert str(problem.value) == f"{name} is {message.format(BOUNDS[name])}"


def test_a_count_may_come_from_numpy() -> None:
    assert d.evaluate(concurrency=np.int64(5)).value("workload.concurrency") == 5


# Givens in place of facts


@pytest.mark.parametrize("value", [13e9, 13 * 10**9, Fraction(13 * 10**9), np.float64(13e9)])
def test_a_given_takes_the_place_of_a_fact(value: Any) -> None:
    sheet = d.evaluate(givens={"model.parameters": value})

    assert sheet.value("decode.weights") == 13e9
    assert BOOK.givens["model.parameters"] in sheet.overridden
    assert BOOK.givens["model.parameters"] not in sheet.data()


@pytest.mark.parametrize(
    ("givens", "message"),
    [
        (
            {"model.paramters": 1e9},
            "there is no given 'model.paramters'; did you mean model.parameters or ",
        ),
        ({"decode.step_time": 1}, "there is no given 'decode.step_time'; "),
        ({5: 1}, "there is no given 5; there is machine.accelerators, "),
        ({"model.parameters": "7e10"}, "model.parameters is '7e10'; it should be a number"),
        ({"model.parameters": True}, "model.parameters is True; it should be a number"),
        ({"model.parameters": None}, "model.parameters is None; it should be a number"),
        ({"model.parameters": 1j}, "model.parameters is 1j; it should be a number"),
        (
            {"model.parameters": Decimal(7)},
            "model.parameters is Decimal('7'); it should be a number",
        ),
        (
            {"model.parameters": math.nan},
            "model.parameters is nan; it should be from 100000 to 1e+14 parameter",
        ),
        (
            {"model.parameters": math.inf},
            "model.parameters is inf; it should be from 100000 to 1e+14 parameter",
        ),
        ({"model.parameters": 0}, "model.parameters is 0; it should be from 100000 to 1e+14 par"),
        ({"model.parameters": 10**400}, f"model.parameters is 1{'0' * 79}…; it should be from "),
        (
            {"model.parameters": 1500000.5},
            "model.parameters is 1500000.5; it should be a whole number",
        ),
        (
            {"machine.bandwidth_per_accelerator": -1},
            "machine.bandwidth_per_accelerator is -1; it should be from 1e+08 to 1e+16 "
            "byte / second / accelerator",
        ),
    ],
)
def test_a_given_that_cannot_be_is_named_with_what_can_be(
    givens: dict[str, Any], message: str
) -> None:
    for ask in (d.evaluate, d.sweep):
        with pytest.raises(d.ChoiceError) as problem:
            ask(givens=givens)

        assert str(problem.value).startswith(message)


# Many configurations


def test_arrays_give_an_array_for_every_formula_and_condition() -> None:
    swept = d.sweep(concurrency=np.array([1, 64, 400]))

    assert set(swept) == {*BOOK.formulas, *BOOK.conditions}
    assert all(each.shape == (3,) and each.dtype == np.float64 for each in swept.values())
    assert swept["chunked.room"].tolist() == [1, 1, 0]
    assert np.isnan(swept["chunked.chunk_size"]).tolist() == [False, False, True]


@pytest.mark.parametrize("make", [list, tuple, np.array, lambda each: range(1, 4)])
def test_lists_and_ranges_are_arrays_too(make: Any) -> None:
    swept = d.sweep(concurrency=make([1, 2, 3]))

    assert swept["cycle.output_tokens"].tolist() == [1024, 2048, 3072]


def test_arrays_broadcast_against_single_values_and_arrays_of_one() -> None:
    swept = d.sweep(
        concurrency=[1, 2],
        input_length=[10],
        output_length=7,
        givens={"model.weight_size": [1, 2]},
    )

    assert swept["cycle.output_tokens"].tolist() == [7, 14]
    assert swept["decode.weights"].tolist() == [70e9, 140e9]


def test_whole_numbers_do_not_overflow() -> None:
    most = np.array([10**6], dtype=np.int64)
    length = np.array([10**8], dtype=np.int32)
    swept = d.sweep(concurrency=most, input_length=length, output_length=length)

    assert swept["prefill.flops"][0] == 1e8 * 2 * 70e9
    assert all((swept[name] > 0).all() for name in ("decode.bytes", "cycle.output_tokens"))


@pytest.mark.parametrize("rows", [8191, 8192, 8193])
def test_the_blocks_of_a_long_sweep_leave_no_seam(rows: int) -> None:
    batch = np.arange(1, rows + 1)
    swept = d.sweep(concurrency=batch)

    assert np.array_equal(swept["cycle.output_tokens"], batch * 1024.0)


def test_no_rows_give_no_values() -> None:
    swept = d.sweep(concurrency=[])

    assert all(each.shape == (0,) for each in swept.values())


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"concurrency": [1, 2], "input_length": [1, 2, 3]},
            "the arrays are not of one length: workload.concurrency has 2, "
            "workload.input_length has 3",
        ),
        (
            {"concurrency": [1, 2], "input_length": []},
            "the arrays are not of one length: workload.concurrency has 2, "
            "workload.input_length has 0",
        ),
        ({"concurrency": [[1, 2]]}, "concurrency has 2 dimensions; it should have one"),
        ({"concurrency": np.array(5)}, "concurrency has 0 dimensions; it should have one"),
        (
            {"concurrency": [[1], [2, 3]]},
            "concurrency should be an array of numbers, in one dimension",
        ),
        (
            {"concurrency": [1, 0]},
            "concurrency has 0 in it; it should have whole numbers from 1 to 1e+06 sequence",
        ),
        (
            {"concurrency": [1, 2.5]},
            "concurrency has 2.5 in it; it should have whole numbers from 1 to 1e+06 sequence",
        ),
        (
            {"concurrency": [1, math.nan]},
            "concurrency has nan in it; it should have whole numbers from 1 to 1e+06 sequence",
        ),
        (
            {"concurrency": [1, math.inf]},
            "concurrency has inf in it; it should have whole numbers from 1 to 1e+06 sequence",
        ),
        (
            {"givens": {"model.weight_size": [1, -1]}},
            "model.weight_size has -1 in it; it should have numbers from 0.125 to 8 "
            "byte / parameter",
        ),
        *(
            (
                {"concurrency": each},
                "concurrency should be an array of numbers, and of nothing else",
            )
            for each in (
                ["64"],
                [None],
                [True],
                [10**400],
                [1j],
                {"a": 1},
                np.array(["2020-01-01"], dtype="M8[D]"),
                np.ma.array([1, 2], mask=[False, True]),
            )
        ),
        ({"accelerator": ["h100", "b200"]}, "accelerator is ['h100', 'b200']; it should be the "),
        ({"gpus": [1, 2]}, "there is no choice 'gpus'; "),
    ],
)
def test_an_array_that_cannot_be_is_named_with_what_can_be(wrong: Any, message: str) -> None:
    with pytest.raises(d.ChoiceError) as problem:
        d.sweep(**wrong)

    assert str(problem.value).startswith(message)


@given(choices())
def test_every_allowed_configuration_evaluates_to_finite_values(chosen: Choices) -> None:
    sheet = d.evaluate(**chosen)

    assert all(0 <= sheet.value(name) < math.inf for name in sheet)


# The package


@pytest.mark.parametrize("first", ["", "import derivations.evaluate", "import derivations.cli"])
def test_the_function_is_there_whatever_was_imported_first(first: str) -> None:
    # The room and its function have one name; the import of the room must not hide the function.
    code = f"{first}\nimport derivations as d\nd.evaluate()\nd.evaluate(concurrency=1)\nd.sweep()"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (run.returncode, run.stderr) == (0, "")


def test_what_the_package_offers_is_there_and_nothing_else_is() -> None:
    assert {name for name in d.__all__ if hasattr(d, name)} == set(d.__all__)
    assert set(d.__all__) <= set(dir(d))
    with pytest.raises(AttributeError, match="has no attribute 'evalute'"):
        d.evalute  # noqa: B018
