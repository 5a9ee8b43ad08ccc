"""Empty what the rooms remember of the data, before and after a test puts other data there."""

from __future__ import annotations

from derivations.catalogue import measurements, shelf
from derivations.configure import choices, measuring, neighbours, values


def forget_the_data() -> None:
    """Clear every cache of the rooms that read facts. The vocabulary stays as it is."""
    for room in (shelf, measurements, choices, measuring, neighbours, values):
        for each in vars(room).values():
            if hasattr(each, "cache_clear") and each.__module__ == room.__name__:
                each.cache_clear()
