"""A thousand pages of configurations, and an edit while two hundred are served."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import urlopen

from benchmarks.measure import ROOT, Measured
from derivations.catalogue import results

CHIPS = 334
"""Copies of an accelerator that computes in three types: a thousand pages and two."""
PATIENCE = 60.0


def many_pages() -> Iterator[Measured]:
    """Measure pages of configurations within a build, its memory, and an edit in `serve`."""
    with TemporaryDirectory() as folder:
        project = _copy(Path(folder))
        yield from _built(project)
    with TemporaryDirectory() as folder:
        yield _edited(_copy(Path(folder)))


def _copy(project: Path) -> Path:
    for name in ("derivations", "templates", "site"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, project / name, ignore=ignored)
    shutil.copy(ROOT / "mkdocs.yml", project)
    return project


def _environment(project: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(project), "NO_MKDOCS_2_WARNING": "1"}


def _built(project: Path) -> Iterator[Measured]:
    chips = project / "derivations/data/accelerators"
    text = (chips / "b200.toml").read_text(encoding="utf-8")
    needed = {each.accelerator for each in results()}
    for place in chips.glob("*.toml"):
        if place.stem not in needed:
            place.unlink()
    for number in range(CHIPS):
        other = text.replace('is = "8 TB', f'is = "{8 + number / 100:.2f} TB')
        (chips / f"copy-{number}.toml").write_text(other, encoding="utf-8")
    config = project / "mkdocs.yml"
    whole = config.read_text(encoding="utf-8")
    every = "[article, catalogue, accelerators, models, reference, reviewing]"
    only = whole.replace(every, "[article, accelerators]")
    config.write_text(re.sub(r"  - [\w ]+: (\w+/index|reviewing).md\n", "", only), encoding="utf-8")
    _build(project)  # writes the byte code, and proves the book
    start = time.perf_counter()
    peak = _build(project)
    seconds = time.perf_counter() - start
    pages = len(list((project / "build/site/accelerators").glob("*/*/index.html")))
    index = (project / "build/site/search/search_index.json").stat().st_size / 1024
    what = f"one of {pages} pages of configurations, in mkdocs build"
    yield Measured(what, seconds / pages, None, target=0.01)
    print(f"  with at most {peak:.0f} MiB (wanted: 500), and {index:.0f} KiB of search index")


_BUILD = """
import runpy, sys
sys.argv = ["mkdocs", "build", "--quiet"]
try:
    runpy.run_module("mkdocs", run_name="__main__")
finally:
    print(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0])
"""


def _build(project: Path) -> float:
    """Build the site in a process of its own, and give the most memory that it took, in MiB."""
    done = subprocess.run(
        [sys.executable, "-c", _BUILD],
        cwd=project,
        env=_environment(project),
        check=True,
        capture_output=True,
        text=True,
    )
    return int(done.stdout.split()[-1]) / 1024


def _edited(project: Path) -> Measured:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    command = [sys.executable, "-m", "mkdocs", "serve", "--quiet", "--dev-addr", address]
    server = subprocess.Popen(command, cwd=project, env=_environment(project))
    page = f"http://{address}/accelerators/h200-sxm/fp8/"
    try:
        _until(page, "4.8 TB/s")
        place = project / "derivations/data/accelerators/h200-sxm.toml"
        found = []
        for old, new in (("4.8", "4.9"), ("4.9", "4.8"), ("4.8", "4.9")):
            time.sleep(1)
            text = place.read_text(encoding="utf-8")
            place.write_text(text.replace(f'is = "{old} TB', f'is = "{new} TB'), encoding="utf-8")
            found.append(_until(page, f"{new} TB/s"))
    finally:
        server.terminate()
        server.wait()
    return Measured("an edit of a fact in mkdocs serve, to its page", sorted(found)[1], None, 2)


def _until(page: str, text: str) -> float:
    """Give the time until a page says something."""
    start = time.perf_counter()
    while time.perf_counter() - start < PATIENCE:
        try:
            with urlopen(page, timeout=PATIENCE) as answer:
                if text in answer.read().decode():
                    return time.perf_counter() - start
        except (URLError, ConnectionError):
            pass
        time.sleep(0.02)
    raise TimeoutError(f"{page} never said {text}")
