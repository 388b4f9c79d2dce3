"""`wintercount backup` and `restore`: a store that is in use is copied whole, and comes back as it was copied."""

import contextlib
import fcntl
import gzip
import json
import random
import shutil
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from redis import RedisCluster

from events.acknowledging import WAITED
from events.all_keys import all_keys
from events.archiving import feeds, segments
from events.archiving.objects import ArchiveUnavailable, Objects
from events.archiving.packing import packed
from events.log import PARTITIONS
from events.recorded import Head
from events.scripts import Client
from events.store import META, RedisLog, connect
from projections.catalogue import named
from service.accounts.account_texts import ENCRYPTED
from service.accounts.accounts import key_of
from service.accounts.key_stores import ERASED, FILE, SqliteKeys
from service.loading import RESTORING, why_not
from service.runtime import alone, embedded
from service.runtime.backup import copying, people, places, records, restoring
from service.runtime.backup.checking import checked, table_faults
from service.runtime.backup.copying import Copier
from service.runtime.backup.kinds import Kind, kind_of
from service.runtime.backup.making import make
from service.runtime.backup.records import BackupRefused, KeyCopy, PersonCopy, Record, TableCopy, records_of
from service.runtime.cli import main
from service.runtime.verifying import Status, stored_verdict
from service.stores import log_at
from tests import damage
from tests.long import long_but_for, quick_first
from tests.servers import SECRET, data_beside, data_directory, restless, running
from tests.service.api.world import Somebody, World, embedded_store
from tests.tables import Visit
from worker.archiver import Archiver

HELD = alone.held_for("restore")


@pytest.fixture
def world() -> Iterator[World]:
    """A service in which nobody has played yet."""
    with embedded_store() as url:
        found = World(url)
        yield found
        found.close()


def invoke(url: str, *words: str, data: Path | None = None, **settings: str) -> Result:
    """A command on a store, with its keys."""
    environment = {
        "WINTERCOUNT_REDIS_URL": url,
        "WINTERCOUNT_DATA": str(data or data_beside(url)),
        "WINTERCOUNT_SECRET": SECRET,
    }
    return CliRunner().invoke(main, list(words), env=environment | settings)


def backed_up(world: World, tmp_path: Path, name: str = "a.backup") -> Path:
    """A backup of the service as it is."""
    file = tmp_path / name
    told = invoke(world.url, "backup", str(file))
    assert told.exit_code == 0, told.output
    return file


def keys_beside(world: World, url: str) -> None:
    """Puts the keys of a service beside another store, as an operator does before restoring."""
    shutil.copy(data_beside(world.url) / FILE, data_beside(url) / FILE)


class Played:
    """A service in which two people have played at several tables, loaded a text, and set a webhook."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.ann, self.ben = world.somebody("Ann"), world.somebody("Ben")
        self.tables = [world.open(self.ann, self.ben, game=game) for game in ("manitou", "tomahawk", "big-manitou")]
        for table in self.tables:
            world.play(table, self.ann, self.ben, moves=12)
        world.finish(self.tables[1])
        self.opening = {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "ai", "level": "uniform"}]}
        self.tables.append(self.open_once(self.ann))
        text = self.ann.get(f"/v1/tables/{self.tables[1]}/notation").text
        self.transcript = str(self.ann.post("/v1/transcripts", {"text": text}).json["table"])
        account = world.nobody.post("/v1/players", {"name": "Hal", "bot": True}).json
        self.bot = Somebody(world.app, account["player"], account["token"]["secret"])
        assert self.bot.send("PUT", "/v1/players/me/webhook", json={"url": "https://example.org/"}).status_code == 200

    def open_once(self, somebody: Somebody) -> str:
        """Opens a table by a request that is repeated word for word."""
        return str(somebody.post("/v1/tables", self.opening, Idempotency_Key="once").json["table"])

    def heads(self) -> dict[str, Head]:
        """Where the tables stand."""
        return {table: self.world.services.handler.log.head(table) for table in self.tables}


@pytest.fixture
def played(world: World) -> Played:
    """Somebody has played."""
    return Played(world)


@contextlib.contextmanager
def restored(world: World, file: Path, *options: str) -> Iterator[World]:
    """The service on another store, after a backup was restored there; the keys were put there before."""
    with embedded_store() as url:
        keys_beside(world, url)
        told = invoke(url, "restore", str(file), *options)
        assert told.exit_code == 0, told.output
        other = World(url)
        yield other
        other.close()


def again(somebody: Somebody, other: World) -> Somebody:
    """The same person with the same token, at another service."""
    return Somebody(other.app, somebody.player, somebody.token)


def test_what_is_restored_goes_on(played: Played, tmp_path: Path) -> None:
    """Every record holds, requests are remembered, tokens open accounts, texts are read, and play goes on."""
    world, heads = played.world, played.heads()
    world.catch_up()
    standings = world.nobody.get("/v1/standings").json
    with restored(world, backed_up(world, tmp_path)) as other:
        for table, head in heads.items():
            assert other.services.handler.log.head(table) == head
            assert stored_verdict(other.url, table).status is Status.HOLDS
        ann, ben = again(played.ann, other), again(played.ben, other)
        assert ann.get("/v1/players/me").json["name"] == "Ann"
        assert again(played.bot, other).get("/v1/players/me/webhook").json["url"] == "https://example.org/"
        assert ann.get(f"/v1/tables/{played.transcript}").status_code == 200
        assert other.nobody.get("/v1/standings").json == standings
        assert played.open_once(ann) == played.tables[-1]
        other.play(played.tables[0], ann, ben, moves=3)
        assert other.services.handler.log.head(played.tables[0]).version > heads[played.tables[0]].version


@pytest.mark.slow
def test_what_was_imported_is_known_as_such(played: Played, tmp_path: Path) -> None:
    log, table = played.world.services.handler.log, played.tables[1]
    log.note_imported(table)
    with restored(played.world, backed_up(played.world, tmp_path)) as other:
        there = other.services.handler.log
        assert [there.is_imported(one) for one in (table, played.tables[0])] == [True, False]


@pytest.mark.slow
def test_what_was_due_is_due(played: Played, tmp_path: Path) -> None:
    """With the same times: the due set is of the moment at which the feeds were cut off."""
    log = played.world.services.handler.log
    assert isinstance(log, RedisLog)
    due = {partition: log.due(partition) for partition in range(PARTITIONS)}
    with restored(played.world, backed_up(played.world, tmp_path)) as other:
        there = RedisLog(connect(other.url), PARTITIONS)
        assert {partition: there.due(partition) for partition in range(PARTITIONS)} == due
        assert any(due.values())


@pytest.mark.slow
def test_a_copy_made_under_play_is_of_one_moment(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between any two trips tables are played on and opened, and accounts made: none of that is in the log's copy."""
    monkeypatch.setattr(copying, "TABLES", 1)
    monkeypatch.setattr(copying, "PAGE", 3)
    world, before, opened = played.world, played.heads(), list[str]()

    def meanwhile(_: int) -> None:
        cat = world.somebody("Cat")
        opened.append(world.open(played.ann, cat, game="tomahawk"))
        world.play(played.tables[0], played.ann, played.ben, moves=2, seed=len(opened))

    file = tmp_path / "a.backup"
    assert make(world.url, file, world.settings, meanwhile).faults == []
    copies = {one.table: one for one in records_of(file) if isinstance(one, TableCopy)}
    assert {table: Head(copy.version, copy.hash) for table, copy in copies.items()} == before
    assert len(opened) == len(before)
    assert played.heads() != before
    with restored(world, file) as other:
        for table in before:
            assert stored_verdict(other.url, table).status is Status.HOLDS
        assert again(played.ann, other).get("/v1/players/me").status_code == 200


