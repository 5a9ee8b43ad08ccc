"""A model is added from its config.json, or refused in one clear line and nothing is written."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import assume, given
from hypothesis import strategies as st

import derivations as d
from derivations import configure
from derivations.adopt import ConfigError, new_model, understood
from derivations.adopt.families import FAMILIES, Part
from derivations.catalogue import UnknownFact, fact, facts, faults, shelf
from derivations.catalogue.facts import read_fact
from derivations.catalogue.vocabulary import DATA, vocabulary
from derivations.cli import main
from derivations.landing import Refused
from tests.forgetting import forget_the_data
from tests.project_copy import copy_of_the_project, run_in

HERE = Path(__file__).parent
CONFIGS, BAD = HERE / "configs", sorted((HERE / "bad_configs").glob("*.json"))
LLAMA = CONFIGS / "llama-3.1-8b.json"
SOURCE = ("--source", "https://example.org/config.json")

PLAIN: dict[str, Any] = {
    "model_type": "llama",
    "vocab_size": 1000,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
}


def file_of(folder: Path, *without: str, **changed: Any) -> Path:
    """Write a small configuration, with some keys changed and some left out."""
    keys = {key: value for key, value in {**PLAIN, **changed}.items() if key not in without}
    place = folder / "tiny.json"
    place.write_text(json.dumps(keys), encoding="utf-8")
    return place


# What is refused


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_configuration_is_refused_by_the_key(path: Path) -> None:
    with pytest.raises(ConfigError) as problem:
        understood(path)

    assert f"{problem.value}\n" == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_every_message_belongs_to_a_bad_configuration() -> None:
    messages = {path.stem for path in BAD[0].parent.glob("*.txt")}

    assert messages == {path.stem for path in BAD}
    assert len(BAD) > 60


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[" * 50_000_000, "it is longer than 1000000 bytes; no configuration is"),
        ("[" * 400_000, "it is nested too deeply"),
        ('{"a":' * 100_000, "it is nested too deeply"),
        ('{"a": ' + "[" * 5000 + "]" * 5000 + "}", "it is nested too deeply"),
    ],
    ids=["50 MB", "400 kB of lists", "500 kB of objects", "5000 lists that end"],
)
def test_nesting_is_refused_at_once(content: str, message: str, tmp_path: Path) -> None:
    place = tmp_path / "deep.json"
    place.write_text(content, encoding="utf-8")

    with pytest.raises(ConfigError) as problem:
        understood(place)
    assert str(problem.value) == f"deep.json: {message}"


def test_what_never_ends_is_not_read() -> None:
    with pytest.raises(ConfigError, match="zero: there is no such file"):
        understood(Path("/dev/zero"))


@pytest.mark.parametrize("value", [None, False, 0, [], {}, ""])
@pytest.mark.parametrize(
    "key", ["num_local_experts", "kv_lora_rank", "mamba_d_conv", "text_config", "use_qk_norm"]
)
def test_what_is_switched_off_gives_nothing_away(key: str, value: Any, tmp_path: Path) -> None:
    plain = understood(file_of(tmp_path))

    assert understood(file_of(tmp_path, **{key: value})).parts == plain.parts


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("use_mla", True),
        ("attention_type", "mla"),
        ("cla_share_factor", 2),
        ("yoco", True),
        ("mixture_of_depths", True),
        ("is_hybrid", True),
        ("attention_window", [512]),
        ("index_topk", 2048),
        ("total_ut_steps", 4),
        ("mtp", True),
        ("a key of nobody's", 1),
    ],
)
def test_a_key_that_nobody_knows_is_refused_whatever_its_name(
    key: str, value: Any, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=re.escape(key)):
        understood(file_of(tmp_path, **{key: value}))


@pytest.mark.parametrize(
    "harmless",
    [
        {"attention_dropout": 0.1, "hidden_dropout_prob": 0.1, "embd_pdrop": 0.1},
        {"rope_scaling": {"type": "yarn", "factor": 4.0}, "rope_theta": 1e6},
        {"initializer_range": 0.02, "rms_norm_eps": 1e-5, "torch_dtype": "bfloat16"},
        {"eos_token_id": [1, 2, 3], "num_labels": 2, "id2label": {"0": "A"}},
        {"layer_types": ["full_attention", "full_attention"], "head_dim": None},
        {"sliding_window": 4096, "max_position_embeddings": 4096},
        {"sliding_window": 512, "use_sliding_window": False, "max_position_embeddings": 4096},
        {"_name_or_path": "/home/me/models/tiny", "unsloth_version": "\u0000 <script>"},
    ],
    ids=lambda harmless: next(iter(harmless)),
)
def test_what_no_parameter_depends_on_is_left_aside(
    harmless: dict[str, Any], tmp_path: Path
) -> None:
    plain = understood(file_of(tmp_path))

    assert understood(file_of(tmp_path, **harmless)) == plain


@pytest.mark.parametrize(
    ("off", "by"),
    [
        ({"use_sliding_window": False}, "the switch"),
        ({}, "the family"),
        ({"use_sliding_window": True, "max_window_layers": 2}, "the number of layers"),
    ],
)
def test_a_window_that_is_off_is_no_window(off: dict[str, Any], by: str, tmp_path: Path) -> None:
    qwen = {
        "model_type": "qwen2", "num_key_value_heads": 2, "sliding_window": 64,
        "max_position_embeddings": 4096,
    }  # fmt: skip
    network = understood(file_of(tmp_path, **qwen, **off))

    assert network.family.name == "qwen2", by


def test_packed_weights_are_said_and_change_no_count(tmp_path: Path) -> None:
    packed = {"quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128}}
    plain, smaller = understood(file_of(tmp_path)), understood(file_of(tmp_path, **packed))

    assert smaller.packed == "gptq, 4 bits"
    assert smaller.total() == plain.total()
    assert (smaller.parts, plain.packed) == (plain.parts, "")


# What each family has by default


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_has_a_published_model_that_it_counts_right(name: str) -> None:
    known = {understood(path).family.name for path in CONFIGS.glob("*.json")}

    assert name in known


@pytest.mark.parametrize(
    ("family", "untied"),
    [("llama", 1), ("granite", 1), ("phi3", 1), ("gpt_neox", 1), ("opt", 0), ("cohere", 0)],
)
def test_whether_the_head_is_tied_where_nothing_is_said_is_up_to_the_family(
    family: str, untied: int, tmp_path: Path
) -> None:
    more = {"ffn_dim": 128, "max_position_embeddings": 64} if family == "opt" else {}
    without = ("intermediate_size",) if family == "opt" else ()

    def untied_of(**said: bool) -> Part:
        path = file_of(tmp_path, *without, model_type=family, **more, **said)
        return understood(path).parts["untied"]

    said_nothing, said_so = untied_of(), untied_of(tie_word_embeddings=bool(untied))

    assert (said_nothing.value, said_nothing.stated) == (untied, False)
    assert (said_so.value, said_so.stated) == (1 - untied, True)


def test_a_stated_head_dimension_wins(tmp_path: Path) -> None:
    divided = understood(file_of(tmp_path)).parts["head_dimension"]
    stated = understood(file_of(tmp_path, head_dim=128)).parts["head_dimension"]
    uneven = understood(file_of(tmp_path, head_dim=32, num_attention_heads=5))

    assert (divided.value, divided.because) == (
        16,
        "hidden_size = 64, over num_attention_heads = 4",
    )
    assert (stated.value, stated.because) == (128, "head_dim = 128")
    assert uneven.parts["kv_heads"].value == 5


@st.composite
def llamas(draw: st.DrawFn) -> dict[str, Any]:
    """Draw the keys of a configuration of the family llama."""
    kv_heads, heads = draw(st.integers(1, 16)), draw(st.integers(1, 16))
    return {
        "model_type": "llama",
        "vocab_size": draw(st.integers(1, 300_000)),
        "hidden_size": draw(st.integers(1, 20_000)),
        "intermediate_size": draw(st.integers(1, 60_000)),
        "num_hidden_layers": draw(st.integers(1, 200)),
        "num_attention_heads": kv_heads * heads,
        "num_key_value_heads": kv_heads,
        "head_dim": draw(st.integers(1, 512)),
        "attention_bias": draw(st.booleans()),
        "mlp_bias": draw(st.booleans()),
        "tie_word_embeddings": draw(st.booleans()),
    }


def tensors(keys: dict[str, Any]) -> Iterator[int]:
    """Give the sizes of the tensors of such a model, one by one, as its code makes them."""
    vocabulary, hidden, middle = (
        keys[each] for each in ("vocab_size", "hidden_size", "intermediate_size")
    )
    queries = keys["num_attention_heads"] * keys["head_dim"]
    cached = keys["num_key_value_heads"] * keys["head_dim"]
    yield vocabulary * hidden
    for _ in range(keys["num_hidden_layers"]):
        for outputs in (queries, cached, cached):
            yield hidden * outputs
            yield outputs if keys["attention_bias"] else 0
        yield queries * hidden
        yield hidden if keys["attention_bias"] else 0
        for inputs, outputs in ((hidden, middle), (hidden, middle), (middle, hidden)):
            yield inputs * outputs
            yield outputs if keys["mlp_bias"] else 0
        yield hidden
        yield hidden
    yield hidden
    yield 0 if keys["tie_word_embeddings"] else vocabulary * hidden


@given(keys=llamas())
def test_the_count_is_the_sum_of_all_tensors(
    keys: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.getbasetemp() / "drawn.json"
    place.write_text(json.dumps(keys), encoding="utf-8")

    assert understood(place).total() == sum(tensors(keys))


@given(keys=llamas(), name=st.text(min_size=1, max_size=50))
def test_what_is_written_reads_back_as_what_was_understood(
    keys: dict[str, Any], name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    place = folder / "drawn.json"
    place.write_text(json.dumps(keys), encoding="utf-8")
    network = understood(place)
    try:
        new = new_model(place, network, identity="drawn", name=name, source="https://example.org")
    except Refused:
        assume(False)
    again = folder / "drawn.toml"
    again.write_text(new.text, encoding="utf-8")
    found = read_fact(again, "model", vocabulary()["model"])

    assert found.name == name
    assert {key: datum.value for key, datum in found.amounts.items()} == {
        key: part.value for key, part in network.parts.items()
    }


# The command


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a folder of models that a test may write to, with one of ours in it."""
    copy = tmp_path / "data"
    shutil.copytree(DATA, copy)
    for path in (copy / "models").glob("*.toml"):
        if path.stem != "llama-3-70b":
            path.unlink()
    shutil.rmtree(copy / "benchmarks")  # they stand for a model that is gone
    monkeypatch.setattr(shelf, "DATA", copy)
    forget_the_data()
    yield copy / "models"
    monkeypatch.undo()
    forget_the_data()


