"""The feed: the batches of all public tables, from a cursor, with nothing lost or told twice."""

import asyncio
import contextlib
import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from events.log import Pointer
from projections.batches import history_up_to
from projections.history import TableCache
from service.accounts.callers import NOBODY
from service.feed_cursors import FeedPosition, mark_of
from service.streams.frames import FeedSubscription
from tests.service.api.world import Somebody, World, accepted, embedded_store, refused
from tests.service.sse import FEED, Stream
from tests.service.web import serving


class Hall:
    """A service with a finished table, a running one, a private one, and one that nobody has joined."""

    def __init__(self, world: World) -> None:
        self.world, self.ann, self.bob = world, world.somebody("Ann"), world.somebody("Bob")
        self.cleo = world.somebody("Cleo")
        self.finished = world.open(self.ann, self.bob, game="tomahawk")
        self.running = world.open(self.cleo, self.bob, game="manitou")
        self.private = world.open(self.ann, self.cleo, game="manitou", visibility="private")
        for seed in range(4):
            for table, *players in (
                (self.running, self.cleo, self.bob),
                (self.private, self.ann, self.cleo),
                (self.finished, self.ann, self.bob),
            ):
                world.play(table, *players, moves=3, seed=seed)
        world.play(self.finished, self.ann, self.bob, moves=1000)
        self.waiting = accepted(
            self.ann.post("/v1/tables", {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "open"}]}), 201
        )["id"]

    def events(self, table: str) -> list[Any]:
        return list(accepted(self.world.nobody.get(f"/v1/tables/{table}/events?limit=1000"))["events"])


@pytest.fixture(scope="module")
def hall() -> Iterator[Hall]:
    with embedded_store() as url, contextlib.closing(World(url)) as world:
        yield Hall(world)


def page(who: Somebody, cursor: str | None = None, **query: Any) -> Any:
    asked = query | ({"cursor": cursor} if cursor else {})
    return accepted(who.get(f"/v1/feed?{urlencode(asked)}"))


def told(who: Somebody, cursor: str | None = None, **query: Any) -> list[Any]:
    """All batches from a cursor to the end, page by page."""
    batches: list[Any] = []
    lag = 1
    while lag:
        found = page(who, cursor, **query)
        batches, cursor, lag = batches + found["batches"], found["next"], found["lag"]
    return batches


def versions(batches: list[Any]) -> dict[str, list[int]]:
    """The versions told of each table, in the order in which they are."""
    found: dict[str, list[int]] = defaultdict(list)
    for batch in batches:
        assert (batch["first"], batch["last"]) == tuple(batch["events"][0]["batch"])
        found[batch["table"]] += [event["version"] for event in batch["events"]]
    return dict(found)


@pytest.mark.parametrize("limit", [1, 7, 200])
def test_every_batch_of_every_public_table_is_told_once(hall: Hall, limit: int) -> None:
    """Given pages of any size, then each table's versions come once, in order, and nothing of a private table."""
    found = versions(told(hall.world.nobody, limit=limit))
    public = (hall.finished, hall.running, hall.waiting)
    assert found == {table: list(range(1, len(hall.events(table)) + 1)) for table in public}


def test_whoever_asks_reads_the_same(hall: Hall) -> None:
    """Those who sit at a table, and the operator, are told what spectators are."""
    everybody = [told(who) for who in (hall.world.nobody, hall.ann, hall.cleo, hall.world.operator)]
    assert everybody.count(everybody[0]) == 4
    assert hall.private not in versions(everybody[0])


def test_a_batch_is_told_as_spectators_could_read_it_then(hall: Hall) -> None:
    """Given a finished game, then what was sealed while it ran is closed, and open in the batch that ended it."""
    batches = [batch for batch in told(hall.world.nobody) if batch["table"] == hall.finished]
    now = hall.events(hall.finished)
    ended = next(event["version"] for event in now if event["type"] == "GameEnded")
    for event in (event for batch in batches if batch["last"] < ended for event in batch["events"]):
        assert event["opened"] == {}
        assert not {"move", "ai_seed", "ai_used"} & set(event)
        assert not set(event["readers"]) & set(event["payload"])
    assert any(event["opened"] for event in now if event["version"] < ended)
    assert batches[-1]["events"][-1] == now[-1]
    assert "seed" in next(e for e in batches[-1]["events"] if e["type"] == "SeedRevealed")["payload"]


