"""Whether the facts are within the bounds of the givens that they fill."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.book import architecture, model
from derivations.catalogue import (
    KINDS,
    DataError,
    Fact,
    Result,
    facts,
    results,
)
from derivations.configure.choices import ChoiceError, configuration
from derivations.configure.filling import COUNTED, MODEL_FIELDS, filled_by, within
from derivations.configure.measuring import figures_of
from derivations.configure.values import counted_from, numbers


def misfits_of(each: Fact) -> list[str]:
    """Give what is wrong with the amounts of a fact: out of bounds, or not fit for each other."""
    found = []
    for key, datum in each.amounts.items():
        for given in filled_by(each.kind, key.partition(".")[0]):
            try:
                within(given, datum)
            except DataError as problem:
                found.append(str(problem))
    if each.kind == "model" and not found:
        found.extend(_parts_that_do_not_fit(each))
    return found


def _parts_that_do_not_fit(network: Fact) -> Iterator[str]:
    values = {MODEL_FIELDS[name]: datum.value for name, datum in network.amounts.items()}
    queries, keys = values[architecture.query_heads], values[model.kv_heads]
    if queries % keys:
        yield (
            f"{network.amounts['kv_heads'].place}: {keys} heads cannot be shared evenly by "
            f"{queries} query heads"
        )
    for given, formula in COUNTED.items():
        if given not in values:
            try:
                counted_from(f"{network.id}.toml", given, formula, values)
            except DataError as problem:
                yield str(problem)


def _misfits_of_result(result: Result) -> Iterator[str]:
    """Give what keeps a result from being compared: no such configuration, or out of bounds."""
    try:
        for given, datum in figures_of(result).items():
            within(given, datum)
        for model_id in result.benchmark.texts["stands_for"]:
            numbers(configuration(model=model_id, **result.choices))
    except DataError as problem:
        yield str(problem)
    except ChoiceError as problem:
        yield f"{result.place}: {problem}"


def misfits() -> list[str]:
    """Give the facts that are out of the bounds of their givens, and what is wrong by default."""
    every = (each for kind in KINDS for each in facts(kind).values())
    found = [problem for each in every for problem in misfits_of(each)]
    if not found:
        # What is wrong with a benchmark is wrong with each of its results, and told once.
        found.extend(
            dict.fromkeys(problem for each in results() for problem in _misfits_of_result(each))
        )
    try:
        numbers(configuration())
    except ChoiceError as problem:
        found.append(f"defaults.toml: {problem}")
    except DataError as problem:
        found.append(str(problem))
    return found
