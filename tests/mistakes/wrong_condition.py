"""The condition compares tokens with sequences."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.algebra import when
from derivations.language.declare import Formula, Shown

_USES = (workload,)

answer = Formula(
    when(workload.input_length > workload.concurrency, workload.input_length, 0),
    symbol="X",
    unit="token / sequence",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("token / sequence"),
)
