"""What takes more than a moment: a progress bar on standard error, and an end that cleans up."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Step = Callable[[str, int], None]
"""Called after each piece of work, with its name and how many there are in all."""


@contextmanager
def progress(title: str) -> Iterator[Step]:
    """Show a bar that moves with each step; nothing where there is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=False) as bar:
        task = bar.add_task(title, total=None)

        def step(name: str, total: int) -> None:
            bar.update(task, advance=1, total=total, description=f"{title} {name}")

        yield step


def ended_by_signals() -> None:
    """Let signals that end a process raise `SystemExit`, so that it takes away what it has made."""

    def end(number: int, frame: Any) -> None:
        sys.exit(128 + number)

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # not every system has all of them
            signal.signal(getattr(signal, name), end)
