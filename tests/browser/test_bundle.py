"""The page as a release brings it: bundled, so that a first view takes few requests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import hosts
from tests.browser.first_view import first_view
from tools import bundling

MOST_BYTES, MOST_REQUESTS = 100_000, 10


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
