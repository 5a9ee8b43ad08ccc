"""The book has no fault, and the examiner's own instruments (units, samples, names) are true."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derivations.book import BOOK, chunked, decode, machine, model, threshold, workload
from derivations.check import Fault, Report, examine, examiner, memory, remembered
from derivations.check.proofs import SAMPLES
from derivations.check.samples import NoValue, Sample, counterexample, draw, samples
from derivations.check.units import Misfit, unit_of
from derivations.language.algebra import Quantity, Relation, leaves
from derivations.language.contents import Book, UnknownName, trees
from derivations.language.declare import Claim, Constant, Given, Source
from derivations.language.notation.plain import symbols
from derivations.language.table import measure, names, prefixes
from derivations.language.units import (
    UnitError,
    amount,
    dimensions,
    exponents,
    factor,
    registry,
    unit,
)
from tests.terms import QUICK, unknown

PROVEN = {
    "threshold.intensity",
    "threshold.tokens",
    "decode.compute_bound_concurrency",
    "prefill.bound_by_the_threshold",
    "decode.bound_only_from_the_threshold",
    "roofline.prefill_under_the_roof",
    "roofline.decode_under_the_roof",
    "roofline.decode_beyond_the_ridge",
    "chunked.every_prompt_is_read",
    "chunked.never_slower",
    "chunked.what_is_left",
    "parameters.looked_up_or_multiplied",
}
SAMPLED = {
    "decode.compute_bound_from_there",
    "memory.fits_up_to_the_largest",
    "measured.shorter_is_never_slower",
}
"""Not proven are what rounds to whole numbers, what needs a bound of a given, and what holds
exactly when something else does and only under a premise."""


@pytest.fixture(scope="module")
def report() -> Report:
    return examine(BOOK)


def test_the_book_has_no_fault(report: Report) -> None:
    assert report.faults == ()


def test_each_statement_says_how_it_was_found_to_hold(report: Report) -> None:
    ways = {name: {each.how for each in found} for name, found in report.verdicts.items() if found}

    assert {name for name, how in ways.items() if how == {"proven"}} == PROVEN
    assert {name for name, how in ways.items() if how == {"sampled"}} == SAMPLED
    assert all(len(how) == 1 for how in ways.values())


def test_what_is_sampled_was_tried_often_enough(report: Report) -> None:
    tried = {(each.how, each.samples) for found in report.verdicts.values() for each in found}

    assert tried == {("proven", 0), ("sampled", SAMPLES)}
    assert SAMPLES == 200


def test_every_statement_has_a_verdict_and_a_crossing_has_its_solution(report: Report) -> None:
    solved = {BOOK.id_of(each.solves) for each in BOOK.formulas.values() if each.solves}

    for identity in BOOK.statements:
        assert report.verdicts[identity] or identity in solved


def test_the_same_book_gets_the_same_report(report: Report) -> None:
    assert examine(BOOK) == report


def test_every_entry_says_what_it_is_and_where_it_comes_from() -> None:
    for identity, entry in BOOK.entries.items():
        if hasattr(entry, "source"):
            assert isinstance(entry.source, Source), identity
            assert entry.source.place, identity
            assert entry.source.work.url.startswith("https://"), identity
        assert entry.title, identity  # type: ignore[union-attr]  # each kind of entry has one
        assert entry.says.endswith(".") or identity in BOOK.conditions, identity  # type: ignore[union-attr]


def test_every_quantity_is_used_or_is_a_result() -> None:
    used = {
        leaf for entry in BOOK.entries.values() for tree in trees(entry) for leaf in leaves(tree)
    }
    unused = {name for name, each in BOOK.quantities.items() if each not in used}

    assert unused.isdisjoint(BOOK.givens)
    assert unused.isdisjoint(BOOK.constants)


def test_the_contract_of_ids_is_kept() -> None:
    promised = """
        machine.accelerators machine.compute machine.bandwidth threshold.tokens prefill.flops
        prefill.compute_time prefill.memory_time prefill.time decode.kv_per_token
        decode.mean_length decode.kv_per_sequence decode.kv_total decode.weights decode.bytes
        decode.memory_time decode.compute_time decode.step_time latency.time_to_first_token
        latency.end_to_end cycle.decode_time cycle.output_tokens sequential.prefill_time
        sequential.cycle_time sequential.throughput sequential.per_accelerator
        chunked.chunk_size chunked.overlapped_tokens chunked.non_overlapped_tokens
        chunked.prefill_time chunked.cycle_time chunked.throughput chunked.per_accelerator
    """.split()

    assert set(promised) <= set(BOOK.quantities)


def test_an_unknown_name_gets_its_near_misses() -> None:
    with pytest.raises(UnknownName, match=r"'decode\.step_tim' .*did you mean decode\.step_time"):
        BOOK["decode.step_tim"]


def test_two_sections_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two sections are called 'machine'"):
        Book((machine, machine))


def _section(**entries: object) -> ModuleType:
    section = ModuleType("planted")
    vars(section).update(entries)
    return section


def test_a_former_id_still_leads_to_its_formula() -> None:
    renamed = replace(decode.weights, formerly=("decode.model_bytes",))
    book = Book((_section(weights=renamed),))

    assert book["decode.model_bytes"] is renamed


def test_two_steps_or_a_sum_that_cancel_are_told_apart_from_nothing() -> None:
    vanishing = workload.input_length - workload.input_length

    assert dict(unit_of(vanishing, symbols).dimensionality) == {"[token]": 1, "[sequence]": -1}
    with pytest.raises(Misfit):
        unit_of(vanishing + model.layers, symbols)


@pytest.mark.parametrize("name", ["byte", "token", "sequence", "step", "layer", "head", "second"])
def test_nothing_that_is_counted_is_a_pure_number(name: str) -> None:
    counted = unknown("x", name)

    with pytest.raises(Misfit, match=f"x is in {name}, but 1 is a pure number"):
        unit_of(counted + 1, symbols)


def test_no_two_kinds_of_things_add_up() -> None:
    bases = ("second", "byte", "flop", "token", "sequence", "step", "value", "layer", "head")

    for first, second in product(bases, bases):
        total = unknown("x", first) + unknown("y", second)
        if first == second:
            assert unit_of(total, symbols) == unit(first)
            continue
        with pytest.raises(Misfit):
            unit_of(total, symbols)


def test_zero_fits_every_unit() -> None:
    time = unknown("t", "second")

    assert unit_of(time - 0, symbols) == unit("second")
    assert unit_of(workload.steps * 0 + workload.steps, symbols) == unit("step")


@pytest.mark.parametrize(
    ("text", "target", "value"),
    [
        ("3.35 TB / second / accelerator", "byte / second / accelerator", 3_350_000_000_000),
        ("3.35 TB/s/accelerator", "byte / second / accelerator", 3_350_000_000_000),
        ("80 GB", "byte", 80 * 10**9),
        ("80 GiB", "byte", 80 * 2**30),
        ("1979 Tflop / s / accelerator", "flop / second / accelerator", 1979 * 10**12),
        ("12.85 ms", "second", Fraction(1285, 100_000)),
        ("1.5E9 byte", "byte", 1_500_000_000),
        ("0.1 ms", "second", Fraction(1, 10_000)),
        ("64", "1", 64),
        ("-3 byte", "byte", -3),
        ("  2 byte / parameter ", "byte / value", 2),
        ("700 W", "joule / second", 700),
    ],
)
def test_an_amount_is_read_exactly(text: str, target: str, value: Fraction | int) -> None:
    assert amount(text, target) == value


def test_binary_and_decimal_multiples_are_different() -> None:
    assert amount("1 GiB", "byte") / amount("1 GB", "byte") == Fraction(2**30, 10**9)
    assert factor("TiB / s") > factor("TB / s")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3.35 TB", "'3.35 TB' cannot be read in byte / second"),
        ("3,35 TB / s", "'3,35 TB / s' is not a number and its unit, such as '3.35 TB / s'"),
        ("1 tokenz", "there is no unit 'tokenz'; did you mean token?"),
        ("1 gb / s", "there is no unit 'gb'; did you mean GB or GiB?"),
        ("80 byte second", "'byte second' is not a unit; write one like 'byte / second'"),
        ("7 9**9**9", "'9**9**9' is not a unit; write one like 'byte / second'"),
        ("7 byte ** 99", "'byte ** 99' is not a unit; write one like 'byte / second'"),
        ("1e400 byte / s", "'1e400 byte / s' is beyond all numbers that can be computed with"),
        ("1e-400 byte / s", "'1e-400 byte / s' is beyond all numbers that can be computed with"),
    ],
)
def test_a_wrong_amount_is_explained(text: str, message: str) -> None:
    with pytest.raises(UnitError) as refusal:
        amount(text, "byte / second")

    assert str(refusal.value) == message


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "byte", "nan byte", "NaN", "inf byte", "-inf", "9**9**9", "1_000 byte", "0x1 byte",
        "1e9999 byte", "1 byte; import os", "1 __import__('os')", "1 byte.__class__", "٣ byte",
        "1 (byte)", "1 byte / 0", "1 byte * 2", "1 byte ** second", "1..2 byte", "1 byte //second",
        "1 byte" + " * byte" * 100, "1" * 100_000, "1 " + "x" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_amount_is_refused_at_once(text: str) -> None:
    start = time.perf_counter()
    with pytest.raises(UnitError) as refusal:
        amount(text, "byte")

    assert time.perf_counter() - start < 1
    assert len(str(refusal.value)) < 300


@QUICK
@given(st.text(max_size=40))
def test_no_text_breaks_the_reader_of_units(text: str) -> None:
    for read in (unit, factor, dimensions):
        with suppress(UnitError):
            read(text)


@QUICK
@given(st.integers(0, 10**12), st.sampled_from(["ms", "us", "kB", "MB", "GiB", "TB", "Pflop"]))
def test_an_amount_is_its_number_times_its_factor(number: int, name: str) -> None:
    base = {"m": "second", "u": "second", "P": "flop"}.get(name[0], "byte")

    assert amount(f"{number} {name}", base) == number * factor(name)


NAMES = (*names(), *(f"{prefix}{each}" for prefix in prefixes() for each in ("byte", "B", "flop")))


@pytest.mark.parametrize("name", NAMES)
def test_the_table_says_of_a_unit_what_pint_says(name: str) -> None:
    ours, theirs = measure(name), registry().Quantity(1.0, unit(name)).to_base_units()

    assert dict(ours.dimensions) == exponents(theirs.units)
    assert float(ours.factor) == pytest.approx(theirs.magnitude, rel=1e-15)


def test_the_table_says_of_a_product_what_pint_says() -> None:
    for above, below in product(("GB", "Tflop", "W", "GiB", "token"), ("s", "accelerator", "J")):
        text = f"{above} * {above} / {below} ** 2"

        assert dimensions(text) == exponents(unit(text))


def test_a_factor_of_a_product_is_the_product_of_its_factors() -> None:
    for above, below in product(names(), names()):
        assert factor(f"{above} / {below}") == factor(above) / factor(below)
        assert factor(f"{above} * {below}") == factor(above) * factor(below)


def test_a_sample_is_within_what_the_givens_allow() -> None:
    dice = random.Random("bounds")
    for given_ in BOOK.givens.values():
        drawn = [draw(dice, given_) for _ in range(300)]

        assert all(given_.least <= value <= given_.most for value in drawn), given_.symbol
        assert not given_.whole or all(value.denominator == 1 for value in drawn)
        assert max(drawn) > 2 * min(drawn) or max(drawn) == given_.most
        assert (min(drawn) == 0) == (given_.least == 0), given_.symbol


def _first(seed: str) -> Sample:
    return next(samples(seed))


def test_the_same_seed_gives_the_same_configuration() -> None:
    assert _first("one").value(decode.step_time) == _first("one").value(decode.step_time)
    assert _first("one").value(decode.step_time) != _first("two").value(decode.step_time)


def _where_there_is_no_room() -> Iterator[Sample]:
    return (sample for sample in samples("full") if not sample.holds(chunked.room))


def test_a_formula_has_no_value_where_its_premise_is_broken() -> None:
    sample = next(_where_there_is_no_room())

    with pytest.raises(NoValue, match=r"^S has a value only where B ≤ T$"):
        sample.value(chunked.chunk_size)


def test_only_samples_that_meet_the_premises_count() -> None:
    under = (chunked.room,)
    found, met = counterexample("room", 50, 5000, under, lambda sample: not sample.holds(under[0]))

    assert found is None
    assert met == 50


def test_a_division_by_zero_in_a_premise_is_no_sample_and_no_crash() -> None:
    zero = model.layers - model.layers
    broken: Relation = model.layers / zero > 0

    assert counterexample("zero", 5, 50, (broken,), lambda sample: False) == (None, 0)
    assert counterexample("zero", 5, 50, (), lambda sample: sample.value(broken)) == (None, 0)


def test_a_false_claim_is_shown_with_a_configuration_in_which_it_is_false() -> None:
    claim = Claim(
        decode.memory_time >= decode.compute_time,
        title="Decode is always memory bound",
        says="It is not.",
        source=threshold.tokens.source,
    )
    front = (machine, model, workload, threshold, decode)
    (fault,) = examine(Book((*front, _section(always=claim)))).faults

    assert fault.place == "planted.always"
    assert fault.message.startswith("t_read ≥ t_multiply does not hold: with P = ")
    for needed in ("n = ", " byte / parameter, ", "B = ", " sequence, ", "the left side is "):
        assert needed in fault.message


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the examiner's memory, somewhere else."""
    place = tmp_path / "cache"
    monkeypatch.setattr(memory, "_place", lambda: place)
    return place


