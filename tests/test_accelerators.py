"""The accelerators: what holds in every file, whatever its numbers are."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from derivations.catalogue import Datum, Fact, UnknownFact, fact, facts
from derivations.catalogue.vocabulary import DATA
from derivations.language.units import amount

FOLDER: Path = DATA / "accelerators"
CHIPS = facts("accelerator")
every_chip = pytest.mark.parametrize("chip", CHIPS.values(), ids=CHIPS.keys())


@every_chip
def test_its_file_is_named_by_its_id_and_its_name_begins_with_its_maker(chip: Fact) -> None:
    assert (FOLDER / f"{chip.id}.toml").is_file()
    assert chip.name.startswith(f"{chip.texts['vendor']} ")


@every_chip
def test_its_id_and_its_aliases_lead_to_it(chip: Fact) -> None:
    for name in (chip.id, *chip.aliases):
        assert fact("accelerator", name) is chip


def _names(chip: Fact) -> tuple[str, ...]:
    return (chip.id, *chip.aliases, chip.name)


def test_no_name_is_given_twice() -> None:
    names = [name for chip in CHIPS.values() for name in _names(chip)]

    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", "a100 gh200 gb rtx-pro-6000 mi300 mi250 tpu trainium m4".split())
def test_a_name_that_several_share_is_no_id(name: str) -> None:
    with pytest.raises(UnknownFact):
        fact("accelerator", name)


NEAR = """
h20 h200-sxm
h20 h200-nvl
h20 h100-sxm
b300 gb300
b200 gb200
a10 a100-80-sxm
l4 l40s
mi300x mi325x
mi350x mi355x
gh200-96 gh200-144
tpu-v5e tpu-v5p
h100-sxm h100-pcie
h100-pcie h100-nvl
h200-sxm h200-nvl
a100-80-sxm a100-80-pcie
"""


@pytest.mark.parametrize("pair", NEAR.strip().splitlines())
def test_names_that_look_alike_are_not_the_same_accelerator(pair: str) -> None:
    one, other = (fact("accelerator", name) for name in pair.split())

    assert {key: each.value for key, each in one.amounts.items()} != {
        key: each.value for key, each in other.amounts.items()
    }


@every_chip
def test_its_bandwidth_is_between_a_tenth_and_a_hundred_terabytes_a_second(chip: Fact) -> None:
    assert 10**11 <= chip.amounts["bandwidth"].value <= 10**14


@every_chip
def test_its_memory_is_read_in_less_than_a_second(chip: Fact) -> None:
    """A slip in a prefix of either would leave these bounds."""
    seconds = chip.amounts["memory"].value / chip.amounts["bandwidth"].value

    assert Fraction(1, 10**6) < seconds < 1


@every_chip
def test_fewer_bits_are_never_slower(chip: Fact) -> None:
    rates = {key: each.value for key, each in chip.each("compute").items()}
    ladder = [rates[key] for key in ("tf32", "bf16", "fp8", "fp6", "fp4") if key in rates]

    assert ladder == sorted(ladder)
    assert set(rates) <= {"tf32", "bf16", "fp16", "fp8", "fp6", "fp4", "int8"}
    assert not {"bf16", "fp16"} <= set(rates)


@every_chip
def test_operations_on_integers_are_said_to_be_counted_as_flops(chip: Fact) -> None:
    for key, each in chip.each("compute").items():
        said = each.entry.note.startswith("Operations on integers, counted as FLOPs are.")
        assert said == key.startswith("int")


@every_chip
def test_no_amount_is_unverified(chip: Fact) -> None:
    assert {each.entry.trust for each in chip.amounts.values()} <= {"high", "medium"}


@every_chip
def test_where_others_differ_the_trust_is_not_high(chip: Fact) -> None:
    """Up to one in a hundred is rounding."""
    for datum in chip.amounts.values():
        others = [amount(text, datum.unit) for text, _ in datum.others]
        apart = [value for value in others if abs(value - datum.value) > datum.value / 100]
        assert datum.value not in others
        assert not apart or datum.entry.trust == "medium"


@every_chip
def test_a_quoted_figure_comes_with_its_sense_and_with_the_step_from_it(chip: Fact) -> None:
    for datum in chip.amounts.values():
        entry = datum.entry
        assert bool(entry.quoted) == bool(entry.quoted_as) == bool(entry.derived)


@every_chip
def test_what_is_used_is_less_than_what_is_quoted(chip: Fact) -> None:
    for datum in _with_a_quoted_figure(chip):
        assert datum.value < _quoted(datum)


@every_chip
def test_the_step_from_the_quoted_figure_gives_what_is_used(chip: Fact) -> None:
    """Half is half, but for rounding; a dense rate that is quoted for several is divided."""
    for datum in _with_a_quoted_figure(chip):
        derived = datum.entry.derived
        if whole := re.search(r"the dense rate of the (?:board|rack), (\d+) PFLOP/s", derived):
            assert datum.value == Fraction(whole[1]) * 10**15 / _counted(datum)
        elif "half" in derived:
            assert abs(2 * datum.value / _quoted(datum) - 1) <= _rounding(derived)
        else:
            assert derived == "the dense rate, which is quoted as well"


def _rounding(derived: str) -> Fraction:
    if "quoted rounded" in derived:
        return Fraction(1, 100)
    return Fraction(1, 1000) if "rounded" in derived or "links" in derived else Fraction(0)


@every_chip
def test_the_figure_of_a_board_is_the_quoted_one_times_its_accelerators(chip: Fact) -> None:
    for datum in _with_a_quoted_figure(chip):
        whole = re.match(r"(\d+) (?:PFLOP|POP)/s", datum.entry.quoted_as)
        assert whole or _counted(datum) == 1
        if whole:
            assert Fraction(whole[1]) * 10**15 == _quoted(datum) * _counted(datum)


def _with_a_quoted_figure(chip: Fact) -> list[Datum]:
    return [each for each in chip.amounts.values() if each.entry.quoted]


def _quoted(datum: Datum) -> Fraction:
    return amount(datum.entry.quoted, datum.unit)


def _counted(datum: Datum) -> int:
    """Give the accelerators that the quoted figure is for."""
    parts = {" of eight": 8, " of two GPUs": 2, " of 72": 72}
    return next((many for words, many in parts.items() if words in datum.entry.quoted_as), 1)


@pytest.mark.parametrize("name", ["b300", "gb300"])
def test_the_dense_fp4_rate_of_blackwell_ultra_is_not_half_of_the_sparse_one(name: str) -> None:
    datum = CHIPS[name].amounts["compute.fp4"]

    assert datum.value == _quoted(datum) * Fraction(3, 4)
    assert "not half" in datum.entry.note


def test_what_is_left_out_is_told_with_its_reason_and_has_no_file() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    told = re.findall(r"^\* `([a-z0-9.-]+)`: \S.+\.$", text, re.MULTILINE)

    assert len(told) == text.count("\n* ") > 0
    assert not set(told) & {name for chip in CHIPS.values() for name in _names(chip)}
