"""The article's formulas, one section a module, in reading order."""

from derivations.book import (
    architecture,
    chunked,
    cycle,
    decode,
    latency,
    machine,
    measured,
    memory,
    model,
    parameters,
    prefill,
    roofline,
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
    roofline,
    latency,
    cycle,
    sequential,
    chunked,
    measured,
    architecture,
    parameters,
)

BOOK = Book(SECTIONS)
