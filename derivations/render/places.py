"""Where the templates stand, and the style and script of the pages."""

from __future__ import annotations

import sysconfig
from pathlib import Path


def templates() -> Path:
    """Give the folder of the templates: that of the checkout, else that of the installation."""
    checkout = Path(__file__).parents[2] / "templates"
    if (checkout / "article.md.jinja").is_file():
        return checkout
    return Path(sysconfig.get_path("data")) / "share/derivations/templates"


def assets() -> Path:
    """Give the folder of the style and the script: that of the checkout, or of the installation."""
    checkout = Path(__file__).parents[2] / "site" / "assets"
    if (checkout / "derivations.css").is_file():
        return checkout
    return Path(sysconfig.get_path("data")) / "share/derivations/assets"
