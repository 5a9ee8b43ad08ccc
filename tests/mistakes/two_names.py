"""One quantity under two names."""

from derivations.book import model

_USES = (model,)

depth = model.layers
