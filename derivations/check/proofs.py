"""Whether statements follow: proven with sympy where that can decide, sampled where it cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any, TypeGuard

from derivations.check.fault import Fault
from derivations.check.report import Verdict
from derivations.check.samples import NoValue, Sample, counterexample
from derivations.language.algebra import (
    Call,
    Choice,
    Number,
    Operation,
    Relation,
    Term,
    leaves,
    nodes,
    parts,
)
from derivations.language.declare import (
    Approximation,
    Bridge,
    Claim,
    Constant,
    Crossing,
    Derivation,
    Equivalence,
    Formula,
    Given,
    Premise,
    Statement,
    Unknown,
    relation_of,
)
from derivations.language.functions import Function, ceiling, floor, maximum, minimum
from derivations.language.notation.plain import symbols

SAMPLES = 200
TRIES = 20_000


class NotSo(ValueError):
    """A statement that does not hold, or that nothing could be said about."""


def verdicts(identity: str, statement: Statement) -> Iterator[Verdict | Fault]:
    """Give a verdict for each part of a statement that holds, and a fault for each other."""
    for what, decide in _parts(statement):
        try:
            yield decide(f"{identity}: {what}", what)
        except NotSo as problem:
            yield Fault(identity, str(problem))


Decision = Callable[[str, str], Verdict]


def _parts(statement: Statement) -> Iterator[tuple[str, Decision]]:
    match statement:
        case Derivation(of, steps):
            for before, after in pairwise(steps):
                what = f"{symbols(before)} = {symbols(after)}"
                yield what, _equality(before, after, statement.under)
            what = f"{symbols(steps[-1])} = {of.symbol}"
            yield what, _equality(steps[-1], of, statement.under)
        case Claim(Equivalence() as pair):
            what = f"{symbols(pair.left)} exactly when {symbols(pair.right)}"
            yield what, _equivalence(pair, statement.under)
        case Claim(Relation("==", left, right) as relation):
            yield symbols(relation), _equality(left, right, statement.under)
        case Claim(Relation() as relation):
            yield symbols(relation), _inequality(relation, statement.under)
        case Approximation():
            what = f"{symbols(statement.exact)} → {symbols(statement.simple)}"
            yield what, _limit(statement)
        case Crossing():
            yield from ()


def solution(formula: Formula, crossing: Crossing) -> Decision:
    """Decide whether a formula is where both sides of a crossing are equal."""
    relation = crossing.relation

    def decide(seed: str, what: str) -> Verdict:
        from derivations.language.meaning import meaning_in_givens, symbol_of

        gap = meaning_in_givens(relation.left) - meaning_in_givens(relation.right)
        at = gap.subs(symbol_of(crossing.unknown), formula.expression())
        if not _vanishes(at):
            raise NotSo(
                f"at {crossing.unknown.symbol} = {symbols(formula.body)} the sides of "
                f"{symbols(relation)} are not equal"
            )
        return Verdict(what, "proven")

    return decide


def may_have_no_value(formula: Formula) -> bool:
    """Tell whether a formula has premises, or divides by something that may be zero."""
    divisors = (each.right for each in nodes(formula.body) if _divides(each))
    return bool(formula.assuming) or any(map(_may_be_zero, divisors))


def _divides(node: Term | Relation) -> TypeGuard[Operation]:
    return isinstance(node, Operation) and node.sign == "/"


def _may_be_zero(divisor: Term) -> bool:
    """Tell whether something that may be zero stands anywhere below."""
    return any(
        each.least == 0 if isinstance(each, Given) else _may_be_zero(each.body)
        for each in leaves(divisor)
        if isinstance(each, Given | Formula)
    )


def _surely_has_a_value(formula: Formula, premises: tuple[Premise, ...]) -> bool:
    """Tell whether premises give a formula its value at a glance, down to the givens."""
    if any(each not in premises for each in formula.assuming):
        return False
    for node in nodes(formula.body):
        match node:
            case Call(function=Function() as function) if function not in _EVERYWHERE:
                return False
            case Operation("^") | Choice():
                return False
            case Operation("/", right=divisor) if _sign_at_a_glance(divisor) < _POSITIVE:
                return False
            case Formula() if not _surely_has_a_value(node, premises):
                return False
    return True


_EVERYWHERE = (maximum, minimum, ceiling, floor)
"""Functions that have a value wherever what they are applied to has one."""


_UNKNOWN, _NOT_NEGATIVE, _POSITIVE = range(3)


@cache
def _sign_at_a_glance(term: Term) -> int:
    """Tell what sign a term has wherever it has a value, as far as its parts show it."""
    match term:
        case Given(least=least):
            return _POSITIVE if least > 0 else _NOT_NEGATIVE if least == 0 else _UNKNOWN
        case Formula(body=body):
            return _sign_at_a_glance(body)
        case Constant() | Bridge():
            return _POSITIVE
        case Number(value):
            return _POSITIVE if value else _NOT_NEGATIVE
    signs = [_sign_at_a_glance(each) for each in parts(term) if isinstance(each, Term)]
    match term:
        case Operation("+"):
            return max(signs) if min(signs) else _UNKNOWN
        case Operation("*" | "/"):
            return min(signs)
        case Call(function=function) if function is maximum:
            return max(signs)
        case Call(function=function) if function in (minimum, ceiling):
            return min(signs)
        case Call(function=function) if function is floor:
            return min(_NOT_NEGATIVE, *signs)
    return _UNKNOWN


def refuse_without_value(identity: str, formula: Formula) -> None:
    """Raise `NotSo` where all premises of a formula hold, and it has no value all the same."""
    reasons: list[str] = []
    surely = _surely_has_a_value(formula, formula.assuming)

    def fails(sample: Sample) -> bool:
        if surely:  # only whether the premises can be met is left to be seen
            return False
        try:
            sample.value(formula.body)
        except NoValue as problem:
            reasons.append(str(problem))
        except ZeroDivisionError:
            reasons.append("something is divided by zero")
        return bool(reasons)

    sample, met = counterexample(identity, SAMPLES, TRIES, formula.assuming, fails)
    if sample is not None:
        and_yet = (
            "although its premises hold"
            if formula.assuming
            else "although nothing is assumed (assuming=)"
        )
        raise NotSo(f"it has no value {_givens(sample)}{and_yet}: {reasons[0]}")
    if met < SAMPLES:
        raise NotSo(_too_few(symbols(formula.body), formula.assuming, met))


def proves_equal(left: Term, right: Term, under: tuple[Premise, ...], seed: str) -> bool:
    """Tell whether two terms are proven to be equal, wherever *under* holds."""
    from derivations.language.meaning import meaning_in_givens

    ours, theirs = meaning_in_givens(left), meaning_in_givens(right)
    if ours == theirs:
        return True
    if _smooth(left) and _smooth(right):
        return _vanishes(ours - theirs)
    return _by_cases(left >= right, under, seed) and _by_cases(left <= right, under, seed)


def _equality(left: Term, right: Term, under: tuple[Premise, ...]) -> Decision:
    def decide(seed: str, what: str) -> Verdict:
        if proves_equal(left, right, under, seed):
            return Verdict(what, "proven")
        return _sampled(
            seed, what, under, lambda sample: bool(sample.value(left) != sample.value(right)),
            lambda sample: _sides(sample.value(left), sample.value(right)),
        )  # fmt: skip

    return decide


def _inequality(relation: Relation, under: tuple[Premise, ...]) -> Decision:
    def decide(seed: str, what: str) -> Verdict:
        if not under and _smooth(relation.left) and _smooth(relation.right):
            gap, strict = _gap(relation)
            surely = gap.expand()
            if surely.is_positive or (surely.is_nonnegative and not strict):
                return Verdict(what, "proven")
        if relation.sign in ("<=", ">=") and _by_cases(relation, under, seed):
            return Verdict(what, "proven")
        return _sampled(
            seed, what, under, lambda sample: not sample.value(relation),
            lambda sample: _sides(sample.value(relation.left), sample.value(relation.right)),
        )  # fmt: skip

    return decide


def _by_cases(relation: Relation, under: tuple[Premise, ...], seed: str) -> bool:
    """Tell whether a relation is proven case by case, under premises that some sample meets."""
    from derivations.check.cases import Known, proves_not_negative, takes

    premises = [_gap(relation_of(each)) for each in under if relation_of(each).sign != "=="]
    goal, _ = _gap(relation)
    if not all(map(takes, (goal, *(gap for gap, _ in premises)))):
        return False
    if not proves_not_negative(goal, tuple(Known(gap, strict) for gap, strict in premises)):
        return False
    # From premises that contradict each other anything would follow.
    _, met = counterexample(seed, 1, TRIES, under, lambda sample: False)
    return met > 0


def _gap(relation: Relation) -> tuple[Any, bool]:
    """Give by how much the larger side of a relation is larger, and whether it has to be more."""
    from derivations.language.meaning import meaning_in_givens

    left, right = meaning_in_givens(relation.left), meaning_in_givens(relation.right)
    gap = left - right if relation.sign in (">", ">=") else right - left
    return gap, relation.sign in ("<", ">")


def _equivalence(pair: Equivalence, under: tuple[Premise, ...]) -> Decision:
    sides = (pair.left.left, pair.left.right, pair.right.left, pair.right.right)

    def decide(seed: str, what: str) -> Verdict:
        if pair.left.sign == pair.right.sign and all(map(_smooth, sides)):
            import sympy

            from derivations.language.meaning import meaning_in_givens

            a, b, c, d = map(meaning_in_givens, sides)
            # Where one gap is a positive multiple of the other, they have the same sign.
            if sympy.cancel(sympy.together((a - b) / (c - d))).is_positive:
                return Verdict(what, "proven")
        return _sampled(
            seed, what, under,
            lambda sample: bool(sample.value(pair.left) != sample.value(pair.right)),
            lambda sample: "only one of the two holds",
        )  # fmt: skip

    return decide


def _limit(statement: Approximation) -> Decision:
    def decide(seed: str, what: str) -> Verdict:
        import sympy

        from derivations.language.meaning import meaning_in_givens, symbol_of

        scale = sympy.Dummy("scale", positive=True)
        grown = {symbol_of(each): scale * symbol_of(each) for each in statement.large}
        ratio = meaning_in_givens(statement.exact) / meaning_in_givens(statement.simple)
        nears = sympy.limit(sympy.cancel(ratio.subs(grown, simultaneous=True)), scale, sympy.oo)
        names = " and ".join(each.symbol for each in statement.large)
        grow = "grow" if len(statement.large) > 1 else "grows"
        if nears != 1:
            raise NotSo(
                f"as {names} {grow}, {symbols(statement.exact)} over {symbols(statement.simple)} "
                f"nears {nears}, not 1"
            )
        return Verdict(what, "proven")

    return decide


def _sampled(
    seed: str,
    what: str,
    under: tuple[Premise, ...],
    fails: Callable[[Sample], bool],
    found: Callable[[Sample], str],
) -> Verdict:
    sample, met = counterexample(seed, SAMPLES, TRIES, under, fails)
    if sample is not None:
        raise NotSo(f"{what} does not hold: {_givens(sample)}{found(sample)}")
    if met < SAMPLES:
        raise NotSo(_too_few(what, under, met))
    return Verdict(what, "sampled", met)


def _too_few(what: str, under: tuple[Premise, ...], met: int) -> str:
    premises = " and ".join(symbols(relation_of(each)) for each in under)
    where = f"with {premises}" if premises else "in which both sides have a value"
    return (
        f"{what} could not be sampled: it takes {SAMPLES} configurations {where}, but {met} of "
        f"{TRIES} random ones are like that"
    )


def _givens(sample: Sample) -> str:
    """Name the configuration of a counterexample, as far as it was needed."""
    chosen = {q: v for q, v in sample.values.items() if isinstance(q, Given | Unknown)}
    if not chosen:
        return ""
    each = (f"{quantity.symbol} = {_shown(v, quantity.unit)}" for quantity, v in chosen.items())
    return f"with {', '.join(each)}, "


def _sides(left: Any, right: Any) -> str:
    """Tell two sides apart, with as many digits as that takes."""
    for digits in range(6, 18):
        ours, theirs = _shown(left, digits=digits), _shown(right, digits=digits)
        if ours != theirs:
            break
    return f"the left side is {ours} and the right side is {theirs}"


def _shown(value: Any, unit: str = "1", digits: int = 6) -> str:
    number = str(int(value)) if value == int(value) else f"{float(value):.{digits}g}"
    return number if unit == "1" else f"{number} {unit}"


def _smooth(term: Term) -> bool:
    """Tell whether sympy decides equality here: only + − × ÷ and whole powers, down to givens."""
    from derivations.language.algebra import Call, Choice

    if any(isinstance(node, Call | Choice) for node in nodes(term)):
        return False
    return all(_smooth(leaf.body) for leaf in leaves(term) if isinstance(leaf, Formula))


def _vanishes(expression: Any) -> bool:
    """Decide whether a rational function is zero: its numerator, multiplied out, is."""
    import sympy

    numerator, _ = sympy.fraction(sympy.together(expression))
    return bool(sympy.expand(numerator) == 0)
