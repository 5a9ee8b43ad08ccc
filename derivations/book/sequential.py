"""Throughput when decoding pauses for each prefill."""

from derivations.book import cycle, machine, prefill, workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Formula, Shown

prefill_time = Formula(
    workload.concurrency * prefill.time / workload.a_request,
    symbol="t_prompts",
    unit="second",
    title="Total prefill time, sequential",
    says="The prompts are read one after the other, while no sequence decodes.",
    source=ARTICLE.at("Throughput"),
    show=Shown("ms", decimals=2),
)

cycle_time = Formula(
    prefill_time + cycle.decode_time,
    symbol="t_sequential",
    unit="second",
    title="Total time, sequential",
    says="First all the prompts, then all the steps.",
    source=ARTICLE.at("Throughput"),
    show=Shown("ms", decimals=2),
    also=Shown("second", decimals=2),
)

throughput = Formula(
    cycle.output_tokens / cycle_time,
    symbol="R_sequential",
    unit="token / second",
    title="Throughput, sequential",
    says="The answers over the time that they took.",
    source=ARTICLE.at("Throughput"),
    show=Shown("token / second", decimals=0),
)

per_accelerator = Formula(
    throughput / machine.accelerators,
    symbol="r_sequential",
    unit="token / second / accelerator",
    title="Throughput per GPU, sequential",
    says="What each accelerator contributes.",
    source=ARTICLE.at("Throughput"),
    show=Shown("token / second / accelerator", decimals=0),
)
