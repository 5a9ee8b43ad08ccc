"""One configuration becomes a worksheet of values, many become arrays."""

import sys
from types import ModuleType

from derivations.evaluate.sweep import sweep
from derivations.evaluate.worksheet import NoValue, Worksheet, evaluate

__all__ = ["NoValue", "Worksheet", "evaluate", "sweep"]


class _Room(ModuleType):
    """This room can be called: ``derivations.evaluate`` is its name and that of its function."""

    __call__ = staticmethod(evaluate)


sys.modules[__name__].__class__ = _Room
