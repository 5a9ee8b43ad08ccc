"""No unit can be told from a symbolic exponent."""

from derivations.book import model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (model,)

blocks = Formula(
    model.layers ** (model.layers / model.layers),
    symbol="X",
    unit="layer",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("layer"),
)
