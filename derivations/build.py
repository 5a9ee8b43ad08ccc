"""All the pages of the site, as Markdown: the one module that writes files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb

from jinja2 import TemplateError, TemplateSyntaxError

from derivations.book import BOOK
from derivations.catalogue import DataError
from derivations.check import Report, remembered
from derivations.configure import ChoiceError, configuration
from derivations.files import replace
from derivations.render.page import render
from derivations.render.workings import workings_of


class BuildError(RuntimeError):
    """The pages cannot be made, because the book or the data is at fault."""


@dataclass(frozen=True)
class Page:
    """One page: where it goes, below the folder of the site, and its Markdown."""

    place: str
    markdown: str


Step = Callable[[str, int], None]


def pages() -> tuple[Page, ...]:
    """
    Give every generated page.

    Raises `BuildError`, with every fault of the book, or the first of the data.
    """
    report = checked()
    try:
        workings = workings_of(configuration())
        return (Page("index.md", render("article.md.jinja", workings, report)),)
    except (DataError, ChoiceError) as problem:
        raise BuildError(str(problem)) from None
    except TemplateError as problem:
        raise BuildError(_place_in_template(problem)) from problem


def _place_in_template(problem: TemplateError) -> str:
    """Give a template's error with the template and the line in which it is."""
    if isinstance(problem, TemplateSyntaxError):
        return f"{problem.name}:{problem.lineno}: {problem.message}"
    frames = extract_tb(problem.__traceback__)
    place = next((each for each in reversed(frames) if each.filename.endswith(".jinja")), None)
    where = f"{Path(place.filename).name}:{place.lineno}: " if place else ""
    return f"{where}{problem}"


def checked() -> Report:
    """Give the report on the book. Raises `BuildError` where it has faults."""
    report = remembered(BOOK)
    if report.faults:
        raise BuildError("\n".join(map(str, report.faults)))
    return report


def write(made: Iterable[Page], folder: Path, step: Step | None = None) -> tuple[Path, ...]:
    """
    Write pages below a folder, and give the place of each.

    A file is written beside its place and moved there, and not touched where it is the same.
    """
    made = tuple(made)
    places = []
    for page in made:
        place = folder / page.place
        content = page.markdown.encode()
        if not place.exists() or place.read_bytes() != content:
            replace(place, content)
        places.append(place)
        if step is not None:
            step(page.place, len(made))
    return tuple(places)
