"""It uses what stands below it."""

from derivations.book import model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (model,)

_half = Formula(
    model.layers / 2,
    symbol="Y",
    unit="layer",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("layer"),
)

quarter = Formula(
    _half / 2,
    symbol="X",
    unit="layer",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("layer"),
)

half = _half