def test_a_running_table_is_told_as_its_events_are(hall: Hall) -> None:
    batches = [batch for batch in told(hall.world.nobody) if batch["table"] == hall.running]
    assert [event for batch in batches for event in batch["events"]] == hall.events(hall.running)


@pytest.mark.parametrize("limit", [3, 50])
def test_a_reader_who_is_cut_off_goes_on_where_it_was(hall: Hall, limit: int) -> None:
    """After any batch: what follows its cursor is what stands behind it in the page that was cut."""
    whole = told(hall.world.nobody, limit=limit)
    for cut in range(0, len(whole), 9):
        rest = told(hall.world.nobody, whole[cut]["cursor"], limit=200)
        seen = versions(whole[: cut + 1] + rest)
        assert seen == versions(whole)


def test_the_lag_is_the_number_of_batches_behind(hall: Hall) -> None:
    """Those of private tables too: how much goes on is no secret, where is."""
    ends = sum(hall.world.log.feed_ends().values())
    first = page(hall.world.nobody, limit=10)
    assert first["lag"] == ends - 10
    assert page(hall.world.nobody, first["next"], limit=200)["lag"] == max(0, ends - 210)
    last = told(hall.world.nobody)[-1]["cursor"]
    answer = hall.world.nobody.get(f"/v1/feed?cursor={first['next']}&limit=1")
    assert answer.headers["Link"].endswith('; rel="next"')
    assert answer.headers["Link"].partition(">")[0].startswith("</v1/feed?cursor=")
    assert "Link" not in hall.world.nobody.get(f"/v1/feed?cursor={page(hall.world.nobody, last)['next']}").headers


def test_filters_leave_out_the_rest(hall: Hall) -> None:
    nobody = hall.world.nobody
    assert set(versions(told(nobody, game="manitou"))) == {hall.running, hall.waiting}
    assert set(versions(told(nobody, player=hall.cleo.player))) == {hall.running}
    assert set(versions(told(nobody, player=hall.bob.player))) == {hall.running, hall.finished}
    ends = told(nobody, type="GameEnded,TableClosed")
    assert [(b["table"], [e["type"] for e in b["events"]]) for b in ends] == [
        (hall.finished, ["GameEnded", "TableClosed"])
    ]
    assert told(nobody, type="GameEnded", game="manitou") == []


def test_a_player_is_followed_from_sitting_down_on(hall: Hall) -> None:
    """Bob sits down second: what stands before is not told."""
    found = versions(told(hall.world.nobody, player=hall.bob.player))[hall.running]
    sat = next(e["version"] for e in hall.events(hall.running) if e["payload"].get("player") == hall.bob.player)
    assert found[0] <= sat
    assert found == list(range(found[0], len(hall.events(hall.running)) + 1))
    assert found[0] > 1


def test_sentences_and_names_are_told_in_a_language(hall: Hall) -> None:
    row = next(b for b in told(hall.world.nobody, language="fr") if b["table"] == hall.running)
    assert row["events"][0]["words"]
    assert "words" not in told(hall.world.nobody)[0]["events"][0]
    taken = told(hall.world.nobody, type="SeatTaken", game="tomahawk")
    assert [batch["events"][0]["texts"] for batch in taken] == [{"name": "Ann"}, {"name": "Bob"}]


@pytest.mark.parametrize("place", [0, 100, -1])
def test_a_cursor_that_was_altered_is_none(hall: Hall, place: int) -> None:
    cursor = page(hall.world.nobody, limit=5)["next"]
    other = "B" if cursor[place] == "A" else "A"
    altered = cursor[:place] + other + cursor[place:][1:] if place >= 0 else cursor[:-2] + other * 2
    refused(hall.world.nobody.get(f"/v1/feed?cursor={altered}"), 422, "invalid")


def test_a_cursor_tells_nothing_of_what_is_counted(hall: Hall) -> None:
    """All are of one length, and a place that differs by one batch has another text throughout."""
    cursors = [batch["cursor"] for batch in told(hall.world.nobody)]
    assert {len(cursor) for cursor in cursors} == {459}
    assert len({cursor[:20] for cursor in cursors}) == len(cursors)


@pytest.mark.parametrize("query", ["type=Nothing", "game=chess", "limit=0", "limit=201", "player=%20", "sort=at"])
def test_what_no_filter_is_is_refused(hall: Hall, query: str) -> None:
    problem = refused(hall.world.nobody.get(f"/v1/feed?{query}"), 422, "invalid")
    assert f"/{query.partition('=')[0]}" in [error["pointer"] for error in problem["errors"]]


