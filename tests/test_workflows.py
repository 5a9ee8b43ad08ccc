"""The workflows of GitHub: what they may do, and what their scripts do, run here with doubles."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
import yaml

PROJECT = Path(__file__).parents[1]
FOLDER = PROJECT / ".github" / "workflows"
FILES = sorted(FOLDER.iterdir())
SCRIPTS = Path(sysconfig.get_path("scripts"))
MARKER = "<!-- derivations review -->"
BOT = "github-actions[bot]"


def workflow(name: str) -> dict[str, Any]:
    """Read a workflow. All values are texts: otherwise `on` would be a truth value."""
    text = (FOLDER / f"{name}.yml").read_text(encoding="utf-8")
    read: dict[str, Any] = yaml.load(text, yaml.BaseLoader)
    return read


def steps(name: str) -> list[dict[str, Any]]:
    return [step for job in workflow(name)["jobs"].values() for step in job["steps"]]


def step(name: str, called: str) -> dict[str, Any]:
    """Give the one step of a workflow with a name."""
    (found,) = (each for each in steps(name) if each.get("name") == called)
    return found


def linted(*words: str, given: str | None = None) -> None:
    """Run a linter that has to be content."""
    program = str(SCRIPTS / words[0])
    done = subprocess.run([program, *words[1:]], cwd=PROJECT, input=given, text=True,
                          capture_output=True)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


# What they are


def test_there_are_three() -> None:
    assert [path.name for path in FILES] == ["checks.yml", "review-comment.yml", "review.yml"]


def test_they_are_secure_in_the_eyes_of_zizmor() -> None:
    linted("zizmor", "--offline", "--no-progress", "--persona=pedantic", str(FOLDER))


def test_they_are_written_as_github_reads_them() -> None:
    schema = "vendor.github-workflows"
    linted("check-jsonschema", "--builtin-schema", schema, *map(str, FILES))


def test_the_script_of_the_comment_is_written_as_all_our_python() -> None:
    script = step("review-comment", "Comment")["run"]

    linted("ruff", "check", "--stdin-filename", "comment.py", "-", given=script)
    linted("ruff", "format", "--diff", "--stdin-filename", "comment.py", "-", given=script)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_script_has_anything_put_into_it(path: Path) -> None:
    """Values of an event come by the environment, where they cannot become code."""
    assert not [each["run"] for each in steps(path.stem) if "${{" in each.get("run", "")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_actions_are_those_of_github_at_a_commit_that_is_named(path: Path) -> None:
    used = re.findall(r"uses: *(.*)", path.read_text(encoding="utf-8"))
    pinned = re.compile(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")

    assert [each for each in used if not pinned.fullmatch(each)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_they_may_do_is_listed_for_each_job(path: Path) -> None:
    read = workflow(path.stem)
    allowed = {"checks": {"contents": "read"}, "review": {"contents": "read"},
               "review-comment": {"actions": "read", "pull-requests": "write"}}  # fmt: skip

    assert read["permissions"] == {}
    for job in read["jobs"].values():
        assert job["permissions"] == allowed[path.stem]
        assert int(job["timeout-minutes"]) <= 60


def test_what_runs_strangers_code_has_no_secret() -> None:
    for name in ("checks", "review"):
        text = (FOLDER / f"{name}.yml").read_text(encoding="utf-8")
        (checkout,) = (each for each in steps(name) if "checkout" in each.get("uses", ""))

        assert "pull_request" in workflow(name)["on"]
        assert "pull_request_target" not in text
        assert "secrets." not in text
        assert "github.token" not in text
        assert checkout["with"]["persist-credentials"] == "false"


def test_what_may_write_checks_out_nothing() -> None:
    (only,) = steps("review-comment")

    assert "uses" not in only
    assert not re.search(r"\bgit\b|pip|derivations review\b(?! -->)", only["run"])


def test_the_comment_follows_the_review_of_a_pull_request() -> None:
    read = workflow("review-comment")
    (job,) = read["jobs"].values()

    assert read["on"] == {
        "workflow_run": {"workflows": [workflow("review")["name"]], "types": ["completed"]}
    }
    assert "github.event.workflow_run.event == 'pull_request' &&" in job["if"]


def test_a_push_ends_what_runs_for_the_push_before() -> None:
    for name in ("checks", "review"):
        concurrency = workflow(name)["concurrency"]

        assert "github.event.pull_request.number" in concurrency["group"]
        assert concurrency["cancel-in-progress"] == "true"


def test_a_failed_step_fails_the_review_and_the_report_is_kept_all_the_same() -> None:
    (job,) = workflow("review")["jobs"].values()
    after = [
        each.get("name") for each in steps("review") if each.get("if") == "${{ !cancelled() }}"
    ]

    assert after == ["Check", "Review", "Keep the report"]
    assert step("review", "Check")["run"] == "derivations check"
    assert "continue-on-error" not in str(job)


# The review


class Reviewed:
    """The script of the review, run where a pull request would be merged, with a double."""

    def __init__(self, place: Path, double: str, *, merged: bool = True) -> None:
        self.runner, self.repository, programs = place / "runner", place / "repo", place / "bin"
        for folder in (self.runner, self.repository, programs):
            folder.mkdir()
        self.summary_file = place / "summary.md"
        self._commit("first")
        self.git("switch", "--quiet", "-c", "work")
        self._commit("work")
        self.git("switch", "--quiet", "main")
        self._commit("of another")
        self.base = self.git("rev-parse", "HEAD")
        if merged:
            self.git("merge", "--quiet", "--no-edit", "work")
        if double:
            program = programs / "derivations"
            program.write_text(f"#!/bin/bash\n{double}\n", encoding="utf-8")
            program.chmod(0o755)
        script = place / "script.sh"
        script.write_text(step("review", "Review")["run"], encoding="utf-8")
        self.done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.repository,
            env={
                "PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin",
                "RUNNER_TEMP": str(self.runner),
                "GITHUB_STEP_SUMMARY": str(self.summary_file),
                "CALLED": str(place / "called"),
            },
            capture_output=True,
            text=True,
        )
        self.called = (place / "called").read_text() if (place / "called").exists() else ""
        self.summary = self.summary_file.read_text(encoding="utf-8")

    def git(self, *words: str) -> str:
        ours = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        who = [
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@example.org",
            "-c",
            "init.defaultBranch=main",
        ]
        command = ["git", *who, *words]
        done = subprocess.run(
            command, cwd=self.repository, env=ours, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def _commit(self, name: str) -> None:
        self.git("init", "--quiet")
        (self.repository / name).write_text(name)
        self.git("add", ".")
        self.git("commit", "--quiet", "-m", name)

    def file(self, name: str) -> str:
        """Give a file of the artifact."""
        return (self.runner / "review" / name).read_text(encoding="utf-8")


SAYS = 'echo "$@" >"$CALLED"; echo short; echo whole >"$4"; echo spoken >&2; exit '


def test_the_shell_of_the_review_is_the_one_that_it_is_tested_with() -> None:
    assert workflow("review")["defaults"]["run"]["shell"] == "bash"


@pytest.mark.parametrize("code", [0, 1])
def test_the_whole_report_is_the_summary_and_objections_fail_the_job(
    tmp_path: Path, code: int
) -> None:
    made = Reviewed(tmp_path, f"{SAYS}{code}")

    assert made.done.returncode == code
    assert made.summary == "whole\n"
    assert (made.file("report.md"), made.file("whole.md")) == ("short\n", "whole\n")
    assert "spoken" in made.done.stderr


def test_what_is_compared_is_the_merge_and_what_it_was_made_on(tmp_path: Path) -> None:
    made = Reviewed(tmp_path, f"{SAYS}0")

    assert made.called.split()[:3] == ["review", made.base, "--whole"]
    assert made.git("diff", "--name-only", made.base, "HEAD") == "work"


def test_a_report_that_is_too_long_for_a_summary_is_shortened(tmp_path: Path) -> None:
    made = Reviewed(tmp_path, 'echo short; head -c 1100000 /dev/zero | tr "\\0" a >"$4"')

    assert made.done.returncode == 0
    assert made.summary == "short\n"
    assert len(made.file("whole.md")) == 1_100_000


@pytest.mark.parametrize(
    ("double", "code", "said"),
    [
        ("echo half; echo 'no such `revision`' >&2; exit 2", 2, "    no such `revision`"),
        ("exit 0", 2, ""),
        ("echo Traceback >&2; exit 1", 2, "    Traceback"),
        ("", 127, "derivations: command not found"),
    ],
)
def test_a_review_that_could_not_run_says_so(
    tmp_path: Path, double: str, code: int, said: str
) -> None:
    made = Reviewed(tmp_path, double)

    assert made.done.returncode == code
    assert made.summary.startswith(
        f"**The review could not run**, and ended with exit code {code}:"
    )
    assert said in made.summary
    assert "half" not in made.summary
    assert made.file("report.md") == made.file("whole.md") == made.summary


def test_without_a_merge_there_is_nothing_to_compare(tmp_path: Path) -> None:
    made = Reviewed(tmp_path, f"{SAYS}0", merged=False)

    assert made.done.returncode > 1
    assert made.called == ""
    assert "**The review could not run**" in made.summary


def test_the_artifact_is_what_the_comment_looks_for() -> None:
    kept = step("review", "Keep the report")["with"]

    assert kept["path"] == "${{ runner.temp }}/review/"
    assert f'"name={kept["name"]}"' in step("review-comment", "Comment")["run"]


# The comment

PULL = {
    "number": 7,
    "state": "open",
    "head": {
        "sha": "a" * 40,
        "ref": "their-branch",
        "owner": "them",
        "repo": {"full_name": "them/derivations"},
    },
}


class GitHub:
    """The double of GitHub, with one pull request of a fork, and the report of one run."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.pulls = [json.loads(json.dumps(PULL))]
        self.comments: list[dict[str, Any]] = []
        self.artifacts = [self.artifact(5)]
        self.archive(5, {"report.md": b"# Report\n", "whole.md": b"# Whole\n"})
        self.environment = {
            "GH_TOKEN": "a token",
            "GITHUB_REPOSITORY": "us/derivations",
            "HEAD_BRANCH": "their-branch",
            "HEAD_OWNER": "them",
            "HEAD_REPOSITORY": "them/derivations",
            "HEAD_SHA": "a" * 40,
            "RUN_ID": "3",
            "RUN_URL": "https://github.example/us/derivations/actions/runs/3",
        }
        gh = place / "gh"
        fake = Path(__file__).with_name("fake_gh.py").read_text(encoding="utf-8")
        gh.write_text(f"#!{sys.executable}\n{fake}", encoding="utf-8")
        gh.chmod(0o755)

    @staticmethod
    def artifact(number: int, **other: object) -> dict[str, Any]:
        common = {"id": number, "run": 3, "name": "review", "expired": False, "size_in_bytes": 900}
        return {**common, **other}

    def archive(self, number: int, files: dict[str, bytes]) -> None:
        with ZipFile(self.place / f"{number}.zip", "w", ZIP_DEFLATED) as packed:
            for name, content in files.items():
                packed.writestr(name, content)

    def reports(self, report: str) -> None:
        self.archive(5, {"report.md": report.encode()})

    def comment(self, number: int, body: str, login: str | None = BOT, issue: int = 7) -> None:
        user = login and {"login": login}
        self.comments.append({"id": number, "issue": issue, "user": user, "body": body})

    def run(self) -> subprocess.CompletedProcess[str]:
        """Run the script of the comment; afterwards, the comments are as it left them."""
        state = self.place / "state.json"
        there = {each: getattr(self, each) for each in ("pulls", "artifacts", "comments")}
        state.write_text(json.dumps(there), encoding="utf-8")
        script = self.place / "script.py"
        script.write_text(step("review-comment", "Comment")["run"], encoding="utf-8")
        (self.place / "workspace").mkdir()
        done = subprocess.run(
            [sys.executable, str(script)],
            cwd=self.place / "workspace",
            env={
                "PATH": f"{self.place}:/usr/bin:/bin",
                "FAKE_GITHUB": str(self.place),
                **self.environment,
            },
            capture_output=True,
            text=True,
        )
        self.comments = json.loads(state.read_text(encoding="utf-8"))["comments"]
        return done

    def bodies(self) -> list[str]:
        return [each["body"] for each in self.comments]


