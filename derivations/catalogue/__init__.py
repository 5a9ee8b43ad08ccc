"""The facts: data files read into values with a unit, a source and a degree of trust."""

from derivations.catalogue.facts import Datum, Fact, Reference
from derivations.catalogue.measurements import Result, faults, results
from derivations.catalogue.reading import DataError, told
from derivations.catalogue.shelf import KINDS, UnknownFact, defaults, fact, facts

__all__ = [
    "KINDS",
    "DataError",
    "Datum",
    "Fact",
    "Reference",
    "Result",
    "UnknownFact",
    "defaults",
    "fact",
    "facts",
    "faults",
    "results",
    "told",
]
