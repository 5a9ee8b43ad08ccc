"""
A formula as a function: ``decode.memory_time(bytes=8.6e10, bandwidth=6.7e12)``.

Values go by name: the part of the id behind the dot, or all of it where two names are alike. What
is named is taken as it is, what is not is worked out from its own body. Plain numbers are in base
units. They are not held against the bounds of the givens, which belong to configurations.

The code is that of `evaluate` and `sweep`, so the values are, too, to the bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from numbers import Real
from reprlib import repr as told
from typing import Any, NoReturn, TypeAlias

from derivations.language.algebra import Quantity, Relation
from derivations.language.contents import needs
from derivations.language.declare import (
    Bridge,
    Condition,
    Constant,
    Formula,
    Premise,
    relation_of,
)
from derivations.language.notation.code import assigned
from derivations.language.notation.plain import symbols
from derivations.language.notation.python import NumPy, Python
from derivations.language.notation.writing import Notation, Written
from derivations.language.running import compiled, in_arrays, in_floats
from derivations.language.units import UnitError, dimensions, measure_of, registry, unit

Called: TypeAlias = Formula | Condition
_KEPT = 1024
"""Programs that are kept, of those that were used last."""


class NoValue(ArithmeticError):
    """A quantity has no value here: a premise does not hold, or the configuration lacks it."""


def without_value(identity: str, broken: Premise) -> NoValue:
    """Give the error that says which premise of a formula is broken."""
    reason = f": {broken.otherwise}" if isinstance(broken, Condition) else ""
    relation = symbols(relation_of(broken))
    return NoValue(f"{identity} has no value here, because {relation} does not hold{reason}")


def call(thing: Any, positional: tuple[Any, ...], values: Mapping[str, Any]) -> Any:
    """
    Give the value of a formula, or whether a condition holds, from values by name.

    Floats give a float, arrays (which broadcast) an array of float64, and where any value is a
    pint quantity, so is the result. Conditions give truths. Where a premise does not hold, a
    float raises `NoValue`, and an array has NaN. Raises `TypeError` for names and things that
    cannot be, and `UnitError` for a unit that does not fit.
    """
    if positional:
        names = _listed(name_of(thing, each) for each in named_by(thing))
        raise TypeError(f"{_says(thing)} takes its values by name: {names}")
    asked = _asked(thing, frozenset(values))
    numbers, several, with_units = [], False, False
    for name, quantity in asked.takes:
        value = values[name]
        if type(value) is not float:
            with_units = with_units or _has_unit(value)
            value = _in_base_units(name, quantity, value)
            several = several or not isinstance(value, float)
        numbers.append(value)
    result = _in_rows(thing, asked, numbers) if several else _at_once(thing, asked, numbers)
    if with_units and isinstance(thing, Formula):
        return registry().Quantity(result, unit(thing.unit))
    return result


def _at_once(thing: Called, asked: _Asked, numbers: list[float]) -> float | bool:
    result = asked.program.run(*numbers)
    if isinstance(thing, Condition):
        return bool(result)
    if math.isnan(result):
        raise _missing_value(thing, asked, numbers)
    return float(result)


def _in_rows(thing: Called, asked: _Asked, numbers: list[Any]) -> Any:
    import numpy as np

    try:
        shape = np.broadcast_shapes(*map(np.shape, numbers))
    except ValueError:
        shapes = (
            f"{name} is of shape {np.shape(number)}"
            for (name, _), number in zip(asked.takes, numbers, strict=True)
            if np.ndim(number)
        )
        raise ValueError(f"the arrays do not broadcast: {', '.join(shapes)}") from None
    program = _for_arrays(thing, frozenset(quantity for _, quantity in asked.takes))
    # NumPy divides its own numbers by zero, too, as it does arrays.
    result = program.run(*(each if np.ndim(each) else np.float64(each) for each in numbers))
    kind = np.bool_ if isinstance(thing, Condition) else np.float64
    found: Any = np.asarray(result, dtype=kind)
    if found.shape == shape and found.base is None and all(found is not each for each in numbers):
        return found
    return np.array(np.broadcast_to(found, shape))  # never what was handed in


def _missing_value(thing: Formula, asked: _Asked, numbers: list[float]) -> NoValue:
    """Give the error that says why there is no number."""
    values = {quantity: number for (_, quantity), number in zip(asked.takes, numbers, strict=True)}
    for each in asked.program.works:
        for premise in each.assuming if isinstance(each, Formula) else ():
            test = _program(premise, frozenset(values), Python, in_floats())
            if not test.run(*(values[quantity] for quantity in test.takes)):
                return without_value(_says(each), premise)
    nothing = [
        name for (name, _), number in zip(asked.takes, numbers, strict=True) if math.isnan(number)
    ]
    reason = f"because {_listed(nothing)} is NaN" if nothing else "because its body is not a number"
    return NoValue(f"{_says(thing)} has no value here, {reason}")


# What is called with what


@dataclass(frozen=True)
class _Program:
    """Compiled code: the quantities that it takes, in order, and all that it works out."""

    takes: tuple[Quantity, ...]
    works: tuple[Called | Relation, ...]
    run: Callable[..., Any]


@dataclass(frozen=True)
class _Asked:
    """How a set of names is answered: each name with what it means, in the program's order."""

    takes: tuple[tuple[str, Quantity], ...]
    program: _Program