@pytest.mark.slow
def test_a_copy_is_made_while_others_play(played: Played, tmp_path: Path) -> None:
    """Three backups, one after the other, while a thread plays as fast as it can: each is whole."""
    world, stop = played.world, threading.Event()

    def play() -> None:
        seed = 0
        while not stop.is_set():
            table = world.open(played.ann, played.ben, game="manitou")
            world.play(table, played.ann, played.ben, moves=5, seed=(seed := seed + 1))

    thread = threading.Thread(target=play)
    thread.start()
    try:
        files = [backed_up(world, tmp_path, f"{number}.backup") for number in range(3)]
    finally:
        stop.set()
        thread.join()
    found = [checked(file) for file in files]
    assert [one.faults for one in found] == [[], [], []]
    assert found[0].tables <= found[1].tables <= found[2].tables
    assert played.tables[0] in {one.table for one in records_of(files[0]) if isinstance(one, TableCopy)}


def test_a_backup_that_may_lack_accounts_is_none(tmp_path: Path) -> None:
    """The server is started again while its keys are read: nobody could tell that some were missed."""
    with restless() as url:
        World(url).somebody()
        told = invoke(url, "backup", str(tmp_path / "a.backup"))

    assert (told.exit_code, list(tmp_path.iterdir())) == (1, [])
    assert "some may have been missed: do it again" in told.output


@pytest.mark.slow
@pytest.mark.parametrize("to_cluster", [True, False])
def test_a_cluster_is_copied_too(
    to_cluster: bool, cluster: RedisCluster, cluster_url: str, played: Played, tmp_path: Path
) -> None:
    """From one server to a cluster, and back from there."""
    world, file = played.world, backed_up(played.world, tmp_path)
    data = data_beside(world.url)
    told = invoke(cluster_url, "restore", str(file), data=data)
    assert told.exit_code == 0, told.output
    if to_cluster:
        assert all(stored_verdict(cluster_url, table).status is Status.HOLDS for table in played.tables)
        return
    second = tmp_path / "second.backup"
    assert invoke(cluster_url, "backup", str(second), data=data).exit_code == 0
    assert checked(second).summary == checked(file).summary
    with restored(world, second) as other:
        assert played.heads() == {table: other.services.handler.log.head(table) for table in played.tables}


@pytest.mark.slow
def test_a_store_whose_replicas_acknowledge_is_copied_like_any_other(
    replica_log: RedisLog, cluster_url: str, tmp_path: Path
) -> None:
    """What whoever waits for a replica writes, or wrote in an earlier release, needs no look."""
    table = Visit(replica_log).open("tomahawk", "ann open")
    replica_log.client.set(replica_log.partition_key(replica_log.partition(table), WAITED), 1)
    told = invoke(cluster_url, "backup", str(tmp_path / "a.backup"))
    assert told.exit_code == 0, told.output


def test_a_backup_goes_into_a_directory_and_none_is_overwritten(played: Played, tmp_path: Path) -> None:
    """Its name is the time; others may not read it."""
    told = invoke(played.world.url, "backup", str(tmp_path), "--json")
    (file,) = tmp_path.iterdir()
    assert json.loads(told.stdout)["status"] == "holds"
    assert (file.suffix, file.stat().st_mode & 0o777) == (".backup", 0o600)
    assert "there already" in invoke(played.world.url, "backup", str(file)).output


