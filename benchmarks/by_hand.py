"""The formulas of the book as a person would type them, to measure against. Nothing uses them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

ARGUMENTS = """
    machine.accelerators machine.compute_per_accelerator machine.bandwidth_per_accelerator
    model.parameters model.layers model.kv_heads model.head_dimension model.weight_size
    model.kv_value_size workload.concurrency workload.input_length workload.output_length
    memory.capacity_per_accelerator memory.usable_share measured.total_rate
    measured.time_to_first_token measured.time_per_output_token measured.end_to_end
    measured.drawn_share architecture.vocabulary
    architecture.hidden_size architecture.query_heads architecture.intermediate_size
    architecture.mlp_matrices architecture.qkv_bias architecture.output_bias
    architecture.mlp_bias architecture.qk_norm_heads architecture.norm_vectors
    architecture.final_vectors architecture.positions architecture.untied
""".split()
"""The givens that a chain takes, in its order."""

RESULTS = """
    machine.compute machine.bandwidth threshold.tokens prefill.flops prefill.compute_time
    prefill.memory_time prefill.time prefill.compute_bound decode.kv_per_token
    decode.mean_length decode.kv_per_sequence decode.kv_total decode.weights decode.bytes
    decode.memory_time decode.compute_time decode.step_time decode.compute_bound
    memory.available memory.copies memory.heads_are_copied memory.full_length
    memory.kv_per_sequence memory.needed
    memory.fits memory.weights_fit memory.largest_concurrency memory.evenly_split
    memory.a_head_fits memory.smallest_tensor_parallelism latency.time_to_first_token
    latency.end_to_end cycle.decode_time cycle.output_tokens sequential.prefill_time
    sequential.cycle_time sequential.throughput sequential.per_accelerator
    chunked.overlapped_tokens chunked.non_overlapped_tokens chunked.prefill_time
    chunked.cycle_time chunked.throughput chunked.per_accelerator chunked.fully_overlapped
    chunked.never_overlapped chunked.room chunked.chunk_size chunked.some_room
    chunked.chunk_count chunked.more_chunks_than_steps parameters.embedding
    parameters.position_table parameters.attention parameters.attention_vectors parameters.mlp
    parameters.mlp_vectors parameters.norms parameters.layer parameters.final_norm
    parameters.output_head parameters.total parameters.multiplied parameters.looked_up
    decode.even_concurrency decode.work_of_a_sequence decode.reading_of_a_sequence
    decode.enough_work decode.compute_bound_concurrency roofline.balance
    roofline.prefill_intensity roofline.decode_flops roofline.decode_intensity
    roofline.prefill_rate roofline.decode_rate measured.there_is_a_result measured.output_rate
    measured.steps_rate measured.share_of_chunked measured.share_of_sequential
    measured.share_by_steps measured.share_of_end_to_end measured.share_of_first_token
    measured.steps_over_output measured.queued measured.above_chunked
    measured.above_sequential measured.above_by_steps measured.faster_than_latency
    measured.faster_than_first_token measured.drawn_prefill_time measured.drawn_memory_time
    measured.drawn_step_time measured.drawn_end_to_end measured.drawn_per_accelerator
    measured.within_drawn_chunked measured.within_drawn_latency
    measured.within_drawn_first_token