@pytest.fixture
def github(tmp_path: Path) -> Iterator[GitHub]:
    """Give a double of GitHub. Nothing of an artifact is ever written to a file."""
    double = GitHub(tmp_path)
    yield double
    assert list((tmp_path / "workspace").iterdir()) == []


def test_the_environment_of_the_comment_is_what_it_is_tested_with(github: GitHub) -> None:
    github.run()
    github.environment.pop("GITHUB_REPOSITORY")  # GitHub sets it by itself
    given = step("review-comment", "Comment")["env"]

    assert set(given) == set(github.environment)
    assert given.pop("GH_TOKEN") == "${{ github.token }}"
    assert all(each.startswith("${{ github.event.workflow_run.") for each in given.values())
    assert step("review-comment", "Comment")["shell"] == "python"


def test_the_first_report_makes_a_comment(github: GitHub) -> None:
    done = github.run()

    assert done.returncode == 0, done.stderr
    assert github.bodies() == [
        f"{MARKER}\nWhat aaaaaaaaa changes, worked out by the pull request's own code in "
        "[this run](https://github.example/us/derivations/actions/runs/3).\n\n# Report\n"
    ]
    assert github.comments[0]["issue"] == 7


def test_the_next_report_takes_its_place(github: GitHub) -> None:
    for number in range(1, 6):  # more than a page
        github.comment(number, "Talk.", "somebody")
    github.comment(6, f"{MARKER}\nOld.")
    github.comment(8, f"{MARKER}\nOf another pull request.", issue=8)
    before = github.bodies()
    done = github.run()

    assert done.returncode == 0, done.stderr
    assert "# Report" in github.bodies()[5]
    assert [*github.bodies()[:5], *github.bodies()[6:]] == [*before[:5], *before[6:]]


