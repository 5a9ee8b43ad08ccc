"""It uses what the next section declares."""

from derivations.book import model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_THEN = (model,)

weights = Formula(
    model.parameters * model.weight_size,
    symbol="X",
    unit="byte",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("byte"),
)
