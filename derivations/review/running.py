"""The export of a revision, written by its own code in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from derivations.review.format import Export, decoded


def exports(
    folders: Mapping[str, Path],
    names: Mapping[str, str],
    configurations: int,
    done: Callable[[str], None],
) -> dict[str, Export | str]:
    """
    Give the export of the code in each folder; *names* are those of the revisions in them.

    They are made at the same time. Where the code of a revision cannot run, there is the last thing
    that it said, in place of its export. Raises `FormatError` for what cannot be read.
    """
    with ThreadPoolExecutor(len(folders)) as pool:
        made = {
            pool.submit(_export, names[end], folder, configurations): end
            for end, folder in folders.items()
        }
        from derivations.language import meaning  # noqa: F401  # sympy, while they work

        found = {}
        for each in as_completed(made):
            found[made[each]] = each.result()
            done(made[each])
        return found


def _export(name: str, folder: Path, configurations: int) -> Export | str:
    done = subprocess.run(
        [sys.executable, "-m", "derivations", "export", "--configurations", str(configurations)],
        cwd=folder,
        env=_environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    if done.returncode == 0:
        return decoded(done.stdout, of=name)
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return said[-1] if said else f"its code ends with exit code {done.returncode}"


def _environment(folder: Path) -> dict[str, str]:
    """Give the environment in which Python imports what stands in a folder, and leaves no trace."""
    return {
        **os.environ,
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONSAFEPATH": "1",
        "NO_COLOR": "1",
    }
