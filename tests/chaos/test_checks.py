"""The checks see what they are for: each is shown a log in which just that is wrong."""

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, NamedTuple

import msgspec
import pytest
import redis

from events.log import Batch, partition_of
from events.recorded import BatchMetadata, NewEvent, as_read, record
from events.store import RedisLog
from tests.chaos import checks
from tests.chaos.checks import CHECKS, Kept, faults_of
from tests.chaos.client import Sent
from tests.long import quick_first
from tests.tables import ANN, Visit
from worker.turns import play_turns

COMMENT = {"dispute": "d", "player": "p", "seat": None, "text": {"of": "p", "text": ""}}


class Scene(NamedTuple):
    """A log, what clients have sent that led to it, and their tables: Ann's, in the middle of the game, and of AI."""

    visit: Visit
    client: redis.Redis
    sent: list[Sent]
    ann: str
    ai: str

    def key(self, name: str) -> str:
        """A key of Ann's table."""
        return f"{{p{partition_of(self.ann):02d}}}:{self.ann}:{name}"


@pytest.fixture
def scene(valkey_log: RedisLog, valkey: redis.Redis) -> Scene:
    visit, sent = Visit(valkey_log), []
    ann, ai = visit.open("manitou", "ann ai"), visit.open("tomahawk", "ai ai")
    for table in (ann, ai):
        now = visit.table(table)
        sent.append(
            Sent("", "/v1/tables", {}, "", 1, {"table": table, "version": now.version, "hash": now.head.hash.hex()})
        )
    for number in range(12):
        play_turns(visit.handler, ann)
        sent.append(move_of(visit, ann, number))
    play_turns(visit.handler, ann)
    play_turns(visit.handler, ai)
    return Scene(visit, valkey, sent, ann, ai)


def move_of(visit: Visit, table: str, number: int) -> Sent:
    """A move of Ann's with the answer that the API gives to it."""
    outcome = visit.play(table, ANN, number)
    events = outcome.history.events[outcome.span.first - 1 : outcome.span.last]
    receipt = {"table": table, "version": outcome.table.version, "hash": events[-1].hash.hex()}
    answer = {"receipt": receipt, "events": [as_read(event, 1, over=False) for event in events]}
    return Sent("", f"/v1/tables/{table}/moves", {}, "", 1, msgspec.json.decode(msgspec.json.encode(answer)))


def add(scene: Scene, by: dict[str, Any], request: str | None) -> None:
    """Writes an event to Ann's table that changes nothing there."""
    head = scene.visit.log.head(scene.ann)
    new_event = NewEvent("DisputeCommented", COMMENT, {})
    scene.visit.log.append(
        scene.ann, Batch(head, record(scene.ann, head, [new_event], BatchMetadata(by_time(scene), by, request)))
    )


def by_time(scene: Scene) -> str:
    """The time of the last event of Ann's table."""
    return scene.visit.log.read(scene.ann)[-1].envelope.at


def lose_the_end(scene: Scene) -> None:
    """The events from the last acknowledged one on are gone."""
    acknowledged = scene.sent[-1].answer["receipt"]["version"]
    entries: Any = scene.client.xrange(scene.key("events"), acknowledged)
    for entry, _ in entries:
        scene.client.xdel(scene.key("events"), entry)


def tear_a_batch(scene: Scene) -> None:
    """The last event of the first batch, which has several, is gone."""
    first = scene.visit.log.read(scene.ann)[0].envelope.batch
    scene.client.xdel(scene.key("events"), f"{first[1]}-0")


def move_the_head(scene: Scene) -> None:
    """The head has another hash than the last event."""
    scene.client.hset(scene.key("head"), "hash", bytes(32))


def lose_a_pointer(scene: Scene) -> None:
    """An entry of the feed is gone."""
    scene.client.xdel(f"{{p{partition_of(scene.ann):02d}}}:feed", "2-0")