def add(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["add", "model", *map(str, arguments)])


def only_ours_in(models: Path) -> bool:
    """Tell that nothing was added to a folder, and nothing half-written was left in it."""
    return {path.name for path in models.iterdir()} == {"llama-3-70b.toml"}


def test_it_writes_a_file_and_says_what_it_understood(models: Path) -> None:
    result = add(LLAMA, "--name", "Llama 3.1 8B", *SOURCE)

    assert (result.exit_code, result.stdout) == (0, f"{models / 'llama-3.1-8b.toml'}\n")
    assert result.stderr.splitlines() == [
        "Family: llama, an output head of its own",
        "Layers: 32, each with 32 query heads and 8 key/value heads of 128",
        "Cache: 131072 bytes per token, at 2 bytes a value",
        "Parameters: 8030261248, counted; multiplied with a token: 7504924672",
        "Next: derivations evaluate --model llama-3.1-8b",
        "Next: mkdocs serve",
    ]


def test_what_it_wrote_passes_the_checker_and_is_a_model(models: Path) -> None:
    assert add(LLAMA, "--id", "of-ours", "--name", "One of ours", *SOURCE).exit_code == 0
    forget_the_data()

    assert faults() == []
    assert configure.misfits() == []
    sheet = d.evaluate(model="of-ours")
    assert sheet.value("model.parameters") == 8030261248
    assert fact("model", "of-ours").name == "One of ours"


