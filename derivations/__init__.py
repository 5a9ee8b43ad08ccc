"""
How fast can LLM inference go? Formulas declared once, checked, and worked in numbers.

``evaluate(accelerator="b200")["decode.step_time"].to("ms")`` gives a pint quantity,
``sweep(concurrency=array)`` many configurations in NumPy, ``BOOK`` the formulas themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from derivations.language.later import LATER

if TYPE_CHECKING:
    from derivations.book import BOOK
    from derivations.check import examine
    from derivations.configure import ChoiceError
    from derivations.evaluate import NoValue, Worksheet, evaluate
    from derivations.evaluate.sweep import sweep

__version__ = "0.1.0"
__all__ = ["BOOK", "ChoiceError", "NoValue", "Worksheet", "evaluate", "examine", "sweep"]

_HOMES = {
    "BOOK": "derivations.book",
    "ChoiceError": "derivations.configure",
    "NoValue": "derivations.evaluate",
    "Worksheet": "derivations.evaluate",
    "evaluate": "derivations.evaluate",
    "examine": "derivations.check",
    "sweep": "derivations.evaluate.sweep",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for, when it is asked for: ``derivations --help`` needs none of it."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'derivations' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def _worksheet_as_html(sheet: Worksheet) -> str:
    from derivations.render.notebook import as_html

    return as_html(sheet)


LATER["Worksheet"] = _worksheet_as_html


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
