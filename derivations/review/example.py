"""The page that shows a review: of a real change, made by what makes all others."""

from __future__ import annotations

import hashlib
import shutil
import tomllib
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from markupsafe import Markup

from derivations.build import BuildError
from derivations.files import kept
from derivations.render.page import environment, front_matter
from derivations.render.places import templates
from derivations.review.format import CONFIGURATIONS, Export
from derivations.review.report import report
from derivations.review.reviewing import review_of
from derivations.review.running import exports

_PACKAGE = Path(__file__).parents[1]
_CHANGE = Path(__file__).with_name("example.toml")
_TITLE = "How a change is reviewed"


class ExamplePage:
    """The page, whose report is made when it is asked for, and kept until something changes."""

    place = "reviewing.md"
    listed = True
    head = ""

    @property
    def front_matter(self) -> str:
        """What a host has to know of the page before it reads it."""
        return front_matter(_TITLE, searched=True)

    @cached_property
    def markdown(self) -> str:
        """The page. Raises `BuildError` where the change no longer fits the code."""
        told = kept("reviewing.md", of=_fingerprint(), make=lambda: _report().encode()).decode()
        change = tomllib.loads(_CHANGE.read_text(encoding="utf-8"))
        return environment().get_template("reviewing.md.jinja").render(
            title=_TITLE, report=Markup(_lowered(told)), says=change["says"]
        )  # fmt: skip


def _report() -> str:
    change = tomllib.loads(_CHANGE.read_text(encoding="utf-8"))
    with TemporaryDirectory(prefix="derivations-") as folder:
        before = Path(folder)
        shutil.copytree(
            _PACKAGE, before / _PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__")
        )
        if templates().parent == _PACKAGE.parent:
            shutil.copytree(templates(), before / templates().name)
        for edit in change["before"]:
            _undo(before / edit["file"], edit["now"], edit["was"])
        names = {"base": change["base"], "head": change["head"]}
        folders = {"base": before, "head": _PACKAGE.parent}
        found = exports(folders, names, CONFIGURATIONS, lambda end: None)
    base, head = found["base"], found["head"]
    for each in (base, head):
        if not isinstance(each, Export):
            raise BuildError(f"{_CHANGE.name}: {each}")
    assert isinstance(base, Export)
    assert isinstance(head, Export)
    return report(review_of(base, head, change["base"], change["head"], (change["changelog"],)))


def _undo(place: Path, now: str, was: str) -> None:
    """Put back what stood in a file before. Raises `BuildError` where it has changed since."""
    text = place.read_text(encoding="utf-8")
    if text.count(now) != 1:
        raise BuildError(
            f"{_CHANGE.name}: its text stands {text.count(now)} times in {place.name}, and should "
            f"once: {now}"
        )
    place.write_text(text.replace(now, was), encoding="utf-8")


def _lowered(text: str) -> str:
    """Make each heading two steps lower; in a fence, there are none."""
    lines, fence = [], ""
    for line in text.splitlines():
        if fence:
            fence = "" if line == fence else fence
        elif line.startswith("```"):
            fence = line[: len(line) - len(line.lstrip("`"))]
        elif line.startswith("#"):
            line = f"##{line}"
        lines.append(line)
    return "\n".join(lines)


def _fingerprint() -> str:
    """Give a text that is another one whenever the report may be."""
    digest = hashlib.sha256()
    files = [*_PACKAGE.rglob("*"), *templates().glob("*.jinja")]
    for path in sorted(files):
        if path.suffix in (".py", ".toml", ".txt", ".csv", ".jinja"):
            digest.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()
