"""The questions at a terminal: asked again, with what is wrong, until an answer can be used."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from derivations.asking.questions import Question
from derivations.catalogue import DataError
from derivations.landing import Refused


def at_terminal() -> bool:
    """Say whether there is somebody to ask."""
    return sys.stdin.isatty()


def ask(question: Question) -> Any:
    """Ask for one answer, or for as many as there are. Raises `click.Abort` at the end of input."""
    click.echo(f"\n{question.means}", err=True)
    first = click.prompt(
        f"{question.flag} {question.answer}", value_proc=_reader(question), err=True
    )
    if not question.many:
        return first
    found = [first]
    while True:
        another = click.prompt(
            f"{question.flag} {question.answer}, or nothing",
            default="",
            show_default=False,
            value_proc=_reader(question, or_nothing=True),
            err=True,
        )
        if another is None:
            return found
        found.append(another)


def _reader(question: Question, *, or_nothing: bool = False) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        if or_nothing and not text:
            return None
        try:
            return question.read(text)
        except (DataError, Refused) as problem:
            raise click.UsageError(str(problem)) from None

    return read
