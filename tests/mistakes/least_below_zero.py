"""Nothing may be less than zero."""

from fractions import Fraction

from derivations.language.declare import Given, Shown

layers = Given(
    symbol="L",
    unit="layer",
    title="Given",
    says="It is there.",
    show=Shown("layer"),
    least=Fraction(-1),
    most=Fraction(100),
)
