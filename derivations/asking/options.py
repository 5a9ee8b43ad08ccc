"""The questions as options of a command."""

from __future__ import annotations

from functools import cache
from typing import get_args

import click

from derivations.asking.questions import id_question, questions
from derivations.catalogue.facts import Trust


@cache
def options(kind: str) -> list[click.Option]:
    """Give the options of the command that adds a fact. Raises `DataError`."""
    asked = [
        click.Option(
            [each.flag, each.name],
            metavar=each.answer,
            multiple=each.many,
            help=each.means + (" Required." if each.required else "") + _MANY[each.many],
        )
        for each in (id_question(kind), *questions(kind, known=()))
    ]
    return [
        *asked,
        click.Option(
            ["--trust"],
            type=click.Choice(get_args(Trust)),
            default="medium",
            show_default=True,
            help="How far the amounts are to be trusted.",
        ),
        *(
            click.Option([flag], metavar=metavar, multiple=True, help=means)
            for flag, metavar, means in _BESIDE
        ),
        click.Option(["--replace"], is_flag=True, help="Write over the file that has the id."),
    ]


_MANY = {False: "", True: " May be given again."}
_BESIDE = (
    ("--quoted", "KEY=AMOUNT", "The figure as published, where another one is used: fp8='…'."),
    ("--quoted-as", "[KEY=]TEXT", "What the quoted figure counts, such as 'with sparsity'."),
    ("--derived-as", "[KEY=]TEXT", "The step from the quoted figure to the one that is used."),
    ("--note", "KEY=TEXT", "What else is to be known of an amount."),
)
"""What stands beside an amount. KEY is its field, or its type: ``link``, ``fp8``."""
