"""`derivations add accelerator`: what is wrong is told and nothing is written; what is right is."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from derivations.asking import options
from derivations.catalogue import Fact, shelf
from derivations.catalogue.facts import ID_SIGNS as SIGNS
from derivations.catalogue.facts import read_fact
from derivations.catalogue.vocabulary import DATA, vocabulary
from derivations.cli import main
from tests.forgetting import forget_the_data
from tests.html_reader import parsed, text_of
from tests.project_copy import PROJECT, change, copy_of_the_project, run_in

NOVA = {
    "--id": "nova",
    "--name": "Acme Nova",
    "--vendor": "Acme",
    "--memory": "432 GB",
    "--bandwidth": "16 TB / s",
    "--compute": "fp4=20 Pflop / s",
    "--source-title": "Acme Nova, datasheet",
    "--source-url": "https://example.org/nova",
    "--seen": "The page itself.",
}
"""An accelerator that does not exist yet."""


def words(*more: str, **changed: str | None) -> list[str]:
    """Give the options of the new accelerator with some changed, or left out (None)."""
    named = {f"--{name.replace('_', '-')}": each for name, each in changed.items()}
    every = {**NOVA, **named}
    return [word for flag, each in every.items() if each is not None for word in (flag, each)] + [
        *more
    ]


def add(*given: str, answers: str | None = None) -> Result:
    return CliRunner().invoke(main, ["add", "accelerator", *given], answers, catch_exceptions=False)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the folder of the accelerators of a copy of the data, to which files are added."""
    copy = tmp_path / "data"
    shutil.copytree(DATA, copy)
    monkeypatch.setattr(shelf, "DATA", copy)
    forget_the_data()
    yield copy / "accelerators"
    monkeypatch.undo()
    forget_the_data()


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def added(folder: Path, name: str = "nova") -> Fact:
    return read_fact(folder / f"{name}.toml", "accelerator", vocabulary()["accelerator"])


# What is wrong

