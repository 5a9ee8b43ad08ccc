"""The premise allows a division by zero."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

_USES = (workload,)

share = Formula(
    workload.input_length / (workload.input_length - workload.output_length),
    symbol="X",
    unit="1",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("1"),
    assuming=(workload.input_length >= workload.output_length,),
)
