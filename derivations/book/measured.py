"""What was measured, held against the limits, where somebody has measured the configuration."""

from fractions import Fraction

from derivations.book import (
    chunked,
    cycle,
    decode,
    latency,
    machine,
    prefill,
    sequential,
    workload,
)
from derivations.book.sources import ARTICLE, INFERENCEMAX
from derivations.language.declare import Claim, Condition, Constant, Formula, Given, Shown
from derivations.language.functions import maximum

_LACKING = "nothing was measured in this configuration"
_RATE = Shown("token / second / accelerator", decimals=0)
_TIME = Shown("ms", decimals=2)
_SHARE = Shown("percent", decimals=2)

total_rate = Given(
    symbol="r_total",
    unit="token / second / accelerator",
    title="Published rate",
    says="The tokens of prompts and answers together, in each second, for each accelerator.",
    show=_RATE,
    least=Fraction(1, 1024),
    most=Fraction(10**9),
    lacking=_LACKING,
)

time_to_first_token = Given(
    symbol="TTFT_median",
    unit="second",
    title="Measured time to first token",
    says="Half of the requests had to wait at least that long for the first token. Waiting for "
    "other requests is in it.",
    show=_TIME,
    least=Fraction(1, 2**20),
    most=Fraction(10**7),
    lacking=_LACKING,
)

time_per_output_token = Given(
    symbol="TPOT_median",
    unit="second / token",
    title="Measured time per output token",
    says="For half of the requests, each token after the first took at least that long.",
    show=Shown("ms / token", decimals=2),
    least=Fraction(1, 2**20),
    most=Fraction(10**7),
    lacking=_LACKING,
)

end_to_end = Given(
    symbol="L_median",
    unit="second",
    title="Measured end-to-end latency",
    says="Half of the requests took at least that long.",
    show=Shown("second", decimals=2),
    least=Fraction(1, 2**20),
    most=Fraction(10**7),
    lacking=_LACKING,
)

drawn_share = Given(
    symbol="s_drawn",
    unit="1",
    title="Drawn share of the lengths",
    says="Prompts and answers of the benchmark are drawn, and have that share of their nominal "
    "length on average.",
    show=Shown("1", digits=2),
    least=Fraction(1, 100),
    most=Fraction(1),
    lacking=_LACKING,
)

there_is_a_result = Condition(
    total_rate > 0,
    title="There is a result",
    says="somebody has measured this configuration",
    otherwise=_LACKING,
)

output_rate = Formula(
    total_rate * workload.output_length / (workload.input_length + workload.output_length),
    symbol="r_out",
    unit="token / second / accelerator",
    title="Output rate per GPU, measured",
    says="The published rate counts the tokens of prompts as well. The answers have the share that "
    "their length has.",
    source=INFERENCEMAX.at("throughput per GPU"),
    show=_RATE,
    assuming=(there_is_a_result,),
)

steps_rate = Formula(
    workload.concurrency / workload.a_request / time_per_output_token / machine.accelerators,
    symbol="r_steps",
    unit="token / second / accelerator",
    title="Output rate per GPU, by the steps",
    says="If all the users were always in their answers, each of them would get a token in that "
    "time.",
    source=ARTICLE.at("Real numbers"),
    show=_RATE,
    assuming=(there_is_a_result,),
)

share_of_chunked = Formula(
    output_rate / chunked.per_accelerator,
    symbol="s_chunked",
    unit="1",
    title="Share of the limit with chunked prefill",
    says="What was put out, of what could be.",
    source=ARTICLE.at("Real numbers"),
    show=_SHARE,
    assuming=(there_is_a_result,),
)

share_of_sequential = Formula(
    output_rate / sequential.per_accelerator,
    symbol="s_sequential",
    unit="1",
    title="Share of the sequential limit",
    says="The same rate, against a schedule that lets no prompt ride along.",
    source=ARTICLE.at("Real numbers"),
    show=_SHARE,
    assuming=(there_is_a_result,),
)

share_by_steps = Formula(
    steps_rate / chunked.per_accelerator,
    symbol="s_steps",
    unit="1",
    title="Share of the limit, by the steps",
    says="How the original article counts. The time that requests wait for their first token is "
    "not in it.",
    source=ARTICLE.at("Real numbers"),
    show=_SHARE,
    assuming=(there_is_a_result,),
)

share_of_end_to_end = Formula(
    latency.end_to_end / end_to_end,
    symbol="s_total",
    unit="1",
    title="Shortest latency over the measured one",
    says="How much of the time that a request took had to be.",
    source=ARTICLE.at("Real numbers"),
    show=_SHARE,
    assuming=(there_is_a_result,),
)

share_of_first_token = Formula(
    latency.time_to_first_token / time_to_first_token,
    symbol="s_first",
    unit="1",
    title="Shortest time to first token over the measured one",
    says="How much of the wait for the first token had to be.",
    source=ARTICLE.at("Real numbers"),
    show=_SHARE,
    assuming=(there_is_a_result,),
)

steps_over_output = Formula(
    steps_rate / output_rate,
    symbol="q_rates",
    unit="1",
    title="Rate by the steps over the output rate",
    says="The more time requests spend before their first token, the further the two are apart.",
    source=INFERENCEMAX.at("max_concurrency of the load generator"),
    show=Shown("1", decimals=2),
    assuming=(there_is_a_result,),
)

