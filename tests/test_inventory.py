"""The inventory, as those read it who look links up in it: Sphinx, MyST and mkdocs-autorefs."""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

import pytest
from sphinx.util.inventory import InventoryFile

from derivations import __version__
from derivations.book import BOOK, decode
from derivations.catalogue import facts
from derivations.reference.inventory import inventory

SITE = "https://example.org/d"


@dataclass(frozen=True)
class Titled:
    title: str


def lines() -> list[str]:
    head, _, rest = inventory().partition(b"zlib.\n")
    assert head.startswith(b"# Sphinx inventory version 2\n# Project: derivations\n")
    assert f"# Version: {__version__}\n".encode() in head
    return zlib.decompress(rest).decode().splitlines()


def test_it_has_every_id_once_with_its_page_and_its_title() -> None:
    found = {}
    for line in lines():
        name, kind, priority, place, title = line.split(" ", 4)
        assert (kind, priority) == ("std:label", "-1")
        assert name not in found
        found[name] = place, title

    for name, entry in BOOK.entries.items():
        assert found[name] == (f"derivations/{name}/", getattr(entry, "title", name))
    for kind in ("accelerator", "model"):
        for name, fact in facts(kind).items():
            for each in (name, *fact.aliases):
                assert found[f"{kind}.{each}"] == (f"{kind}s/{name}/", fact.name)


def test_a_hostile_title_stays_on_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    title = "a\nb std:label -1 evil evil\n"
    monkeypatch.setattr(BOOK, "entries", {"decode.bytes": Titled(title)})

    assert lines()[0] == "decode.bytes std:label -1 derivations/decode.bytes/ " + (
        "a b std:label -1 evil evil"
    )


@pytest.mark.parametrize("title", ["-", " - ", "", "\n", "a\u2028b", "costs $", "x $ 1 -1 $"])
def test_sphinx_reads_any_title_back(title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BOOK, "entries", {"decode.bytes": Titled(title), "decode.weights": None})
    found = InventoryFile.loads(inventory(), uri=SITE).data["std:label"]

    assert found["decode.bytes"].uri == f"{SITE}/derivations/decode.bytes/"
    assert found["decode.bytes"].display_name not in ("-", "")
    assert found["decode.weights"].uri == f"{SITE}/derivations/decode.weights/"


def test_sphinx_reads_every_line_back_and_finds_none_ambiguous() -> None:
    found = InventoryFile.loads(inventory(), uri=SITE).data

    assert set(found) == {"std:label"}
    assert list(found["std:label"]) == [line.partition(" std:label ")[0] for line in lines()]
    assert len({name.lower() for name in found["std:label"]}) == len(lines())


def test_a_former_id_leads_to_the_current_page(monkeypatch: pytest.MonkeyPatch) -> None:
    class Renamed:
        title = "Something"
        formerly = ("decode.old",)

    monkeypatch.setattr(BOOK, "entries", {"decode.new": Renamed()})

    assert "decode.old std:label -1 derivations/decode.new/ Something" in lines()


def sphinx(folder: Path, text: str, suffix: str) -> subprocess.CompletedProcess[str]:
    """Build a small project that looks links up in our inventory; warnings are errors."""
    (folder / "objects.inv").write_bytes(inventory())
    (folder / "conf.py").write_text(
        "extensions = ['sphinx.ext.intersphinx', 'myst_parser']\n"
        f"intersphinx_mapping = {{'derivations': ('{SITE}', '{folder / 'objects.inv'}')}}\n",
        encoding="utf-8",
    )
    (folder / f"index.{suffix}").write_text(text, encoding="utf-8")
    words = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", ".", "out"]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True)


LINK = f'href="{SITE}/derivations/decode.step_time/"'
SPHINX = (
    "Title\n=====\n\nSee :external+derivations:ref:`decode.step_time`, and\n"
    ":external:ref:`decode.bytes`.\n"
)
MYST = "# Title\n\nSee [](inv:derivations#decode.step_time) and <inv:#accelerator.b200>.\n"


@pytest.mark.parametrize(("text", "suffix"), [(SPHINX, "rst"), (MYST, "md")])
def test_sphinx_resolves_an_id(text: str, suffix: str, tmp_path: Path) -> None:
    done = sphinx(tmp_path, text, suffix)
    assert done.returncode == 0, done.stderr
    html = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")

    assert LINK in html
    assert decode.step_time.title in html


@pytest.mark.parametrize(("text", "suffix"), [(SPHINX, "rst"), (MYST, "md")])
def test_sphinx_does_not_resolve_what_there_is_not(text: str, suffix: str, tmp_path: Path) -> None:
    done = sphinx(tmp_path, text.replace("decode.step_time", "decode.steptime"), suffix)

    assert done.returncode != 0
    assert "decode.steptime" in done.stderr


@pytest.mark.parametrize(("name", "code"), [("decode.step_time", 0), ("decode.steptime", 1)])
def test_mkdocs_autorefs_resolves_an_id(name: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "objects.inv").write_bytes(inventory())
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(f"# Title\n\nSee [it][{name}].\n", encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: Other\nplugins:\n- autorefs\n- mkdocstrings:\n"
        "    handlers:\n      python:\n        inventories:\n"
        f"        - url: {(tmp_path / 'objects.inv').as_uri()}\n          base_url: {SITE}\n"
        "          domains: [std]\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "out")],
        cwd=tmp_path,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )

    assert done.returncode == code, done.stderr
    if code == 0:
        assert LINK in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    else:
        assert "decode.steptime" in done.stderr