def test_a_backup_holds_no_key_and_no_token(played: Played, tmp_path: Path) -> None:
    """Neither the service's secret, nor the text of a token, nor a person's key, nor the answer that tells a token."""
    file, world = backed_up(played.world, tmp_path), played.world
    whole = gzip.decompress(file.read_bytes())
    keys = [wrapped for _, wrapped in SqliteKeys(data_beside(world.url) / FILE).everyone()]
    secrets = [SECRET.encode(), str(played.ann.token).encode(), *keys]
    assert keys
    assert [secret for secret in secrets if secret in whole] == []
    assert not [key for key in keys_in(file) if ":answer:" in key or key.startswith("rq:")]


def keys_in(file: Path) -> list[str]:
    """The keys that a backup copies as they are."""
    people = [one for one in records_of(file) if isinstance(one, PersonCopy)]
    return [key.key for one in people for key in one.keys] + [
        one.key for one in records_of(file) if isinstance(one, KeyCopy)
    ]


def test_every_key_of_a_store_has_its_kind(played: Played, tmp_path: Path) -> None:
    """A key of which this release knows nothing is left out and told, with another exit status."""
    played.world.catch_up()
    client = connect(played.world.url)
    client.set(ENCRYPTED, 1)  # as a web server does that starts
    assert [key for key in client.scan_iter() if kind_of(key.decode())[0] is Kind.UNKNOWN] == []
    client.set("{p00}:t_1:novelty", "1")
    told = invoke(played.world.url, "backup", str(tmp_path / "a.backup"))
    assert told.exit_code == Status.UNCHECKED
    assert "{p00}:t_1:novelty: left out" in told.output


@pytest.mark.slow
def test_whoever_was_erased_since_stays_erased(played: Played, tmp_path: Path) -> None:
    """The account and its texts are not written; the name in the log is `somebody`; all else is as it was."""
    world, file = played.world, backed_up(played.world, tmp_path)
    store, ann = SqliteKeys(data_beside(world.url) / FILE), str(played.ann.player)
    assert store.replace(ann, store.read([ann])[ann], ERASED)
    with restored(world, file) as other:
        client = connect(other.url)
        assert not client.exists(key_of("player", ann), key_of("tokens", ann))
        assert again(played.ann, other).get("/v1/players/me").status_code == 401
        assert b"Ann" not in b"".join(damage.copy_of(client).values())
        seats = again(played.ben, other).get(f"/v1/tables/{played.tables[0]}").json["seats"]
        assert [seat["name"] for seat in seats] == ["somebody", "Ben"]
        assert stored_verdict(other.url, played.tables[0]).status is Status.HOLDS


def test_a_backup_tells_no_name(played: Played, tmp_path: Path) -> None:
    """Nor a label: of one made before somebody was erased, though the list of the erased is lost, all is `somebody`."""
    world, ann, name, label = played.world, played.ann, "Ann of the Plains", "the telephone of Ann"
    assert ann.send("PUT", "/v1/players/me/name", json={"name": name}).status_code == 200
    assert ann.post("/v1/players/me/tokens", {"scopes": ["play"], "label": label}).status_code == 201
    file = backed_up(world, tmp_path)
    whole = gzip.decompress(file.read_bytes())
    assert str(ann.player).encode() in whole
    assert [text for text in (name, label) if text.encode() in whole] == []
    assert ann.delete("/v1/players/me").status_code == 204
    with embedded_store() as url:
        assert "4 tables" in invoke(url, "restore", str(file), "--without-keys").output
        assert invoke(url, "rotate-secret", "--lost").exit_code == 0
        with contextlib.closing(World(url)) as other:
            assert again(ann, other).get("/v1/players/me").json["name"] == "somebody"


@pytest.mark.slow
def test_ways_to_sign_in_and_blocks_come_back(played: Played, tmp_path: Path) -> None:
    """Recovery codes lead to their account again; blocks hold on both sides, but for whoever was erased since."""
    world, ann, ben = played.world, played.ann, played.ben
    codes = ann.post("/v1/players/me/recovery-codes").json["codes"]
    eve = world.somebody("Eve")
    for other in (ben, eve):
        assert ann.send("PUT", f"/v1/players/me/blocks/{other.player}").status_code == 204
    file = backed_up(world, tmp_path)
    eve.delete("/v1/players/me")
    with restored(world, file) as other_world:
        signed_in = other_world.nobody.post("/v1/sign-ins", {"code": codes[0]}).json
        assert signed_in["player"] == ann.player
        blocks = again(ann, other_world).get("/v1/players/me/blocks").json["blocks"]
        assert [one["player"] for one in blocks] == [ben.player]
        client = connect(other_world.url)
        assert client.hkeys(key_of("blockers", str(ben.player))) == [str(ann.player).encode()]