WRONG: dict[str, tuple[list[str], str]] = {
    "gb for a rate": (
        words(bandwidth="16 TB"),
        "--bandwidth: '16 TB' cannot be read in byte / s / accelerator; write it like '0.6 TB / s'",
    ),
    "a rate for gb": (
        words(memory="432 GB / s"),
        "--memory: '432 GB / s' cannot be read in byte / accelerator; write it like '24 GB'",
    ),
    "bits": (
        words(bandwidth="128 Tbit / s"),
        "--bandwidth: there is no unit 'Tbit'; did you mean tebibyte or TB?; "
        "write it like '0.6 TB / s'",
    ),
    "a near miss": (
        words(compute="fp4=20 PFLOPS / s"),
        "--compute fp4: there is no unit 'PFLOPS'; did you mean Pflop or flop?; "
        "write it like '62.5 Tflop / s'",
    ),
    "no blank": (
        words(memory="432GB"),
        "--memory: '432GB' is not a number and its unit, such as '3.35 TB / s'; "
        "write it like '24 GB'",
    ),
    "no unit": (
        words(memory="432"),
        "--memory: '432' cannot be read in byte / accelerator; write it like '24 GB'",
    ),
    "per rack": (
        words(memory="432 GB / rack"),
        "--memory: there is no unit 'rack'; write it like '24 GB'",
    ),
    "code": (
        words(bandwidth="16 9**9**9"),
        "--bandwidth: '9**9**9' is not a unit; write one like 'byte / second'; "
        "write it like '0.6 TB / s'",
    ),
    "a call": (
        words(bandwidth="__import__('os').abort()"),
        "--bandwidth: \"__import__('os').abort()\" is not a number and its unit, "
        "such as '3.35 TB / s'; write it like '0.6 TB / s'",
    ),
    "negative": (
        words(bandwidth="-16 TB / s"),
        "--bandwidth: '-16 TB / s / accelerator' should be more than zero, and less than 1e30; "
        "write it like '0.6 TB / s'",
    ),
    "zero": (
        words(memory="0 GB"),
        "--memory: '0 GB / accelerator' should be more than zero, and less than 1e30; "
        "write it like '24 GB'",
    ),
    "nan": (
        words(memory="nan GB"),
        "--memory: 'nan GB / accelerator' is not a number and its unit, such as '3.35 TB / s'; "
        "write it like '24 GB'",
    ),
    "infinite": (
        words(compute="fp4=inf flop / s"),
        "--compute fp4: 'inf flop / s / accelerator' is not a number and its unit, "
        "such as '3.35 TB / s'; write it like '62.5 Tflop / s'",
    ),
    "1e400": (
        words(memory="1e400 GB"),
        "--memory: '1e400 GB / accelerator' is beyond all numbers that can be computed with; "
        "write it like '24 GB'",
    ),
    "a comma": (
        words(bandwidth="1,6 TB / s"),
        "--bandwidth: '1,6 TB / s / accelerator' is not a number and its unit, "
        "such as '3.35 TB / s'; write it like '0.6 TB / s'",
    ),
    "out of bounds": (
        words(compute="fp4=20e6 Pflop / s"),
        "--compute fp4: '20e6 Pflop / s / accelerator' is out of bounds; compute of one "
        "accelerator should be from 1e+09 to 1e+18 flop / second / accelerator",
    ),
    "a power in bytes": (
        words("--power", "700 GB"),
        "--power: '700 GB' cannot be read in W / accelerator; write it like '150 W'",
    ),
    "an empty amount": (
        words(bandwidth=" "),
        "--bandwidth: it is empty. The peak rate between one accelerator and its own memory.",
    ),
    "an id above": (words(id="../nova"), f"--id: '../nova' is no id: {SIGNS}"),
    "an id below": (words(id="acme/nova"), f"--id: 'acme/nova' is no id: {SIGNS}"),
    "an id from the root": (words(id="/tmp/nova"), f"--id: '/tmp/nova' is no id: {SIGNS}"),
    "a dot": (words(id="."), f"--id: '.' is no id: {SIGNS}"),
    "an empty id": (
        words(id=""),
        f"--id: it is empty. Its id, by which it is chosen and its file is named: {SIGNS}",
    ),
    "capitals": (words(id="Nova"), f"--id: 'Nova' is no id: {SIGNS}; did you mean nova?"),
    "a line break in an id": (words(id="no\nva"), f"--id: 'no\\nva' is no id: {SIGNS}"),
    "a line break after an id": (words(id="nova\n"), f"--id: 'nova\\n' is no id: {SIGNS}"),
    "nul in an id": (words(id="no\0va"), f"--id: 'no\\x00va' is no id: {SIGNS}"),
    "a long id": (words(id="n" * 65), f"--id: {'n' * 65!r} is no id: {SIGNS}"),
    "an id that is taken": (
        words(id="h100-sxm"),
        "--id: there is a file h100-sxm.toml already; choose another id, or add --replace",
    ),
    "an id that is an alias": (words(id="h100"), "--id: 'h100' is already an alias of h100-sxm"),
    "an alias that is an id": (
        words("--alias", "b200"),
        "--alias: 'b200' is already the id of NVIDIA B200",
    ),
    "an alias that is an alias": (
        words("--alias", "h100"),
        "--alias: 'h100' is already an alias of h100-sxm",
    ),
    "its own id as an alias": (
        words("--alias", "nova"),
        "aliases: 'nova' is already the id of this accelerator itself",
    ),
    "an alias twice": (
        words("--alias", "nv", "--alias", "nv"),
        "aliases: 'nv' is already given as an alias",
    ),
    "an alias with a path": (words("--alias", "a/b"), f"--alias: 'a/b' is no id: {SIGNS}"),
    "nul in a name": (
        words(name="Acme\0Nova"),
        "--name: 'Acme\\x00Nova' has a line break or a control character in it",
    ),
    "a line break in a name": (
        words(name="Acme\nNova"),
        "--name: 'Acme\\nNova' has a line break or a control character in it",
    ),
    "a name that is too long": (words(name="N" * 10_000), "--name: it is longer than 2000 signs"),
    "a name that is no text": (
        words(name="Acme \udcff"),
        "--name: 'Acme \\udcff' has signs in it that are no text",
    ),
    "an empty name": (words(name=""), "--name: it is empty. The name by which its maker sells it."),
    "a type twice": (words("--compute", "fp4=19 Pflop / s"), "--compute: fp4 is given twice"),
    "no type": (
        words(compute="20 Pflop / s"),
        "--compute: '20 Pflop / s' should be TYPE=AMOUNT, such as 'fp8=20 Pflop / s'",
    ),
    "a type without a rate": (
        words(compute="fp4="),
        "--compute: 'fp4=' should be TYPE=AMOUNT, such as 'fp8=…'",
    ),
    "a type in capitals": (
        words(compute="FP4=20 Pflop / s"),
        f"--compute: 'FP4' is no key: {SIGNS}; did you mean fp4?",
    ),
    "a type with a path": (
        words(compute="../fp4=20 Pflop / s"),
        f"--compute: '../fp4' is no key: {SIGNS}",
    ),
    "a year in words": (words("--year", "soon"), "--year: 'soon' should be a whole number"),
    "a year and a half": (words("--year", "2026.5"), "--year: '2026.5' should be a whole number"),
    "a year of long ago": (words("--year", "1026"), "--year: it should be 1990 or more"),
    "a source by ftp": (
        words(source_url="ftp://example.org/nova"),
        "--source-url: it should be an address such as https://example.org",
    ),
    "a source that is a script": (
        words(source_url="javascript:alert(1)"),
        "--source-url: it should be an address such as https://example.org",
    ),
    "an empty source": (
        words(source_title=""),
        "--source-title: it is empty. The document that the amounts are from.",
    ),
    "a quoted figure in another unit": (
        words("--quoted", "fp4=40 PB / s", "--quoted-as", "sparse", "--derived-as", "half"),
        "--quoted fp4: '40 PB / s' cannot be read in flop / s / accelerator; "
        "write it like '62.5 Tflop / s'",
    ),
    "a quoted figure of nothing": (
        words("--quoted", "fp8=40 Pflop / s"),
        "--quoted: there is no amount 'fp8' given; there is memory, bandwidth, fp4",
    ),
    "a quoted figure twice": (
        words("--quoted", "fp4=40 Pflop / s", "--quoted", "fp4=41 Pflop / s"),
        "--quoted: fp4 is given twice",
    ),
    "a step from no quoted figure": (
        words("--derived-as", "half of it"),
        "--derived-as: there is no quoted figure; give it with --quoted KEY=AMOUNT",
    ),
    "a step from another figure": (
        words("--quoted", "fp4=40 Pflop / s", "--derived-as", "fp8=half of it"),
        "--derived-as: there is no quoted 'fp8'; there is fp4",
    ),
    "a note on nothing": (
        words("--note", "power=At most."),
        "--note: there is no amount 'power' given; there is memory, bandwidth, fp4",
    ),
    "a note with nul": (
        words("--note", "fp4=\0"),
        "--note fp4: '\\x00' has a line break or a control character in it",
    ),
}