a_fifth = Constant(
    5,
    "1",
    "A fifth",
    says="Where the line is drawn is a choice of ours, made after looking: the results have a gap "
    "there. Below it reading prompts explains most of the difference, and a short queue may hide.",
    source=INFERENCEMAX.at("max_concurrency of the load generator"),
)

queued = Condition(
    (steps_rate - output_rate) * a_fifth >= output_rate,
    title="Requests queued",
    says="the steps tell of far more tokens than came out, so a part of the requests was waiting",
    otherwise="the steps tell of about as many tokens as came out",
)

above_chunked = Condition(
    output_rate > chunked.per_accelerator,
    title="The output rate is above the limit with chunked prefill",
    says="more was put out than the limit allows",
    otherwise="the output rate is below the limit",
)

above_sequential = Condition(
    output_rate > sequential.per_accelerator,
    title="The output rate is above the sequential limit",
    says="more was put out than a sequential schedule could",
    otherwise="the output rate is below the sequential limit",
)

above_by_steps = Condition(
    steps_rate > chunked.per_accelerator,
    title="The rate by the steps is above the limit",
    says="the steps tell of more than the limit allows",
    otherwise="the rate by the steps is below the limit",
)

faster_than_latency = Condition(
    end_to_end < latency.end_to_end,
    title="Requests were faster than the shortest latency",
    says="half of the requests took less than the shortest latency",
    otherwise="half of the requests took longer than the shortest latency",
)

faster_than_first_token = Condition(
    time_to_first_token < latency.time_to_first_token,
    title="First tokens came before the shortest time",
    says="half of the first tokens came sooner than a prompt of the nominal length can be read",
    otherwise="half of the first tokens came later than a prompt can be read",
)

drawn_prefill_time = Formula(
    maximum(drawn_share * prefill.compute_time, prefill.memory_time),
    symbol="d_prefill",
    unit="second",
    title="Prefill time, at the drawn length",
    says="A shorter prompt is computed sooner. The weights have to be read all the same.",
    source=INFERENCEMAX.at("random_range_ratio of the load generator"),
    show=_TIME,
    assuming=(there_is_a_result,),
)

drawn_memory_time = Formula(
    (decode.weights + drawn_share * decode.kv_total) / machine.bandwidth,
    symbol="d_read",
    unit="second",
    title="Time to read a step, at the drawn lengths",
    says="Shorter sequences have a smaller cache.",
    source=INFERENCEMAX.at("random_range_ratio of the load generator"),
    show=_TIME,
    assuming=(there_is_a_result,),
)

drawn_step_time = Formula(
    maximum(drawn_memory_time, decode.compute_time),
    symbol="d_step",
    unit="second",
    title="Decode time per step, at the drawn lengths",
    says="What there is to compute does not depend on the lengths.",
    source=INFERENCEMAX.at("random_range_ratio of the load generator"),
    show=_TIME,
    assuming=(there_is_a_result,),
)

drawn_end_to_end = Formula(
    drawn_prefill_time + drawn_share * workload.steps * drawn_step_time / workload.a_step,
    symbol="d_total",
    unit="second",
    title="Total latency, at the drawn lengths",
    says="Fewer tokens take fewer steps, and each of them is shorter.",
    source=INFERENCEMAX.at("random_range_ratio of the load generator"),
    show=_TIME,
    also=Shown("second", decimals=2),
    assuming=(there_is_a_result,),
)

drawn_per_accelerator = Formula(
    cycle.output_tokens
    / (chunked.prefill_time + workload.steps * drawn_step_time / workload.a_step)
    / machine.accelerators,
    symbol="d_chunked",
    unit="token / second / accelerator",
    title="Throughput per GPU, chunked, at the drawn lengths",
    says="With shorter prompts and answers, there is as much less to put out as there is to do. "
    "Only the steps themselves are shorter.",
    source=INFERENCEMAX.at("random_range_ratio of the load generator"),
    show=_RATE,
    assuming=(there_is_a_result,),
)

within_drawn_chunked = Condition(
    output_rate <= drawn_per_accelerator,
    title="The drawn lengths allow the output rate",
    says="at the drawn lengths the output rate is possible",
    otherwise="even at the drawn lengths the output rate is above the limit",
)

within_drawn_latency = Condition(
    end_to_end >= drawn_end_to_end,
    title="The drawn lengths allow the latency",
    says="at the drawn lengths the latency is possible",
    otherwise="even at the drawn lengths the latency is below the shortest one",
)

within_drawn_first_token = Condition(
    time_to_first_token >= drawn_prefill_time,
    title="The drawn length allows the time to first token",
    says="at the drawn length the time to first token is possible",
    otherwise="even at the drawn length the time to first token is below the shortest one",
)

shorter_is_never_slower = Claim(
    drawn_end_to_end <= latency.end_to_end,
    under=(there_is_a_result,),
    title="Shorter requests are never slower",
    says="The limits at the nominal lengths ask more of a machine than the benchmark did.",
    source=INFERENCEMAX.at("random_range_ratio of the load generator"),
)
