"""Reviews: what a change to the project does is told rightly, whoever makes it, and cleanly."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import html5lib
import msgspec
import pytest
from hypothesis import given
from markdown import Markdown

import derivations as d
from derivations.language.algebra import Term, leaves, read
from derivations.language.notation.latex import latex
from derivations.review.export import Whole
from derivations.review.format import Cited, Export, FormatError, Tree, decoded, encoded
from derivations.review.grid import configurations, made_pages
from derivations.review.report import LONGEST, report
from derivations.review.reviewing import Review, added_lines, review_of
from derivations.review.running import exports
from derivations.review.trees import named, rebuilt
from derivations.review.verdicts import Verdict
from tests.project_copy import PROJECT, change
from tests.terms import QUICK, terms

CASES = Path(__file__).with_name("reviews")
PROPOSED = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in CASES.iterdir()}
"""Changes as somebody would propose them: what is edited, and the exit code of their review."""
GOLDEN = Path(__file__).with_name("golden") / "reviews"
FEW = ("--configurations", "600")
"""Enough for every page and every measured result of the default model to be among them."""


def git(folder: Path, *words: str) -> str:
    names = {
        f"GIT_{who}_{what}": "test" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    done = subprocess.run(
        ["git", *words], cwd=folder, env={**os.environ, **names}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def edit(folder: Path, edits: Iterable[dict[str, str]]) -> None:
    for each in edits:
        change(folder / each["file"], each["old"], each["new"])


REFUSED = (
    "operatorname",
    "mbox",
    "phantom",
    "htmlData",
    "class",
    "href",
    "require",
    "def",
    "newcommand",
)
"""Macros that GitHub does not show."""


def assert_fit_for_github(text: str) -> None:
    """Maths stands in fences or in the backtick-dollar form alone, within what GitHub shows."""
    assert len(text) <= 60_000
    fences = re.findall(r"^```math\n(.*?)^```$", text, re.M | re.S)
    within = re.findall(r"\$`([^`]*)`\$", text)
    text = re.sub(r"^(`{3,})text\n.*?^\1$", "", text, flags=re.M | re.S)
    rest = re.sub(r"\$`[^`]*`\$", "", re.sub(r"^```math\n.*?^```$", "", text, flags=re.M | re.S))
    assert "$" not in rest
    assert "\\frac" not in rest
    for maths in (*fences, *within):
        assert maths.strip()
        assert "\n\n" not in maths
        for macro in re.findall(r"\\([A-Za-z]+)", maths):
            assert macro not in REFUSED
            assert macro in KNOWN


KNOWN = {
    *"frac cdot le ge max min left right lceil rceil lfloor rfloor sqrt exp log".split(),
    *"text mathrm begin end".split(),
}
"""Macros that our notation writes."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a repository of its own with the formulas, the facts and the prose of this one."""
    place = tmp_path / "project"
    for folder in ("derivations", "templates"):
        shutil.copytree(
            PROJECT / folder, place / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(PROJECT / "CHANGELOG.md", place)
    git(place, "init", "-q", "-b", "main")
    return place


def commit(project: Path) -> None:
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "The base")


def environment(**more: str) -> dict[str, str]:
    """Give the environment in which the code under test runs, and not that in the folder."""
    own = {"PYTHONPATH": str(PROJECT), "PYTHONSAFEPATH": "1", "NO_COLOR": "1"}
    return {**os.environ, **own, **more}


def review(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the command of this project in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "derivations", "review", *words],
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        text=True,
        timeout=300,
    )


ROWS = 600


def exports_of(*folders: Path) -> list[Export | str]:
    named = {str(n): folder for n, folder in enumerate(folders)}
    found = exports(named, dict.fromkeys(named, "it"), ROWS, lambda end: None)
    return [found[name] for name in named]


@pytest.fixture(scope="session")
def unchanged() -> Export:
    """Give what this project exports, as it is."""
    (found,) = exports_of(PROJECT)
    assert isinstance(found, Export)
    return found


