"""What an arbiter may see of a running table: nothing but what was looked at, up to the disputed version, till then."""

from collections.abc import Callable
from typing import Any

import pytest

from service.accounts.callers import Caller
from service.streams.frames import Frames, TableSubscription
from tests.service.api.world import Somebody, World, accepted, refused

GAME = "manitou"
TRIAL = "TrialOfStrengthResolved"
MOST_MOVES = 60
Door = Callable[["Disputed", int], tuple[str, str, Any]]


class Disputed:
    """A table that goes on after a ruling that Ann disputes; Ida is its arbiter."""

    def __init__(self, world: World) -> None:
        self.world, self.ann, self.bob = world, world.somebody("Ann"), world.somebody("Bob")
        self.ida = world.again(world.somebody("Ida"), ["play", "watch", "arbitrate", "account"])
        disputes = {"by": "arbiter", "play": "goes_on"}
        table = world.open(self.ann, self.bob, game=GAME, arbiter=self.ida.player, disputes=disputes)
        self.path = f"/v1/tables/{table}"
        self.disputed = self._until_a_ruling(table)
        body = {"seat": 1, "version": self.disputed, "rule": self.rule, "claim": "no", "remedy": {"correction": 1}}
        opened = accepted(self.ann.post(f"{self.path}/disputes", body), 201)
        self.dispute = f"{self.path}/disputes/{opened['id']}"
        world.play(table, self.ann, self.bob, moves=3, seed=3)
        self.newest = accepted(self.ann.get(self.path))["version"]
        assert self.newest > self.disputed + 1

    def _until_a_ruling(self, table: str) -> int:
        for seed in range(MOST_MOVES):
            self.world.play(table, self.ann, self.bob, moves=1, seed=seed)
            events = self.world.services.handler.history(table).events
            if found := next((event for event in events if event.envelope.type == TRIAL), None):
                self.rule = found.envelope.payload["rules"][0]
                return found.version
        raise AssertionError("it never came")

    def look(self, seat: int) -> Any:
        """Ida looks through a seat; the disputes as they are then."""
        return accepted(self.ida.post(f"{self.dispute}/looks", {"seat": seat}))

    def ask(self, who: Somebody, door: Door, at: int) -> Any:
        """What somebody is answered."""
        method, path, body = door(self, at)
        return who.send(method, path, **({} if body is None else {"json": body}))


@pytest.fixture
def table(world: World) -> Disputed:
    return Disputed(world)


DOORS: dict[str, Door] = {  # through which a seat's eyes may be asked for, at or up to a version
    "view": lambda here, at: ("GET", f"{here.path}?seat=2&at={at}", None),
    "diff": lambda here, at: ("GET", f"{here.path}/diff?seat=2&from=5&to={at}", None),
    "diff backwards": lambda here, at: ("GET", f"{here.path}/diff?seat=2&from={at}&to=5", None),
    "blame": lambda here, at: ("GET", f"{here.path}/blame?seat=2&path=/view&at={at}", None),
    "check": lambda here, at: (
        "POST",
        f"{here.path}/moves/check",
        {"game": GAME, "seat": 2, "move": {"type": "pass"}, "at": at},
    ),
}
each_door = pytest.mark.parametrize("door", list(DOORS.values()), ids=list(DOORS))


@each_door
def test_no_eyes_without_a_look(table: Disputed, door: Door) -> None:
    """The refusal says what to do; a look through one seat opens no other."""
    problem = refused(table.ask(table.ida, door, table.disputed), 403, "not_your_seat")
    assert "post a look" in problem["detail"]
    table.look(1)
    refused(table.ask(table.ida, door, table.disputed), 403, "not_your_seat")


@each_door
def test_a_look_reaches_to_the_disputed_version(table: Disputed, door: Door) -> None:
    """There the arbiter is answered as the seat is; behind it the refusal names the version to ask for."""
    table.look(2)
    assert table.ask(table.ida, door, table.disputed).data == table.ask(table.bob, door, table.disputed).data
    problem = refused(table.ask(table.ida, door, table.disputed + 1), 403, "not_your_seat")
    assert problem["version"] == table.disputed
    assert f"up to version {table.disputed}" in problem["detail"]


@each_door
def test_a_look_ends_with_the_dispute(table: Disputed, door: Door) -> None:
    """However it ends."""
    table.look(2)
    accepted(table.ask(table.ida, door, table.disputed))
    accepted(table.ida.post(f"{table.dispute}/resolution", {"outcome": "upheld", "text": "So it is."}))
    refused(table.ask(table.ida, door, table.disputed), 403, "not_your_seat")


@pytest.mark.parametrize(
    "rest", ["?seat=2", "?seat=2&at_time=2999-01-01T00:00:00Z", "/diff?seat=2", "/blame?seat=2&path=/view"]
)
def test_the_newest_version_is_not_looked_at(table: Disputed, rest: str) -> None:
    """Without `at` the newest is meant: the refusal names the last that may be."""
    table.look(2)
    assert refused(table.ida.get(f"{table.path}{rest}"), 403, "not_your_seat")["version"] == table.disputed


def test_nothing_is_found_behind_the_disputed_version(table: Disputed) -> None:
    """What a seat's view holds only later was never so."""
    table.look(2)
    found = f"{table.path}/find?seat=2&path=/version&value="
    assert accepted(table.ida.get(f"{found}{table.disputed}"))["at"]
    accepted(table.bob.get(f"{found}{table.disputed + 1}"))
    refused(table.ida.get(f"{found}{table.disputed + 1}"), 404, "never_so")


