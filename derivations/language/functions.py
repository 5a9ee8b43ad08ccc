"""The table of functions: one row says what a function means, how it is written, what it keeps."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from derivations.language.algebra import Call, NotATerm, Number, Term, as_term

UnitRule: TypeAlias = Literal["same", "pure", "root"]


@dataclass(frozen=True, kw_only=True)
class Function:
    """
    A row of the table. Called on terms, it gives a term.

    In the spellings, ``{}`` stands for the arguments, joined by the notation's comma.
    """

    name: str
    arity: tuple[int, int]
    unit: UnitRule
    """"same": all arguments in one unit, and the result too; "pure": no unit in or out;
    "root": half of each exponent."""
    meaning: Callable[..., Any]
    """The sympy expression, from the sympy module (imported late) and the arguments."""
    exact: Callable[..., Any]
    """The value, exact for fractions where there is an exact one."""
    plain: str
    latex: str
    mathml: str
    python: str
    """A name in the namespaces of `evaluate`: math's for floats, NumPy's for arrays."""
    javascript: str
    same_everywhere: bool = True
    """Whether Python, NumPy and JavaScript give the same bits (IEEE 754 asks for it)."""

    def __call__(self, *arguments: Term | int) -> Call:
        least, most = self.arity
        if not least <= len(arguments) <= most:
            takes = f"{least} to {most} terms" if least < most else f"{least} term"
            raise NotATerm(f"{self.name} takes {takes}, not {len(arguments)}")
        return Call(self, tuple(as_term(each) for each in arguments))


def _float(function: Callable[[float], float]) -> Callable[[Any], Fraction]:
    return lambda value: Fraction(function(float(value)))


def _comma_mathml(name: str) -> str:
    return f"<mrow><mi>{name}</mi><mo>&#x2061;</mo><mo>(</mo>{{}}<mo>)</mo></mrow>"


maximum = Function(
    name="maximum",
    arity=(2, 9),
    unit="same",
    meaning=lambda sympy, *terms: sympy.Max(*terms),
    exact=max,
    plain="max({})",
    latex=r"\max\left({}\right)",
    mathml=_comma_mathml("max"),
    python="maximum({})",
    javascript="Math.max({})",
)
minimum = Function(
    name="minimum",
    arity=(2, 9),
    unit="same",
    meaning=lambda sympy, *terms: sympy.Min(*terms),
    exact=min,
    plain="min({})",
    latex=r"\min\left({}\right)",
    mathml=_comma_mathml("min"),
    python="minimum({})",
    javascript="Math.min({})",
)
ceiling = Function(
    name="ceiling",
    arity=(1, 1),
    unit="same",
    meaning=lambda sympy, term: sympy.ceiling(term),
    exact=lambda value: Fraction(math.ceil(value)),
    plain="ceil({})",
    latex=r"\left\lceil {} \right\rceil",
    mathml="<mrow><mo>&#x2308;</mo>{}<mo>&#x2309;</mo></mrow>",
    python="ceil({})",
    javascript="Math.ceil({})",
)
floor = Function(
    name="floor",
    arity=(1, 1),
    unit="same",
    meaning=lambda sympy, term: sympy.floor(term),
    exact=lambda value: Fraction(math.floor(value)),
    plain="floor({})",
    latex=r"\left\lfloor {} \right\rfloor",
    mathml="<mrow><mo>&#x230A;</mo>{}<mo>&#x230B;</mo></mrow>",
    python="floor({})",
    javascript="Math.floor({})",
)
square_root = Function(
    name="square_root",
    arity=(1, 1),
    unit="root",
    meaning=lambda sympy, term: sympy.sqrt(term),
    exact=_float(math.sqrt),
    plain="sqrt({})",
    latex=r"\sqrt{{}}",
    mathml="<msqrt>{}</msqrt>",
    python="sqrt({})",
    javascript="Math.sqrt({})",
)
exponential = Function(
    name="exponential",
    arity=(1, 1),
    unit="pure",
    meaning=lambda sympy, term: sympy.exp(term),
    exact=_float(math.exp),
    plain="exp({})",
    latex=r"\exp\left({}\right)",
    mathml=_comma_mathml("exp"),
    python="exp({})",
    javascript="Math.exp({})",
    same_everywhere=False,
)
binary_logarithm = Function(
    name="binary_logarithm",
    arity=(1, 1),
    unit="pure",
    meaning=lambda sympy, term: sympy.log(term, 2),
    exact=_float(math.log2),
    plain="log2({})",
    latex=r"\log_2\left({}\right)",
    mathml="<mrow><msub><mi>log</mi><mn>2</mn></msub><mo>&#x2061;</mo>"
    "<mo>(</mo>{}<mo>)</mo></mrow>",
    python="log2({})",
    javascript="Math.log2({})",
    same_everywhere=False,
)

FUNCTIONS = (
    maximum,
    minimum,
    ceiling,
    floor,
    square_root,
    exponential,
    binary_logarithm,
)


def positive_part(inner: Term) -> Call:
    """Give the term itself, or zero where it is negative."""
    return Call(maximum, (Number(0), as_term(inner)))
