"""The facts: every file can be used, and a bad one is refused in one clear line."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from derivations import catalogue, cli
from derivations.catalogue import DataError, Fact, facts, shelf, vocabulary
from derivations.catalogue.facts import read_fact
from derivations.catalogue.vocabulary import DATA
from derivations.evaluate import evaluate
from tests.forgetting import forget_the_data

BAD = Path(__file__).with_name("bad_data")
BAD_FILES = sorted(BAD.glob("*/*.toml"))
GOOD = DATA / "accelerators" / "h100-sxm.toml"
REAL = [
    (kind, path)
    for kind, folder in catalogue.KINDS.items()
    for path in sorted((DATA / folder).glob("*.toml"))
]


def message(path: Path, kind: str = "accelerator") -> str:
    """Give what is said of a bad file."""
    with pytest.raises(DataError) as problem:
        read_fact(path, kind, vocabulary.vocabulary()[kind])
    return str(problem.value)


@pytest.mark.parametrize("path", BAD_FILES, ids=lambda path: path.stem)
def test_a_bad_file_is_refused_in_one_line_that_names_file_and_field(path: Path) -> None:
    told = message(path, path.parent.name)

    assert told + "\n" == path.with_suffix(".txt").read_text(encoding="utf-8")
    assert "\n" not in told
    assert path.name in told


def test_every_message_belongs_to_a_bad_file() -> None:
    messages = {path.with_suffix(".toml") for path in BAD.glob("*/*.txt")}

    assert messages == set(BAD_FILES)


# Files that are better made than kept


def changed(folder: Path, name: str = "chip.toml", **replacing: str) -> Path:
    """Write a copy of a good file, with texts in it replaced."""
    text = GOOD.read_text(encoding="utf-8")
    for old, new in replacing.items():
        assert old in text
        text = text.replace(old, new)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_of_50_megabytes_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "chip.toml"
    with path.open("wb") as file:
        file.truncate(50_000_000)

    assert message(path) == "chip.toml: it is longer than 262144 bytes; no data file is"


@pytest.mark.parametrize(
    "text", ["name = " + "[" * 100_000, "name = " + "{a = " * 30_000], ids=["lists", "tables"]
)
def test_a_file_that_is_nested_too_deeply_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "chip.toml"
    path.write_text(text, encoding="utf-8")

    assert message(path) == "chip.toml: it is nested too deeply"


def test_a_long_wrong_value_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "chip.toml"
    text = GOOD.read_text(encoding="utf-8")
    path.write_text(text.replace("3.35 TB / s", "3.35 TB / s" * 9000), encoding="utf-8")

    assert len(message(path)) < 400


def test_a_deep_key_is_refused_without_its_value(tmp_path: Path) -> None:
    path = tmp_path / "chip.toml"
    deep = ".".join("a" * 9_000)
    path.write_text(f"memory = [{{{deep} = 1}}]\n[sources.a]\n{SOURCE}", encoding="utf-8")

    assert message(path).startswith("chip.toml: memory: a very long list should be a table: ")


SOURCE = 'title = "A"\nurl = "https://example.org"\nread = 2026-11-29\nseen = "Read."\n'


def test_a_folder_and_a_broken_link_are_said_to_be_unreadable(tmp_path: Path) -> None:
    folder, link = tmp_path / "folder.toml", tmp_path / "link.toml"
    folder.mkdir()
    link.symlink_to(tmp_path / "nowhere")

    assert message(folder) == "folder.toml: it cannot be read: Is a directory"
    assert message(link) == "link.toml: it cannot be read: No such file or directory"


@pytest.mark.parametrize("name", ["...toml", "-chip.toml", "chip-.toml", "chip\n.toml", "é.toml"])
def test_a_file_whose_name_is_no_id_is_refused(tmp_path: Path, name: str) -> None:
    told = message(changed(tmp_path, name))

    assert told.endswith("a file is named by its id: small letters, digits, - and .")
    assert "\n" not in told


def test_text_that_looks_like_html_is_kept_and_left_to_the_output_to_escape(
    tmp_path: Path,
) -> None:
    hostile = "<script>alert(1)</script> & $x$ `y` [z](javascript:0)"
    path = tmp_path / "chip.toml"
    text = GOOD.read_text(encoding="utf-8")
    path.write_text(text.replace("NVIDIA H100 SXM", hostile), encoding="utf-8")

    assert read_fact(path, "accelerator", vocabulary.vocabulary()["accelerator"]).name == hostile


def test_a_byte_order_mark_is_told(tmp_path: Path) -> None:
    path = tmp_path / "chip.toml"
    path.write_text("\ufeff" + GOOD.read_text(encoding="utf-8"), encoding="utf-8")

    assert message(path).startswith("chip.toml: it is not TOML: ")


# A folder of data with faults in it


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a copy of the data that the package reads instead of its own."""
    import shutil

    folder = tmp_path / "data"
    shutil.copytree(DATA, folder)
    for room in (shelf, vocabulary):
        monkeypatch.setattr(room, "DATA", folder)
    forget()
    yield folder
    monkeypatch.undo()
    forget()


