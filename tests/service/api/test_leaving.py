"""Leaving a game: resigning, agreeing to abort or to a draw, and what each counts for (docs/clocks.md)."""

from typing import Any

import pytest

from games import GAMES
from tests.service.api.world import Answer, Somebody, World, accepted, refused
from worker.play_turn import play_turns

each_game = pytest.mark.parametrize("game", GAMES)
NAMES = ("Ann", "Bob", "Cat")


class Room:
    """A public table without a clock, the default, at which people play; the first opened it."""

    def __init__(self, world: World, game: str, seats: int = 2, moves: int = 4) -> None:
        self.world = world
        self.players = [world.somebody(name) for name in NAMES[:seats]]
        self.table = world.open(*self.players, game=game)
        self.path = f"/v1/tables/{self.table}"
        world.play(self.table, *self.players, moves=moves)

    def resign(self, seat: int, **headers: str) -> Answer:
        return self.players[seat - 1].post(f"{self.path}/seats/{seat}/resign", **headers)

    def offer(self, seat: int, kind: str) -> Answer:
        return self.players[seat - 1].post(f"{self.path}/offers", {"kind": kind, "seat": seat})

    def answer(self, seat: int, *, agrees: bool = True) -> Answer:
        waiting = accepted(self.world.nobody.get(self.path))["offer"]["id"]
        return self.players[seat - 1].post(f"{self.path}/offers/{waiting}/answer", {"seat": seat, "agrees": agrees})

    def result(self) -> Any:
        """The table among the finished games of its opener; None if it has no result."""
        self.world.catch_up()
        games = accepted(self.world.nobody.get(f"/v1/games-played?player={self.players[0].player}"))["games"]
        assert tables_of(self.players[0]) == 0
        return next((game for game in games if game["table"] == self.table), None)

    def holds(self) -> bool:
        """Whether every recorded batch follows from the one before, as far as the service can tell."""
        return bool(accepted(self.world.nobody.get(f"{self.path}/audit"))["holds"])


def all_have_moved(world: World, table: str, ann: Somebody) -> None:
    """Ann and the AI of the other seat play until both have moved."""
    handler = world.services.handler
    while {1, 2} - {event.envelope.by.get("seat") for event in handler.history(table).events}:
        play_turns(handler, table)
        world.play(table, ann, moves=1)


def tables_of(player: Somebody) -> int:
    """How many tables count against a player's quota."""
    quotas = accepted(player.get("/v1/players/me/quotas"))["quotas"]
    return next(int(one["used"]) for one in quotas if one["name"] == "tables")


@pytest.mark.fault
@each_game
def test_a_seat_resigns_where_no_clock_runs(world: World, game: str) -> None:
    """At a running table without a clock nobody could leave: of two seats the other wins, and the quota is free."""
    room = Room(world, game)
    ended = accepted(room.resign(2))

    assert (ended["status"], ended["closed"], ended["scores"]["winners"]) == ("finished", "resigned", [1])
    assert (ended["decisions"], ended["waiting_for"], ended["offer"]) == ([], [], None)
    told = room.result()
    assert (told["how"], told["winners"], told["rated"]) == ("resigned", [1], True)
    assert [(seat["place"], seat["left"]) for seat in told["seats"]] == [(1, None), (2, room.players[1].player)]
    assert told["seats"][0]["rating"]["after"] > 1500 > told["seats"][1]["rating"]["after"]
    assert room.holds()


@each_game
def test_a_draw_is_agreed(world: World, game: str) -> None:
    """Nobody wins; ratings count it as a draw."""
    room = Room(world, game)
    waiting = accepted(room.offer(1, "draw"))["offer"]
    assert (waiting["kind"], waiting["seat"], waiting["missing"]) == ("draw", 1, [2])
    ended = accepted(room.answer(2))

    assert (ended["closed"], ended["scores"]["winners"]) == ("drawn", [])
    assert ended["scores"]["ranking"][0]["seats"] == [1, 2]
    told = room.result()
    assert (told["how"], [seat["place"] for seat in told["seats"]]) == ("drawn", [1, 1])
    assert [seat["rating"]["after"] for seat in told["seats"]] == [1500, 1500]
    assert room.holds()


