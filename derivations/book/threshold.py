"""Where a matrix multiplication turns from memory bound to compute bound."""

from derivations.book import machine, model
from derivations.book.sources import ARTICLE
from derivations.language.declare import (
    Approximation,
    Bridge,
    Crossing,
    Formula,
    Shown,
    Unknown,
)

tokens_in_a_pass = Unknown(
    symbol="B_tokens",
    unit="token",
    title="Tokens in a pass",
    says="The tokens that go through a matrix together.",
)

inputs = Unknown(
    symbol="D",
    unit="value / token",
    title="Inputs of the matrix",
    says="The values of each token that go into the matrix.",
)

outputs = Unknown(
    symbol="F",
    unit="value / token",
    title="Outputs of the matrix",
    says="The values of each token that come out of it.",
)

a_weight_for_each_pair = Bridge(
    "token * token / value",
    "A weight for each pair",
    says="The matrix holds one weight for each pair of an input and an output.",
)

intensity = Approximation(
    model.multiply_add
    * tokens_in_a_pass
    * inputs
    * outputs
    * a_weight_for_each_pair
    / (
        model.weight_size
        * (
            tokens_in_a_pass * inputs
            + inputs * outputs * a_weight_for_each_pair
            + tokens_in_a_pass * outputs
        )
    ),
    model.multiply_add * tokens_in_a_pass / model.weight_size,
    large=(inputs, outputs),
    unit="flop / byte",
    title="Arithmetic intensity of a matmul",
    says="What is computed over what is moved: the tokens go in, the weights go in, the results "
    "come out. With a matrix that is large in both directions, the weights are nearly all of it.",
    source=ARTICLE.at("Working it through"),
)

compute_bound = Crossing(
    model.multiply_add * tokens_in_a_pass / model.weight_size
    >= machine.compute / machine.bandwidth,
    unknown=tokens_in_a_pass,
    title="Compute bound",
    says="Each byte that arrives has to be used often enough to keep the compute units busy.",
    source=ARTICLE.at("Working it through"),
)

tokens = Formula(
    machine.compute / (machine.bandwidth / model.weight_size) / model.multiply_add,
    symbol="T",
    unit="token",
    title="Threshold for matmuls to be compute bound",
    says="With fewer tokens in a pass the weights arrive more slowly than they are used.",
    source=ARTICLE.at("Working it through"),
    show=Shown("token", decimals=0),
    solves=compute_bound,
)