def test_a_place_that_the_feed_does_not_hold_is_gone(hall: Hall) -> None:
    """The store went back, or the feed was trimmed: the reader is told to begin anew."""
    handler = hall.world.services.handler
    ends = handler.log.feed_ends()
    beyond = [end + 1 for end in ends.values()]
    held = handler.log.pointers(ends)
    other = mark_of(bytes(32) for _ in ends)
    for place in (FeedPosition(tuple(beyond), mark_of(())), FeedPosition(tuple(ends.values()), other)):
        cursor = handler.cursors.written(place)
        problem = refused(hall.world.nobody.get(f"/v1/feed?cursor={cursor}"), 410, "cursor_gone")
        assert "start over without a cursor" in problem["detail"]
        refused(hall.world.nobody.get(f"/v1/feed?cursor={cursor}", Accept="text/event-stream"), 410, "cursor_gone")
    mark = mark_of(held[p].hash if p in held else b"" for p in ends)
    assert page(hall.world.nobody, handler.cursors.written(FeedPosition(tuple(ends.values()), mark)))["batches"] == []


def test_a_damaged_table_keeps_no_other_waiting(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its batches are passed over; a private table is not told from one."""
    from events.log import LogDamaged

    _unreadable(hall, monkeypatch, LogDamaged("lost"))
    assert set(versions(told(hall.world.nobody))) == {hall.running, hall.waiting}


def _unreadable(hall: Hall, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def told_of(histories: TableCache, pointer: Pointer) -> Any:
        if pointer.table == hall.finished:
            raise error
        return history_up_to(histories, pointer)

    monkeypatch.setattr("service.tables.feed.history_up_to", told_of)


async def frames(world: World, asked: dict[str, Any], count: int) -> list[bytes]:
    """The first frames of a stream of the feed."""
    stream = world.services.hub.frames(FeedSubscription(NOBODY, asked))
    found = [await anext(stream) for _ in range(count + 1)]
    await stream.aclose()
    return found[1:]


def test_a_stream_tells_what_the_pages_do(hall: Hall) -> None:
    whole = told(hall.world.nobody, limit=100)
    found = asyncio.run(frames(hall.world, {}, len(whole)))
    rows = [dict(line.split(": ", 1) for line in frame.decode().splitlines() if line) for frame in found]
    assert [json.loads(row["data"]) for row in rows] == whole
    assert [(row["id"], row["event"]) for row in rows] == [(batch["cursor"], "batch") for batch in whole]


@pytest.fixture(scope="module")
def address(hall: Hall) -> Iterator[str]:
    with serving(hall.world.url, "-m", "tests.service.quick") as found:
        yield found


def test_a_stream_that_is_cut_off_goes_on(hall: Hall, address: str) -> None:
    """Over a real server: half, then a cut, then the rest and what is played meanwhile; each batch once."""
    whole = told(hall.world.nobody)
    first = Stream(address, FEED)
    got = [next(first.frames) for _ in range(len(whole) // 2 + 1)]
    first.close()
    second = Stream(address, FEED, Last_Event_ID=str(got[-1].id))
    hall.world.play(hall.running, hall.cleo, hall.bob, moves=2, seed=9)
    hall.world.play(hall.private, hall.ann, hall.cleo, moves=2, seed=9)
    last = hall.events(hall.running)[-1]["version"]
    for frame in second.frames:
        got.append(frame)
        if frame.event == "batch" and (frame.data["table"], frame.data["last"]) == (hall.running, last):
            break
    second.close()
    batches = [frame.data for frame in got if frame.event == "batch"]
    assert versions(batches) == versions(told(hall.world.nobody))


@pytest.mark.slow
def test_a_stream_says_how_far_it_has_come(hall: Hall, address: str) -> None:
    """With a cursor that counts what was passed over, so that a filter costs nothing when it is resumed."""
    stream = Stream(address, FEED, Last_Event_ID=told(hall.world.nobody)[-1]["cursor"])
    frame = next(frame for frame in stream.frames if frame.event == "lag")
    stream.close()
    assert frame.data == {"lag": 0}
    assert page(hall.world.nobody, str(frame.id)) == {"batches": [], "next": frame.id, "lag": 0}