@pytest.mark.parametrize(
    ("body", "login"),
    [(f"{MARKER}\nMine.", "somebody"), (f"{MARKER}\nA ghost.", None), (f"> {MARKER}", BOT)],
)
def test_what_others_wrote_is_left_alone(github: GitHub, body: str, login: str | None) -> None:
    github.comment(1, body, login)
    done = github.run()

    assert done.returncode == 0, done.stderr
    assert len(github.bodies()) == 2
    assert github.bodies()[0] == body
    assert "# Report" in github.bodies()[1]


@pytest.mark.parametrize(
    "change",
    [
        {"sha": "b" * 40},
        {"repo": {"full_name": "them/other"}},
        {"repo": None},
        {"owner": "others"},
        {"ref": "other"},
    ],
    ids=["pushed since", "another fork", "a fork that is gone", "another owner", "another branch"],
)
def test_a_report_of_something_else_is_not_posted(
    github: GitHub, change: dict[str, object]
) -> None:
    github.comment(1, f"{MARKER}\nOld.")
    github.pulls[0]["head"].update(change)
    done = github.run()

    assert done.returncode == 0, done.stderr
    assert "No comment: 0 open pull requests" in done.stdout
    assert github.bodies() == [f"{MARKER}\nOld."]


@pytest.mark.parametrize("many", [0, 2])
def test_it_has_to_be_one_pull_request(github: GitHub, many: int) -> None:
    github.pulls *= many
    done = github.run()

    assert done.returncode == 0, done.stderr
    assert f"No comment: {many} open pull requests" in done.stdout
    assert github.bodies() == []


