"""The threshold solves for tokens, and is in bytes."""

from derivations.book import machine, model, threshold
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (machine, model, threshold)

bytes_of_it = Formula(
    machine.compute / (machine.bandwidth / model.weight_size) / model.multiply_add * model.weight_size,
    symbol="X",
    unit="byte * token / parameter",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("byte * token / parameter"),
    solves=threshold.compute_bound,
)
