"""How many parameters a dense decoder has, to the last one, from the sizes of its parts."""

from derivations.book import architecture, model
from derivations.book.sources import TRANSFORMER, TRANSFORMERS, TYING
from derivations.language.declare import Claim, Constant, Formula, Shown

_WHOLE = Shown("parameter", decimals=0)
_PER_LAYER = Shown("parameter / layer", decimals=0)

in_and_out = Constant(
    2,
    "1",
    "Two matrices for each head",
    says="A query head has a matrix that makes its query and a share of the one that leads back; a "
    "key/value head has one for its key and one for its value.",
    source=TRANSFORMER.at("3.2.2 Multi-Head Attention"),
)

key_and_value = Constant(
    2,
    "1",
    "The vector of a key and that of a value",
    says="A key/value head has a bias for its key and one for its value.",
    source=TRANSFORMERS.at("src/transformers/models/qwen3, attention"),
)

the_last_matrix = Constant(
    1,
    "1 / layer",
    "The matrix that leads back",
    says="All matrices of an MLP but the last give the intermediate size; the last gives the "
    "hidden size again.",
    source=TRANSFORMER.at("3.3 Position-wise Feed-Forward Networks"),
)

embedding = Formula(
    architecture.vocabulary * architecture.hidden_size,
    symbol="P_table",
    unit="parameter",
    title="Embedding table",
    says="A vector for each token of the vocabulary.",
    source=TRANSFORMER.at("3.4 Embeddings and Softmax"),
    show=_WHOLE,
)

position_table = Formula(
    architecture.positions * architecture.hidden_size,
    symbol="P_position",
    unit="parameter",
    title="Table of positions",
    says="A vector for each position, where positions are learned.",
    source=TRANSFORMER.at("3.5 Positional Encoding"),
    show=_WHOLE,
)

attention = Formula(
    in_and_out
    * architecture.hidden_size
    * model.head_dimension
    * (architecture.query_heads + model.kv_heads)
    * architecture.a_weight_for_each_pair,
    symbol="p_attention",
    unit="parameter / layer",
    title="Attention matrices of a layer",
    says="Queries, keys and values are made from the hidden vector, and the heads lead back to it.",
    source=TRANSFORMERS.at("src/transformers/models/llama, attention"),
    show=_PER_LAYER,
)

attention_vectors = Formula(
    architecture.qkv_bias
    * model.head_dimension
    * (architecture.query_heads + key_and_value * model.kv_heads)
    + architecture.output_bias * architecture.hidden_size * architecture.in_each_layer
    + architecture.qk_norm_heads * model.head_dimension,
    symbol="p_vectors",
    unit="parameter / layer",
    title="Attention biases and norms of a layer",
    says="Some models add a bias to what the matrices give, or norm queries and keys.",
    source=TRANSFORMERS.at("src/transformers/models/qwen3, attention"),
    show=_PER_LAYER,
)

mlp = Formula(
    architecture.mlp_matrices
    * architecture.hidden_size
    * architecture.intermediate_size
    * architecture.a_weight_for_each_pair,
    symbol="p_mlp",
    unit="parameter / layer",
    title="MLP matrices of a layer",
    says="Each matrix of the MLP leads between hidden and intermediate size.",
    source=TRANSFORMER.at("3.3 Position-wise Feed-Forward Networks"),
    show=_PER_LAYER,
)

mlp_vectors = Formula(
    architecture.mlp_bias
    * (
        (architecture.mlp_matrices - the_last_matrix) * architecture.intermediate_size
        + architecture.hidden_size * architecture.in_each_layer
    ),
    symbol="p_bias",
    unit="parameter / layer",
    title="MLP biases of a layer",
    says="A bias is as long as what its matrix gives.",
    source=TRANSFORMER.at("3.3 Position-wise Feed-Forward Networks"),
    show=_PER_LAYER,
)

norms = Formula(
    architecture.norm_vectors * architecture.hidden_size,
    symbol="p_norm",
    unit="parameter / layer",
    title="Norms of a layer",
    says="A norm scales each entry of the hidden vector.",
    source=TRANSFORMERS.at("src/transformers/models/llama, norms"),
    show=_PER_LAYER,
)

layer = Formula(
    attention + attention_vectors + mlp + mlp_vectors + norms,
    symbol="p_layer",
    unit="parameter / layer",
    title="Parameters of a layer",
    says="All layers are built alike.",
    source=TRANSFORMERS.at("src/transformers/models/llama, model"),
    show=_PER_LAYER,
)

final_norm = Formula(
    architecture.final_vectors * architecture.hidden_size,
    symbol="P_final",
    unit="parameter",
    title="Norms outside of the layers",
    says="The hidden vector is normed once more before it is scored.",
    source=TRANSFORMERS.at("src/transformers/models/llama, model"),
    show=_WHOLE,
)

output_head = Formula(
    architecture.untied * architecture.vocabulary * architecture.hidden_size,
    symbol="P_head",
    unit="parameter",
    title="Output head",
    says="It scores every token of the vocabulary. Where it is tied to the embedding table, it "
    "has no parameters of its own.",
    source=TYING.at("1 Introduction"),
    show=_WHOLE,
)

total = Formula(
    embedding + position_table + model.layers * layer + final_norm + output_head,
    symbol="P_total",
    unit="parameter",
    title="Parameters, counted",
    says="All that is stored.",
    source=TRANSFORMERS.at("src/transformers/models/llama, model"),
    show=_WHOLE,
)

multiplied = Formula(
    model.layers * layer + final_norm + architecture.vocabulary * architecture.hidden_size,
    symbol="P_multiplied",
    unit="parameter",
    title="Parameters that a token is multiplied with",
    says="Tables are looked up, one row for a token. Only as the output head is a table of the "
    "vocabulary multiplied with, and it is that once, tied or not.",
    source=TYING.at("1 Introduction"),
    show=_WHOLE,
)

looked_up = Formula(
    position_table + architecture.untied * embedding,
    symbol="P_lookup",
    unit="parameter",
    title="Parameters that are only looked up",
    says="The table of positions, and the embedding table where the head does not use it as well.",
    source=TYING.at("1 Introduction"),
    show=_WHOLE,
)

looked_up_or_multiplied = Claim(
    total.equals(multiplied + looked_up),
    title="Every parameter is multiplied with or looked up",
    says="There is no third use.",
    source=TYING.at("1 Introduction"),
)
