"""One configuration, or many: `derivations.evaluate` and `derivations.sweep`."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("first", ["", "import derivations.evaluate", "import derivations.cli"])
def test_the_function_is_there_whatever_was_imported_first(first: str) -> None:
    # The room and its function have one name; the import of the room must not hide the function.
    code = f"{first}\nimport derivations as d\nd.evaluate()\nd.evaluate(concurrency=1)\nd.sweep()"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (run.returncode, run.stderr) == (0, "")