def forget() -> None:
    """Empty what the rooms remember of the data, and of the vocabulary."""
    vocabulary.vocabulary.cache_clear()
    forget_the_data()


def check() -> tuple[int, list[str]]:
    """Run `derivations check`, and give its exit code and what it says on standard error."""
    run = CliRunner().invoke(cli.main, ["check"])
    return run.exit_code, run.stderr.splitlines()


def rewrite(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_check_passes_on_a_copy_of_the_data(data: Path) -> None:
    assert check() == (0, [])


def test_check_lists_every_faulty_file_and_fails(data: Path) -> None:
    rewrite(data / "accelerators/b200.toml", '"8 TB / s / accelerator"', '"8 TB / s"')
    rewrite(data / "models/llama-3-70b.toml", "80 layer", "80.5 layer")
    (data / "precisions/fp6.toml").write_text("name = ", encoding="utf-8")

    assert check() == (
        1,
        [
            "b200.toml: bandwidth: '8 TB / s' cannot be read in byte / s / accelerator",
            "llama-3-70b.toml: layers: '80.5 layer' should be a whole number",
            "fp6.toml: it is not TOML: Invalid value (at end of document)",
            "Error: 3 faults found",
        ],
    )


RESULTS = "benchmarks/inferencemax-2025-10.csv"
FIRST = "b200,TensorRT-LLM,fp4,fp8,1,1024,1024,4,302.8793"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            FIRST,
            FIRST.replace("b200", "b20"),
            "inferencemax-2025-10.csv:2: accelerator: there is no accelerator 'b20'; did you mean ",
        ),
        (
            FIRST,
            FIRST.replace("fp4", "int8"),
            "inferencemax-2025-10.csv:2: NVIDIA B200 has no 'int8' arithmetic; it has ",
        ),
        (
            FIRST,
            FIRST.replace(",4,", ",4000000,"),
            "inferencemax-2025-10.csv:2: concurrency is 4000000; it should be a whole number from ",
        ),
        (
            ",302.8793,",
            ",99999999999999,",
            "inferencemax-2025-10.csv:2: ttft_ms: '99999999999999 ms' is out of bounds; ",
        ),
    ],
    ids=["accelerator", "arithmetic", "concurrency", "time"],
)
def test_a_result_that_cannot_be_compared_is_a_fault(
    data: Path, old: str, new: str, fault: str
) -> None:
    rewrite(data / RESULTS, old, new)
    code, told = check()

    assert code == 1
    assert told[0].startswith(fault)


def test_results_and_their_description_belong_together(data: Path) -> None:
    (data / RESULTS).rename(data / "benchmarks/other.csv")
    code, told = check()

    assert code == 1
    assert told[:2] == [
        "inferencemax-2025-10.csv: it cannot be read: No such file or directory",
        "other.csv: there is no other.toml beside it",
    ]


def test_a_benchmark_stands_for_models_that_there_are(data: Path) -> None:
    rewrite(data / "benchmarks/inferencemax-2025-10.toml", '"llama-3-70b"', '"llama-3-7b"')
    code, told = check()

    assert code == 1
    assert told[0].startswith(
        "inferencemax-2025-10.toml: stands_for: there is no model 'llama-3-7b'; did you mean "
    )


@pytest.mark.parametrize("alias", ["b200", "h200"], ids=["an-id", "an-alias"])
def test_an_alias_that_is_taken_is_a_fault(data: Path, alias: str) -> None:
    rewrite(data / "accelerators/h100-sxm.toml", '"h100"', f'"h100", "{alias}"')
    code, (fault, _) = check()

    assert code == 1
    assert fault.endswith(f".toml: aliases: '{alias}' is already the id of another")


