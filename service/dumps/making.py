"""Making the dump of a month: a file that grows by whole frames beside a note of how far it has come.

Whoever is killed leaves both: the file is cut back to where the note says, and goes on from there if the tables before
are still those that were taken. Only the whole file gets a name by which others find it.
"""

import fcntl
import hashlib
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from events.archiving.compression import compress
from events.disk import opener, private_directory, to_disk
from events.log import LogUnreadable
from events.store import RedisLog
from events.times import millis, stamp
from projections import lobby
from projections.history import Histories
from projections.played.background import NotFilled
from projections.played.index import FILE as GAMES_PLAYED
from projections.played.index import Played
from projections.played.months import ended_in
from projections.store import current
from service.dumps.keeping import Dumps
from service.dumps.lines import LeftOut, line_of
from service.dumps.manifests import FORMAT_VERSION, Manifest, ManifestRefused, bounds, file_of
from service.dumps.missing import missing

LEVEL = 12  # of compression, as in the archive
FRAME = 4 << 20  # bytes before they are compressed: a frame is written once it holds as much
PATIENCE_S = 86_400.0  # for the index of games played to be made
FILE, NOTE, LOCK = "part.ndjson.zst", "part.json", "lock"
UNREADABLE, DAMAGED_SEGMENT = "unreadable", "damaged_segment"
NOT_FILLED = "the index of games played could not be made: see the log, and repeat it"

log = logging.getLogger(__name__)


class DumpRefused(Exception):
    """Why no dump can be made, and what to do."""


class Progress(msgspec.Struct, frozen=True):
    """How far a file has come: up to the table at `place`, in `bytes`; `mark` is a hash over all places before."""

    month: str
    place: str = ""
    mark: str = ""
    bytes: int = 0
    unpacked_bytes: int = 0
    seen: int = 0
    games: dict[str, int] = {}
    left_out: dict[str, int] = {}
    format_version: int = 1  # what earlier releases have begun

    def after(self, place: str, game: str | None, reason: str | None, size: int) -> "Progress":
        """The progress after one more table, which was taken or left out for a reason."""
        return msgspec.structs.replace(
            self,
            place=place,
            mark=_mark(self.mark, place),
            seen=self.seen + 1,
            unpacked_bytes=self.unpacked_bytes + size,
            games=_counted(self.games, game),
            left_out=_counted(self.left_out, reason),
        )


class MadeDump(NamedTuple):
    """The manifest of a month, if any table ended in it, and whether its file was made just now."""

    manifest: Manifest | None
    is_new: bool


