"""The symbolic side of an entry: LaTeX to exchange, MathML for the page."""

from __future__ import annotations

from functools import cache

from derivations.book import BOOK
from derivations.language.algebra import Relation, Term
from derivations.language.contents import Entry
from derivations.language.declare import (
    Approximation,
    Claim,
    Condition,
    Crossing,
    Derivation,
    Equivalence,
    Formula,
    relation_of,
)
from derivations.language.notation.latex import latex, latex_symbol
from derivations.language.notation.mathml import mathml, mathml_symbol


@cache
def latex_of(entry: Entry) -> str:
    """Give an entry as LaTeX that GitHub, MathJax and KaTeX accept."""
    match entry:
        case Formula():
            return f"{latex_symbol(entry.symbol)} = {latex(entry.body)}"
        case Approximation():
            return rf"{latex(entry.exact)} \approx {latex(entry.simple)}"
        case Claim(Equivalence(left, right)):
            return rf"{latex(left)} \iff {latex(right)}"
        case Claim(Relation() as relation):
            return r" \implies ".join([*map(premise_of, entry.under), latex(relation)])
        case Condition() | Crossing():
            return latex(entry.relation)
        case Derivation():
            rows = [rf"& {latex(each)}" for each in entry.steps]
            return r"\begin{split}" + r" \\ = ".join(rows) + r"\end{split}"
    raise TypeError(f"{entry!r} is not written as a formula")


@cache
def mathml_of(entry: Entry) -> str:
    """Give an entry as MathML, in which every symbol is marked with its quantity."""
    match entry:
        case Formula():
            name = mathml_symbol(entry, BOOK.id_of(entry))
            return _math(f"{name}<mo>=</mo>{_written(entry.body)}")
        case Approximation():
            return _math(f"{_written(entry.exact)}<mo>&#x2248;</mo>{_written(entry.simple)}")
        case Claim(Equivalence(left, right)):
            return _math(f"{_written(left)}<mo>&#x21D4;</mo>{_written(right)}")
        case Claim(Relation() as relation):
            given = [_written(relation_of(each)) for each in entry.under]
            return _math("<mo>&#x21D2;</mo>".join([*given, _written(relation)]))
        case Condition() | Crossing():
            return _math(_written(entry.relation))
        case Derivation():
            rows = "".join(_row(each, first=place == 0) for place, each in enumerate(entry.steps))
            return _math(f'<mtable displaystyle="true">{rows}</mtable>')
    raise TypeError(f"{entry!r} is not written as a formula")


def inline(written: str) -> str:
    """Put MathML into a line of text."""
    return f"<math><mrow>{written}</mrow></math>"


def premise_of(premise: Relation | Condition) -> str:
    """Give a premise as LaTeX."""
    return latex(relation_of(premise))


def _row(step: Term, *, first: bool) -> str:
    sign = "<mtext></mtext>" if first else "<mo>=</mo>"
    return f"<mtr><mtd>{sign}</mtd><mtd>{_written(step)}</mtd></mtr>"


def _written(node: Term | Relation) -> str:
    return mathml(node, BOOK.id_of)


def _math(inner: str) -> str:
    return f'<math display="block"><mrow>{inner}</mrow></math>'
