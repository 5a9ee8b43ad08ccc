"""The half has become a double."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Crossing, Formula, Shown, Unknown

_USES = (workload,)

inputs = Unknown(symbol="D", unit="token", title="Inputs", says="Any number of them.")

crossing = Crossing(
    inputs * 2 >= workload.input_length * workload.a_request,
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    unknown=inputs,
)

solution = Formula(
    workload.input_length * workload.a_request * 2,
    symbol="X",
    unit="token",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("token"),
    solves=crossing,
)
