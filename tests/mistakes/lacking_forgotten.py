"""It needs what a configuration may lack, and does not say that it is there."""

from fractions import Fraction

from derivations.book import workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Condition, Formula, Given, Shown

_USES = (workload,)

measured = Given(
    symbol="X",
    unit="token / sequence",
    title="Planted",
    says="It is not always there.",
    show=Shown("token / sequence"),
    least=Fraction(1),
    most=Fraction(100),
    lacking="nothing was measured",
)

there = Condition(
    measured > 0,
    title="Planted",
    says="it holds",
    otherwise="it does not hold",
)

longer = Condition(
    workload.input_length > workload.output_length,
    title="Planted",
    says="it holds",
    otherwise="it does not hold",
)

rest = Formula(
    workload.input_length / measured,
    symbol="Y",
    unit="1",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("1"),
    assuming=(longer,),
)

half = Formula(
    workload.input_length / measured,
    symbol="Z",
    unit="1",
    title="Planted",
    says="It is as it should be.",
    source=ARTICLE.at("Decode"),
    show=Shown("1"),
    assuming=(there, longer),
)

third = Formula(
    half / 2,
    symbol="Q",
    unit="1",
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
    show=Shown("1"),
    assuming=(longer, there),
)
