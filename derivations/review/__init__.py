"""What a change does to the formulas, the facts and the numbers."""

from derivations.review.format import FormatError
from derivations.review.revisions import RevisionError

__all__ = ["FormatError", "RevisionError"]
