"""The lobby: public tables by status, the newest first, in pages; and all tables of one's own."""

from collections.abc import Iterator

import pytest
from freezegun import freeze_time

from events.store import RedisLog
from projections import lobby, lobby_lists
from projections.history import TableCache
from projections.lobby_lists import LobbyPage
from projections.runner import Runner
from projections.store import ProjectionStore, current
from tests.tables import ANN, BEN, CAT, DAN, Visit


@pytest.fixture
def visit(valkey_log: RedisLog) -> Iterator[Visit]:
    with freeze_time("2026-11-21T09:00:00Z", auto_tick_seconds=1):
        yield Visit(valkey_log)


@pytest.fixture
def store(valkey_log: RedisLog) -> ProjectionStore:
    return current(valkey_log, lobby.NAME)


def catch_up(log: RedisLog) -> None:
    Runner(log, TableCache(log)).catch_up(range(log.partitions))


def tables_of(store: ProjectionStore, player: str, size: int = 100) -> list[str]:
    """All tables that concern a player, read in pages of a size."""
    found: list[str] = []
    rows, cursor = lobby_lists.of_player(store, player, LobbyPage(None, size))
    while found := [*found, *(row["id"] for row in rows)]:
        if cursor is None:
            return found
        rows, cursor = lobby_lists.of_player(store, player, LobbyPage(cursor, size))
    return found


def listed(store: ProjectionStore, status: str) -> list[str]:
    """The tables of a status, all in one page."""
    return [row["id"] for row in lobby_lists.page(store, status, LobbyPage(None, 100))[0]]


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
    assert [row["id"] for row in lobby_lists.unfinished_by(store, ANN.id)] == [other]
    assert f"the lobby's row of {one} is damaged" in caplog.text


def test_a_private_table_is_not_listed(visit: Visit, valkey_log: RedisLog, store: ProjectionStore) -> None:
    """Private tables are found by those alone whom they name."""
    table = visit.open("tomahawk", "ann ben", visibility="private", arbiter=CAT.id)
    catch_up(valkey_log)

    assert [listed(store, status) for status in lobby.STATUSES] == [[], [], []]
    assert [tables_of(store, player.id) for player in (ANN, BEN, CAT, DAN)] == [[table], [table], [table], []]


def test_all_tables_of_a_player(visit: Visit, valkey_log: RedisLog, store: ProjectionStore) -> None:
    """A player finds every table they opened, sat at, have a seat kept at or arbitrate, the newest first."""
    first = visit.open("manitou", "ann open")
    second = visit.open("manitou", "ann ben")
    third = visit.open("manitou", "cat open", by=CAT, arbiter=BEN.id)
    visit.sit(first, 2, BEN)
    catch_up(valkey_log)

    assert tables_of(store, BEN.id) == [third, second, first]
    assert tables_of(store, ANN.id) == [second, first]
    assert tables_of(store, "p_an") == []


def test_a_row_says_what_one_wants_to_know(visit: Visit, valkey_log: RedisLog, store: ProjectionStore) -> None:
    """A row has the game, its house rules, who sits where, who has to decide and who has won."""
    table = visit.open("tomahawk", "ann greedy")
    catch_up(valkey_log)
    row = lobby_lists.page(store, "running", LobbyPage(None, 1))[0][0]
    now = visit.table(table)

    assert (row["id"], row["game"], row["version"], row["players"]) == (table, "tomahawk", now.version, 2)
    assert row["options"] == now.opened.options
    assert [(seat["player"], seat["level"]) for seat in row["seats"]] == [(ANN.id, None), (None, "greedy")]
    assert row["to_act"] == [decision.seat for decision in now.decisions]
    assert row["winners"] == []

    visit.play_to_the_end(table)
    catch_up(valkey_log)
    row = lobby_lists.page(store, "finished", LobbyPage(None, 1))[0][0]
    assert row["to_act"] == []
    assert set(row["winners"]) <= {1, 2}
