"""Steps are taken for tokens."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (workload,)

answer = Formula(
    workload.concurrency * workload.steps,
    symbol="X",
    unit="token",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("token"),
)
