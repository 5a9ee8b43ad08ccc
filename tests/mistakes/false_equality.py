"""A half is not a third."""

from derivations.book import model
from derivations.book.sources import ARTICLE
from derivations.language.declare import Claim

_USES = (model,)

same = Claim(
    (model.layers / 2).equals(model.layers / 3),
    title="Planted",
    says="It is wrong on purpose.",
    source=ARTICLE.at("Decode"),
)
