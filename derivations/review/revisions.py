"""Revisions of a git repository: found, unpacked into a folder, and what differs between them."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from tempfile import TemporaryDirectory

EXPORTER = "derivations/review/export.py"
"""The module that a revision needs in order to be compared."""
CHANGELOG = "CHANGELOG.md"


class RevisionError(ValueError):
    """No repository, no such revision, or one that cannot be compared."""


@dataclass(frozen=True)
class Revision:
    """A revision by what it was called, and its commit. Without one, it is the working tree."""

    name: str
    commit: str = ""

    def __str__(self) -> str:
        return f"{self.name} ({self.commit[:9]})" if self.commit else self.name


class Repository:
    """The repository around a folder. Nothing in it is written to, its index neither."""

    def __init__(self, around: Path) -> None:
        """Find it. Raises `RevisionError` where there is none, and where git is not installed."""
        try:
            found = _git(around, "rev-parse", "--absolute-git-dir")
        except FileNotFoundError:
            raise RevisionError("git is not installed; a review compares git revisions") from None
        if found is None:
            raise RevisionError(
                f"{around} is not in a git repository; a review compares git revisions, so run it "
                "in a clone of the project"
            )
        self._folder = Path(_line(found))
        top = _git(around, "rev-parse", "--show-toplevel")
        self.root = Path(_line(top)) if top else None
        """The working tree; a bare repository has none."""

    def revision(self, name: str | None) -> Revision:
        """
        Give the revision with a name; None is the working tree.

        Raises `RevisionError` where there is no such revision, and where its code is older than
        the export that is compared.
        """
        if name is None:
            if self.root is None:
                raise RevisionError(
                    "this repository is bare, without a working tree; name HEAD, too"
                )
            return self._comparable(Revision("the working tree"))
        # An option is no revision, and neither is a range of them.
        found = None
        if name and not name.startswith("-") and not re.search(r"\s|\.\.", name):
            commit = f"{name}^{{commit}}"
            found = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", commit)
        if found is None:
            raise RevisionError(f"there is no revision {name!r}{self._near(name)}")
        return self._comparable(Revision(name, found.decode().strip()))

    def _near(self, name: str) -> str:
        listed = self._run("for-each-ref", "--format=%(refname:short)") or b""
        names = [each for each in listed.decode(errors="replace").splitlines() if each]
        near = get_close_matches(name, names, n=3, cutoff=0.5)
        shallow = self._run("rev-parse", "--is-shallow-repository") == b"true\n"
        cut = "; this clone is shallow: git fetch --unshallow brings the rest" if shallow else ""
        return (f"; did you mean {' or '.join(near)}?" if near else "") + cut

    def _comparable(self, revision: Revision) -> Revision:
        if self.text(revision, EXPORTER) is not None:
            return revision
        if self.text(revision, "derivations/__init__.py") is None:
            raise RevisionError(f"{revision} has no folder derivations in which a book could be")
        added = self._run("log", "--diff-filter=A", "--format=%h", "--reverse", "--", EXPORTER)
        first = (added or b"").decode().split()
        since = f"; the first that can be is {first[0]}" if first else ""
        raise RevisionError(
            f"{revision} cannot be compared: it is older than {EXPORTER}, by which a revision "
            f"writes out its formulas and values{since}"
        )

    def text(self, revision: Revision, place: str) -> str | None:
        """Give the text of a file in a revision, None where there is none."""
        if not revision.commit:
            assert self.root is not None
            try:
                return (self.root / place).read_text(encoding="utf-8", errors="replace")
            except OSError:
                return None
        found = self._run("cat-file", "blob", f"{revision.commit}:{place}")
        return None if found is None else found.decode(errors="replace")

    def changed(self, base: Revision, head: Revision) -> tuple[str, ...]:
        """Give the files that differ, by their places below the root."""
        ends = [each.commit for each in (base, head) if each.commit]
        found = self._run("diff", "--name-only", "--no-renames", "-z", *ends) or b""
        names = set(found.decode(errors="replace").split("\0"))
        if not head.commit:
            new = self._run("ls-files", "--others", "--exclude-standard", "-z") or b""
            names.update(new.decode(errors="replace").split("\0"))
        return tuple(sorted(names - {""}))

    @contextmanager
    def unpacked(self, revision: Revision) -> Iterator[Path]:
        """Give a folder that holds a revision, for as long as it is needed."""
        if not revision.commit:
            assert self.root is not None
            yield self.root
            return
        with TemporaryDirectory(prefix="derivations-") as folder:
            tree, index = Path(folder) / "tree", Path(folder) / "index"
            tree.mkdir()
            # An index and a tree of its own: what is checked out elsewhere is left alone, and no
            # attribute of a file keeps it from being there.
            own = {"GIT_INDEX_FILE": str(index), "GIT_WORK_TREE": str(tree)}
            read = self._run("read-tree", revision.commit, **own)
            if read is None or self._run("checkout-index", "--all", "--quiet", **own) is None:
                raise RevisionError(f"{revision} cannot be unpacked")
            yield tree

    def _run(self, *words: str, **environment: str) -> bytes | None:
        own = {"GIT_DIR": str(self._folder), **environment}
        if self.root is not None and "GIT_WORK_TREE" not in own:
            own["GIT_WORK_TREE"] = str(self.root)
        return _git(Path(own.get("GIT_WORK_TREE", self._folder)), *words, **own)


def _git(folder: Path, *words: str, **environment: str) -> bytes | None:
    """Give what git writes; None where it refuses."""
    done = subprocess.run(
        ["git", "-c", "core.quotePath=false", *words],
        cwd=folder,
        env={**os.environ, "GIT_OPTIONAL_LOCKS": "0", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    return done.stdout if done.returncode == 0 else None


def _line(written: bytes) -> str:
    return written.decode(errors="surrogateescape").removesuffix("\n")
