"""A data file as text: TOML, its fields in the order of the vocabulary, its sources last."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import msgspec
import tomli_w

from derivations.catalogue.facts import Amount, Reference
from derivations.catalogue.vocabulary import vocabulary


def fact_file(
    kind: str,
    texts: Mapping[str, Any],
    amounts: Mapping[str, Amount],
    sources: Mapping[str, Reference],
) -> str:
    """
    Write a data file.

    The texts and the amounts are keyed as those of a `Fact` are: ``name``, ``compute.fp8``.
    What is written reads back to the same; whether it is right, its reader says.
    """
    fields = vocabulary()[kind]
    found: dict[str, Any] = {name: _plain(texts[name]) for name in fields if name in texts}
    for name, field in fields.items():
        if field.each:
            each = {
                key.partition(".")[2]: _plain(amount)
                for key, amount in amounts.items()
                if key.startswith(f"{name}.")
            }
            if each:
                found[name] = each
        elif name in amounts:
            found[name] = _plain(amounts[name])
    found["sources"] = {key: _plain(source) for key, source in sources.items()}
    return tomli_w.dumps(found)


def _plain(value: Any) -> Any:
    """Give what TOML has signs for; a key that holds nothing is left out."""
    plain = msgspec.to_builtins(value, builtin_types=(date,))
    if isinstance(plain, tuple):
        return list(plain)
    if isinstance(plain, dict):
        return {key: each for key, each in plain.items() if each not in ("", [], ())}
    return plain
