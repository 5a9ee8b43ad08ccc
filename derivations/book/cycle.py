"""What both schedules share: a batch of requests, answered once."""

from derivations.book import decode, workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

decode_time = Formula(
    workload.steps * decode.step_time / workload.a_step,
    symbol="t_decode",
    unit="second",
    title="Total decode time",
    says="All the sequences of the batch take their steps together.",
    source=ARTICLE.at("Throughput"),
    show=Shown("ms", decimals=2),
)

output_tokens = Formula(
    workload.concurrency * workload.output_length,
    symbol="N_out",
    unit="token",
    title="Output tokens per cycle",
    says="All the answers of the batch. The prompts do not count.",
    source=ARTICLE.at("Throughput"),
    show=Shown("token", decimals=0),
)
