"""How a report says things: in Markdown that GitHub shows, and that MkDocs shows, too."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from math import isinf
from typing import Any

from markupsafe import Markup

from derivations.language.algebra import Quantity
from derivations.language.declare import Bridge, Unknown
from derivations.language.notation.latex import latex
from derivations.language.notation.plain import symbols
from derivations.render.labels import label
from derivations.render.numbers import exact, shown
from derivations.review.format import Entry, Tree
from derivations.review.moves import Move
from derivations.review.trees import UnknownTree, rebuilt, safe_symbol
from derivations.review.trees import shown as shown_as
from derivations.review.verdicts import Verdict

LONGEST_TEXT = 1500
_MEANS_SOMETHING = re.compile(r"([\\`*\[\]]|(?<![^\W_])_|_(?![^\W_]))")
_MEANS_SOMETHING_OR_MATHS = re.compile(rf"{_MEANS_SOMETHING.pattern}|[$|~]")
_ENTITIES = {"$": "&#36;", "|": "&#124;", "~": "&#126;"}
_CALLS = re.compile(r"([@#])(?=\w)|(?<=\w)(://)|(www)(?=\.)|(GH)(?=-\d)", re.I)
_BREAK = "\u2060"  # a word joiner: nobody sees it, and nothing is called by what it parts


def _line(value: object, longest: int = LONGEST_TEXT) -> str:
    """Give any text on one line, without signs that nobody sees, and not longer than it may be."""
    line = " ".join("".join(c if c.isprintable() else " " for c in str(value)).split())
    return line if len(line) <= longest else f"{line[:longest]} …"


def _calling_nobody(line: str) -> str:
    return _CALLS.sub(lambda match: f"{match[0][0]}{_BREAK}{match[0][1:]}", line)


def text(value: object) -> Markup:
    """Write any text so that it means nothing to Markdown or HTML, and calls nobody."""
    line = escape(_calling_nobody(_line(value)), quote=False)
    safe = _MEANS_SOMETHING.sub(r"\\\1", line)
    return Markup(re.sub(r"[$|~]", lambda match: _ENTITIES[match[0]], safe))


def code(value: object) -> Markup:
    """Write any text as code: an id, an option, a unit."""
    line = _line(value, 300)
    if line and not re.search(r"[`<>&|$]", line):
        return Markup(f"`{line}`")
    return Markup("<code>{}</code>").format(text(line))


def revision(value: str) -> Markup:
    """Name a revision: by words as they are, by anything else as code."""
    return Markup(value) if re.fullmatch(r"[a-z' ]{1,60}", value) else code(value)


def html(value: object) -> Markup:
    """Write any text for a piece of HTML in which no Markdown is read."""
    line = escape(_calling_nobody(_line(value, 300)))
    return Markup(_MEANS_SOMETHING_OR_MATHS.sub(lambda match: f"&#{ord(match[0])};", line))


def block(lines: Sequence[str]) -> Markup:
    """Write lines as they are, in a fence that none of them can close."""
    safe = [_line(line) for line in lines]
    ticks = max((len(run) for line in safe for run in re.findall(r"`+", line)), default=0)
    fence = "`" * max(3, ticks + 1)
    return Markup("\n".join([f"{fence}text", *safe, fence]))


def link(title: str, url: str) -> Markup:
    """Write a link, or its title alone where the address is none of the web."""
    if not re.fullmatch(r"https?://[^\s\"'<>()\[\]\\`*|$]{1,500}", url):
        return text(title)
    return Markup(f"[{text(title)}]({url})")


def _written(tree: Tree, entries: Mapping[str, Entry]) -> Any:
    def leaf(identity: str) -> Quantity:
        entry = entries.get(identity)
        if entry is None:
            return Unknown(symbol="?", unit="", title="", says="")
        if entry.kind == "bridge":
            return Bridge("", "", says="")
        return Unknown(symbol=safe_symbol(entry), unit="", title="", says="")

    return rebuilt(tree, leaf)


def math(tree: Tree, entries: Mapping[str, Entry], left: Entry | None = None) -> Markup:
    """Write a formula as a block, with the symbol of what it is the formula of."""
    try:
        written = latex(_written(tree, entries))
    except UnknownTree as problem:
        return Markup("*{}*").format(text(problem))
    if left is not None and left.kind == "formula":
        symbol = Unknown(symbol=safe_symbol(left), unit="", title="", says="")
        written = f"{latex(symbol)} = {written}"
    return Markup(f"```math\n{written}\n```")


def inline(tree: Tree, entries: Mapping[str, Entry]) -> Markup:
    """Write a relation within a sentence."""
    try:
        return Markup(f"$`{latex(_written(tree, entries))}`$")
    except UnknownTree as problem:
        return Markup("*{}*").format(text(problem))


def plain(tree: Tree, entries: Mapping[str, Entry]) -> str:
    """Write a formula as plain text."""
    try:
        return symbols(_written(tree, entries))
    except UnknownTree as problem:
        return str(problem)


def percent(change: float | None) -> str:
    """Write a relative change; a large one as how many times as much it is."""
    if change is None or isinf(change):
        return "from 0"
    if change >= 9:
        return f"{_digits(change + 1)} times"
    return f"{'−' if change < 0 else '+'}{_digits(abs(100 * change))} %"


def _digits(value: float) -> str:
    return re.sub(r"e([+-])0?", lambda match: f"E{match[1].strip('+')}", f"{value:.3g}")


def amount(value: float | None, entry: Entry, more: int = 0) -> str:
    """Write a value of a formula as its pages do, or whether a condition holds."""
    if entry.kind == "condition":
        return "holds" if value == 1 else "does not hold"
    if value is None:
        return "no value"
    show = shown_as(entry)
    try:
        number = shown(exact(value), show, more)
        return f"{number.text} {label(show.unit, one=number.value == 1)}".strip()
    except (ArithmeticError, LookupError, ValueError):
        return f"{value:.6g} {entry.texts.get('unit', '')}".strip()


def two_amounts(
    before: tuple[float | None, Entry], after: tuple[float | None, Entry]
) -> tuple[str, str]:
    """Write two values with as many digits as it takes to tell them apart."""
    for more in range(12):
        found = amount(*before, more), amount(*after, more)
        if found[0] != found[1] or before[0] == after[0]:
            return found
    return amount(*before), amount(*after)


def where(move: Move, defaults: Mapping[str, str]) -> Markup:
    """Write the options that lead to a configuration, as they are typed; *defaults* need none."""
    options = [
        f"--{name.replace('_', '-')} {value}"
        for name, value in _needed(move.where)
        if defaults.get(name) != value
    ]
    return code(" ".join(options)) if options else Markup("by default")


def _needed(chosen: Mapping[str, str]) -> list[tuple[str, str]]:
    """Leave out the formats that follow from another."""
    follows = {"kv_precision": "precision", "arithmetic": "precision"}
    return [
        (name, value)
        for name, value in chosen.items()
        if name not in follows or chosen.get(follows[name]) != value
    ]


def pages(places: Sequence[str]) -> str:
    """Say which pages: up to two by name, and how many there are of each kind."""
    if not places:
        return "none"
    if len(places) <= 2:
        return ", ".join(map(page, places))
    kinds: dict[str, int] = {}
    for place in places:
        kinds[place.partition("/")[0]] = kinds.get(place.partition("/")[0], 0) + 1
    named = "the article" if kinds.pop("index.md", 0) else ""
    counted = [f"{count} of {kind}" for kind, count in kinds.items()]
    return " and ".join(filter(None, [named, ", ".join(counted)]))


def page(place: str) -> str:
    """Name a page."""
    if place == "index.md":
        return "the article"
    return place.removesuffix(".md").removesuffix("/index")


def counted(number: int, one: str, many: str = "") -> str:
    """Write how many there are of something."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def said(verdict: Verdict) -> str:
    """Say a verdict in a few words."""
    match verdict.says, verdict.how:
        case "same", "proven":
            return "the same value, proven"
        case "same", _:
            return f"the same on {verdict.samples} sampled configurations"
        case "factor", "proven":
            return f"changed by a constant factor of {verdict.factor}, proven"
        case "factor", _:
            return (
                f"changed by a constant factor of {verdict.factor}, "
                f"on {verdict.samples} sampled configurations"
            )
        case "different", _:
            return "different"
    return "not compared"


FILTERS: dict[str, Callable[..., Any]] = {
    "code": code,
    "revision": revision,
    "html": html,
    "percent": percent,
    "pages": pages,
    "said": said,
    "counted": counted,
}
