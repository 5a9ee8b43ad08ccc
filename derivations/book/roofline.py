"""Roofline: what each phase reaches, against how often it uses a byte."""

from derivations.book import decode, machine, model, prefill, workload
from derivations.book.sources import ROOFLINE
from derivations.language.declare import Claim, Equivalence, Formula, Shown
from derivations.language.functions import minimum

balance = Formula(
    machine.compute / machine.bandwidth,
    symbol="I_ridge",
    unit="flop / byte",
    title="Machine balance",
    says="Work that uses each byte so often keeps compute units and memory equally busy.",
    source=ROOFLINE.at("Roofline Model"),
    show=Shown("flop / byte", decimals=1),
)

prefill_intensity = Formula(
    prefill.flops / decode.weights,
    symbol="I_prefill",
    unit="flop / byte",
    title="Arithmetic intensity of prefill",
    says="A prompt goes through the weights in one pass, and all its tokens use what is read.",
    source=ROOFLINE.at("Arithmetic Intensity"),
    show=Shown("flop / byte", decimals=1),
)

decode_flops = Formula(
    workload.concurrency * workload.one_token_each * model.multiply_add * model.parameters,
    symbol="N_step",
    unit="flop",
    title="FLOPs of a decode step",
    says="One token of every sequence meets each weight once.",
    source=ROOFLINE.at("Arithmetic Intensity"),
    show=Shown("flop", digits=3),
)

decode_intensity = Formula(
    decode_flops / decode.bytes,
    symbol="I_decode",
    unit="flop / byte",
    title="Arithmetic intensity of a decode step",
    says="The batch shares the weights, and each sequence brings a cache that no other one uses.",
    source=ROOFLINE.at("Arithmetic Intensity"),
    show=Shown("flop / byte", decimals=1),
)

prefill_rate = Formula(
    prefill.flops / prefill.time,
    symbol="F_prefill",
    unit="flop / second",
    title="Rate that prefill reaches",
    says="The work over the time that it takes.",
    source=ROOFLINE.at("Roofline Model"),
    show=Shown("flop / second", digits=3),
)

decode_rate = Formula(
    decode_flops / decode.step_time,
    symbol="F_decode",
    unit="flop / second",
    title="Rate that decode reaches",
    says="The work of a step over the time of a step.",
    source=ROOFLINE.at("Roofline Model"),
    show=Shown("flop / second", digits=3),
)

prefill_under_the_roof = Claim(
    prefill_rate.equals(minimum(machine.compute, machine.bandwidth * prefill_intensity)),
    title="Prefill reaches the lower of the two roofs",
    says="It computes no faster than the compute units can, and no faster than bytes arrive.",
    source=ROOFLINE.at("Roofline Model"),
)

decode_under_the_roof = Claim(
    decode_rate.equals(minimum(machine.compute, machine.bandwidth * decode_intensity)),
    title="Decode reaches the lower of the two roofs",
    says="The same holds for a step, with the bytes of weights and cache.",
    source=ROOFLINE.at("Roofline Model"),
)

decode_beyond_the_ridge = Claim(
    Equivalence(decode_intensity >= balance, decode.compute_time >= decode.memory_time),
    title="Decode is compute bound exactly from the ridge on",
    says="Left of the ridge the memory sets the rate, right of it the compute units.",
    source=ROOFLINE.at("Roofline Model"),
)
