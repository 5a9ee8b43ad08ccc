"""All the pages of the site, as Markdown, and the files that they need."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from traceback import extract_tb
from typing import Any, Literal, TypeAlias

import msgspec
from jinja2 import TemplateError, TemplateSyntaxError

from derivations.book import BOOK, memory
from derivations.book.sources import ARTICLE
from derivations.catalogue import DataError, Fact, facts
from derivations.catalogue.vocabulary import DATA
from derivations.check import Report, remembered
from derivations.configure import ChoiceError, Configuration, configuration
from derivations.evaluate import NoValue, evaluate
from derivations.files import replace
from derivations.render.page import front_matter, page_title, shape
from derivations.render.shape import Shape
from derivations.render.workings import Workings, workings_of


class BuildError(RuntimeError):
    """The pages cannot be made, because the book or the data is at fault."""


@dataclass(frozen=True)
class Page:
    """One page: where it goes, below the folder of the site, and its Markdown."""

    place: str
    listed: bool
    """Whether it belongs into the navigation."""
    text: str

    @property
    def markdown(self) -> str:
        """The whole page."""
        return self.text


@dataclass(frozen=True)
class ConfigurationPage:
    """The article with the numbers of one configuration, worked out when it is asked for."""

    page: Worked
    listed: bool
    shapes: Shapes

    @property
    def place(self) -> str:
        """Where it goes, below the folder of the site."""
        return self.page.place

    @property
    def chosen(self) -> Configuration:
        """The configuration."""
        return self.page.chosen

    @property
    def template(self) -> str:
        """The template that its text comes from."""
        return self.page.template

    @property
    def front_matter(self) -> str:
        """What a host has to know of the page before it reads it."""
        return front_matter(self.page.title, searched=self.listed)

    @property
    def workings(self) -> Workings:
        """The worked lines of the configuration."""
        return workings_of(self.chosen)

    @cached_property
    def shape(self) -> Shape:
        """What the page shares with those of other configurations."""
        return self.shapes.of(self.template, self.workings, self.place.count("/"))

    @property
    def markdown(self) -> str:
        """The whole page."""
        return self.front_matter + self.shape.markdown(self.workings)


@dataclass(frozen=True)
class Asset:
    """A file that pages need, and its content."""

    place: str
    content: bytes


AnyPage: TypeAlias = Page | ConfigurationPage
Part: TypeAlias = Literal["article", "catalogue", "accelerators", "models"]
PARTS: tuple[Part, ...] = ("article", "catalogue", "accelerators", "models")
"""The parts of the site: the article, the facts, and the pages of single configurations."""

Ids = Literal["all"] | tuple[str, ...]
Step = Callable[[str, int], None]


class _Accelerators(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ids: Ids
    types: Ids


class _Models(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ids: Ids


class _Wanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    accelerators: _Accelerators
    models: _Models


def pages(parts: Iterable[str] = PARTS) -> Iterator[AnyPage]:
    """
    Give every generated page of some parts of the site, one after the other.

    Raises `BuildError`, with every fault of the book, or the first of the data.
    """
    report = checked()
    with faults_told():
        yield from _pages(frozenset(parts), report)


@contextmanager
def faults_told() -> Iterator[None]:
    """Turn what can be wrong with data and templates into a `BuildError`."""
    try:
        yield
    except (DataError, ChoiceError) as problem:
        raise BuildError(str(problem)) from None
    except TemplateError as problem:
        raise BuildError(_place_in_template(problem)) from problem


def _pages(wanted: frozenset[str], report: Report) -> Iterator[AnyPage]:
    shapes = Shapes(report)
    if "article" in wanted:
        yield from (ConfigurationPage(each, True, shapes) for each in worked_out("article"))
    for kind, part in _CONFIGURED.items():
        made = list(worked_out(part)) if part in wanted else []
        if "catalogue" in wanted:
            configured = {each.place: each.chosen for each in made if each.template == _ARTICLE}
            yield from _catalogue(kind, part, configured)
        yield from (ConfigurationPage(each, False, shapes) for each in made)


@dataclass(frozen=True)
class Worked:
    """A page with the numbers of one configuration, before it is worked out."""

    place: str
    title: str
    chosen: Configuration
    template: str


_ARTICLE = "article.md.jinja"


def worked_out(part: Part) -> Iterator[Worked]:
    """Give the pages of a part of the site that are worked out. Raises as `pages` does."""
    if part == "article":
        yield Worked("index.md", ARTICLE.title, configuration(), _ARTICLE)
    if part not in _CONFIGURED.values():
        return
    for place, chosen in _configurations(part):
        yield Worked(place, page_title(chosen), chosen, _ARTICLE)
    if part == "models":
        for identity, network in facts("model").items():
            title = f"The parameters of {network.name}"
            place, chosen = f"models/{identity}/parameters.md", configuration(model=identity)
            yield Worked(place, title, chosen, "parameters.md.jinja")


def assets(parts: Iterable[str] = PARTS) -> Iterator[Asset]:
    """Give the files that the generated pages need: the charts, and the scripts that draw them."""
    from derivations.charts import bundle, measured, pictures

    if "article" not in parts:
        return
    with faults_told():
        for place, content in pictures.pictures(configuration(), measured.rows()):
            yield Asset(place, content)
        yield Asset("assets/live/vega.js", bundle.vega())
        yield Asset("assets/live/specifications.js", bundle.specifications())


_CONFIGURED: dict[str, Part] = {"accelerator": "accelerators", "model": "models"}


def _catalogue(kind: str, part: str, made: dict[str, Configuration]) -> Iterator[AnyPage]:
    from derivations.render.facts import Link, catalogue_page, fact_page

    links: dict[str, list[Link]] = {
        identity: [
            Link(chosen.precision.upper(), place)
            for place, chosen in made.items()
            if getattr(chosen, kind) == identity
        ]
        for identity in facts(kind)
    }
    yield Page(f"{part}/index.md", True, catalogue_page(kind, links))
    for identity, each in facts(kind).items():
        titled = [Link(page_title(made[link.place]), link.place) for link in links[identity]]
        if kind == "model" and made:
            place = f"models/{identity}/parameters.md"
            titled.append(Link("Its parameters, counted", place))
        yield Page(f"{part}/{identity}/index.md", False, fact_page(each, titled))


class Shapes:
    """The shapes that were rendered so far, the one that was used last in front."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self._known: dict[tuple[str, int], list[Shape]] = {}

    def of(self, template: str, workings: Workings, depth: int) -> Shape:
        """
        Give the shape of a template for a configuration, at a depth below the site's root.

        Raises `BuildError` for a fault of the template.
        """
        known = self._known.setdefault((template, depth), [])
        for each in known:
            if each.fits(workings):
                known.remove(each)
                known.insert(0, each)
                return each
        with faults_told():
            made = shape(template, workings, self.report, depth)
        known.insert(0, made)
        return made


