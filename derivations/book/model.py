"""What the model brings along."""

from fractions import Fraction

from derivations.book.sources import ARTICLE
from derivations.language.declare import Constant, Given, Shown

parameters = Given(
    symbol="P",
    unit="parameter",
    title="Parameters",
    says="All the weights of the model.",
    show=Shown("parameter", digits=3),
    least=Fraction(10**5),
    most=Fraction(10**14),
    whole=True,
)

layers = Given(
    symbol="L",
    unit="layer",
    title="Layers",
    says="The transformer layers, each with an attention of its own.",
    show=Shown("layer", decimals=0),
    least=Fraction(1),
    most=Fraction(2000),
    whole=True,
)

kv_heads = Given(
    symbol="H",
    unit="head / layer",
    title="Key/value heads",
    says="The heads of a layer that keep keys and values. Query heads do not matter to the cache.",
    show=Shown("head / layer", decimals=0),
    least=Fraction(1),
    most=Fraction(4096),
    whole=True,
)

head_dimension = Given(
    symbol="d_head",
    unit="value / head",
    title="Head dimension",
    says="The entries of one key, and of one value.",
    show=Shown("value / head", decimals=0),
    least=Fraction(1),
    most=Fraction(8192),
    whole=True,
)

weight_size = Given(
    symbol="n",
    unit="byte / parameter",
    title="Bytes per parameter",
    says="The memory that one weight takes: 2 bytes in BF16, 1 in FP8.",
    show=Shown("byte / parameter", decimals=0),
    least=Fraction(1, 8),
    most=Fraction(8),
)

kv_value_size = Given(
    symbol="n_kv",
    unit="byte / value",
    title="Bytes per cached value",
    says="The memory that one entry of a key or of a value takes. It is a choice of its own.",
    show=Shown("byte / value", decimals=0),
    least=Fraction(1, 8),
    most=Fraction(8),
)

multiply_add = Constant(
    2,
    "flop / parameter / token",
    "A multiplication and an addition",
    says="Each weight costs each token one multiplication and one addition.",
    source=ARTICLE.at("Working it through"),
)

key_and_value = Constant(
    2,
    "1 / token",
    "A key and a value",
    says="Each head keeps two vectors for each token: its key and its value.",
    source=ARTICLE.at("Decode"),
)
