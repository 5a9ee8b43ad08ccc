"""The command line: what it prints, where, and with which exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import derivations as d
from derivations.book import BOOK
from derivations.cli import main
from derivations.configure import Configuration

GOLDEN = Path(__file__).with_name("golden") / "terminal"


def run(*arguments: str) -> Result:
    """Run a command, as far as possible in this process."""
    return CliRunner().invoke(main, list(arguments))


def started(*arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command as a process of its own."""
    how = ["-c", code] if code else ["-m", "derivations"]
    return subprocess.run(
        [sys.executable, *how, *arguments], capture_output=True, text=True, check=False
    )


# What is printed

SHOWN = {
    "list": ["list"],
    "evaluate": ["evaluate"],
    "evaluate-another": [
        "evaluate", "--accelerator", "b200", "--precision", "fp4", "--kv-precision", "fp8",
        "--tensor-parallelism", "4", "--input-length", "8192", "--output-length", "512",
        "--concurrency", "1000",
    ],
    "show-a-formula": ["show", "decode.step_time"],
    "show-a-formula-with-bridges": ["show", "chunked.non_overlapped_tokens"],
    "show-a-formula-without-a-value": ["show", "chunked.chunk_size", "--concurrency", "400"],
    "show-a-fact": ["show", "machine.compute_per_accelerator"],
    "show-a-choice": ["show", "workload.concurrency"],
    "show-a-constant": ["show", "model.multiply_add"],
    "show-a-condition": ["show", "chunked.room", "--concurrency", "296"],
    "show-a-claim": ["show", "decode.bound_only_from_the_threshold"],
    "show-an-equivalence": ["show", "prefill.bound_by_the_threshold"],
    "show-an-approximation": ["show", "threshold.intensity"],
    "show-a-crossing": ["show", "threshold.compute_bound"],
    "show-a-derivation": ["show", "chunked.what_is_left"],
    "show-a-bridge": ["show", "workload.a_step"],
    "show-an-unknown": ["show", "threshold.inputs"],
    "check": ["check"],
}  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_a_command_prints_what_was_reviewed(name: str) -> None:
    result = run(*SHOWN[name])
    golden = GOLDEN / f"{name}.txt"
    if os.environ.get("GOLDEN") == "write":
        golden.write_text(result.stdout, encoding="utf-8")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == golden.read_text(encoding="utf-8")


def test_every_reviewed_text_belongs_to_a_command() -> None:
    assert {path.stem for path in GOLDEN.glob("*")} == set(SHOWN)


@pytest.mark.parametrize("identity", BOOK.entries)
def test_everything_in_the_book_can_be_shown(identity: str) -> None:
    for more in ([], ["--concurrency", "1000", "--accelerator", "b200"]):
        result = run("show", identity, *more)

        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout.splitlines()[0].partition(" (")[2].startswith(identity)


def test_the_list_has_every_quantity_with_a_symbol() -> None:
    listed = [line.split()[0] for line in run("list").stdout.splitlines()]

    assert listed == [name for name, each in BOOK.quantities.items() if each.symbol]


def test_no_line_ends_in_blanks() -> None:
    for name in ("list", "evaluate", "check"):
        for line in run(name).stdout.splitlines():
            assert line == line.rstrip()


# JSON

OPTIONS: dict[str, Any] = {
    "accelerator": "mi355x",
    "model": "llama-70b",
    "precision": "fp4",
    "kv_precision": "bf16",
    "arithmetic": "fp8",
    "tensor_parallelism": 8,
    "input_length": 4096,
    "output_length": 77,
    "concurrency": 3,
}


def test_json_has_every_value_at_full_precision() -> None:
    options = [f"--{name.replace('_', '-')}={value}" for name, value in OPTIONS.items()]
    answer = json.loads(run("evaluate", "--json", *options).stdout)
    sheet = d.evaluate(**OPTIONS)

    assert set(OPTIONS) == set(Configuration.__struct_fields__)
    assert answer["configuration"] == {**OPTIONS, "model": "llama-3-70b"}
    assert list(answer["values"]) == [*BOOK.givens, *BOOK.formulas]
    for name, each in answer["values"].items():
        assert list(each) == ["value", "unit", "display"]
        if name not in sheet:
            assert each["value"] is None
            assert "has no value here, because" in each["display"]
            continue
        assert each["value"] == sheet.value(name), name
        assert each["unit"] == BOOK.quantities[name].unit


def test_json_of_the_article_is_as_promised() -> None:
    answer = json.loads(run("evaluate", "--json").stdout)

    assert set(answer) == {"configuration", "values"}
    assert answer["values"]["decode.step_time"] == {
        "value": 0.0128516608,
        "unit": "second",
        "display": "12.85 ms",
    }


def test_a_configuration_that_does_not_fit_says_so_on_standard_error_beside_json() -> None:
    done = run("evaluate", "--json", "--model", "llama-3.1-405b")

    assert done.stderr.startswith("This does not fit: it needs 4.40E11 bytes, and 1.44E11 bytes")
    assert set(json.loads(done.stdout)) == {"configuration", "values"}


def test_json_says_null_and_why_where_there_is_no_value() -> None:
    answer = json.loads(run("evaluate", "--json", "--concurrency", "400").stdout)
    chunk = answer["values"]["chunked.chunk_size"]

    assert chunk["value"] is None
    assert chunk["display"].startswith("chunked.chunk_size has no value here, because B ≤ T does ")


# Calls that are wrong

