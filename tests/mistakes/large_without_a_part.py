"""What grows is not in it."""

from derivations.book import model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Approximation, Unknown

_USES = (model,)

inputs = Unknown(symbol="D", unit="token", title="Inputs", says="Any number of them.")

nearly = Approximation(
    model.layers, model.layers,
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    unit="layer",
    large=(inputs,),
)
