"""A relation is no value."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown
from derivations.language.functions import maximum

_USES = (workload,)

longer = Formula(
    maximum(workload.input_length > workload.output_length, 1),
    symbol="X",
    unit="1",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("1"),
)
