"""A time shown in seconds and also in bytes."""

from derivations.book import machine, model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (machine, model)

time = Formula(
    model.parameters * model.weight_size / machine.bandwidth,
    symbol="X",
    unit="second",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("second"),
    also=Shown("GB"),
)
