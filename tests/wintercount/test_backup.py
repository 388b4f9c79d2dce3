"""`wintercount backup` and `restore`: the embedded store is copied while moves flow, and comes back as it was."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

from events.envelopes import Head
from events.log import PARTITIONS
from events.store import RedisLog, connect
from service.accounts.accounts_and_tokens import key_of
from service.accounts.key_store import FILE, FileKeys
from tests import damage
from tests.commands import wintercount
from tests.servers import data_directory, free_port, running, wait_until
from tests.service.api.world import Somebody, World, accepted, embedded_store
from wintercount.operations.verifying import Status, stored_verdict
from wintercount.processes import embedded

GAMES = ("manitou", "tomahawk", "big-manitou")


def invoke(data: Path, *words: str, **settings: str) -> Result:
    """A command on a data directory."""
    return wintercount(*words, **{"REDIS_URL": "", "DATA": str(data), "PORT": str(free_port())} | settings)


def done(result: Result) -> str:
    """What a command says that succeeds."""
    assert result.exit_code == 0, result.output
    return result.stdout


class Played:
    """A service with an embedded store, in which Ann and Ben have played, and backups of it."""

    def __init__(self, url: str, place: Path) -> None:
        self.world = World(url, secret=None)
        self.data, self.place = Path(self.world.settings.data), place
        self.ann, self.ben = self.world.somebody("Ann"), self.world.somebody("Ben")
        self.tables = [self.world.open(self.ann, self.ben, game=game) for game in GAMES]
        for table in self.tables:
            self.world.play(table, self.ann, self.ben, moves=8)
        self.world.finish(self.tables[1])
        self.world.catch_up()

    def heads(self) -> dict[str, Head]:
        """Where the tables stand."""
        return {table: self.world.log.head(table) for table in self.tables}

    def backed_up(self, name: str = "a.backup") -> Path:
        """A backup; the secret and the keys are copied to other places."""
        target = self.place / "backups" / name
        target.parent.mkdir(exist_ok=True)
        apart = ("--secret-to", str(self.place / "secret" / "secret"), "--keys-to", str(self.place / "keys" / FILE))
        done(invoke(self.data, "backup", str(target), *apart))
        return target

    def new_data(self) -> Path:
        """An empty data directory in which the secret and the keys are in their places."""
        data = self.place / "data"
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir(mode=0o700)
        shutil.copy(self.place / "secret" / "secret", data)
        shutil.copy(self.place / "keys" / FILE, data)
        return data


@pytest.fixture
def played() -> Iterator[Played]:
    with embedded_store() as url, data_directory() as place:
        found = Played(url, place)
        yield found
        found.world.close()


@contextlib.contextmanager
def served(data: Path) -> Iterator[World]:
    """A service on the store of a data directory."""
    with running(embedded.start(data)), contextlib.closing(World(embedded.url_of(data), secret=None)) as world:
        yield world


def again(somebody: Somebody, world: World) -> Somebody:
    """The same person with the same token, at another service."""
    return Somebody(world.app, somebody.player, somebody.token)


def test_a_restore_is_rehearsed(played: Played) -> None:
    """Moves flow during the backup. Restored, every table verifies, tokens and repeats work, and play goes on."""
    world, before, stop = played.world, played.heads(), threading.Event()
    opening = {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "ai", "level": "uniform"}]}
    opened = accepted(played.ann.post("/v1/tables", opening, Idempotency_Key="once"), 201)["id"]

    def play() -> None:
        while not stop.is_set():
            table = world.open(played.ann, played.ben, game="manitou")
            world.play(table, played.ann, played.ben, moves=5)

    thread = threading.Thread(target=play)
    thread.start()
    try:
        backup = played.backed_up()
    finally:
        stop.set()
        thread.join()
    data = played.new_data()
    world.log.client.flushall()

    assert done(invoke(data, "restore", str(backup))).startswith("restored and verified ")

    with served(data) as other:
        assert {table: other.log.head(table) for table in played.tables} == before
        assert stored_verdict(other.url, played.tables[1]).status is Status.HOLDS
        ann, ben = again(played.ann, other), again(played.ben, other)
        assert accepted(ann.get("/v1/players/me"))["name"] == "Ann"
        assert accepted(ann.post("/v1/tables", opening, Idempotency_Key="once"), 201)["id"] == opened
        other.play(played.tables[0], ann, ben, moves=3)
        assert other.log.head(played.tables[0]).version > before[played.tables[0]].version


def test_a_backup_is_checked(played: Played) -> None:
    """By the command, and its checksums by anybody's tools; nothing is restored."""
    backup = played.backed_up()
    assert done(invoke(played.place / "none", "restore", "--check", str(backup))) == "3 tables verified\n"
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=backup, check=True)
    assert not (played.place / "none").exists()
    assert {path.stat().st_mode & 0o077 for path in (backup, *backup.rglob("*"))} == {0}


