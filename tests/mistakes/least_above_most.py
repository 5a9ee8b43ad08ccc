"""The bounds are the wrong way round."""

from fractions import Fraction

from derivations.language.declare import Given, Shown

layers = Given(
    symbol="L",
    unit="layer",
    title="Given",
    says="It is there.",
    show=Shown("layer"),
    least=Fraction(10),
    most=Fraction(2),
)
