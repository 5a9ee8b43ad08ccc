"""What stands beside an amount: the figure as quoted, what it counts, the step from it, a note."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from derivations.asking.amounts import read_amount, split
from derivations.asking.questions import Ask, Question
from derivations.catalogue import DataError, Fact
from derivations.catalogue.facts import text_in
from derivations.catalogue.vocabulary import Field
from derivations.landing import Refused

_ABOUT_A_QUOTE = {
    "quoted_as": ("--quoted-as", "What the quoted figure counts."),
    "derived": ("--derived-as", "The step from the quoted figure to the one that is used."),
}
_TEXT = Field(kind="text", means="")


def beside(
    kind: str,
    amounts: Mapping[str, str],
    given: Mapping[str, Any],
    known: Sequence[Fact],
    ask: Ask | None,
) -> dict[str, dict[str, Any]]:
    """
    Give what the options say beside each amount, by the key of the amount.

    A quoted figure needs its sense, and the step from it. Raises `Refused`.
    """
    found: dict[str, dict[str, Any]] = {key: {} for key in amounts}
    keys = _keys(amounts)
    try:
        for text in given["quoted"]:
            key, says = split("--quoted", text, "KEY=AMOUNT")
            place = _one(keys, "--quoted", key)
            field = place.partition(".")[0]
            says = read_amount(kind, field, f"--quoted {key}", says, known)
            _put(found[place], "quoted", says, f"--quoted: {key}")
        for text in given["note"]:
            key, says = split("--note", text, "KEY=TEXT")
            place = _one(keys, "--note", key)
            _put(found[place], "note", text_in(f"--note {key}", says, _TEXT), f"--note: {key}")
        quoted = {key: place for key, place in keys.items() if "quoted" in found[place]}
        for name, (flag, _) in _ABOUT_A_QUOTE.items():
            for text in given[flag.removeprefix("--").replace("-", "_")]:
                _about_quotes(found, quoted, name, flag, text)
    except DataError as problem:
        raise Refused(str(problem)) from None
    _complete(found, quoted, ask)
    return found


def _keys(amounts: Mapping[str, str]) -> dict[str, str]:
    """Give the word for each amount: its field, or its type where the field has several."""
    short = {place: place.partition(".")[2] or place for place in amounts}
    return {
        place if word in amounts and word != place else word: place for place, word in short.items()
    }


def _one(keys: Mapping[str, str], flag: str, key: str) -> str:
    if key not in keys:
        raise Refused(f"{flag}: there is no amount {key!r} given; there is {', '.join(keys)}")
    return keys[key]


def _put(found: dict[str, Any], name: str, text: str, what: str) -> None:
    if name in found:
        raise Refused(f"{what} is given twice")
    found[name] = text


def _about_quotes(
    found: Mapping[str, dict[str, str]],
    quoted: Mapping[str, str],
    name: str,
    flag: str,
    text: str,
) -> None:
    """Put a text beside the quoted figure that it names, or beside all of them."""
    if not quoted:
        raise Refused(f"{flag}: there is no quoted figure; give it with --quoted KEY=AMOUNT")
    if not re.match(r"[A-Za-z0-9.-]+=", text):
        for place in quoted.values():
            found[place].setdefault(name, text_in(flag, text, _TEXT))
        return
    key, says = split(flag, text, "KEY=TEXT")
    if key not in quoted:
        raise Refused(f"{flag}: there is no quoted {key!r}; there is {', '.join(quoted)}")
    found[quoted[key]][name] = text_in(f"{flag} {key}", says, _TEXT)


def _complete(
    found: Mapping[str, dict[str, str]],
    quoted: Mapping[str, str],
    ask: Ask | None,
) -> None:
    """Ask for what a quoted figure lacks, or refuse it."""
    lacking = [
        (place, name, _question(flag, means, key))
        for key, place in quoted.items()
        for name, (flag, means) in _ABOUT_A_QUOTE.items()
        if name not in found[place]
    ]
    if lacking and ask is None:
        raise Refused("\n".join(question.missing for _, _, question in lacking))
    for place, name, question in lacking:
        if ask is not None:
            found[place][name] = ask(question)


def _question(flag: str, means: str, key: str) -> Question:
    where = f"{flag} {key}"
    return Question(
        name="",
        flag=where,
        means=means,
        answer="TEXT",
        read=lambda text: text_in(where, text, _TEXT),
    )
