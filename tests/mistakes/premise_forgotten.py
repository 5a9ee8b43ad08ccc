"""It needs a value that is not always there."""

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Condition, Formula, Shown

_USES = (workload,)

room = Condition(
    workload.input_length > workload.output_length,
    title="Planted",
    says="it holds",
    otherwise="it does not hold",
)

rest = Formula(
    workload.input_length - workload.output_length,
    symbol="X",
    unit="token / sequence",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("token / sequence"),
    assuming=(room,),
)

half = Formula(
    rest / 2,
    symbol="Y",
    unit="token / sequence",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("token / sequence"),
)