@pytest.mark.slow
def test_a_report_that_is_made_meanwhile_has_the_number_that_its_account_names(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given one behind the walk through the keys, the copy holds it with all others: the next one gets another."""
    world, ann, ben = played.world, played.ann, played.ben
    accounts = people.accounts

    def report(who: Somebody, other: Somebody) -> None:
        told = {"reason": "abuse", "text": f"of {other.player}", "player": other.player}
        assert who.post("/v1/reports", told).status_code == 201

    def meanwhile(client: Client, some: list[str]) -> Iterator[PersonCopy]:
        if some:
            monkeypatch.setattr(people, "accounts", accounts)
            report(ann, ben)
        yield from accounts(client, some)

    report(ben, played.bot)
    monkeypatch.setattr(people, "accounts", meanwhile)
    reports = key_of("moderation", "reports").encode()
    monkeypatch.setattr(
        copying, "all_keys", lambda *some, **named: sorted(all_keys(*some, **named), key=reports.__ne__)
    )
    file = backed_up(world, tmp_path)
    with restored(world, file) as other_world:
        report(again(ben, other_world), ann)
        told = again(ann, other_world).get("/v1/players/me/export").json["reports"]
        assert [one["text"] for one in told] == [f"of {ben.player}"]


@pytest.mark.slow
def test_what_was_taken_away_since_is_back_and_the_command_says_so(played: Played, tmp_path: Path) -> None:
    """A token that was revoked after the backup opens the account again: nothing but the store knew of it."""
    ann, world = played.ann, played.world
    made = ann.post("/v1/players/me/tokens", {"scopes": ["play"]}).json
    file = backed_up(world, tmp_path)
    assert ann.delete(f"/v1/players/me/tokens/{made['token']}").status_code == 204
    with embedded_store() as url:
        keys_beside(world, url)
        told = invoke(url, "restore", str(file)).output
        assert "tokens, passkeys and recovery codes that ended since open them again" in told
        with contextlib.closing(World(url)) as other:
            assert Somebody(other.app, ann.player, made["secret"]).get("/v1/players/me").status_code == 200


@pytest.mark.slow
def test_a_restore_needs_to_know_who_was_erased(played: Played, tmp_path: Path) -> None:
    """Without the keys it writes nothing, unless it is told that they are lost."""
    file = backed_up(played.world, tmp_path)
    with embedded_store() as url:
        refused = invoke(url, "restore", str(file))
        assert (refused.exit_code, "keys.sqlite is missing" in refused.output) == (1, True)
        SqliteKeys(data_beside(url) / FILE)  # as a web server leaves it that found none and did not start
        refused = invoke(url, "restore", str(file))
        assert (refused.exit_code, "the key store is empty" in refused.output) == (1, True)
        assert connect(url).dbsize() == 0
        assert "4 tables" in invoke(url, "restore", str(file), "--without-keys").output
        assert connect(url).exists(key_of("player", str(played.ann.player)))


def test_a_store_that_is_not_empty_is_kept(played: Played, tmp_path: Path) -> None:
    """Unless it is to be replaced: then what it held is gone, and what others keep in the server stays."""
    world, file, before = played.world, backed_up(played.world, tmp_path), played.heads()
    later = world.open(played.ann, played.ben, game="manitou")
    client = connect(world.url)
    client.set("rq:anything", "1")
    kept = damage.copy_of(client)
    refused = invoke(world.url, "restore", str(file))
    assert (refused.exit_code, "not empty" in refused.output, damage.copy_of(client)) == (1, True, kept)
    assert invoke(world.url, "restore", str(file), "--replace").exit_code == 0
    assert (played.heads(), world.services.handler.log.head(later).version) == (before, 0)
    assert client.get("rq:anything") == b"1"


@pytest.mark.slow
def test_after_a_restore_the_next_start_looks_for_names_in_plain(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An earlier release may have made the backup; a server that was not stopped looks in the middle of the restore."""
    client, file, write = connect(played.world.url), backed_up(played.world, tmp_path), restoring.Restorer.write

    def looked(self: restoring.Restorer, records: list[Record]) -> None:
        client.set(ENCRYPTED, 1)
        write(self, records)

    monkeypatch.setattr(restoring.Restorer, "write", looked)
    restoring.restore(restoring.Target(played.world.url), file, set(), replace=True)
    assert not client.exists(ENCRYPTED)


def test_two_restores_at_once_do_not_mix(played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes second is refused; one that was killed holds the store for some seconds more, and no longer."""
    file, write, told = backed_up(played.world, tmp_path), restoring.Restorer.write, list[Result]()
    with embedded_store() as url:
        keys_beside(played.world, url)
        client = connect(url)

        def interrupted(restorer: restoring.Restorer, found: list[Record]) -> None:
            monkeypatch.undo()
            told.append(invoke(url, "restore", str(file)))
            assert 0 < client.pttl(HELD) <= alone.HELD_MS
            write(restorer, found)

        monkeypatch.setattr(restoring.Restorer, "write", interrupted)
        first = invoke(url, "restore", str(file))
        assert (first.exit_code, told[0].exit_code) == (0, 1), told[0].output
        assert "another restore is at it" in told[0].output
        assert not client.exists(HELD, RESTORING)


def test_a_restore_that_stood_still_notices_that_another_has_begun(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it wrote meanwhile lies among the other's records: the mark stays."""
    file = backed_up(played.world, tmp_path)
    with embedded_store() as url:
        client = connect(url)
        monkeypatch.setattr(restoring.Restorer, "write", lambda *_: client.set(HELD, "another"))
        with pytest.raises(alone.AnotherIsAtIt):
            restoring.restore(restoring.Target(url), file, set())
        assert client.get(HELD) == b"another"
        assert why_not(url) is not None


def test_a_restore_into_a_server_that_lost_what_was_written_is_repeated(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a replica that lagged behind is promoted: all of it, and the mark, or some accounts alone."""
    file, write = backed_up(played.world, tmp_path), restoring.Restorer.write
    with data_directory() as directory, contextlib.ExitStack() as servers:
        server, url = servers.enter_context(running(embedded.start(directory))), embedded.url_of(directory)
        keys_beside(played.world, url)

        def lost(restorer: restoring.Restorer, found: list[Record]) -> None:
            write(restorer, found)
            server.kill()
            server.wait()
            shutil.rmtree(directory / "appendonlydir")
            servers.enter_context(running(embedded.start(directory)))

        with monkeypatch.context() as patched:
            patched.setattr(restoring.Restorer, "write", lost)
            told = invoke(url, "restore", str(file))
        waits = why_not(url)
        assert (told.exit_code, waits and waits.code) == (1, "store-loading")
        assert "some of what was written may be lost: restore again" in told.output
        assert invoke(url, "restore", str(file)).exit_code == 0
        assert why_not(url) is None


@pytest.mark.slow
def test_a_restore_that_was_cut_off_keeps_processes_waiting(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before any of its writes; then it is repeated and leaves the same."""
    file, heads = backed_up(played.world, tmp_path), played.heads()
    monkeypatch.setattr(restoring, "AT_ONCE", 1)
    with embedded_store() as url:
        keys_beside(played.world, url)
        for number in range(0, 80, 8):
            with monkeypatch.context() as patched:
                patched.setattr(restoring.Restorer, "write", killed_after(number))
                with pytest.raises(KeyboardInterrupt):
                    restoring.restore(restoring.Target(url), file, set())
            waits = why_not(url)
            assert waits is not None
            assert waits.code == "store-loading"
        assert invoke(url, "restore", str(file)).exit_code == 0
        assert why_not(url) is None
        log = RedisLog(connect(url), PARTITIONS)
        assert {table: log.head(table) for table in played.tables} == heads
        assert not log.client.exists(RESTORING)


def killed(*_: Any) -> None:
    """Ends the process, as it were."""
    raise KeyboardInterrupt


def killed_after(writes: int) -> Callable[[restoring.Restorer, list[Record]], None]:
    """Writes, and ends the process, as it were, after so many records."""
    left, write = iter(range(writes)), restoring.Restorer.write

    def last(self: restoring.Restorer, records: list[Record]) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        write(self, records)

    return last


@pytest.mark.slow
def test_a_file_that_was_cut_or_altered_is_refused(played: Played, tmp_path: Path) -> None:
    """Before anything is written, wherever it was."""
    whole = backed_up(played.world, tmp_path).read_bytes()
    harmed, rng = tmp_path / "b.backup", random.Random(1)
    with embedded_store() as url:
        for _ in range(60):
            place = rng.randrange(10, len(whole))
            for content in (whole[:place], whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]):
                if holds_the_same(content, whole):
                    continue
                harmed.write_bytes(content)
                with pytest.raises(BackupRefused):
                    checked(harmed)
        assert invoke(url, "restore", str(harmed)).exit_code == 1
        assert connect(url).dbsize() == 0


def holds_the_same(content: bytes, whole: bytes) -> bool:
    """Whether a packed file unpacks to the same: of 90,000 flipped bits four named equal text elsewhere."""
    try:
        return gzip.decompress(content) == gzip.decompress(whole)
    except (EOFError, OSError, zlib.error):
        return False


def test_an_altered_file_that_was_packed_anew_is_refused(played: Played, tmp_path: Path) -> None:
    """The checksum of the compression holds; that of the records does not."""
    whole = bytearray(gzip.decompress(backed_up(played.world, tmp_path).read_bytes()))
    whole[whole.index(b"SeatTaken")] ^= 1
    harmed = tmp_path / "b.backup"
    harmed.write_bytes(gzip.compress(bytes(whole)))
    with pytest.raises(BackupRefused, match="altered"):
        checked(harmed)


@pytest.mark.parametrize("what", long_but_for({damage.ALL[0]}.__contains__, damage.ALL, lambda what: what.__name__))
def test_a_damaged_table_is_told_and_keeps_no_other_from_being_copied(
    played: Played, tmp_path: Path, what: damage.Change
) -> None:
    """It is copied as it is, and found damaged again where it is restored; the status says so both times."""
    log = RedisLog(connect(played.world.url), PARTITIONS)
    harmed, *others = played.tables
    damage.damage(log, harmed, 1, what)
    file = tmp_path / "a.backup"
    told = invoke(played.world.url, "backup", str(file))
    assert (told.exit_code, harmed in told.output) == (1, True)
    with embedded_store() as url:
        keys_beside(played.world, url)
        back = invoke(url, "restore", str(file))
        assert (back.exit_code, harmed in back.output) == (1, True)
        assert stored_verdict(url, harmed).status is Status.FAULT
        assert [stored_verdict(url, table).status for table in others] == [Status.HOLDS] * len(others)


@pytest.mark.slow
def test_a_head_that_went_back_is_told(played: Played, tmp_path: Path) -> None:
    """The feed tells of more than the head does."""
    log = RedisLog(connect(played.world.url), PARTITIONS)
    log.client.hset(log.table_key(played.tables[0], "head"), "version", 2)
    told = invoke(played.world.url, "backup", str(tmp_path / "a.backup"))
    assert (told.exit_code, f"{played.tables[0]}: its head is at version 2" in told.output) == (1, True)


@pytest.mark.slow
def test_a_table_of_which_no_feed_tells_is_copied_and_told(played: Played, tmp_path: Path) -> None:
    """Up to its head; what was opened since the feeds were cut off is none of these."""
    log, table = RedisLog(connect(played.world.url), PARTITIONS), played.tables[0]
    log.client.delete(log.partition_key(log.partition(table), "feed"))
    told = invoke(played.world.url, "backup", str(tmp_path / "a.backup"))
    assert (told.exit_code, f"{table}: its feed does not tell of it" in told.output) == (1, True)
    copies = {one.table: one.version for one in records_of(tmp_path / "a.backup") if isinstance(one, TableCopy)}
    assert copies[table] == played.heads()[table].version


@pytest.mark.slow
def test_the_embedded_store_is_started_to_be_restored(played: Played, tmp_path: Path) -> None:
    """And ends afterwards, with all of it on disk."""
    file, heads = backed_up(played.world, tmp_path), played.heads()
    with data_directory() as data:
        data.joinpath(FILE).write_bytes((data_beside(played.world.url) / FILE).read_bytes())
        told = invoke("", "restore", str(file), data=data)
        assert told.exit_code == 0, told.output
        with running(embedded.start(data)):
            log = RedisLog(connect(embedded.url_of(data)), PARTITIONS)
            assert {table: log.head(table) for table in played.tables} == heads


def test_a_store_that_is_just_being_started_is_told(played: Played, tmp_path: Path) -> None:
    """Its data directory is held, and its server does not listen yet."""
    file = backed_up(played.world, tmp_path)
    with data_directory() as directory, embedded.hold(directory):
        told = invoke("", "restore", str(file), "--without-keys", data=directory)
    assert (told.exit_code, told.stderr.splitlines()[-1]) == (
        1,
        f"Error: Wintercount is just being started: it holds {directory}",
    )


@pytest.mark.slow
def test_a_restore_into_a_store_that_does_not_run_is_repeated(played: Played, tmp_path: Path) -> None:
    """Cut off, it left its mark: whoever restores again waits for the server, and not for themselves."""
    file, heads = backed_up(played.world, tmp_path), played.heads()
    with data_directory() as data:
        data.joinpath(FILE).write_bytes((data_beside(played.world.url) / FILE).read_bytes())
        with running(embedded.start(data)):
            connect(embedded.url_of(data)).set(RESTORING, file.name)
        told = invoke("", "restore", str(file), data=data)
        assert told.exit_code == 0, told.output
        with running(embedded.start(data)):
            assert why_not(embedded.url_of(data)) is None
            log = RedisLog(connect(embedded.url_of(data)), PARTITIONS)
            assert {table: log.head(table) for table in played.tables} == heads


@pytest.mark.parametrize(
    "words", quick_first(["backup {}", "archive --after-days 0", "recover --write", "rotate-secret", "rebuild"])
)
def test_a_store_that_is_half_restored_is_nobodys_yet(played: Played, tmp_path: Path, words: str) -> None:
    """Given a restore that was cut off before the accounts, then no copy is made that would pass for a whole one."""
    file = backed_up(played.world, tmp_path)
    with embedded_store() as url, pytest.MonkeyPatch.context() as patched:
        keys_beside(played.world, url)
        patched.setattr(restoring.Restorer, "_person", killed)
        with pytest.raises(KeyboardInterrupt):
            restoring.restore(restoring.Target(url), file, set())
        kept = damage.copy_of(connect(url))
        told = invoke(url, *words.format(tmp_path / "b.backup").split())
        assert (told.exit_code, "a backup is being restored" in told.output) == (1, True), told.output
        assert (damage.copy_of(connect(url)), (tmp_path / "b.backup").exists()) == (kept, False)


@pytest.mark.slow
def test_tokens_and_transcripts_that_end_meanwhile_are_in_no_list(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A token that is revoked between the list and itself is neither copied nor named."""
    copier, values = Copier(RedisLog(connect(played.world.url), PARTITIONS)), people._values

    def end_all(client: Client, keys: Any) -> Any:
        for key in keys:
            client.delete(key)
        return values(client, keys)

    monkeypatch.setattr(people, "_values", end_all)
    found = [one for one in copier.records() if isinstance(one, PersonCopy)]
    left = [key for one in found for key in one.keys if ":token" in key.key or "x_" in key.key]
    assert (len(found), left) == (4, [])
    assert [key.value for one in found for key in one.keys if "{transcripts" in key.key] == [{}]


def test_a_wrong_store_is_not_backed_up(tmp_path: Path) -> None:
    """One in which nothing was ever written is likely to be another."""
    with embedded_store() as url:
        told = invoke(url, "backup", str(tmp_path / "a.backup"))
        assert (told.exit_code, "empty" in told.output) == (1, True)
        assert (connect(url).exists(META), list(tmp_path.iterdir())) == (0, [])


@pytest.mark.slow
def test_other_keys_are_told(played: Played, tmp_path: Path) -> None:
    """What is sealed in the backup opens only with the secret of that time: the command says what to do."""
    file = backed_up(played.world, tmp_path)
    with embedded_store() as url:
        keys_beside(played.world, url)
        told = invoke(url, "restore", str(file), WINTERCOUNT_SECRET="YW5vdGhlciBzZWNyZXQsIDMyIGJ5dGVzIGxvbmcsIG8=")
        assert (told.exit_code, "rotate-secret --lost" in told.output) == (Status.UNCHECKED, True)


def test_what_a_killed_backup_left_is_removed_by_the_next(played: Played, tmp_path: Path) -> None:
    """One that another is writing stays, and so does what is no backup's; of two to one name the second is refused."""
    left, other, writes = (
        tmp_path / name for name in ("wintercount-1.backup.part", "x.part", "wintercount-2.backup.part")
    )
    left.write_bytes(b"half")
    other.write_bytes(b"of somebody")
    url = played.world.url

    def write(_: records.Writer) -> None:
        assert invoke(url, "backup", str(tmp_path)).exit_code == 0
        refused = invoke(url, "backup", str(writes.with_suffix("")))
        assert (refused.exit_code, "another process is writing" in refused.output) == (1, True)

    records.save(writes.with_suffix(""), write, lambda _: None)
    assert not left.exists()
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".part") == ["x.part"]
    assert writes.with_suffix("").exists()
    left.symlink_to(tmp_path / "elsewhere")
    assert "Too many levels of symbolic links" in invoke(url, "backup", str(left.with_suffix(""))).output
    assert not (tmp_path / "elsewhere").exists()


def test_what_was_taken_for_left_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another backup came between the making of the file and its lock."""
    lock, came = fcntl.flock, list[int]()

    def late(file: Any, how: int) -> None:
        if not came:
            came.append(how)
            (tmp_path / "a.part").unlink()
        lock(file, how)

    monkeypatch.setattr(fcntl, "flock", late)
    records.save(tmp_path / "a", lambda _: None, lambda part: came.append(part.stat().st_size))
    assert came[1] > 0
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("value", ["due", "head", "codes", "token", "key", "block"])
def test_a_damaged_value_keeps_nothing_else_from_a_backup(played: Played, tmp_path: Path, value: str) -> None:
    """By a bit it is no text, or no number: the rest is copied, and restored."""
    world, ann = played.world, str(played.ann.player)
    assert played.ann.post("/v1/players/me/recovery-codes").status_code == 201
    client, log = connect(world.url), world.services.handler.log
    match value:
        case "due":
            client.zadd("{p00}:due", {b"\xf4": 1})
        case "head":
            client.hset(log.table_key(played.tables[0], "head"), "version", b"\xb1")  # type: ignore[attr-defined]
        case "codes":
            client.hset(key_of("about", ann), "recovery", b"\xfb")
        case "token":
            client.hset(key_of("tokens", ann), "t_x", b"\xb0")
        case "key":
            client.set(b"{accounts}:player:\xf0", b"x")
        case "block":
            client.hset(key_of("blocks", ann), b"\xf0", b"1")
    file = tmp_path / "a.backup"
    told = invoke(world.url, "backup", str(file))
    assert told.exit_code == {"due": 1, "head": 1, "key": 2}.get(value, 0), told.output
    with embedded_store() as url:
        keys_beside(world, url)
        again = invoke(url, "restore", str(file))
        assert again.exit_code == 0, again.output  # of the head the feed tells where it was
        assert not connect(url).exists(RESTORING)
        assert RedisLog(connect(url), PARTITIONS).head(played.tables[1]) == log.head(played.tables[1])


def test_what_no_store_would_take_is_refused_before_anything_is_removed(played: Played, tmp_path: Path) -> None:
    """A file made by hand, sealed as it should be: the store that was to be replaced is as it was."""
    world, file = played.world, tmp_path / "made.backup"
    whole, before = list(records_of(backed_up(world, tmp_path))), damage.copy_of(connect(world.url))
    table, feed = (next(one for one in whole if isinstance(one, kind)) for kind in (TableCopy, records.FeedCopy))
    entry = table.entries[0]
    impossible: list[list[Record]] = [
        [],
        whole[:1] * 2,
        [records.Header(1, "x", 0, "x")],
        [records.Header(1, "x", 10**9, "x")],
        *(
            [whole[0], msgspec.structs.replace(one, entries=entries)]
            for one in (table, feed)
            for entries in (
                (("one", entry[1]),),
                (("1-0", ()),),
                (("1-0", (b"e",)),),
                (("0-0", entry[1]),),
                (("2-0", entry[1]), ("1-0", entry[1])),
            )
        ),
        [whole[0], msgspec.structs.replace(feed, entries=())],
        [whole[0], records.DueCopy(0, 0, {"x": float("nan")})],
        [whole[0], KeyCopy("{p00}:feed", b"x")],
        [whole[0], PersonCopy("p_x", "ACCOUNT", (KeyCopy("{p00}:t_x:head", b"x"),))],
    ]
    for made in impossible:
        with file.open("wb") as opened:
            writer = records.Writer(opened)
            for record in made:
                writer.write(record)
            writer.end()
        told = invoke(world.url, "restore", "--replace", str(file))
        assert (told.exit_code, type(told.exception)) == (1, SystemExit), made
        assert damage.copy_of(connect(world.url)) == before


def test_a_record_is_read_up_to_a_length_that_a_store_may_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file made by hand unpacks to any number of bytes."""
    monkeypatch.setattr(records, "MOST", 1000)
    file = tmp_path / "made.backup"
    for size, reads in ((1000, "cannot be read as a backup"), (1001, "a record of 1001 bytes is none of a store")):
        file.write_bytes(gzip.compress(records.LENGTH.pack(size) + b"x" * size))
        told = invoke("redis://127.0.0.1:1", "restore", str(file), "--check")
        assert (told.exit_code, reads in told.output) == (1, True), told.output


def test_a_check_writes_nothing(played: Played, tmp_path: Path) -> None:
    """It needs neither a store nor keys."""
    told = invoke("redis://127.0.0.1:1", "restore", str(backed_up(played.world, tmp_path)), "--check")
    assert (told.exit_code, "4 tables" in told.output) == (0, True)


@pytest.mark.slow
def test_archived_tables_are_named_and_the_archive_is_copied_apart(played: Played, tmp_path: Path) -> None:
    """Their places are restored, with the segments in their order; what a restore misses of the archive is told."""
    played.world.catch_up()
    archive, url = str(tmp_path / "archive"), played.world.url
    told = invoke(url, "archive", "--after-days", "0", WINTERCOUNT_ARCHIVE=archive)
    assert told.exit_code == 0, told.output
    store = Objects(archive)
    log, table = RedisLog(connect(url), PARTITIONS, store), played.tables[1]
    assert log.places([table]) != [None]
    file = tmp_path / "a.backup"
    made = invoke(url, "backup", str(file), WINTERCOUNT_ARCHIVE=archive)
    assert (made.exit_code, "4 tables (1 of them archived)" in made.output) == (0, True), made.output
    with embedded_store() as other:
        keys_beside(played.world, other)
        assert invoke(other, "restore", str(file), WINTERCOUNT_ARCHIVE=archive).exit_code == 0
        there = RedisLog(connect(other), PARTITIONS, store)
        assert (there.places([table]), there.read(table)) == (log.places([table]), log.read(table))
        assert named(there.client, 1) == named(log.client, 1) != []
        lost = invoke(other, "restore", str(file), "--replace", WINTERCOUNT_ARCHIVE=str(tmp_path / "none"))
        assert (lost.exit_code, "1 archived tables cannot be read" in lost.output) == (Status.UNCHECKED, True)


def test_a_head_that_names_the_place_of_another_is_told_and_keeps_nothing_from_a_backup(
    played: Played, tmp_path: Path
) -> None:
    """Where it says as well that the table goes on behind what the feed tells: nothing can be taken from there."""
    played.world.catch_up()
    archive, url, table = str(tmp_path / "archive"), played.world.url, played.tables[0]
    invoke(url, "archive", "--after-days", "0", WINTERCOUNT_ARCHIVE=archive)
    log = RedisLog(connect(url), PARTITIONS)
    (place,) = log.places([played.tables[1]])
    assert place
    log.client.hset(log.table_key(table, "head"), mapping={"version": 9999, "place": place.kept})
    file = tmp_path / "a.backup"
    told = invoke(url, "backup", str(file), WINTERCOUNT_ARCHIVE=archive)

    assert (told.exit_code, f"{table}: segment {place.segment} has" in told.output) == (1, True), told.output
    assert len([one for one in records_of(file) if isinstance(one, TableCopy)]) == len(played.tables)


@pytest.mark.parametrize("plays_on", [True, False])
def test_a_backup_is_made_while_the_archive_does_not_answer(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plays_on: bool
) -> None:
    """It is asked once: heads and newer pointers say where tables stood of which its parts of the feeds tell."""
    monkeypatch.setattr(feeds, "PART", 4)
    monkeypatch.setattr(feeds, "KEPT", 1)
    world, whole, file = played.world, tmp_path / "whole.backup", tmp_path / "a.backup"
    world.catch_up()
    store = log_at(world.url, world.settings)
    moved = Archiver(store, lambda: 1 << 50, 0).archive_due()
    assert (moved.tables, moved.parts > 1) == (1, True)
    assert make(world.url, whole, world.settings, lambda _: None).unchecked == []
    asked, others = list[str](), Copier._others

    def silent(_: Objects, name: str) -> bytes:
        asked.append(name)
        raise ArchiveUnavailable("it does not answer")

    def meanwhile(copier: Copier, cuts: Any, known: Any) -> Iterator[Record]:
        if plays_on:
            world.play(played.tables[0], played.ann, played.ben, moves=3, seed=7)
            world.open(played.ann, played.ben, game="tomahawk")
        return others(copier, cuts, known)

    with monkeypatch.context() as patched:
        patched.setattr(Objects, "read", silent)
        patched.setattr(Copier, "_others", meanwhile)
        made = make(world.url, file, world.settings, lambda _: None)
    assert (made.faults, len(made.unchecked), len(asked)) == ([], 1, 1)
    kinds = (TableCopy, records.FeedCopy, records.DueCopy, records.SegmentsCopy)
    wrote = [{repr(one) for one in records_of(path) if isinstance(one, kinds)} for path in (whole, file)]
    assert wrote[0] == wrote[1]


@pytest.mark.slow
def test_a_store_is_restored_while_the_archive_does_not_answer(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds nothing of what is restored: lobby and standings follow, and the service starts meanwhile."""
    archive, file = str(tmp_path / "archive"), tmp_path / "a.backup"
    played.world.catch_up()
    invoke(played.world.url, "archive", "--after-days", "0", WINTERCOUNT_ARCHIVE=archive)
    assert invoke(played.world.url, "backup", str(file), WINTERCOUNT_ARCHIVE=archive).exit_code == 0

    def no_answer(*_: object) -> bytes:
        raise ArchiveUnavailable("the archive does not answer")

    with embedded_store() as url:
        keys_beside(played.world, url)
        monkeypatch.setattr(Objects, "read", no_answer)
        told = invoke(url, "restore", str(file), WINTERCOUNT_ARCHIVE=archive)
        assert told.exit_code == Status.UNCHECKED, told.output
        assert "lobby and standings do not hold everything yet" in told.output
        assert why_not(url) is None
        assert {table: RedisLog(connect(url), PARTITIONS).head(table) for table in played.tables} == played.heads()


@pytest.mark.slow
def test_a_table_that_is_archived_meanwhile_is_copied_as_it_was(played: Played, tmp_path: Path) -> None:
    """Played on and archived between the cut and its turn: its events come from the archive, up to the cut."""
    store, log = Objects(str(tmp_path / "archive")), RedisLog(connect(played.world.url), PARTITIONS)
    copier = Copier(RedisLog(log.client, PARTITIONS, store))
    table, whole = played.tables[1], log.read(played.tables[1])
    (name, (entry, *_)) = segments.written(store, [(segments.Closed(table, log.head(table), {}), packed(whole))])
    assert log.move_to_archive(table, log.head(table), entry.place(name), 0, [])
    earlier = places.CopiedUpTo(9, whole[8].hash)
    (copy,) = copier._tables({table: earlier})
    assert (copy.version, copy.place, len(copy.entries), list(table_faults(copy))) == (9, b"", 9, [])
    assert copier.faults == []
