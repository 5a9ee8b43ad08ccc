"""The models of the catalogue: counted from their parts, or stated and named as what that is."""

from __future__ import annotations

import csv
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import derivations as d
from derivations import configure
from derivations.book import BOOK, architecture, model, parameters
from derivations.catalogue import DataError, Fact, defaults, fact, facts
from derivations.catalogue.facts import read_fact
from derivations.catalogue.vocabulary import vocabulary
from derivations.cli import main
from derivations.configure import MODEL_FIELDS, configuration, counted, misfits_of
from derivations.language.declare import Given
from derivations.render.facts import catalogue_page
from derivations.render.popover import popover
from derivations.render.workings import workings_of

_TABLE = Path(__file__).with_name("data") / "models.csv"
TOTALS = {
    row["config"]: int(row["total"])
    for row in csv.DictReader(_TABLE.read_text(encoding="utf-8").splitlines())
}
CALLED = {
    "granite-3.3-8b": "granite-3.3-8b-instruct",
    "llama-3-70b": "llama-3.1-70b",
    "mistral-nemo-12b": "mistral-nemo-12b-2407",
    "phi-3-mini": "phi-3-mini-128k",
}
"""The models whose configuration has another name, or is that of another release of the same."""

DEFAULT = str(defaults()["model"])
MODELS = facts("model")
COUNTED = [name for name in MODELS if name != DEFAULT]

every_model = pytest.mark.parametrize("name", MODELS)
every_counted_model = pytest.mark.parametrize("name", COUNTED)


@every_model
def test_every_model_has_the_published_number_of_parameters(name: str) -> None:
    assert d.evaluate(model=name).value(parameters.total) == TOTALS[CALLED.get(name, name)]


@every_counted_model
def test_a_model_works_with_what_is_counted_to_the_last_parameter(name: str) -> None:
    sheet = d.evaluate(model=name)

    assert "parameters" not in MODELS[name].amounts
    assert model.parameters not in sheet.data()
    assert sheet.value(model.parameters) == sheet.value(parameters.total)


def test_the_article_keeps_its_round_number_and_says_what_it_is() -> None:
    stated = MODELS[DEFAULT].amounts["parameters"]
    sheet = d.evaluate()

    assert sheet.value(model.parameters) == 70e9
    assert sheet.data()[model.parameters] == stated
    assert stated.entry.says == "70e9 parameter"
    assert stated.entry.note.startswith("Rounded, as the article does.")
    assert [text for text, _ in stated.others] == [f"{TOTALS['llama-3.1-70b']} parameter"]


def test_only_the_article_rounds() -> None:
    assert [name for name, each in MODELS.items() if "parameters" in each.amounts] == [DEFAULT]


def test_the_fields_of_a_model_are_the_givens_of_its_parts() -> None:
    amounts = {name for name, field in vocabulary()["model"].items() if field.kind == "amount"}

    assert amounts == set(MODEL_FIELDS)
    for name, given in MODEL_FIELDS.items():
        field = vocabulary()["model"][name]
        assert field.unit == given.unit, name
        assert field.whole == given.whole, name
        assert field.zero == (given.least == 0), name
        assert field.required == (given is not model.parameters), name


@every_model
def test_every_value_of_a_model_has_a_source_and_a_reason(name: str) -> None:
    for datum in MODELS[name].amounts.values():
        assert datum.source.url.startswith("https://")
        assert datum.entry.note or name == DEFAULT
    assert misfits_of(MODELS[name]) == []


# What is set in place of facts


@every_counted_model
def test_with_other_parts_a_model_is_counted_again(name: str) -> None:
    before = d.evaluate(model=name)
    deeper = d.evaluate(model=name, givens={"model.layers": before.value(model.layers) + 1})
    layer = before.value(parameters.layer)

    assert deeper.value(model.parameters) == before.value(model.parameters) + layer
    assert deeper.value(model.parameters) == deeper.value(parameters.total)


def test_many_at_once_are_counted_again_too() -> None:
    layers = np.arange(1, 100)
    swept = d.sweep(model="qwen3-8b", givens={"model.layers": layers, "architecture.untied": 0})

    for place in (0, 35, 98):
        givens = {"model.layers": int(layers[place]), "architecture.untied": 0}
        sheet = d.evaluate(model="qwen3-8b", givens=givens)
        assert swept["parameters.total"][place] == sheet.value(model.parameters)
        assert swept["decode.weights"][place] == sheet.value("decode.weights")


