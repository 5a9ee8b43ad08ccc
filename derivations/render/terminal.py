"""Values and derivations as text for a terminal, and as data for programs."""

from __future__ import annotations

from typing import Any

from derivations.book import BOOK, memory
from derivations.check import remembered
from derivations.configure import COUNTED, COUNTS
from derivations.evaluate import NoValue, Worksheet
from derivations.language.algebra import Quantity
from derivations.language.contents import Entry, needs
from derivations.language.declare import (
    Approximation,
    Bridge,
    Claim,
    Condition,
    Constant,
    Crossing,
    Derivation,
    Equivalence,
    Formula,
    Given,
    Source,
    Unknown,
    relation_of,
)
from derivations.language.notation.plain import symbols
from derivations.render.escape import for_plain
from derivations.render.workings import Workings


def as_data(sheet: Worksheet) -> dict[str, Any]:
    """
    Give every value of a worksheet as plain data.

    ``{"configuration": {…}, "values": {id: {"value", "unit", "display"}}}``: the value in the
    declared base unit at full precision, or None where a premise does not hold.
    """
    workings = Workings(sheet)
    values: dict[str, dict[str, Any]] = {}
    for identity, entry in (*BOOK.givens.items(), *BOOK.formulas.items()):
        try:
            value, display = sheet.value(entry), workings.figure(entry).text
        except NoValue as reason:
            values[identity] = {"value": None, "unit": entry.unit, "display": str(reason)}
            continue
        values[identity] = {"value": value, "unit": entry.unit, "display": display}
    return {"configuration": sheet.chosen.resolved(), "values": values}


def as_columns(sheet: Worksheet) -> str:
    """Give every value of a worksheet, one a line: id, value, title."""
    chosen = ", ".join(f"{name} {value}" for name, value in sheet.chosen.resolved().items())
    rows = [
        (identity, each["display"] if each["value"] is not None else "no value")
        for identity, each in as_data(sheet)["values"].items()
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    lines = [
        f"{identity:<{widths[0]}}  {display:>{widths[1]}}  {getattr(BOOK[identity], 'title', '')}"
        for identity, display in rows
    ]
    return "\n".join([for_plain(chosen), *misfit(sheet), "", *lines])


def misfit(sheet: Worksheet) -> list[str]:
    """Say that a configuration does not fit, and what would."""
    if sheet.holds(memory.fits):
        return []
    workings = Workings(sheet)
    needed, there = (workings.figure(each).text for each in (memory.needed, memory.available))
    most = workings.figure(memory.largest_concurrency).text
    try:
        least = f"from {workings.figure(memory.smallest_tensor_parallelism).text} on"
    except NoValue:
        least = f"with no tensor parallelism: {memory.a_head_fits.otherwise}"
    return [
        f"This does not fit: it needs {needed}, and {there} are usable. "
        f"Here {most} would fit; this batch fits {least}."
    ]


def described(sheet: Worksheet, identity: str) -> str:
    """Give one derivation in full. Raises `UnknownName`."""
    entry = BOOK[identity]
    return "\n".join(_description(sheet, BOOK.id_of(entry), entry))


def _description(sheet: Worksheet, identity: str, entry: Entry) -> list[str]:
    title = getattr(entry, "title", "")
    unit = f", in {entry.unit}" if isinstance(entry, Quantity) else ""
    lines = [f"{title} ({identity}{unit})", str(getattr(entry, "says", "")), ""]
    lines.extend(_body(sheet, entry))
    verdicts = remembered(BOOK).verdicts.get(identity, ())
    lines.extend(f"{each.how:<10} {each.what}" for each in verdicts)
    source = getattr(entry, "source", None)
    if isinstance(source, Source):
        lines.append(f"source     {source.work.author}, {source.work.title}, {source.place}")
        lines.append(f"           {source.work.url}, read on {source.work.read}")
    named = [each for each in needs(entry) if not isinstance(each, Bridge)]
    if named:
        lines.append(f"needs      {', '.join(map(BOOK.id_of, named))}")
    for bridge in (each for each in needs(entry) if isinstance(each, Bridge)):
        lines.append(f"bridge     {bridge.title}: {bridge.says}")
    if isinstance(entry, Quantity):
        lines.append(f"needed by  {', '.join(BOOK.needed_by(entry)) or 'nothing'}")
    return lines


def _body(sheet: Worksheet, entry: Entry) -> list[str]:
    match entry:
        case Formula():
            lines = [f"formula    {entry.symbol} = {symbols(entry.body)}"]
            for premise in entry.assuming:
                lines.append(f"only where {symbols(relation_of(premise))}")
            try:
                lines.append(f"in numbers {Workings(sheet).line(entry).text()}")
            except NoValue as reason:
                lines.append(f"no value   {reason}")
            return lines
        case Given():
            if not sheet.has_value(entry):
                return [f"no value   {entry.lacking}"]
            return [f"value      {Workings(sheet).figure(entry).text}", *_origin(sheet, entry)]
        case Constant(value):
            return [f"value      {value}"]
        case Condition():
            holds = sheet.holds(entry)
            says = entry.says if holds else entry.otherwise
            return [
                f"condition  {symbols(entry.relation)}",
                f"here       it {'holds' if holds else 'does not hold'}: {says}",
            ]
        case Claim(Equivalence(left, right)):
            return [f"claim      {symbols(left)} exactly when {symbols(right)}"]
        case Claim():
            premises = "".join(f", where {symbols(relation_of(each))}" for each in entry.under)
            assert not isinstance(entry.statement, Equivalence)
            return [f"claim      {symbols(entry.statement)}{premises}"]
        case Approximation():
            grown = " and ".join(each.symbol for each in entry.large)
            return [
                f"exactly    {symbols(entry.exact)}",
                f"nearly     {symbols(entry.simple)}, as {grown} grow",
            ]
        case Crossing():
            return [f"relation   {symbols(entry.relation)}, solved for {entry.unknown.symbol}"]
        case Derivation(of, derived):
            steps = [f"step {place}     {symbols(step)}" for place, step in enumerate(derived, 1)]
            wheres = [f"only where {symbols(relation_of(each))}" for each in entry.under]
            return [*steps, *wheres, f"leads to   {of.symbol}"]
        case Bridge() | Unknown():
            return []
    return []


def _origin(sheet: Worksheet, given: Given) -> list[str]:
    datum = sheet.data().get(given)
    if datum is None:
        if given in COUNTED and given not in sheet.overridden:
            return [f"counted    from the model's parts, see {BOOK.id_of(COUNTED[given])}"]
        option = next((name for name, each in COUNTS.items() if each is given), "")
        return [f"chosen     --{option.replace('_', '-')}"] if option else []
    source = datum.source
    lines = [f"stated     {for_plain(datum.entry.says)} ({datum.place})"]
    if datum.entry.quoted:
        entry = datum.entry
        lines.append(
            f"quoted     {for_plain(f'{entry.quoted}, {entry.quoted_as}; {entry.derived}')}"
        )
    lines.append(f"from       {for_plain(source.title)}, {source.url}")
    lines.append(f"           {for_plain(source.seen)} As of {source.read}.")
    lines.extend(
        f"also       {for_plain(text)}, in {for_plain(other.title)}" for text, other in datum.others
    )
    if datum.entry.note:
        lines.append(f"note       {for_plain(datum.entry.note)}")
    lines.append(f"trust      {datum.entry.trust}")
    return lines
