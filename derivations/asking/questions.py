"""What there is to say of a new fact: one question for each field, made from the vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_type_hints

from derivations.asking.amounts import read_amount, split
from derivations.catalogue import DataError, Fact, Reference, told
from derivations.catalogue.facts import ID_SIGNS, converted, text_in
from derivations.catalogue.vocabulary import Field, vocabulary
from derivations.landing import Refused, free_id, taken


@dataclass(frozen=True, kw_only=True)
class Question:
    """One thing to say: the option for it, what it means, and how an answer is read."""

    name: str
    flag: str
    means: str
    answer: str
    """What an answer looks like: ``AMOUNT``."""
    read: Callable[[str], Any]
    """Gives what an answer says. Raises `DataError` or `Refused`, which name the option."""
    required: bool = False
    many: bool = False

    @property
    def missing(self) -> str:
        """What is told where there is no answer."""
        return f"{self.flag} {self.answer} is missing: {self.means}"


Ask = Callable[[Question], Any]
"""Asks a person, until the answer can be used, and gives what it says."""


def id_question(kind: str, *, over: bool = False) -> Question:
    """Give the question for the id of a new fact; *over* allows one that is taken."""

    def read(text: str) -> str:
        try:
            return free_id(kind, text, over=over)
        except Refused as problem:
            raise Refused(f"--id: {problem}") from None

    return _with_text(
        Question(
            name="identity",
            flag="--id",
            means=f"Its id, by which it is chosen and its file is named: {ID_SIGNS}",
            answer="ID",
            read=read,
            required=True,
        )
    )


def questions(kind: str, known: Sequence[Fact]) -> list[Question]:
    """
    Give the questions of a kind of facts, in the order of the vocabulary, and those of the source.

    *known* are the facts that there are: none of their names is free, and examples are theirs.
    """
    fields = vocabulary()[kind].items()
    found = [_of_a_field(kind, name, field, known) for name, field in fields]
    return [_with_text(each) for each in (*found, *_of_the_source())]


def _of_a_field(kind: str, name: str, field: Field, known: Sequence[Fact]) -> Question:
    flag = f"--{name.replace('_', '-')}"
    if field.kind == "ids":
        flag = flag.removesuffix("es")  # given one by one: --alias

    def read(text: str) -> Any:
        match field.kind:
            case "ids":
                (alias,) = text_in(flag, (text,), field)
                for problem in taken(kind, [alias], [], known):
                    raise Refused(f"{flag}: {problem}")
                return alias
            case "year":
                return text_in(flag, _whole(flag, text), field)
            case "amount":
                if not field.each:
                    return read_amount(kind, name, flag, text, known)
                key, says = split(flag, text, "TYPE=AMOUNT")
                return key, read_amount(kind, name, f"{flag} {key}", says, known)
        return text_in(flag, text, field)

    answers = {"ids": "ID", "year": "YEAR", "text": "TEXT"}
    amount = "TYPE=AMOUNT" if field.each else "AMOUNT"
    return Question(
        name=name,
        flag=flag,
        means=field.means,
        answer=answers.get(field.kind, amount),
        read=read,
        required=field.required,
        many=field.each or field.kind == "ids",
    )


def _of_the_source() -> list[Question]:
    hints = get_type_hints(Reference, include_extras=True)
    means = {
        "title": ("--source-title", "The document that the amounts are from."),
        "url": ("--source-url", "Where it is: an address that starts with https:// or http://."),
        "seen": ("--seen", "How it was read, such as 'The page itself.'"),
    }

    def reader(name: str, flag: str) -> Callable[[str], Any]:
        return lambda text: converted(flag, text, hints[name])

    return [
        Question(
            name=f"source_{name}",
            flag=flag,
            means=says,
            answer="URL" if name == "url" else "TEXT",
            read=reader(name, flag),
            required=True,
        )
        for name, (flag, says) in means.items()
    ]


def _with_text(question: Question) -> Question:
    """Refuse an answer that says nothing, or is no text."""

    def read(text: str) -> Any:
        if not text.strip():
            raise DataError(f"{question.flag}: it is empty. {question.means}")
        if not text.isascii() and text != text.encode(errors="replace").decode():
            raise DataError(f"{question.flag}: {told(text)} has signs in it that are no text")
        return question.read(text)

    return replace(question, read=read)


def _whole(flag: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise DataError(f"{flag}: {told(text)} should be a whole number")
    return int(text)
