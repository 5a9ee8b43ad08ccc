"""A copy of the project in a folder of its own, which a test may break."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[1]


def copy_of_the_project(place: Path) -> Path:
    """Copy what the pages are made of, and what makes them. MkDocs builds the article only."""
    left_out = shutil.ignore_patterns("__pycache__", "golden", "mistakes")
    for folder in ("derivations", "templates", "site", "tests"):
        shutil.copytree(PROJECT / folder, place / folder, ignore=left_out)
    shutil.copy(PROJECT / "mkdocs.yml", place)
    change(place / "mkdocs.yml", "models, reference, reviewing]", "models]")
    for line in (
        "  - Reviewing a change: reviewing.md\n",
        "  - Every formula: derivations/index.md\n",
        "  - Citing a derivation: citing.md\n",
    ):
        change(place / "mkdocs.yml", line, "")
    (place / "site" / "citing.md").unlink()  # it links to pages that are left out
    change(place / "mkdocs.yml", "[article, catalogue, accelerators, models]", "[article]")
    return place


def environment_of(project: Path) -> dict[str, str]:
    """Give the environment in which the copy is what Python imports, with a cache of its own."""
    return {
        **os.environ,
        "NO_COLOR": "1",
        "NO_MKDOCS_2_WARNING": "1",
        "PYTHONPATH": str(project),
        "XDG_CACHE_HOME": str(project / "cache"),
    }


def run_in(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a copy of the project."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=project,
        env=environment_of(project),
        capture_output=True,
        text=True,
        timeout=60,
    )


def change(path: Path, old: str, new: str) -> None:
    """Replace the one place in a file where a text stands."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new), encoding="utf-8")
