"""A formula called like a function: on floats, on arrays, and on quantities with units."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import reduce
from typing import Any

from derivations.language.algebra import Comparison, Exact, Quantity, leaves, read
from derivations.language.declare import Bridge, Condition, Constant, Formula, relation_of
from derivations.language.functions import Function
from derivations.language.notation.plain import symbols


class NoValue(ArithmeticError):
    """A quantity has no value here: a premise does not hold, or the configuration lacks it."""


def called(formula: Formula, positional: tuple[Any, ...], values: Mapping[str, Any]) -> Any:
    """
    Work a formula out from the values of quantities, by their symbols.

    What is named has the value that is given; what is not named is worked out from what it is made
    of. Floats give a float, arrays (which broadcast) an array of float64. Where one of the values
    is a pint quantity, so is the result; numbers without a unit are in the declared unit. Where a
    premise does not hold, a float raises `NoValue`, and an array is NaN.

    Raises `TypeError` for names that are missing or unknown, and `UnitError` for units that do not
    fit.
    """
    if positional:
        names = ", ".join(each.symbol for each in arguments(formula))
        raise TypeError(f"{formula.symbol} takes its values by name: {names}")
    known = {each.symbol: each for each in _below(formula)}
    for name in values:
        if name not in known:
            raise TypeError(_unknown(formula, name, known))
    with_units = any(_has_unit(each) for each in values.values())
    numbers = {known[name]: _number(known[name], each) for name, each in values.items()}
    missing = [each.symbol for each in _missing(formula, frozenset(numbers))]
    if missing:
        raise TypeError(f"{formula.symbol} lacks a value of {', '.join(missing)}")
    result = _worked_out(formula, numbers)
    if not with_units:
        return result
    from derivations.language.units import registry, unit

    return registry().Quantity(result, unit(formula.unit))


def arguments(formula: Formula) -> tuple[Quantity, ...]:
    """Give the quantities that a formula names itself, and that have a value to be given."""
    named = [*leaves(formula.body)]
    for premise in formula.assuming:
        named.extend(leaves(relation_of(premise)))
    return tuple(each for each in dict.fromkeys(named) if not isinstance(each, Constant | Bridge))


def signature(formula: Formula) -> inspect.Signature:
    """Give the names that a formula takes, each with its unit. Others below it may stand in."""
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Signature(
        [inspect.Parameter(each.symbol, kind, annotation=each.unit) for each in arguments(formula)],
        return_annotation=formula.unit,
    )


def described(formula: Formula) -> str:
    """Say what a formula is, and what it is called with."""
    rows = "\n".join(
        f"    {each.symbol}: {getattr(each, 'title', '')}, in {each.unit}"
        for each in arguments(formula)
    )
    source = formula.source
    return (
        f"{formula.title}: {formula.symbol} = {symbols(formula.body)}, in {formula.unit}.\n\n"
        f"{formula.says}\n\n"
        f"Called by the symbols of what it is made of, or of what those are made of:\n{rows}\n\n"
        f"Source: {source.work.title}, {source.place}, {source.work.url}"
    )


def _below(formula: Formula) -> Iterator[Quantity]:
    """Give every quantity below a formula that may be named, those that it names itself first."""
    waiting, seen = list(arguments(formula)), set()
    while waiting:
        each = waiting.pop(0)
        if each not in seen:
            seen.add(each)
            yield each
            if isinstance(each, Formula):
                waiting.extend(arguments(each))


def _missing(formula: Formula, there: frozenset[Quantity]) -> Iterator[Quantity]:
    """Give what a formula needs and cannot be worked out from what is there."""
    seen: set[Quantity] = set()

    def walk(each: Quantity) -> Iterator[Quantity]:
        if each in there or each in seen:
            return
        seen.add(each)
        if isinstance(each, Formula):
            for part in arguments(each):
                yield from walk(part)
        else:
            yield each

    for part in arguments(formula):
        yield from walk(part)


def _unknown(formula: Formula, name: str, known: Mapping[str, Quantity]) -> str:
    near = get_close_matches(name, known, n=2, cutoff=0.5)
    takes = ", ".join(each.symbol for each in arguments(formula))
    hint = f"did you mean {' or '.join(near)}?" if near else f"it takes {takes}"
    return f"{formula.symbol} is not made of anything called {name}; {hint}"


def _has_unit(value: Any) -> bool:
    return hasattr(value, "units") and hasattr(value, "magnitude")


def _number(quantity: Quantity, value: Any) -> Any:
    """Give a value as a float or an array of float64, in the declared unit."""
    if _has_unit(value):
        from pint import DimensionalityError, UndefinedUnitError

        from derivations.language.units import UnitError, registry, unit

        try:
            ours = registry().Quantity(value.magnitude, str(value.units))
            value = ours.to(unit(quantity.unit)).magnitude
        except (DimensionalityError, UndefinedUnitError, AttributeError) as problem:
            raise UnitError(
                f"{quantity.symbol} is in {value.units}; it should be in {quantity.unit}"
            ) from problem
    if isinstance(value, bool | str | bytes):
        raise TypeError(f"{quantity.symbol} is {value!r}; it should be a number")
    if getattr(value, "ndim", None) != 0 and hasattr(value, "__len__"):
        import numpy as np

        try:
            return np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            raise TypeError(f"{quantity.symbol} should be an array of numbers") from None
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{quantity.symbol} is {value!r}; it should be a number") from None


def _worked_out(formula: Formula, numbers: Mapping[Quantity, Any]) -> Any:
    arrays = any(hasattr(each, "shape") for each in numbers.values())
    values: dict[Quantity, Any] = dict(numbers)

    def leaf(quantity: Quantity) -> Any:
        if quantity not in values:
            values[quantity] = work_out(quantity)
        return values[quantity]

    def work_out(quantity: Quantity) -> Any:
        match quantity:
            case Constant(value):
                return float(value)
            case Bridge():
                return 1.0
            case Formula():
                return with_premises(quantity)
        raise TypeError(f"{quantity.symbol} has no value")

    reading: _Floats = _Arrays(leaf) if arrays else _Floats(leaf)

    def with_premises(each: Formula) -> Any:
        holds: Any = True
        for premise in each.assuming:
            relation = relation_of(premise)
            true = read(relation, reading)
            if not arrays and not true:
                why = f": {premise.otherwise}" if isinstance(premise, Condition) else ""
                raise NoValue(
                    f"{each.symbol} has no value here, because {symbols(relation)} does not hold"
                    f"{why}"
                )
            holds = true & holds if arrays else True
        if not arrays:
            return read(each.body, reading)
        import numpy as np

        with np.errstate(all="ignore"):
            return np.where(holds, read(each.body, reading), np.nan)

    result = with_premises(formula)
    return result if not arrays else result + 0.0


_SCALARS: dict[str, Callable[..., float]] = {
    "maximum": max,
    "minimum": min,
    "ceil": lambda value: float(math.ceil(value)),
    "floor": lambda value: float(math.floor(value)),
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log2": math.log2,
}


@dataclass(frozen=True)
class _Floats(Exact):
    """The value of a tree in floats: the same operations as in the program of the book."""

    leaf: Callable[[Quantity], Any]

    def number(self, value: int) -> Any:
        return float(value)

    def call(self, function: Function, arguments: tuple[Any, ...]) -> Any:
        return _SCALARS[function.python.partition("(")[0]](*arguments)


@dataclass(frozen=True)
class _Arrays(_Floats):
    """The value of a tree in arrays, which broadcast."""

    def call(self, function: Function, arguments: tuple[Any, ...]) -> Any:
        import numpy as np

        name = function.python.partition("(")[0]
        if name in ("maximum", "minimum"):
            return reduce(getattr(np, name), arguments)
        return getattr(np, name)(*arguments)

    def choice(self, condition: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        import numpy as np

        with np.errstate(all="ignore"):
            return np.where(condition, then(), otherwise())

    def relation(self, sign: Comparison, left: Any, right: Any) -> Any:
        import numpy as np

        compare = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}
        return compare.get(sign, np.equal)(left, right)
