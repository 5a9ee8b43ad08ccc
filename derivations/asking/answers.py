"""The answers to the questions, together: what is given, what is missing, and the file of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from derivations.asking.beside import beside
from derivations.asking.questions import Ask, Question, id_question, questions
from derivations.catalogue import DataError, Reference
from derivations.catalogue.facts import Amount
from derivations.catalogue.shelf import others
from derivations.catalogue.vocabulary import vocabulary
from derivations.catalogue.writing import fact_file
from derivations.landing import NewFile, Refused, new_file

_SOURCE = "main"


def answered(kind: str, given: Mapping[str, Any], ask: Ask | None) -> NewFile:
    """
    Give the new file of a fact, checked, from what the options say.

    What is missing is asked for, or refused, all at once, where there is nobody to ask. Raises
    `Refused`, and `DataError` where one of the files that are there cannot be used.
    """
    over = bool(given["replace"])
    first = id_question(kind, over=over)
    identity = given["identity"]
    if identity is None and ask is not None:
        identity = ask(first)
    known = others(kind, identity or "")
    every = [first, *questions(kind, known)]
    said = _said(every, {**given, "identity": identity}, ask)
    texts, says = _sorted_out(kind, said)
    remarks = beside(kind, says, given, known, ask)
    amounts = {
        key: Amount(says=each, source=_SOURCE, trust=given["trust"], **remarks[key])
        for key, each in says.items()
    }
    source = Reference(
        title=said["source_title"],
        url=said["source_url"],
        read=date.today(),
        seen=said["source_seen"],
    )
    text = fact_file(kind, texts, amounts, {_SOURCE: source})
    return new_file(kind, said["identity"], text, over=over)


def _said(every: Iterable[Question], given: Mapping[str, Any], ask: Ask | None) -> dict[str, Any]:
    """Read every answer, and only then refuse them, or ask for those that are missing."""
    said: dict[str, Any] = {}
    problems: list[str] = []
    missing: list[Question] = []
    for question in every:
        texts = given[question.name]
        texts = list(texts) if question.many else [texts] * (texts is not None)
        read = []
        for text in texts:
            try:
                read.append(question.read(text))
            except (DataError, Refused) as problem:
                problems.append(str(problem))
        if read:
            said[question.name] = read if question.many else read[0]
        elif question.required and not texts:
            missing.append(question)
    if problems or (missing and ask is None):
        raise Refused("\n".join((*problems, *(each.missing for each in missing))))
    if ask is not None:
        said.update({question.name: ask(question) for question in missing})
    return said


def _sorted_out(kind: str, said: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Give the texts and the amounts, keyed as in a fact. Raises `Refused` for a key twice."""
    texts: dict[str, Any] = {}
    amounts: dict[str, str] = {}
    for name, field in vocabulary()[kind].items():
        if name not in said:
            continue
        if field.kind != "amount":
            texts[name] = said[name]
            continue
        for key, says in said[name] if field.each else [("", said[name])]:
            full = f"{name}.{key}" if key else name
            if full in amounts:
                raise Refused(f"--{name}: {key} is given twice")
            amounts[full] = says
    return texts, amounts
