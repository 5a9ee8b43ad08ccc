"""A byte is no pure number."""

from derivations.book import model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (model,)

padded = Formula(
    model.weight_size + 1,
    symbol="X",
    unit="byte / parameter",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("byte / parameter"),
)
