"""The command line. It imports what a command needs when the command runs."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from derivations import __version__

if TYPE_CHECKING:
    from derivations.evaluate import Worksheet

AnyCommand = TypeVar("AnyCommand", bound=Callable[..., Any])


class Fault(click.ClickException):
    """The data or the book is at fault: exit code 1."""

    exit_code = 1


class Misuse(click.ClickException):
    """The call is wrong: exit code 2."""

    exit_code = 2


def _count(context: click.Context, option: click.Parameter, value: str | None) -> int | None:
    """Read a whole number as people write one."""
    if value is None or re.fullmatch(r"[+-]?[0-9]{1,80}", value):
        return None if value is None else int(value)
    from derivations.catalogue import told

    raise click.BadParameter(f"it is {told(value)}; it should be a whole number")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="derivations")
def main() -> None:
    """How fast can LLM inference go? Formulas, checked and worked in numbers."""


def configured(command: AnyCommand) -> AnyCommand:
    """Give a command the options of a configuration, each with the article's default."""
    options = [
        click.option("--accelerator", metavar="ID", help="The accelerator, by its exact id."),
        click.option("--model", metavar="ID", help="The model, by its exact id."),
        click.option("--precision", metavar="ID", help="How the weights are stored."),
        click.option("--kv-precision", metavar="ID", help="How the KV cache is stored."),
        click.option("--arithmetic", metavar="ID", help="The type that is computed in."),
        click.option("--tensor-parallelism", callback=_count, metavar="N", help="Accelerators."),
        click.option("--input-length", callback=_count, metavar="N", help="Tokens of a prompt."),
        click.option("--output-length", callback=_count, metavar="N", help="Tokens of an answer."),
        click.option("--concurrency", callback=_count, metavar="N", help="Sequences in a batch."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _worksheet(choices: dict[str, Any]) -> Worksheet:
    from derivations.catalogue import DataError
    from derivations.configure import ChoiceError
    from derivations.evaluate import evaluate

    try:
        return evaluate(**{name: each for name, each in choices.items() if each is not None})
    except ChoiceError as problem:
        raise Misuse(str(problem)) from None
    except DataError as problem:
        raise Fault(str(problem)) from None


@main.command("list")
def list_() -> None:
    """Every quantity: id, symbol, unit, title."""
    from derivations.book import BOOK
    from derivations.language.declare import Bridge

    rows = [
        (name, each.symbol, each.unit, getattr(each, "title", ""))
        for name, each in BOOK.quantities.items()
        if not isinstance(each, Bridge)
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        columns = (text.ljust(width) for text, width in zip(row, widths, strict=False))
        click.echo("  ".join([*columns, row[3]]))


@main.command()
@click.argument("identity", metavar="ID")
@configured
def show(identity: str, **choices: Any) -> None:
    """One derivation: formula, workings, result, sources, what it needs, what needs it."""
    from derivations.language.contents import UnknownName
    from derivations.render.terminal import described

    sheet = _worksheet(choices)
    try:
        text = described(sheet, identity)
    except UnknownName as problem:
        raise Misuse(str(problem)) from None
    click.echo(text)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@configured
def evaluate(as_json: bool, **choices: Any) -> None:
    """Every value of one configuration."""
    from derivations.render.terminal import as_columns, as_data, misfit

    sheet = _worksheet(choices)
    if not as_json:
        click.echo(as_columns(sheet))
        return
    import json

    for line in misfit(sheet):
        click.echo(line, err=True)
    click.echo(json.dumps(as_data(sheet), indent=2, ensure_ascii=False, allow_nan=False))


@main.command()
@click.argument("identity", metavar="ID")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "bibtex", "csl-json"]),
    default="text",
    show_default=True,
    help="How it is written.",
)
@click.option(
    "--site",
    envvar="SITE_URL",
    default="",
    metavar="URL",
    help="Where the site is published; else what SITE_URL says.",
)
@configured
def cite(identity: str, form: str, site: str, **choices: Any) -> None:
    """How to cite a formula, or anything else that has an id."""
    from derivations.language.contents import UnknownName
    from derivations.reference.citing import FORMATS, citation

    if site and not re.fullmatch(r"https?://[^\s\"'<>{}|\\^`?#]+", site):
        from derivations.catalogue import told

        raise Misuse(f"--site: {told(site)} is no address; write https://example.org/derivations")
    sheet = _worksheet(choices)
    try:
        cited = citation(sheet, identity, site)
    except UnknownName as problem:
        raise Misuse(str(problem)) from None
    click.echo(FORMATS[form](cited))


