"""One step forgets the concurrency."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Derivation, Formula, Shown

_USES = (workload,)

prompts = Formula(
    workload.concurrency * workload.input_length,
    symbol="X",
    unit="token",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("token"),
)

steps = Derivation(
    prompts, (workload.input_length, workload.concurrency * workload.input_length),
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
)
