"""What a dense decoder is built of: the sizes of its matrices and vectors, and which it has."""

from fractions import Fraction

from derivations.language.declare import Bridge, Given, Shown

vocabulary = Given(
    symbol="V",
    unit="1",
    title="Vocabulary",
    says="The rows of the embedding table, one for each token that there is.",
    show=Shown("1", decimals=0),
    least=Fraction(1),
    most=Fraction(10**8),
    whole=True,
)

hidden_size = Given(
    symbol="h",
    unit="value",
    title="Hidden size",
    says="The entries of the vector that goes from layer to layer.",
    show=Shown("value", decimals=0),
    least=Fraction(1),
    most=Fraction(10**6),
    whole=True,
)

query_heads = Given(
    symbol="H_q",
    unit="head / layer",
    title="Query heads",
    says="The heads of a layer that ask. They come to one vector, which a matrix leads back.",
    show=Shown("head / layer", decimals=0),
    least=Fraction(1),
    most=Fraction(4096),
    whole=True,
)

intermediate_size = Given(
    symbol="f",
    unit="value",
    title="Intermediate size",
    says="The entries of the vector in the middle of an MLP.",
    show=Shown("value", decimals=0),
    least=Fraction(1),
    most=Fraction(10**7),
    whole=True,
)

mlp_matrices = Given(
    symbol="m",
    unit="1 / layer",
    title="Matrices of an MLP",
    says="One leads in and one leads back. A gated MLP has a third, which leads in as well.",
    show=Shown("1 / layer", decimals=0),
    least=Fraction(2),
    most=Fraction(3),
    whole=True,
)

qkv_bias = Given(
    symbol="b_qkv",
    unit="1",
    title="Biases of queries, keys and values",
    says="1 where something is added to each query, key and value, 0 where nothing is.",
    show=Shown("1", decimals=0),
    least=Fraction(0),
    most=Fraction(1),
    whole=True,
)

output_bias = Given(
    symbol="b_out",
    unit="1",
    title="Bias of the attention's output",
    says="1 where something is added to what the attention gives back, 0 where nothing is.",
    show=Shown("1", decimals=0),
    least=Fraction(0),
    most=Fraction(1),
    whole=True,
)

mlp_bias = Given(
    symbol="b_mlp",
    unit="1",
    title="Biases of the MLP",
    says="1 where something is added to what each matrix of the MLP gives, 0 where nothing is.",
    show=Shown("1", decimals=0),
    least=Fraction(0),
    most=Fraction(1),
    whole=True,
)

qk_norm_heads = Given(
    symbol="H_norm",
    unit="head / layer",
    title="Normed heads",
    says="The heads whose queries or keys are normed with weights of their own. Where all heads "
    "share them, that is one for the queries and one for the keys.",
    show=Shown("head / layer", decimals=0),
    least=Fraction(0),
    most=Fraction(8192),
    whole=True,
)

norm_vectors = Given(
    symbol="v_layer",
    unit="1 / layer",
    title="Norm vectors of a layer",
    says="The vectors of hidden size that its norms hold. An RMS norm has one (its scale), a layer "
    "norm up to two (its scale and its shift).",
    show=Shown("1 / layer", decimals=0),
    least=Fraction(0),
    most=Fraction(16),
    whole=True,
)

final_vectors = Given(
    symbol="v_final",
    unit="1",
    title="Norm vectors outside of the layers",
    says="The vectors of hidden size in the norm after the last layer, and in one before the "
    "first, where there is one.",
    show=Shown("1", decimals=0),
    least=Fraction(0),
    most=Fraction(16),
    whole=True,
)

positions = Given(
    symbol="V_pos",
    unit="1",
    title="Learned positions",
    says="The rows of a table with a vector for each position. Most models compute positions, and "
    "have no such table.",
    show=Shown("1", decimals=0),
    least=Fraction(0),
    most=Fraction(10**8),
    whole=True,
)

untied = Given(
    symbol="U",
    unit="1",
    title="Output head of its own",
    says="1 where the head that scores the next token is a matrix of its own, 0 where it is the "
    "embedding table once more (tied).",
    show=Shown("1", decimals=0),
    least=Fraction(0),
    most=Fraction(1),
    whole=True,
)

a_weight_for_each_pair = Bridge(
    "1 / value",
    "A weight for each pair",
    says="A matrix holds one weight for each pair of an input and an output.",
)

in_each_layer = Bridge(
    "1 / layer",
    "Once in each layer",
    says="What every layer has once is counted by the layer.",
)
