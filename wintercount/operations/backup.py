"""Backups of the embedded store: a directory with a copy of the store, the archive, and the checksums of both.

The copy of the store is what a Valkey server sends to a new replica: everything at one moment, while play continues.
The secret and people's keys are never in it.
"""

import contextlib
import hashlib
import os
import shutil
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO, Any, NamedTuple

from events.archiving.objects import Objects
from events.disk import DIRECTORY, opener, private_directory, to_disk
from events.log import PARTITIONS, LogUnreadable
from events.scripts import Client
from events.store import RedisLog, connect
from service.accounts.key_store import FILE, MARK, KeysUnavailable
from service.accounts.sealing import SecretUnusable
from service.config import Settings
from service.erasure import Erasure
from service.stores import archive_of, archive_url
from wintercount.operations.verifying import record_faults
from wintercount.processes import embedded

STORE, ARCHIVE, SUMS = "store.rdb", "archive", "SHA256SUMS"
BASE = "appendonly.aof.1.base.rdb"  # what a server loads before it appends
SILENCE_S = 60.0  # after which a backup fails; while it prepares a copy the store sends a line every ten seconds
BLOCK = 1 << 20
LOOK_S = 0.05


class BackupRefused(Exception):
    """Nothing was copied or restored; the message says what to do."""


def make(settings: Settings, target: Path) -> None:
    """Copies the running embedded store and its archive to a new directory; raises `BackupRefused`.

    The directory gets its name when everything is on disk.
    """
    part = target.with_name(f"{target.name}.part")
    try:
        part.mkdir(mode=DIRECTORY)
    except FileExistsError:
        raise BackupRefused(
            f"{part} exists: another backup is writing it, or was killed; in that case remove it"
        ) from None
    try:
        with _new(part / STORE) as file:
            _dump(Path(settings.data), file)
        _copy_archive(settings, part / ARCHIVE)
        _write_sums(part)
        part.rename(target)
        to_disk(target.parent)
    except BaseException:
        shutil.rmtree(part)
        raise


def _copy_archive(settings: Settings, to: Path) -> None:
    """Copies an archive that is a directory, after the store: files are only added, so all that it names are there."""
    where = archive_url(settings) or ""
    if Path(where).is_dir():
        for file in Objects(where).list_files(""):
            _copy(Path(where, file.name), to / file.name)


def _write_sums(part: Path) -> None:
    """Writes the checksum of each file, and waits until everything is on disk."""
    paths = sorted(part.rglob("*"))
    with _new(part / SUMS) as file:
        lines = (f"{_sum(path)}  {path.relative_to(part)}\n" for path in paths if path.is_file())
        file.writelines(line.encode() for line in lines)
    for directory in (part, *filter(Path.is_dir, paths)):
        to_disk(directory)


def _dump(data: Path, file: IO[bytes]) -> None:
    """Writes the copy of the embedded store that the server sends to a new replica."""
    with socket.socket(socket.AF_UNIX) as server:
        server.settimeout(SILENCE_S)
        server.connect(str(embedded.socket_path(data)))
        answers = server.makefile("rb")
        server.sendall(b"REPLCONF capa eof rdb-only 1\r\n")
        answers.readline()
        server.sendall(b"SYNC\r\n")
        header = next(filter(None, map(bytes.strip, answers)), b"")
        if not header.startswith(b"$EOF:"):
            raise BackupRefused(f"the store refuses to send a copy: {header.decode(errors='replace')}")
        end, rest = header.removeprefix(b"$EOF:"), b""
        while not rest.endswith(end):
            if not (more := answers.read1(BLOCK)):
                raise BackupRefused("the store ended during the copy: make the backup again")
            rest += more
            file.write(rest[: -len(end)])
            rest = rest[-len(end) :]


def copy_secret(settings: Settings, to: Path) -> None:
    """Copies the keys of the store's secrets, in place of an older copy."""
    with _replaced(to) as part, _new(part) as file:
        file.write((settings.secret or settings.key_file.read_text()).encode())


def copy_keys(settings: Settings, to: Path) -> None:
    """Copies the keys of people's names and texts, in place of an older copy."""
    source = f"{(Path(settings.data) / FILE).resolve().as_uri()}?mode=ro"
    with _replaced(to) as part, _new(part), contextlib.ExitStack() as stack:
        keys, copy = (stack.enter_context(contextlib.closing(sqlite3.connect(one, uri=True))) for one in (source, part))
        keys.backup(copy)


@contextlib.contextmanager
def _replaced(path: Path) -> Iterator[Path]:
    """Yields the name of a file to write, which replaces `path` at the end of the block."""
    private_directory(path.parent)
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    yield part
    part.replace(path)
    to_disk(path.parent)


class Found(NamedTuple):
    """The tables of a backup, their faults, and the number of repeated erasures."""

    tables: int
    faults: list[str]
    erased: int = 0


