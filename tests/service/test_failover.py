"""A failover of a real cluster, to a replica that lagged: who knew what was lost says so, and mixes nothing."""

from collections.abc import Iterator
from typing import Any

import pytest

from events import feeds
from events.feeds import FeedTail
from events.log import PARTITIONS, Diverged, LogDamaged, partition_of
from events.recorded import event_as_read
from events.store import RedisLog, connect
from events.verify import faults
from projections.runner import Runner
from projections.store import current
from service.accounts.callers import Player
from service.tables.playing import Play
from tests.cluster import fail_over, hold_back, pair_of, replicated
from tests.tables import ANN, BEN, Visit
from tools.cluster import Cluster

pytestmark = pytest.mark.slow

LOST = 4  # moves


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with replicated() as found:
        yield found


def visit_to(cluster: Cluster) -> Visit:
    """A process of its own, as it were: with connections and a memory of its own."""
    return Visit(RedisLog(connect(cluster.url), PARTITIONS))


def next_move(visit: Visit, table: str, seed: int) -> tuple[Player, Play]:
    """A move of whoever is to decide."""
    player = (ANN, BEN)[visit.table(table).decisions[0].seat - 1]
    decision = visit.decision(table, player)
    return player, Play(decision.seat, visit.move(table, player, seed), decision.recorded_id)


def play(visit: Visit, table: str, moves: int, seed: int) -> None:
    """So many moves, one after the other."""
    for number in range(moves):
        visit.play_move(table, *next_move(visit, table, seed + number))


@pytest.mark.parametrize("others", [0, LOST, LOST + 3])
def test_a_lossy_failover_is_said(cluster: Cluster, others: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether others have played on since, as far or farther: read and move are refused, and then go by the store."""
    monkeypatch.setattr(feeds, "CHECK_S", 0)
    reader, writer, third = (visit_to(cluster) for _ in range(3))
    table = writer.open("tomahawk", "ann open")
    writer.sit(table, 2, BEN)
    play(writer, table, 3, seed=1)
    pair = pair_of(cluster, log_of(writer).table_key(table, "events"))
    hold_back(pair)
    play(writer, table, LOST, seed=100)
    known = reader.table(table).head
    project(writer)
    follower = FeedTail(writer.log)
    follower.next_update(0)
    mine = (table, *next_move(writer, table, seed=300))

    fail_over(cluster, pair)
    play(third, table, others, seed=200)
    held = third.table(table).head

    with pytest.raises(Diverged) as damage:
        reader.history(table)
    assert damage.value.known == known
    with pytest.raises(LogDamaged):
        writer.play_move(*mine)
    assert third.log.head(table) == held
    assert follower.next_update(0).gone_back >= {partition_of(table)}
    assert whole(reader, table) == whole(writer, table) == whole(third, table)
    play(writer, table, 1, seed=300)
    assert reader.table(table).version == writer.table(table).version > held.version
    project(third)
    assert row(third, table)["version"] == writer.table(table).version


def log_of(visit: Visit) -> RedisLog:
    """Its log."""
    assert isinstance(visit.log, RedisLog)
    return visit.log


def project(visit: Visit) -> None:
    """Brings the projections forward."""
    Runner(log_of(visit), visit.handler.cache).catch_up(range(PARTITIONS))


def row(visit: Visit, table: str) -> Any:
    """What the lobby tells of a table."""
    return current(log_of(visit), "lobby").row(partition_of(table), table)


def whole(visit: Visit, table: str) -> list[bytes]:
    """The hashes of a table's events, which hold together."""
    events = visit.history(table).events
    assert list(faults(event_as_read(event, None, over=True) for event in events)) == []
    return [event.hash for event in events]
