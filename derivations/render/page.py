"""Fill a template with one worksheet: prose from the template, every number from the sheet."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import (
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    StrictUndefined,
)
from markupsafe import Markup
from platformdirs import user_cache_path

from derivations.catalogue import fact
from derivations.check import Report
from derivations.configure import Configuration
from derivations.render.escape import for_markdown
from derivations.render.places import templates
from derivations.render.shape import Shape, Tape
from derivations.render.words import speech_for
from derivations.render.workings import Workings


def compiled(how: str = "jinja2") -> FileSystemBytecodeCache | None:
    """
    Keep compiled templates in the user's cache folder, where there can be one.

    What *how* names is kept apart: the same templates may be compiled in different ways.
    """
    try:
        folder = user_cache_path("derivations", ensure_exists=True)
        return FileSystemBytecodeCache(str(folder), f"__{how}_%s.cache")
    except OSError:
        return None


def environment() -> Environment:
    """Give the environment of the templates, in which unknown names fail and text is escaped."""
    return _environment(templates())


@cache
def _environment(folder: Path) -> Environment:
    return Environment(bytecode_cache=compiled(), **manners(folder))


def manners(folder: Path) -> dict[str, Any]:
    """Give the options of an environment of the templates."""
    return {
        "loader": FileSystemLoader(folder),
        "undefined": StrictUndefined,
        "autoescape": True,
        "finalize": _harmless,
        "trim_blocks": True,
        "lstrip_blocks": True,
        "keep_trailing_newline": True,
    }


def _harmless(value: Any) -> Any:
    return value if hasattr(value, "__html__") else Markup(for_markdown(str(value)))


def shape(template: str, workings: Workings, report: Report, depth: int = 0) -> Shape:
    """
    Render a template for one configuration, with its slots open.

    *depth* is how many folders below the root of the site the page stands.
    Raises `jinja2.TemplateError` for a name that a template makes up, with its line.
    """
    tape = Tape(workings)
    return tape.shape(said(environment().overlay(), template, tape, report, depth))


def said(
    own: Environment,
    template: str,
    tape: Tape,
    report: Report,
    depth: int,
    names: Mapping[str, Any] | None = None,
) -> str:
    """Render a template in an environment of one's own, recorded on a tape; *names* come along."""
    speech = speech_for(tape, report, depth)
    own.filters.update(speech.filters)
    own.tests.update(speech.tests)
    return own.get_template(template).render({**speech.names, **(names or {})})


def render(template: str, workings: Workings, report: Report) -> str:
    """Give one page for one configuration, in Markdown, without its front matter."""
    found = shape(template, workings, report)
    return found.markdown(workings)


def front_matter(title: str, *, searched: bool) -> str:
    """Give what a host has to know of a page before it reads it."""
    hidden = "" if searched else "search:\n  exclude: true\n"
    return f"---\ntitle: {for_front_matter(title)}\n{hidden}---\n"


def for_front_matter(title: str) -> Markup:
    """Write a title as YAML. Hosts put it into their pages as it is: it is HTML."""
    return Markup(json.dumps(escape(title, quote=False), ensure_ascii=False))


def page_title(chosen: Configuration) -> str:
    """Give the title of the page of a configuration."""
    network = fact("model", chosen.model).name
    chip = fact("accelerator", chosen.accelerator).name
    return f"{network} on {chip}, {str(chosen.resolved()['arithmetic']).upper()}"