def test_archived_tables_are_in_a_backup(played: Played) -> None:
    """The archive is copied after the store, and restored where the settings say."""
    done(invoke(played.data, "archive", "--after-days", "0"))
    archived = played.tables[1]
    backup = played.backed_up()
    assert done(invoke(played.data, "restore", "--check", str(backup))) == "3 tables verified\n"
    shutil.rmtree(played.data / "archive")
    data, archive = played.new_data(), played.place / "archive"

    done(invoke(data, "restore", str(backup), ARCHIVE=str(archive)))

    with running(embedded.start(data)):
        told = invoke(data, "verify", archived, ARCHIVE=str(archive))
    assert (told.exit_code, archived in told.output) == (0, True), told.output


def test_a_backup_holds_no_key_and_no_name(played: Played) -> None:
    """Neither the secret, nor a token, nor a person's key, nor a name. Copies elsewhere replace older ones."""
    backup = played.backed_up("one")
    whole = b"".join(path.read_bytes() for path in backup.rglob("*") if path.is_file())
    secret = (played.data / "secret").read_bytes()
    keys = [wrapped for _, wrapped in FileKeys(played.data / FILE).everyone()]
    assert keys
    hidden = [secret.strip(), str(played.ann.token).encode(), b'"Ann"', *keys]
    assert [one for one in hidden if one in whole] == []

    played.world.somebody("Cat")
    played.backed_up("two")
    assert (played.place / "secret" / "secret").read_bytes() == secret
    copy = dict(FileKeys(played.place / "keys" / FILE).everyone())
    assert copy == dict(FileKeys(played.data / FILE).everyone())
    assert {path.stat().st_mode & 0o077 for path in played.place.rglob("*") if path.is_file()} == {0}


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("DATA/a.backup", ()),
        ("PLACE/a.backup", ("--secret-to", "PLACE/a.backup/secret")),
        ("PLACE/a.backup", ("--secret-to", "PLACE/secret")),
        ("PLACE/a.backup", ("--keys-to", "PLACE/link/keys")),
        ("PLACE/new/a.backup", ("--secret-to", "PLACE/one", "--keys-to", "PLACE/link/one")),
        ("PLACE/new/a.backup", ("--keys-to", "DATA/secret")),
        ("PLACE/new/a.backup", ("--keys-to", f"DATA/{FILE}")),
        ("PLACE/new/a.backup", ("--keys-to", "PLACE/old.backup/some/keys")),
        ("PLACE/new/a.backup", ("--secret-to", "PLACE/old.backup/secret")),
    ],
)
def test_a_backup_never_lies_with_the_secret_or_the_keys(played: Played, target: str, words: tuple[str, ...]) -> None:
    """Neither in the data directory, nor do their copies lie in a backup, beside the new one, or in one file."""
    (played.place / "link").symlink_to(played.place)
    done(invoke(played.data, "backup", str(played.place / "old.backup")))
    before = sorted(played.place.rglob("*"))
    given = [word.replace("DATA", str(played.data)).replace("PLACE", str(played.place)) for word in (target, *words)]
    told = invoke(played.data, "backup", *given)
    assert (told.exit_code, "choose separate places" in told.output) == (1, True), told.output
    assert sorted(played.place.rglob("*")) == before


def test_a_server_of_your_own_has_its_own_means(played: Played) -> None:
    for words in (("backup", str(played.place / "a.backup")), ("restore", str(played.place))):
        told = invoke(played.data, *words, REDIS_URL=played.world.url)
        assert (told.exit_code, "`redis-cli --rdb`" in told.output) == (1, True), told.output