@lru_cache(_KEPT)
def _asked(thing: Called, names: frozenset[str]) -> _Asked:
    """Find what names mean, and compile for them. Raises `TypeError` where they do not do."""
    known: dict[Quantity, str] = {}
    for name in sorted(names):
        quantity = _meant(thing, name)
        if quantity in known:
            raise TypeError(
                f"{_says(thing)} got {name_of(thing, quantity)} twice, as {known[quantity]!r} and "
                f"{name!r}"
            )
        known[quantity] = name
    takes, _ = path(thing, known)
    if not known.keys() >= takes.keys():
        _refuse_missing(thing, known, takes)
    unused = [name for quantity, name in known.items() if quantity not in takes]
    if unused:
        instead = _listed(known[quantity] for quantity in takes)
        raise TypeError(f"{_says(thing)} does not use {_listed(unused)} beside {instead}")
    program = _program(thing, frozenset(known), Python, in_floats())
    return _Asked(tuple((known[each], each) for each in program.takes), program)


@lru_cache(_KEPT)
def _for_arrays(thing: Called, known: frozenset[Quantity]) -> _Program:
    return _program(thing, known, NumPy, in_arrays())


def _program(
    thing: Called | Relation,
    known: frozenset[Quantity],
    notation: type[Notation],
    names: dict[str, Any],
) -> _Program:
    takes, works = path(thing, dict.fromkeys(known))
    variables = {each: f"given_{place}" for place, each in enumerate(takes)}
    lines = []
    for place, each in enumerate(works):
        text = assigned(each, notation, lambda leaf: Written(variables[leaf]), "nothing")
        lines.append(f"    value_{place} = {text}")
        if isinstance(each, Formula):
            variables[each] = f"value_{place}"
    inside = ", ".join(variables[each] for each in takes)
    result = f"    return value_{len(works) - 1}"
    source = "\n".join([f"def program({inside}):", *lines, result, ""])
    return _Program(tuple(takes), tuple(works), compiled(source, names))


def path(
    thing: Called | Relation, known: Mapping[Quantity, object]
) -> tuple[dict[Quantity, None], dict[Called | Relation, None]]:
    """Give what has to be there, and what is worked out from it, each after what it needs."""
    takes: dict[Quantity, None] = {}
    works: dict[Called | Relation, None] = {}

    def visit(each: Called | Relation) -> None:
        for need in _needs(each):
            if need in known or not isinstance(need, Formula):
                takes[need] = None
            elif need not in works:
                visit(need)
        works[each] = None

    visit(thing)
    return takes, works


def _needs(thing: Called | Relation) -> Iterable[Quantity]:
    """Give what has to have a value: neither a constant nor a bridge."""
    found = needs(thing)
    return (each for each in found if not isinstance(each, Constant | Bridge))


# Names


@lru_cache(_KEPT)
def named_by(thing: Called) -> tuple[Quantity, ...]:
    """Give what the body and the premises name."""
    return tuple(_needs(thing))


@lru_cache(_KEPT)
def _meanings(thing: Called) -> Mapping[str, tuple[Quantity, ...]]:
    """
    Give what each name means: one quantity, or several that it does not tell apart.

    A short name means what the body or a premise names, before anything further down.
    """
    if not thing.identity:
        raise TypeError(f"{thing.title!r} is in no book, so that its values have no names")
    found: dict[str, tuple[Quantity, ...]] = {}
    direct = dict.fromkeys(named_by(thing))
    for group in (direct, _below(thing, direct)):
        inner: dict[str, tuple[Quantity, ...]] = {}
        for each in group:
            for name in _ids(each):
                found[name] = (each,)
            short = _short(each)
            inner[short] = (*inner.get(short, ()), each)
        found = {**inner, **found}
    return found


def _below(thing: Called, direct: Mapping[Quantity, object]) -> Iterable[Quantity]:
    takes, works = path(thing, {})
    every = (*takes, *(each for each in works if isinstance(each, Formula) and each is not thing))
    return (each for each in every if each not in direct)


