"""The live article on its host: its assets, its selector, and its HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from derivations.build import Asset, ConfigurationPage, faults_told
from derivations.live.article import live_article, live_html
from derivations.live.book import book_module
from derivations.live.catalogue import catalogue_json
from derivations.live.measured import measured_json
from derivations.live.selector import selector_html
from derivations.live.tape import LivePage


@dataclass(frozen=True)
class Live:
    """The article, which works itself out anew for what the selector chooses."""

    place: str
    page: LivePage
    _made: ConfigurationPage

    def html(self, converted: str) -> str:
        """Give the article's HTML from its converted Markdown."""
        return live_html(self.page, converted, self._made.workings)

    def assets(self) -> Iterator[Asset]:
        """Give the files that the script of the article needs."""
        yield Asset("assets/live/book.js", book_module().encode())
        yield Asset("assets/live/catalogue.json", catalogue_json().encode())
        yield Asset("assets/live/measured.json", measured_json().encode())

    @staticmethod
    def head() -> str:
        """Give what the head of its page begins with: the page waits for what its address asks."""
        return (
            "<script>if (location.search.length > 1) "
            'document.documentElement.classList.add("d-waiting")</script>'
        )

    def selector(self) -> str:
        """Give the selector as an item of a menu."""
        return f'<li class="md-nav__item d-selector-item">{selector_html()}</li>'


def live(made: ConfigurationPage) -> Live:
    """Give the live article. Raises `BuildError` for a fault of a template."""
    with faults_told():
        page = live_article(made.template, made.workings, made.shapes.report)
    return Live(made.place, page, made)