@main.command()
def check() -> None:
    """Units, proofs, data, sources. Every fault is listed."""
    from derivations.book import BOOK
    from derivations.catalogue import KINDS, facts, faults, results
    from derivations.check import examine
    from derivations.configure import misfits

    report = examine(BOOK)
    found = [*map(str, report.faults), *(faults() or misfits())]
    for fault in found:
        click.echo(fault, err=True)
    if found:
        raise Fault(f"{len(found)} {'fault' if len(found) == 1 else 'faults'} found")
    click.echo(f"{len(BOOK.formulas)} formulas, {len(BOOK.quantities)} quantities: units fit")
    for identity, verdicts in report.verdicts.items():
        for verdict in verdicts:
            how = "proven" if verdict.how == "proven" else f"sampled on {verdict.samples}"
            click.echo(f"{identity}: {how}: {verdict.what}")
    counts = ", ".join(f"{folder}: {len(facts(kind))}" for kind, folder in KINDS.items())
    click.echo(f"{counts}, results: {len(results())}; every value has a unit and a source")


@main.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False),
    default="build/pages",
    show_default=True,
    help="The folder to write to.",
)
def build(out: str) -> None:
    """Write the pages as Markdown, for any host that runs Python-Markdown."""
    from itertools import chain

    from derivations.build import BuildError, assets, pages, write
    from derivations.progress import progress

    if not out:
        raise Misuse("--out is empty; it should be a folder")
    try:
        with progress("Pages") as step:
            written = write(chain(pages(), assets()), Path(out), step)
    except BuildError as problem:
        raise Fault(str(problem)) from None
    except OSError as problem:
        raise Misuse(f"{out} cannot be written to: {problem.strerror}") from None
    for place in written.new:
        click.echo(f"new      {place}", err=True)
    for place in written.changed:
        click.echo(f"changed  {place}", err=True)
    for place in written.gone:
        click.echo(f"gone     {place}", err=True)
    click.echo(f"the same {written.same} pages", err=True)


@main.command()
@click.argument("kind", metavar="KIND")
def schema(kind: str) -> None:
    """A JSON Schema of data files, for editors. KIND is accelerator, model, …"""
    import json

    from derivations.catalogue import KINDS, DataError
    from derivations.catalogue.schema import schema as schema_of

    if kind not in KINDS:
        raise Misuse(f"there is no kind {kind!r} of data files; there is {', '.join(KINDS)}")
    try:
        click.echo(json.dumps(schema_of(kind), indent=2, ensure_ascii=False))
    except DataError as problem:
        raise Fault(str(problem)) from None


def _rows(context: click.Context, option: click.Parameter, value: str | None) -> int:
    found = _count(context, option, value)
    if found is None or not 1 <= found <= 1_000_000:
        raise click.BadParameter(f"it is {value}; it should be a whole number from 1 to 1000000")
    return found


def gridded(command: AnyCommand) -> AnyCommand:
    """Give a command the option of how large the grid is."""
    option = click.option(
        "--configurations",
        callback=_rows,
        default="10000",
        show_default=True,
        metavar="N",
        help="In how many configurations values are compared.",
    )
    return option(command)


