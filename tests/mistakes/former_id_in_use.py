"""The former id belongs to another formula."""

from derivations.book import machine
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (machine,)

compute = Formula(
    machine.compute,
    symbol="X",
    unit="flop / second",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("flop / second"),
    formerly=("machine.bandwidth",),
)
