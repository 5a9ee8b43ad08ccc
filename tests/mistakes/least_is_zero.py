"""Nothing may be zero."""

from fractions import Fraction

from derivations.language.declare import Given, Shown

layers = Given(
    symbol="L",
    unit="layer",
    title="Given",
    says="It is there.",
    show=Shown("layer"),
    least=Fraction(0),
    most=Fraction(100),
)
