"""Branches of branches: whether all of one may be told depends on the whole line, which is bounded."""

from typing import Any

import pytest

from service.tables import believing
from tests.service.api.world import Somebody, World, accepted, refused

LONG = 4  # tables of a line


class Line:
    """A finished game of Tomahawk, a finished branch of it, a finished branch of that, and so on."""

    def __init__(self, world: World) -> None:
        self.world, self.ann, self.eve = world, world.somebody("Ann"), world.somebody("Eve")
        bob = world.somebody("Bob")
        self.tables = [world.open(self.ann, bob, game="tomahawk")]
        world.play(self.tables[0], self.ann, bob, moves=8)
        self.version = accepted(self.ann.get(f"/v1/tables/{self.tables[0]}"))["version"]
        world.finish(self.tables[0])
        while len(self.tables) < LONG:
            self.tables.append(self._branch(self.tables[-1]))

    def _branch(self, table: str) -> str:
        version = self.version if table == self.tables[0] else 4
        branch = str(accepted(self.ann.post(f"/v1/tables/{table}/forks", {"version": version}), 201)["table"])
        self.world.finish(branch)
        return branch

    def asked(self, who: Somebody, query: str) -> Any:
        """What is answered about the last branch."""
        return who.get(f"/v1/tables/{self.tables[-1]}/{query}")


@pytest.fixture(scope="module")
def line(world: World) -> Line:
    return Line(world)


def test_a_line_that_is_too_long_to_be_followed_is_told_nothing_of(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever makes a long one would keep others waiting by each look at its end."""
    monkeypatch.setattr(believing, "MOST_FORKS", LONG - 1)
    refused(line.asked(line.eve, "analysis"), 409, "table-not-over")
    refused(line.asked(line.eve, "beliefs?worlds=20"), 403, "not-your-seat")
    monkeypatch.setattr(believing, "MOST_FORKS", LONG)
    assert line.asked(line.eve, "analysis").status_code == 404
