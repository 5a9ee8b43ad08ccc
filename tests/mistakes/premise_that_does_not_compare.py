"""The premise compares steps with tokens."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (workload,)

answer = Formula(
    workload.output_length * workload.a_request,
    symbol="X",
    unit="token",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("token"),
    assuming=(workload.steps <= workload.output_length,),
)