def test_a_closed_pull_request_is_left_alone(github: GitHub) -> None:
    github.pulls[0]["state"] = "closed"

    assert github.run().returncode == 0
    assert github.bodies() == []


@pytest.mark.parametrize(
    "artifact", [{"run": 4}, {"name": "other"}, {"expired": True}, {"size_in_bytes": 10**9}]
)
def test_without_a_report_there_is_no_comment(github: GitHub, artifact: dict[str, object]) -> None:
    github.artifacts = [github.artifact(5, **artifact)]
    done = github.run()

    assert done.returncode == 0, done.stderr
    assert "No comment: the " in done.stdout
    assert github.bodies() == []


def test_of_a_run_that_was_repeated_the_last_report_counts(github: GitHub) -> None:
    github.artifacts = [github.artifact(5), github.artifact(6), github.artifact(4)]
    github.archive(6, {"report.md": b"Newest."})
    github.run()

    assert "Newest." in github.bodies()[0]


@pytest.mark.parametrize("sign", ["a", "a line\n", "𝑥"])
def test_a_report_that_is_too_long_is_cut_and_says_where_the_whole_is(
    github: GitHub, sign: str
) -> None:
    github.reports(sign * 400_000)
    done = github.run()

    assert done.returncode == 0, done.stderr
    (body,) = github.bodies()
    first, rest = body.split("\n\n", 1)
    assert len(body) == 65_000
    assert "actions/runs/3" in first
    assert first.endswith("cut.** The whole is in the artifact of the run.")
    assert (sign * 400_000).startswith(rest)


