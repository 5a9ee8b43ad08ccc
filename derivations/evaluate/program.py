"""The whole book as one straight-line function, in each of its languages, from the same trees."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from derivations.language.algebra import Call, Quantity, Relation, Term, leaves, nodes, read
from derivations.language.contents import Book
from derivations.language.declare import Bridge, Condition, Constant, Formula, Given
from derivations.language.notation.code import assigned
from derivations.language.notation.javascript import JavaScript
from derivations.language.notation.python import ExactPython, NumPy, Python
from derivations.language.notation.writing import Notation, Written
from derivations.language.running import compiled, in_arrays, in_floats


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

    for identity in outputs(book):
        entry = book.entries[identity]
        assert isinstance(entry, Formula | Condition)
        yield variable(identity), assigned(entry, notation, leaf, nothing)


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


def for_floats(book: Book) -> Callable[..., tuple[Any, ...]]:
    """Compile the book for one configuration of floats. What has no value is NaN."""
    return compiled(python_source(book), in_floats())


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
    return compiled(python_source(book, ExactPython), names)


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
    return tuple(names), compiled(source, {"Fraction": Fraction, **functions, **wholes})


def for_arrays(book: Book) -> Callable[..., tuple[Any, ...]]:
    """Compile the book for arrays of float64, of shapes that broadcast."""
    return compiled(python_source(book, NumPy), in_arrays())


def given_order(book: Book) -> tuple[Given, ...]:
    """Give the givens in the order in which a program takes them."""
    return tuple(book.givens.values())
