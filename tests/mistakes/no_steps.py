"""A derivation without a step."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Derivation, Formula, Shown

_USES = (workload,)

prompt = Formula(
    workload.input_length,
    symbol="X",
    unit="token / sequence",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("token / sequence"),
)

steps = Derivation(
    prompt, (),
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
)
