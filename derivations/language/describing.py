"""What a formula or a condition says of itself as a function: its signature, and its docstring."""

from __future__ import annotations

from inspect import Parameter, Signature

from derivations.language.calling import Called, name_of, named_by, path
from derivations.language.declare import Condition, Formula, relation_of
from derivations.language.notation.plain import symbols


def signature(thing: Called) -> Signature:
    """Give the signature: what the formula names, annotated with units, or what that comes to."""
    names = [(each, name_of(thing, each)) for each in named_by(thing)]
    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, annotation=each.unit)
        for each, name in names
        if name.isidentifier()
    ]
    others = Parameter("by_id", Parameter.VAR_KEYWORD)
    result = thing.unit if isinstance(thing, Formula) else bool
    return Signature([*parameters, others], return_annotation=result)


def described(thing: Called) -> str:
    """Give the docstring: what it is, how it is called, and where it comes from."""
    if isinstance(thing, Formula):
        formula = f"{thing.symbol} = {symbols(thing.body)}"
        head = f"{thing.title}: {thing.symbol}, in {thing.unit}"
        lines = [head, "", f"    {formula}", "", thing.says]
    else:
        lines = [
            thing.title,
            "",
            f"    {symbols(thing.relation)}",
            "",
            f"Where it holds, {thing.says}.",
        ]
        lines.append(f"Where it does not, {thing.otherwise}.")
    for premise in thing.assuming if isinstance(thing, Formula) else ():
        reason = f"; otherwise {premise.otherwise}" if isinstance(premise, Condition) else ""
        lines.append(f"Only where {symbols(relation_of(premise))}{reason}.")
    if thing.identity and named_by(thing):
        lines += ["", "Takes by name, as numbers in these units, arrays, or pint quantities:"]
        rows = [
            (name_of(thing, each), each.symbol, each.unit, str(getattr(each, "title", "")))
            for each in named_by(thing)
        ]
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        for name, symbol, each_unit, title in rows:
            lines.append(
                f"    {name:<{widths[0]}}  {symbol:<{widths[1]}}  {each_unit:<{widths[2]}}  {title}"
            )
        givens = [name_of(thing, each) for each in path(thing, {})[0]]
        if any(isinstance(each, Formula) for each in named_by(thing)):
            lines += ["", "What is left out is worked out, down to", f"    {', '.join(givens)}"]
    if isinstance(thing, Formula):
        work = thing.source.work
        lines += ["", f"Source: {work.author}, {work.title}, {thing.source.place}", work.url]
    return "\n".join(lines)