def proposed_review(name: str, project: Path, unchanged: Export) -> Review:
    """Give the review of a change, by the parts that the command is made of."""
    proposed = PROPOSED[name]
    base: Export | str = unchanged
    if "before" in proposed:
        edit(project, proposed["before"])
        (base,) = exports_of(project)
    log = (project / "CHANGELOG.md").read_text(encoding="utf-8")
    edit(project, proposed["edit"])
    (head,) = exports_of(project)
    assert isinstance(base, Export)
    assert isinstance(head, Export), head
    lines = added_lines(log, (project / "CHANGELOG.md").read_text(encoding="utf-8"))
    files = tuple(sorted({each["file"] for each in proposed["edit"]}))
    return review_of(base, head, "the base", "the change", lines, files)


@pytest.mark.parametrize("name", PROPOSED)
def test_a_report_tells_what_was_reviewed(name: str, project: Path, unchanged: Export) -> None:
    found = proposed_review(name, project, unchanged)
    text = report(found)
    golden = GOLDEN / f"{name}.md"
    if os.environ.get("GOLDEN") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")

    assert text == golden.read_text(encoding="utf-8")
    assert bool(found.objections) == bool(PROPOSED[name]["exit_code"])
    assert_fit_for_github(text)


def test_every_reviewed_report_belongs_to_a_change() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(PROPOSED)


# The command


