"""The whole cache is said to be a rate."""

from derivations.book import model, workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (model, workload)

cache = Formula(
    model.parameters * model.weight_size,
    symbol="X",
    unit="byte / second",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("byte / second"),
)