@pytest.mark.parametrize(("given", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_option_is_named_and_nothing_is_written(
    given: list[str], message: str, folder: Path
) -> None:
    before = content(folder)
    done = add(*given)

    assert done.stderr == f"Error: {message}\n"
    assert done.stdout == ""
    assert done.exit_code == 2
    assert content(folder) == before


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (words("--trust", "none"), "Invalid value for '--trust': 'none' is not one of 'high', "),
        (words("--bandwith", "16 TB / s"), "No such option '--bandwith'. Did you mean"),
        (words("nova"), "Got unexpected extra argument (nova)"),
        (["--id"], "Option '--id' requires an argument."),
    ],
)
def test_a_wrong_call_is_told_by_the_command_line(
    given: list[str], message: str, folder: Path
) -> None:
    before = content(folder)
    done = add(*given)

    assert message in done.stderr
    assert done.exit_code == 2
    assert content(folder) == before


def test_everything_that_is_wrong_or_missing_is_told_at_once() -> None:
    done = add(*words(id=None, memory="432", seen=None, compute=None))

    assert done.stderr == (
        "Error: it cannot be added yet:\n"
        "--memory: '432' cannot be read in byte / accelerator; write it like '24 GB'\n"
        f"--id ID is missing: Its id, by which it is chosen and its file is named: {SIGNS}\n"
        "--compute TYPE=AMOUNT is missing: The peak dense rate of one accelerator, for each type "
        "that it computes in.\n"
        "--seen TEXT is missing: How it was read, such as 'The page itself.'\n"
    )
    assert done.exit_code == 2


