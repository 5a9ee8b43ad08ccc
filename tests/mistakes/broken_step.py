"""A step drops its bracket."""

from derivations.book import model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Derivation, Formula, Shown

_USES = (model,)

doubled = Formula(
    (model.layers + model.layers) / 2,
    symbol="X",
    unit="layer",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("layer"),
)

steps = Derivation(
    doubled,
    (
        (model.layers + model.layers) / 2,
        model.layers + model.layers / 2,
        model.layers,
    ),
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
)