class Maker:
    """Makes dumps of a log, in a directory of this machine, for `dumps` to keep."""

    def __init__(self, store: RedisLog, dumps: Dumps, directory: Path) -> None:
        self._log, self._dumps, self._directory = store, dumps, directory
        self._histories = Histories(store, capacity=1)
        self._played = whole_index(store)

    def make(self, month: str, now_ms: int, report: Callable[[int], Any], *, again: bool = False) -> MadeDump:
        """The dump of a month, which is made unless it is there; `report` is told of the tables looked at.

        One that a clock made that ran ahead is made anew: the month may not have been over, and games may be missing.
        Raises `DumpRefused`, and `ArchiveUnavailable` if tables would be missing.
        """
        with _alone(self._directory):
            before = self._before(month, again=again)
            if before and not again and millis(before.made_at) <= now_ms:
                return MadeDump(before, is_new=False)
            self._check_over(month, now_ms)
            progress = self._written(month, report)
            manifest = self._kept(progress, stamp(now_ms)) if progress.games else before
            self._clear()
            return MadeDump(manifest, is_new=bool(progress.games))

    def _kept(self, progress: Progress, now: str) -> Manifest:
        """Hands the file over and reads it back before its manifest tells of it."""
        manifest = self._manifest(progress, now)
        self._dumps.take(manifest, self._directory / FILE)
        self._check(manifest)
        found = self._dumps.publish(manifest)
        self._dumps.remove_others(found)
        return found

    def _check_over(self, month: str, now_ms: int) -> None:
        if now_ms < bounds(month)[1]:
            raise DumpRefused(f"{month} is not over: tables may still end in it")
        if not current(self._log, lobby.NAME).is_complete():
            raise DumpRefused("the lobby lags behind the log, so tables would be missing: let the dispatcher catch up")
        self._check_complete()

    def _check_complete(self) -> None:
        """Raises `DumpRefused` or `ArchiveUnavailable` unless the index holds every table: reads tell what there is."""
        try:
            self._played.complete()
        except NotFilled:
            raise DumpRefused(NOT_FILLED) from None

    def _before(self, month: str, *, again: bool) -> Manifest | None:
        try:
            return self._dumps.manifest(month)
        except ManifestRefused as refusal:
            if again:
                return None
            raise DumpRefused(f"the manifest of {month}: {refusal}; --again makes the dump anew") from None

    def _written(self, month: str, report: Callable[[int], Any]) -> Progress:
        """Writes the rest of the month's file, frame by frame."""
        progress = self._resumed(month)
        report(progress.seen)
        lines: list[bytes] = []
        for place, table in played_places(self._played, month, progress.place):
            line, progress = self._line(progress, place, table)
            lines += [line] if line else []
            report(1)
            if sum(map(len, lines)) >= FRAME:
                progress, lines = self._append(progress, lines), []
        return self._append(progress, lines)

    def _line(self, progress: Progress, place: str, table: str) -> tuple[bytes, Progress]:
        """The line of a table, empty if it is left out, and the progress behind it."""
        try:
            history = self._histories.fresh(table)
            if history is None:
                raise LeftOut(UNREADABLE)
            line = line_of(history, self._log.is_imported(table))
            return line, progress.after(place, history.table.opened.game, None, len(line))
        except LogUnreadable as damage:
            log.critical("%s: no dump has this table", damage)
            return b"", progress.after(place, None, UNREADABLE, 0)
        except LeftOut as left_out:
            return b"", progress.after(place, None, str(left_out), 0)

    def _append(self, progress: Progress, lines: Sequence[bytes]) -> Progress:
        """Writes a frame to the disk, and then the note that it is there."""
        frame = compress(b"".join(lines), level=LEVEL) if lines else b""
        with open(self._directory / FILE, "ab", opener=opener) as file:
            file.write(frame)
            file.flush()
            os.fsync(file.fileno())
        found = msgspec.structs.replace(progress, bytes=progress.bytes + len(frame))
        _replace(self._directory / NOTE, msgspec.json.encode(found))
        return found

    def _resumed(self, month: str) -> Progress:
        """How far an earlier run came, whose file is cut back to that; from the beginning if it is of no use."""
        file, noted = self._directory / FILE, self._noted(month)
        known = noted is not None and file.exists() and file.stat().st_size >= noted.bytes
        begun = Progress(month, format_version=FORMAT_VERSION)
        found = noted if known and noted is not None and self._stands(noted) else begun
        with open(file, "ab", opener=opener) as part:
            part.truncate(found.bytes)
        return found

    def _noted(self, month: str) -> Progress | None:
        try:
            found = msgspec.json.decode((self._directory / NOTE).read_bytes(), type=Progress)
        except (OSError, msgspec.MsgspecError):
            return None
        return found if (found.month, found.format_version) == (month, FORMAT_VERSION) else None

    def _stands(self, noted: Progress) -> bool:
        """Whether the tables up to there are those that were looked at then."""
        mark = ""
        for place, _ in played_places(self._played, noted.month):
            if place > noted.place:
                break
            mark = _mark(mark, place)
        return mark == noted.mark

    def _manifest(self, progress: Progress, now: str) -> Manifest:
        with (self._directory / FILE).open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        return Manifest(
            month=progress.month,
            file=file_of(progress.month, found),
            size=progress.bytes,
            sha256=found,
            unpacked_size=progress.unpacked_bytes,
            tables=sum(progress.games.values()),
            games=dict(sorted(progress.games.items())),
            left_out=dict(sorted((progress.left_out | self._missing()).items())),
            made_at=now,
        )

    def _missing(self) -> dict[str, int]:
        """The tables of damaged segments, if any: which of them are of this month, nobody can tell."""
        number = missing(self._log, self._played)
        return {DAMAGED_SEGMENT: number} if number else {}

    def _check(self, manifest: Manifest) -> None:
        """Reads the file back; raises `DumpRefused` if it is not what was written."""
        found = hashlib.sha256()
        for chunk in self._dumps.chunks(manifest):
            found.update(chunk)
        if found.hexdigest() != manifest.sha256:
            raise DumpRefused(f"{manifest.file} does not read back as it was written: repeat it with --again")

    def _clear(self) -> None:
        for name in (NOTE, FILE):
            (self._directory / name).unlink(missing_ok=True)


def whole_index(store: RedisLog) -> Played:
    """The index of games played, which is waited for however long it takes: a dump misses no table."""
    return Played(store, store.notes / GAMES_PLAYED if store.notes else None, PATIENCE_S)


def played_places(played: Played, month: str, behind: str = "") -> Iterator[tuple[str, str]]:
    """The place and the name of each public table that ended in a month, in their order, behind a place."""
    span = bounds(month)
    try:
        while found := played.read(lambda database, behind=behind: ended_in(database, span, behind)):  # type: ignore[misc]
            yield from found
            behind = found[-1][0]
    except NotFilled:
        raise DumpRefused(NOT_FILLED) from None


@contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """Keeps other processes of this machine from making a dump meanwhile; raises `DumpRefused`."""
    private_directory(directory)
    with open(directory / LOCK, "w", opener=opener) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DumpRefused(f"another process makes a dump in {directory}") from None
        yield


def _replace(path: Path, content: bytes) -> None:
    new = path.with_suffix(".new")
    with open(new, "wb", opener=opener) as file:
        file.write(content)
    to_disk(new)
    new.replace(path)
    to_disk(path.parent)


def _mark(before: str, place: str) -> str:
    return hashlib.sha256(f"{before}\n{place}".encode()).hexdigest()


def _counted(counts: dict[str, int], name: str | None) -> dict[str, int]:
    return counts | {name: counts.get(name, 0) + 1} if name else counts
