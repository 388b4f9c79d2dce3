"""The index of games played: what the store tells and what the archive tells, taken in once and the same."""

import contextlib
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from events.times import stamp
from projections import lobby_rows
from projections.archived_tables import read_segment
from projections.finished_games.games import SCHEMA
from projections.finished_games.index import FILE, FinishedGames, NotFilled, enter
from projections.finished_games.profile import Month, figures_of
from projections.finished_games.search import GameFilter, GameQuery, page
from projections.history import TableCache
from projections.runner import Runner
from projections.sqlite_files import open_database, transaction
from projections.store import current
from tests.archives import Archive
from tests.projections.finished_games.synthetic import BEGUN_MS, game
from tests.tables import ANN, Visit

OF_GAMES = {
    "games": "place, name, public, game, players, options, events, moves, disputed, rated, weakest, strongest",
    **dict.fromkeys(("shown", "holders", "concerned", "scales", "points", "ratings", "counted"), "*"),
}


def told(database: sqlite3.Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that is kept of games, wherever it was read."""
    return {name: sorted(database.execute(f"select {of} from {name}").fetchall()) for name, of in OF_GAMES.items()}  # noqa: S608


def names(index: FinishedGames, asker: str | None = None) -> list[str]:
    """The tables that somebody finds, the last that ended first."""
    found, cursor = index.read(lambda database: page(database, GameFilter(), GameQuery(asker, None, 100)))
    assert cursor is None
    return [one.row["id"] for one in found]


def test_a_game_is_found_when_its_table_has_closed(archive: Archive) -> None:
    """Not while it is played, nor if it was given up before it began; each once, the last that ended first."""
    index = FinishedGames(archive.log)
    archive.visit.open("tomahawk", "ann ai")
    archive.visit.leave(archive.visit.open("tomahawk", "ann open"), 1, ANN)
    archive.project()
    assert names(index) == []
    first = archive.played().table.id
    archive.project()
    assert names(index) == [first]
    second = archive.played("manitou", "ann greedy").table.id
    archive.project()

    assert names(index) == [second, first]
    assert names(index) == [second, first]


@pytest.mark.parametrize("game", ["big-manitou", "manitou", "tomahawk", "plenty-coups"])
def test_a_game_is_told_as_it_ended(archive: Archive, game: str) -> None:
    """Places, points and moves are those of the record."""
    history = archive.played(game, "ann greedy")
    archive.project()
    (found,), _ = FinishedGames(archive.log).read(
        lambda database: page(database, GameFilter(), GameQuery(None, None, 10))
    )
    result, scores = found.row["result"], msgspec.to_builtins(history.table.game.scores(history.table.state))

    assert result["ended_at"] == next(e.envelope.at for e in history.events if e.envelope.type == "GameEnded")
    assert [result["places"].index(1) + 1] == [scores["winners"][0]]
    assert sorted(result["points"]) == sorted(row["total"] for row in scores["scores"])
    moves = [e for e in history.events if e.envelope.by.get("kind") == "seat" and e.version == e.envelope.batch[0]]
    assert (result["moves"], result["events"]) == (len(moves), history.table.ended)
    assert {change.games for change in found.changes.values()} == {1}


@pytest.mark.slow
def test_store_and_archive_tell_the_same_to_the_byte(archive: Archive, caplog: pytest.LogCaptureFixture) -> None:
    """Read while the tables were in the store, when some had left it, and from the archive alone; none is made anew."""
    known = FinishedGames(archive.log)
    for seats in ("ann greedy", "ann ai", "greedy ai"):
        archive.played("tomahawk", seats)
    archive.project()
    before = known.read(told)
    assert archive.archive().tables == 3
    assert known.read(told) == before
    archive.played("manitou", "ann greedy ai")
    archive.project()
    after = known.read(told)

    assert len(after["games"]) == 4
    assert len(after["points"]) == 2 + 2 + 2 + 3
    assert FinishedGames(archive.opened()).read(told) == after
    archive.archive()
    assert known.read(told) == after
    assert FinishedGames(archive.opened()).read(told) == after
    assert known.read(lambda database: database.execute("select min(segment) from games").fetchone()) == (1,)
    assert caplog.messages == []


def test_a_projection_that_is_rebuilt_changes_nothing(archive: Archive) -> None:
    """The positions under which tables are listed are others: none is missed, none comes twice."""
    known = FinishedGames(archive.log)
    archive.played()
    archive.project()
    assert len(names(known)) == 1
    archive.played("manitou")
    Runner(archive.log, TableCache(archive.log)).rebuild(lobby_rows.NAME)
    archive.played()
    archive.project()

    assert len(names(known)) == 3
    assert FinishedGames(archive.log).read(told) == known.read(told)


def test_a_store_that_went_back_takes_its_games_along(archive: Archive) -> None:
    """What it no longer has is dropped, with its ratings; what is archived stays."""
    known = FinishedGames(archive.log)
    kept = archive.played("tomahawk", "ann greedy").table
    archive.archive()
    lost = archive.played("tomahawk", "ann greedy").table
    archive.project()
    assert names(known) == [lost.id, kept.id]
    rows = current(archive.log, lobby_rows.NAME)
    for command, key, argument in lobby_rows.removals(lost, rows, archive.log.partition(lost.id)):
        archive.client.execute_command(command, key, argument)
    archive.client.delete(*(archive.log.table_key(lost.id, name) for name in ("events", "head")))

    assert names(known) == [kept.id]
    assert known.read(told) == FinishedGames(archive.opened()).read(told)


def test_a_game_that_was_lost_and_played_anew_is_told_as_it_ended_now(archive: Archive) -> None:
    """The table's partition went back alone, and both ends are in segments, also for earlier readers."""
    known, seen = FinishedGames(archive.log), FinishedGames(archive.log)
    table = archive.visit.open("tomahawk", "ann greedy")
    archive.project()
    before = archive.copy(table)
    archive.visit.play_to_the_end(table)
    archive.archive()
    assert names(known) == names(seen) == [table]
    archive.put_back(table, before)
    Visit(archive.log).play_to_the_end(table, seed=50)
    archive.project()
    assert names(seen) == [table]
    archive.archive()

    assert names(known) == [table]
    assert (
        places(known) == places(seen) == places(FinishedGames(archive.opened())) == [archive.load(table).table.ended_at]
    )
    assert known.read(told) == seen.read(told) == FinishedGames(archive.opened()).read(told)


def places(index: FinishedGames) -> list[str]:
    """When the games ended that anybody finds."""
    found, _ = index.read(lambda database: page(database, GameFilter(), GameQuery(None, None, 100)))
    return [one.row["result"]["ended_at"] for one in found]


def test_a_damaged_file_is_made_anew(archive: Archive, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """By any reader, for its owner alone; the log names the file and the reason."""
    archive.played()
    archive.project()
    want = FinishedGames(archive.log, tmp_path / FILE).read(told)
    (tmp_path / FILE).write_bytes(b"no database")
    for kept in ("-wal", "-shm"):
        (tmp_path / f"{FILE}{kept}").unlink(missing_ok=True)

    assert FinishedGames(archive.log, tmp_path / FILE).read(told) == want
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    assert caplog.messages == [f"{tmp_path / FILE}: file is not a database; it is built again"]


def test_a_file_that_another_process_holds_is_read_as_it_is(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is told which file, and what was told meanwhile is taken in afterwards."""
    monkeypatch.setattr("projections.sqlite_files.PATIENCE_S", 0.01)
    index = FinishedGames(archive.log, tmp_path / FILE)
    archive.played()
    archive.project()
    before = names(index)
    archive.played()
    archive.project()
    with contextlib.closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
        other.execute("begin immediate")
        assert names(index) == before
        assert f"finished games are not up to date: {tmp_path / FILE}: database is locked" in caplog.messages
        other.execute("rollback")
    assert len(names(index)) == 2


class Hanging:
    """An archive whose lists keep readers waiting until they are released."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self._free, listing = threading.Event(), threading.Event(), read_segment

        def hanging(*asked: Any) -> Any:
            self.reached.set()
            assert self._free.wait(60)
            return listing(*asked)

        monkeypatch.setattr("projections.finished_games.index.read_segment", hanging)

    def let_go(self) -> None:
        self._free.set()


def test_nobody_waits_for_an_archive_that_hangs(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that were taken in are told as before; when the archive answers, the others as well."""
    first, index = archive.played().table.id, FinishedGames(archive.log, patience_s=0.2)
    archive.project()
    assert until(lambda: names(index)) == [first]
    hanging = Hanging(monkeypatch)
    archive.archive()
    second = archive.played().table.id
    archive.project()

    assert names(index) == [first]
    assert hanging.reached.wait(60)
    assert names(index) == [first]
    hanging.let_go()
    assert until(lambda: names(index), lambda found: len(found) == 2) == [second, first]


def test_an_index_that_is_being_made_is_not_told_in_part(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests made meanwhile are refused; none waits for earlier ones."""
    archive.played()
    archive.archive()
    hanging, index = Hanging(monkeypatch), FinishedGames(archive.opened(), patience_s=0.2)
    with ThreadPoolExecutor(4) as askers:
        asked = [askers.submit(names, index) for _ in range(8)]

    assert {type(one.exception()) for one in asked} == {NotFilled}
    hanging.let_go()
    assert len(until(lambda: names(index))) == 1


def until(ask: Callable[[], Any], is_there: Callable[[Any], bool] = bool) -> Any:
    """The result once it is there, while a thread fills the index."""
    while True:
        with contextlib.suppress(NotFilled):
            if is_there(found := ask()):
                return found


def test_months_are_those_of_utc() -> None:
    """The last millisecond of a month is of it, and the next one is of the next."""
    first_ms = 1_793_491_200_000
    assert stamp(first_ms) == "2026-11-01T00:00:00.000Z"
    ends_s, database = (first_ms - BEGUN_MS) // 1000, open_database(None, SCHEMA)
    with transaction(database):
        enter(database, 1, [(0, game(6, ends_s, ("p_dan", "p_ben"), (1, 2)))])
        enter(database, 1, [(0, game(7, ends_s - 1, ("p_dan", "p_ben"), (1, 2)))])
    assert figures_of(database, "p_dan").activity == [Month("2026-11", 1), Month("2026-10", 1)]
