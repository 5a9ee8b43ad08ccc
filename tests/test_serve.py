"""`mkdocs serve`: saving a formula, a data file or a template shows on the page."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.project_copy import change, copy_of_the_project, environment_of

PATIENCE = 90.0
"""Seconds. How long something may take on a busy machine, not how long it should."""

FORMULA = ("derivations/book/decode.py", 'title="Average decode time per step"')
DATA = ("derivations/data/accelerators/h100-sxm.toml", 'name = "NVIDIA H100 SXM"')
TEMPLATE = ("templates/article.md.jinja", "Inference has two phases.")
MACRO = ("templates/cards.jinja", "{{ formula.title }}")
PAGE = ("site/reading.md", "# How to read it")


@dataclass(frozen=True)
class Server:
    """A server that shows a copy of the project."""

    project: Path
    address: str
    process: subprocess.Popen[bytes]
    log: Path

    def page(self, place: str = "") -> str:
        """Give a page as it is served now; nothing while a build fails or goes on."""
        try:
            with urlopen(self.address + place, timeout=2) as answer:
                return str(answer.read().decode())
        except (URLError, TimeoutError, ConnectionError):
            return ""

    def said(self) -> str:
        return self.log.read_text(encoding="utf-8")


def wait_for(met: Callable[[], bool], server: Server) -> None:
    end = time.monotonic() + PATIENCE
    while not met():
        assert server.process.poll() is None, f"the server has ended:\n{server.said()}"
        assert time.monotonic() < end, f"nothing came of it:\n{server.said()[-3000:]}"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve a copy of the project, with a port and a cache of its own."""
    project = copy_of_the_project(tmp_path_factory.mktemp("served"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = project / "log.txt"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "serve", "--dev-addr", f"127.0.0.1:{port}"],
            cwd=project,
            env=environment_of(project),
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    found = Server(project, f"http://127.0.0.1:{port}/", process, log)
    try:
        wait_for(lambda: "12.85 ms" in found.page(), found)
        yield found
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


@pytest.mark.parametrize(
    ("file", "old", "new", "shown", "place"),
    [
        (*FORMULA, 'title="Mean time of a step"', "Mean time of a step", ""),
        (*DATA, 'name = "NVIDIA H100 of ours"', "NVIDIA H100 of ours", ""),
        (*TEMPLATE, "There are two phases.", "There are two phases.", ""),
        (*MACRO, "Card: {{ formula.title }}", "Card: Total compute available", ""),
        (*PAGE, "# How it is read", "How it is read", "reading/"),
    ],
    ids="formula data template macro page".split(),
)
def test_an_edit_shows_on_the_page_and_so_does_taking_it_back(
    file: str, old: str, new: str, shown: str, place: str, server: Server
) -> None:
    assert shown not in server.page(place)

    change(server.project / file, old, new)
    wait_for(lambda: shown in server.page(place), server)
    change(server.project / file, new, old)
    wait_for(lambda: bool(page := server.page(place)) and shown not in page, server)

    assert server.process.poll() is None


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (*FORMULA, 'title="Average decode time per step", title=', "decode.py:"),
        (
            "derivations/book/decode.py",
            "bytes / machine.bandwidth,",
            "2 * bytes / machine.bandwidth,",
            "decode.py:94: 2 stands bare before a quantity",
        ),
        (
            "derivations/book/decode.py",
            "weights + workload.concurrency * kv_per_sequence,",
            "weights + workload.concurrency,",
            "decode.bytes: ",
        ),
        (*DATA, "name = 5", "h100-sxm.toml: name: it is a whole number"),
        (*TEMPLATE, "{{ decode.nothing | figure }}", "nothing called 'decode.nothing'"),
    ],
    ids="syntax bare_number unit data template".split(),
)
def test_a_fault_leaves_the_server_alive_and_mending_it_brings_the_page_back(
    file: str, old: str, new: str, message: str, server: Server
) -> None:
    path = server.project / file
    before = len(server.said())
    change(path, old, new)
    wait_for(lambda: message in server.said()[before:], server)
    change(path, new, old)
    wait_for(lambda: "12.85 ms" in server.page(), server)

    assert server.process.poll() is None


def test_one_edit_gives_one_rebuild(server: Server) -> None:
    file, old = FORMULA
    before = server.said().count("Detected file changes")
    change(server.project / file, old, 'title="Once"')
    wait_for(lambda: "Once" in server.page(), server)
    time.sleep(4)
    rebuilt = server.said().count("Detected file changes") - before
    change(server.project / file, 'title="Once"', old)

    assert rebuilt == 1


def test_a_new_accelerator_gets_its_page_and_loses_it_with_its_file(server: Server) -> None:
    settings = server.project / "mkdocs.yml"
    before = settings.read_text(encoding="utf-8")
    parts = re.sub(r"parts: .*", "parts: [article, accelerators]", before)
    settings.write_text(parts, encoding="utf-8")
    chips = server.project / "derivations" / "data" / "accelerators"
    text = (chips / "h100-sxm.toml").read_text(encoding="utf-8")
    new = text.replace('"NVIDIA H100 SXM"', '"Acme Nova"').replace('aliases = ["h100"]\n', "")
    (chips / "nova.toml").write_text(new, encoding="utf-8")
    wait_for(lambda: "Acme Nova" in server.page("accelerators/nova/fp8/"), server)
    (chips / "nova.toml").unlink()
    wait_for(lambda: not server.page("accelerators/nova/fp8/"), server)
    wait_for(lambda: "12.85 ms" in server.page("accelerators/h100-sxm/fp8/"), server)
    settings.write_text(before, encoding="utf-8")
    wait_for(lambda: "12.85 ms" in server.page(), server)

    assert server.process.poll() is None
