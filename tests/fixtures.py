"""What the tests of a house share. A module asks for luck or for a clock of its own by `pytest.mark.usefixtures`."""

from collections.abc import Iterator
from typing import Any

import pytest
from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory

from tests.disputed_tables import Court, luck
from tests.servers import data_directory
from tests.service.web import serving
from tests.tables import Visit

START = "2026-11-21T09:15:41.123Z"


@pytest.fixture
def lucky(request: pytest.FixtureRequest) -> Iterator[None]:
    """The same luck every time, out of the test's name."""
    with luck(request.node.name):
        yield


@pytest.fixture
def now() -> Iterator[FrozenDateTimeFactory]:
    """A clock that stands still at START until it is told."""
    with freeze_time(START) as clock:
        assert isinstance(clock, FrozenDateTimeFactory)
        yield clock


@pytest.fixture
def visit(request: pytest.FixtureRequest) -> Visit:
    """A house on the store, where a test or its module uses `valkey_log`; else on a log in memory."""
    stored = "valkey_log" in request.fixturenames
    return Visit(request.getfixturevalue("valkey_log") if stored else None)


@pytest.fixture
def court() -> Court:
    """A house where rulings are disputed, on a log in memory."""
    return Court()


def noting(notes: list[Any], what: Any, function: Any) -> Any:
    """The function, which first notes `what`, or what that makes of the arguments."""

    def noted(*arguments: Any) -> Any:
        notes.append(what(*arguments) if callable(what) else what)
        return function(*arguments)

    return noted


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of everything on this machine, with AI players."""
    with (
        data_directory() as directory,
        serving("", "-m", "wintercount", "run", "--no-demo", DATA=str(directory), SECRET="") as found,
    ):
        yield found
