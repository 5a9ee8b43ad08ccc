"""Two signs of equality compare identities."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Claim

_USES = (workload,)

same = Claim(
    workload.input_length == workload.output_length,
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
)
