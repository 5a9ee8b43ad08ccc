"""A slip of the finger in a unit."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (workload,)

prompt = Formula(
    workload.input_length * workload.a_request,
    symbol="X",
    unit="tokenz",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("token"),
)
