"""The logarithm of layers."""

from derivations.book import model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown
from derivations.language.functions import binary_logarithm

_USES = (model,)

depth = Formula(
    binary_logarithm(model.layers),
    symbol="X",
    unit="1",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("1"),
)
