"""What is said across configurations follows from the results, and would turn with them."""

from __future__ import annotations

from html import unescape
from itertools import permutations
from statistics import median
from types import SimpleNamespace

import pytest

from derivations.catalogue import Result, fact
from derivations.evaluate import evaluate
from derivations.evaluate.findings import Run, findings, runs
from derivations.render.findings import Found
from derivations.render.page import environment

BENCHMARK = fact("benchmark", "inferencemax-2025-10")


def run(
    share: float,
    *,
    parallel: int = 1,
    users: int = 4,
    chip: str = "h100-sxm",
    queued: bool = False,
    fits: bool = True,
) -> Run:
    """Make a run up."""
    counts = (parallel, 1024, 1024, users)
    result = Result(BENCHMARK, chip, "vLLM", "fp8", "fp8", counts, {}, "made-up.csv:2")
    return Run(result, share, queued, fits, 16)


def said(*made_up: Run) -> str:
    """Give what the template says of runs, on one line."""
    text = (
        environment()
        .get_template("findings.jinja")
        .render(say=SimpleNamespace(findings=Found(made_up)))
    )
    return " ".join(unescape(text).split())


def test_a_share_that_falls_is_said_to_fall() -> None:
    text = said(run(0.4), run(0.3, parallel=2), run(0.3, users=8))

    assert "**Tensor parallelism costs.** In all 1 pairs" in text
    assert "**More users, a smaller share.** In all 1 pairs" in text
    assert "lower with more accelerators" in text


def test_a_share_that_rises_is_said_to_rise() -> None:
    text = said(run(0.3), run(0.4, parallel=2), run(0.5, users=8))

    assert "**Tensor parallelism pays.** In all 1 pairs" in text
    assert "**More users, a larger share.** In all 1 pairs" in text
    assert "lower with more" not in text


def test_where_a_share_mostly_falls_or_rises_both_counts_are_given() -> None:
    falling = said(run(0.4), run(0.3, users=8), run(0.35, users=16))
    rising = said(run(0.3), run(0.4, users=8), run(0.35, users=16))

    assert "Of 3 pairs" in falling
    assert "lower with more users in 2, and higher in 1." in falling
    assert "higher with more users in 2, and lower in 1." in rising


def test_where_there_is_no_tendency_none_is_claimed() -> None:
    text = said(run(0.4), run(0.4, parallel=2))

    assert "**Tensor parallelism, no tendency.**" in text
    assert "lower with more accelerators in 0 and higher in 0, which is no tendency." in text


def test_runs_that_queue_are_counted_apart() -> None:
    text = said(run(0.4), run(9, users=64, queued=True, fits=False), run(8, users=32, queued=True))
    none = said(run(0.4))

    assert "In 2 of them requests queued; in 1 of these the cache has no room" in text
    assert "1 of 1 runs, 100.0 %, lie between" in text
    assert "900" not in text
    assert "In none of them did requests queue." in none


def test_vendors_stand_with_the_lowest_share_first() -> None:
    amd_first = said(run(0.2, chip="mi300x"), run(0.3))
    nvidia_first = said(run(0.4, chip="mi300x"), run(0.3))

    assert "20.0 % on AMD (1 run) and 30.0 % on NVIDIA (1 run)." in amd_first
    assert "30.0 % on NVIDIA (1 run) and 40.0 % on AMD (1 run)." in nvidia_first
    assert "Vendors" not in said(run(0.3))


def test_the_first_sentence_says_what_half_of_the_runs_reach() -> None:
    text = said(run(0.2), run(0.3, users=16), run(0.9, users=32))

    assert "Half of the runs reach no more than 30.0 % of their limit." in text


def test_the_border_is_where_the_cache_weighs_as_much() -> None:
    text = said(run(0.4, users=8), run(0.3, users=16), run(0.2, users=32))

    assert "| FP8 | 1024 | 1024 | 16 | 40.0 % (1 run) | 25.0 % (2 runs) |" in text


def test_without_a_run_there_is_nothing_to_find() -> None:
    with pytest.raises(ValueError, match="nothing to find"):
        findings([run(1, queued=True)])


# The real results


def test_the_counts_are_those_of_a_plain_loop_over_all_pairs() -> None:
    kept = [each for each in runs() if not each.queued]
    found = findings(runs())

    def alike(one: Run, other: Run, place: int) -> bool:
        first, second = ([*each.result.counts] for each in (one, other))
        differs = first.pop(place) < second.pop(place)
        same = ("accelerator", "engine", "precision", "kv_precision")
        return (
            differs
            and first == second
            and all(getattr(one.result, name) == getattr(other.result, name) for name in same)
        )

    for place, tendency in ((0, found.parallelism), (3, found.users)):
        pairs = [pair for pair in permutations(kept, 2) if alike(*pair, place)]
        assert tendency.pairs == len(pairs)
        assert tendency.fell == sum(more.share < less.share for less, more in pairs)
        assert tendency.rose == sum(more.share > less.share for less, more in pairs)
    assert found.counted == len(kept) == found.runs - found.queued
    assert found.median == median(each.share for each in kept)
    assert found.highest.share == max(each.share for each in kept)
    assert found.lowest.share == min(each.share for each in kept)
    assert sum(each.runs for each in found.vendors) == found.counted
    assert sum(each.runs for each in found.engines) == found.counted


def test_what_is_said_of_the_real_results_is_the_reviewed_text() -> None:
    text = said(*runs())

    assert "In all 968 pairs of runs that differ in nothing else, the share is lower" in text
    assert "395 of 670 runs, 59.0 %, lie between 20.0 % and 50.0 %." in text
    assert "In 11 of them requests queued, and in each of these" in text


def test_a_border_is_the_number_that_a_configuration_shows() -> None:
    for border in findings(runs()).overtaking:
        prompt, answer = border.lengths
        sheet = evaluate(
            accelerator="b200",
            precision=border.precision,
            kv_precision="fp8",
            input_length=prompt,
            output_length=answer,
        )

        assert sheet.value("decode.even_concurrency") == border.users