def test_the_longest_report_that_is_promised_is_not_cut(github: GitHub) -> None:
    github.reports("é" * 60_000)
    github.run()

    assert github.bodies()[0].endswith("\n\n" + "é" * 60_000)


HOSTILE = [
    "`id` $(id) ${{ github.token }} $GH_TOKEN ; exit 1 # \\",
    "\"quotes\" 'single' \"\"\" '''\n\nEOF\n}}\n",
    "::set-output name=x::y\n::add-mask::a\n",
    f"{MARKER}\n{MARKER}",
    "@/etc/passwd",
    "-f body=else --input other",
    "```\n<details><!-- never closed",
    "naïve 𝑥 \x1b[31m \u202e",
]


@pytest.mark.parametrize("report", HOSTILE)
def test_a_hostile_report_is_text(github: GitHub, report: str) -> None:
    github.reports(report)
    done = github.run()

    assert done.returncode == 0, done.stderr
    assert github.bodies()[0].split("\n\n", 1)[1] == report
    assert done.stdout == ""


def test_a_report_that_is_no_text_is_made_one(github: GitHub) -> None:
    github.archive(5, {"report.md": b"\xff\xfe ok"})
    github.run()

    assert github.bodies()[0].endswith("\n\n�� ok")


def test_files_beside_the_report_go_nowhere(github: GitHub) -> None:
    """A module of that name would be imported, if it came to lie beside the script."""
    evil = b"raise SystemExit('taken over')"
    files = {"../json.py": evil, "json.py": evil, "/tmp/json.py": evil, "report.md": b"Fine."}
    github.archive(5, files)
    done = github.run()

    assert done.returncode == 0, done.stderr
    assert not (github.place / "json.py").exists()
    assert github.bodies()[0].endswith("\n\nFine.")


@pytest.mark.parametrize("branch", ["a b", "$(id)", "x&state=closed", "a/b#c", "-f"])
def test_any_name_of_a_branch_is_found(github: GitHub, branch: str) -> None:
    github.pulls[0]["head"]["ref"] = github.environment["HEAD_BRANCH"] = branch
    done = github.run()

    assert done.returncode == 0, done.stderr
    assert len(github.bodies()) == 1


@pytest.mark.parametrize("token", ["", "read only"])
def test_where_github_refuses_the_job_fails(github: GitHub, token: str) -> None:
    github.environment["GH_TOKEN"] = token
    done = github.run()

    assert done.returncode != 0
    assert "gh: refused" in done.stderr
    assert github.bodies() == []


def test_an_event_without_an_owner_finds_no_branch_of_another_name(github: GitHub) -> None:
    github.environment["HEAD_OWNER"] = ""
    github.pulls[0]["head"]["ref"] = "other"
    done = github.run()

    assert "No comment: 0 open pull requests" in done.stdout
    assert github.bodies() == []