@each_game
@pytest.mark.parametrize("by", ["both", "the opener"])
def test_an_aborted_game_counts_nowhere(world: World, game: str, by: str) -> None:
    """By consent at any time; by the opener alone until every seat has moved."""
    room = Room(world, game, moves=4 if by == "both" else 1)
    ended = accepted(room.offer(1, "abort"))
    if by == "both":
        assert (ended["closed"], ended["offer"]["missing"]) == (None, [2])
        ended = accepted(room.answer(2))

    assert (ended["status"], ended["closed"], ended["scores"]["winners"]) == ("finished", "aborted", [])
    assert room.result() is None
    assert accepted(world.nobody.get(f"/v1/standings?player={room.players[0].player}"))["standings"] == []
    assert room.holds()


@each_game
def test_an_early_end_lays_the_game_open(world: World, game: str) -> None:
    """Until then an offer shows strangers nothing; then all events, views and the seed are open, and no move is."""
    room = Room(world, game)
    room.offer(1, "draw")
    before = accepted(world.nobody.get(f"{room.path}/events?limit=1000"))["events"]
    refused(world.nobody.get(f"{room.path}?seat=all"), 403, "not_your_seat")
    assert not any(event.get("opened") for event in before)
    room.answer(2)

    events = accepted(world.nobody.get(f"{room.path}/events?limit=1000"))["events"]
    assert any(event.get("opened") for event in events[: len(before)])
    assert [event["type"] for event in events[-3:]] == ["OfferAnswered", "SeedRevealed", "TableClosed"]
    accepted(world.nobody.get(f"{room.path}?seat=all"))
    assert "Winners" not in world.nobody.get(f"{room.path}/notation").text
    move = {"game": game, "seat": 1, "move": {"type": "pass_turn"}}
    refused(room.players[0].post(f"{room.path}/moves", move), 409, "table_finished")
    assert "4.1c" in accepted(room.players[0].post(f"{room.path}/moves/check", move))["rule"]


def test_of_three_an_ai_plays_on_until_one_is_left(world: World) -> None:
    """Those who resigned come last, in ratings too; the AI that played on for one is not rated."""
    room = Room(world, "manitou", seats=3)
    room.offer(1, "draw")
    first = accepted(room.resign(2))
    assert (first["status"], first["seats"][1]["kind"], first["offer"]) == ("running", "ai", None)
    refused(room.resign(2), 403, "not_your_seat")
    ended = accepted(room.resign(3))

    assert (ended["closed"], ended["scores"]["winners"]) == ("resigned", [1])
    told = room.result()
    assert [seat["left"] for seat in told["seats"]] == [None, *(player.player for player in room.players[1:])]
    assert [seat["rating"]["after"] > 1500 for seat in told["seats"]] == [True, False, False]
    assert room.holds()


def test_an_offer_ends_with_a_refusal_or_as_play_goes_on(world: World) -> None:
    """The offerer may move; who moves without an answer has refused."""
    room = Room(world, "manitou")
    room.offer(1, "draw")
    assert accepted(room.answer(2, agrees=False))["offer"] is None
    refused(room.players[1].post(f"{room.path}/offers/o9/answer", {"seat": 2, "agrees": True}), 404, "no_such_offer")
    for offers_itself in (True, False):
        mover = accepted(world.nobody.get(room.path))["decisions"][0]["seat"]
        room.offer(mover if offers_itself else 3 - mover, "abort")
        world.play(room.table, *room.players, moves=1)
        assert bool(accepted(world.nobody.get(room.path))["offer"]) is offers_itself


