"""Whether two formulas have the same value: proven, sampled, up to a factor, or not at all."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import msgspec

from derivations.check.proofs import SAMPLES, TRIES, proves_equal
from derivations.check.samples import Sample, counterexample
from derivations.language.algebra import Call, Number, Quantity, Relation, Term, leaves, nodes
from derivations.language.declare import Formula, Given
from derivations.language.functions import (
    binary_logarithm,
    exponential,
    square_root,
)

_IN_FLOATS = (square_root, exponential, binary_logarithm)
_NEARLY = Fraction(1, 10**12)


class Verdict(msgspec.Struct, frozen=True):
    """How the value of a formula is related to the one that it had, all else being as it is now."""

    says: Literal["same", "factor", "different", "unknown"]
    how: Literal["proven", "sampled", ""] = ""
    samples: int = 0
    factor: str = ""
    """By how much it is larger now, as a fraction."""
    reason: str = ""
    """Why nothing can be said, or a configuration in which they differ."""


def verdict(before: Term, after: Term, under: tuple[Relation, ...], seed: str) -> Verdict:
    """Compare two terms in the same quantities, wherever both have a value and *under* holds."""
    nearly = _worked_out_in_floats(before) or _worked_out_in_floats(after)
    if proves_equal(before, after, under, seed):
        return Verdict("same", "proven")
    values: list[tuple[Any, Any]] = []

    def differs(sample: Sample) -> bool:
        old, new = sample.value(before), sample.value(after)
        values.append((old, new))
        return not _alike(old, new, nearly)

    sample, met = counterexample(seed, SAMPLES, TRIES, under, differs)
    if sample is None:
        if met < SAMPLES:
            return Verdict("unknown", reason=f"both have a value in {met} of {TRIES} samples")
        return Verdict("same", "sampled", met)
    old, new = values[-1]
    if old and new:
        found = _by_a_factor(before, after, Fraction(new) / Fraction(old), under, seed, nearly)
        if found is not None:
            return found
    chosen = ", ".join(
        f"{each.symbol} = {_short(value)}"
        for each, value in sample.values.items()
        if isinstance(each, Given)
    )
    return Verdict("different", reason=f"with {chosen}" if chosen else "")


def _by_a_factor(
    before: Term,
    after: Term,
    factor: Fraction,
    under: tuple[Relation, ...],
    seed: str,
    nearly: bool,
) -> Verdict | None:
    """Give the verdict where one is a constant multiple of the other, by a factor from a sample."""
    if not nearly:
        multiple: Term = before * _count(factor.numerator)
        multiple = multiple / _count(factor.denominator) if factor.denominator > 1 else multiple
        if proves_equal(multiple, after, under, seed):
            return Verdict("factor", "proven", factor=str(factor))

    def differs(sample: Sample) -> bool:
        return not _alike(sample.value(before) * factor, sample.value(after), nearly)

    sample, met = counterexample(seed, SAMPLES, TRIES, under, differs)
    if sample is not None or met < SAMPLES:
        return None
    return Verdict("factor", "sampled", met, str(factor))


def _count(value: int) -> Term:
    return Number(value) if value >= 0 else -Number(-value)


def _alike(old: Any, new: Any, nearly: bool) -> bool:
    if not nearly or old == new:
        return bool(old == new)
    return bool(abs(old - new) <= _NEARLY * max(abs(old), abs(new)))


def _worked_out_in_floats(term: Term) -> bool:
    """Tell whether a term has functions in it, at any depth, that have no exact value."""
    if any(isinstance(each, Call) and each.function in _IN_FLOATS for each in nodes(term)):
        return True
    return any(_worked_out_in_floats(each.body) for each in _formulas(term))


def _formulas(term: Term) -> list[Formula]:
    found: list[Quantity] = list(leaves(term))
    return [each for each in found if isinstance(each, Formula)]


def _short(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{float(value):.6g}"
