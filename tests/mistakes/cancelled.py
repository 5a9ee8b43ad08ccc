"""What cancels is checked all the same."""

from derivations.book import model, workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (model, workload)

prompt = Formula(
    workload.input_length * workload.a_request + model.parameters * model.weight_size - model.parameters * model.weight_size,
    symbol="X",
    unit="token",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("token"),
)
