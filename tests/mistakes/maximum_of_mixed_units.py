"""The longer of a time and a size."""

from derivations.book import machine, model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown
from derivations.language.functions import maximum

_USES = (machine, model)

time = Formula(
    maximum(model.parameters * model.weight_size / machine.bandwidth, model.parameters),
    symbol="X",
    unit="second",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("second"),
)
