"""An archive file: one table that was exported, to be checked anywhere and replayed to the same head."""

import contextlib
import gzip
import zlib
from collections.abc import Iterable, Iterator, Mapping
from io import BufferedIOBase
from pathlib import Path
from typing import Any

import msgspec

from events.canonical import canonical
from events.recorded import Envelope, Recorded, Seal, event_as_read
from events.verify import FORMAT, FORMAT_VERSION, archive_faults, envelope_of, event_in, header, lines_of
from games import GAMES
from projections.folding import FAULTS, fold
from projections.history import TableHistory
from projections.recording import UnknownSchema
from rulings.replay import Report, Rerun, replay

GZIP = b"\x1f\x8b"  # how a file begins that gzip has packed (RFC 1952, 2.3.1)
MOST_UNPACKED = 64 << 20  # bytes of a table: services take in half of that, and the longest have a few MiB


class ArchiveRefused(Exception):
    """An archive that cannot be imported: altered, cut off, of a newer form, closed, or of a game not hosted here."""


class Unchecked(ArchiveRefused):
    """An archive without a fault as far as it can be read here: closed, or `Unknown`."""


class Unknown(Unchecked):
    """An archive of a game, of rules or in a form that this release does not know."""


def is_packed(path: Path) -> bool:
    """Whether a file is packed with gzip, whatever its name is."""
    with path.open("rb") as file:
        return file.read(len(GZIP)) == GZIP


@contextlib.contextmanager
def opened(path: Path) -> Iterator[BufferedIOBase]:
    """A file, unpacked if it is packed with gzip; raises `ArchiveRefused` where that cannot be unpacked."""
    try:
        with gzip.open(path, "rb") if is_packed(path) else path.open("rb") as file:
            yield file
    except (gzip.BadGzipFile, EOFError, zlib.error) as damage:
        raise ArchiveRefused(f"it cannot be unpacked: {damage}") from None


def lines_in(file: BufferedIOBase) -> Iterator[bytes]:
    """The lines of a file; raises `ArchiveRefused` for more than any table has, however it is packed."""
    left = MOST_UNPACKED
    for line in lines_of(file):
        left -= len(line)
        if left < 0:
            raise ArchiveRefused(f"it is no archive of a table: that has at most {MOST_UNPACKED} bytes here")
        yield line


def lines(history: TableHistory, seat: int | None, *, over: bool) -> Iterator[bytes]:
    """The archive as `seat` may read it: a header, then one event per line; complete when the game is over."""
    yield header_line(history, history.table.version)
    yield from event_lines(history.events, seat, over=over)


def event_lines(events: Iterable[Recorded], seat: int | None, *, over: bool) -> Iterator[bytes]:
    """The lines of events in an archive."""
    for event in events:
        yield canonical(event_as_read(event, seat, over=over)) + b"\n"


def header_line(history: TableHistory, until: int) -> bytes:
    """The first line of an archive that ends with version `until`."""
    opened = history.table.opened
    head = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "table": history.table.id,
        "game": opened.game,
        "rules_version": opened.rules_version,
        "events": until,
        "head": history.events[until - 1].hash.hex(),
    }
    return canonical(head) + b"\n"


def read(archive: Iterable[bytes]) -> tuple[Recorded, ...]:
    """The events of a complete archive, checked as they are read; raises `ArchiveRefused`."""
    kept: list[bytes] = []
    broken = list(archive_faults(_noting(archive, kept)))
    if broken:
        raise ArchiveRefused("; ".join(broken))
    head = header(kept[0])
    if head.get("game") not in GAMES:
        raise Unknown(f"{head.get('game')!r} is not hosted here")
    if type(head["rules_version"]) is not int:
        raise ArchiveRefused("`rules_version` is no number")
    if (newest := GAMES[head["game"]].rules_version) < head["rules_version"]:
        raise Unknown(f"version {head['rules_version']} of the rules is not known here, only up to {newest}")
    events = tuple(recorded_in(event_in(line, "event")) for line in kept[1:])
    if not events or any(set(event.envelope.secrets) != set(event.sealed) for event in events):
        raise Unchecked("secrets are still closed: only the archive of a finished game can be taken in")
    return events


def _noting(archive: Iterable[bytes], kept: list[bytes]) -> Iterator[bytes]:
    """Keeps the lines that are read: of what is no archive one line."""
    for line in archive:
        kept.append(line)
        yield line


def history_of(archive: Iterable[bytes]) -> TableHistory:
    """The table of a complete archive; raises `ArchiveRefused`."""
    events = read(archive)
    try:
        table = fold(None, events)
    except UnknownSchema as unknown:
        raise Unknown(str(unknown)) from None
    except FAULTS as error:
        raise ArchiveRefused(f"its events lead nowhere: {error}") from None
    if table is None or not table.over:
        raise Unchecked("only the archive of a finished game can be taken in")
    return TableHistory(events, table)


def replayed(history: TableHistory, options: Mapping[str, Any] | None = None, rerun: Rerun | None = None) -> Report:
    """The table of an archive, replayed; raises `ArchiveRefused` if it makes no sense."""
    try:
        return replay(history, options, rerun)
    except FAULTS as error:
        raise ArchiveRefused(f"its decisions cannot be taken again: {error}") from None


OPTIONAL = {"now"}  # fields of an envelope that are left out rather than null


def recorded_in(row: dict[str, Any]) -> Recorded:
    """The event of a line of an archive, with the secrets that lie open there; raises `ArchiveRefused`."""
    envelope = envelope_of(row)
    opened = row.get("opened", {})
    values = {name: row["payload"][name] if name in row["readers"] else row[name] for name in opened}
    sealed = {name: Seal(opened[name]["salt"], value) for name, value in values.items()}
    if set(envelope) | OPTIONAL != set(Envelope.__struct_fields__) or None in map(
        envelope.get, OPTIONAL & set(envelope)
    ):
        raise ArchiveRefused(f"version {row['version']}: an envelope has {', '.join(Envelope.__struct_fields__)}")
    try:
        typed = msgspec.convert(envelope, Envelope)
    except msgspec.ValidationError as error:
        raise ArchiveRefused(f"version {row['version']}: {error}") from None
    return Recorded(typed, canonical(envelope), sealed, bytes.fromhex(row["hash"]))
