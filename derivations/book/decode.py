"""Decode: one token for every sequence, step by step."""

from derivations.book import machine, model, threshold, workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Claim, Condition, Formula, Shown
from derivations.language.functions import maximum

kv_per_token = Formula(
    model.key_and_value
    * model.layers
    * model.kv_heads
    * model.head_dimension
    * model.kv_value_size,
    symbol="k",
    unit="byte / token",
    title="KV cache per token",
    says="Every layer keeps a key and a value in each of its key/value heads.",
    source=ARTICLE.at("Decode"),
    show=Shown("byte / token", digits=3),
)

mean_length = Formula(
    workload.input_length + workload.output_length / 2,
    symbol="S_mean",
    unit="token / sequence",
    title="Average sequence length",
    says="A sequence grows from its prompt to prompt and answer; on average the answer is half "
    "there.",
    source=ARTICLE.at("Decode"),
    show=Shown("token / sequence", decimals=0),
)

kv_per_sequence = Formula(
    mean_length * kv_per_token,
    symbol="K_sequence",
    unit="byte / sequence",
    title="KV cache per sequence",
    says="All the tokens of an average sequence.",
    source=ARTICLE.at("Decode"),
    show=Shown("byte / sequence", digits=3),
    also=Shown("MB / sequence", decimals=2),
)

kv_total = Formula(
    workload.concurrency * kv_per_sequence,
    symbol="K",
    unit="byte",
    title="Total KV cache",
    says="Every sequence of the batch has a cache of its own.",
    source=ARTICLE.at("Decode"),
    show=Shown("byte", digits=3),
)

weights = Formula(
    model.parameters * model.weight_size,
    symbol="M",
    unit="byte",
    title="Model weights",
    says="The batch shares the weights: a step reads them once for all sequences.",
    source=ARTICLE.at("Decode"),
    show=Shown("byte", digits=3),
)

bytes = Formula(
    weights + workload.concurrency * kv_per_sequence,
    symbol="Q",
    unit="byte",
    title="Total bytes per decode step",
    says="A step reads all the weights, and the cache of every sequence.",
    source=ARTICLE.at("Decode"),
    show=Shown("byte", digits=3),
)

memory_time = Formula(
    bytes / machine.bandwidth,
    symbol="t_read",
    unit="second",
    title="Time to read a step",
    says="The bytes over the bandwidth, if the memory never waits.",
    source=ARTICLE.at("Decode"),
    show=Shown("ms", decimals=2),
)

compute_time = Formula(
    workload.concurrency
    * workload.one_token_each
    * model.multiply_add
    * model.parameters
    / machine.compute,
    symbol="t_multiply",
    unit="second",
    title="Time to compute a step",
    says="One token of every sequence meets each weight once.",
    source=ARTICLE.at("Working it through"),
    show=Shown("ms", decimals=2),
)

step_time = Formula(
    maximum(memory_time, compute_time),
    symbol="t_step",
    unit="second",
    title="Average decode time per step",
    says="Reading and computing run at the same time, so the longer of the two counts.",
    source=ARTICLE.at("Decode"),
    show=Shown("ms", decimals=2),
)

compute_bound = Condition(
    compute_time >= memory_time,
    title="Decode is compute bound",
    says="computing a step takes at least as long as reading it",
    otherwise="reading a step takes longer than computing it",
)

bound_only_from_the_threshold = Claim(
    workload.concurrency * workload.one_token_each >= threshold.tokens,
    under=(compute_bound,),
    title="Decode is compute bound only from the threshold on",
    says="Reaching the threshold is necessary, and because of the cache it is not enough.",
    source=ARTICLE.at("Decode"),
)
