"""A bridge is no value."""

from derivations.book.sources import ARTICLE
from derivations.language.declare import Bridge, Formula, Shown

one_each = Bridge(
    "token / layer",
    "One token a layer",
    says="For the sake of the mistake.",
)

count = Formula(
    one_each,
    symbol="X",
    unit="token / layer",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("token / layer"),
)
