"""Marks around a part of a paragraph, which become an element when the Markdown is converted."""

from __future__ import annotations

_OPEN, _INSIDE, _CLOSE, _CLOSED = "\ue002\ue003\ue004\ue005"

INLINE_REGION = (
    f"{_OPEN}(?P<name>(?P<kind>[a-z]+) (?P<number>[0-9]+)){_INSIDE}"
    f"(?P<inside>.*?){_CLOSE}(?P=name){_CLOSED}"
)
"""The pattern of a region: its kind, its number, and what is in it."""


def inline_region(kind: str, number: int, text: str) -> str:
    """Mark a part of a paragraph as a region."""
    name = f"{kind} {number}"
    return f"{_OPEN}{name}{_INSIDE}{text}{_CLOSE}{name}{_CLOSED}"
