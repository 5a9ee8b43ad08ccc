"""What the tests share: hypothesis as it should run here and in CI, a browser, a built site."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.serving import FLAGS, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

IN_CI = os.environ.get("CI") == "true"

settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("many", settings.get_profile("here"), max_examples=3000)
settings.register_profile("ci", settings.get_profile("here"), derandomize=True, database=None)
settings.load_profile("ci" if IN_CI else "here")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Give the system's Chromium. Without one a test is skipped, but never in CI."""
    place = shutil.which("chromium")
    if place is None:
        reason = "there is no Chromium on this machine"
        pytest.fail(reason) if IN_CI else pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=place, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def served(site: Path) -> Iterator[str]:
    """Serve the built site on this machine, and give its address."""
    with serving(site) as address:
        # The theme looks a link up in the sitemap with its port, which is not known before.
        sitemap = site / "sitemap.xml"
        text = sitemap.read_text(encoding="utf-8")
        sitemap.write_text(text.replace("http://127.0.0.1/", address), encoding="utf-8")
        yield address


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of the built site. MkDocs is as strict as in `make build`."""
    place = tmp_path_factory.mktemp("built") / "site"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(place)],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "SITE_URL": "http://127.0.0.1/"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return place
