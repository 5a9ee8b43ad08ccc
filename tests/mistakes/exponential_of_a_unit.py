"""Nothing is e to the power of a token."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown
from derivations.language.functions import exponential

_USES = (workload,)

grown = Formula(
    exponential(workload.input_length),
    symbol="X",
    unit="1",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("1"),
)
