"""An id in capital letters."""

from derivations.book import model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (model,)

Weights = Formula(
    model.parameters * model.weight_size,
    symbol="X",
    unit="byte",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("byte"),
)
