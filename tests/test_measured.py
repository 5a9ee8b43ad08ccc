"""Measured results against the limits: each where it belongs, and none above without a reason."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

import derivations as d
from derivations.book import BOOK, latency, measured
from derivations.catalogue import Result, results
from derivations.configure import configuration, nearest
from derivations.evaluate import Worksheet, by_engine
from derivations.render.engines import MOST_ENGINES
from tests.html_reader import EXTENSIONS, html_of, page_of, parsed, text_of


@cache
def held_against() -> list[tuple[Result, Worksheet]]:
    """Give every result, and the worksheet of its configuration that holds it."""
    return [
        (each, sheet)
        for each in results()
        for sheet in by_engine(configuration(**each.choices))
        if sheet.result is each
    ]


def test_every_result_is_held_against_its_configuration() -> None:
    assert [result for result, _ in held_against()] == list(results())
    for result, sheet in held_against():
        assert sheet.value(measured.total_rate) == float(result.total_rate)
        assert sheet.data()[measured.total_rate] is result.figures["total_tokens_per_s_per_gpu"]


def test_the_default_configuration_reaches_the_share_that_the_article_names() -> None:
    sheet = d.evaluate()

    assert round(sheet.value(measured.share_by_steps) * 100, 2) == 44.26
    assert round(sheet.value(measured.share_of_chunked) * 100, 2) == 42.72
    assert round(sheet.value(measured.steps_rate)) == 1102
    assert sheet.value(measured.time_per_output_token) == 0.0290358


def test_of_several_engines_the_one_that_puts_out_most_is_taken() -> None:
    counts: Counter[int] = Counter()
    for result, _ in held_against():
        chosen = configuration(**result.choices)
        sheets = by_engine(chosen)
        rates = [sheet.value(measured.output_rate) for sheet in sheets]
        counts[len(sheets)] += 1

        assert rates == sorted(rates, reverse=True)
        assert d.evaluate(**result.choices).value(measured.output_rate) == rates[0]

    assert counts == {1: 321, 2: 360}
    assert max(counts) == MOST_ENGINES


@pytest.mark.parametrize(
    "other",
    [
        {"concurrency": 63},
        {"input_length": 1025},
        {"tensor_parallelism": 3},
        {"kv_precision": "bf16"},
        {"arithmetic": "bf16"},
        {"accelerator": "h100-nvl"},
        {"model": "llama-3.1-8b"},
        {"givens": {"model.parameters": 7e10}},
    ],
)
def test_another_configuration_has_no_result(other: dict[str, Any]) -> None:
    sheet = d.evaluate(**other)

    assert not sheet.holds(measured.there_is_a_result)
    assert not sheet.has_value(measured.share_of_chunked)
    assert "measured.total_rate" not in sheet
    with pytest.raises(d.NoValue, match="because nothing was measured in this configuration"):
        sheet.value(measured.total_rate)
    with pytest.raises(d.NoValue, match=r"r_total > 0 does not hold: nothing was measured"):
        sheet.value(measured.share_of_chunked)


@pytest.mark.parametrize(
    "same",
    [
        {"accelerator": "h100"},
        {"model": "llama-70b"},
        {"model": "llama-3.1-70b"},
        {"kv_precision": "fp8"},
        {"arithmetic": "fp8"},
        {"concurrency": np.int64(64)},
    ],
)
def test_what_comes_down_to_the_same_configuration_has_its_result(same: dict[str, Any]) -> None:
    assert d.evaluate(**same).value(measured.output_rate) == pytest.approx(1063.64, abs=0.01)


@pytest.mark.parametrize("missing", ["total_rate", "end_to_end", "drawn_share"])
def test_a_result_is_set_as_a_whole(missing: str) -> None:
    sheet = d.evaluate()
    whole = {name: sheet.value(each) for name, each in BOOK.givens.items() if each.lacking}
    set_by_hand = d.evaluate(givens=whole)
    del whole[f"measured.{missing}"]

    assert set_by_hand.value(measured.share_by_steps) == sheet.value(measured.share_by_steps)
    for ask in (d.evaluate, d.sweep):
        with pytest.raises(d.ChoiceError, match=f"measured.{missing} is lacking; a result is set"):
            ask(givens=whole)


def test_a_sweep_gives_what_each_configuration_gives() -> None:
    grid = [
        (parallel, inputs, outputs, batch)
        for parallel in (1, 2, 3, 8)
        for inputs in (1024, 8192)
        for outputs in (1024, 8192)
        for batch in (4, 63, 64, 128)
    ]
    names = ("tensor_parallelism", "input_length", "output_length", "concurrency")
    for chip, precision in (("b200", "fp4"), ("h200-sxm", "fp8"), ("a100-80-sxm", "bf16")):
        fixed: dict[str, Any] = {"accelerator": chip, "precision": precision, "kv_precision": "fp8"}
        arrays: dict[str, Any] = dict(
            zip(names, map(np.array, zip(*grid, strict=True)), strict=True)
        )
        swept = d.sweep(**fixed, **arrays)
        for place, row in enumerate(grid):
            alone: dict[str, Any] = dict(zip(names, row, strict=True))
            sheet = d.evaluate(**fixed, **alone)
            for name, each in BOOK.formulas.items():
                if name.startswith("measured."):
                    value = sheet.value(each) if sheet.has_value(each) else np.nan
                    np.testing.assert_equal(swept[name][place], value)


EXPLAINED = {
    "above_chunked": (("within_drawn_chunked",), "At the drawn lengths the limit is"),
    "above_by_steps": (("queued",), "fewer sequences than users were decoding"),
    "faster_than_latency": (("within_drawn_latency",), "At the drawn lengths it is"),
    "faster_than_first_token": (("within_drawn_first_token",), "One of the drawn length takes"),
}


def test_no_result_is_above_a_limit_without_a_reason_on_its_page() -> None:
    above = [
        (result, limit)
        for result, sheet in held_against()
        for limit in EXPLAINED
        if sheet.holds(BOOK.conditions[f"measured.{limit}"])
    ]

    assert [(each.place.rpartition(":")[2], limit) for each, limit in above] == [
        ("340", "above_by_steps"),
        ("364", "above_by_steps"),
    ]
    for result, limit in above:
        reasons, sentence = EXPLAINED[limit]
        (sheet,) = (sheet for each, sheet in held_against() if each is result)
        page = text_of(parsed(html_of(page_of(**result.choices), *EXTENSIONS)))
        assert all(sheet.holds(BOOK.conditions[f"measured.{each}"]) for each in reasons)
        assert sentence in page


def test_requests_queue_only_where_the_cache_is_too_small() -> None:
    queued = [sheet for _, sheet in held_against() if sheet.holds(measured.queued)]

    assert len(queued) == 11
    assert not any(sheet.holds(BOOK.conditions["memory.fits"]) for sheet in queued)


def test_limits_at_the_drawn_lengths_are_never_harder_to_reach() -> None:
    for _, sheet in held_against():
        assert sheet.value(measured.drawn_end_to_end) <= sheet.value(latency.end_to_end)
        assert sheet.value(measured.drawn_prefill_time) <= sheet.value("prefill.time")
        assert sheet.value(measured.drawn_per_accelerator) >= sheet.value("chunked.per_accelerator")


def test_the_nearest_that_was_measured_is_named_by_what_to_change() -> None:
    def near(**choices: Any) -> list[dict[str, Any]]:
        return list(nearest(configuration(**choices)))

    assert near() == []
    assert near(concurrency=63)[0] == {"concurrency": 64}
    assert {"kv_precision": "fp8"} in near(accelerator="b200", precision="fp4")
    assert near(model="gpt2")[0] == {"model": "llama-3-70b"}
    for choices in ({"concurrency": 100}, {"accelerator": "a10", "precision": "int8"}):
        for changes in near(**choices):
            assert d.evaluate(**{**choices, **changes}).holds(measured.there_is_a_result)
