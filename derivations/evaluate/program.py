"""The whole book as one straight-line function, in each of its languages, from the same trees."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from derivations.language.algebra import Call, Quantity, Relation, Term, leaves, nodes, read
from derivations.language.contents import Book
from derivations.language.declare import Bridge, Condition, Constant, Formula, Given, relation_of
from derivations.language.notation.javascript import JavaScript
from derivations.language.notation.python import ExactPython, NumPy, Python
from derivations.language.notation.writing import Leaf, Notation, Written


def variable(identity: str) -> str:
    """Give the name of a quantity in code: ``decode.step_time`` → ``decode__step_time``."""
    return identity.replace(".", "__")


def outputs(book: Book) -> tuple[str, ...]:
    """Give the ids of what a program works out: every formula and condition, in book order."""
    return tuple(
        name for name, each in book.entries.items() if isinstance(each, Formula | Condition)
    )


def _assignments(book: Book, notation: type[Notation], nothing: str) -> Iterator[tuple[str, str]]:
    """Give a name and its expression for each formula and condition, in book order."""

    def leaf(quantity: Quantity) -> Written:
        return Written(variable(book.id_of(quantity)))

    def written(node: Term | Relation, leaf: Leaf) -> Written:
        return read(node, notation(leaf))

    for identity in outputs(book):
        entry = book.entries[identity]
        if isinstance(entry, Condition):
            yield variable(identity), written(entry.relation, leaf).text
            continue
        assert isinstance(entry, Formula)
        value = written(entry.body, leaf)
        for premise in entry.assuming:
            holds = written(relation_of(premise), leaf)
            value = notation(leaf).choice(holds, _always(value), _always(Written(nothing)))
        yield variable(identity), value.text


def _always(written: Written) -> Callable[[], Written]:
    return lambda: written


def python_source(book: Book, notation: type[Notation] = Python) -> str:
    """Give the source of ``program(givens…)``, which returns the values of `outputs`."""
    givens = ", ".join(variable(each) for each in book.givens)
    lines = [f"    {name} = {text}" for name, text in _assignments(book, notation, "nothing")]
    results = ", ".join(variable(each) for each in outputs(book))
    return "\n".join([f"def program({givens}):", *lines, f"    return ({results},)", ""])


def javascript_source(book: Book) -> str:
    """
    Give an ES module that exports ``program(givens)``: from an object by id to one by id.

    What has no value in a configuration is NaN.
    """
    givens = [f'  const {variable(each)} = givens["{each}"];' for each in book.givens]
    lines = [f"  const {name} = {text};" for name, text in _assignments(book, JavaScript, "NaN")]
    results = [f'    "{each}": {variable(each)},' for each in outputs(book)]
    body = "\n".join([*givens, *lines, "  return {", *results, "  };"])
    return f"export function program(givens) {{\n{body}\n}}\n"


def _compiled(source: str, names: dict[str, Any]) -> Callable[..., tuple[Any, ...]]:
    """Compile source that was written from the book's own trees, and from nothing else."""
    space = dict(names)
    exec(compile(source, "<book>", "exec"), space)
    program: Callable[..., tuple[Any, ...]] = space["program"]
    return program


def for_floats(book: Book) -> Callable[..., tuple[Any, ...]]:
    """Compile the book for one configuration of floats. What has no value is NaN."""
    names = {
        "maximum": max,
        "minimum": min,
        "ceil": lambda value: float(math.ceil(value)),
        "floor": lambda value: float(math.floor(value)),
        "sqrt": math.sqrt,
        "exp": math.exp,
        "log2": math.log2,
        "nothing": math.nan,
    }
    return _compiled(python_source(book), names)


def for_fractions(book: Book) -> Callable[..., tuple[Any, ...]]:
    """Compile the book for one configuration of exact fractions. What has no value is NaN."""
    names = {
        "Fraction": Fraction,
        "maximum": max,
        "minimum": min,
        "ceil": lambda value: Fraction(math.ceil(value)),
        "floor": lambda value: Fraction(math.floor(value)),
        "nothing": math.nan,
    }
    return _compiled(python_source(book, ExactPython), names)


class _Bound(ExactPython):
    """Python for fractions, whose whole numbers are made once and not at each call."""

    def number(self, value: int) -> Written:
        return Written(f"whole_{value}") if value >= 0 else super().number(value)


def for_term(node: Term | Relation) -> tuple[tuple[Quantity, ...], Callable[..., Any]]:
    """Compile one tree for exact fractions: give the quantities that it takes, and a function."""
    found = (each for each in leaves(node) if not isinstance(each, Bridge | Constant))
    names = {each: f"term_{place}" for place, each in enumerate(dict.fromkeys(found))}
    text = read(node, _Bound(lambda quantity: Written(names[quantity]))).text
    wholes = {f"whole_{each}": Fraction(int(each)) for each in re.findall(r"whole_(\d+)", text)}
    functions = {
        each.function.python.partition("(")[0]: each.function.exact
        for each in nodes(node)
        if isinstance(each, Call)
    }
    source = f"def program({', '.join(names.values())}):\n    return {text}\n"
    return tuple(names), _compiled(source, {"Fraction": Fraction, **functions, **wholes})


def for_arrays(book: Book) -> Callable[..., tuple[Any, ...]]:
    """Compile the book for arrays of float64, of shapes that broadcast."""
    from functools import reduce

    import numpy as np

    def choose(condition: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        if not np.ndim(condition):  # the same in all rows
            return then() if condition else otherwise()
        if not np.ndim(condition):  # the same in all rows
            return then() if condition else otherwise()
        # The branch that is not taken may divide by zero; what comes of it is thrown away.
        with np.errstate(all="ignore"):
            return np.where(condition, then(), otherwise())

    names = {
        "maximum": lambda *terms: reduce(np.maximum, terms),
        "minimum": lambda *terms: reduce(np.minimum, terms),
        "ceil": np.ceil,
        "floor": np.floor,
        "sqrt": np.sqrt,
        "exp": np.exp,
        "log2": np.log2,
        "choose": choose,
        "nothing": np.nan,
    }
    return _compiled(python_source(book, NumPy), names)


def given_order(book: Book) -> tuple[Given, ...]:
    """Give the givens in the order in which a program takes them."""
    return tuple(book.givens.values())