@main.command()
@click.argument("base", metavar="BASE")
@click.argument("head", metavar="[HEAD]", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["md", "json"]),
    default="md",
    show_default=True,
    help="Markdown for people, or JSON for programs.",
)
@click.option(
    "--whole",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the whole report to a file, too: what is printed fits into a comment.",
)
@gridded
def review(base: str, head: str | None, form: str, whole: Path | None, configurations: int) -> None:
    """
    What a change does to the formulas and the numbers.

    BASE and HEAD are git revisions; without HEAD, it is the working tree. Exits with 1 where units
    do not fit, a proof fails, an id is lost, or a value changed without a line in the changelog.
    """
    from derivations.files import replace
    from derivations.progress import ended_by_signals, progress
    from derivations.review import FormatError, RevisionError
    from derivations.review.report import as_data, report
    from derivations.review.reviewing import reviewed
    from derivations.review.revisions import Repository

    ended_by_signals()
    if whole is not None:
        whole = _place_for(whole)
    try:
        repository = Repository(Path.cwd())
        ends = repository.revision(base), repository.revision(head)
        with progress("Review") as step:
            found = reviewed(repository, *ends, configurations, step)
    except (RevisionError, FormatError) as problem:
        raise Misuse(str(problem)) from None
    try:
        if whole is not None:
            text = as_data(found) if form == "json" else report(found, whole=True)
            replace(whole, text.encode())
        click.echo(as_data(found) if form == "json" else report(found), nl=form == "json")
        sys.stdout.flush()
    except OSError as problem:
        raise Misuse(f"the report cannot be written: {problem.strerror}") from None
    if found.objections:
        count = len(found.objections)
        raise Fault(f"{count} {'objection' if count == 1 else 'objections'}")


def _place_for(whole: Path) -> Path:
    """Give where a file goes, through links. Raises `Misuse` where it cannot."""
    place = whole.resolve()
    if place.exists() and not place.is_file():
        raise Misuse(f"--whole: {whole} is no file that could be written over")
    folder = next(each for each in place.parents if each.exists())
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        raise Misuse(f"--whole: {whole} cannot be written: {folder} is closed to you")
    return place


@main.command()
@gridded
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write to a file, not to standard output.",
)
def export(configurations: int, out: Path | None) -> None:
    """The formulas, the facts, and their values in many configurations, as review compares them."""
    from derivations.files import replace
    from derivations.review.export import exported
    from derivations.review.format import encoded

    text = encoded(exported(configurations))
    try:
        if out is None:
            sys.stdout.buffer.write(text)
        else:
            replace(out, text)
    except OSError as problem:
        raise Misuse(f"the export cannot be written: {problem.strerror}") from None


@main.group()
def add() -> None:
    """A new data file, checked."""


@add.command("model")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--id", "identity", metavar="ID", help="Its id; else after the name of the file.")
@click.option("--name", metavar="NAME", help="The name by which it was published.")
@click.option("--source", metavar="URL", help="Where FILE is from; else the page that it names.")
@click.option("--replace", is_flag=True, help="Write over the model that has the id.")
def add_model(
    file: Path, identity: str | None, name: str | None, source: str | None, replace: bool
) -> None:
    """A dense decoder, from the config.json that it was published with."""
    from derivations import adopt
    from derivations.catalogue import DataError
    from derivations.landing import Refused

    try:
        network = adopt.understood(file)
        new = adopt.new_model(
            file, network, identity=identity, name=name, source=source, over=replace
        )
        new.write()
    except Refused as problem:
        raise Misuse(str(problem)) from None
    except (adopt.ConfigError, DataError) as problem:
        raise Fault(str(problem)) from None
    click.echo(new.place)
    for line in adopt.summary(network):
        click.echo(line, err=True)
    click.echo(f"Next: derivations evaluate --model {new.fact.id}", err=True)
    click.echo("Next: mkdocs serve", err=True)


class _Asking(click.Command):
    """A command whose options come from the vocabulary, which is read when they are needed."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        from derivations.asking import options
        from derivations.catalogue import DataError

        try:
            return [*options("accelerator"), *super().get_params(ctx)]
        except DataError as problem:
            raise Fault(str(problem)) from None


@add.command("accelerator", cls=_Asking)
def add_accelerator(**given: Any) -> None:
    """An accelerator, by its datasheet. Asks for what is missing."""
    from derivations.asking import answered, ask, at_terminal, next_steps
    from derivations.catalogue import DataError
    from derivations.landing import Refused

    try:
        new = answered("accelerator", given, ask if at_terminal() else None)
        new.write()
    except Refused as problem:
        several = "it cannot be added yet:\n" if "\n" in str(problem) else ""
        raise Misuse(f"{several}{problem}") from None
    except DataError as problem:
        raise Fault(str(problem)) from None
    click.echo(new.place)
    for step in next_steps(new.fact):
        click.echo(step, err=True)


if __name__ == "__main__":
    sys.exit(main())
