"""A fact by options or by answers: each is read as its field in a data file would be."""

from derivations.asking.afterwards import next_steps
from derivations.asking.answers import answered
from derivations.asking.options import options
from derivations.asking.prompts import ask, at_terminal

__all__ = ["answered", "ask", "at_terminal", "next_steps", "options"]
