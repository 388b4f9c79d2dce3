"""The lobby: public tables by status, the newest first, in pages; and all tables of one's own."""

from collections.abc import Iterator

import pytest
from freezegun import freeze_time

from events.store import RedisLog
from projections import lobby, lobby_lists
from projections.history import Histories
from projections.lobby_lists import LobbyPage
from projections.runner import Runner
from projections.store import ProjectionStore, current
from service.accounts.callers import Caller
from service.commands import CallerContext
from service.tables.event_rows import is_ruling
from service.tables.forks import Forking, fork
from tests.court import Court
from tests.tables import ANN, BEN, CAT, DAN, Visit


@pytest.fixture
def visit(valkey_log: RedisLog) -> Iterator[Visit]:
    with freeze_time("2026-11-21T09:00:00Z", auto_tick_seconds=1):
        yield Visit(valkey_log)


@pytest.fixture
def store(valkey_log: RedisLog) -> ProjectionStore:
    return current(valkey_log, lobby.NAME)


def catch_up(log: RedisLog) -> None:
    Runner(log, Histories(log)).catch_up(range(log.partitions))


def tables_of(store: ProjectionStore, player: str, size: int = 100) -> list[str]:
    """All tables that concern a player, read in pages of a size."""
    found: list[str] = []
    rows, cursor = lobby_lists.of_player(store, player, LobbyPage(None, size))
    while found := [*found, *(row["table"] for row in rows)]:
        if cursor is None:
            return found
        rows, cursor = lobby_lists.of_player(store, player, LobbyPage(cursor, size))
    return found


def listed(store: ProjectionStore, status: str) -> list[str]:
    """The tables of a status, all in one page."""
    return [row["table"] for row in lobby_lists.page(store, status, LobbyPage(None, 100))[0]]