def test_nothing_at_all_lists_what_is_required() -> None:
    done = add()
    required = {each.opts[0] for each in options("accelerator") if "Required" in str(each.help)}

    assert {line.split()[0] for line in done.stderr.splitlines()[1:]} == required == {*NOVA}
    assert done.exit_code == 2


def test_a_quoted_figure_needs_its_sense_and_the_step_from_it(folder: Path) -> None:
    done = add(*words("--quoted", "fp4=40 Pflop / s"))

    assert done.stderr == (
        "Error: it cannot be added yet:\n"
        "--quoted-as fp4 TEXT is missing: What the quoted figure counts.\n"
        "--derived-as fp4 TEXT is missing: The step from the quoted figure to the one that is "
        "used.\n"
    )
    assert not (folder / "nova.toml").exists()


def test_a_fault_in_another_file_is_named_and_nothing_is_written(folder: Path) -> None:
    change(folder / "a10.toml", 'name = "NVIDIA A10"', "name = 10")
    done = add(*words())

    assert done.stderr == "Error: a10.toml: name: it is a whole number; it should be a text\n"
    assert done.exit_code == 1
    assert not (folder / "nova.toml").exists()


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        ("tempfile.mkstemp", PermissionError(13, "Permission denied")),
        ("os.replace", OSError(28, "No space left on device")),
    ],
    ids="read-only full".split(),
)
def test_where_nothing_can_be_written_the_folder_is_named_and_nothing_is_left_behind(
    call: str, problem: OSError, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise problem

    before = content(folder)
    monkeypatch.setattr(call, refuse)
    done = add(*words())

    assert done.stderr == f"Error: {folder} cannot be written to: {problem.strerror}\n"
    assert done.exit_code == 2
    assert content(folder) == before


# What is right


def test_an_accelerator_is_added_and_what_comes_next_is_told(folder: Path) -> None:
    before = content(folder)
    done = add(*words())
    nova = added(folder)

    assert done.exit_code == 0
    assert done.stdout == f"{folder / 'nova.toml'}\n"
    assert done.stderr == (
        "Next: derivations evaluate --accelerator nova --precision fp4\nNext: mkdocs serve\n"
    )
    assert set(content(folder)) - set(before) == {"nova.toml"}
    assert {key: each.value for key, each in nova.amounts.items()} == {
        "memory": 432 * 10**9,
        "bandwidth": 16 * 10**12,
        "compute.fp4": 20 * 10**15,
    }
    assert {each.entry.trust for each in nova.amounts.values()} == {"medium"}
    assert {each.source.read for each in nova.amounts.values()} == {date.today()}


def test_everything_that_can_be_said_is_kept(folder: Path) -> None:
    done = add(
        *words(compute="int8=1 Pflop / s / accelerator"),
        *("--compute", "fp8.e4m3=2 Pflop / s", "--compute", "fp4=4 Pflop / s"),
        *("--alias", "nv", "--alias", "nv.2", "--form-factor", "OAM", "--year", "2027"),
        *("--link", "900 GB / s", "--power", "1.2 kW", "--trust", "high"),
        *("--quoted", "fp4=8 Pflop / s", "--quoted", "link=1800 GB / s"),
        *("--quoted-as", "with sparsity", "--quoted-as", "link=both directions together"),
        *("--derived-as", "half of the quoted rate"),
        *("--note", "int8=Operations on integers, counted as FLOPs are."),
    )
    nova = added(folder)
    link, rate = nova.amounts["link"].entry, nova.amounts["compute.fp4"].entry

    assert done.exit_code == 0, done.stderr
    assert nova.aliases == ("nv", "nv.2")
    assert nova.texts["form_factor"] == "OAM"
    assert nova.texts["year"] == 2027
    assert set(nova.each("compute")) == {"int8", "fp8.e4m3", "fp4"}
    assert nova.amounts["compute.int8"].entry.note.startswith("Operations on integers")
    assert (link.quoted, link.quoted_as) == (
        "1800 GB / s / accelerator",
        "both directions together",
    )
    assert (rate.quoted, rate.quoted_as) == ("8 Pflop / s / accelerator", "with sparsity")
    assert link.derived == rate.derived == "half of the quoted rate"
    assert nova.amounts["power"].value == 1200
    assert {each.entry.trust for each in nova.amounts.values()} == {"high"}
    assert "No page for fp8.e4m3: weights are stored in bf16, " in done.stderr


@pytest.mark.parametrize(
    ("rates", "choice"),
    [
        (["fp8=1 Pflop / s", "fp4=2 Pflop / s"], ""),
        (["bf16=1 Pflop / s"], " --precision bf16"),
        (["fp3=1 Pflop / s"], " --arithmetic fp3"),
    ],
)
def test_the_next_command_computes_in_a_type_that_there_is(rates: list[str], choice: str) -> None:
    done = add(*words(compute=None), *(word for each in rates for word in ("--compute", each)))
    line = done.stderr.splitlines()[0]
    then = CliRunner().invoke(main, line.removeprefix("Next: derivations ").split())

    assert line == f"Next: derivations evaluate --accelerator nova{choice}"
    assert then.exit_code == 0, then.stderr


def test_a_file_is_replaced_only_when_that_is_asked_for(folder: Path) -> None:
    add(*words("--alias", "nv"))
    refused = add(*words("--alias", "nv", memory="500 GB"))
    replaced = add(*words("--alias", "nv", "--replace", memory="500 GB"))

    assert refused.exit_code == 2
    assert replaced.exit_code == 0, replaced.stderr
    assert added(folder).amounts["memory"].value == 500 * 10**9


def test_a_broken_file_can_be_replaced(folder: Path) -> None:
    (folder / "nova.toml").write_text("name = ", encoding="utf-8")

    assert add(*words()).exit_code == 2
    assert add(*words("--replace")).exit_code == 0
    assert added(folder).name == "Acme Nova"


NAMES = st.text(
    st.characters(exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp")), min_size=1, max_size=40
).filter(str.strip)


@pytest.mark.parametrize(
    "name",
    [
        'Acme "Nova" \\ \'X\' \\n \\u0041 """',
        "<script>alert(1)</script>",
        "# [memory] = {}",
        "Acme 新星 😀 é",
        "N" * 2000,
    ],
    ids="quotes script toml unicode long".split(),
)
def test_a_name_is_stored_as_it_is(name: str, folder: Path) -> None:
    done = add(*words(name=name))
    text = (folder / "nova.toml").read_text(encoding="utf-8")

    assert done.exit_code == 0, done.stderr
    assert added(folder).name == tomllib.loads(text)["name"] == name


@settings(max_examples=20)
@given(name=NAMES, title=NAMES, note=NAMES)
def test_any_text_is_stored_as_it_is(name: str, title: str, note: str) -> None:
    folder = shelf.folder("accelerator")
    texts = {"--name": name, "--source-title": title, "--note": f"memory={note}"}
    done = add(*words("--replace"), *(word for pair in texts.items() for word in pair))
    memory = added(folder).amounts["memory"]

    assert done.exit_code == 0, done.stderr
    assert (added(folder).name, memory.source.title, memory.entry.note) == (name, title, note)


# At a terminal


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("derivations.asking.at_terminal", lambda: True)


@pytest.mark.usefixtures("at_a_terminal")
def test_what_is_missing_is_asked_for(folder: Path) -> None:
    answers = "nova", "Acme Nova", "Acme", "432 GB", "16 TB / s", "fp4=20 Pflop / s", ""
    source = "Datasheet", "https://example.org", "The page itself."
    done = add(answers="\n".join((*answers, *source)) + "\n")

    assert done.exit_code == 0, done.stderr
    assert done.stdout.splitlines()[-1] == str(folder / "nova.toml")
    assert added(folder).amounts["compute.fp4"].value == 20 * 10**15
    for field in vocabulary()["accelerator"].values():
        assert (field.means in done.stderr) == field.required


@pytest.mark.usefixtures("at_a_terminal")
def test_what_is_given_is_not_asked_for(folder: Path) -> None:
    done = add(*words(bandwidth=None), answers="16 TB / s\n")

    assert done.exit_code == 0, done.stderr
    assert "--bandwidth AMOUNT: " in done.stderr
    assert "--memory" not in done.stderr


@pytest.mark.usefixtures("at_a_terminal")
def test_a_wrong_answer_is_told_and_asked_for_again(folder: Path) -> None:
    wrong = "16 TB", "-1 TB / s", "1e20 TB / s", "9**9**9"
    done = add(*words(bandwidth=None), answers="\n".join((*wrong, "16 TB / s", "")))

    assert done.exit_code == 0, done.stderr
    assert done.stderr.count("Error: --bandwidth: ") == len(wrong)
    assert "Error: --bandwidth: '16 TB' cannot be read in byte / s / accelerator" in done.stderr
    assert added(folder).amounts["bandwidth"].value == 16 * 10**12


@pytest.mark.usefixtures("at_a_terminal")
def test_an_id_that_is_taken_is_asked_for_again(folder: Path) -> None:
    done = add(*words(id=None), answers="h100\n../x\nnova\n")

    assert done.exit_code == 0, done.stderr
    assert "Error: --id: 'h100' is already an alias of h100-sxm" in done.stderr
    assert "Error: --id: '../x' is no id" in done.stderr
    assert added(folder).id == "nova"


@pytest.mark.usefixtures("at_a_terminal")
def test_rates_are_asked_for_until_there_are_no_more(folder: Path) -> None:
    rates = "fp4=20 Pflop / s", "20 Pflop / s", "fp8=10 Pflop / s", "", ""
    done = add(*words(compute=None), answers="\n".join(rates))

    assert done.exit_code == 0, done.stderr
    assert set(added(folder).each("compute")) == {"fp4", "fp8"}


@pytest.mark.usefixtures("at_a_terminal")
def test_what_a_quoted_figure_lacks_is_asked_for(folder: Path) -> None:
    done = add(*words("--quoted", "fp4=40 Pflop / s"), answers="with sparsity\nhalf of it\n")
    entry = added(folder).amounts["compute.fp4"].entry

    assert done.exit_code == 0, done.stderr
    assert (entry.quoted_as, entry.derived) == ("with sparsity", "half of it")


@pytest.mark.usefixtures("at_a_terminal")
def test_at_the_end_of_the_answers_it_stops_and_nothing_is_written(folder: Path) -> None:
    before = content(folder)
    done = add(*words(bandwidth=None), answers="16 TB\n")

    assert done.exit_code == 1
    assert done.stderr.endswith("Aborted!\n")
    assert content(folder) == before


def test_where_there_is_no_terminal_it_does_not_wait(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "derivations", "add", "accelerator", "--id", "nova"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert done.returncode == 2
    assert "--name TEXT is missing" in done.stderr


# From the options to the pages


def test_the_command_of_the_readme_works(folder: Path) -> None:
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    block = next(each for each in text.split("```") if "derivations add accelerator" in each)
    calls = [shlex.split(line) for line in block.replace("\\\n", "").strip().splitlines()]

    assert len(calls) == 2
    for program, *call in calls:
        done = CliRunner().invoke(main, call)
        assert program == "derivations"
        assert done.exit_code == 0, done.stderr
    assert len(block.strip().splitlines()) < 10


def test_an_accelerator_that_does_not_exist_yet_gets_its_pages(tmp_path: Path) -> None:
    project = copy_of_the_project(tmp_path / "project")
    config = project / "mkdocs.yml"
    parts = "parts: [article, catalogue, accelerators]"
    config.write_text(re.sub(r"parts: .*", parts, config.read_text("utf-8")), "utf-8")
    name = 'Acme <script>alert(1)</script> & "Nova" \\ 😀'
    for call in (
        ["derivations", "add", "accelerator", *words(name=name)],
        ["derivations", "check"],
        ["derivations", "evaluate", "--accelerator", "nova", "--precision", "fp4"],
        ["mkdocs", "build", "--strict", "--site-dir", "built"],
    ):
        done = run_in(project, "-m", *call)
        assert done.returncode == 0, done.stderr
    pages = [project / "built" / "accelerators" / place for place in ("", "nova", "nova/fp4")]
    for page in pages:
        html = (page / "index.html").read_text(encoding="utf-8")

        assert "<script>alert" not in html
        assert name in text_of(parsed(html))
