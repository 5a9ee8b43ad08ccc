"""
A Python-Markdown extension for formulas and for numbers that lead to their derivation.

It reads what GitHub reads, too: ``math`` fences and the backtick-dollar form become MathML. A link
such as ``[12.85 ms](derivation:decode.step_time)`` becomes a number that opens its popover. The
configuration of a page stands in a comment: ``<!-- derivations?accelerator=b200 -->``.

A link without a text is filled in: ``[](derivation:decode.step_time)`` with the number,
``[](derivation:decode.step_time#line)`` with the worked line. A fence ``derivation`` with an id
behind it becomes the whole derivation. Each may have a configuration of its own, behind a question
mark: ``[](derivation:decode.step_time?accelerator=b200&concurrency=128)``.
"""

from __future__ import annotations

import logging
import re
import xml.etree.ElementTree as etree
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import parse_qsl

from markdown import Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from derivations.book import BOOK
from derivations.catalogue import DataError
from derivations.configure import COUNTS, ChoiceError
from derivations.evaluate import NoValue, evaluate
from derivations.language.contents import UnknownName
from derivations.language.declare import Bridge, Constant, Formula, Given, Unknown
from derivations.language.notation.latex import latex_symbol
from derivations.language.notation.mathml import mathml, mathml_symbol
from derivations.render.equations import inline, latex_of, mathml_of
from derivations.render.escape import for_html, for_markdown
from derivations.render.lines import Figure
from derivations.render.popover import (
    IN_THE_PAGE,
    OPENING,
    SCHEME,
    key_of,
    place_of,
    popover,
    popover_id,
)
from derivations.render.regions import INLINE_REGION
from derivations.render.workings import Workings, workings_of

