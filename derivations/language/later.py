"""
What an earlier room can do only with the help of a later one.

A worksheet shows itself with numbers as the pages show them, and these are made in a room that
comes after it. The package itself, which knows all rooms, puts the help here; nothing is imported
before it is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

LATER: dict[str, Callable[[Any], str]] = {}
"""What shows a thing as HTML, by the name of its class."""
