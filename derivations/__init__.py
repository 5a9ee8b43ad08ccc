"""How fast can LLM inference go? Formulas declared once, checked, and worked in numbers."""

__version__ = "0.1.0"
