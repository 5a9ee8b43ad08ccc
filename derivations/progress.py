"""A progress bar on standard error, for whatever takes more than a moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
