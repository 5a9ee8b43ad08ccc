"""What the accelerators bring along."""

from fractions import Fraction

from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Given, Shown

accelerators = Given(
    symbol="TP",
    unit="accelerator",
    title="Tensor parallelism",
    says="The accelerators that share every matrix of the model.",
    show=Shown("accelerator", decimals=0),
    least=Fraction(1),
    most=Fraction(1024),
    whole=True,
)

compute_per_accelerator = Given(
    symbol="c",
    unit="flop / second / accelerator",
    title="Compute of one accelerator",
    says="The peak dense rate of one accelerator, in the type that the arithmetic runs in.",
    show=Shown("flop / second / accelerator", digits=3),
    least=Fraction(10**9),
    most=Fraction(10**18),
)

bandwidth_per_accelerator = Given(
    symbol="w",
    unit="byte / second / accelerator",
    title="Memory bandwidth of one accelerator",
    says="The peak rate between one accelerator and its own memory.",
    show=Shown("byte / second / accelerator", digits=3),
    least=Fraction(10**8),
    most=Fraction(10**16),
)

compute = Formula(
    accelerators * compute_per_accelerator,
    symbol="C",
    unit="flop / second",
    title="Total compute available",
    says="Tensor parallelism gives each accelerator an equal share of every matrix, so their rates "
    "add up.",
    source=ARTICLE.at("Prefill"),
    show=Shown("flop / second", digits=3),
)

bandwidth = Formula(
    accelerators * bandwidth_per_accelerator,
    symbol="W",
    unit="byte / second",
    title="Memory bandwidth",
    says="Each accelerator reads its own share from its own memory, so the bandwidths add up, too.",
    source=ARTICLE.at("Decode"),
    show=Shown("byte / second", digits=3),
)
