"""Weights and prompt are added."""

from derivations.book import model, workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (model, workload)

total = Formula(
    model.parameters * model.weight_size + workload.input_length * workload.a_request,
    symbol="X",
    unit="byte",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("byte"),
)
