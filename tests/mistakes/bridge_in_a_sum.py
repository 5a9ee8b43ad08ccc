"""A bridge is no summand."""

from derivations.book import model, workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (model, workload)

count = Formula(
    workload.input_length + workload.one_token_each,
    symbol="X",
    unit="token / sequence",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("token / sequence"),
)