def test_every_value_says_where_it_comes_from(models: Path) -> None:
    assert add(CONFIGS / "bloom-176b.json").exit_code == 0
    forget_the_data()
    bloom = fact("model", "bloom")

    for datum in bloom.amounts.values():
        assert datum.entry.note
        assert datum.entry.trust == "high"
        assert datum.source.read == date.today()
    stated = bloom.amounts["layers"]
    assert stated.entry.note == "n_layer = 70"
    assert stated.source.title == "bloom, config.json"
    assert stated.source.url == "https://huggingface.co/bigscience/bloom"
    assert stated.source.seen == "The file config.json."
    assert bloom.amounts["norm_vectors"].source.url.startswith("https://github.com/huggingface/")


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.json")), ids=lambda path: path.stem)
def test_every_published_model_can_be_added(path: Path, models: Path) -> None:
    assert add(path, "--id", "new", *SOURCE).exit_code == 0
    forget_the_data()

    assert d.evaluate(model="new").value("model.parameters") == understood(path).total()


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_what_is_refused_writes_nothing(path: Path, models: Path) -> None:
    result = add(path, *SOURCE)

    assert result.exit_code == 1
    assert result.stderr == f"Error: {path.with_suffix('.txt').read_text(encoding='utf-8')}"
    assert result.stdout == ""
    assert only_ours_in(models)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--id", "../evil", *SOURCE], "'../evil' is no id: small letters, digits, - and ."),
        (["--id", "/etc/passwd", *SOURCE], "'/etc/passwd' is no id: "),
        (["--id", "a/b", *SOURCE], "'a/b' is no id: "),
        (["--id", "Big", *SOURCE], "'Big' is no id: "),
        (["--id", "", *SOURCE], "'' is no id: "),
        (["--id", "new\n", *SOURCE], "'new\\n' is no id: "),
        (["--id", "a" * 65, *SOURCE], "is no id: "),
        (["--id", "llama-70b", *SOURCE], "'llama-70b' is already an alias of llama-3-70b"),
        (["--id", "llama-3-70b", *SOURCE], "there is a file llama-3-70b.toml already"),
        ([], "the file does not name its model; say where it is from (--source URL)"),
        (["--source", "config.json"], "llama-3.1-8b.toml: sources.config: url: "),
        (["--source", "javascript:alert(1)"], "llama-3.1-8b.toml: sources.config: url: "),
        (["--source", 'https://x.org/"><script>'], "llama-3.1-8b.toml: sources.config: url: "),
        (["--name", "", *SOURCE], "llama-3.1-8b.toml: name: it is empty"),
        (["--name", "two\nlines", *SOURCE], "llama-3.1-8b.toml: name: 'two\\nlines' has a line"),
        (
            ["--name", "nothing\0", *SOURCE],
            "llama-3.1-8b.toml: sources.config: title: 'nothing\\x00",
        ),
        (["--name", "half \ud800", *SOURCE], "llama-3.1-8b.toml: "),
    ],
    ids=lambda each: repr(each)[:40],
)
def test_a_wrong_wish_is_named_and_writes_nothing(
    options: list[str], message: str, models: Path
) -> None:
    result = add(LLAMA, *options)

    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert only_ours_in(models)