_DIRECTIVE = re.compile(r"^ {0,3}<!--\s*derivations\?(?P<query>.*?)\s*-->\s*$")
_FENCE = re.compile(
    r"^```math(?:[ ]+derivation=(?P<id>\S+))?[ ]*\n(?P<latex>.*?)^```[ ]*$", re.M | re.S
)
_OPENING = re.compile(r"^ *```math\b", re.M)
_INLINE = r"(?<!`)(`{2,})(?!`).+?(?<!`)\1(?!`)|\$`(?P<latex>[^`]+)`\$"
"""Code in two backticks may show how maths is written, and is left alone."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


_WHOLE = re.compile(r"^```derivation[ ]+(?P<named>\S+)[ ]*\n(?:```)[ ]*$", re.M)
_EMPTY = r"\[\]\(derivation:(?P<named>[^\s()<>]+)\)"
_LOG = logging.getLogger("mkdocs.plugins.derivations.markdown")
"""MkDocs counts what is logged below its own name, and a strict build fails of it."""


class MarkdownError(ValueError):
    """A page names what there is not, or holds maths that cannot be written."""


class DerivationsExtension(Extension):
    """
    Formulas as MathML, and numbers with a popover.

    Options: `choices`, a configuration; `site`, where the derivations are published, for links to
    them; `unknown`, what is done where a page names what there is not: "refuse" raises
    `MarkdownError`, "mark" leaves a mark that readers see, and warns.
    """

    def __init__(self, **options: Any) -> None:
        self.config = {
            "choices": [{}, "The configuration of pages that do not name theirs."],
            "site": ["", "The address of the site with the derivations."],
            "unknown": ["refuse", "What is done with unknown ids: refuse, or mark."],
        }
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:
        """Register the parts. Called by Python-Markdown."""
        page = _Page(self.getConfig("choices"), self.getConfig("site"), self.getConfig("unknown"))
        md.registerExtension(page)
        md.preprocessors.register(_Directive(md, page), "derivations-directive", 22)
        md.preprocessors.register(_Fences(md), "derivations-fences", 27)
        md.preprocessors.register(_Whole(md, page), "derivations-whole", 28)
        md.inlinePatterns.register(_Filled(_EMPTY, md, page), "derivations-filled", 185)
        md.parser.blockprocessors.register(_NestedFences(md), "derivations-fences", 75)
        md.inlinePatterns.register(_Inline(_INLINE, md), "derivations-inline", 195)
        for depth in range(_DEPTH):
            region = _Region(INLINE_REGION, md)
            md.inlinePatterns.register(region, f"derivations-region-{depth}", 178 - depth / 10)
        md.treeprocessors.register(_Numbers(md, page), "derivations-numbers", 5)


class _Page(Extension):
    """What is known of the page that is being converted."""

    def __init__(self, choices: dict[str, Any], site: str, unknown: str) -> None:
        super().__init__()
        if unknown not in ("refuse", "mark"):
            raise MarkdownError(f"unknown is {unknown!r}; it should be refuse or mark")
        if site and not re.fullmatch(r"(https?://|\.{0,2}/)[^\s\"'<>{}]*|\.{1,2}", site):
            raise MarkdownError(f"site is {site!r}; it should be an address")
        self.link = f"{site.rstrip('/')}/derivations/{{id}}/" if site else ""
        self._unknown = unknown
        self._default = dict(choices)
        self.reset()

    def reset(self) -> None:
        self.choices = dict(self._default)
        self._workings: dict[str, Workings] = {}

    @property
    def workings(self) -> Workings:
        return self.workings_for("")

    def workings_for(self, query: str) -> Workings:
        """Give the worked lines of the page, or of a configuration of its own within it."""
        if query not in self._workings:
            whose = f"the configuration {query}" if query else "the configuration of this page"
            chosen = self.choices
            if query:
                chosen = {**self._default, **_choices(whose, query)}
            try:
                self._workings[query] = workings_of(evaluate(**chosen).chosen)
            except (ChoiceError, DataError) as problem:
                raise MarkdownError(f"{whose}: {problem}") from None
        return self._workings[query]

    def marked(self, named: str, problem: MarkdownError) -> str:
        """Give the mark of what there is not, or raise what is wrong with it."""
        if self._unknown == "refuse":
            raise problem
        _LOG.warning("%s", problem)
        return f"⚠ {named} ({problem})"


def _choices(whose: str, query: str) -> dict[str, Any]:
    """Read the choices of a query. What they may be is checked where they are used."""
    return {
        name: _count(whose, name, value) if name in COUNTS else value
        for name, value in parse_qsl(query, keep_blank_values=True)
    }


@dataclass(frozen=True)
class _Named:
    """What a link names: a quantity, in a configuration of its own or not, and what of it."""

    identity: str
    query: str
    what: str

    @property
    def target(self) -> str:
        """The part of a link behind its scheme."""
        return f"{self.identity}?{self.query}" if self.query else self.identity


def _named(text: str) -> _Named:
    rest, _, what = text.partition("#")
    identity, _, query = rest.replace("&amp;", "&").partition("?")
    return _Named(identity, query, what)


class _Filled(InlineProcessor):
    """Fill in links without a text: with the number of a quantity, or with its worked line."""

    def __init__(self, pattern: str, md: Markdown, page: _Page) -> None:
        super().__init__(pattern, md)
        self._page = page

    def handleMatch(  # type: ignore[override]  # the base class allows any of three results
        self, m: re.Match[str], data: str
    ) -> tuple[etree.Element, int, int]:
        element = etree.Element("span")
        try:
            element.text = filled(self._page.workings_for, _named(m["named"]))
        except MarkdownError as problem:
            element.set("class", "d-unknown")
            element.text = AtomicString(self._page.marked(m["named"], problem))
        return element, m.start(0), m.end(0)


def filled(workings_for: Callable[[str], Workings], named: _Named) -> str:
    """Give the Markdown of a number, or of a worked line. Raises `MarkdownError`."""
    entry = _with_a_value(named.identity)
    workings = workings_for(named.query)

    def linked(figure: Figure) -> str:
        quantity = figure.quantity
        if not isinstance(quantity, Formula | Given | Constant) or quantity not in BOOK:
            return figure.text
        target = _Named(BOOK.id_of(quantity), named.query, "").target
        return f"[{figure.text}]({SCHEME}{target})"

    try:
        match named.what, entry:
            case "", _:
                return linked(workings.figure(entry))
            case "line", Formula():
                return workings.line(entry).text(linked)
            case "line", _:
                raise MarkdownError(f"{named.identity} has no worked line; it is no formula")
    except NoValue as problem:
        return for_markdown(str(problem))
    raise MarkdownError(f"{named.identity} has no #{named.what}; write #line, or nothing")


def _with_a_value(identity: str) -> Formula | Given | Constant:
    entry = _entry(place_of(identity)[0])
    if not isinstance(entry, Formula | Given | Constant):
        raise MarkdownError(f"{identity} has no value to show")
    return entry


class _Whole(Preprocessor):
    """Write out a whole derivation where a fence names one."""

    def __init__(self, md: Markdown, page: _Page) -> None:
        super().__init__(md)
        self._page = page

    def run(self, lines: list[str]) -> list[str]:
        return _WHOLE.sub(self._written, "\n".join(lines)).split("\n")

    def _written(self, match: re.Match[str]) -> str:
        named = _named(match["named"])
        try:
            entry = _with_a_value(named.identity)
            identity = BOOK.id_of(entry)
            line = filled(
                self._page.workings_for,
                _Named(identity, named.query, "line" if isinstance(entry, Formula) else ""),
            )
        except MarkdownError as problem:
            return for_markdown(self._page.marked(match["named"], problem))
        parts = [f"**{for_markdown(entry.title)}**"]
        if isinstance(entry, Formula):
            parts.append(f"```math derivation={identity}\n```")
        parts.extend((line, for_markdown(entry.says)))
        return "\n\n".join(["", *parts, ""])


class _Directive(Preprocessor):
    """Read the configuration of the page from its comment."""

    def __init__(self, md: Markdown, page: _Page) -> None:
        super().__init__(md)
        self._page = page

    def run(self, lines: list[str]) -> list[str]:
        self._page.reset()  # of what another text left that was not converted to its end
        kept = []
        for line in lines:
            match = _DIRECTIVE.match(line)
            if match is None:
                kept.append(line)
                continue
            self._page.choices.update(_choices("the configuration of this page", match["query"]))
        return kept


def _count(whose: str, name: str, text: str) -> int:
    if not re.fullmatch(r"\d{1,18}", text):
        raise MarkdownError(f"{whose}: {name} is {text!r}, not a count")
    return int(text)


class _Fences(Preprocessor):
    """Turn ``math`` fences into MathML."""

    def run(self, lines: list[str]) -> list[str]:
        return _FENCE.sub(self._written, "\n".join(lines)).split("\n")

    def _written(self, match: re.Match[str]) -> str:
        return self.md.htmlStash.store(_formula(match))


class _NestedFences(BlockProcessor):
    """Turn ``math`` fences in lists and quotes into MathML; only a block parser sees those."""

    def __init__(self, md: Markdown) -> None:
        super().__init__(md.parser)
        self._md = md

    def test(self, parent: etree.Element, block: str) -> bool:
        return _OPENING.search(block) is not None

    def run(self, parent: etree.Element, blocks: list[str]) -> None:
        block = blocks.pop(0)
        match = _FENCE.search(block)
        if match is None:
            raise MarkdownError(
                "a formula needs an end and no empty line in it, and within a list an empty line "
                f"before it: {block}"
            )
        if before := block[: match.start()].strip("\n"):
            self.parser.parseBlocks(parent, [before])
        etree.SubElement(parent, "p").text = self._md.htmlStash.store(_formula(match))
        if after := block[match.end() :].strip("\n"):
            blocks.insert(0, after)


def _formula(match: re.Match[str]) -> str:
    """Give the formula of a fence: of the book, where the fence names it, and else its LaTeX."""
    latex = match["latex"].strip()
    if match["id"] is None:
        html = _from_latex(latex, display="block")
    else:
        html, latex = _of_the_book(match["id"], latex)
    return f'<div class="d-formula" tabindex="0" data-latex="{for_html(latex)}">{html}</div>'


def _of_the_book(identity: str, latex: str) -> tuple[str, str]:
    """Give a formula of the book, and its LaTeX. That beside it, for other hosts, is the same."""
    entry = _entry(identity)
    if isinstance(entry, Given | Constant | Bridge | Unknown):
        raise MarkdownError(f"{identity} is a quantity without a formula")
    if latex not in ("", latex_of(entry)):
        raise MarkdownError(f"{identity} is {latex_of(entry)} in the book, and here {latex}")
    return mathml_of(entry), latex_of(entry)


def _entry(identity: str) -> Any:
    try:
        return BOOK[identity]
    except UnknownName as problem:
        raise MarkdownError(str(problem)) from None


class _Inline(InlineProcessor):
    """Turn maths in the text into MathML; symbols of the book are marked with their quantity."""

    def handleMatch(  # type: ignore[override]  # the base class allows any of three results
        self, m: re.Match[str], data: str
    ) -> tuple[str, int, int] | tuple[None, None, None]:
        if m["latex"] is None:
            return None, None, None
        latex = m["latex"].strip()
        html = _known().get(latex) or _from_latex(latex, display="inline")
        return self.md.htmlStash.store(html), m.start(0), m.end(0)


@cache
def _known() -> dict[str, str]:
    """Give the symbols and the conditions of the book as MathML, by their LaTeX."""
    symbols = {
        latex_symbol(each.symbol): inline(mathml_symbol(each, identity))
        for identity, each in BOOK.quantities.items()
        if not isinstance(each, Bridge | Constant)
    }
    conditions = {
        latex_of(each): inline(mathml(each.relation, BOOK.id_of))
        for each in BOOK.conditions.values()
    }
    return {**conditions, **symbols}


class _Region(InlineProcessor):
    """Make an element of a part of a paragraph that the live page writes anew or hides."""

    def handleMatch(  # type: ignore[override]  # the base class allows any of three results
        self, m: re.Match[str], data: str
    ) -> tuple[etree.Element, int, int]:
        element = etree.Element("span", {f"data-{m['kind']}": m["number"]})
        element.text = m["inside"]
        return element, m.start(0), m.end(0)


_DEPTH = 3
"""Regions within each other: a pattern is not looked for again in what it has found itself."""


def _from_latex(latex: str, display: str) -> str:
    from latex2mathml.converter import convert

    if "aligned" in latex:
        raise MarkdownError(f"write split, not aligned, which cannot be converted: {latex}")
    if not _balanced(latex):
        raise MarkdownError(f"this LaTeX has a brace without its other half: {latex}")
    try:
        html: str = convert(latex, display=display)
    except Exception as problem:  # the converter raises whatever it trips over
        raise MarkdownError(f"this is not LaTeX that can be converted: {latex}") from problem
    if "\\" in html:
        raise MarkdownError(f"this LaTeX has a command that is not known: {latex}")
    return html


def _balanced(latex: str) -> bool:
    """Tell whether each brace is closed. The converter mends what other hosts do not show."""
    depth = 0
    for brace in re.findall(r"\\.|[{}]", latex):
        depth += (brace == "{") - (brace == "}")
        if depth < 0:
            return False
    return depth == 0


class _Numbers(Treeprocessor):
    """Turn links to derivations into numbers, and put their popovers at the end of the page."""

    def __init__(self, md: Markdown, page: _Page) -> None:
        super().__init__(md)
        self._page = page

    def run(self, root: etree.Element) -> None:
        used = dict.fromkeys(self._numbers_below(root, set()))
        if not used:
            return
        here = {each.get("id") for each in root.iter() if each.get("id")}
        notes = (self._note(key, query, here) for key, query in used)
        end = etree.SubElement(root, "p")
        end.text = self.md.htmlStash.store(f"{OPENING}{''.join(notes)}</div>")

    def _note(self, key: str, query: str, here: set[str | None]) -> str:
        """Give the popover of a number, which leads to its derivation: here, or where it is."""
        link = IN_THE_PAGE if place_of(key)[0] in here else self._page.link
        return popover(self._page.workings_for(query), key, link=link, query=query)

    def _numbers_below(
        self, element: etree.Element, mentioned: set[tuple[str, str]]
    ) -> Iterator[tuple[str, str]]:
        """
        Turn the links below an element into numbers.

        Gives each key, and the configuration where it has one of its own, in the order of the page.
        *mentioned* are those of the section so far. What a branch mentions may be hidden, so that
        it does not count for what follows. What repeats others (``data-repeats``) is mentioned
        already.
        """
        if element.tag in _HEADINGS:
            mentioned.clear()
        if element.get("data-branch"):
            mentioned = set(mentioned)
        if element.get("data-repeats") is not None:
            mentioned = {(identity, "") for identity in BOOK.entries}
        href = element.get("href", "")
        if element.tag == "a" and href.startswith(SCHEME):
            named = _named(href.removeprefix(SCHEME))
            try:
                identity, place = place_of(named.identity)
                entry = _with_a_value(identity)
                self._page.workings_for(named.query)
                key = (key_of(BOOK.id_of(entry), place), named.query)
                _become_number(element, *key, first=key not in mentioned)
                mentioned.add(key)
                yield key
            except MarkdownError as problem:
                text = self._page.marked(named.target, problem)
                element.attrib.clear()
                element.tag, element.text = "span", AtomicString(text)
                element.set("class", "d-unknown")
        for child in element:
            yield from self._numbers_below(child, mentioned)


def _become_number(element: etree.Element, identity: str, query: str, *, first: bool) -> None:
    """Make the first mention in a section a button, and later ones react to the pointer only."""
    note = popover_id(identity, query)
    element.attrib.clear()
    element.set("class", "d-number")
    element.set("data-q", identity)
    if query:
        element.set("data-note", note)
    if not first:
        element.tag = "span"
        return
    element.tag = "button"
    element.set("type", "button")
    element.set("popovertarget", note)
    element.set("popovertargetaction", "show")
    element.set("interestfor", note)


def makeExtension(**options: Any) -> DerivationsExtension:
    """Give the extension. Called by Python-Markdown."""
    return DerivationsExtension(**options)