WRONG_CALLS: list[tuple[list[str], str]] = [
    (["show", "decode.step_tim"], "there is nothing called 'decode.step_tim' in the book; did you"),
    (["show", "../../etc/passwd"], "there is nothing called '../../etc/passwd' in the book"),
    (["show", "<script>"], "there is nothing called '<script>' in the book"),
    (["show", ""], "there is nothing called '' in the book"),
    (["show", "a\nb"], "there is nothing called 'a\\nb' in the book"),
    (["show"], "Missing argument 'ID'."),
    (["shwo"], "No such command 'shwo'"),
    (["check", "now"], "Got unexpected extra argument (now)"),
    (["evaluate", "--concurency", "5"], "No such option '--concurency'"),
    (["evaluate", "--concurrency"], "Option '--concurrency' requires an argument."),
    (["evaluate", "--accelerator", ""], "there is no accelerator ''; there is "),
    (["evaluate", "--accelerator", "H100"], "there is no accelerator 'H100'; did you mean h100 "),
    (["evaluate", "--accelerator", "../../etc/passwd"], "there is no accelerator '../../etc/pa"),
    (["evaluate", "--model", "<script>"], "there is no model '<script>'; there is "),
    (["evaluate", "--model", "a\nb"], "there is no model 'a\\nb'; there is "),
    (["evaluate", "--model", "a\x00b"], "there is no model 'a\\x00b'; there is "),
    (["evaluate", "--model", "x" * 10**6], f"there is no model '{'x' * 79}…; there is "),
    (["evaluate", "--precision", "fp4"], "NVIDIA H100 SXM has no 'fp4' arithmetic; it has bf16"),
    (["evaluate", "--kv-precision", ""], "there is no precision ''; there is "),
    (["evaluate", "--arithmetic", "fp4"], "NVIDIA H100 SXM has no 'fp4' arithmetic; it has bf16"),
    (["build", "--out", ""], "--out is empty; it should be a folder"),
    (["build", "--out", "/dev/null"], "/dev/null cannot be written to: File exists"),
    (["build", "--out", "/dev/null/x"], "/dev/null/x cannot be written to: Not a directory"),
    *(
        (
            ["evaluate", "--concurrency", value],
            f"Invalid value for '--concurrency': it is {told}; it should be a whole number",
        )
        for value, told in (
            ("", "''"),
            ("x", "'x'"),
            ("1.5", "'1.5'"),
            ("nan", "'nan'"),
            ("inf", "'inf'"),
            ("1e3", "'1e3'"),
            ("1_000", "'1_000'"),
            ("٣", "'٣'"),
            ("<script>", "'<script>'"),
            ("../../etc/passwd", "'../../etc/passwd'"),
            ("5\n", "'5\\n'"),
            ("9" * 5000, f"'{'9' * 79}…"),
        )
    ),
    *(
        (
            ["evaluate", option, value],
            f"{option[2:].replace('-', '_')} is {value}; it should be a whole number from 1 to ",
        )
        for option in (
            "--tensor-parallelism",
            "--input-length",
            "--output-length",
            "--concurrency",
        )
        for value in ("0", "-1", "9" * 80)
    ),
]


@pytest.mark.parametrize(
    ("arguments", "message"), WRONG_CALLS, ids=[f"{n}" for n in range(len(WRONG_CALLS))]
)
def test_a_wrong_call_is_told_on_standard_error_and_exits_with_2(
    arguments: list[str], message: str
) -> None:
    result = run(*arguments)
    last = result.stderr.splitlines()[-1]

    assert (result.exit_code, result.stdout) == (2, "")
    assert last.startswith(f"Error: {message}")
    assert "Traceback" not in result.stderr


def test_nothing_is_written_by_a_wrong_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("build", "--out", "")
    run("evaluate", "--accelerator", "nothing")

    assert not list(tmp_path.iterdir())


def test_without_a_command_the_help_is_given() -> None:
    assert run().exit_code == 2
    assert "evaluate  Every value of one configuration." in run().output
    assert run("--help").exit_code == 0
    assert run("-h").stdout == run("--help").stdout
    assert run("--version").stdout == f"derivations, version {d.__version__}\n"


# Processes of their own


def test_the_module_is_the_same_as_the_command() -> None:
    process = started("show", "decode.step_time")

    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout == run("show", "decode.step_time").stdout


def test_exit_codes_reach_the_shell() -> None:
    process = started("show", "nothing.at_all")

    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.startswith("Error: there is nothing called 'nothing.at_all' in the book")


HEAVY = ("sympy", "pint", "mkdocs", "numpy", "jinja2", "markdown", "rich", "msgspec")


@pytest.mark.parametrize("arguments", [["--help"], ["evaluate", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom derivations.cli import main\n"
        "main(sys.argv[1:], standalone_mode=False)\n"
        f"print([each for each in {HEAVY} if each in sys.modules], file=sys.stderr)"
    )
    process = started(*arguments, code=code)

    assert process.stderr == "[]\n"
    assert process.returncode == 0


def test_evaluating_imports_neither_sympy_nor_mkdocs() -> None:
    code = (
        "import sys\nfrom derivations.cli import main\n"
        "main(['evaluate', '--json'], standalone_mode=False)\n"
        "print([each for each in ('sympy', 'mkdocs') if each in sys.modules], file=sys.stderr)"
    )

    assert started(code=code).stderr == "[]\n"


def test_a_closed_pipe_is_no_traceback() -> None:
    command = f"{sys.executable} -m derivations list | head -n 1"
    process = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)

    assert process.stdout.startswith("machine.accelerators")
    assert process.stderr == ""


def test_output_is_utf_8_wherever_it_goes() -> None:
    process = subprocess.run(
        [sys.executable, "-m", "derivations", "show", "decode.bytes"],
        capture_output=True,
        env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8"},
        check=False,
    )

    assert "7.00E10 + 64 × 2.52E8 = 8.61E10 bytes" in process.stdout.decode("utf-8")
