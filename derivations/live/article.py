"""The live article: its Markdown, and the HTML that its script can write anew."""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

from derivations.check import Report
from derivations.evaluate import NoValue
from derivations.live.branches import LiveEnvironment
from derivations.live.tape import LivePage, LiveTape
from derivations.render.escape import for_html
from derivations.render.page import manners, said
from derivations.render.phrases import Phrase
from derivations.render.places import templates
from derivations.render.shape import MARK, without_hidden
from derivations.render.workings import Workings

_NUMBER = re.compile(r'(class="d-number"[^>]*)>\ue000([0-9]+)\ue001<')
_LINK = re.compile(r'href="\ue000([0-9]+)\ue001"')
_REGION = re.compile(r'data-(?:line|branch)="([0-9]+)"')


def live_article(template: str, workings: Workings, report: Report) -> LivePage:
    """
    Render a template with all its branches, for a configuration to start from.

    Raises `jinja2.TemplateError` for a name that a template makes up, with its line.
    """
    tape = LiveTape(workings)
    own = LiveEnvironment(**manners(templates()))
    own.use(tape.branch)
    return tape.live_page(said(own, template, tape, report, 0))


def live_html(page: LivePage, converted: str, workings: Workings) -> str:
    """
    Fill the slots and regions of HTML that was made from the text of a live page.

    A number says in ``data-says`` what it shows, a link in ``data-href`` where it leads, a line in
    ``data-line`` which it is, and a branch in ``data-if`` when it shows.
    """

    def text(place: int) -> str:
        slot = page.slots[place]
        try:
            written = slot.fill(workings)
        except (NoValue, LookupError):
            if place not in page.untaken:
                raise
            return ""
        return for_html(written) if slot.escaped else written

    def numbered(match: re.Match[str]) -> str:
        return f"{match[1]}{_words(page, 'says', int(match[2]))}>{text(int(match[2]))}<"

    def link(match: re.Match[str]) -> str:
        return f'href="{text(int(match[1]))}"{_words(page, "href", int(match[1]))}'

    def slot(match: re.Match[str]) -> str:
        says = _words(page, "says", int(match[1]))
        written = text(int(match[1]))
        return f"<span{says}>{written}</span>" if says else written

    def region(match: re.Match[str]) -> str:
        found = page.regions[int(match[1])]
        if found.kind == "line":
            return f'data-line="{" ".join(found.words)}"'
        hidden = "" if found.shown else " hidden data-search-exclude"
        return f'data-if="{_json(found.words)}"{hidden}'

    converted = without_hidden(converted, page.slots)
    for pattern, filled in ((_NUMBER, numbered), (_LINK, link), (_REGION, region), (MARK, slot)):
        converted = pattern.sub(filled, converted)
    return converted


def _words(page: LivePage, attribute: str, place: int) -> str:
    """Give the attribute that names what fills a slot; none for what is filled in here only."""
    fill = page.slots[place].fill
    return f' data-{attribute}="{" ".join(fill.words)}"' if isinstance(fill, Phrase) else ""


def _json(words: tuple[Any, ...]) -> str:
    return escape(json.dumps(words, separators=(",", ":")))
