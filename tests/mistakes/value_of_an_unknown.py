"""An unknown never has a value."""

from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown, Unknown

inputs = Unknown(symbol="D", unit="token", title="Inputs", says="Any number of them.")

twice = Formula(
    inputs * 2,
    symbol="X",
    unit="token",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("token"),
)
