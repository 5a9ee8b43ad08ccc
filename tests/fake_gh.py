"""
What `gh api` answers, for as much of GitHub as the comment of a review needs.

The folder in `FAKE_GITHUB` is the whole of it: `state.json` with pull requests, artifacts and
comments, and an archive for each artifact. What is asked in another way than GitHub wants ends with
exit code 1.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

PAGE = 2
"""How many comments a page has. GitHub gives up to 100, if asked."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("api", choices=["api"])
    parser.add_argument("--method", required=True)
    parser.add_argument("place")
    parser.add_argument("-f", action="append", default=[], dest="fields")
    parser.add_argument("--input")
    parser.add_argument("--paginate", action="store_true")
    parser.add_argument("--slurp", action="store_true")
    asked = parser.parse_args()
    folder = Path(os.environ["FAKE_GITHUB"])
    state = json.loads((folder / "state.json").read_text(encoding="utf-8"))
    query = dict(each.split("=", 1) for each in asked.fields)
    given: dict[str, Any] = json.loads(sys.stdin.buffer.read()) if asked.input == "-" else {}
    repository = f"repos/{os.environ['GITHUB_REPOSITORY']}/"
    token = os.environ.get("GH_TOKEN")
    may = token and (asked.method == "GET" or token != "read only")
    if not may or not asked.place.startswith(repository):
        sys.exit("gh: refused")
    match asked.method, asked.place.removeprefix(repository):
        case "GET", "pulls":
            say([each for each in state["pulls"] if wanted(each, query)])
        case "GET", place if found := re.fullmatch(r"actions/runs/(\d+)/artifacts", place):
            kept = [each for each in state["artifacts"] if each["run"] == int(found[1])]
            say({"artifacts": [each for each in kept if each["name"] == query["name"]]})
        case "GET", place if found := re.fullmatch(r"actions/artifacts/(\d+)/zip", place):
            sys.stdout.buffer.write((folder / f"{found[1]}.zip").read_bytes())
        case "GET", place if found := re.fullmatch(r"issues/(\d+)/comments", place):
            there = [each for each in state["comments"] if each["issue"] == int(found[1])]
            pages = [there[start : start + PAGE] for start in range(0, len(there), PAGE)] or [[]]
            say((pages if asked.paginate else pages[:1]) if asked.slurp else pages[0])
        case "POST", place if found := re.fullmatch(r"issues/(\d+)/comments", place):
            user = {"login": "github-actions[bot]"}
            state["comments"].append({"id": 99, "issue": int(found[1]), "user": user, **given})
        case "PATCH", place if found := re.fullmatch(r"issues/comments/(\d+)", place):
            (comment,) = (each for each in state["comments"] if each["id"] == int(found[1]))
            comment.update(given)
        case _:
            sys.exit("gh: Not Found (HTTP 404)")
    (folder / "state.json").write_text(json.dumps(state), encoding="utf-8")


def wanted(pull: dict[str, Any], query: dict[str, str]) -> bool:
    """Tell whether GitHub would list a pull request. A head that it cannot read is no filter."""
    owner, _, branch = query["head"].partition(":")
    head = pull["head"]
    if not (owner and branch):
        return True
    return bool(
        pull["state"] == query["state"] and head["owner"] == owner and head["ref"] == branch
    )


def say(answer: object) -> None:
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
