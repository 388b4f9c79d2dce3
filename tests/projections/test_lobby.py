"""The lobby: public tables by status, the newest first, in pages; and all tables of one's own."""

from collections.abc import Iterator

import pytest
from freezegun import freeze_time

from events.store import RedisLog
from projections import lobby_queries, lobby_rows
from projections.lobby_queries import LobbyPage
from projections.store import ProjectionStore, current
from tests.tables import ANN, Visit, catch_up


@pytest.fixture
def visit(valkey_log: RedisLog) -> Iterator[Visit]:
    with freeze_time("2026-11-21T09:00:00Z", auto_tick_seconds=1):
        yield Visit(valkey_log)


@pytest.fixture
def store(valkey_log: RedisLog) -> ProjectionStore:
    return current(valkey_log, lobby_rows.NAME)


def listed(store: ProjectionStore, status: str) -> list[str]:
    """The tables of a status, all in one page."""
    return [row["id"] for row in lobby_queries.page(store, status, LobbyPage(None, 100))[0]]


@pytest.mark.parametrize(
    "row", [b'\xfb"table":1}', b"[]", b'{"table":"t_another","opened_at":""}', b'{"tabme":"t_1","opened_at":""}']
)
def test_a_damaged_row_keeps_no_other_table_from_a_list(
    visit: Visit, valkey_log: RedisLog, store: ProjectionStore, row: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor does a damaged entry of an index; the log names the table, and what makes the row anew."""
    one, other = (visit.open("manitou", "ann open") for _ in range(2))
    catch_up(valkey_log)
    valkey_log.client.hset(store.key(valkey_log.partition(one), "rows"), one, row)
    valkey_log.client.zadd(store.key(valkey_log.partition(one), "running"), {b"2026-11-21T09:00:00.000Z|t_\xff": 0})

    assert listed(store, "open") == [other]
    assert listed(store, "running") == []
    assert [row["id"] for row in lobby_queries.unfinished_by(store, ANN.id)] == [other]
    assert f"the lobby's row of {one} is damaged" in caplog.text