def test_what_is_stated_or_set_is_not_counted_again() -> None:
    assert d.evaluate(givens={"model.layers": 1}).value(model.parameters) == 70e9
    both = {"model.layers": 1, "model.parameters": 5e9}
    assert d.evaluate(model="qwen3-8b", givens=both).value(model.parameters) == 5e9
    assert d.sweep(model="qwen3-8b", givens=both)["decode.weights"][0] == 5e9


def test_a_part_may_be_zero_and_no_less() -> None:
    assert d.evaluate(givens={"architecture.untied": 0}).value(parameters.output_head) == 0
    for value in (-1, 0.5, 2):
        with pytest.raises(d.ChoiceError, match=r"architecture\.untied is "):
            d.evaluate(givens={"architecture.untied": value})


# What is told of it


def test_the_terminal_says_where_a_counted_number_comes_from() -> None:
    shown = CliRunner().invoke(main, ["show", "model.parameters", "--model", "gpt2"]).stdout

    assert "counted    from the model's parts, see parameters.total" in shown


def test_a_popover_says_where_a_counted_number_comes_from() -> None:
    workings = workings_of(configuration(model="gpt2"))
    text = popover(workings, "model.parameters")

    assert "Counted from the parts of the model: 124439808 parameters" in text
    assert "<code>parameters.total</code>" in text


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (architecture.mlp_matrices, "3 per layer"),
        (architecture.untied, "1"),
        (architecture.qkv_bias, "0"),
        (architecture.norm_vectors, "2 per layer"),
        (architecture.query_heads, "64 heads per layer"),
    ],
    ids=lambda each: each.symbol if isinstance(each, Given) else "",
)
def test_counts_are_written_as_one_says_them(given: Given, text: str) -> None:
    assert workings_of(configuration()).figure(given).text == text


# What does not fit together


def changed(folder: Path, old: str, new: str) -> Fact:
    """Give a model of ours with one thing changed in its file."""
    source = Path(configure.__file__).parents[1] / "data" / "models" / "qwen3-8b.toml"
    text = source.read_text(encoding="utf-8")
    assert text.count(old) == 1
    place = folder / "changed.toml"
    place.write_text(text.replace(old, new), encoding="utf-8")
    return read_fact(place, "model", vocabulary()["model"])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"8 head / layer"', '"5 head / layer"', "kv_heads: 5 heads cannot be shared evenly by 32"),
        ('"36 layer"', '"2001 layer"', "layers: '2001 layer' is out of bounds"),
        ('"3 / layer"', '"4 / layer"', "mlp_matrices: '4 / layer' is out of bounds"),
    ],
)
def test_parts_that_do_not_fit_are_a_fault(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    (problem,) = misfits_of(changed(tmp_path, old, new))

    assert message in problem
    assert problem.startswith("changed.toml: ")


def test_more_parameters_than_there_can_be_are_a_fault() -> None:
    amounts = dict(MODELS["gpt2"].amounts)
    for name in ("vocabulary", "hidden_size"):
        most = MODEL_FIELDS[name].most
        amounts[name] = replace(amounts[name], value=Fraction(most))
    problems = misfits_of(replace(MODELS["gpt2"], amounts=amounts))

    assert problems == [
        "gpt2.toml: parameters: counted, they are 1.00112e+14; they should be from 100000 to 1e+14"
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"36 layer"', '"0 layer"', "layers: '0 layer' should be more than zero"),
        ('"2 head / layer"', '"-1 head / layer"', "should be zero or more"),
        ('"36 layer"', '"36.5 layer"', "layers: '36.5 layer' should be a whole number"),
        ('"36 layer"', '"36"', "layers: '36' cannot be read in layer"),
        ('"3 / layer"', '"3 / head"', "mlp_matrices: '3 / head' cannot be read in 1 / layer"),
        ('"3 / layer"', '"3 / / layer"', "mlp_matrices: "),
    ],
)
def test_a_wrong_amount_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as problem:
        changed(tmp_path, old, new)

    assert message in str(problem.value)


def test_every_model_goes_by_its_id() -> None:
    for name, each in MODELS.items():
        assert fact("model", name) == each
        assert each.texts["family"]
        assert BOOK.id_of(MODEL_FIELDS["layers"]) == "model.layers"


def test_the_list_of_models_shows_what_was_counted_of_each() -> None:
    page = catalogue_page("model", {name: [] for name in MODELS})

    for name, each in MODELS.items():
        assert counted(each) == TOTALS[CALLED.get(name, name)]
        assert f'<td data-sort="{counted(each)}">{counted(each)}</td>' in page, name
