"""A bridge is never printed, so it cannot come first."""

from derivations.book import model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Bridge, Formula, Shown

_USES = (model,)

one_each = Bridge(
    "token / layer",
    "One token a layer",
    says="For the sake of the mistake.",
)

count = Formula(
    one_each * model.layers,
    symbol="X",
    unit="token",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("token"),
)
