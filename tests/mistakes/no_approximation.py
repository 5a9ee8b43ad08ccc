"""What is left out does not vanish."""

from derivations.book.sources import ARTICLE
from derivations.language.declare import Approximation, Unknown

inputs = Unknown(symbol="D", unit="token", title="Inputs", says="Any number of them.")

nearly = Approximation(
    inputs * 3 / (inputs + inputs), inputs / inputs,
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    unit="1",
    large=(inputs,),
)
