"""The font of the formulas: STIX Two Math, cut down to the glyphs that the pages use."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from importlib.util import find_spec
from pathlib import Path

from derivations.files import kept

_MATH = re.compile(r"<math\b.*?</math>", re.S)
_TAG = re.compile(r"<[^>]+>")
_LETTER = re.compile(r"<mi\b[^>]*>\s*([A-Za-z])\s*</mi>")


def glyphs_of(html: str) -> set[str]:
    """Give the characters of all formulas of a page. A letter alone is set in italics."""
    found: set[str] = set()
    for formula in _MATH.findall(html):
        found.update(unescape(_TAG.sub("", formula)))
        found.update(_italic(letter) for letter in _LETTER.findall(formula))
    return found - {"\n"}


def _italic(letter: str) -> str:
    if letter == "h":
        return "\u210e"
    start = 0x1D434 if letter.isupper() else 0x1D44E
    return chr(start + ord(letter.upper()) - ord("A"))


def font_with(glyphs: Iterable[str]) -> bytes:
    """Give the font with these characters, as WOFF2; remembered in the user's cache folder."""
    text = "".join(sorted({*glyphs, " ", "0"}))
    source = _stix()
    return kept("stix.woff2", f"{source.stat().st_size}\0{text}", lambda: _subset(source, text))


def _stix() -> Path:
    """Find the font in the ziamath package, without importing it."""
    spec = find_spec("ziamath")
    folders = (spec.submodule_search_locations if spec else None) or []
    for folder in folders:
        for path in Path(folder).rglob("STIXTwoMath-Regular.ttf"):
            return path
    raise FileNotFoundError("STIXTwoMath-Regular.ttf is not in the package ziamath")


def _subset(source: Path, text: str) -> bytes:
    from io import BytesIO

    from fontTools import subset
    from fontTools.ttLib import TTFont

    options = subset.Options()
    options.layout_features = ["*"]
    options.flavor = "woff2"
    options.notdef_outline = True
    font = TTFont(str(source))
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=text)
    subsetter.subset(font)
    font.flavor = "woff2"
    buffer = BytesIO()
    font.save(buffer)
    return buffer.getvalue()
