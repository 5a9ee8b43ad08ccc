"""Where the templates stand."""

from __future__ import annotations

import sysconfig
from pathlib import Path


def templates() -> Path:
    """Give the folder of the templates: that of the checkout, else that of the installation."""
    checkout = Path(__file__).parents[2] / "templates"
    if (checkout / "article.md.jinja").is_file():
        return checkout
    return Path(sysconfig.get_path("data")) / "share/derivations/templates"
