"""The article's chain as a person would type it, to measure against. It is used nowhere else."""

from __future__ import annotations

from typing import Any

import numpy as np


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
) -> tuple[Any, ...]:
    """Work one configuration out, in plain floats: every formula, and the premises."""
    compute = accelerators * compute_per_accelerator
    bandwidth = accelerators * bandwidth_per_accelerator
    threshold = compute / (bandwidth / weight_size) / 2
    prefill_flops = input_length * 2 * parameters
    prefill_compute = prefill_flops / compute
    prefill_memory = parameters * weight_size / bandwidth
    prefill = max(prefill_compute, prefill_memory)
    kv_per_token = 2 * layers * kv_heads * head_dimension * kv_value_size
    mean_length = input_length + output_length / 2
    kv_per_sequence = mean_length * kv_per_token
    kv_total = concurrency * kv_per_sequence
    weights = parameters * weight_size
    step_bytes = weights + kv_total
    step_memory = step_bytes / bandwidth
    step_compute = concurrency * 2 * parameters / compute
    step = max(step_memory, step_compute)
    decode = output_length * step
    end_to_end = prefill + decode
    tokens = concurrency * output_length
    prompts = concurrency * input_length
    sequential_prefill = concurrency * prefill
    sequential_cycle = sequential_prefill + decode
    sequential = tokens / sequential_cycle
    overlapped = min(prompts, output_length * max(0, threshold - concurrency))
    alone = min(prompts, max(0, prompts + tokens - output_length * threshold))
    chunked_prefill = alone * 2 * parameters / compute
    chunked_cycle = chunked_prefill + decode
    chunked = tokens / chunked_cycle
    chunk = threshold - concurrency if concurrency <= threshold else None
    chunks = concurrency * (input_length / chunk) if chunk else None
    return (
        compute, bandwidth, threshold, prefill_flops, prefill_compute, prefill_memory, prefill,
        prefill_compute >= prefill_memory, kv_per_token, mean_length, kv_per_sequence, kv_total,
        weights, step_bytes, step_memory, step_compute, step, step_compute >= step_memory,
        prefill, end_to_end, decode, tokens, sequential_prefill, sequential_cycle, sequential,
        sequential / accelerators, overlapped, alone, chunked_prefill, chunked_cycle, chunked,
        chunked / accelerators, alone <= 0, overlapped <= 0, concurrency <= threshold, chunk,
        concurrency < threshold, chunks, chunks is not None and chunks >= output_length,
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
) -> tuple[Any, ...]:
    """Work many configurations out, in NumPy: every formula, and the premises."""
    compute = accelerators * compute_per_accelerator
    bandwidth = accelerators * bandwidth_per_accelerator
    threshold = compute / (bandwidth / weight_size) / 2
    prefill_flops = input_length * 2 * parameters
    prefill_compute = prefill_flops / compute
    prefill_memory = parameters * weight_size / bandwidth
    prefill = np.maximum(prefill_compute, prefill_memory)
    kv_per_token = 2 * layers * kv_heads * head_dimension * kv_value_size
    mean_length = input_length + output_length / 2
    kv_per_sequence = mean_length * kv_per_token
    kv_total = concurrency * kv_per_sequence
    weights = parameters * weight_size
    step_bytes = weights + kv_total
    step_memory = step_bytes / bandwidth
    step_compute = concurrency * 2 * parameters / compute
    step = np.maximum(step_memory, step_compute)
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
    return (
        compute, bandwidth, threshold, prefill_flops, prefill_compute, prefill_memory, prefill,
        prefill_compute >= prefill_memory, kv_per_token, mean_length, kv_per_sequence, kv_total,
        weights, step_bytes, step_memory, step_compute, step, step_compute >= step_memory,
        prefill, end_to_end, decode, tokens, sequential_prefill, sequential_cycle, sequential,
        sequential / accelerators, overlapped, alone, chunked_prefill, chunked_cycle, chunked,
        chunked / accelerators, alone <= 0, overlapped <= 0, room >= 0, chunk, room > 0, chunks,
        chunks >= output_length,
    )  # fmt: skip