def test_without_a_seat_the_arbiter_reads_as_a_spectator(table: Disputed) -> None:
    """Events, streams, rulings, archive, comparison and moves know no seat but one's own."""
    table.look(2)
    for rest in ("", "/events", "/events?after=3", "/rulings", "/archive", f"/comparison?with={table.path[11:]}"):
        assert table.ida.get(f"{table.path}{rest}").data == table.world.nobody.get(f"{table.path}{rest}").data, rest
    assert accepted(table.ida.get(f"{table.path}/moves"))["decisions"] == []
    history = table.world.services.handler.history(table.path[11:])
    caller: Caller = table.world.services.accounts.caller(str(table.ida.token))
    told = [
        Frames().after(history, TableSubscription(history.table.id, who, 0, "en"), 0)
        for who in (caller, Caller(None, ()))
    ]
    assert told[0] == told[1]


def test_a_look_is_told_to_everybody(table: Disputed) -> None:
    """As an event of the table and with the dispute; a repeat gives the first, and reading leaves no trace."""
    looks = table.look(2)["looks"]
    version = accepted(table.bob.get(table.path))["version"]
    assert [(look["seat"], look["player"], look["until"]) for look in looks] == [(2, table.ida.player, table.disputed)]
    assert table.look(2)["looks"] == looks
    accepted(table.ida.get(f"{table.path}?seat=2&at={table.disputed}"))
    for who in (table.ann, table.bob, table.world.nobody):
        assert accepted(who.get(f"{table.path}/disputes"))["disputes"][0]["looks"] == looks
        (event,) = accepted(who.get(f"{table.path}/events?after={version - 1}"))["events"]
        assert (event["type"], event["payload"]["seat"]) == ("ArbiterLooked", 2)


def test_a_repeated_request_looks_once(table: Disputed) -> None:
    """With the same Idempotency-Key, also when the dispute is resolved meanwhile."""
    key = {"Idempotency_Key": "look-once-and-once-more"}
    first = table.ida.post(f"{table.dispute}/looks", {"seat": 2}, **key)
    accepted(first)
    assert table.ida.post(f"{table.dispute}/looks", {"seat": 2}, **key).data == first.data
    accepted(table.ida.post(f"{table.dispute}/resolution", {"outcome": "upheld", "text": "So it is."}))
    assert table.ida.post(f"{table.dispute}/looks", {"seat": 2}, **key).data == first.data


def test_who_may_not_look(table: Disputed) -> None:
    """Those seated, strangers, and the arbiter with a token that is not meant for it."""
    looks = f"{table.dispute}/looks"
    refused(table.world.nobody.post(looks, {"seat": 2}), 401, "unauthenticated")
    refused(table.ann.post(looks, {"seat": 2}), 403, "scope_missing")
    refused(table.world.again(table.ida, ["play", "watch"]).post(looks, {"seat": 2}), 403, "scope_missing")
    stranger = table.world.somebody(scopes=["watch", "arbitrate"])
    refused(stranger.post(looks, {"seat": 2}), 403, "not_allowed")
    table.look(2)
    refused(stranger.get(f"{table.path}?seat=2&at={table.disputed}"), 403, "not_your_seat")
    refused(table.ida.post(looks, {"seat": 3}), 404, "no_such_seat")


def test_what_a_seat_sees_needs_watch_of_an_arbiter_too(table: Disputed) -> None:
    """Through every door; a token that may arbitrate alone looks, and decides."""
    bare = table.world.again(table.ida, ["play", "arbitrate"])
    accepted(bare.post(f"{table.dispute}/looks", {"seat": 2}))
    for door in DOORS.values():
        refused(table.ask(bare, door, table.disputed), 403, "scope_missing")
        accepted(table.ask(table.ida, door, table.disputed))
    accepted(bare.post(f"{table.dispute}/resolution", {"outcome": "upheld", "text": "So it is."}))


# Sitting down


def test_who_sits_down_names_the_arbiter_that_was_shown(world: World) -> None:
    """No other, and none where there is none; the refusal says who it is and what to send."""
    ann, bob, ida = (world.somebody(name) for name in ("Ann", "Bob", "Ida"))
    opening = {"game": GAME, "seats": [{"kind": "me"}, {"kind": "open"}], "arbiter": ida.player}
    path = f"/v1/tables/{accepted(ann.post('/v1/tables', opening), 201)['id']}/seats/2"
    for body in ({}, {"arbiter": None}, {"arbiter": ann.player}):
        problem = refused(bob.post(path, body), 422, "arbiter_not_named")
        assert f"{ida.player} is the arbiter here" in problem["detail"]
    accepted(bob.post(path, {"arbiter": ida.player}))


def test_where_no_arbiter_was_shown_none_is_named(world: World) -> None:
    """The field may be absent or null."""
    ann, bob, cat = (world.somebody(name) for name in ("Ann", "Bob", "Cat"))
    opening = {"game": GAME, "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]}
    path = f"/v1/tables/{accepted(ann.post('/v1/tables', opening), 201)['id']}/seats"
    refused(bob.post(f"{path}/2", {"arbiter": cat.player}), 422, "arbiter_not_named")
    accepted(bob.post(f"{path}/2", {"arbiter": None}))
    refused(ann.post(f"{path}/3", {"kind": "ai", "level": "greedy", "arbiter": None}), 422, "invalid")
    accepted(ann.post(f"{path}/3", {"kind": "ai", "level": "greedy"}))
