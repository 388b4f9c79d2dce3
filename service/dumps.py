"""Dumps: the public tables that ended in a month, in one file that anybody may download and verify.

A month has three files: the tables, their checksum, and the signature of the checksum. The signature is written last:
only then does the dump exist.
"""

import base64
import hashlib
import logging
import re
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from io import BufferedRandom, BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.archiving.compression import ZstdFile
from events.archiving.objects import MissingObject, Objects
from events.canonical import canonical
from events.disk import private_directory
from events.log import LogUnreadable
from events.store import RedisLog
from events.times import millis
from projections import lobby
from projections.finished_games.index import FILE as GAMES_PLAYED
from projections.finished_games.index import FinishedGames, NotFilled, damaged_segments, ended_in
from projections.history import TableCache, TableHistory
from projections.store import current
from rulings.archive_file import lines
from service.accounts.sealing import Sealer

PURPOSE, KEY_BYTES = "signature of dumps 1", 32
UNDER = "dumps"
LEVEL = 12  # of compression, as in the archive
PATIENCE_S = 86_400.0  # until the index of finished games is complete: a dump misses no table
MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")
SIGNATURE = re.compile(rf"{UNDER}/wintercount-([0-9]{{4}}-[0-9]{{2}})\.SHA256SUMS\.sig")

log = logging.getLogger(__name__)


class Names(NamedTuple):
    """The names of a month's files."""

    tables: str
    sums: str
    signature: str


def names_of(month: str) -> Names:
    """Returns the names of a month's files."""
    sums = f"wintercount-{month}.SHA256SUMS"
    return Names(f"wintercount-{month}.tar.zst", sums, f"{sums}.sig")


class Signer:
    """Signs (Ed25519, RFC 8032) with keys that are derived from the service's secret."""

    def __init__(self, sealer: Sealer) -> None:
        self._sealer = sealer

    def sign(self, content: bytes) -> bytes:
        """Returns the signature by the newest key."""
        return self._keys()[0].sign(content)

    def has_signed(self, content: bytes, signature: bytes) -> bool:
        """Whether one of the keys signed the content."""
        for key in self._keys():
            try:
                key.public_key().verify(signature, content)
            except InvalidSignature:
                continue
            return True
        return False

    def web_keys(self) -> list[dict[str, str]]:
        """Returns the public keys as JSON Web Keys (RFC 8037), newest first, named by thumbprint (RFC 7638)."""
        return [web_key(key.public_key().public_bytes_raw()) for key in self._keys()]

    def _keys(self) -> list[Ed25519PrivateKey]:
        return [Ed25519PrivateKey.from_private_bytes(one[:KEY_BYTES]) for one in self._sealer.derived(PURPOSE)]


def web_key(public: bytes) -> dict[str, str]:
    """Returns a public key as a JSON Web Key."""
    named = {"crv": "Ed25519", "kty": "OKP", "x": _text(public)}
    return named | {"kid": _text(hashlib.sha256(canonical(named)).digest()), "alg": "EdDSA", "use": "sig"}


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


class Dumps:
    """The dumps in a directory or object storage; None if none is set. Thread-safe."""

    def __init__(self, objects: Objects | None, signer: Signer) -> None:
        self._objects, self.signer = objects, signer

    @property
    def objects(self) -> Objects:
        """The files; raises `MissingObject` if no storage is set."""
        if self._objects is None:
            raise MissingObject("no storage is set for dumps")
        return self._objects

    def months(self) -> dict[str, int]:
        """Returns the months with a dump, newest first, and the size of each in bytes."""
        sizes = {one.name: one.bytes for one in self._objects.list_files(UNDER)} if self._objects else {}
        signed = sorted((found[1] for name in sizes if (found := SIGNATURE.fullmatch(name))), reverse=True)
        kept = {month: sizes.get(_path(names_of(month).tables)) for month in signed}
        return {month: size for month, size in kept.items() if size is not None}

    def place(self, name: str) -> Path | str:
        """Returns the place of a file of a signed month (`Objects.place`); raises `MissingObject`."""
        if not any(name in names_of(month) for month in self.months()):
            raise MissingObject(f"there is no dump {name!r}")
        return self.objects.place(_path(name))

    def publish(self, month: str, file: BufferedRandom) -> None:
        """Replaces the tables of a month, and signs them."""
        names, digest = names_of(month), hashlib.file_digest(file, "sha256").hexdigest()
        sums = f"{digest}  {names.tables}\n".encode()
        self.objects.remove(_path(names.signature))
        file.seek(0)
        self.objects.upload(_path(names.tables), file)
        self.objects.write(_path(names.sums), sums)
        self.objects.write(_path(names.signature), self.signer.sign(sums))

    def sign_again(self) -> int:
        """Signs months of earlier keys again with the newest; returns how many. It may be repeated."""
        count = 0
        for names in map(names_of, self.months()):
            sums, signature = self.objects.read(_path(names.sums)), self.objects.read(_path(names.signature))
            newest = self.signer.sign(sums)
            if newest != signature and self.signer.has_signed(sums, signature):
                self.objects.write(_path(names.signature), newest)
                count += 1
        return count


