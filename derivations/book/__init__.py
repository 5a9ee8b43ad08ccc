"""The article's formulas, one section a module, in reading order."""

from derivations.book import (
    architecture,
    chunked,
    cycle,
    decode,
    latency,
    machine,
    memory,
    model,
    parameters,
    prefill,
    sequential,
    threshold,
    workload,
)
from derivations.language.contents import Book

SECTIONS = (
    machine,
    model,
    workload,
    threshold,
    prefill,
    decode,
    memory,
    latency,
    cycle,
    sequential,
    chunked,
    architecture,
    parameters,
)

BOOK = Book(SECTIONS)
