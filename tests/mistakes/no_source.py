"""Nobody knows where it comes from."""

from derivations.book import model
from derivations.language.declare import Formula, Shown

_USES = (model,)

weights = Formula(
    model.parameters * model.weight_size,
    symbol="X",
    unit="byte",
    title="Planted",
    says="It is wrong on purpose.",
    source=None,
    show=Shown("byte"),
)
