"""Every allowed configuration, for hypothesis: by choices, and by givens within their bounds."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from hypothesis import assume
from hypothesis import strategies as st

from derivations.book import BOOK
from derivations.catalogue import facts
from derivations.configure import COUNTS
from derivations.evaluate.program import for_fractions, outputs
from derivations.language.declare import Given

Choices: TypeAlias = dict[str, Any]
Exactly: TypeAlias = dict[str, Fraction]
Floats: TypeAlias = dict[str, float]


@st.composite
def choices(draw: st.DrawFn) -> Choices:
    """Draw the choices of a configuration: any chip, model and formats that go together."""
    chip = draw(st.sampled_from(sorted(facts("accelerator").values(), key=lambda each: each.id)))
    formats = sorted(facts("precision"))
    found: Choices = {
        "accelerator": draw(st.sampled_from((chip.id, *chip.aliases))),
        "model": draw(st.sampled_from(sorted(facts("model")))),
        "precision": draw(st.sampled_from(formats)),
        "kv_precision": draw(st.sampled_from((None, *formats))),
        "arithmetic": draw(st.sampled_from((None, *sorted(chip.each("compute"))))),
    }
    if found["arithmetic"] is None and found["precision"] not in chip.each("compute"):
        found["arithmetic"] = draw(st.sampled_from(sorted(chip.each("compute"))))
    for name, given in COUNTS.items():
        found[name] = draw(counts(int(given.least), int(given.most)))
    return found


def counts(least: int, most: int) -> st.SearchStrategy[int]:
    """Draw a whole number: every order of magnitude is as likely."""
    everyday = st.integers(least, min(most, max(2 * least, 1 << 12)))
    sizes = st.integers(max(least, 1).bit_length() - 1, most.bit_length() - 1)
    any_size = sizes.flatmap(lambda size: st.integers(max(least, 1 << size), min(most, 2 << size)))
    return everyday | any_size


@st.composite
def fractions(draw: st.DrawFn, least: Fraction, most: Fraction) -> Fraction:
    """Draw a fraction: every order of magnitude is as likely, and so are the bounds."""
    low, high = (math.floor(math.log2(bound)) for bound in (least, most))
    value = Fraction(2) ** draw(st.integers(low, high)) * Fraction(
        draw(st.integers(60, 120)), draw(st.integers(60, 97))
    )
    return min(max(value, least), most)


def exactly(given: Given) -> st.SearchStrategy[Fraction]:
    """Draw an exact value of a given."""
    if given.whole:
        return counts(int(given.least), int(given.most)).map(Fraction)
    return fractions(given.least, given.most)


def nearly(given: Given) -> st.SearchStrategy[float]:
    """Draw a float that a given may have."""
    if given.whole:
        return counts(int(given.least), int(given.most)).map(float)
    drawn = st.floats(float(given.least), float(given.most))
    return drawn | fractions(given.least, given.most).map(float)


@st.composite
def exact_givens(draw: st.DrawFn) -> Exactly:
    """Draw all the givens, as exact fractions, by id and in the order of the book."""
    return {name: draw(exactly(each)) for name, each in BOOK.givens.items()}


@st.composite
def float_givens(draw: st.DrawFn) -> Floats:
    """Draw all the givens, as floats, by id and in the order of the book."""
    return {name: draw(nearly(each)) for name, each in BOOK.givens.items()}


@st.composite
def at_the_threshold(draw: st.DrawFn) -> Exactly:
    """Draw givens in which the prompt is exactly as long as the threshold."""
    found = draw(exact_givens())
    bandwidth = BOOK.givens["machine.bandwidth_per_accelerator"]
    rate = found["machine.compute_per_accelerator"] * found["model.weight_size"]
    shortest, longest = rate / bandwidth.most / 2, rate / bandwidth.least / 2
    assume(longest >= 1)
    length = draw(counts(max(1, math.ceil(shortest)), min(10**8, math.floor(longest))))
    found["workload.input_length"] = Fraction(length)
    found["machine.bandwidth_per_accelerator"] = rate / length / 2
    return found


_exact_program = cache(lambda: for_fractions(BOOK))


def exactly_worked_out(givens: Exactly) -> dict[str, Any]:
    """Give every formula and condition by id: exact fractions, truths, NaN where no value is."""
    return dict(zip(outputs(BOOK), _exact_program()(*givens.values()), strict=True))