def _ids(quantity: Quantity) -> tuple[str, ...]:
    return (quantity.identity, *getattr(quantity, "formerly", ()))


def _short(quantity: Quantity) -> str:
    return quantity.identity.rpartition(".")[2]


def name_of(thing: Called, quantity: Quantity) -> str:
    """Give the shortest name that means a quantity."""
    short = _short(quantity)
    return short if _meanings(thing).get(short) == (quantity,) else quantity.identity


def _meant(thing: Called, name: str) -> Quantity:
    meanings = _meanings(thing)
    found = meanings.get(name, ())
    if len(found) == 1:
        return found[0]
    if found:
        ids = [each.identity for each in found]
        raise TypeError(
            f"{_says(thing)} comes down to {_listed(ids)}, and {name!r} may be each of them; "
            f'write **{{"{ids[0]}": …}}'
        )
    near = [name_of(thing, each) for (each, *_) in meanings.values() if each.symbol == name]
    if not near:
        close = get_close_matches(name, meanings, n=3, cutoff=0.6)
        near = [name_of(thing, meanings[each][0]) for each in close]
    near = list(dict.fromkeys(near))
    there = _listed(name_of(thing, each) for each in named_by(thing))
    hint = f"did you mean {' or '.join(near)}?" if near else f"there is {there}"
    raise TypeError(f"{_says(thing)} takes no {told(name)}; {hint}")


def _refuse_missing(
    thing: Called, known: Mapping[Quantity, str], takes: Iterable[Quantity]
) -> NoReturn:
    missing = [each for each in takes if each not in known]
    first = [
        each
        for each in named_by(thing)
        if each not in known
        and (not isinstance(each, Formula) or path(each, known)[0].keys() - known.keys())
    ]
    text = _listed(f"{name_of(thing, each)} ({each.unit})" for each in first)
    deeper = [name_of(thing, each) for each in missing if each not in first]
    rest = f"; to work it out instead takes {_listed(deeper)}" if deeper else ""
    raise TypeError(f"{_says(thing)} is missing {text}{rest}")


def _says(thing: Any) -> str:
    return thing.identity or repr(getattr(thing, "title", thing))


def _listed(names: Iterable[str]) -> str:
    *before, last = (*names,) or ("nothing",)
    return f"{', '.join(before)} and {last}" if before else last


# Values


def _has_unit(value: Any) -> bool:
    """Tell whether a value is a pint quantity, of any registry."""
    return hasattr(value, "magnitude") and hasattr(value, "unit_items")


def _in_base_units(name: str, quantity: Quantity, value: Any) -> Any:
    """Give a value as a float, or as an array of float64."""
    if not _has_unit(value):
        return _number(name, quantity, value)
    wanted = "a pure number" if quantity.unit == "1" else f"in {quantity.unit}"
    try:
        found = measure_of(value)
    except UnitError as problem:
        raise UnitError(f"{name} should be {wanted}; {problem}") from None
    if dict(found.dimensions) != dimensions(quantity.unit):
        is_in = f"in {value.units}" if found.dimensions else "a pure number"
        raise UnitError(f"{name} is {is_in}; it should be {wanted}")
    number = _number(name, quantity, value.magnitude)
    if found.factor == 1:
        return number
    # Of whole numbers, so that a prefix costs one rounding.
    return number * float(found.factor.numerator) / float(found.factor.denominator)


def _number(name: str, quantity: Quantity, value: Any) -> Any:
    if isinstance(value, Real) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            raise TypeError(f"{name} is larger than any float") from None
    if hasattr(value, "__array__") or isinstance(value, list | tuple | range):
        return _array(name, quantity, value)
    raise TypeError(f"{name} is {told(value)}; {_should_be(quantity)}")


def _array(name: str, quantity: Quantity, value: Any) -> Any:
    import numpy as np

    if isinstance(value, list | tuple) and any(map(_has_unit, value)):
        raise TypeError(f"{name} is a list of pint quantities; it should be one, of an array")
    try:
        raw = np.asarray(value)
    except ValueError:
        raise TypeError(f"{name} is ragged; {_should_be(quantity)}") from None
    if (raw.size and raw.dtype.kind not in "iuf") or np.ma.is_masked(value):
        raise TypeError(f"{name} should be an array of numbers, and of nothing else")
    return raw.astype(np.float64, copy=False) if raw.ndim else float(raw)


def _should_be(quantity: Quantity) -> str:
    return f"it should be a number, an array of numbers or a pint quantity ({quantity.unit})"
