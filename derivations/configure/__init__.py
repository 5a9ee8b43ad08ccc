"""Facts and choices become a value for every given: where the catalogue meets the book."""

from derivations.configure.choices import (
    COUNTS,
    ChoiceError,
    Configuration,
    computed_in,
    configuration,
)
from derivations.configure.filling import (
    CHOSEN_FROM,
    COUNTED,
    MODEL_FIELDS,
    data,
    filled_by,
    in_bounds,
)
from derivations.configure.fitting import misfits, misfits_of
from derivations.configure.measuring import (
    FIGURES,
    LACKING,
    figures_of,
    measured_with,
    refuse_parts,
    results_for,
)
from derivations.configure.neighbours import MOST as MOST_NEAREST
from derivations.configure.neighbours import nearest
from derivations.configure.values import allowed, counted, numbers, override, recount

__all__ = [
    "CHOSEN_FROM",
    "COUNTED",
    "COUNTS",
    "FIGURES",
    "LACKING",
    "MODEL_FIELDS",
    "MOST_NEAREST",
    "ChoiceError",
    "Configuration",
    "allowed",
    "computed_in",
    "configuration",
    "counted",
    "data",
    "figures_of",
    "filled_by",
    "in_bounds",
    "measured_with",
    "misfits",
    "misfits_of",
    "nearest",
    "numbers",
    "override",
    "recount",
    "refuse_parts",
    "results_for",
]
