"""Facts and choices become a value for every given: where the catalogue meets the book."""

from derivations.configure.choices import COUNTS, ChoiceError, Configuration, configuration
from derivations.configure.filling import COUNTED, MODEL_FIELDS, data, filled_by, in_bounds
from derivations.configure.fitting import misfits, misfits_of
from derivations.configure.values import allowed, counted, numbers, override, recount

__all__ = [
    "COUNTED",
    "COUNTS",
    "MODEL_FIELDS",
    "ChoiceError",
    "Configuration",
    "allowed",
    "configuration",
    "counted",
    "data",
    "filled_by",
    "in_bounds",
    "misfits",
    "misfits_of",
    "numbers",
    "override",
    "recount",
]
