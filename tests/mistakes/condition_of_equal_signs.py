"""Two signs of equality compare identities."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.algebra import when
from derivations.language.declare import Formula, Shown

_USES = (workload,)

same = Formula(
    when(workload.input_length == workload.output_length, 1, 2),
    symbol="X",
    unit="1",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("1"),
)
