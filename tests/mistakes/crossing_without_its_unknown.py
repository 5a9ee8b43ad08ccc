"""The relation does not name what is unknown."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Crossing, Unknown

_USES = (workload,)

inputs = Unknown(symbol="D", unit="token", title="Inputs", says="Any number of them.")

crossing = Crossing(
    workload.input_length >= workload.output_length,
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    unknown=inputs,
)