def test_a_backup_goes_into_a_directory_and_none_is_overwritten(played: Played) -> None:
    """It is named after the time."""
    told = json.loads(done(invoke(played.data, "backup", str(played.place), "--json")))
    (backup,) = played.place.iterdir()
    assert (told["backup"], backup.suffix) == (str(backup), ".backup")
    assert "exists: name a new directory" in invoke(played.data, "backup", str(backup / "SHA256SUMS")).output


def test_a_stopped_store_is_started_to_be_backed_up(played: Played) -> None:
    with data_directory() as data:
        with running(embedded.start(data)), contextlib.closing(World(embedded.url_of(data), secret=None)) as world:
            table = world.open(world.somebody("Ann"), world.somebody("Ben"), game="manitou")
        done(invoke(data, "backup", str(played.place / "a.backup")))
        assert not embedded.runs(data)
        assert table
    assert done(invoke(data, "restore", "--check", str(played.place / "a.backup"))) == "1 tables verified\n"


def altered(backup: Path) -> None:
    """One bit is another."""
    content = bytearray((backup / "store.rdb").read_bytes())
    content[len(content) // 2] ^= 4
    (backup / "store.rdb").write_bytes(content)


def cut(backup: Path) -> None:
    """Its end is gone."""
    os.truncate(backup / "store.rdb", 1000)


def without_sums(backup: Path) -> None:
    """It was not written to its end."""
    (backup / "SHA256SUMS").unlink()


def leading_out(backup: Path) -> None:
    """Its list names a file elsewhere."""
    with (backup / "SHA256SUMS").open("a") as sums:
        sums.write(f"{'0' * 64}  ../secret\n")


@pytest.mark.parametrize("harm", [altered, cut, without_sums, leading_out])
def test_a_backup_that_is_not_whole_is_refused(played: Played, harm: Callable[[Path], None]) -> None:
    """Nothing is restored of it."""
    backup = played.backed_up()
    data = played.new_data()
    harm(backup)
    for words in (("restore", "--check"), ("restore",)):
        told = invoke(data, *words, str(backup))
        assert told.exit_code == 1
        assert "was changed" in told.output or "is not a backup" in told.output
    assert not (data / embedded.FILES).exists()


def test_a_damaged_table_is_named_and_keeps_no_other_from_coming_back(played: Played) -> None:
    log = RedisLog(connect(played.world.url), PARTITIONS)
    damage.damage(log, played.tables[0], 3, damage.torn)
    log.client.delete(log.table_key(played.tables[2], "events"))
    backup = played.backed_up()
    data = played.new_data()
    for words in (("restore", "--check"), ("restore",)):
        told = invoke(data, *words, str(backup), "--json")
        assert told.exit_code == 1
        faults = json.loads(told.stdout)["faults"]
        assert {fault.split(":")[0].split()[0] for fault in faults} == {played.tables[0], played.tables[2]}
    with served(data) as other:
        assert stored_verdict(other.url, played.tables[1]).status is Status.HOLDS


def test_a_store_is_never_overwritten(played: Played) -> None:
    backup = played.backed_up()
    with data_directory() as data:
        with running(embedded.start(data)):
            pass
        told = invoke(data, "restore", str(backup))
    assert (told.exit_code, "holds a store" in told.output) == (1, True), told.output


def test_whoever_was_erased_since_stays_erased(played: Played) -> None:
    """The keys lie elsewhere, and a restore waits for them; the erasure is repeated before anybody is served.

    Neither what she was called nor what she wrote is in what comes back.
    """
    court, disputing = played.world.disputable(played.ann, played.ben)
    accepted(played.ann.post(f"{court}/disputes", disputing | {"claim": "I read it otherwise"}), 201)
    backup = played.backed_up()
    assert played.ann.delete("/v1/players/me").status_code == 204
    data = played.place / "data"
    data.mkdir(mode=0o700)
    told = invoke(data, "restore", str(backup))
    assert (told.exit_code, "--without-keys" in told.output) == (1, True), told.output
    assert not (data / embedded.FILES).exists()
    shutil.copy(played.data / FILE, data)
    assert "secret is missing" in invoke(data, "restore", str(backup)).output
    shutil.copy(played.data / "secret", data)
    kept = (data / FILE).read_bytes()

    assert "1 people are erased, as before" in done(invoke(data, "restore", str(backup)))

    assert (data / FILE).read_bytes() == kept
    assert not (data / embedded.FILES / "appendonly.aof.1.base.rdb").exists()  # it was written anew, without her
    with served(data) as other:
        assert again(played.ann, other).get("/v1/players/me").status_code == 401
        assert not connect(other.url).exists(key_of("player", str(played.ann.player)))
        ben = again(played.ben, other)
        for table in played.tables[:2]:  # she resigned one, and had finished the other
            assert [seat["name"] for seat in accepted(ben.get(f"/v1/tables/{table}"))["seats"]] == ["somebody", "Ben"]
        assert accepted(ben.get(f"{court}/disputes"))["disputes"][0]["claim"] == "(removed)"


def test_a_backup_from_before_two_rotations_comes_back(played: Played, capfd: pytest.CaptureFixture[str]) -> None:
    """Erased people stay erased; what the old key sealed is given up, and names can still be read."""
    backup = played.backed_up()
    assert played.ann.delete("/v1/players/me").status_code == 204
    for _ in range(3):
        done(invoke(played.data, "rotate-secret"))
    played.backed_up("newest")
    data = played.new_data()

    assert "1 people are erased, as before" in done(invoke(data, "restore", str(backup)))

    assert invoke(data, "run", "--no-demo", "--no-stay").exit_code == 1
    assert "`wintercount rotate-secret --lost` gives up what it sealed" in capfd.readouterr().err
    done(invoke(data, "rotate-secret", "--lost"))
    with served(data) as other:
        assert again(played.ann, other).get("/v1/players/me").status_code == 401
        seats = accepted(again(played.ben, other).get(f"/v1/tables/{played.tables[0]}"))["seats"]
        assert [seat["name"] for seat in seats] == ["somebody", "Ben"]


def test_a_store_whose_keys_are_lost_comes_back_without_them(played: Played) -> None:
    backup = played.backed_up()
    data = played.place / "data"
    data.mkdir(mode=0o700)
    assert "3 tables" in done(invoke(data, "restore", "--without-keys", str(backup)))
    assert not (data / FILE).exists()


def killed(data: Path, *words: str, when: Callable[[], bool]) -> None:
    """Kills a command as soon as something is so, or lets it end.

    A child that it was just starting has its lock until the child's own program runs.
    """
    environment = os.environ | {"WINTERCOUNT_DATA": str(data), "WINTERCOUNT_REDIS_URL": ""}
    command = [sys.executable, "-m", "wintercount", *words]
    with subprocess.Popen(command, env=environment) as process:
        wait_until(lambda: when() or process.poll() is not None)
        process.kill()
    wait_until(lambda: is_free(data))


def is_free(data: Path) -> bool:
    """Whether nobody holds a data directory."""
    try:
        embedded.hold(data).close()
    except embedded.AlreadyRunning:
        return False
    return True


@pytest.mark.slow
def test_a_backup_that_is_killed_is_none(played: Played) -> None:
    """What it left has another name, is no backup, and is named at the next attempt."""
    target = played.place / "a.backup"
    part = target.with_name("a.backup.part")
    killed(played.data, "backup", str(target), when=part.exists)
    assert part.exists() != target.exists()
    if part.exists():
        told = invoke(played.data, "backup", str(target))
        assert (told.exit_code, "remove it" in told.output) == (1, True), told.output
        shutil.rmtree(part)
        done(invoke(played.data, "backup", str(target)))
    assert "3 tables" in done(invoke(played.data, "restore", "--check", str(target)))


@pytest.mark.slow
@pytest.mark.parametrize("reached", ["restoring", "restoring/appendonlydir", "restoring/valkey.sock"])
def test_a_restore_that_is_killed_is_repeated(played: Played, reached: str) -> None:
    """Until it is, no service starts on what is not there yet."""
    backup = played.backed_up()
    data = played.new_data()
    killed(data, "restore", str(backup), when=(data / reached).exists)
    if not (data / embedded.FILES).exists():
        told = invoke(data, "run", "--no-demo", "--no-stay")
        assert (told.exit_code, "was interrupted: run it again" in told.output) == (1, True), told.output
        wait_until(lambda: not embedded.runs(data / "restoring"))
        done(invoke(data, "restore", str(backup)))
    with served(data) as other:
        assert all(stored_verdict(other.url, table).status is Status.HOLDS for table in played.tables)
