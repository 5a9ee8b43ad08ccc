"""Reviews: what a change to the project does is told rightly, whoever makes it, and cleanly."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from derivations.review.format import Export
from derivations.review.report import report
from derivations.review.reviewing import Review, added_lines, files_beside, review_of
from derivations.review.running import exports
from tests.project_copy import PROJECT, change

CASES = Path(__file__).with_name("reviews")
PROPOSED = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in CASES.iterdir()}
"""Changes as somebody would propose them: what is edited, and the exit code of their review."""
GOLDEN = Path(__file__).with_name("golden") / "reviews"
FEW = ("--configurations", "600")
"""Enough for every page and every measured result of the default model to be among them."""


def git(folder: Path, *words: str) -> str:
    names = {
        f"GIT_{who}_{what}": "test" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    done = subprocess.run(
        ["git", *words], cwd=folder, env={**os.environ, **names}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def edit(folder: Path, edits: Iterable[dict[str, str]]) -> None:
    for each in edits:
        change(folder / each["file"], each["old"], each["new"])


REFUSED = (
    "operatorname",
    "mbox",
    "phantom",
    "htmlData",
    "class",
    "href",
    "require",
    "def",
    "newcommand",
)
"""Macros that GitHub does not show."""


def assert_fit_for_github(text: str) -> None:
    """Maths stands in fences or in the backtick-dollar form alone, within what GitHub shows."""
    assert len(text) <= 60_000
    fences = re.findall(r"^```math\n(.*?)^```$", text, re.M | re.S)
    within = re.findall(r"\$`([^`]*)`\$", text)
    rest = re.sub(r"\$`[^`]*`\$", "", re.sub(r"^```math\n.*?^```$", "", text, flags=re.M | re.S))
    assert "$" not in rest
    assert "\\frac" not in rest
    for latex in (*fences, *within):
        assert latex.strip()
        assert "\n\n" not in latex
        for macro in re.findall(r"\\([A-Za-z]+)", latex):
            assert macro not in REFUSED
            assert macro in KNOWN


KNOWN = {
    *"frac cdot le ge max min left right lceil rceil lfloor rfloor sqrt exp log".split(),
    *"text mathrm begin end".split(),
}
"""Macros that our notation writes."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a repository of its own with the formulas, the facts and the prose of this one."""
    place = tmp_path / "project"
    for folder in ("derivations", "templates"):
        shutil.copytree(
            PROJECT / folder, place / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(PROJECT / "CHANGELOG.md", place)
    git(place, "init", "-q", "-b", "main")
    return place


def commit(project: Path) -> None:
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "The base")


def review(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "derivations", "review", *words],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )


ROWS = 600


def exports_of(*folders: Path) -> list[Export | str]:
    named = {str(n): folder for n, folder in enumerate(folders)}
    found = exports(named, dict.fromkeys(named, "it"), ROWS, lambda end: None)
    return [found[name] for name in named]


@pytest.fixture(scope="session")
def unchanged() -> Export:
    """Give what this project exports, as it is."""
    (found,) = exports_of(PROJECT)
    assert isinstance(found, Export)
    return found


def proposed_review(name: str, project: Path, unchanged: Export) -> Review:
    """Give the review of a change, by the parts that the command is made of."""
    proposed = PROPOSED[name]
    base: Export | str = unchanged
    if "before" in proposed:
        edit(project, proposed["before"])
        (base,) = exports_of(project)
    log = (project / "CHANGELOG.md").read_text(encoding="utf-8")
    edit(project, proposed["edit"])
    (head,) = exports_of(project)
    assert isinstance(base, Export)
    assert isinstance(head, Export), head
    lines = added_lines(log, (project / "CHANGELOG.md").read_text(encoding="utf-8"))
    beside = files_beside(tuple(sorted({each["file"] for each in proposed["edit"]})))
    return review_of(base, head, "the base", "the change", lines, beside)


@pytest.mark.parametrize("name", PROPOSED)
def test_a_report_tells_what_was_reviewed(name: str, project: Path, unchanged: Export) -> None:
    found = proposed_review(name, project, unchanged)
    text = report(found)
    golden = GOLDEN / f"{name}.md"
    if os.environ.get("GOLDEN") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")

    assert text == golden.read_text(encoding="utf-8")
    assert bool(found.objections) == bool(PROPOSED[name]["exit_code"])
    assert_fit_for_github(text)
