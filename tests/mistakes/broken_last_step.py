"""The steps lead elsewhere."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Derivation, Formula, Shown

_USES = (workload,)

mean_length = Formula(
    workload.input_length + workload.output_length / 2,
    symbol="X",
    unit="token / sequence",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("token / sequence"),
)

steps = Derivation(
    mean_length,
    ((workload.input_length + workload.output_length) / 2,),
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
)