def record_a_request_twice(scene: Scene) -> None:
    """Two batches bear the name of the same request."""
    for _ in range(2):
        add(scene, {"kind": "clock"}, "twice")


def decide_for_a_seat_without_a_decision(scene: Scene) -> None:
    """A batch is caused by a seat that had nothing to decide."""
    add(scene, {"kind": "seat", "seat": 2}, None)


def forget_a_move(scene: Scene) -> None:
    """A move stands in the log that nobody was told of."""
    scene.sent.pop()


def tell_of_another_event(scene: Scene) -> None:
    """A move was answered with something else than was recorded."""
    scene.sent[-1].answer["events"][0]["type"] = "SomethingElse"


def leave_a_turn(scene: Scene) -> None:
    """It is the AI's turn, and nobody plays it."""
    scene.sent.append(move_of(scene.visit, scene.ann, 12))


def leave_a_table(scene: Scene) -> None:
    """A table of AI seats is not played to its end."""
    table = scene.visit.opened("tomahawk", "ai ai").table
    answer = {"table": table.id, "version": table.version, "hash": table.head.hash.hex()}
    scene.sent.append(Sent("", "/v1/tables", {}, "", 1, answer))


DAMAGE: dict[Callable[[Scene], None], Callable[[Kept], Iterator[str]]] = {
    lose_the_end: checks.lost_events,
    move_the_head: checks.broken_chains,
    tear_a_batch: checks.broken_chains,
    lose_a_pointer: checks.gaps_in_feeds,
    record_a_request_twice: checks.answered_twice,
    decide_for_a_seat_without_a_decision: checks.answered_twice,
    forget_a_move: checks.moves_that_nobody_made,
    tell_of_another_event: checks.answers_that_differ,
    leave_a_turn: checks.lost_turns,
    leave_a_table: checks.lost_turns,
}


@pytest.mark.parametrize("damage", quick_first(DAMAGE, quick=3), ids=lambda damage: damage.__name__)
def test_a_check_sees_what_it_is_for(scene: Scene, valkey_url: str, damage: Callable[[Scene], None]) -> None:
    """In the log as it is, nothing is wrong; with the damage, the check says so."""
    with closing(Kept(valkey_url, scene.sent)) as before:
        assert faults_of(before, []) == []
    damage(scene)
    with closing(Kept(valkey_url, scene.sent)) as after:
        assert list(DAMAGE[damage](after))


def test_a_torn_batch_is_seen(scene: Scene, valkey_url: str) -> None:
    """A batch whose last event is missing at the end of the log is torn."""
    new_event = NewEvent("DisputeCommented", COMMENT, {})
    head = scene.visit.log.head(scene.ann)
    events = record(scene.ann, head, [new_event, new_event], BatchMetadata(by_time(scene), {"kind": "clock"}))
    scene.visit.log.append(scene.ann, Batch(head, events[:1]))

    with closing(Kept(valkey_url, scene.sent)) as kept:
        assert list(checks.torn_batches(kept)) == [f"{scene.ann}: a batch is torn"]


def test_every_check_is_shown_something() -> None:
    """No check is left out."""
    assert {*DAMAGE.values(), checks.torn_batches} == set(CHECKS)


def test_another_answer_to_a_repeat_is_seen(scene: Scene, valkey_url: str) -> None:
    """A repeat that is answered otherwise than the first request was is a fault."""
    first = scene.sent[-1]
    with closing(Kept(valkey_url, scene.sent)) as kept:
        assert faults_of(kept, [(first, first._replace(times=2))]) == []
        assert faults_of(kept, [(first, first._replace(answer={}))]) != []


def test_what_is_owed_is_not_settled(scene: Scene, valkey_url: str) -> None:
    """As long as an AI seat has something to play, the log is not settled."""
    with closing(Kept(valkey_url, scene.sent)) as kept:
        assert kept.is_settled()
        scene.visit.open("manitou", "ann ai")
        assert not kept.is_settled()
