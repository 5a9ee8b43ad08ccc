"""
Pages that `mkdocs serve` makes when somebody asks for them, and not before.

There is a page for every accelerator and type, and for every model. Making all of them anew after
each edit would take seconds; making one takes a moment. The page about reviews shows one, which
takes seconds by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from mkdocs.commands.build import _build_page, _populate_page
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

if TYPE_CHECKING:
    import jinja2
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer
    from mkdocs.structure.nav import Navigation

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class Made(Protocol):
    """A page that is made when it is asked for."""

    @property
    def place(self) -> str: ...
    @property
    def front_matter(self) -> str: ...
    @property
    def listed(self) -> bool: ...


class Late(Made, Protocol):
    """A page whose Markdown is made when it is rendered."""

    @property
    def markdown(self) -> str: ...
    @property
    def head(self) -> str: ...


@dataclass
class Asked:
    """The pages that the last build left out, and what it takes to make one."""

    made: Mapping[str, Made]
    config: MkDocsConfig
    files: Files
    nav: Navigation
    env: jinja2.Environment
    done: set[str] = field(default_factory=set)

    def make(self, path: str) -> None:
        """Make the page at a path of the site, if it is one that was left out."""
        page = self.made.get(f"{path.strip('/').removesuffix('/index.html')}.md")
        if page is None or page.place in self.done:
            return
        level = InclusionLevel.INCLUDED if page.listed else InclusionLevel.NOT_IN_NAV
        file = File.generated(self.config, page.place, content=page.front_matter, inclusion=level)
        found = Page(None, file, self.config)
        _populate_page(found, self.config, self.files)
        _build_page(found, self.config, self.files.documentation_pages(), self.nav, self.env)
        self.done.add(page.place)


def listening(server: LiveReloadServer, asked: Callable[[], Asked | None]) -> Application:
    """Give the server's application, which makes what is asked for before it is served."""
    lock = Lock()

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        with server._epoch_cond:  # while a build is under way, there is nothing to make yet
            server._epoch_cond.wait_for(lambda: server._visible_epoch == server._wanted_epoch)
        with lock:
            found = asked()
            if found is not None:
                found.make(environ["PATH_INFO"])
        return server.serve_request(environ, start_response)

    return application
