"""Examine a whole book and report everything that is wrong with it, not only the first fault."""

from __future__ import annotations

from derivations.check.fault import Fault
from derivations.check.proofs import (
    NotSo,
    may_have_no_value,
    refuse_without_value,
    solution,
    verdicts,
)
from derivations.check.report import Report, Verdict
from derivations.check.units import unit_faults
from derivations.check.wording import wording_faults
from derivations.language.contents import Book
from derivations.language.notation.plain import symbols


def examine(book: Book) -> Report:
    """
    Check names, units, steps and claims.

    Statements are tried only in a book whose words and units fit: a sum of bytes and tokens
    has no truth.
    """
    faults = list(wording_faults(book))
    for identity, entry in book.entries.items():
        faults.extend(unit_faults(book, identity, entry))
    if faults:
        return Report(tuple(faults), {})
    found: dict[str, tuple[Verdict, ...]] = {}
    for identity, statement in book.statements.items():
        results = list(verdicts(identity, statement))
        faults.extend(each for each in results if isinstance(each, Fault))
        found[identity] = tuple(each for each in results if isinstance(each, Verdict))
    for identity, formula in book.formulas.items():
        if may_have_no_value(formula):
            try:
                refuse_without_value(identity, formula)
            except NotSo as problem:
                faults.append(Fault(identity, str(problem)))
        if formula.solves is None:
            continue
        relation = formula.solves.relation
        what = f"{symbols(relation.left)} = {symbols(relation.right)} at {formula.symbol}"
        try:
            verdict = solution(formula, formula.solves)(identity, what)
            found[identity] = (verdict,)
        except NotSo as problem:
            faults.append(Fault(identity, str(problem)))
    return Report(tuple(faults), found)
