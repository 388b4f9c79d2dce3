"""Makes the dump of a month: the public tables that ended in it, one after the other in one file."""

import logging
import re
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from io import BufferedRandom, BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

from events.archiving.compression import ZstdFile
from events.disk import private_directory
from events.log import LogUnreadable
from events.store import RedisLog
from events.times import millis
from projections import lobby_rows
from projections.finished_games.index import FILE as GAMES_PLAYED
from projections.finished_games.index import FinishedGames, NotFilled, damaged_segments, ended_in
from projections.history import TableCache, TableHistory
from projections.store import current
from rulings.archive_format import lines
from service.dumps import Dumps

LEVEL = 12  # of compression, as in the archive
PATIENCE_S = 86_400.0  # until the index of finished games is complete: a dump misses no table
MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")

log = logging.getLogger(__name__)


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
    if not current(store, lobby_rows.NAME).is_complete():
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
        "without_result": history.table.ended is None,
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
