"""One side forgets the answer."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Claim, Equivalence

_USES = (workload,)

same = Claim(
    Equivalence(
        workload.input_length >= workload.output_length,
        workload.input_length >= workload.output_length * 2,
    ),
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
)
