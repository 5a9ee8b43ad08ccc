"""The branch that is seldom taken is in another unit."""

from derivations.book import model, workload
from derivations.book.sources import ARTICLE
from derivations.language.algebra import when
from derivations.language.declare import Formula, Shown

_USES = (model, workload)

cache = Formula(
    when(workload.steps > 0, model.parameters, model.parameters * model.weight_size),
    symbol="X",
    unit="byte",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("byte"),
)
