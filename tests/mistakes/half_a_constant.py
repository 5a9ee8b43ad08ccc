"""A constant that would be cut to zero."""

from derivations.book.sources import ARTICLE
from derivations.language.declare import Constant

half = Constant(
    0.5,
    "1",
    "A half",
    says="On average, half of it is there.",
    source=ARTICLE.at("Decode"),
)
