"""Closed tables leave the store: what stays there, what is read, and what happens when it is cut off anywhere."""

import json
import threading
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import redis

from events.archiving import feeds, segments
from events.archiving.objects import ArchiveUnavailable, Objects
from events.envelopes import START, Head
from events.log import PARTITIONS, Conflict, LogDamaged
from events.store import RedisLog
from games import GAMES
from projections import archived_tables, lobby_queries, lobby_rows, standings
from projections.archived_tables import SEGMENTS, catalogue_of
from projections.history import TableCache
from projections.lobby_queries import LobbyPage
from projections.runner import Runner
from projections.store import current
from tests.archives import Archive
from tests.events.batches import batch
from tests.long import long_but_for
from tests.tables import ANN
from wintercount.operations import maintenance
from worker import archiver
from worker.archiver import ANSWERED_MS, CLAIM_MS, CLAIMS, Archiver, Claims

FIRST = LobbyPage(None, 50)


def keys_of(archive: Archive, table: str) -> set[str]:
    """The keys of the store that name a table."""
    return {key.decode().rpartition(":")[2] for key in archive.client.scan_iter(f"*{table}*")}


def test_of_an_archived_table_the_store_keeps_its_head(archive: Archive) -> None:
    """Events, requests and rows are gone, and the head says where they are: in less than 200 bytes."""
    table = archive.played().table

    assert archive.archive_for_good().tables == 1
    assert keys_of(archive, table.id) == {"head"}
    rows = current(archive.log, lobby_rows.NAME)
    assert not any(table.id.encode() in b"".join(rows.rows(p)) for p in range(PARTITIONS))
    indexes = product(("finished", "by_player", "closed", "unfinished"), range(PARTITIONS))
    assert not any(rows.members(p, name) for name, p in indexes)
    assert archive.client.memory_usage(archive.log.table_key(table.id, "head")) < 200


@pytest.mark.parametrize("game", long_but_for({"manitou", "tomahawk"}.__contains__, GAMES))
def test_an_archived_table_is_read_as_before(archive: Archive, game: str) -> None:
    """Every event, the chain and the state at each version are the same for a process that starts now."""
    before = archive.load(archive.played(game).table.id)
    archive.archive()
    after = archive.load(before.table.id)

    assert after.events == before.events
    assert after.table == before.table
    assert archive.log.head(before.table.id) == before.table.head
    assert archive.log.read(before.table.id, 3, 5) == before.events[2:5]


def test_nothing_is_added_to_an_archived_table(archive: Archive) -> None:
    """An append is refused as on a table that has gone on: with the events that the writer has missed."""
    history = archive.played()
    archive.archive_for_good()
    with pytest.raises(Conflict) as conflict:
        archive.log.append(history.table.id, batch(START, "one", table=history.table.id))
    assert len(conflict.value.missed) == history.table.version

    with pytest.raises(LogDamaged):
        archive.log.append(history.table.id, batch(history.table.head, "more", table=history.table.id))


def test_requests_are_answered_for_a_day_after_a_table_closed(archive: Archive) -> None:
    """Archived at once, the store answers a repeated request until the promised time has passed."""
    history = archive.played()
    name = history.events[-1].envelope.request
    assert name
    archive.archive()

    answered = archive.log.find_answer(history.table.id, name)
    assert answered
    assert answered[1].last == history.table.version
    left = archive.client.pttl(archive.log.table_key(history.table.id, "requests"))
    assert 0 < left <= ANSWERED_MS


def test_lists_tell_of_archived_tables_as_before(archive: Archive) -> None:
    """Lobby, lists of players and of branches, and counts, are what they were, in the same order."""
    for _ in range(3):
        archive.played()
    archive.project()
    rows = current(archive.log, lobby_rows.NAME)
    told = [lobby_queries.page(rows, "finished", FIRST), lobby_queries.of_player(rows, ANN.id, FIRST)]
    counts = [lobby_queries.count(rows, "finished"), lobby_queries.count_of_player(rows, ANN.id)]
    archive.archive()
    archive.played()
    archive.project()
    newer = [lobby_queries.page(rows, "finished", FIRST), lobby_queries.of_player(rows, ANN.id, FIRST)]

    assert counts == [3, 3]
    assert [lobby_queries.count(rows, "finished"), lobby_queries.count_of_player(rows, ANN.id)] == [4, 4]
    assert [found[1:] for found, _ in newer] == [found for found, _ in told]
    assert lobby_queries.page(rows, "finished", LobbyPage(None, 2))[1] is not None
    assert lobby_queries.concerns(rows, ANN.id)