def test_what_is_remembered_is_what_was_found(kept: Path, report: Report) -> None:
    first, second = remembered(BOOK), remembered(BOOK)

    assert first == second == report
    assert len(list(kept.iterdir())) == 1


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[]", b'{"fingerprint": "x"}'])
def test_a_broken_memory_is_no_memory(kept: Path, report: Report, content: bytes) -> None:
    remembered(BOOK)
    (file,) = kept.iterdir()
    file.write_bytes(content)

    assert remembered(BOOK) == report


def test_a_fault_is_never_forgotten(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faulty = Report((Fault("decode.bytes", "it is wrong"),), {})
    monkeypatch.setattr(examiner, "examine", lambda book: faulty)

    assert remembered(BOOK) == faulty
    assert not kept.exists()


def test_constants_are_exact_whole_numbers() -> None:
    for constant in BOOK.constants.values():
        assert isinstance(constant, Constant)
        assert constant.symbol == str(constant.value)


def test_givens_come_first_and_bring_their_bounds() -> None:
    for given_ in BOOK.givens.values():
        assert isinstance(given_, Given)
        assert 0 <= given_.least < given_.most


def test_every_name_in_the_book_leads_back_to_itself() -> None:
    for identity, entry in BOOK.entries.items():
        assert BOOK[identity] is entry
        assert BOOK.id_of(entry) == identity
        assert entry in BOOK


def test_a_quantity_knows_what_needs_it() -> None:
    quantity: Quantity = decode.kv_per_token

    assert BOOK.needed_by(quantity) == ("decode.kv_per_sequence", "memory.kv_per_sequence")