def everything_in(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Give every file, with the time of its last change and its content."""
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def based(project: Path) -> Path:
    commit(project)
    return project


def test_the_command_compares_two_revisions_and_leaves_nothing_behind(based: Path) -> None:
    edit(based, PROPOSED["factor-two-untold"]["edit"])
    git(based, "commit", "-q", "-a", "-m", "A change")
    (based / "untracked.txt").write_text("left alone", encoding="utf-8")
    temporary = based.parent / "temporary"
    temporary.mkdir()
    before = everything_in(based)
    whole = based.parent / "whole.md"
    done = review(based, "main~1", "main", *FEW, "--whole", str(whole), TMPDIR=str(temporary))
    commits = git(based, "rev-parse", "main~1", "main").split()

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "Error: 1 objection"
    assert done.stdout.startswith(
        f"# Review: `main~1 ({commits[0][:9]})` → `main ({commits[1][:9]})`\n\n**Not to be merged"
    )
    assert "`decode.kv_per_sequence` has another value, and no line of" in done.stdout
    assert whole.read_text(encoding="utf-8") == done.stdout
    assert everything_in(based) == before
    assert list(temporary.iterdir()) == []


def test_the_command_compares_with_the_working_tree_as_json(based: Path) -> None:
    edit(based, PROPOSED["factor-two"]["edit"])
    (based / "notes.md").write_text("new", encoding="utf-8")
    inside = based / "derivations" / "book"
    done = review(inside, "HEAD", *FEW, "--format", "json")
    found = json.loads(done.stdout)

    assert done.returncode == 0, done.stderr
    assert found["objections"] == []
    assert found["head"] == "the working tree"
    assert found["beside"] == {"other files": ["notes.md"]}
    (changed,) = found["changes"]["entries"]
    assert (changed["id"], changed["status"]) == ("decode.kv_per_sequence", "changed")
    assert changed["verdict"] == {
        "says": "factor", "how": "proven", "samples": 0, "factor": "2", "reason": "",
    }  # fmt: skip
    moves = {each["id"]: each for each in found["changes"]["moves"]}
    step = moves["decode.step_time"]
    sheet = d.evaluate()
    more = sheet.value("decode.kv_total") / sheet.value("machine.bandwidth")
    assert step["before"] == sheet.value("decode.step_time")
    assert step["after"] == pytest.approx(step["before"] + more)
    assert "index.md" in step["pages"]
    # The largest change is what it says, where it says.
    counts = {name: int(value) for name, value in step["where"].items() if value.isdecimal()}
    there = d.evaluate(**{**step["where"], **counts})
    more = there.value("decode.kv_total") / there.value("machine.bandwidth")
    assert there.value("decode.step_time") == step["there_before"]
    assert step["largest"] == pytest.approx(more / step["there_before"])


WRONG = {
    "unknown": (("mian",), "there is no revision 'mian'; did you mean main?"),
    "a range": (("main..main",), "there is no revision 'main..main'; did you mean main?"),
    "empty": (("",), "there is no revision ''"),
    "an unknown head": (("main", "nowhere"), "there is no revision 'nowhere'"),
    "no grid": (("main", "--configurations", "0"), "it is 0; it should be a whole number from 1"),
    "a wrong grid": (("main", "--configurations", "1e3"), "it should be a whole number"),
    "a wrong format": (("main", "--format", "xml"), "'xml' is not one of 'md', 'json'"),
}


@pytest.mark.parametrize(("words", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_call_is_told(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    git(small, "init", "-q", "-b", "main")
    for name in ("__init__.py", "review/export.py"):
        (small / "derivations" / name).parent.mkdir(parents=True, exist_ok=True)
        (small / "derivations" / name).write_text("", encoding="utf-8")
    commit(small)
    done = review(small, *words)

    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_outside_of_a_repository_it_says_so(tmp_path: Path) -> None:
    done = review(tmp_path, "main", GIT_CEILING_DIRECTORIES=str(tmp_path.parent))

    assert (done.returncode, done.stdout) == (2, "")
    assert f"{tmp_path} is not in a git repository" in done.stderr


def test_a_revision_without_the_package_is_told(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "README.md").write_text("Something else", encoding="utf-8")
    commit(tmp_path)
    done = review(tmp_path, "main")

    assert done.returncode == 2
    assert "has no folder derivations in which a book could be" in done.stderr


def test_a_base_that_is_older_than_the_export_is_told(based: Path) -> None:
    export = based / "derivations" / "review" / "export.py"
    kept = export.read_text(encoding="utf-8")
    export.unlink()
    git(based, "commit", "-q", "-a", "-m", "Before there were reviews")
    git(based, "checkout", "-q", "--orphan", "other")
    git(based, "commit", "-q", "-a", "-m", "The base, without them")
    export.write_text(kept, encoding="utf-8")
    commit(based)
    first = git(based, "rev-parse", "--short", "HEAD").strip()
    done = review(based, "other~1")

    assert done.returncode == 2
    assert "it is older than derivations/review/export.py" in done.stderr
    assert f"the first that can be is {first}" in done.stderr


def test_a_head_that_does_not_run_is_told(based: Path) -> None:
    edit(based, [{"file": "derivations/book/decode.py", "old": "    mean_length * kv_per_token,",
                  "new": "    2 * mean_length * kv_per_token,"}])  # fmt: skip
    # The very code that does not run can still tell so.
    done = review(based, "main", *FEW, PYTHONPATH=str(based))

    assert done.returncode == 1
    assert "**Not to be merged as it is:**" in done.stdout
    assert "2 stands bare before a quantity" in done.stdout
    assert "Nothing could be compared." in done.stdout


def test_a_base_that_does_not_run_is_told(project: Path) -> None:
    section = project / "derivations/book/decode.py"
    kept = section.read_text(encoding="utf-8")
    section.write_text(f"{kept}\n)", encoding="utf-8")
    commit(project)
    section.write_text(kept, encoding="utf-8")
    done = review(project, "main", *FEW)

    assert (done.returncode, done.stdout) == (2, "")
    assert "the code of main" in done.stderr
    lines = kept.count("\n") + 2
    assert f"does not run: decode.py:{lines}: SyntaxError: unmatched ')'" in done.stderr


def test_a_signal_ends_it_and_leaves_nothing_behind(based: Path) -> None:
    temporary = based.parent / "temporary"
    temporary.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "derivations", "review", "main", "main"],
        cwd=based,
        env=environment(TMPDIR=str(temporary)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    end = time.monotonic() + 60
    while not list(temporary.rglob("derivations/book")):
        assert time.monotonic() < end, "nothing was unpacked"
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=60)

    assert (process.returncode, out) == (128 + signal.SIGTERM, b"")
    assert list(temporary.iterdir()) == []


def test_whatever_a_revision_holds_can_be_unpacked(based: Path) -> None:
    """Links that lead outside, attributes that leave files out, code that talks."""
    (based / "evil").symlink_to("/etc/passwd")
    (based / ".gitattributes").write_text("derivations/data/** export-ignore\n", encoding="utf-8")
    section = based / "derivations/book/decode.py"
    text = section.read_text(encoding="utf-8")
    section.write_text(f'{text}\nprint("Hello")\n', encoding="utf-8")
    git(based, "add", "-A")
    git(based, "commit", "-q", "-m", "Odd")
    os.utime(based / "CHANGELOG.md")
    before = everything_in(based)
    done = review(based, "HEAD", "HEAD", *FEW)

    assert done.returncode == 0, done.stderr
    assert "No formula, no fact and no value differs." in done.stdout
    assert everything_in(based) == before


def test_a_bare_repository_has_revisions_but_no_working_tree(based: Path) -> None:
    bare = based.parent / "bare"
    git(based, "clone", "-q", "--bare", str(based), str(bare))
    assert "this repository is bare" in review(bare, "main").stderr
    done = review(bare, "main", "main", *FEW)

    assert done.returncode == 0, done.stderr


def test_a_head_that_ends_without_a_word_is_told(based: Path) -> None:
    section = based / "derivations/book/decode.py"
    section.write_text("import sys\n\nsys.exit(0)\n", encoding="utf-8")
    done = review(based, "main", *FEW)

    assert done.returncode == 1
    assert "ends with exit code 0, and without a word" in done.stdout


@pytest.mark.parametrize("place", ["/dev/null", "folder", "file/below"])
def test_the_whole_goes_into_a_file_or_nowhere(place: str, based: Path) -> None:
    (based.parent / "folder").mkdir()
    (based.parent / "file").write_text("kept", encoding="utf-8")
    done = review(based, "main", "--whole", str(based.parent / place))

    assert (done.returncode, done.stdout) == (2, "")
    assert "--whole" in done.stderr
    assert Path("/dev/null").is_char_device()


# The format


def test_an_export_is_read_as_it_was_written(unchanged: Export) -> None:
    assert decoded(encoded(unchanged), of="it") == unchanged


def test_an_export_with_more_in_it_is_read_all_the_same(unchanged: Export) -> None:
    data = json.loads(encoded(unchanged))
    data["more"] = {"of": "a later code"}
    data["entries"]["decode.bytes"]["colour"] = "green"

    assert decoded(json.dumps(data).encode(), of="it") == unchanged


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'{"version": 7}', "it writes its export in format 7, and this code reads up to format 1"),
        (b'{"version": 0}', "it writes its export in format 0, which there is not"),
        (b'{"version": 1}', "it does not write an export that can be read: Object missing"),
        (b"Hello", "it does not write an export that can be read: JSON is malformed"),
    ],
)
def test_what_cannot_be_read_is_told(text: bytes, said: str) -> None:
    with pytest.raises(FormatError) as problem:
        decoded(text, of="it")
    assert said in str(problem.value)


@given(terms())
@QUICK
def test_an_exported_formula_is_rebuilt_as_it_was(term: Term) -> None:
    names = {f"section.q{n}": each for n, each in enumerate(dict.fromkeys(leaves(term)))}
    ids = {each: name for name, each in names.items()}
    written = read(term, Whole(ids.__getitem__))
    rebuilt_term = rebuilt(msgspec.json.decode(msgspec.json.encode(written)), names.__getitem__)

    assert latex(rebuilt_term) == latex(term)
    assert named(written) == [ids[each] for each in dict.fromkeys(leaves(term))]
    assert read(rebuilt_term, Whole(ids.__getitem__)) == written


def test_others_in_the_catalogue_leave_the_grid_as_it_is() -> None:
    made = made_pages()
    some, more = configurations(2000, made), configurations(4000, made)

    assert list(more)[: len(some)] == list(some)
    assert len(some) == 2000
    assert len(more) == 4000
    assert next(iter(some)).resolved() == d.evaluate().chosen.resolved()


# Verdicts


def changed(export: Export, identity: str, **fields: Any) -> Export:
    """Give an export in which an entry is declared otherwise."""
    entry = msgspec.structs.replace(export.entries[identity], **fields)
    return msgspec.structs.replace(export, entries={**export.entries, identity: entry})


def verdict_on(unchanged: Export, before: Tree, after: Tree) -> Verdict:
    """Give the verdict on a formula whose body was one thing and is another."""
    name = "decode.bytes"
    one, two = (changed(unchanged, name, trees={"body": tree}) for tree in (before, after))
    (found,) = review_of(one, two, "base", "head").changes.entries  # type: ignore[union-attr]
    assert found.verdict is not None
    return found.verdict


M, K, B, A = "decode.weights", "decode.kv_per_sequence", "workload.concurrency", "machine.bandwidth"


@pytest.mark.parametrize(
    ("before", "after", "says", "how", "factor"),
    [
        (["+", M, ["*", B, K]], ["+", ["*", K, B], M], "same", "proven", ""),
        (["-", M, M], ["*", M, [0]], "same", "proven", ""),
        (["/", M, ["/", K, B]], ["/", ["*", M, B], K], "same", "proven", ""),
        (M, ["*", M, [2]], "factor", "proven", "2"),
        (M, ["/", M, [3]], "factor", "proven", "1/3"),
        (M, ["-", M], "factor", "proven", "-1"),
        (["max", M, K], ["max", K, M], "same", "proven", ""),
        (["max", M, K], ["*", ["max", K, M], [2]], "factor", "proven", "2"),
        (["+", M, K], ["max", M, ["+", K, M]], "same", "proven", ""),
        (["ceil", ["/", M, K]], ["-", ["floor", ["-", ["/", M, K]]]], "same", "sampled", ""),
        (["floor", ["/", M, K]], ["max", ["floor", ["/", M, K]], ["-", ["/", M, K], [1]]],
         "same", "sampled", ""),
        (["sqrt", M], ["/", M, ["sqrt", M]], "same", "proven", ""),
        (["exp", ["/", M, K]], ["*", ["exp", ["/", M, K]], [2]], "factor", "sampled", "2"),
        (M, ["+", M, K], "different", "", ""),
        (M, ["*", M, [0]], "different", "", ""),
        (["*", M, [0]], M, "different", "", ""),
        (M, ["?", [">", M, K], M, K], "different", "", ""),
        (M, ["sinh", M], "unknown", "", ""),
        (M, "?something", "unknown", "", ""),
    ],
    ids=str,
)  # fmt: skip
def test_a_verdict_is_right(
    before: Tree, after: Tree, says: str, how: str, factor: str, unchanged: Export
) -> None:
    found = verdict_on(unchanged, before, after)

    assert (found.says, found.how) == (says, how)
    assert found.factor == factor


def test_a_verdict_is_about_the_change_of_the_formula_alone(unchanged: Export) -> None:
    twice = ["*", "decode.mean_length", "decode.kv_per_token"]
    head = changed(unchanged, K, trees={"body": ["*", twice, [2]]})
    head = changed(head, "decode.bytes", trees={"body": ["+", ["*", B, K], M]})
    found = review_of(unchanged, head, "base", "head").changes
    assert found is not None
    by_id = {each.id: each.verdict for each in found.entries}

    says = {name: each.says for name, each in by_id.items() if each is not None}
    assert says == {K: "factor", "decode.bytes": "same"}


def test_quantities_of_the_base_are_not_taken_for_others_with_their_symbol(
    unchanged: Export,
) -> None:
    """A given that is gone and one that has come may share a symbol. They are not the same."""
    gone = "workload.concurrency"
    there = unchanged.entries[gone]
    texts = {**there.texts, "title": "Other"}
    entry = msgspec.structs.replace(there, numbers={"least": "1", "most": "9"}, texts=texts)
    entries = {
        ("workload.users" if name == gone else name): (entry if name == gone else each)
        for name, each in unchanged.entries.items()
    }
    entries["decode.bytes"] = msgspec.structs.replace(
        entries["decode.bytes"], trees={"body": ["+", M, ["*", "workload.users", K]]}
    )
    head = msgspec.structs.replace(unchanged, entries=entries)
    found = review_of(unchanged, head, "base", "head").changes
    assert found is not None
    by_id = {each.id: each for each in found.entries}

    assert by_id["decode.bytes"].verdict is not None
    assert by_id["decode.bytes"].verdict.says != "same"
    assert [each.id for each in found.lost] == [gone]


# The changelog


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("* `decode.bytes` counts twice.", True),
        ("* decode.bytes: twice.", True),
        ("* The formula decode.bytes.", True),
        ("* `decode.bytes_total` counts twice.", False),
        ("* decode.bytes.more", False),
        ("* predecode.bytes", False),
        ("* Something else.", False),
    ],
)
def test_a_line_names_what_changed(line: str, told: bool, unchanged: Export) -> None:
    body = unchanged.entries["decode.bytes"].trees["body"]
    head = changed(unchanged, "decode.bytes", trees={"body": ["*", body, [2]]})
    found = review_of(unchanged, head, "base", "head", (line,))

    assert found.untold == (() if told else ("decode.bytes",))


def test_only_lines_that_are_new_count() -> None:
    before = "# Changelog\n\n* One.\n* Two.\n"

    assert added_lines(before, "# Changelog\n\n* Two.\n* Three.\n* One.\n") == ("* Three.",)
    assert added_lines(before, before + "* One.\n") == ("* One.",)
    assert added_lines("", "* One.") == ("* One.",)


# What anybody may write

HOSTILE = (
    "</details><script>alert(1)</script>",
    "@everyone and #1 and www.example.org and https://example.org",
    "`code` **bold** _under_ [link](javascript:alert(1)) ![image](http://example.org/x.png)",
    "a | b || c\n\n# Heading\n\n```math\nx\n```\n",
    "$`x`$ $$x$$ ~~gone~~ \u202e turned \u0000 \u2028",
    "x" * 100_000,
    "<!-- derivations review -->",
)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_text_means_nothing_where_it_lands(text: str, unchanged: Export) -> None:
    name = "decode.bytes"
    entry = unchanged.entries[name]
    cited = Cited(text, f"https://example.org/{text}", text)
    head = changed(
        unchanged, name, sources=(cited,), formerly=(text,),
        texts={**entry.texts, "title": text, "says": text, "unit": text, "symbol": text},
    )  # fmt: skip
    found = report(review_of(unchanged, head, text, text, (text,), (text, text)))
    plain = report(review_of(unchanged, changed(unchanged, name, show=None), "a", "b"))

    assert_fit_for_github(found)
    outside = re.sub(r"^(`{3,})text\n.*?^\1$", "", found, flags=re.M | re.S)
    html = Markdown(extensions=["tables", "md_in_html"]).convert(outside)
    tree = html5lib.parse(html, namespaceHTMLElements=False)
    assert {each.tag for each in tree.iter() if isinstance(each.tag, str)} <= {
        *("html", "head", "body", "h1", "h2", "p", "strong", "ul", "ol", "li", "code", "pre"),
        *("details", "summary", "b", "a", "em", "table", "thead", "tbody", "tr", "th", "td"),
    }
    for each in tree.iter("a"):
        assert each.get("href", "").startswith(("http://", "https://"))
    headings = ["".join(each.itertext()) for each in tree.iter("h2")]
    assert headings[:1] == ["What the changelog says"]
    assert len(list(tree.iter("details"))) == plain.count("<details")
    prose = re.sub(r"(`+).*?\1", "", outside)
    assert not re.search(r"@\w|(?<!&)#\d", prose)
    assert "\u202e" not in found
    assert "\u0000" not in found


def test_a_report_is_short_enough_whatever_has_changed(unchanged: Export) -> None:
    head = msgspec.structs.replace(
        unchanged,
        entries={
            name: msgspec.structs.replace(
                each, texts={**each.texts, "says": "It is " + "long and " * 200}
            )
            for name, each in unchanged.entries.items()
        },
        faults=tuple(f"decode.bytes: fault {n} {'x' * 500}" for n in range(500)),
    )
    gone = msgspec.structs.replace(
        unchanged, entries={f"old.q{n}": unchanged.entries["decode.bytes"] for n in range(3000)}
    )
    for base, now in ((unchanged, head), (gone, unchanged), (unchanged, gone)):
        found = review_of(base, now, "base", "head")
        short, whole = report(found), report(found, whole=True)

        assert len(short) <= LONGEST < len(whole)
        assert "in the whole report" in short or "whole report is a file" in short
        assert short.count("<details") == short.count("</details>")
        assert_fit_for_github(short)


def test_the_weightiest_five_are_open_and_come_first(unchanged: Export) -> None:
    head = unchanged
    for name in ("decode.kv_per_token", "decode.kv_total", "prefill.flops"):
        head = changed(head, name, sources=())
    for name in ("cycle.output_tokens", "latency.end_to_end", "memory.available"):
        body = head.entries[name].trees["body"]
        head = changed(head, name, trees={"body": ["*", body, [3]]})
    head = changed(
        head, "memory.copies", texts={**head.entries["memory.copies"].texts, "unit": "s"}
    )
    text = report(review_of(unchanged, head, "base", "head"))
    opened = re.findall(r"<details markdown=\"1\"( open)?>\n<summary><code>(.*?)</code>", text)

    assert [bool(is_open) for is_open, _ in opened] == [True] * 5 + [False] * 2
    assert {name for _, name in opened[:3]} == {
        "cycle.output_tokens", "latency.end_to_end", "memory.available",
    }  # fmt: skip
    assert opened[3][1] == "memory.copies"
