"""Whether it fits: the bytes that are needed, against the bytes that are there."""

from fractions import Fraction

from derivations.book import decode, machine, model, workload
from derivations.book.sources import VLLM
from derivations.language.algebra import when
from derivations.language.declare import (
    Bridge,
    Claim,
    Condition,
    Equivalence,
    Formula,
    Given,
    Shown,
)
from derivations.language.functions import ceiling, floor, maximum, positive_part

capacity_per_accelerator = Given(
    symbol="m_GPU",
    unit="byte / accelerator",
    title="Memory of one accelerator",
    says="What its memory holds.",
    show=Shown("byte / accelerator", digits=3),
    least=Fraction(10**6),
    most=Fraction(10**15),
)

usable_share = Given(
    symbol="u",
    unit="1",
    title="Usable share of the memory",
    says="What an engine gives to weights and cache. Activations and buffers need the rest.",
    show=Shown("1", digits=2),
    least=Fraction(1, 100),
    most=Fraction(1),
)

a_head_each = Bridge(
    "accelerator * layer / head",
    "A head on each",
    says="Tensor parallelism deals out the key/value heads of each layer, one accelerator a head.",
)

available = Formula(
    machine.accelerators * capacity_per_accelerator * usable_share,
    symbol="M_usable",
    unit="byte",
    title="Usable memory",
    says="Each accelerator holds its own share of weights and cache.",
    source=VLLM.at("gpu_memory_utilization"),
    show=Shown("byte", digits=3),
)

copies = Formula(
    maximum(1, machine.accelerators / (model.kv_heads * a_head_each)),
    symbol="r_kv",
    unit="1",
    title="Copies of the KV cache",
    says="With more accelerators than key/value heads, heads are held more than once.",
    source=VLLM.at("vllm/model_executor/models/llama.py, key/value heads"),
    show=Shown("1", decimals=0),
)

heads_are_copied = Condition(
    copies > 1,
    title="Heads are held more than once",
    says="there are more accelerators than key/value heads, so some hold the same ones",
    otherwise="every accelerator has key/value heads of its own",
)

full_length = Formula(
    workload.input_length + workload.output_length,
    symbol="S_full",
    unit="token / sequence",
    title="Full sequence length",
    says="At its end a sequence holds its prompt and its whole answer, and that has to fit.",
    source=VLLM.at("gpu_memory_utilization"),
    show=Shown("token / sequence", decimals=0),
)

kv_per_sequence = Formula(
    full_length * decode.kv_per_token,
    symbol="K_full",
    unit="byte / sequence",
    title="KV cache of a full sequence",
    says="All the tokens of a sequence at its end.",
    source=VLLM.at("gpu_memory_utilization"),
    show=Shown("byte / sequence", digits=3),
)

needed = Formula(
    decode.weights + workload.concurrency * kv_per_sequence * copies,
    symbol="M_needed",
    unit="byte",
    title="Memory needed",
    says="The weights once, and the cache of every sequence at its full length.",
    source=VLLM.at("gpu_memory_utilization"),
    show=Shown("byte", digits=3),
)

fits = Condition(
    needed <= available,
    title="It fits",
    says="weights and cache fit into the usable memory",
    otherwise="weights and cache do not fit into the usable memory",
)

weights_fit = Condition(
    decode.weights <= available,
    title="The weights fit",
    says="the weights alone fit into the usable memory",
    otherwise="the weights alone do not fit into the usable memory",
)

largest_concurrency = Formula(
    floor(positive_part(available - decode.weights) / (kv_per_sequence * copies)),
    symbol="B_max",
    unit="sequence",
    title="Largest concurrency that fits",
    says="What the weights leave, in full sequences.",
    source=VLLM.at("gpu_memory_utilization"),
    show=Shown("sequence", decimals=0),
)

fits_up_to_the_largest = Claim(
    Equivalence(needed <= available, workload.concurrency <= largest_concurrency),
    title="It fits exactly up to the largest concurrency",
    says="One sequence more, and it does not.",
    source=VLLM.at("gpu_memory_utilization"),
)

evenly_split = Formula(
    ceiling(
        (decode.weights + workload.concurrency * kv_per_sequence)
        / (capacity_per_accelerator * usable_share)
    ),
    symbol="TP_even",
    unit="accelerator",
    title="Accelerators, if all can be split",
    says="Enough for weights and cache, as long as every accelerator has a head of its own.",
    source=VLLM.at("vllm/model_executor/models/llama.py, key/value heads"),
    show=Shown("accelerator", decimals=0),
)

a_head_fits = Condition(
    workload.concurrency * kv_per_sequence / (model.kv_heads * a_head_each)
    < capacity_per_accelerator * usable_share,
    title="The cache of one head fits on one accelerator",
    says="one accelerator can hold its head's part of every sequence",
    otherwise="the cache of a single head is more than one accelerator can hold, and more "
    "accelerators do not divide it further",
)

smallest_tensor_parallelism = Formula(
    when(
        evenly_split <= model.kv_heads * a_head_each,
        evenly_split,
        ceiling(
            decode.weights
            / (
                capacity_per_accelerator * usable_share
                - workload.concurrency * kv_per_sequence / (model.kv_heads * a_head_each)
            )
        ),
    ),
    symbol="TP_min",
    unit="accelerator",
    title="Smallest tensor parallelism that fits",
    says="Beyond the number of key/value heads only the weights are divided further.",
    source=VLLM.at("vllm/model_executor/models/llama.py, key/value heads"),
    show=Shown("accelerator", decimals=0),
    assuming=(a_head_fits,),
)
