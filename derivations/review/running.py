"""The export of a revision, written by its own code in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from tempfile import TemporaryDirectory

from derivations.review.format import Export, decoded

_PLACE = re.compile(r'^  File "(?P<file>[^"]+)", line (?P<line>\d+)', re.M)


def exports(
    folders: Mapping[str, Path],
    names: Mapping[str, str],
    configurations: int,
    done: Callable[[str], None],
) -> dict[str, Export | str]:
    """
    Give the export of the code in each folder; *names* are those of the revisions in them.

    They are made at the same time, and stopped where this is. Where the code of a revision cannot
    run, there is the last thing that it said, in place of its export. Raises `FormatError` for
    what cannot be read.
    """
    with TemporaryDirectory(prefix="derivations-") as place:
        running = {
            end: _start(folder, Path(place) / f"{end}.json", configurations)
            for end, folder in folders.items()
        }
        try:
            with ThreadPoolExecutor(len(folders)) as pool:
                waiting = {
                    pool.submit(_export, names[end], process, Path(place) / f"{end}.json"): end
                    for end, process in running.items()
                }
                try:
                    from derivations.language import meaning  # noqa: F401  # sympy, meanwhile

                    found = {}
                    for each in as_completed(waiting):
                        found[waiting[each]] = each.result()
                        done(waiting[each])
                except BaseException:
                    for process in running.values():
                        process.kill()
                    raise
            return found
        finally:
            for process in running.values():
                process.kill()
                process.wait()


def _start(folder: Path, out: Path, configurations: int) -> subprocess.Popen[bytes]:
    words = ["export", "--configurations", str(configurations), "--out", str(out)]
    return subprocess.Popen(
        [sys.executable, "-m", "derivations", *words],
        cwd=folder,
        env=_environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def _export(name: str, process: subprocess.Popen[bytes], out: Path) -> Export | str:
    _, written = process.communicate()
    if process.returncode == 0 and out.exists():
        return decoded(out.read_bytes(), of=name)
    said = written.decode(errors="replace").strip()
    if not said:
        return f"it ends with exit code {process.returncode}, and without a word"
    places = list(_PLACE.finditer(said))
    where = f"{Path(places[-1]['file']).name}:{places[-1]['line']}: " if places else ""
    return where + said.splitlines()[-1].removeprefix("Error: ")


def _environment(folder: Path) -> dict[str, str]:
    """Give the environment in which Python imports what stands in a folder, and leaves no trace."""
    return {
        **os.environ,
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONSAFEPATH": "1",
        "NO_COLOR": "1",
    }
