"""Commands for a store that has lost something: compare it with all copies, and recover what is whole."""

import contextlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from redis.exceptions import OutOfMemoryError, RedisError

from service.runtime import embedded
from service.runtime.prerequisites import settings, store_url
from service.runtime.printing import as_json, printed, progress
from service.runtime.verifying import Status

if TYPE_CHECKING:
    from events.store import RedisLog
    from service.runtime.recovery.comparing import Finding
    from service.runtime.recovery.gathering import Gathered

WHERE = (
    "SOURCES are URLs of other stores, backups, exported archives (.gz as well), files of receipts (a receipt or an "
    "answer with one a line, JSON), and directories of such files. The archive, and what processes of this machine "
    "saved in the data directory, are asked in any case."
)
UNREAD, GOOD = "unread", "restored"


@click.command(epilog=WHERE)
@click.argument("sources", nargs=-1)
@as_json
def compare(sources: tuple[str, ...], as_json: bool) -> None:
    """Compare the store with every copy: what is lost, what can be brought back, where histories part.

    Reads the whole record of every table that is in the store, and writes nothing. The exit status is 0 if the store
    holds all that anybody knows, whole; 1 if it does not; 2 if a source could not be read, and nothing else is wrong.
    """
    with _told(), contextlib.closing(_gathered(sources)) as found:
        told = list(found.findings())
    _tell(told, f"{found.tables} tables in the store compared with {len(found.sources)} sources", as_json)


@click.command(epilog=WHERE)
@click.argument("sources", nargs=-1)
@click.option("--write", is_flag=True, help="append what is missing; without it nothing is written")
@click.option("--exported", is_flag=True, help="bring back what nothing but an exported archive tells of, too")
@click.option("--ai-moves", default=3, show_default=True, help="how many AI moves of each table to recompute")
@as_json
def recover(sources: tuple[str, ...], *, write: bool, exported: bool, ai_moves: int, as_json: bool) -> None:
    """Bring tables back of which a copy holds more than the store, where the store's record is its beginning.

    Each is verified first, as `wintercount verify` does; then what the store lacks is appended, batch by batch; the
    service may be running. Nothing is overwritten, and a repeat goes on where one was cut off. Where histories part,
    the store's stays: which one is to go on is yours to choose. Whoever knows a table's seed can make up an archive of
    it, with moves that nobody made: what it alone tells is left unless you say `--exported`. The exit status is that
    of `compare` afterwards.
    """
    from service.runtime.recovery.appending import How, brought_back

    with _told(), contextlib.closing(_gathered(sources)) as found, _log(write=write) as log:
        others = [one for one in found.findings() if one.state != "ahead"]
        brought = brought_back(found, How(log, ai_moves, exported))
        done = list(progress(brought, desc="verified", unit=" tables"))
    written = f"{sum(one.state == 'restored' for one in done)} tables brought back"
    _tell([*others, *done], written if write else "nothing was written: --write appends what verifies", as_json)


@contextlib.contextmanager
def _log(*, write: bool) -> Iterator["RedisLog | None"]:
    """The log to write to; none where nothing is to be written."""
    from service.stores import log_at

    if not write:
        yield None
        return
    with contextlib.closing((log := log_at(store_url())).client):
        yield log


@click.command("check-aof")
@click.option("--fixed-copy", type=click.Path(path_type=Path), help="directory to make, with a copy that can be read")
@as_json
def check_aof(fixed_copy: Path | None, as_json: bool) -> None:
    """Check the append-only file of the embedded store, which must not be running.

    The file is never changed: the copy is cut off before the first fault. The exit status is 0 if the file holds whole
    batches to its end, 1 if not. A byte altered within a value is no fault of form: `wintercount compare` finds that.
    """
    from service.runtime import appendonly

    data = Path(settings().data)
    file = appendonly.newest(data)
    if file is None:  # before the lock, which would be left where nothing is
        raise click.ClickException(f"{data.resolve()} has no append-only file: is WINTERCOUNT_DATA right?")
    with _told(), embedded.hold(data):
        found = appendonly.checked(file)
        lines = [found.summary]
        if fixed_copy:
            appendonly.fixed_copy(data, fixed_copy)
            lines.append(_swap(data, fixed_copy, found.size - found.whole))
    printed(found._asdict() | {"path": str(found.path)}) if as_json else click.echo("\n".join(lines))
    sys.exit(Status.HOLDS if found.size == found.whole else Status.FAULT)


def _swap(data: Path, copy: Path, lost: int) -> str:
    from service.runtime.appendonly import FOLDER

    there = data / FOLDER
    return (
        f"the copy lacks the last {lost} bytes. To go on from it: mv {there} {there}.damaged && "
        f"mv {copy / FOLDER} {there}; then `wintercount run`, and `wintercount compare` says what other copies hold"
    )


def _gathered(words: Sequence[str]) -> "Gathered":
    from service.runtime.recovery.archived import Archive
    from service.runtime.recovery.comparing import STORE
    from service.runtime.recovery.gathering import gathered
    from service.runtime.recovery.saving import FOLDER, saved_in
    from service.runtime.recovery.sources import sources_of
    from service.runtime.recovery.stores import Store
    from service.stores import archive_of

    found = settings()
    archive, saved = archive_of(found), Path(found.data) / FOLDER
    named = [*words, *([str(saved)] if saved_in(saved) else [])]
    sources = [*([Archive(archive)] if archive else []), *sources_of(named, archive)]
    store = Store(store_url(), archive, STORE)
    with progress(desc="compared", unit=" tables") as bar:
        return gathered(store, sources, bar.update)


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Exits with the message of what cannot be read at all."""
    from service.runtime.recovery.packed import Unread

    try:
        yield
    except embedded.AlreadyRunning as running:
        raise click.ClickException(f"the store runs: {running} is held. Stop `wintercount run` first") from None
    except OutOfMemoryError:  # which every command tells alike
        raise
    except (Unread, RedisError, OSError) as error:
        raise click.ClickException(str(error)) from None


def status_of(told: Iterable["Finding"]) -> Status:
    """The exit status of what was found."""
    states = {one.state for one in told} - {GOOD}
    if states - {UNREAD}:
        return Status.FAULT
    return Status.UNCHECKED if states else Status.HOLDS


def _tell(told: Sequence["Finding"], done: str, as_json: bool) -> None:
    status = status_of(told)
    if as_json:
        for one in told:
            printed(one._asdict())
        printed({"told": done, "status": status.name.lower()})
    else:
        click.echo("\n".join([*table_of(told), done]))
    sys.exit(status)


def table_of(told: Sequence["Finding"]) -> list[str]:
    """The findings as a table in text."""
    if not told:
        return []
    rows = [
        ("STATE", "TABLE", "SOURCE", "WHAT"),
        *((one.state, one.table or "-", one.source, one.told) for one in told),
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row[:3], widths, strict=True)), row[3]]) for row in rows
    ]
