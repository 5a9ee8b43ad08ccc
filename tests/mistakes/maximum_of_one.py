"""There is no longer one of one."""

from derivations.book import model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown
from derivations.language.functions import maximum

_USES = (model,)

most = Formula(
    maximum(model.layers),
    symbol="X",
    unit="layer",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("layer"),
)
