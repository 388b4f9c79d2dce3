"""Display names: resolved by id whenever something is answered, so that a change of them shows everywhere."""

import random
from typing import Any

import pytest

from events.store import RedisLog
from tests.service.api.world import Somebody, World, accepted


class Shown:
    """A running table of Ann and Ben, and a finished one."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.ann, self.ben = world.somebody("Ann"), world.somebody("Ben")
        self.running = f"/v1/tables/{world.open(self.ann, self.ben)}"
        finished = world.open(self.ann, self.ben, game="manitou")
        world.finish(finished)
        self.finished = f"/v1/tables/{finished}"
        world.catch_up()

    def names(self, reader: Somebody) -> dict[str, list[str]]:
        """What Ann and Ben are called, by where that is shown."""

        def get(path: str) -> Any:
            return accepted(reader.get(path))

        rows = {row["id"]: row for row in get("/v1/tables?status=finished")["tables"]}
        standings = {row["player"]: row["name"] for row in get("/v1/standings?game=manitou")["standings"]}
        played = get(f"/v1/games-played?player={self.ann.player}")["games"][0]
        events = get(f"{self.finished}/events?limit=1000")["events"]
        ratings = get("/v1/ratings?game=manitou&seats=2&provisional=true")["ratings"]
        rated = {row["player"]: row["name"] for row in ratings}
        ids = (str(self.ann.player), str(self.ben.player))
        return {
            "table": [seat["name"] for seat in get(self.finished)["seats"]],
            "earlier": [seat["name"] for seat in get(f"{self.finished}?at=4")["seats"]],
            "lobby": [seat["name"] for seat in rows[self.finished.rpartition("/")[2]]["seats"]],
            "standings": [standings[one] for one in ids],
            "ratings": [rated[one] for one in ids],
            "played": [seat["name"] for seat in played["seats"]],
            "events": [event["texts"]["name"] for event in events if event["type"] == "SeatTaken"],
            "profile": [get(f"/v1/players/{one}")["name"] for one in ids],
        }


@pytest.fixture
def shown(own: World) -> Shown:
    return Shown(own)


def take_name(somebody: Somebody, name: str) -> None:
    """Takes another name."""
    accepted(somebody.send("PUT", "/v1/players/me/name", json={"name": name}))


def test_another_name_is_shown_at_once_wherever_somebody_has_played(shown: Shown) -> None:
    """At tables of the past, too: what the process remembers of names is forgotten."""
    assert set(map(tuple, shown.names(shown.ben).values())) == {("Ann", "Ben")}
    take_name(shown.ann, "Ada")
    assert set(map(tuple, shown.names(shown.ben).values())) == {("Ada", "Ben")}


def test_a_table_has_another_entity_tag_under_another_name(shown: Shown) -> None:
    """A client that cached the table under the old name gets it again."""
    tag = shown.ben.get(shown.running).headers["ETag"]
    assert shown.ben.get(shown.running, If_None_Match=tag).status_code == 304
    take_name(shown.ann, "Ada")
    again = shown.ben.get(shown.running, If_None_Match=tag)
    assert (again.status_code, again.json["seats"][0]["name"]) == (200, "Ada")
    assert shown.ben.get(shown.running, If_None_Match=again.headers["ETag"]).status_code == 304


@pytest.mark.parametrize("minimal", [{}, {"Prefer": "return=minimal"}])
def test_another_name_refuses_no_move(shown: Shown, minimal: dict[str, str]) -> None:
    """`If-Match` compares the version and its hash alone."""

    table = shown.running.rpartition("/")[2]
    tag = shown.ben.get(shown.running).headers["ETag"]
    take_name(shown.ann, "Ada")
    chosen = shown.world.move(table, random.Random(1))
    assert chosen
    player = (shown.ann, shown.ben)[chosen[0] - 1]
    played = player.post(f"{shown.running}/moves", shown.world.moving(table, *chosen), If_Match=tag, **minimal)
    assert played.status_code == (204 if minimal else 200)
    assert player.get(shown.running, If_None_Match=played.headers["ETag"]).status_code == 304


def test_the_log_and_what_follows_from_it_hold_ids_alone(shown: Shown) -> None:
    """No event, and no row of a list, says what anybody is called, not even encrypted."""
    log = shown.world.services.handler.log
    assert isinstance(log, RedisLog)
    seats = [
        event.envelope.payload
        for path in (shown.running, shown.finished)
        for event in shown.world.services.handler.history(path.rpartition("/")[2]).events
        if event.envelope.type == "SeatTaken"
    ]
    assert {field for seat in seats for field in seat} == {"seat", "player", "bot", "ai", "contribution"}
    rows = [row for key in log.client.scan_iter("*:rows") for row in log.client.hvals(key)]
    assert rows
    assert not [row for row in rows if b'"name"' in row]
