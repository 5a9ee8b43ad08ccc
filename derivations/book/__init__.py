"""The article's formulas, one section a module, in reading order."""

from derivations.book import (
    chunked,
    cycle,
    decode,
    latency,
    machine,
    memory,
    model,
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
)

BOOK = Book(SECTIONS)
