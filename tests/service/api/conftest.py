"""One embedded server and one service for all tests of the REST edge; each test brings its own players and tables."""

import contextlib
from collections.abc import Iterator

import pytest

from tests.service.api.world import ADMIN, World, embedded_store
from tests.service.web import serving

BOTH_LANES = "test_clocks test_hostile_requests test_http test_looks test_moves test_names test_scopes test_tables"


@pytest.fixture(scope="session")
def store_url() -> Iterator[str]:
    with embedded_store() as url:
        yield url


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What says how tables and moves are asked for is tested in threads and on the event loop."""
    module = metafunc.module.__name__.rpartition(".")[2]
    if module in BOTH_LANES.split() and "world" in metafunc.fixturenames:
        metafunc.parametrize("world", ["threads", "loop"], indirect=True, scope="session")


@pytest.fixture(scope="session")
def world(store_url: str, request: pytest.FixtureRequest) -> Iterator[World]:
    on_the_loop = getattr(request, "param", "threads") == "loop"
    with contextlib.closing(World(store_url, on_the_loop=on_the_loop)) as found:
        yield found


@pytest.fixture
def few(store_url: str, request: pytest.FixtureRequest) -> Iterator[World]:
    """A service whose accounts may have only a few of something: the setting is the test's parameter."""
    with contextlib.closing(World(store_url, **request.param)) as found:
        yield found


@pytest.fixture(scope="module")
def own() -> Iterator[World]:
    """A service on a store that the tests of one file have alone: it may be put back.

    That of the others is followed as long as they run, and whoever follows it says what is lost.
    """
    with embedded_store() as url, contextlib.closing(World(url)) as found:
        yield found


@pytest.fixture(scope="session")
def address(store_url: str) -> Iterator[str]:
    """Where a real web server serves what is kept in the store of `world`."""
    with serving(store_url, ADMIN_TOKEN=ADMIN) as found:
        yield found