def _configurations(part: Part) -> Iterator[tuple[str, Configuration]]:
    """Give the place and the configuration of every page that is asked for in `pages.toml`."""
    wanted = _wanted()
    if part == "models":
        for model in _chosen("model", wanted.models.ids):
            chosen = _fitted(model=model.id)
            yield f"models/{model.id}/{chosen.precision}.md", chosen
        return
    formats = facts("precision")
    for chip in _chosen("accelerator", wanted.accelerators.ids):
        types = wanted.accelerators.types
        for kind in chip.each("compute"):
            if kind in formats and (types == "all" or kind in types):
                chosen = _fitted(accelerator=chip.id, precision=kind)
                yield f"accelerators/{chip.id}/{kind}.md", chosen


def _chosen(kind: str, ids: Ids) -> list[Fact]:
    known = facts(kind)
    if ids == "all":
        return list(known.values())
    for identity in ids:
        if identity not in known:
            raise DataError(f"pages.toml: there is no {kind} {identity!r}")
    return [known[identity] for identity in ids]


def _wanted() -> _Wanted:
    try:
        text = (DATA / "pages.toml").read_text(encoding="utf-8")
        return msgspec.convert(tomllib.loads(text), _Wanted)
    except (msgspec.ValidationError, tomllib.TOMLDecodeError) as problem:
        raise DataError(f"pages.toml: {problem}") from None


def _fitted(**choices: Any) -> Configuration:
    """Give a configuration with the smallest power of two of accelerators that holds it."""
    sheet = evaluate(**choices)
    try:
        least = sheet.value(memory.smallest_tensor_parallelism)
    except NoValue:
        return sheet.chosen
    most = int(BOOK.givens["machine.accelerators"].most)
    parallel = 1
    while parallel < least and parallel < most:
        parallel *= 2
    return configuration(**choices, tensor_parallelism=parallel)


def checked() -> Report:
    """Give the report on the book. Raises `BuildError` where it has faults."""
    report = remembered(BOOK)
    if report.faults:
        raise BuildError("\n".join(map(str, report.faults)))
    return report


def _place_in_template(problem: TemplateError) -> str:
    """Give a template's error with the template and the line in which it is."""
    if isinstance(problem, TemplateSyntaxError):
        return f"{problem.name}:{problem.lineno}: {problem.message}"
    frames = extract_tb(problem.__traceback__)
    place = next((each for each in reversed(frames) if each.filename.endswith(".jinja")), None)
    where = f"{Path(place.filename).name}:{place.lineno}: " if place else ""
    return f"{where}{problem}"


@dataclass(frozen=True)
class Written:
    """What writing the pages has changed, by place."""

    new: tuple[str, ...]
    changed: tuple[str, ...]
    gone: tuple[str, ...]
    same: int


LIST = ".pages.txt"
"""The file in which a folder of pages lists what was written into it."""


def write(made: Iterable[AnyPage | Asset], folder: Path, step: Step | None = None) -> Written:
    """
    Write pages below a folder, and say which are new, have changed, or are gone.

    A file is written beside its place and moved there, and not touched where it is the same. What
    an earlier call has written and this one does not make is removed; other files are left alone.
    """
    every = tuple(made)
    new: list[str] = []
    changed: list[str] = []
    for page in every:
        place = folder / page.place
        with faults_told():
            content = page.content if isinstance(page, Asset) else page.markdown.encode()
        there = place.read_bytes() if place.exists() else None
        if there != content:
            replace(place, content)
            (new if there is None else changed).append(page.place)
        if step is not None:
            step(page.place, len(every))
    gone = _remove_others(folder, [page.place for page in every])
    same = len(every) - len(new) - len(changed)
    return Written(tuple(new), tuple(changed), gone, same)


def _remove_others(folder: Path, places: list[str]) -> tuple[str, ...]:
    listed = folder / LIST
    before = listed.read_text(encoding="utf-8").splitlines() if listed.exists() else []
    inside = (each for each in before if each not in set(places) and ".." not in Path(each).parts)
    gone = [each for each in inside if not Path(each).is_absolute() and (folder / each).is_file()]
    for place in gone:
        (folder / place).unlink()
    replace(listed, "".join(f"{place}\n" for place in places).encode())
    return tuple(gone)