def test_an_amount_out_of_bounds_is_a_fault(data: Path) -> None:
    rewrite(data / "accelerators/b200.toml", '"8 TB / s / accelerator"', '"8 EB / s / accelerator"')

    assert check() == (
        1,
        [
            "b200.toml: bandwidth: '8 EB / s / accelerator' is out of bounds; memory bandwidth of "
            "one accelerator should be from 1e+08 to 1e+16 byte / s / accelerator".replace(
                "byte / s", "byte / second"
            ),
            "Error: 1 fault found",
        ],
    )


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("h100-sxm", "h1000", "defaults.toml: there is no accelerator 'h1000'; did you mean "),
        ("concurrency = 64", "concurrency = 0", "defaults.toml: concurrency is 0; it should be a "),
        ("concurrency", "concurency", "defaults.toml: there is no choice 'concurency'; did you "),
        ("concurrency = 64", "", "defaults.toml: concurrency is missing"),
        ("= 64", "= = 64", "defaults.toml: it is not TOML: "),
    ],
)
def test_defaults_that_cannot_be_are_a_fault(data: Path, old: str, new: str, fault: str) -> None:
    rewrite(data / "defaults.toml", old, new)
    code, told = check()

    assert code == 1
    assert told[0].startswith(fault)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('kind = "year"', 'kind = "yaer"', "vocabulary.toml: Invalid enum value 'yaer'"),
        ("means =", "mean =", "vocabulary.toml: Object "),
        ("kind =", "kind", "vocabulary.toml: it is not TOML: "),
    ],
)
def test_a_broken_vocabulary_is_a_fault(data: Path, old: str, new: str, fault: str) -> None:
    rewrite(data / "vocabulary.toml", old, new)
    code, told = check()

    assert code == 1
    assert told[0].startswith(fault)


def test_a_broken_file_is_named_when_something_is_evaluated(data: Path) -> None:
    rewrite(data / "accelerators/b200.toml", "trust", "thrust")

    with pytest.raises(DataError, match=r"b200\.toml: memory: thrust: there is no such key"):
        evaluate(accelerator="b200")


def test_a_new_file_needs_nothing_else(data: Path) -> None:
    changed(data / "accelerators", "chip-1.toml", **{'"h100"': '"chip"', "3.35 TB": "6.7 TB"})

    assert evaluate(accelerator="chip").value("machine.bandwidth") == 2 * 6.7e12
    assert check()[0] == 0


# The real data


@pytest.mark.parametrize(("kind", "path"), REAL, ids=lambda each: getattr(each, "stem", each))
def test_every_value_has_a_unit_a_source_a_date_and_a_trust(kind: str, path: Path) -> None:
    fact = read_fact(path, kind, vocabulary.vocabulary()[kind])

    assert fact.amounts
    for field, datum in fact.amounts.items():
        assert datum.value > 0 or kind == "model", field  # a model may have none of something
        assert datum.unit == vocabulary.vocabulary()[kind][field.partition(".")[0]].unit, field
        assert datum.source.title, field
        assert datum.source.url.startswith("http"), field
        assert datum.source.read.year >= 2024, field
        assert datum.entry.trust in ("high", "medium", "low"), field
        assert datum.place == f"{path.name}: {field}"


RATES: dict[str, tuple[float, dict[str, float]]] = {
    "h100-sxm": (3.35, {"bf16": 989.5, "fp8": 1979}),
    "h200-sxm": (4.8, {"bf16": 989.5, "fp8": 1979}),
    "b200": (8, {"bf16": 2250, "fp8": 4500, "fp4": 9000}),
    "mi300x": (5.3, {"bf16": 1307.4, "fp8": 2614.9}),
    "mi325x": (6, {"bf16": 1307.4, "fp8": 2614.9}),
    "mi355x": (8, {"bf16": 2516.6, "fp8": 5033.2, "fp4": 10066.4}),
}
"""TB/s and dense TFLOP/s, as the article gives them."""


@pytest.mark.parametrize("identity", RATES)
def test_the_accelerators_of_the_article_have_its_dense_rates(identity: str) -> None:
    bandwidth, rates = RATES[identity]
    chip = catalogue.fact("accelerator", identity)

    assert chip.amounts["bandwidth"].value == Fraction(str(bandwidth)) * 10**12
    assert {name: datum.value for name, datum in chip.each("compute").items() if name in rates} == {
        name: Fraction(str(rate)) * 10**12 for name, rate in rates.items()
    }


def test_of_the_article_only_b200_and_mi355x_compute_in_fp4() -> None:
    chips = (catalogue.fact("accelerator", each) for each in RATES)
    with_fp4 = {chip.id for chip in chips if "fp4" in chip.each("compute")}

    assert with_fp4 == {"b200", "mi355x"}


def every_chip() -> list[Fact]:
    return list(facts("accelerator").values())


def test_a_narrower_float_is_never_computed_slower() -> None:
    for chip in every_chip():
        rates = chip.each("compute")
        order = [rates[name].value for name in ("bf16", "fp8", "fp4") if name in rates]

        assert order == sorted(order), chip.id


def test_a_rate_quoted_with_sparsity_is_halved() -> None:
    for chip in every_chip():
        for name, datum in chip.each("compute").items():
            if "sparsity" in datum.entry.quoted_as:
                assert datum.entry.derived, f"{chip.id} {name}"


def test_an_id_is_matched_whole() -> None:
    assert catalogue.fact("accelerator", "h100").id == "h100-sxm"
    for part in ("h10", "H100", "00", "h100-sxm ", ""):
        with pytest.raises(catalogue.UnknownFact, match="there is no accelerator"):
            catalogue.fact("accelerator", part)
