"""Prefill: a prompt goes through the model in one pass."""

from derivations.book import machine, model, threshold, workload
from derivations.book.sources import ARTICLE
from derivations.language.declare import Claim, Condition, Equivalence, Formula, Shown
from derivations.language.functions import maximum

flops = Formula(
    workload.input_length * model.multiply_add * model.parameters * workload.a_request,
    symbol="N_prefill",
    unit="flop",
    title="FLOPs required",
    says="Each token of the prompt meets each weight once.",
    source=ARTICLE.at("Prefill"),
    show=Shown("flop", digits=5),
)

compute_time = Formula(
    flops / machine.compute,
    symbol="t_compute",
    unit="second",
    title="Time to compute a prompt",
    says="The work over the rate, if the compute units never wait.",
    source=ARTICLE.at("Prefill"),
    show=Shown("ms", decimals=2),
)

memory_time = Formula(
    model.parameters * model.weight_size / machine.bandwidth,
    symbol="t_memory",
    unit="second",
    title="Time to read the weights",
    says="A pass reads each weight once, however many tokens share it.",
    source=ARTICLE.at("Working it through"),
    show=Shown("ms", decimals=2),
)

time = Formula(
    maximum(compute_time, memory_time),
    symbol="t_prefill",
    unit="second",
    title="Prefill time per sequence",
    says="Computing and reading run at the same time, so the longer of the two counts.",
    source=ARTICLE.at("Prefill"),
    show=Shown("ms", decimals=2),
)

compute_bound = Condition(
    compute_time >= memory_time,
    title="Prefill is compute bound",
    says="computing the prompt takes at least as long as reading the weights",
    otherwise="reading the weights takes longer than computing the prompt",
)

bound_by_the_threshold = Claim(
    Equivalence(
        compute_time >= memory_time,
        workload.input_length * workload.a_request >= threshold.tokens,
    ),
    title="Prefill is compute bound exactly from the threshold on",
    says="The two times compare as the prompt and the threshold do.",
    source=ARTICLE.at("Prefill"),
)