def test_a_table_is_archived_when_its_time_has_come(archive: Archive) -> None:
    """Not before; and a segment that is not full waits a seventh of the time for more."""
    archive.played()

    assert archive.archive(after_ms=70_000, later_ms=60_000).tables == 0
    assert archive.archive(after_ms=70_000, later_ms=75_000).tables == 0
    assert archive.archive(after_ms=70_000, later_ms=85_000).tables == 1


def test_running_tables_stay(archive: Archive) -> None:
    """A table that people are playing is not touched."""
    table = archive.visit.open("tomahawk", "ann ben")

    assert archive.archive_for_good().tables == 0
    assert archive.load(table).table.version == archive.visit.table(table).version


@pytest.mark.parametrize("step", ["write_segment", "register", "move_to_archive"])
def test_cut_off_after_any_step_it_goes_on(archive: Archive, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """Killed behind a step, a table is in the store or in both; the next run archives it, and it is listed once."""

    class Killed(BaseException):
        """The process is gone."""

    def cut(function: Any) -> Any:
        def done(*arguments: Any) -> Any:
            function(*arguments)
            raise Killed

        return done

    histories = [archive.played(), archive.played()]
    where: Any = {"write_segment": segments, "register": archived_tables, "move_to_archive": archive.log}[step]
    with monkeypatch.context() as patch:
        patch.setattr(where, step, cut(getattr(where, step)))
        with pytest.raises(Killed):
            archive.archive()
    assert [archive.load(one.table.id).table.head for one in histories] == [one.table.head for one in histories]

    archive.archive()

    assert [archive.load(one.table.id).table.head for one in histories] == [one.table.head for one in histories]
    assert all(archive.log.places([one.table.id for one in histories]))
    listed, _ = lobby_queries.page(current(archive.log, lobby_rows.NAME), "finished", FIRST)
    assert sorted(row["id"] for row in listed) == sorted(one.table.id for one in histories)


def test_what_another_archiver_is_at_is_left_to_it(archive: Archive) -> None:
    """Its claims lapse if it was killed; then the next archiver takes the tables."""
    histories = [archive.played(), archive.played()]
    archive.project()
    now_ms = archive.visit.handler.now_ms
    claimed, free = (one.table.id for one in histories)
    assert Claims(archive.client, CLAIMS, now_ms).claim([claimed]) == [claimed]

    assert Archiver(archive.log, now_ms, 0).archive_due().tables == 1
    assert [place is not None for place in archive.log.places([claimed, free])] == [False, True]

    assert Archiver(archive.log, lambda: now_ms() + CLAIM_MS, 0).archive_due().tables == 1
    assert archive.log.places([claimed])[0]
    assert not archive.client.exists(CLAIMS)


@pytest.mark.slow
def test_the_command_archives_with_several_processes(
    archive: Archive, valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It tells of each segment, and of all tables in the end."""
    monkeypatch.setenv("WINTERCOUNT_ARCHIVE", str(archive.directory))
    tables = [archive.played().table.id for _ in range(3)]
    archive.project()
    told: list[int] = []

    assert maintenance.archive(valkey_url, 0, 2, told.append).tables == 3
    assert sum(told) == 3
    assert all(archive.log.places(tables))


def test_a_rebuild_brings_no_rows_of_archived_tables_back(archive: Archive) -> None:
    """A lobby built anew is what it was."""
    archive.played()
    archive.archive()
    before = list(current(archive.log, lobby_rows.NAME).contents())

    assert list(Runner(archive.log, TableCache(archive.log)).rebuild(lobby_rows.NAME).contents()) == before


def in_two_partitions(archive: Archive) -> str:
    """Plays two tables of different partitions; the first of them."""
    first, second = archive.played().table.id, archive.played().table.id
    while archive.log.partition(first) == archive.log.partition(second):
        second = archive.played().table.id
    archive.project()
    return first


def test_a_feed_that_is_not_whole_stays_and_is_told(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Those of other partitions are archived all the same."""
    monkeypatch.setattr(feeds, "PART", 4)
    monkeypatch.setattr(feeds, "KEPT", 1)
    first = in_two_partitions(archive)
    archive.client.xdel(archive.log.partition_key(archive.log.partition(first), "feed"), "2-0")

    assert archive.archive_for_good().parts > 0
    assert "lacks positions from 1 to 4; it stays in the store" in caplog.text


def test_tables_that_are_not_whole_keep_no_others_waiting(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """However many they are, those behind them are archived, in segments as full as any; each is told once."""
    monkeypatch.setattr(archiver, "MOST_TABLES", 2)
    broken = [archive.played().table.id for _ in range(3)]
    whole = [archive.played().table.id for _ in range(4)]
    archive.project()
    for table in broken:
        archive.client.xdel(archive.log.table_key(table, "events"), "3-0")
    one = Archiver(archive.log, archive.visit.handler.now_ms, 0)

    assert [one.archive_due().tables for _ in range(2)] == [4, 0]
    assert all(archive.log.places(whole))
    assert not any(archive.log.places(broken))
    assert archive.client.zcard(SEGMENTS) == 3
    assert caplog.text.count("it stays in the store") == 3


@pytest.mark.parametrize("answer", ["nothing", "less"])
def test_what_the_archive_does_not_keep_stays_in_the_store(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, answer: str
) -> None:
    """It answers as if it had written: that is waited for as for one that does not answer, and is no damage."""
    table, stop, read = archive.played().table.id, threading.Event(), Objects.read
    archive.project()

    def reads(objects: Objects, name: str) -> bytes:
        if answer == "nothing":
            (archive.directory / name).unlink()
        return read(objects, name)[:-1]

    waits = iter([False, True])
    monkeypatch.setattr(stop, "wait", lambda _: next(waits))
    with monkeypatch.context() as patch:
        patch.setattr(Objects, "read", reads)
        Archiver(archive.log, archive.visit.handler.now_ms, 0).run(stop)
    assert "archiving waits: the archive does not keep tables/" in caplog.text
    assert archive.log.places([table]) == [None]
    assert not archive.client.exists(SEGMENTS)
    assert archive.archive().tables == 1


def test_a_part_of_a_feed_is_read_back_from_the_archive(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the store gives it up: else what the archive does not keep would be lost."""
    monkeypatch.setattr(feeds, "PART", 16)
    monkeypatch.setattr(feeds, "KEPT", 4)
    partition = long_feed(archive, 1)
    told = archive.log.feed(partition, 0, 1000)
    with monkeypatch.context() as patch:
        patch.setattr(Objects, "write", lambda objects, name, _: objects.remove(name))
        with pytest.raises(ArchiveUnavailable, match="does not keep feeds/"):
            archive.log.archive_part(partition, 10**6)
    assert archive.log.archive_part(partition, 10**6)
    assert archive.opened().feed(partition, 0, 1000) == told


@pytest.mark.parametrize("damage", ["missing", "altered", "cut"])
def test_what_the_archive_lost_is_damage(archive: Archive, damage: str) -> None:
    """A segment that is gone, altered or cut off is noticed when a table in it is read."""
    table = archive.played().table.id
    archive.archive()
    (path,) = archive.directory.glob("tables/*/*.segment")
    content = bytearray(path.read_bytes())
    content[100] ^= 1
    match damage:
        case "missing":
            path.unlink()
        case "altered":
            path.write_bytes(content)
        case "cut":
            path.write_bytes(content[:200])

    with pytest.raises(LogDamaged):
        TableCache(archive.opened()).load(table)


def test_without_an_archive_a_process_says_what_it_needs(archive: Archive) -> None:
    """A process that was not told where the archive is reads what is in the store and waits for the rest."""
    table = archive.played().table.id
    archive.archive()

    with pytest.raises(ArchiveUnavailable, match="WINTERCOUNT_ARCHIVE"):
        RedisLog(archive.client, PARTITIONS).after(table, START)


def test_an_archive_that_does_not_answer_is_waited_for(archive: Archive, tmp_path: Path) -> None:
    """It is an error of the store's own kind, so every process that waits for the store waits for it."""
    table = archive.played().table.id
    archive.archive()
    archive.directory.rename(tmp_path / "elsewhere")
    archive.directory.write_text("no directory")

    with pytest.raises(redis.ConnectionError):
        TableCache(archive.opened()).load(table)


def long_feed(archive: Archive, parts: int) -> int:
    """Fills the feed of a partition with so many parts, and what stays; its partition."""
    partition = archive.log.partition("t_one")
    head = archive.log.head("t_one")
    for _ in range(parts * feeds.PART + feeds.KEPT):
        told = batch(head, "on", table="t_one")
        archive.log.append("t_one", told)
        head = Head(told.events[-1].version, told.events[-1].hash)
    return partition


def test_feeds_are_read_on_from_any_place(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old parts lie in the archive; reading from any position, following and single pointers are as before."""
    monkeypatch.setattr(feeds, "PART", 16)
    monkeypatch.setattr(feeds, "KEPT", 4)
    partition = long_feed(archive, 3)
    before = list(archive.log.feed(partition, 0, 1000))
    followed = list(archive.log.wait_for_pointers({partition: 5}, 0.1))

    assert not archive.log.archive_part(partition, 15)
    assert [archive.log.archive_part(partition, 10**6) for _ in range(4)] == [True, True, True, False]
    again = archive.opened()
    assert len(again.client.xrange(again.partition_key(partition, "feed"))) == 4
    for after in range(len(before) + 1):
        assert list(again.feed(partition, after, 1000)) == before[after:]
        assert list(again.feed(partition, after, 7)) == before[after : after + 7]
        assert again.pointers({partition: after}) == ({partition: before[after - 1]} if after else {})
    assert list(again.wait_for_pointers({partition: 5}, 0.1)) == followed
    assert again.feed_ends()[partition] == len(before)
    assert again.pointers({partition: 10**6}) == {}


@pytest.mark.slow
def test_projections_are_rebuilt_from_archive_and_feeds(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standings that are made anew from old parts, archived tables and what is in the store agree to the byte."""
    monkeypatch.setattr(feeds, "PART", 4)
    monkeypatch.setattr(feeds, "KEPT", 1)
    monkeypatch.setattr("projections.runner.PAGE", 3)
    for _ in range(4):
        archive.played()
    done = archive.archive_for_good()
    archive.played()
    archive.project()
    assert (done.tables, done.parts > 0) == (4, True)
    before = list(current(archive.log, standings.NAME).contents())

    anew = Runner(archive.opened(), TableCache(archive.opened())).rebuild(standings.NAME)

    assert list(anew.contents()) == before
    assert json.dumps(before, default=str).count("uniform")


def test_a_catalogue_is_made_anew_where_the_store_went_back(archive: Archive) -> None:
    """Segments that the store does not name any more are forgotten, and those that it names now are listed."""
    first = archive.played().table.id
    archive.archive()
    known = catalogue_of(archive.log)
    assert known
    assert set(known.facts([first])) == {first}
    kept = archive.client.zrange(SEGMENTS, 0, -1)
    second = archive.played().table.id
    archive.archive()
    assert set(known.facts([first, second])) == {first, second}

    archive.client.zremrangebyrank(SEGMENTS, 1, 1)
    assert set(known.facts([first, second])) == {first}
    archive.client.delete(SEGMENTS)
    assert known.facts([first, second]) == {}
    archived_tables.register(archive.client, kept[0].decode())
    assert set(known.facts([first, second])) == {first}


def test_a_segment_that_is_lost_keeps_nobody_from_others(archive: Archive, caplog: pytest.LogCaptureFixture) -> None:
    """Its tables are in no list, which is told; those of other segments are."""
    lost = archive.played().table.id
    archive.archive()
    (path,) = archive.directory.glob("tables/*/*.segment")
    kept = archive.played().table.id
    archive.archive()
    path.unlink()
    known = archived_tables.Catalogue(archive.client, Objects(str(archive.directory)))

    assert set(known.facts([lost, kept])) == {kept}
    assert "its tables are in no list" in caplog.text