def test_who_may_not(world: World) -> None:
    """Strangers, twice, for another seat, before the start, alone against AI at a rated table, or with an AI a draw."""
    room = Room(world, "manitou")
    ann, bob, cat = *room.players, world.somebody("Cat")
    for seat in (1, 2, None):
        refused(cat.post(f"{room.path}/offers", {"kind": "draw", "seat": seat}), 403, "not_your_seat")
        refused(bob.post(f"{room.path}/offers", {"kind": "abort", "seat": None}), 403, "not_your_seat")
    refused(cat.post(f"{room.path}/seats/1/resign"), 403, "not_your_seat")
    refused(ann.post(f"{room.path}/offers", {"kind": "abort"}), 403, "not_allowed")

    seats = [{"kind": "me"}, {"kind": "ai", "level": "greedy"}]
    asked = accepted(ann.post("/v1/tables", {"game": "manitou", "seats": seats, "rated": True}), 201)["id"]
    all_have_moved(world, asked, ann)
    refused(ann.post(f"/v1/tables/{asked}/offers", {"kind": "draw", "seat": 1}), 403, "not_allowed")
    refused(ann.post(f"/v1/tables/{asked}/offers", {"kind": "abort", "seat": 1}), 403, "not_allowed")


def test_a_repeat_gets_the_first_answer(world: World) -> None:
    """The same key again is one resignation; where both resign, the first one counts."""
    room = Room(world, "manitou")
    first, again = (room.resign(2, Idempotency_Key="I-resign") for _ in range(2))
    assert (again.json, again.headers["Idempotent-Replayed"]) == (first.json, "true")
    refused(room.resign(1), 409, "table_finished")


def test_the_opener_aborts_a_table_that_nobody_joins(world: World) -> None:
    """Seated or not: it counts against the quota no longer."""
    ann = world.somebody("Ann")
    for first in ("me", "open"):
        seats = [{"kind": first}, {"kind": "open"}]
        table = accepted(ann.post("/v1/tables", {"game": "manitou", "seats": seats}), 201)["id"]
        assert ann.post(f"/v1/tables/{table}/seats/1/resign").status_code in (403, 409)
        ended = accepted(ann.post(f"/v1/tables/{table}/offers", {"kind": "abort"}))
        assert (ended["status"], ended["closed"]) == ("finished", "aborted")
    world.catch_up()
    assert tables_of(ann) == 0


def test_against_ai_alone_a_game_is_unrated_unless_asked_for(world: World) -> None:
    """Also where the opener gave open seats to AI; such a game may be aborted at any time."""
    ann, ai = world.somebody("Ann"), {"kind": "ai", "level": "greedy"}
    rated = {}
    for name, other, more in (("ai", ai, {}), ("asked", ai, {"rated": True}), ("open", {"kind": "open"}, {})):
        body = {"game": "manitou", "seats": [{"kind": "me"}, other], **more}
        opened = accepted(ann.post("/v1/tables", body), 201)
        rated[name], table = opened["rated"], f"/v1/tables/{opened['id']}"
    assert rated == {"ai": False, "asked": True, "open": True}
    assert accepted(ann.post(f"{table}/seats/2", ai))["rated"] is False
    all_have_moved(world, opened["id"], ann)
    assert accepted(ann.post(f"{table}/offers", {"kind": "abort", "seat": 1}))["closed"] == "aborted"


def test_a_dispute_open_at_the_end_is_moot(world: World) -> None:
    """A seat may resign while play is paused; nobody decides the dispute any more."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    path, body = world.disputable(ann, bob, play="pauses")
    accepted(ann.post(f"{path}/disputes", body), 201)
    refused(ann.post(f"{path}/offers", {"kind": "takeback", "seat": 1}), 409, "table_paused")
    accepted(bob.post(f"{path}/seats/2/resign"))

    (dispute,) = accepted(ann.get(f"{path}/disputes"))["disputes"]
    assert (dispute["outcome"], dispute["by"]) == ("moot", "end")
    assert accepted(world.nobody.get(f"{path}/audit"))["holds"]
