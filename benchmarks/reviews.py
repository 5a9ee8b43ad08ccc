"""A review of one changed formula, from its start, and the comparison alone."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import ROOT, Measured, seconds

CONFIGURATIONS = "10000"

_COMPARE = """
import sys, time
from pathlib import Path
from derivations.language import meaning
from derivations.review.format import decoded
from derivations.review.report import report
from derivations.review.reviewing import review_of
start = time.perf_counter()
base, head = (decoded(Path(each).read_bytes(), of=each) for each in sys.argv[1:])
found = review_of(base, head, "before", "after")
assert [each.id for each in found.changes.entries] == ["decode.kv_per_sequence"]
report(found)
print(time.perf_counter() - start)
"""


def one_changed_formula() -> Iterator[Measured]:
    """Measure `derivations review` of a formula that is twice as large, over the whole grid."""
    with TemporaryDirectory() as folder:
        project = Path(folder)
        for name in ("derivations", "templates"):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, project / name, ignore=ignored)
        _git(project, "init", "--quiet")
        _git(project, "add", "--all")
        _git(project, "-c", "user.name=bench", "-c", "user.email=b", "commit", "--quiet", "-m", "b")
        (project / "before.json").write_bytes(_run(project, "export"))
        section = project / "derivations/book/decode.py"
        text = section.read_text(encoding="utf-8")
        assert text.count("    mean_length * kv_per_token,") == 1
        changed = text.replace(
            "    mean_length * kv_per_token,", "    mean_length * kv_per_token * 2,"
        )
        section.write_text(changed, encoding="utf-8")
        (project / "after.json").write_bytes(_run(project, "export"))
        whole = statistics.median(
            seconds(partial(_run, project, "review", "HEAD", code=1)) for _ in range(3)
        )
        alone = statistics.median(_comparison(project) for _ in range(5))
    what = f"a review of one formula, {CONFIGURATIONS} configurations"
    yield Measured(what, whole, None, target=10)
    yield Measured("the comparison itself: read, compared and written", alone, None, target=1)


def _comparison(project: Path) -> float:
    """Give the time that a fresh process takes to compare two exports and write the report."""
    words = [sys.executable, "-c", _COMPARE, "before.json", "after.json"]
    done = subprocess.run(
        words, cwd=project, env=_environment(project), capture_output=True, check=True
    )
    return float(done.stdout)


def _run(project: Path, command: str, *words: str, code: int = 0) -> bytes:
    """Run a command in the copy. Raises where it does not end as it should."""
    done = subprocess.run(
        [sys.executable, "-m", "derivations", command, *words, "--configurations", CONFIGURATIONS],
        cwd=project,
        env=_environment(project),
        capture_output=True,
    )
    assert done.returncode == code, done.stderr.decode()
    return done.stdout


def _git(project: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=project, check=True, capture_output=True)


def _environment(project: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(project)}
