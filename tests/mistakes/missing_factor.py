"""The threshold forgets the bytes of a parameter."""

from derivations.book import machine, model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (machine, model)

threshold = Formula(
    machine.compute / machine.bandwidth / model.multiply_add,
    symbol="X",
    unit="token",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("token"),
)
