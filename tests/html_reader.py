"""Reads HTML as a browser does, and refuses what a browser would have to mend."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any
from xml.etree.ElementTree import Element

import html5lib
import markdown

from derivations.build import checked
from derivations.evaluate import evaluate
from derivations.render.page import render
from derivations.render.workings import Workings

EXTENSIONS = ("attr_list", "md_in_html", "tables", "toc", "derivations")
"""What the site switches on."""


def page_of(**choices: Any) -> str:
    """Give the article of a configuration, in Markdown."""
    return render("article.md.jinja", Workings(evaluate(**choices)), checked())


def html_of(text: str, *extensions: str) -> str:
    """Convert Markdown (behind its front matter) with our extension, and with others."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
    own = {"derivations": {"site": "."}}  # the plugin says so for a page at the root
    return markdown.markdown(text, extensions=["derivations", *extensions], extension_configs=own)


def article(**choices: Any) -> Element:
    """Give the article of a configuration as a tree."""
    return _article(tuple(choices.items()))


@cache
def _article(choices: tuple[tuple[str, Any], ...]) -> Element:
    return parsed(html_of(page_of(**dict(choices)), *EXTENSIONS))


def parsed(html: str) -> Element:
    """Give the body of a page or of a piece of one. Raises `ParseError` where it is no HTML."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    whole = html if html.lstrip()[:9].lower() == "<!doctype" else f"<!doctype html>\n{html}"
    body = parser.parse(whole).find("body")
    assert isinstance(body, Element)
    for each in body.iter():
        each.tag = str(each.tag).rpartition("}")[2]  # MathML has a namespace of its own
    return body


def classes(element: Element) -> list[str]:
    """Give the classes of an element."""
    return element.get("class", "").split()


def with_class(root: Element, name: str) -> list[Element]:
    """Give the elements of a class, in the order of the page."""
    return [each for each in root.iter() if name in classes(each)]


def by_id(root: Element, identity: str) -> Element:
    """Give the one element with an id."""
    (found,) = (each for each in root.iter() if each.get("id") == identity)
    return found


def parents_of(root: Element) -> dict[Element, Element]:
    """Give the parent of each element."""
    return {child: parent for parent in root.iter() for child in parent}


def text_of(element: Element, *, without: tuple[str, ...] = ("d-popovers",)) -> str:
    """Give the text that is seen, without the elements of some tags and classes."""
    return " ".join("".join(_texts(element, frozenset(without))).split())


def _texts(element: Element, without: frozenset[str]) -> Iterator[str]:
    if element.tag in without or not without.isdisjoint(classes(element)):
        return
    yield element.text or ""
    for child in element:
        yield from _texts(child, without)
        yield child.tail or ""
    if element.tag in _LINES:
        yield "\n"


_LINES = frozenset("p div li td th h1 h2 h3 h4 aside".split())
