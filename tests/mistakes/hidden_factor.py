"""A unit that is a number in disguise."""

from derivations.book import model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (model,)

share = Formula(
    model.layers / model.layers,
    symbol="X",
    unit="GB / byte",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("1"),
)
