"""One configuration becomes a worksheet of values, many become arrays (`evaluate.sweep`)."""

import sys
from types import ModuleType

from derivations.evaluate.worksheet import Worksheet, by_engine, evaluate
from derivations.language.calling import NoValue

__all__ = ["NoValue", "Worksheet", "by_engine", "evaluate"]


class _Room(ModuleType):
    """
    This room can be called: ``derivations.evaluate`` is its name and that of its function.

    Whoever imports the room first puts it where `derivations` would look the function up.
    """

    __call__ = staticmethod(evaluate)


sys.modules[__name__].__class__ = _Room