@pytest.mark.parametrize("size", [1, 4, 24, 25, 26])
def test_pages_hold_every_table_once(visit: Visit, valkey_log: RedisLog, store: ProjectionStore, size: int) -> None:
    """From page to page every table comes once, the newest first, whichever partition it is in."""
    opened = [visit.open("manitou", "ann open") for _ in range(25)]
    catch_up(valkey_log)
    found, cursor, pages = [], None, 0
    while pages == 0 or cursor:
        rows, cursor = lobby_lists.page(store, "open", LobbyPage(cursor, size))
        found += [row["table"] for row in rows]
        pages += 1
        assert pages <= len(opened), "pages without end"
        assert len(rows) <= size

    assert found == opened[::-1]
    assert pages == -(-25 // size)


def test_a_page_stays_where_it_was(visit: Visit, valkey_log: RedisLog, store: ProjectionStore) -> None:
    """Tables opened meanwhile do not shift the pages that follow."""
    opened = [visit.open("manitou", "ann open") for _ in range(6)]
    catch_up(valkey_log)
    _, cursor = lobby_lists.page(store, "open", LobbyPage(None, 3))
    visit.open("manitou", "ann open")
    catch_up(valkey_log)
    rows, last = lobby_lists.page(store, "open", LobbyPage(cursor, 3))

    assert [row["table"] for row in rows] == opened[2::-1]
    assert last is None


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
    assert [row["table"] for row in lobby_lists.unfinished_by(store, ANN.id)] == [other]
    assert f"the lobby's row of {one} is damaged" in caplog.text


def test_an_empty_lobby_has_an_empty_page(store: ProjectionStore) -> None:
    """Without tables there is one page with nothing on it."""
    assert lobby_lists.page(store, "open", LobbyPage(None, 10)) == ([], None)


def test_a_table_moves_from_status_to_status(visit: Visit, valkey_log: RedisLog, store: ProjectionStore) -> None:
    """A table is listed under the one status that it has."""
    table = visit.open("tomahawk", "ann open")
    catch_up(valkey_log)
    assert [listed(store, status) for status in lobby.STATUSES] == [[table], [], []]

    visit.sit(table, 2, BEN)
    catch_up(valkey_log)
    assert [listed(store, status) for status in lobby.STATUSES] == [[], [table], []]

    visit.play_to_the_end(table)
    catch_up(valkey_log)
    assert [listed(store, status) for status in lobby.STATUSES] == [[], [], [table]]


def test_the_tables_of_a_player_come_in_pages(visit: Visit, valkey_log: RedisLog, store: ProjectionStore) -> None:
    """Of five tables, two at a time; where one sits, finished tables are left out."""
    tables = [visit.open("manitou", "ann ai") for _ in range(5)]
    catch_up(valkey_log)
    assert tables_of(store, ANN.id, size=2) == tables[::-1]

    visit.play_to_the_end(tables[3])
    catch_up(valkey_log)
    first, cursor = lobby_lists.seated(store, ANN.id, LobbyPage(None, 2))
    assert (first, lobby_lists.seated(store, ANN.id, LobbyPage(cursor, 2))) == (
        [tables[4], tables[2]],
        ([tables[1], tables[0]], None),
    )
    assert lobby_lists.all_seated(store, ANN.id) == {*tables} - {tables[3]}
    assert tables_of(store, ANN.id) == tables[::-1]


def test_tables_where_one_sits_and_branches_are_listed_by_rows(
    visit: Visit, valkey_log: RedisLog, store: ProjectionStore
) -> None:
    """Page by page: of three tables and of three branches of a finished one, two and then one."""
    tables = [visit.open("manitou", "ann ai") for _ in range(3)]
    parent = visit.open("manitou", "ben ai", by=BEN)
    history = visit.play_to_the_end(parent)
    asked = CallerContext(Caller(BEN, ("play", "watch")), visit.request())
    branches = [fork(visit.handler, history, asked, Forking(20 + number)).table.id for number in range(3)]
    catch_up(valkey_log)

    for of, name, expected in [
        (lobby_lists.rows_seated, ANN.id, tables[::-1]),
        (lobby_lists.of_parent, parent, branches[::-1]),
    ]:
        first, cursor = of(store, name, LobbyPage(None, 2))
        second, end = of(store, name, LobbyPage(cursor, 2))
        assert ([row["table"] for row in first], [row["table"] for row in second]) == (expected[:2], expected[2:])
        assert end is None


def test_a_private_table_is_not_listed(visit: Visit, valkey_log: RedisLog, store: ProjectionStore) -> None:
    """Private tables are found by those alone whom they name."""
    table = visit.open("tomahawk", "ann ben", visibility="private", arbiter=CAT.id)
    catch_up(valkey_log)

    assert [listed(store, status) for status in lobby.STATUSES] == [[], [], []]
    assert [tables_of(store, player.id) for player in (ANN, BEN, CAT, DAN)] == [
        [table],
        [table],
        [table],
        [],
    ]


def test_all_tables_of_a_player(visit: Visit, valkey_log: RedisLog, store: ProjectionStore) -> None:
    """Whoever opened a table, sat at it, has a seat kept or arbitrates finds it, the newest first."""
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

    assert (row["table"], row["game"], row["version"], row["players"]) == (table, "tomahawk", now.version, 2)
    assert row["options"] == now.opened.options
    assert [(seat["player"], seat["level"]) for seat in row["seats"]] == [(ANN.id, None), (None, "greedy")]
    assert row["to_act"] == [decision.seat for decision in now.decisions]
    assert row["winners"] == []

    visit.play_to_the_end(table)
    catch_up(valkey_log)
    row = lobby_lists.page(store, "finished", LobbyPage(None, 1))[0][0]
    assert row["to_act"] == []
    assert set(row["winners"]) <= {1, 2}


def test_tables_are_listed_at_which_a_dispute_is_open(valkey_log: RedisLog, store: ProjectionStore) -> None:
    """For operators all of them, for whoever disputes their own; one that is resolved is on neither list."""
    court = Court(valkey_log)
    made = [court.table_with(is_ruling, "big-manitou", "ann ben") for _ in range(2)]
    disputes = [court.dispute(table, ANN, ruling, ruling.envelope.payload["rules"][0]) for table, ruling in made]
    tables = sorted(table for table, _ in made)
    catch_up(valkey_log)
    assert (lobby_lists.disputed(store), sorted(lobby_lists.disputed_by(store, ANN.id))) == (tables, tables)
    assert lobby_lists.disputed_by(store, BEN.id) == []

    court.resolve(made[0][0], disputes[0], "upheld")
    catch_up(valkey_log)
    assert lobby_lists.disputed(store) == [made[1][0]]
