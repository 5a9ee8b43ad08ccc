"""A worksheet as a notebook shows it: its configuration, whether that fits, and every value."""

from __future__ import annotations

from derivations.book import BOOK
from derivations.evaluate import Worksheet
from derivations.language.notation.mathml import mathml_symbol
from derivations.language.shown import BLOCK
from derivations.render.equations import inline
from derivations.render.escape import for_html
from derivations.render.terminal import as_data, misfit

_SCROLLED = "max-height: 30em; overflow: auto"
_LEFT = ' style="text-align: left"'


def as_html(sheet: Worksheet) -> str:
    """Give a worksheet as a block that stands alone."""
    data = as_data(sheet)
    chosen = ", ".join(f"{name} {value}" for name, value in data["configuration"].items())
    lines = [f"<p><strong>{for_html(chosen)}</strong></p>"]
    if sheet.overridden:
        names = (name for name, given in BOOK.givens.items() if given in sheet.overridden)
        lines.append(f"<p>Set by the caller, in place of the facts: {', '.join(names)}.</p>")
    fits = misfit(sheet) or ["This fits into the memory."]
    lines.extend(f"<p>{for_html(each)}</p>" for each in fits)
    heads = "".join(f"<th{_LEFT}>{each}</th>" for each in ("id", "symbol", "value", "title"))
    rows = "".join(_row(name, each) for name, each in data["values"].items())
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return f'{BLOCK}{"".join(lines)}<div style="{_SCROLLED}">{table}</div></div>'


def _row(identity: str, found: dict[str, object]) -> str:
    quantity = BOOK.quantities[identity]
    reason = for_html(str(found["display"]))
    value = reason if found["value"] is not None else f'<span title="{reason}">no value</span>'
    cells = (
        f"<code>{identity}</code>",
        inline(mathml_symbol(quantity, identity)),
        value,
        for_html(str(getattr(quantity, "title", ""))),
    )
    return f"<tr>{''.join(f'<td{_LEFT}>{each}</td>' for each in cells)}</tr>"
