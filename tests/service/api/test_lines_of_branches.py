"""Branches of branches: whether all of one may be told depends on the whole line, which is paid for, and bounded."""

from typing import Any

import pytest

from service.limits.costs import READ_MS, read_ms
from service.limits.reading import reading_ms
from service.tables import believing
from tests.service.api.test_feed import work_left
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

    def charged(self, who: Somebody, query: str) -> tuple[Any, int]:
        """What is answered about the last branch, and what that was charged."""
        before = work_left(who.get("/v1/players/me"))
        answer = who.get(f"/v1/tables/{self.tables[-1]}/{query}")
        return answer, before - work_left(answer)


@pytest.fixture(scope="module")
def line(world: World) -> Line:
    return Line(world)


@pytest.mark.parametrize(
    ("query", "status", "known_ms", "reads"), [("analysis", 404, READ_MS, 1), ("beliefs?worlds=20", 200, 50, 2)]
)
def test_a_line_of_branches_is_paid_for(line: Line, query: str, status: int, known_ms: int, reads: int) -> None:
    """For each branch what its past tells: the length of what it is a branch of may be a secret."""
    histories = [line.world.services.handler.history(table) for table in line.tables]
    answer, charged = line.charged(line.eve, query)
    assert answer.status_code == status, answer.text
    own_ms = known_ms + reads * read_ms(histories[-1].table.version)  # here, and where it is worked out
    assert charged == own_ms + sum(reading_ms(history.table) for history in histories[1:])


def test_a_line_that_is_too_long_to_be_followed_is_told_nothing_of(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever makes a long one would keep others waiting by each look at its end."""
    monkeypatch.setattr(believing, "MOST_FORKS", LONG - 1)
    refused(line.charged(line.eve, "analysis")[0], 409, "table-not-over")
    refused(line.charged(line.eve, "beliefs?worlds=20")[0], 403, "not-your-seat")
    monkeypatch.setattr(believing, "MOST_FORKS", LONG)
    assert line.charged(line.eve, "analysis")[0].status_code == 404
