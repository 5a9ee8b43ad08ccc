"""What an entry comes down to: the givens below it, and the data that fill them."""

from __future__ import annotations

from functools import cache

from derivations.catalogue import Datum
from derivations.evaluate import Worksheet
from derivations.language.contents import Entry, needs
from derivations.language.declare import Formula, Given


@cache
def givens_below(entry: Entry) -> tuple[Given, ...]:
    """Give the givens that an entry comes down to, in the order of writing."""
    if isinstance(entry, Given):
        return (entry,)
    found: dict[Given, None] = {}
    for each in needs(entry):
        if isinstance(each, Given | Formula):
            found.update(dict.fromkeys(givens_below(each)))
    return tuple(found)


def data_below(sheet: Worksheet, entry: Entry) -> list[Datum]:
    """Give the data behind an entry in a configuration, each once."""
    there = sheet.data()
    return [there[given] for given in givens_below(entry) if given in there]
