"""A unit that would keep the machine busy for ever."""

from derivations.book import model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (model,)

weights = Formula(
    model.parameters * model.weight_size,
    symbol="X",
    unit="9**9**9",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("byte"),
)