""".split()
"""What a chain gives, in its order."""


def chain(
    accelerators: float,
    compute_per_accelerator: float,
    bandwidth_per_accelerator: float,
    parameters: float,
    layers: float,
    kv_heads: float,
    head_dimension: float,
    weight_size: float,
    kv_value_size: float,
    concurrency: float,
    input_length: float,
    output_length: float,
    capacity_per_accelerator: float,
    usable_share: float,
    total_rate: float,
    first_token: float,
    time_per_token: float,
    measured: float,
    drawn: float,
    vocabulary: float,
    hidden_size: float,
    query_heads: float,
    intermediate_size: float,
    mlp_matrices: float,
    qkv_bias: float,
    output_bias: float,
    mlp_bias: float,
    qk_norm_heads: float,
    norm_vectors: float,
    final_vectors: float,
    positions: float,
    untied: float,
) -> tuple[Any, ...]:
    """Work one configuration out, in plain floats."""
    compute = accelerators * compute_per_accelerator
    bandwidth = accelerators * bandwidth_per_accelerator
    threshold = compute / (bandwidth / weight_size) / 2
    prefill_flops = input_length * 2 * parameters
    prefill_compute = prefill_flops / compute
    weights = parameters * weight_size
    prefill_memory = weights / bandwidth
    prefill = max(prefill_compute, prefill_memory)
    kv_per_token = 2 * layers * kv_heads * head_dimension * kv_value_size
    mean_length = input_length + output_length / 2
    kv_per_sequence = mean_length * kv_per_token
    kv_total = concurrency * kv_per_sequence
    step_bytes = weights + kv_total
    step_memory = step_bytes / bandwidth
    step_compute = concurrency * 2 * parameters / compute
    step = max(step_memory, step_compute)
    usable = capacity_per_accelerator * usable_share
    available = accelerators * usable
    copies = max(1, accelerators / kv_heads)
    full_length = input_length + output_length
    kv_full = full_length * kv_per_token
    kv_all = concurrency * kv_full
    needed = weights + kv_all * copies
    largest = math.floor(max(0, available - weights) / (kv_full * copies))
    even = math.ceil((weights + kv_all) / usable)
    a_head = kv_all / kv_heads
    smallest = math.nan
    if a_head < usable:
        smallest = even if even <= kv_heads else math.ceil(weights / (usable - a_head))
    decode = output_length * step
    end_to_end = prefill + decode
    tokens = concurrency * output_length
    prompts = concurrency * input_length
    sequential_prefill = concurrency * prefill
    sequential_cycle = sequential_prefill + decode
    sequential = tokens / sequential_cycle
    room = threshold - concurrency
    overlapped = min(prompts, output_length * max(0, room))
    alone = min(prompts, max(0, prompts + tokens - output_length * threshold))
    chunked_prefill = alone * 2 * parameters / compute
    chunked_cycle = chunked_prefill + decode
    chunked = tokens / chunked_cycle
    chunk = room if room >= 0 else math.nan
    chunks = concurrency * (input_length / room) if room > 0 else math.nan
    embedding = vocabulary * hidden_size
    position_table = positions * hidden_size
    attention = 2 * hidden_size * head_dimension * (query_heads + kv_heads)
    attention_vectors = (
        qkv_bias * head_dimension * (query_heads + 2 * kv_heads)
        + output_bias * hidden_size
        + qk_norm_heads * head_dimension
    )
    mlp = mlp_matrices * hidden_size * intermediate_size
    mlp_vectors = mlp_bias * ((mlp_matrices - 1) * intermediate_size + hidden_size)
    norms = norm_vectors * hidden_size
    layer = attention + attention_vectors + mlp + mlp_vectors + norms
    final_norm = final_vectors * hidden_size
    output_head = untied * embedding
    body = layers * layer + final_norm
    work = 2 * parameters / compute
    reading = kv_per_sequence / bandwidth
    bound = weights / bandwidth / (work - reading) if work > reading else math.nan
    step_flops = concurrency * 2 * parameters
    most = chunked / accelerators
    there = total_rate > 0
    output_rate = steps_rate = math.nan
    drawn_prefill = drawn_memory = drawn_step = drawn_end = drawn_rate = math.nan
    if there:
        output_rate = total_rate * output_length / full_length
        steps_rate = concurrency / time_per_token / accelerators
        drawn_prefill = max(drawn * prefill_compute, prefill_memory)
        drawn_memory = (weights + drawn * kv_total) / bandwidth
        drawn_step = max(drawn_memory, step_compute)
        drawn_end = drawn_prefill + drawn * output_length * drawn_step
        drawn_rate = tokens / (chunked_prefill + output_length * drawn_step) / accelerators
    return (
        compute, bandwidth, threshold, prefill_flops, prefill_compute, prefill_memory, prefill,
        prefill_compute >= prefill_memory, kv_per_token, mean_length, kv_per_sequence, kv_total,
        weights, step_bytes, step_memory, step_compute, step, step_compute >= step_memory,
        available, copies, copies > 1, full_length, kv_full, needed, needed <= available,
        weights <= available, largest, even, a_head < usable, smallest, prefill, end_to_end,
        decode, tokens, sequential_prefill, sequential_cycle, sequential,
        sequential / accelerators, overlapped, alone, chunked_prefill, chunked_cycle, chunked,
        chunked / accelerators, alone <= 0, overlapped <= 0, room >= 0, chunk, room > 0, chunks,
        chunks >= output_length, embedding, position_table, attention, attention_vectors, mlp,
        mlp_vectors, norms, layer, final_norm, output_head,
        embedding + position_table + body + output_head, body + embedding,
        position_table + output_head, weights / kv_per_sequence, work, reading, work > reading,
        bound, compute / bandwidth, prefill_flops / weights, step_flops, step_flops / step_bytes,
        prefill_flops / prefill, step_flops / step, there, output_rate, steps_rate,
        output_rate / most, output_rate / (sequential / accelerators), steps_rate / most,
        end_to_end / measured, prefill / first_token, steps_rate / output_rate,
        (steps_rate - output_rate) * 5 >= output_rate, output_rate > most,
        output_rate > sequential / accelerators, steps_rate > most, measured < end_to_end,
        first_token < prefill, drawn_prefill, drawn_memory, drawn_step, drawn_end, drawn_rate,
        output_rate <= drawn_rate, measured >= drawn_end, first_token >= drawn_prefill,
    )  # fmt: skip


def chain_of_arrays(
    accelerators: Any,
    compute_per_accelerator: Any,
    bandwidth_per_accelerator: Any,
    parameters: Any,
    layers: Any,
    kv_heads: Any,
    head_dimension: Any,
    weight_size: Any,
    kv_value_size: Any,
    concurrency: Any,
    input_length: Any,
    output_length: Any,
    capacity_per_accelerator: Any,
    usable_share: Any,
    total_rate: Any,
    first_token: Any,
    time_per_token: Any,
    measured: Any,
    drawn: Any,
    vocabulary: Any,
    hidden_size: Any,
    query_heads: Any,
    intermediate_size: Any,
    mlp_matrices: Any,
    qkv_bias: Any,
    output_bias: Any,
    mlp_bias: Any,
    qk_norm_heads: Any,
    norm_vectors: Any,
    final_vectors: Any,
    positions: Any,
    untied: Any,
) -> tuple[Any, ...]:
    """Work many configurations out, in NumPy."""
    compute = accelerators * compute_per_accelerator
    bandwidth = accelerators * bandwidth_per_accelerator
    threshold = compute / (bandwidth / weight_size) / 2
    prefill_flops = input_length * 2 * parameters
    prefill_compute = prefill_flops / compute
    weights = parameters * weight_size
    prefill_memory = weights / bandwidth
    prefill = np.maximum(prefill_compute, prefill_memory)
    kv_per_token = 2 * layers * kv_heads * head_dimension * kv_value_size
    mean_length = input_length + output_length / 2
    kv_per_sequence = mean_length * kv_per_token
    kv_total = concurrency * kv_per_sequence
    step_bytes = weights + kv_total
    step_memory = step_bytes / bandwidth
    step_compute = concurrency * 2 * parameters / compute
    step = np.maximum(step_memory, step_compute)
    usable = capacity_per_accelerator * usable_share
    available = accelerators * usable
    copies = np.maximum(1, accelerators / kv_heads)
    full_length = input_length + output_length
    kv_full = full_length * kv_per_token
    kv_all = concurrency * kv_full
    needed = weights + kv_all * copies
    largest = np.floor(np.maximum(0, available - weights) / (kv_full * copies))
    even = np.ceil((weights + kv_all) / usable)
    a_head = kv_all / kv_heads
    with np.errstate(all="ignore"):
        split = np.where(even <= kv_heads, even, np.ceil(weights / (usable - a_head)))
    smallest = np.where(a_head < usable, split, np.nan)
    decode = output_length * step
    end_to_end = prefill + decode
    tokens = concurrency * output_length
    prompts = concurrency * input_length
    sequential_prefill = concurrency * prefill
    sequential_cycle = sequential_prefill + decode
    sequential = tokens / sequential_cycle
    room = threshold - concurrency
    overlapped = np.minimum(prompts, output_length * np.maximum(0, room))
    alone = np.minimum(prompts, np.maximum(0, prompts + tokens - output_length * threshold))
    chunked_prefill = alone * 2 * parameters / compute
    chunked_cycle = chunked_prefill + decode
    chunked = tokens / chunked_cycle
    chunk = np.where(room >= 0, room, np.nan)
    with np.errstate(all="ignore"):
        chunks = np.where(room > 0, concurrency * (input_length / room), np.nan)
    embedding = vocabulary * hidden_size
    position_table = positions * hidden_size
    attention = 2 * hidden_size * head_dimension * (query_heads + kv_heads)
    attention_vectors = (
        qkv_bias * head_dimension * (query_heads + 2 * kv_heads)
        + output_bias * hidden_size
        + qk_norm_heads * head_dimension
    )
    mlp = mlp_matrices * hidden_size * intermediate_size
    mlp_vectors = mlp_bias * ((mlp_matrices - 1) * intermediate_size + hidden_size)
    norms = norm_vectors * hidden_size
    layer = attention + attention_vectors + mlp + mlp_vectors + norms
    final_norm = final_vectors * hidden_size
    output_head = untied * embedding
    body = layers * layer + final_norm
    work = 2 * parameters / compute
    reading = kv_per_sequence / bandwidth
    with np.errstate(all="ignore"):
        bound = np.where(work > reading, weights / bandwidth / (work - reading), np.nan)
    step_flops = concurrency * 2 * parameters
    most = chunked / accelerators
    there = total_rate > 0
    output_rate = np.where(there, total_rate * output_length / full_length, np.nan)
    steps_rate = np.where(there, concurrency / time_per_token / accelerators, np.nan)
    drawn_prefill = np.maximum(drawn * prefill_compute, prefill_memory)
    drawn_memory = (weights + drawn * kv_total) / bandwidth
    drawn_step = np.maximum(drawn_memory, step_compute)
    drawn_end = drawn_prefill + drawn * output_length * drawn_step
    drawn_rate = tokens / (chunked_prefill + output_length * drawn_step) / accelerators
    return (
        compute, bandwidth, threshold, prefill_flops, prefill_compute, prefill_memory, prefill,
        prefill_compute >= prefill_memory, kv_per_token, mean_length, kv_per_sequence, kv_total,
        weights, step_bytes, step_memory, step_compute, step, step_compute >= step_memory,
        available, copies, copies > 1, full_length, kv_full, needed, needed <= available,
        weights <= available, largest, even, a_head < usable, smallest, prefill, end_to_end,
        decode, tokens, sequential_prefill, sequential_cycle, sequential,
        sequential / accelerators, overlapped, alone, chunked_prefill, chunked_cycle, chunked,
        chunked / accelerators, alone <= 0, overlapped <= 0, room >= 0, chunk, room > 0, chunks,
        chunks >= output_length, embedding, position_table, attention, attention_vectors, mlp,
        mlp_vectors, norms, layer, final_norm, output_head,
        embedding + position_table + body + output_head, body + embedding,
        position_table + output_head, weights / kv_per_sequence, work, reading, work > reading,
        bound, compute / bandwidth, prefill_flops / weights, step_flops, step_flops / step_bytes,
        prefill_flops / prefill, step_flops / step, there, output_rate, steps_rate,
        output_rate / most, output_rate / (sequential / accelerators), steps_rate / most,
        end_to_end / measured, prefill / first_token, steps_rate / output_rate,
        (steps_rate - output_rate) * 5 >= output_rate, output_rate > most,
        output_rate > sequential / accelerators, steps_rate > most, measured < end_to_end,
        first_token < prefill, drawn_prefill, drawn_memory, drawn_step, drawn_end, drawn_rate,
        output_rate <= drawn_rate, measured >= drawn_end, first_token >= drawn_prefill,
    )  # fmt: skip
