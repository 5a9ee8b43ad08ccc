"""The MkDocs plugin: generated pages go in, what they rest on is watched."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.exceptions import Abort, PluginError
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer
    from mkdocs.structure.pages import Page

_LOG = logging.getLogger("mkdocs.plugins.derivations")
_PACKAGE = Path(__file__).parents[1]
_FONT = "assets/stix-two-math.woff2"

# This module stays loaded while `mkdocs serve` runs; the rest of the package comes and goes.
_seen: dict[Path, float] = {}


class DerivationsPlugin(BasePlugin):  # type: ignore[type-arg, no-untyped-call]
    """Adds the generated pages and the font of their formulas."""

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Start from fresh modules where a source file has changed since the last build."""
        self._glyphs: set[str] = set()
        _forget_old_modules()
        if "derivations" not in config.markdown_extensions:
            config.markdown_extensions.append("derivations")
        return config

    def on_files(self, files: Files, config: MkDocsConfig) -> Files:
        """Add the generated pages, in memory."""
        try:
            from derivations.build import pages

            for page in pages():
                files.append(File.generated(config, page.place, content=page.markdown))
        except Exception as problem:
            raise PluginError(_explained(problem)) from problem
        return files

    def on_page_content(self, html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Note the glyphs that the formulas of a page use."""
        from derivations.hosts.font import glyphs_of

        self._glyphs |= glyphs_of(html)
        return html

    def on_post_build(self, config: MkDocsConfig) -> None:
        """Write the font with the glyphs of all pages."""
        from derivations.hosts.font import font_with

        place = Path(config.site_dir) / _FONT
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(font_with(self._glyphs))

    def on_build_error(self, error: Exception) -> None:
        """Stop without a traceback where a page is at fault: MkDocs has said which, and why."""
        pages = sys.modules.get("derivations.hosts.markdown")  # importing it may be what failed
        if pages is not None and isinstance(error, pages.MarkdownError):
            raise Abort("Aborted with an error in a page!") from None

    def on_serve(
        self, server: LiveReloadServer, config: MkDocsConfig, builder: object
    ) -> LiveReloadServer:
        """Watch formulas, data and templates."""
        from derivations.render.page import templates

        for folder in (_PACKAGE, templates()):
            server.watch(str(folder))
        return server


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
        if path.suffix in (".py", ".toml", ".txt")
    }
    if _seen and now != _seen:
        for name in list(sys.modules):
            if name.partition(".")[0] == "derivations" and name != __name__:
                del sys.modules[name]
    _seen.clear()
    _seen.update(now)
