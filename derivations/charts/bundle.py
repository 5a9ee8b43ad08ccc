"""The scripts that the live charts need: Vega, and the charts as Vega without data."""

from __future__ import annotations

from derivations.catalogue import facts
from derivations.charts.kept import kept
from derivations.charts.look import shared
from derivations.configure import computed_in
from derivations.files import as_json

# The modules that vl-convert brings along, by the names under which it holds them. Maps, trees,
# forces and clouds of words are left out, and so is Vega-Lite: that halves what is loaded.
_HELD = "https://cdn.jsdelivr.net/npm/{}/+esm"
_MODULES = {
    "{ parse }": "vega-parser@7.1.0",
    "{ View }": "vega-view@6.1.0",
    "{ transforms }": "vega-dataflow@6.1.0",
    "* as shaping": "vega-transforms@5.1.0",
    "* as placing": "vega-view-transforms@5.1.0",
    "* as encoding": "vega-encode@5.1.0",
    "{ expressionInterpreter }": "vega-interpreter@2.0.0",
}


def vega() -> bytes:
    """Give an ES module that exports ``parse``, ``View`` and ``expressionInterpreter`` of Vega."""
    return kept("vega.js", "", _vega)


def _vega() -> bytes:
    import vl_convert

    lines = [f'import {name} from "{_HELD.format(of)}";' for name, of in _MODULES.items()]
    lines.append("Object.assign(transforms, shaping, placing, encoding);")
    lines.append("export { parse, View, expressionInterpreter };")
    return vl_convert.javascript_bundle("\n".join(lines)).encode()


def specifications() -> bytes:
    """Give an ES module that exports the charts without data, and how they look."""
    types = {name: computed_in(each) for name, each in facts("precision").items()}
    written = as_json({**shared(), "computes_in": types})
    return kept("specifications.js", written, lambda: _specifications(written))


def _specifications(look: str) -> bytes:
    from derivations.charts.specification import specifications

    charts = as_json(specifications())
    return f"export const SPECIFICATIONS = {charts};\nexport const LOOK = {look};\n".encode()
