"""Which datum fills which given: the one place where the facts meet the book."""

from __future__ import annotations

from fractions import Fraction

from derivations.book import BOOK, architecture, machine, memory, model, parameters
from derivations.catalogue import (
    DataError,
    Datum,
    Fact,
    fact,
    told,
)
from derivations.configure.choices import ChoiceError, cache_format_of, computed_in, known
from derivations.language.declare import Formula, Given

COUNTED: dict[Given, Formula] = {model.parameters: parameters.total}
"""Givens that a model need not state, and the formula that then works them out from the others."""


def data(
    accelerator: str,
    model_id: str,
    precision: str,
    kv_precision: str | None,
    arithmetic: str | None,
) -> dict[Given, Datum]:
    """
    Give the datum behind every given that is a fact. What a model leaves to be counted has none.

    Raises `ChoiceError` for an unknown id, and for arithmetic that the accelerator lacks.
    """
    chip = known("accelerator", accelerator)
    network = known("model", model_id)
    weights = known("precision", precision)
    cache_format = cache_format_of(kv_precision, weights)
    chosen = {
        "accelerator": chip,
        "model": network,
        "precision": weights,
        "assumption": fact("assumption", "serving"),
    }
    return {
        **{
            given: chosen[kind].amounts[field]
            for given, (kind, field) in _FILLED.items()
            if given not in COUNTED or field in chosen[kind].amounts
        },
        machine.compute_per_accelerator: _rate(chip, arithmetic, weights),
        model.kv_value_size: cache_format.amounts["size"],
    }


def _rate(chip: Fact, arithmetic: str | None, weights: Fact) -> Datum:
    rates = chip.each("compute")
    chosen = computed_in(weights) if arithmetic is None else arithmetic
    if isinstance(chosen, str) and chosen in rates:
        return rates[chosen]
    lacks = f"{chip.name} has no {told(chosen)} arithmetic; it has {', '.join(sorted(rates))}"
    if arithmetic is None:
        need = "need the type to compute in (arithmetic)"
        lacks += f". Weights that are only stored in {weights.id} {need}"
    raise ChoiceError(lacks)


_FILLED: dict[Given, tuple[str, str]] = {
    machine.bandwidth_per_accelerator: ("accelerator", "bandwidth"),
    model.parameters: ("model", "parameters"),
    model.layers: ("model", "layers"),
    model.kv_heads: ("model", "kv_heads"),
    model.head_dimension: ("model", "head_dimension"),
    **{
        given: ("model", BOOK.id_of(given).partition(".")[2])
        for given in vars(architecture).values()
        if isinstance(given, Given)
    },
    model.weight_size: ("precision", "size"),
    memory.capacity_per_accelerator: ("accelerator", "memory"),
    memory.usable_share: ("assumption", "usable_share"),
}
"""The kind of fact and the field that fills a given, where no choice is left."""


MODEL_FIELDS: dict[str, Given] = {
    field: given for given, (kind, field) in _FILLED.items() if kind == "model"
}
"""The fields of a model, and the given that each fills."""


def filled_by(kind: str, field: str) -> list[Given]:
    """Give the givens that a field of a kind of facts fills."""
    return [given for given, (_, *place) in CHOSEN_FROM.items() if place == [kind, field]]


CHOSEN_FROM: dict[Given, tuple[str, str, str]] = {
    **{given: (kind, kind, field) for given, (kind, field) in _FILLED.items()},
    machine.compute_per_accelerator: ("arithmetic", "accelerator", "compute"),
    model.kv_value_size: ("kv_precision", "precision", "size"),
}
"""For each given that is a fact: the choice that decides, the kind of fact, and the field."""


def within(given: Given, datum: Datum) -> Fraction:
    return in_bounds(given, datum.place, datum.entry.says, datum.value)


def in_bounds(given: Given, place: str, says: str, value: Fraction) -> Fraction:
    """Give a value that a given may have. Raises `DataError`, which names *place*."""
    if not given.least <= value <= given.most:
        raise DataError(
            f"{place}: {says!r} is out of bounds; {given.title.lower()} should "
            f"be from {float(given.least):g} to {float(given.most):g} {given.unit}"
        )
    return value