def test_a_file_that_is_not_there_is_a_wrong_call(models: Path) -> None:
    result = add(models / "none.json")

    assert result.exit_code == 2
    assert "none.json' does not exist" in result.stderr


def test_a_file_whose_name_suggests_no_id_needs_one(models: Path, tmp_path: Path) -> None:
    nameless = tmp_path / "config.json"
    nameless.write_bytes(LLAMA.read_bytes())
    result = add(nameless, *SOURCE)

    assert result.exit_code == 2
    assert result.stderr == "Error: 'config.json' suggests no id; give one (--id)\n"
    assert add(nameless, "--id", "named", *SOURCE).exit_code == 0


NAMES = [
    "<script>alert(1)</script>", 'say "hi"', "back\\slash", "'''", '"""', "a = 1 # no comment",
    "[sources.config]", "😀 Ünï", "${jndi}", "{{ 7 * 7 }}", "$`x`$", "&amp;", "a" * 2000,
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name[:20])
def test_any_name_is_kept_as_it_is(name: str, models: Path) -> None:
    result = add(LLAMA, "--id", "new", "--name", name, *SOURCE)
    if len(name) == 2000:
        assert result.exit_code == 2  # with what follows it is too long for a title
        return
    raw = tomllib.loads((models / "new.toml").read_text(encoding="utf-8"))

    assert result.exit_code == 0
    assert raw["name"] == name
    assert raw["sources"]["config"]["title"] == f"{name}, config.json"
    assert set(raw) == {"name", "family", "sources", *understood(LLAMA).parts}


def test_nothing_is_written_over_unless_it_is_wished_for(models: Path) -> None:
    assert add(LLAMA, "--id", "new", *SOURCE).exit_code == 0
    forget_the_data()
    before = (models / "new.toml").read_bytes()
    again = add(CONFIGS / "gpt2.json", "--id", "new", *SOURCE)

    assert again.exit_code == 2
    assert (models / "new.toml").read_bytes() == before
    assert add(CONFIGS / "gpt2.json", "--id", "new", *SOURCE, "--replace").exit_code == 0
    assert 'family = "gpt2"' in (models / "new.toml").read_text(encoding="utf-8")


def test_an_alias_is_not_even_replaced(models: Path) -> None:
    assert add(LLAMA, "--id", "llama-70b", *SOURCE, "--replace").exit_code == 2
    assert only_ours_in(models)


def test_a_folder_that_cannot_be_written_to_is_told(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("derivations.files.tempfile.mkstemp", full)
    result = add(LLAMA, *SOURCE)

    assert result.exit_code == 2
    assert "models cannot be written to: No space left on device" in result.stderr
    assert only_ours_in(models)


def test_a_model_is_added_as_a_new_user_would(tmp_path: Path) -> None:
    project = copy_of_the_project(tmp_path / "project")
    (project / "config.json").write_bytes((CONFIGS / "phi-4.json").read_bytes())
    how = ["--id", "mine", "--name", "Mine & <b>yours</b>", *SOURCE]

    for call in (
        ["add", "model", "config.json", *how],
        ["check"],
        ["evaluate", "--model", "mine"],
        ["show", "model.parameters", "--model", "mine"],
    ):
        done = run_in(project, "-m", "derivations", *call)
        assert done.returncode == 0, done.stderr
    assert "counted    from the model's parts, see parameters.total" in done.stdout


def test_ours_were_not_touched() -> None:
    assert "new" not in facts("model")
    with pytest.raises(UnknownFact):
        fact("model", "of-ours")
