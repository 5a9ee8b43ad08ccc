"""The parameters of published models, counted to the last one from their configurations."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given

import derivations as d
from derivations.adopt import understood
from derivations.book import BOOK, architecture, model, parameters
from derivations.language.declare import Given
from derivations.language.working_out import worked_out
from tests.configurations import Exactly, exact_givens, exactly_worked_out

CONFIGS = Path(__file__).with_name("configs")
_TABLE = Path(__file__).with_name("data") / "models.csv"
ROWS = {
    row["config"]: row for row in csv.DictReader(_TABLE.read_text(encoding="utf-8").splitlines())
}
"""What was counted elsewhere, tensor by tensor, and compared with published totals."""

every_config = pytest.mark.parametrize("name", ROWS)


def test_every_configuration_has_its_row() -> None:
    assert {path.stem for path in CONFIGS.glob("*.json")} == set(ROWS)
    assert len(ROWS) == 23


@every_config
def test_the_count_agrees_to_the_last_parameter(name: str) -> None:
    network = understood(CONFIGS / f"{name}.json")

    assert network.total() == int(ROWS[name]["total"])
    assert network.multiplied() == int(ROWS[name]["multiplied"])


@every_config
def test_the_cache_has_the_size_that_was_worked_out_elsewhere(name: str) -> None:
    network = understood(CONFIGS / f"{name}.json")

    assert network.kv_bytes_per_token() == int(ROWS[name]["kv_bytes_per_token_at_16_bit"])
    assert network.kv_bytes_per_token(1) * 2 == network.kv_bytes_per_token()


@every_config
def test_floats_hold_the_counts_exactly(name: str) -> None:
    parts = understood(CONFIGS / f"{name}.json").parts
    givens = {BOOK.id_of(_given(field)): float(part.value) for field, part in parts.items()}
    sheet, swept = d.evaluate(givens=givens), d.sweep(givens=givens)

    assert sheet.value(parameters.total) == int(ROWS[name]["total"])
    assert swept["parameters.total"][0] == int(ROWS[name]["total"])
    assert sheet.value(parameters.multiplied) == int(ROWS[name]["multiplied"])


def _given(field: str) -> Given:
    found = getattr(architecture, field, None) or getattr(model, field)
    assert isinstance(found, Given)
    return found


# What the parts do to the whole


@given(exact_givens())
def test_every_parameter_is_multiplied_with_or_looked_up(givens: Exactly) -> None:
    values = exactly_worked_out(givens)
    total, multiplied = values["parameters.total"], values["parameters.multiplied"]

    assert total == multiplied + values["parameters.looked_up"]
    assert 0 < multiplied <= total


@given(exact_givens())
def test_an_output_head_of_its_own_is_one_more_embedding_table(givens: Exactly) -> None:
    tied, untied = (
        exactly_worked_out({**givens, "architecture.untied": Fraction(each)}) for each in (0, 1)
    )
    table = givens["architecture.vocabulary"] * givens["architecture.hidden_size"]

    assert untied["parameters.total"] - tied["parameters.total"] == table
    assert untied["parameters.multiplied"] == tied["parameters.multiplied"]


@given(exact_givens())
def test_one_layer_more_is_the_parameters_of_a_layer_more(givens: Exactly) -> None:
    deeper = {**givens, "model.layers": givens["model.layers"] + 1}
    before, after = exactly_worked_out(givens), exactly_worked_out(deeper)

    assert after["parameters.total"] - before["parameters.total"] == before["parameters.layer"]
    assert after["parameters.layer"] == before["parameters.layer"]


@given(exact_givens())
def test_without_biases_norms_and_positions_only_matrices_are_left(givens: Exactly) -> None:
    none = """qkv_bias output_bias mlp_bias qk_norm_heads norm_vectors final_vectors
              positions""".split()
    bare = exactly_worked_out({**givens, **{f"architecture.{each}": Fraction(0) for each in none}})
    matrices = bare["parameters.attention"] + bare["parameters.mlp"]
    tables = bare["parameters.embedding"] + bare["parameters.output_head"]

    assert bare["parameters.layer"] == matrices
    assert bare["parameters.total"] == tables + givens["model.layers"] * matrices


@given(exact_givens())
def test_a_formula_worked_out_alone_is_the_one_worked_out_with_all(givens: Exactly) -> None:
    values = {each: givens[name] for name, each in BOOK.givens.items()}
    together = exactly_worked_out(givens)

    for name in ("parameters.total", "decode.kv_per_token", "memory.needed"):
        assert worked_out(BOOK.formulas[name], values) == together[name]
    assert worked_out(model.layers, values) == givens["model.layers"]
