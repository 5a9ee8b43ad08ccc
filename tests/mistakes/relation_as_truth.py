"""A relation is used as if it held or not."""

from derivations.book import model, workload
from derivations.language.declare import Formula, Shown

_USES = (model, workload)

if model.layers <= model.layers:
    pass
