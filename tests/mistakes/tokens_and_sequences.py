"""A sequence is counted as a token."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (workload,)

tokens_of_a_step = Formula(
    workload.input_length * workload.a_request + workload.concurrency,
    symbol="X",
    unit="token",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("token"),
)
