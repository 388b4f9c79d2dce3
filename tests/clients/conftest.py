"""One service for all clients: everything on this machine, with AI players, in a directory of its own."""

from collections.abc import Iterator

import pytest

from tests.servers import data_directory
from tests.service.web import serving


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where the service is."""
    with (
        data_directory() as directory,
        serving("", "-m", "wintercount", "run", "--no-demo", DATA=str(directory), SECRET="") as found,
    ):
        yield found
