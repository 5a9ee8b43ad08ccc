"""How formulas, conditions and givens show themselves: at a prompt, and in a notebook."""

from __future__ import annotations

from html import escape
from typing import Any

from derivations.language.algebra import Quantity
from derivations.language.declare import Condition, Formula, Given, relation_of
from derivations.language.notation.latex import latex, latex_symbol
from derivations.language.notation.mathml import mathml, mathml_symbol
from derivations.language.notation.plain import symbols

BLOCK = (
    '<div class="derivations tex2jax_ignore mathjax_ignore" style="border-left: 3px solid '
    'rgba(128, 128, 128, .5); padding: .2em 1em; color: inherit; background: none">'
)
"""It takes its colours from the page, light or dark. A $ in it is money, and no formula."""


def in_short(thing: Any) -> str:
    """Give one line for a prompt: ``<Formula decode.weights: M = P × w, in byte>``."""
    kind = f"{type(thing).__name__} {thing.identity}".rstrip()
    match thing:
        case Formula():
            return f"<{kind}: {thing.symbol} = {symbols(thing.body)}, in {thing.unit}>"
        case Condition():
            return f"<{kind}: {symbols(thing.relation)}>"
    return f"<{kind}: {thing.symbol}, in {thing.unit}>"


def as_latex(thing: Any) -> str:
    """Give LaTeX between the signs that notebooks want."""
    match thing:
        case Formula():
            return f"$${latex_symbol(thing.symbol)} = {latex(thing.body)}$$"
        case Condition():
            return f"$${latex(thing.relation)}$$"
    return f"$${latex_symbol(thing.symbol)}$$"


def as_html(thing: Any) -> str:
    """Give a block that stands alone: title, formula, unit, and why."""
    code = f" <code>{escape(thing.identity)}</code>" if thing.identity else ""
    parts = [f"<p><strong>{escape(thing.title)}</strong>{code}</p>"]
    match thing:
        case Formula():
            name = mathml_symbol(thing, thing.identity)
            parts.append(_math(f"{name}<mo>=</mo>{mathml(thing.body, _identity)}"))
            parts.append(f"<p>{_unit(thing.unit)} {escape(thing.says)}</p>")
            for premise in thing.assuming:
                reason = f": {premise.otherwise}" if isinstance(premise, Condition) else ""
                text = f"No value unless {symbols(relation_of(premise))}{reason}."
                parts.append(f"<p>{escape(text)}</p>")
        case Condition():
            parts.append(_math(mathml(thing.relation, _identity)))
            parts.append(f"<p>Where it holds, {escape(thing.says)}.</p>")
            parts.append(f"<p>Where it does not, {escape(thing.otherwise)}.</p>")
        case Given():
            parts.append(_math(mathml_symbol(thing, thing.identity)))
            whole = "a whole number " if thing.whole else ""
            bounds = f"From a configuration: {whole}from {_g(thing.least)} to {_g(thing.most)}."
            parts.append(f"<p>{_unit(thing.unit)} {escape(thing.says)} {bounds}</p>")
    return f"{BLOCK}{''.join(parts)}</div>"


def _math(inner: str) -> str:
    return f'<math display="block"><mrow>{inner}</mrow></math>'


def _identity(quantity: Quantity) -> str:
    return quantity.identity


def _unit(text: str) -> str:
    return "A pure number." if text == "1" else f"In <code>{escape(text)}</code>."


def _g(value: Any) -> str:
    return f"{float(value):g}"
