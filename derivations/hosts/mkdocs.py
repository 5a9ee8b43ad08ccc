"""The MkDocs plugin: generated pages go in, what they rest on is watched."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.exceptions import Abort, PluginError
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files, InclusionLevel

if TYPE_CHECKING:
    import jinja2
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page

    from derivations.build import Asset, ConfigurationPage
    from derivations.hosts.asked import Asked, Late
    from derivations.hosts.live import Live
    from derivations.hosts.shapes import Shapes
    from derivations.reference.pages import Reference

_LOG = logging.getLogger("mkdocs.plugins.derivations")
_PACKAGE = Path(__file__).parents[1]
_NOTES = "<!-- derivations: notes -->"
_FONT = "assets/stix-two-math.woff2"
_MENU = '<ul class="md-nav__list" data-md-scrollfix>'

# This module stays loaded while `mkdocs serve` runs; the rest of the package comes and goes.
_seen: dict[Path, float] = {}


_PARTS = ("article", "catalogue", "accelerators", "models", "reference", "reviewing")


class Options(Config):  # type: ignore[no-untyped-call]
    """
    The options of the plugin: which parts of the site are made, and when in `mkdocs serve`.

    A site that only cites has no parts; *site* is where the derivations are published, then.
    """

    parts = config_options.ListOfItems(config_options.Choice(_PARTS), default=list(_PARTS))
    serve_when_asked = config_options.Type(bool, default=True)
    site = config_options.Type(str, default="")


class DerivationsPlugin(BasePlugin[Options]):  # type: ignore[no-untyped-call]
    """Adds the generated pages and the font of their formulas."""

    _serving = False
    _waits = False
    _made: dict[str, ConfigurationPage]
    _shapes: Shapes
    _notes: dict[str, str]
    _nav: Navigation
    _asked: Asked | None = None
    _live: Live | None = None
    _late: dict[str, Late]
    _reference: Reference | None = None

    def on_startup(self, *, command: str, dirty: bool) -> None:
        """Note whether this is `mkdocs serve`, which may leave pages until they are asked for."""
        self._serving = command == "serve"

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Start from fresh modules where a source file has changed since the last build."""
        self._glyphs: set[str] = set()
        if self._serving:
            _forget_old_modules()
        if "derivations" not in config.markdown_extensions:
            config.markdown_extensions.append("derivations")
        # A strict build stops at what there is not; any other one leaves a mark, and warns.
        how = {"site": self.config.site, "unknown": "refuse" if config.strict else "mark"}
        config.mdx_configs["derivations"] = {**how, **config.mdx_configs.get("derivations", {})}
        return config

    def on_files(self, files: Files, config: MkDocsConfig) -> Files:
        """Add the generated pages, in memory."""
        try:
            from derivations.build import ConfigurationPage, assets, pages
            from derivations.hosts.live import live
            from derivations.hosts.shapes import Shapes

            self._waits = when_asked = self._serving and self.config.serve_when_asked
            self._made, self._shapes, self._notes, self._asked = {}, Shapes(), {}, None
            self._live, self._late, self._reference = None, {}, None
            for page in pages(self.config.parts):
                level = InclusionLevel.INCLUDED if page.listed else InclusionLevel.NOT_IN_NAV
                if isinstance(page, ConfigurationPage) and page.listed:
                    self._live = live(page)
                    content = page.front_matter
                elif isinstance(page, ConfigurationPage):
                    self._made[page.place] = page
                    if when_asked:
                        continue
                    content = page.front_matter  # the rest is filled in when it is rendered
                else:
                    content = page.markdown
                files.append(File.generated(config, page.place, content=content, inclusion=level))
            for late in self._late_pages(config):
                self._late[late.place] = late
                if late.listed or not when_asked:
                    level = InclusionLevel.INCLUDED if late.listed else InclusionLevel.NOT_IN_NAV
                    content = late.front_matter
                    files.append(
                        File.generated(config, late.place, content=content, inclusion=level)
                    )
            if not self.config.parts:
                self._add_style(files, config)
            own = self._live.assets() if self._live else ()
            for each in (*assets(self.config.parts), *own, *self._reference_files()):
                files.append(File.generated(config, each.place, content=each.content))
        except Exception as problem:  # a section that somebody is editing may raise anything
            raise PluginError(_explained(problem)) from problem
        return files

    def _add_style(self, files: Files, config: MkDocsConfig) -> None:
        """Add the style and the script of numbers to a site that is not ours."""
        from derivations.render.places import assets

        for name, listed in (
            ("derivations.css", config.extra_css),
            ("derivations.js", config.extra_javascript),
        ):
            place = f"assets/{name}"
            if files.get_file_from_path(place) is None:
                content = (assets() / name).read_bytes()
                files.append(File.generated(config, place, content=content))
            if place not in map(str, listed):
                listed.append(place)

    def _late_pages(self, config: MkDocsConfig) -> Iterator[Late]:
        """Give the pages whose text is made when they are rendered, and not before."""
        if "reference" in self.config.parts:
            from derivations.build import checked
            from derivations.reference.pages import Reference

            self._reference = Reference(checked(), config.site_url or "")
            yield from self._reference.pages()
        if "reviewing" in self.config.parts:
            from derivations.review.example import ExamplePage

            yield ExamplePage()

    def _reference_files(self) -> Iterator[Asset]:
        """Give what the pages of single ids need beside themselves."""
        if self._reference is not None:
            from derivations.build import Asset

            for place, content in self._reference.files(every=not self._waits):
                yield Asset(place, content)

    def on_nav(self, nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
        """Keep the navigation, for pages that are made when they are asked for."""
        self._nav = nav
        return nav

    def on_env(
        self, env: jinja2.Environment, config: MkDocsConfig, files: Files
    ) -> jinja2.Environment:
        """Keep all that it takes to make a page that is asked for."""
        if self._serving and self.config.serve_when_asked:
            from derivations.hosts.asked import Asked, Made

            made: dict[str, Made] = {**self._made, **self._late}
            self._asked = Asked(made, config, files, self._nav, env)
        return env

    def _link(self, page: Page) -> str:
        """Give where the notes of a page lead to whose derivation is elsewhere."""
        root = _root(page) if "reference" in self.config.parts else self.config.site.rstrip("/")
        return f"{root}/derivations/{{id}}/" if root else ""

    def _live_at(self, page: Page) -> Live | None:
        """Give the live article, where this is its page."""
        there = self._live is not None and page.file.src_uri == self._live.place
        return self._live if there else None

    def on_page_markdown(
        self, markdown: str, page: Page, config: MkDocsConfig, files: Files
    ) -> str | None:
        """Convert nothing where a page of the same shape was converted before."""
        if "reference" in self.config.parts:
            config.mdx_configs["derivations"]["site"] = _root(page)
        if live := self._live_at(page):
            return live.page.text
        if late := self._late.get(page.file.src_uri):
            # In `mkdocs serve` this is not made with every build, but when somebody asks for it.
            return late.markdown if self._asked is not None or not self._waits else ""
        made = self._made.get(page.file.src_uri)
        return self._shapes.markdown(made) if made else None

    def on_page_content(self, html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Fill in what the page's configuration says, and note the glyphs of its formulas."""
        from derivations.hosts.font import glyphs_of
        from derivations.render.popover import OPENING

        made = self._made.get(page.file.src_uri)
        self._glyphs |= glyphs_of(html)
        if made is not None:
            html, page.toc = self._shapes.html(made, html, page.toc, self._link(page))
        if live := self._live_at(page):
            html = live.html(html)
        # The notes behind the numbers come back when the page is done, so that the search does
        # not have to read through them only to leave them out.
        text, opening, notes = html.partition(OPENING)
        self._notes[page.file.src_uri] = opening + notes
        return text + _NOTES if notes else text

    def on_post_page(self, output: str, page: Page, config: MkDocsConfig) -> str:
        """Put the notes behind the numbers where they belong, and the selector into the menu."""
        output = output.replace(_NOTES, self._notes.pop(page.file.src_uri, ""), 1)
        if late := self._late.get(page.file.src_uri):
            return output.replace("</head>", f"{late.head}</head>", 1)
        live = self._live_at(page)
        if live is None:
            return output
        if _MENU not in output and config.theme.name == "material":
            raise PluginError("the theme's menu has changed: there is no place for the selector")
        output = output.replace("<head>", f"<head>{live.head()}", 1)
        return output.replace(_MENU, f"{_MENU}{live.selector()}", 1)

    def on_post_build(self, config: MkDocsConfig) -> None:
        """Write the font with the glyphs of all pages."""
        from derivations.hosts.font import font_with

        place = Path(config.site_dir) / _FONT
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(font_with(self._glyphs))

    def on_build_error(self, error: Exception) -> None:
        """Stop without a traceback where a page is at fault: MkDocs has said which, and why."""
        ours = {"derivations.hosts.markdown": "MarkdownError", "derivations.build": "BuildError"}
        # They are not imported here: importing them may be what failed.
        known = [getattr(sys.modules.get(each), name, ()) for each, name in ours.items()]
        if any(isinstance(error, each) for each in known):
            raise Abort("Aborted with an error in a page!") from None

    def on_serve(
        self, server: LiveReloadServer, config: MkDocsConfig, builder: object
    ) -> LiveReloadServer:
        """Watch formulas, data and templates."""
        # A module that is compiled anew would lie in a watched folder, and start another build.
        sys.dont_write_bytecode = True
        from derivations.render.places import templates

        for folder in (_PACKAGE, templates()):
            server.watch(str(folder))
        if self.config.serve_when_asked:
            from derivations.hosts.asked import listening

            server.set_app(listening(server, lambda: self._asked))
        return server


def _root(page: Page) -> str:
    """Give the way from a page to the root of its site."""
    return "/".join([".."] * page.url.count("/")) or "."


def _explained(problem: Exception) -> str:
    """Say what went wrong, and in which line of a section where a declaration was refused."""
    from traceback import extract_tb

    if isinstance(problem, SyntaxError):
        return f"{Path(str(problem.filename)).name}:{problem.lineno}: {problem.msg}"
    frames = extract_tb(problem.__traceback__)
    inside = [each for each in frames if Path(each.filename).parent.name == "book"]
    where = f"{Path(inside[-1].filename).name}:{inside[-1].lineno}: " if inside else ""
    return f"{where}{problem}"


def _forget_old_modules() -> None:
    """Drop the package's modules when a source or data file has changed, so they load anew."""
    now = {
        path: path.stat().st_mtime
        for path in _PACKAGE.rglob("*")
        if path.suffix in (".py", ".toml", ".txt", ".csv")
    }
    if _seen and now != _seen:
        for name in list(sys.modules):
            if name.partition(".")[0] == "derivations" and name != __name__:
                del sys.modules[name]
    _seen.clear()
    _seen.update(now)
