"""Three terms are compared at once."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Claim

_USES = (workload,)

between = Claim(
    workload.steps <= workload.steps <= workload.steps,
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
)