class DumpRefused(Exception):
    """A dump is impossible; the message says why and what to do."""


class MadeDump(NamedTuple):
    """The result: the number of tables (None if the dump existed), and of those left out by reason.

    `damaged_segments` of the archive may hold further tables of the month.
    """

    month: str
    tables: int | None
    left_out: Mapping[str, int]
    damaged_segments: int


class Request(NamedTuple):
    """A request to dump a month, even if it exists (`again`). Calls `report` for each table."""

    month: str
    now_ms: int
    report: Callable[[int], Any]
    again: bool = False


def make(store: RedisLog, dumps: Dumps, scratch: Path, asked: Request) -> MadeDump:
    """Makes the dump of a month, unless it has no tables; raises `DumpRefused` and `ArchiveUnavailable`."""
    span, there = bounds(asked.month), dumps.months()
    if asked.month in there and not asked.again:
        return MadeDump(asked.month, None, {}, 0)
    if asked.now_ms < span[1]:
        raise DumpRefused(f"{asked.month} is not over: tables may still end in it")
    if not current(store, lobby.NAME).is_complete():
        raise DumpRefused("the lobby lags behind the log, so tables would be missing: wait for the dispatcher")
    played = FinishedGames(store, store.notes / GAMES_PLAYED if store.notes else None, PATIENCE_S)
    private_directory(scratch)
    left_out: Counter[str] = Counter()
    try:
        played.complete()
        damaged = len(played.read(damaged_segments))
        tables = _tables(store, played, span, left_out)
        with TemporaryFile(dir=scratch) as file:
            count = _pack(file, store, tables, asked)
            if count:
                file.seek(0)
                dumps.publish(asked.month, file)
    except NotFilled:
        raise DumpRefused("the index of finished games is incomplete: see the log, and try again") from None
    return MadeDump(asked.month, count, left_out, damaged)


def bounds(month: str) -> tuple[int, int]:
    """Returns the first millisecond of a month and that after its last; raises `DumpRefused`."""
    if not MONTH.fullmatch(month):
        raise DumpRefused(f"{month!r} is not a month: write it as 2026-10")
    year, number = int(month[:4]), int(month[5:])
    following = f"{year + number // 12:04d}-{number % 12 + 1:02d}"
    return millis(f"{month}-01T00:00:00Z"), millis(f"{following}-01T00:00:00Z")


def _tables(
    store: RedisLog, played: FinishedGames, span: tuple[int, int], left_out: Counter[str]
) -> Iterator[TableHistory]:
    """Yields the public tables that ended within a span, in order; counts those that it omits."""
    cache, after = TableCache(store, capacity=1), ""
    while found := played.read(lambda database, after=after: ended_in(database, span, after)):  # type: ignore[misc]
        for after, table in found:  # noqa: B007 - the next page starts there
            try:
                history = cache.load(table)
            except LogUnreadable as damage:
                log.critical("%s: no dump has this table", damage)
                history = None
            if reason := _why_not(history):
                left_out[reason] += 1
            elif history:
                yield history


def _why_not(history: TableHistory | None) -> str | None:
    """Returns why dumps omit a table, if they do: only a whole game of its own can be verified by itself."""
    if history is None:
        return "unreadable"
    reasons = {
        "branch": history.table.fork is not None,
        "lesson": history.table.opened.lesson,
        "without_result": not history.table.over,
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def _pack(file: BufferedRandom, store: RedisLog, tables: Iterator[TableHistory], asked: Request) -> int:
    """Writes the archive of each table into the file and returns how many. The same tables give the same bytes.

    Imported tables are in a separate folder: nobody can prove who played them, and when.
    """
    count = 0
    with ZstdFile(file, "wb", level=LEVEL) as packed, tarfile.open(fileobj=packed, mode="w|") as tar:
        for history in tables:
            folder = f"wintercount-{asked.month}" + ("/imported" if store.is_imported(history.table.id) else "")
            content = b"".join(lines(history, None, over=True))
            entry = tarfile.TarInfo(f"{folder}/{history.table.id}.ndjson")
            entry.size, entry.mtime = len(content), millis(str(history.table.ended_at)) // 1000
            tar.addfile(entry, BytesIO(content))
            asked.report(1)
            count += 1
    return count


def _path(name: str) -> str:
    return f"{UNDER}/{name}"
