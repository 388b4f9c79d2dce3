"""The page as a release brings it: bundled, so that a first view takes few requests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import hosts
from tests.browser.first_view import first_view
from tools import bundling

MOST_BYTES, MOST_REQUESTS = 120_000, 11


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our packages, compiled as they are here, with a bundle of the page."""
    folder = hosts.copy_of_packages(tmp_path_factory.mktemp("tree"))
    page = folder / "page"
    bundling.bundle(page / "static", page / "bundled")
    return folder


@pytest.fixture(scope="module")
def bundled(tree: Path) -> Iterator[str]:
    """The address of a service that serves the bundle."""
    with hosts.service(tree) as address:
        yield address


def test_a_first_view_of_a_table_is_small(bundled: str, chromium: Browser) -> None:
    """Given a browser that has kept nothing, when it opens a finished table of each game, it asks little."""
    tables = hosts.finished_tables(bundled)

    views = {game: first_view(chromium, f"{bundled}#/tables/{table}") for game, table in tables.items()}

    assert {game: view.size for game, view in views.items() if view.size > MOST_BYTES} == {}
    assert {game: view.requests for game, view in views.items() if view.requests > MOST_REQUESTS} == {}


def test_the_page_can_be_installed(bundled: str, chromium: Browser) -> None:
    """Chromium finds the manifest and both icons, and nothing in them to object to."""
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto(bundled)
        devtools = context.new_cdp_session(page)
        manifest, refusals = (devtools.send(f"Page.{asked}") for asked in ("getAppManifest", "getInstallabilityErrors"))
        assert manifest["url"] == f"{bundled}page/manifest.webmanifest"
        assert manifest["errors"] == []
        assert [error["errorId"] for error in refusals["installabilityErrors"]] == ["in-incognito"]
