"""A given that may be zero is divided by, and nothing is assumed of it."""

from fractions import Fraction

from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Given, Shown

heads = Given(
    symbol="H",
    unit="head",
    title="Given",
    says="It may be zero.",
    show=Shown("head"),
    least=Fraction(0),
    most=Fraction(100),
)

values = Given(
    symbol="N",
    unit="value",
    title="Given",
    says="It is there.",
    show=Shown("value"),
    least=Fraction(1),
    most=Fraction(100),
)

share = Formula(
    values / heads,
    symbol="X",
    unit="value / head",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("value / head"),
)
