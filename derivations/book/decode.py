"""Decode: one token for every sequence, step by step."""

from derivations.book import machine, model, threshold, workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import (
    Claim,
    Condition,
    Crossing,
    Equivalence,
    Formula,
    Shown,
    Unknown,
)
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

even_concurrency = Formula(
    weights / kv_per_sequence,
    symbol="B_even",
    unit="sequence",
    title="Concurrency at which the cache weighs as much as the weights",
    says="Up to there most of what a step reads are the weights, which all sequences share. Beyond "
    "it most is cache, which none of them share.",
    source=ARTICLE.at("Across configurations"),
    show=Shown("sequence", decimals=0),
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

batch = Unknown(
    symbol="B_batch",
    unit="sequence",
    title="Sequences in a batch",
    says="Any number of sequences that decode together.",
)

work_of_a_sequence = Formula(
    model.multiply_add * model.parameters * workload.one_token_each / machine.compute,
    symbol="t_work",
    unit="second / sequence",
    title="Time to compute, for each sequence of a step",
    says="What one sequence more adds to the computing.",
    source=ARTICLE.at("Working it through"),
    show=Shown("ms / sequence", decimals=2),
)

reading_of_a_sequence = Formula(
    kv_per_sequence / machine.bandwidth,
    symbol="t_cache",
    unit="second / sequence",
    title="Time to read the cache of one sequence",
    says="What one sequence more adds to the reading.",
    source=ARTICLE.at("Decode"),
    show=Shown("ms / sequence", decimals=2),
)

enough_work = Condition(
    work_of_a_sequence > reading_of_a_sequence,
    title="A sequence brings more work than cache",
    says="each sequence takes longer to compute than its cache takes to read, so that a large "
    "enough batch is compute bound",
    otherwise="no batch is large enough, since each sequence brings more cache to read than work",
)

becomes_compute_bound = Crossing(
    batch * work_of_a_sequence >= weights / machine.bandwidth + batch * reading_of_a_sequence,
    unknown=batch,
    title="Where decode stops being memory bound",
    says="The work grows with the batch, and so does the cache. Only the weights stay as they are.",
    source=ARTICLE.at("Decode"),
)

compute_bound_concurrency = Formula(
    weights / machine.bandwidth / (work_of_a_sequence - reading_of_a_sequence),
    symbol="B_bound",
    unit="sequence",
    title="Concurrency from which decode is compute bound",
    says="What each sequence adds to the computing, beyond what it adds to the reading, has to "
    "make up for the weights.",
    source=ARTICLE.at("Decode"),
    show=Shown("sequence", decimals=0),
    assuming=(enough_work,),
    solves=becomes_compute_bound,
)

compute_bound_from_there = Claim(
    Equivalence(compute_time >= memory_time, workload.concurrency >= compute_bound_concurrency),
    under=(enough_work,),
    title="Decode is compute bound exactly from there on",
    says="Below it reading takes longer, from it on computing does.",
    source=ARTICLE.at("Decode"),
)

bound_only_from_the_threshold = Claim(
    workload.concurrency * workload.one_token_each >= threshold.tokens,
    under=(compute_bound,),
    title="Decode is compute bound only from the threshold on",
    says="Reaching the threshold is necessary, and because of the cache it is not enough.",
    source=ARTICLE.at("Decode"),
)
