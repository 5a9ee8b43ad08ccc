"""The fastest that one request can be."""

from derivations.book import decode, prefill, workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

time_to_first_token = Formula(
    prefill.time,
    symbol="TTFT",
    unit="second",
    title="Time to first token",
    says="The prompt has to be read before anything can be answered.",
    source=ARTICLE.at("Time to first token"),
    show=Shown("ms", decimals=2),
)

end_to_end = Formula(
    prefill.time + workload.steps * decode.step_time / workload.a_step,
    symbol="t_total",
    unit="second",
    title="Total latency",
    says="After the prompt comes one decode step for each token of the answer.",
    source=ARTICLE.at("End to End latency"),
    show=Shown("ms", decimals=2),
    also=Shown("second", decimals=2),
)
