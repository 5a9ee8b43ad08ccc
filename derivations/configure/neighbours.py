"""The measured configurations that differ least from one that was not measured."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from derivations.catalogue import Result, results
from derivations.configure.choices import COUNTS, Configuration

MOST = 3
"""So many are named."""


@lru_cache(maxsize=64)
def nearest(chosen: Configuration) -> tuple[dict[str, Any], ...]:
    """
    Give what to change for the nearest configurations that were measured, each by choice.

    Those with the fewest changes, and among them those whose counts are closest; none where the
    configuration itself was measured.
    """
    mine = chosen.resolved()
    follows = [name for name in _FOLLOWING if getattr(chosen, name) is None]
    found: dict[tuple[Any, ...], tuple[Any, dict[str, Any]]] = {}
    for each in results():
        theirs = {**each.choices, "arithmetic": each.precision, "model": _model(each, mine)}
        there = {**mine, **dict.fromkeys(follows, each.precision)}
        changes = {name: value for name, value in theirs.items() if value != there[name]}
        found.setdefault(tuple(theirs.items()), (_distance(mine, changes), changes))
    ranked = sorted(found.values(), key=lambda each: each[0])
    if not ranked or not ranked[0][1]:
        return ()
    fewest = len(ranked[0][1])
    return tuple(changes for _, changes in ranked[:MOST] if len(changes) == fewest)


_FOLLOWING = ("kv_precision", "arithmetic")
"""What changes along with the precision where it is not chosen itself."""


def _model(result: Result, mine: dict[str, Any]) -> str:
    models = result.benchmark.texts["stands_for"]
    return str(mine["model"] if mine["model"] in models else models[0])


def _distance(mine: dict[str, Any], changes: dict[str, Any]) -> tuple[Any, ...]:
    """Rank by the number of changes, those of hardware and model last, then by the counts."""
    far = sum(name not in COUNTS for name in changes)
    steps = sum(abs(math.log2(changes[name] / mine[name])) for name in changes if name in COUNTS)
    return len(changes), far, steps, tuple(map(str, changes.values()))
