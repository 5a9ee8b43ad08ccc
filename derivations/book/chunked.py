"""Throughput with chunked prefill: prompts ride along in the spare compute of decode steps."""

from derivations.book import cycle, machine, model, sequential, threshold, workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Claim, Condition, Derivation, Formula, Shown
from derivations.language.functions import minimum, positive_part

_prompts = workload.concurrency * workload.input_length
_batch = workload.concurrency * workload.one_token_each

overlapped_tokens = Formula(
    minimum(_prompts, workload.steps * positive_part(threshold.tokens - _batch) / workload.a_step),
    symbol="N_overlap",
    unit="token",
    title="Overlapped prefill tokens",
    says="Each decode step has room for prompt tokens until it reaches the threshold, and no more "
    "can ride along than there are.",
    source=ARTICLE.at("Appendix: Chunked Prefilling"),
    show=Shown("token", decimals=0),
)

non_overlapped_tokens = Formula(
    minimum(
        _prompts,
        positive_part(
            workload.concurrency * (workload.input_length + workload.output_length)
            - workload.steps * threshold.tokens / workload.a_step
        ),
    ),
    symbol="N_alone",
    unit="token",
    title="Non-overlapped prefill tokens",
    says="What did not fit beside the steps is read on its own: never less than nothing, and never "
    "more than all the prompts.",
    source=ARTICLE.at("Appendix: Chunked Prefilling"),
    show=Shown("token", decimals=0),
)

prefill_time = Formula(
    non_overlapped_tokens * model.multiply_add * model.parameters / machine.compute,
    symbol="t_alone",
    unit="second",
    title="Total prefill time, chunked",
    says="The rest of the prompts runs in full passes, which are compute bound.",
    source=ARTICLE.at("Throughput"),
    show=Shown("ms", decimals=2),
)

cycle_time = Formula(
    prefill_time + cycle.decode_time,
    symbol="t_chunked",
    unit="second",
    title="Total time, chunked",
    says="The prompts that ride along cost no time of their own.",
    source=ARTICLE.at("Throughput"),
    show=Shown("ms", decimals=2),
    also=Shown("second", decimals=2),
)

throughput = Formula(
    cycle.output_tokens / cycle_time,
    symbol="R_chunked",
    unit="token / second",
    title="Throughput, chunked",
    says="The same answers, over less time.",
    source=ARTICLE.at("Throughput"),
    show=Shown("token / second", decimals=0),
)

per_accelerator = Formula(
    throughput / machine.accelerators,
    symbol="r_chunked",
    unit="token / second / accelerator",
    title="Throughput per GPU, chunked",
    says="What each accelerator contributes.",
    source=ARTICLE.at("Throughput"),
    show=Shown("token / second / accelerator", decimals=0),
)

fully_overlapped = Condition(
    non_overlapped_tokens <= 0,
    title="All prompts ride along",
    says="the decode steps have room for all the prompts",
    otherwise="the decode steps do not have room for all the prompts",
)

never_overlapped = Condition(
    overlapped_tokens <= 0,
    title="No prompt rides along",
    says="the batch alone fills every decode step",
    otherwise="the decode steps have room for some prompt tokens",
)

every_prompt_is_read = Claim(
    (overlapped_tokens + non_overlapped_tokens).equals(_prompts),
    title="Every prompt token is read once",
    says="What rides along and what does not make up all the prompts.",
    source=ARTICLE.at("Appendix: Chunked Prefilling"),
)

never_slower = Claim(
    cycle_time <= sequential.cycle_time,
    title="Chunked prefill is never slower",
    says="In this model, riding along costs nothing.",
    source=ARTICLE.at("Throughput"),
)

room = Condition(
    _batch <= threshold.tokens,
    title="A step has room for a chunk",
    says="the batch does not fill a step up to the threshold",
    otherwise="the batch alone already exceeds the threshold, so there is no chunk",
)

chunk_size = Formula(
    threshold.tokens - _batch,
    symbol="S",
    unit="token",
    title="Chunk size",
    says="One token of every sequence is there already; the chunk fills the step up to the "
    "threshold.",
    source=ARTICLE.at("Appendix: Chunked Prefilling"),
    show=Shown("token", decimals=0),
    assuming=(room,),
)

some_room = Condition(
    _batch < threshold.tokens,
    title="A chunk holds something",
    says="the batch leaves room in a step",
    otherwise="the batch leaves no room in a step, and no number of chunks would do",
)

chunk_count = Formula(
    workload.concurrency * (workload.input_length / chunk_size),
    symbol="N_chunks",
    unit="1",
    title="Chunks to process",
    says="All the prompts, cut to that size.",
    source=ARTICLE.at("Appendix: Chunked Prefilling"),
    show=Shown("1", decimals=0),
    assuming=(some_room,),
)

more_chunks_than_steps = Condition(
    chunk_count * workload.a_step >= workload.steps,
    title="There are at least as many chunks as steps",
    says="every step carries a full chunk",
    otherwise="the prompts run out before the steps do",
)

what_is_left = Derivation(
    non_overlapped_tokens,
    (
        (chunk_count * workload.a_step - workload.steps) * chunk_size / workload.a_step,
        _prompts - workload.steps * chunk_size / workload.a_step,
        workload.concurrency * (workload.input_length + workload.output_length)
        - workload.steps * threshold.tokens / workload.a_step,
    ),
    under=(some_room, more_chunks_than_steps),
    title="Where the non-overlapped tokens come from",
    says="Each step carries one chunk. The chunks that are left when the steps are over, times "
    "their size, are what is read alone.",
    source=ARTICLE.at("Appendix: Chunked Prefilling"),
)
