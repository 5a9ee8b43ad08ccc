"""A quantity that no section names."""

from derivations.book import model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Constant, Formula, Shown

_USES = (model,)

_hidden = Constant(
    3,
    "1",
    "A hidden factor",
    says="It is nobody's.",
    source=ARTICLE.at("Decode"),
)

tripled = Formula(
    model.layers * _hidden,
    symbol="X",
    unit="layer",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("layer"),
)