def check(settings: Settings, backup: Path, report: Callable[[int], Any]) -> Found:
    """Verifies the checksums of a backup and, on a server of its own, the record of every table."""
    _check_sums(backup, _sums(backup))
    archive = Objects(str(backup / ARCHIVE)) if (backup / ARCHIVE).is_dir() else archive_of(settings)
    with TemporaryDirectory() as directory, _loaded(backup, Path(directory)) as client:
        return _verified(RedisLog(client, PARTITIONS, archive), report)


def restore(settings: Settings, backup: Path, report: Callable[[int], Any], *, without_keys: bool) -> Found:
    """Restores a backup into a data directory that holds no store; raises `BackupRefused`.

    It prepares the store in a directory beside it, and erases again the people that the key store names as erased. A
    restore that was killed can be repeated.
    """
    data, sums = Path(settings.data), _sums(backup)
    with embedded.hold(data):
        if (data / embedded.FILES).exists():
            raise BackupRefused(f"{data.resolve()} holds a store: set WINTERCOUNT_DATA to a new directory")
        staged = data / embedded.RESTORING
        shutil.rmtree(staged, ignore_errors=True)
        staged.mkdir(mode=DIRECTORY)
        _check_sums(backup, sums)
        archive = archive_of(settings)
        for name in sums:
            if archive and name != STORE:
                with (backup / name).open("rb") as file:
                    archive.upload(name.removeprefix(f"{ARCHIVE}/"), file)
        with _loaded(backup, staged) as client:
            erased = 0 if without_keys else _erase_again(settings, staged, client)
            found = _verified(RedisLog(client, PARTITIONS, archive), report)
        (staged / embedded.FILES).rename(data / embedded.FILES)
        to_disk(data)
        shutil.rmtree(staged)
    return found._replace(erased=erased)


def _sums(backup: Path) -> dict[str, str]:
    """Returns the checksum of each file of a backup; raises `BackupRefused` for another directory."""
    try:
        lines = (backup / SUMS).read_text().splitlines()
        sums = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    except (OSError, ValueError) as error:
        raise BackupRefused(f"{backup} is not a backup of Wintercount: {error}") from None
    if STORE not in sums or any(".." in PurePosixPath(name).parts or Path(name).is_absolute() for name in sums):
        raise BackupRefused(f"{backup} is not a backup of Wintercount: {SUMS} names other files")
    return sums


def _check_sums(backup: Path, sums: Mapping[str, str]) -> None:
    for name, digest in sums.items():
        if not (backup / name).is_file() or _sum(backup / name) != digest:
            raise BackupRefused(f"{backup / name} is missing or was changed: use another backup")


@contextlib.contextmanager
def _loaded(backup: Path, directory: Path) -> Iterator[Client]:
    """Yields a client of an embedded server on a copy of the backup's store."""
    files = directory / embedded.FILES
    _copy(backup / STORE, files / BASE)
    with _new(files / embedded.MANIFEST) as file:
        file.write(f"file {BASE} seq 1 type b\n".encode())
    to_disk(files)
    try:
        with embedded.started(directory) as url, contextlib.closing(connect(url)) as client:
            yield client
    except embedded.DoesNotStart as error:
        raise BackupRefused(f"{backup / STORE}: {error}") from None


def _verified(log: RedisLog, report: Callable[[int], Any]) -> Found:
    """Verifies every table in the feeds."""
    tables, faults = set[str](), list[str]()
    for partition in range(log.partitions):
        try:
            tables |= {pointer.table for pointer in log.whole_feed(partition)}
        except LogUnreadable as damage:
            faults.append(str(damage))
    for table in sorted(tables):
        faults += record_faults(log, table)
        report(1)
    return Found(len(tables), faults)


def _erase_again(settings: Settings, staged: Path, client: Client) -> int:
    """Repeats the erasures that the key store names, also in the store's file; returns how many."""
    if not client.exists(MARK):  # nobody had a name yet
        return 0
    file = Path(settings.data) / FILE
    try:
        if settings.keys_url is None and not file.exists():
            raise SecretUnusable(f"{file.resolve()} is missing")
        erasure = Erasure(settings, embedded.url_of(staged))
        people = list(erasure.erased())
        for person in people:
            erasure.erase(person)
    except (SecretUnusable, KeysUnavailable) as error:
        raise BackupRefused(
            f"{error}. Put the secret and the newest copy of the keys into their places first, so that people erased "
            "since the backup stay erased; use --without-keys only if the keys are lost"
        ) from None
    if people:
        _rewrite(client)
    return len(people)


def _rewrite(client: Client) -> None:
    for rewrite in (lambda: None, client.bgrewriteaof):  # one may be running
        rewrite()
        while client.info("persistence")["aof_rewrite_in_progress"]:
            time.sleep(LOOK_S)


@contextlib.contextmanager
def _new(path: Path) -> Iterator[IO[bytes]]:
    """Yields a new file that others cannot read; it is on disk after the block."""
    private_directory(path.parent)
    with open(path, "xb", opener=opener) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def _copy(source: Path, target: Path) -> None:
    with source.open("rb") as file, _new(target) as copy:
        shutil.copyfileobj(file, copy, BLOCK)


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
