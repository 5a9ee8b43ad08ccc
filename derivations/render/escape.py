"""Text from data files, made harmless for where it lands."""

from __future__ import annotations

import re
from html import escape

_MARKDOWN = {ord(sign): f"&#{ord(sign)};" for sign in "\\`*_{}[]()#+!|~$:"}


def for_html(text: str) -> str:
    """Escape text for HTML, in an element or in an attribute."""
    return escape(_on_one_line(text))


def for_markdown(text: str) -> str:
    """Escape text for Markdown: as HTML, and no sign of it means anything to Markdown."""
    safe = escape(_on_one_line(text), quote=False)
    return safe.translate(_MARKDOWN)


def for_plain(text: str) -> str:
    """Make text fit on one line of a terminal: no control characters."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _on_one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)
