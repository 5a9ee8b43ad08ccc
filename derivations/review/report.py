"""The report of a review, in Markdown: the weightiest first, and short enough for a comment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from math import isinf
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from derivations.render.places import templates
from derivations.review import words
from derivations.review.changes import Change, Datum, FactChange, new_sources, users
from derivations.review.format import Amount, Cited, Document, Entry, Export, Verdict
from derivations.review.moves import Move
from derivations.review.reviewing import Review

LONGEST = 60_000
"""Signs that a report may have, so that it fits into a comment."""
OPEN = 5
"""How many changes are unfolded."""
_ROWS = 15
"""How many quantities that move are listed, where not the whole is asked for."""
_USERS = 12
_AREA = 6_000
"""Signs that the lists of a shortened report may have."""


@cache
def _macros() -> Any:
    environment = Environment(
        loader=FileSystemLoader(templates()),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=_harmless,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(words.FILTERS)
    return environment.get_template("review.md.jinja").module


def _harmless(value: Any) -> Any:
    return value if hasattr(value, "__html__") else words.text(value)


def as_data(review: Review) -> str:
    """Give a review as JSON: what it says, without the exports that it compared."""
    told = msgspec.structs.replace(review, before=None, after=None)
    data = {**msgspec.to_builtins(told), "objections": review.objections}
    del data["before"], data["after"]
    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode()


@dataclass(frozen=True)
class Piece:
    """A change as text: how much it weighs, its line, and what is folded under it."""

    weight: tuple[float, float]
    id: str
    title: str
    what: str
    body: Markup

    @cache  # noqa: B019  # a piece lives no longer than its report
    def folded(self, *, unfolded: bool) -> str:
        """Give it as a part that can be folded."""
        return str(_macros().summary(self.id, self.title, self.what, unfolded)) + str(self.body)


def report(review: Review, *, whole: bool = False) -> str:
    """Give the report: of at most `LONGEST` signs, or with *whole* all of it."""
    pieces = sorted(_pieces(review), key=lambda each: each.weight, reverse=True)
    full = _composed(review, pieces, len(pieces), None)
    if whole or len(full) <= LONGEST:
        return full
    fits, too_many = 0, len(pieces) + 1
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        if len(_composed(review, pieces, middle, _ROWS)) <= LONGEST:
            fits = middle
        else:
            too_many = middle
    short = _composed(review, pieces, fits, _ROWS)
    return short if len(short) <= LONGEST else _cut(short, LONGEST)


def _composed(review: Review, pieces: list[Piece], kept: int, rows: int | None) -> str:
    macros = _macros()
    parts = [macros.top(review, _counts(review))]
    found = review.changes
    if found is not None:
        if found.lost:
            listed_ids = found.lost if rows is None else found.lost[:_ROWS]
            parts.append(macros.lost(listed_ids, len(found.lost) - len(listed_ids)))
        mended = tuple(each for each in found.faults_before if each not in found.faults)
        if found.faults or mended:
            again = len(set(found.faults) & set(found.faults_before))
            most = None if rows is None else _ROWS
            faults = words.block(found.faults[:most]) if found.faults else ""
            parts.append(macros.check(faults, again, words.block(mended[:most]) if mended else ""))
    if review.lines:
        parts.append(macros.changelog(words.block(review.lines[: None if rows is None else _ROWS])))
    if pieces:
        parts.append("## What changes\n\n")
        parts.extend(each.folded(unfolded=n < OPEN) for n, each in enumerate(pieces[:kept]))
        if kept < len(pieces):
            parts.append(_left_out(pieces[kept:]))
    if found is not None and found.compared and (found.moves or pieces):
        moves = sorted(found.moves, key=_size, reverse=True)
        listed = moves if rows is None else moves[:rows]
        table = [_row(review, each) for each in listed]
        parts.append(macros.moves(table, len(moves) - len(listed)))
    if review.beside:
        parts.append(macros.beside(review.beside))
    return "".join(map(str, parts)).rstrip("\n") + "\n"


def _left_out(pieces: list[Piece]) -> str:
    lines = [f"- {words.code(each.id)}: {words.text(each.what)}" for each in pieces]
    listed: list[str] = []
    size = 0
    for line in lines:
        size += len(line) + 1
        if size > _AREA:
            break
        listed.append(line)
    more = len(lines) - len(listed)
    rest = [f"- and {words.counted(more, 'other')}"] if more else []
    return "\n".join(
        [
            "These stand in the whole report (`--whole FILE`), and only there:",
            "",
            *listed,
            *rest,
            "",
            "",
        ]
    )


def _cut(text: str, most: int) -> str:
    note = "\n\n…cut here. With --whole FILE, the whole report is a file.\n"
    return text[: most - len(note)] + note


def _counts(review: Review) -> list[str]:
    """Say how much of what differs."""
    if review.changes is None:
        return []
    found: list[str] = []
    by_status: dict[tuple[str, str], int] = {}
    for each in review.changes.entries:
        key = (each.entry.kind, each.status)
        by_status[key] = by_status.get(key, 0) + 1
    for (kind, status), count in by_status.items():
        found.append(f"{words.counted(count, kind)} {_STATUS[status]}")
    for fact in review.changes.facts:
        found.append(f"{fact.kind} {fact.id} {_STATUS[fact.status]}")
    if len(review.changes.facts) > 5:
        del found[-len(review.changes.facts) :]
        found.append(f"{words.counted(len(review.changes.facts), 'data file')} changed")
    results = review.changes.results
    for runs, status in ((results.added, "added"), (results.removed, "removed")):
        if runs:
            found.append(f"{words.counted(len(runs), 'measured result')} {status}")
    if results.changed:
        found.append(f"{words.counted(len(results.changed), 'measured figure')} changed")
    if review.changes.defaults:
        found.append("the default configuration changed")
    for places, what in ((review.changes.pages_new, "new"), (review.changes.pages_gone, "gone")):
        if places:
            found.append(f"{words.counted(len(places), 'page')} {what}: {words.pages(places)}")
    moves = [each for each in review.changes.moves if each.kind == "formula"]
    if moves:
        found.append(
            f"{words.counted(len(moves), 'value moves', 'values move')} on "
            f"{words.counted(len(review.changes.pages_moved), 'page')}"
        )
    return [f"{found[0][0].upper()}{found[0][1:]}", *found[1:]] if found else []


_STATUS = {
    "added": "added",
    "removed": "removed",
    "renamed": "renamed",
    "moved": "moved to another section",
    "changed": "changed",
}


def _pieces(review: Review) -> Iterator[Piece]:
    if review.changes is None or review.before is None or review.after is None:
        return
    moves = {each.id: each for each in review.changes.moves}
    used = users(review.before), users(review.after)
    for place, entry in enumerate(review.changes.entries):
        yield _entry_piece(review, entry, moves.get(entry.id), used, place)
    for place, fact in enumerate(review.changes.facts):
        yield _fact_piece(review, fact, place)
    if review.changes.defaults:
        lines = [
            Markup("{}: {} → {}").format(words.code(name), words.code(old), words.code(new))
            for name, old, new in review.changes.defaults
        ]
        body = _macros().fact(_Lines([], lines))
        yield Piece((85.0, 0.0), "defaults", "the default configuration", "changed", body)
    results = review.changes.results
    if results.added or results.removed or results.changed:
        yield _results_piece(review)


@dataclass(frozen=True)
class _Lines:
    """What the template needs of a data file."""

    rows: list[dict[str, Any]]
    lines: list[Markup]


@dataclass(frozen=True)
class _Formulas:
    """A formula of an entry before and after, and what to call it."""

    name: str
    before: Markup | None
    after: Markup | None
    only: str = ""


@dataclass(frozen=True)
class _Told:
    """What the template needs of a change of an entry."""

    change: Change
    formulas: list[_Formulas]
    verdict: str
    lines: list[Markup] = field(default_factory=list)


_Users = Mapping[str, list[str]]


def _entry_piece(
    review: Review, one: Change, move: Move | None, used: tuple[_Users, _Users], place: int
) -> Piece:
    assert review.before is not None
    assert review.after is not None
    users = used[0].get(one.former, []) if one.after is None else used[1].get(one.id, [])
    told = _Told(
        change=one,
        formulas=list(_formulas(one, review.before, review.after)),
        verdict=_verdict_sentence(one),
        lines=[
            *_lines(review, one, move, review.before, review.after),
            *_users_line(users, one.after is not None),
        ],
    )
    size = abs(move.largest) if move is not None and move.largest is not None else 0.0
    title = one.entry.texts.get("title", "")
    weight = (_weight(one), size - place * 1e-9)
    return Piece(weight, one.id, title, _what(one), _macros().change(told))


def _weight(one: Change) -> float:
    if one.entry.kind == "constant" and one.value_changed:
        return 95.0
    if one.verdict is not None and one.verdict.says != "same":
        return {"different": 100.0, "unknown": 98.0, "factor": 90.0}[one.verdict.says]
    if one.status == "removed":
        return 70.0
    if "unit" in one.texts:
        return 65.0
    if one.premises or one.numbers:
        return 60.0
    if one.trees and one.verdict is None and one.status == "changed":
        return 50.0  # a statement
    if one.verdicts:
        return 45.0
    if one.status in ("renamed", "moved"):
        return 40.0
    if one.status == "added":
        return 30.0
    if one.verdict is not None:
        return 25.0 if one.verdict.how == "sampled" else 20.0
    return 15.0 if one.sources else 10.0


def _what(one: Change) -> str:
    """Say in a few words what became of it."""
    if one.status in ("added", "removed"):
        return one.status
    said = []
    if one.status in ("renamed", "moved"):
        said.append(f"was {one.former}")
    if one.before is not None and one.after is not None and one.before.kind != one.after.kind:
        said.append(f"was a {one.before.kind}, is a {one.after.kind}")
    if one.verdict is not None:
        said.append(words.said(one.verdict))
    if "value" in one.numbers:
        before, after = one.before, one.after
        assert before is not None
        assert after is not None
        if before.kind == after.kind:
            said.append(f"{before.numbers.get('value')} → {after.numbers.get('value')}")
    elif one.numbers:
        said.append("other bounds")
    if "unit" in one.texts:
        said.append("another unit")
    if one.premises:
        said.append("other premises")
    elif one.trees and one.verdict is None:
        said.append("another condition" if one.entry.kind == "condition" else "another statement")
    if one.verdicts and not one.trees:
        said.append("other proofs")
    if not said or said == [f"was {one.former}"]:
        quiet = [
            name
            for name, there in (
                ("source", one.sources),
                ("words", bool(one.texts)),
                ("digits shown", one.show),
            )
            if there
        ]
        if quiet:
            said.append(f"only its {' and '.join(quiet)}")
    return ", ".join(said) or "the same otherwise"


def _verdict_sentence(one: Change) -> str:
    if one.verdict is None:
        return ""
    said = words.said(one.verdict)
    if one.premises and one.verdict.says in ("same", "factor"):
        said += ", wherever both have one" if one.verdict.says == "same" else ""
    sentence = f"{said[0].upper()}{said[1:]}."
    if one.verdict.reason:
        reason = one.verdict.reason
        sentence = f"{sentence[:-1]}: {'for one, ' if reason.startswith('with ') else ''}{reason}."
    return sentence


_CALLED = {
    "body": "",
    "relation": "",
    "left": "Left side",
    "right": "Right side",
    "exact": "Exactly",
    "simple": "Simply",
}


def _formulas(one: Change, before: Export, after: Export) -> Iterator[_Formulas]:
    names = one.trees
    if one.status in ("added", "removed"):
        names = tuple(one.entry.trees)
    if not names and one.after is not None and "body" in one.after.trees:
        body = words.math(one.after.trees["body"], after.entries, one.after)
        yield _Formulas("", None, body, only="as before")
    if names == ("steps",):
        yield _Formulas("Steps", _steps(one.before, before), _steps(one.after, after))
        return
    for name in names:
        old = one.before.trees.get(name) if one.before else None
        new = one.after.trees.get(name) if one.after else None
        yield _Formulas(
            _CALLED.get(name, f"{name[0].upper()}{name[1:]}"),
            words.math(old, before.entries, one.before) if old is not None else None,
            words.math(new, after.entries, one.after) if new is not None else None,
            only="new" if old is None else "gone",
        )


def _steps(entry: Entry | None, export: Export) -> Markup | None:
    if entry is None:
        return None
    return Markup("\n\n").join(words.math(each, export.entries) for each in entry.trees.values())


def _lines(
    review: Review, one: Change, move: Move | None, before: Export, after: Export
) -> Iterator[Markup]:
    old, new = one.before, one.after
    if one.refused:
        yield Markup("The check refuses it, for the reasons above.")
    if one.status in ("renamed", "moved"):
        leads = "which still leads to it" if one.led else "and nothing leads from there to it"
        yield Markup("Its id was {}, {}.").format(words.code(one.former), leads)
    if old is not None and new is not None:
        yield from _between(review, one, old, new, move, before, after)
    elif new is not None:
        yield from _alone(new, after)
        value = _default_value(after, one.id)
        if new.kind == "formula":
            text = words.amount(value, new)
            yield Markup("In the default configuration: {}.").format(words.text(text))
        if new.formerly:
            yield Markup("It answers to {}, too.").format(_codes(new.formerly))
    elif old is not None:
        yield from _alone(old, before)
        if old.kind == "formula":
            text = words.amount(_default_value(before, one.former), old)
            yield Markup("It was {} in the default configuration.").format(words.text(text))


def _users_line(users: list[str], now: bool) -> Iterator[Markup]:
    if users:
        more = f" and {len(users) - _USERS} more" if len(users) > _USERS else ""
        listed = _codes(tuple(users[:_USERS]))
        yield Markup("{}: {}{}.").format(
            "Needed by" if now else "Was needed by", listed, Markup(more)
        )


def _alone(entry: Entry, export: Export) -> Iterator[Markup]:
    """Tell all of something that has no other side to be compared with."""
    if "unit" in entry.texts:
        yield Markup("Unit: {}.").format(words.code(entry.texts["unit"]))
    if entry.numbers:
        bounds = ", ".join(f"{name} {value}" for name, value in entry.numbers.items())
        yield Markup("{}.").format(words.text(f"{bounds[0].upper()}{bounds[1:]}"))
    for each in entry.premises:
        yield Markup("Rests on {}.").format(words.inline(each.tree, export.entries))
    if entry.texts.get("says"):
        yield Markup("Reason: {}").format(words.text(entry.texts["says"]))
    for source in entry.sources:
        yield Markup("Source: {}.").format(_cited(source))
    yield from _proofs(entry)


def _proofs(entry: Entry) -> Iterator[Markup]:
    for verdict in entry.verdicts:
        yield Markup("{}: {}.").format(_how(verdict), words.code(verdict.what))


def _how(verdict: Verdict) -> str:
    return "Proven" if verdict.how == "proven" else f"Sampled on {verdict.samples}"


def _between(
    review: Review,
    one: Change,
    old: Entry,
    new: Entry,
    move: Move | None,
    before: Export,
    after: Export,
) -> Iterator[Markup]:
    if old.kind != new.kind:
        yield Markup("It was a {}, and is a {}.").format(old.kind, new.kind)
    if "unit" in one.texts:
        yield Markup("Unit: {} → {}.").format(
            words.code(old.texts.get("unit", "none")), words.code(new.texts.get("unit", "none"))
        )
    elif "unit" in new.texts:
        yield Markup("Unit: {}, as before.").format(words.code(new.texts["unit"]))
    if new.kind == "formula" and one.former in before.grid.columns:
        yield _default_line(one, old, new, before, after)
        yield from _move_lines(one, old, new, move, review, before)
    for name in one.numbers:
        yield Markup("{}: {} → {}.").format(
            name.capitalize(),
            words.code(old.numbers.get(name, "none")),
            words.code(new.numbers.get(name, "none")),
        )
    if one.premises:
        gone = [each for each in old.premises if each.tree not in [p.tree for p in new.premises]]
        come = [each for each in new.premises if each.tree not in [p.tree for p in old.premises]]
        for each in come:
            yield Markup("Rests now on {}.").format(words.inline(each.tree, after.entries))
        for each in gone:
            yield Markup("No longer rests on {}.").format(words.inline(each.tree, before.entries))
        if not (come or gone):
            yield Markup("Its premises are named or ordered otherwise.")
    if one.verdicts or (one.trees and new.verdicts):
        yield from _proofs(new)
        if new.verdicts and [each.how for each in old.verdicts] != [
            each.how for each in new.verdicts
        ]:
            was = ", ".join(_how(each).lower() for each in old.verdicts) or "without a verdict"
            yield Markup("Before: {}.").format(words.text(was))
    gone_sources, new_ones = new_sources(old, new)
    for source in gone_sources:
        yield Markup("Source before: {}.").format(_cited(source))
    for source in new_ones:
        yield Markup("Source now: {}.").format(_cited(source))
    if not one.sources and one.value_changed:
        for source in new.sources:
            yield Markup("Source, as before: {}.").format(_cited(source))
    for name in one.texts:
        if name in _TOLD_OTHERWISE:
            continue
        yield Markup("{} before: {}").format(
            _NAMES.get(name, name.capitalize()), words.text(old.texts.get(name, "none"))
        )
        yield Markup("{} now: {}").format(
            _NAMES.get(name, name.capitalize()), words.text(new.texts.get(name, "none"))
        )
    if one.show:
        yield Markup("Shown in {}, and now in {}.").format(
            words.code(_display(old)), words.code(_display(new))
        )


_TOLD_OTHERWISE = ("unit", "whole")
_NAMES = {"says": "Reason", "links": "What it is about"}


def _display(entry: Entry) -> str:
    told = []
    for show in (entry.show, entry.also):
        if show is not None:
            behind = f"{show.digits} digits"
            if show.decimals is not None:
                behind = f"{show.decimals} decimals"
            told.append(f"{show.unit}, {behind}")
    return "; ".join(told) or "nothing"


def _default_value(export: Export, identity: str) -> float | None:
    if identity not in export.grid.columns or not export.grid.rows:
        return None
    value = float(export.grid.column(identity)[0])
    return None if value != value else value


def _default_line(one: Change, old: Entry, new: Entry, before: Export, after: Export) -> Markup:
    was, now = _default_value(before, one.former), _default_value(after, one.id)
    told_was, told_now = words.two_amounts((was, old), (now, new))
    if was == now or told_was == told_now:
        return Markup("In the default configuration: {}, as before.").format(words.text(told_now))
    change = ""
    if was and now is not None:
        change = f", {words.percent((now - was) / abs(was))}"
    return Markup("In the default configuration: {} → {}{}.").format(
        words.text(told_was), words.text(told_now), Markup(change)
    )


def _move_lines(
    one: Change, old: Entry, new: Entry, move: Move | None, review: Review, before: Export
) -> Iterator[Markup]:
    if move is None:
        if one.verdict is not None and review.changes is not None and review.changes.compared:
            compared = words.counted(review.changes.compared, "configuration")
            rounding = (
                f"by rounding alone, up to {words.percent(one.rounding)[1:]}"
                if one.rounding
                else "in none"
            )
            yield Markup("Over {} its value moves {}.").format(compared, rounding)
        return
    if move.largest is not None and (one.verdict is None or one.verdict.says == "same"):
        yield Markup("It moves with what it is made of.")
    if move.largest is not None:
        there = words.two_amounts((move.there_before, old), (move.there_after, new))
        yield Markup("Largest change over {}: {}, from {} to {}, {}.").format(
            words.counted(move.of, "configuration"),
            words.percent(move.largest),
            words.text(there[0]),
            words.text(there[1]),
            words.where(move, _defaults(review)),
        )
    yield Markup("It moves in {} of {}.").format(f"{move.moved:,}", f"{move.of:,}")
    if move.lost:
        yield Markup("It has no value any more in {} of them.").format(f"{move.lost:,}")
    if move.gained:
        yield Markup("It has a value now in {} of them, and had none.").format(f"{move.gained:,}")


def _defaults(review: Review) -> Mapping[str, str]:
    """Give what needs no option in either revision: another default would mislead."""
    if review.after is None or (review.changes is not None and review.changes.defaults):
        return {}
    return review.after.defaults


def _codes(ids: tuple[str, ...]) -> Markup:
    return Markup(", ").join(map(words.code, ids))


def _cited(source: Cited) -> Markup:
    return Markup("{}, {}").format(words.link(source.title, source.url), words.text(source.place))


def _fact_piece(review: Review, one: FactChange, place: int) -> Piece:
    rows = [_fact_row(each, one) for each in one.amounts]
    changes = [abs(each.change) for each in one.amounts if each.change]
    weight = 80.0 if one.value_changed else 35.0 if one.status == "added" else 12.0
    if one.status == "removed":
        weight = 70.0
    what: str = one.status
    if one.status in ("changed", "renamed"):
        moved = [each for each in one.amounts if each.value_changed]
        what = ", ".join(_fact_word(each) for each in moved[:3])
        if len(moved) > 3:
            what += f" and {len(moved) - 3} more"
        if any(each.before and each.after and each.before.trust != each.after.trust
               for each in one.amounts):  # fmt: skip
            what += f"{', ' if what else ''}other trust"
        if "aliases" in one.texts:
            what += f"{', ' if what else ''}other aliases"
        what = what or "only its sources and words"
        if one.status == "renamed":
            what = f"was {one.former}" if what.startswith("only") else f"was {one.former}, {what}"
    body = _macros().fact(_Lines(rows, list(_fact_lines(one))))
    size = max(changes, default=0.0)
    title = f"{one.name}, {one.kind}" if one.name != one.id else one.kind
    return Piece((weight, size - place * 1e-9), one.id, title, what, body)


def _fact_word(one: Datum) -> str:
    if one.change is not None:
        return f"{one.field} {words.percent(one.change)}"
    return f"{one.field} {'added' if one.before is None else 'removed'}"


def _fact_row(one: Datum, fact: FactChange) -> dict[str, Any]:
    old, new = one.before, one.after
    change = "new" if old is None else "gone" if new is None else words.percent(one.change)
    if old is not None and new is not None and not one.value_changed:
        change = "the same value"
    return {
        "field": one.field,
        "before": _says(old),
        "after": _says(new),
        "change": change,
        "source": _two(_sources(old), _sources(new)),
        "trust": _two(old.trust if old else "", new.trust if new else ""),
    }


def _says(amount: Amount | None) -> Markup:
    return words.code(amount.says) if amount is not None else Markup("–")


def _sources(amount: Amount | None) -> Markup:
    return _document(amount.source) if amount is not None else Markup("")


def _document(source: Document) -> Markup:
    return Markup("{}, read {}").format(
        words.link(source.title, source.url), words.text(source.read)
    )


def _two(before: str, after: str) -> Markup:
    """Write one text where nothing differs, and two where something does."""
    if not before or before == after:
        return words.text(after) if not hasattr(after, "__html__") else Markup(after)
    if not after:
        return words.text(before) if not hasattr(before, "__html__") else Markup(before)
    return Markup("{} → {}").format(
        before if hasattr(before, "__html__") else words.text(before),
        after if hasattr(after, "__html__") else words.text(after),
    )


def _fact_lines(one: FactChange) -> Iterator[Markup]:
    page = (one.after or one.before).page if one.after or one.before else ""  # type: ignore[union-attr]
    if page:
        yield Markup("Its page: {}.").format(words.code(words.page(page)))
    if one.status == "renamed":
        yield Markup("Its id was {}, which still leads to it.").format(words.code(one.former))
    old, new = one.before, one.after
    for datum in one.amounts:
        yield from _datum_lines(datum)
    if old is None or new is None:
        there = new or old
        for name, text in there.texts.items() if there is not None else ():
            yield Markup("{}: {}").format(words.code(name), words.text(text))
        return
    for name in one.texts:
        if name == "aliases":
            yield Markup("Aliases: {} → {}.").format(
                words.code(", ".join(old.aliases) or "none"),
                words.code(", ".join(new.aliases) or "none"),
            )
            continue
        yield Markup("{} before: {}; now: {}").format(
            words.code(name),
            words.text(old.texts.get(name, "none")),
            words.text(new.texts.get(name, "none")),
        )


def _datum_lines(one: Datum) -> Iterator[Markup]:
    old, new = one.before, one.after
    before = {} if old is None else _details(old)
    after = {} if new is None else _details(new)
    for name in dict.fromkeys((*before, *after)):
        if before.get(name) == after.get(name):
            continue
        was = Markup(", before: {}").format(words.text(before[name])) if name in before else ""
        now = words.text(after[name]) if name in after else Markup("gone")
        yield Markup("{}, {}: {}{}").format(
            words.code(one.field), _DETAILS.get(name, name), now, was
        )


_DETAILS = {
    "quoted": "the source quotes",
    "quoted_as": "quoted as",
    "derived": "worked out as",
    "seen": "how it was read",
    "others": "others say",
}


def _details(amount: Amount) -> Mapping[str, str]:
    others = "; ".join(f"{says} ({source.title})" for says, source in amount.others)
    return {
        **amount.texts,
        "seen": amount.source.seen,
        **({"others": others} if others else {}),
    }


def _results_piece(review: Review) -> Piece:
    assert review.changes is not None
    results = review.changes.results
    lines = []
    for run, column, old, new in results.changed[:20]:
        lines.append(
            Markup("{}, {}: {} → {}").format(
                words.code(run), words.code(column), words.code(old), words.code(new)
            )
        )
    for runs, what in ((results.removed, "gone"), (results.added, "new")):
        lines.extend(Markup("{}: {}").format(what, words.code(run)) for run in runs[:20])
    total = len(results.changed) + len(results.removed) + len(results.added)
    if total > len(lines):
        lines.append(Markup("and {} more").format(total - len(lines)))
    weight = 82.0 if results.changed or results.removed else 32.0
    what = f"{total:,} differ"
    body = _macros().fact(_Lines([], lines))
    return Piece((weight, 0.0), "results", "what was measured", what, body)


def _size(move: Move) -> float:
    if move.largest is None:
        return 1e9 if move.lost or move.gained else 0.0
    return abs(move.largest)


def _row(review: Review, move: Move) -> dict[str, Any]:
    assert review.before is not None
    assert review.after is not None
    new = review.after.entries[move.id]
    old = next(
        (
            review.before.entries[name]
            for name in (move.id, *new.formerly)
            if name in review.before.entries
        ),
        new,
    )
    was, now = words.two_amounts((move.before, old), (move.after, new))
    largest = words.percent(move.largest) if move.largest is not None else ""
    if move.kind == "condition":
        largest = ""
    if not largest or isinf(move.largest or 0.0):
        there = words.two_amounts((move.there_before, old), (move.there_after, new))
        largest = f"{there[0]} → {there[1]}"
    return {
        "id": move.id,
        "title": new.texts.get("title", ""),
        "default": now if was == now else f"{was} → {now}",
        "largest": largest,
        "where": words.where(move, _defaults(review)) if move.moved else "as the default",
        "moved": f"{format(move.moved, ',') if move.moved else 'none'} of {move.of:,}",
        "pages": words.pages(move.pages),
    }
