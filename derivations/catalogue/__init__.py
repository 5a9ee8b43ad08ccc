"""The facts: data files read into values with a unit, a source and a degree of trust."""

from derivations.catalogue.facts import DataError, Datum, Fact, Reference
from derivations.catalogue.shelf import KINDS, defaults, fact, facts, faults, near

__all__ = [
    "KINDS",
    "DataError",
    "Datum",
    "Fact",
    "Reference",
    "defaults",
    "fact",
    "facts",
    "faults",
    "near",
]
