"""A number with a meaning stands bare."""

from derivations.book import model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (model,)

doubled = Formula(
    2 * model.layers,
    symbol="X",
    unit="layer",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("layer"),
)
