"""Archive files: one exported table, which anybody can check and replay to the same head."""

import contextlib
import gzip
import zlib
from collections.abc import Iterable, Iterator, Mapping
from io import BufferedIOBase
from pathlib import Path
from typing import Any

import msgspec

from events.archiving.packing import Packed, columns
from events.canonical import canonical
from events.envelopes import Envelope, Recorded, Seal, event_as_read
from events.verify import FORMAT, FORMAT_VERSION, archive_faults, envelope_of, event_in, header, lines_of
from games import GAMES
from projections.event_conversion import UnknownSchema
from projections.folding import FAULTS, fold
from projections.history import TableHistory
from rulings.replay import Report, Rerun, replay

GZIP = b"\x1f\x8b"  # the first bytes of a gzip file (RFC 1952, 2.3.1)
MOST_UNPACKED = 64 << 20  # bytes of a table: services import half of that, and the longest have a few MiB


class ArchiveRefused(Exception):
    """An archive that cannot be imported: altered, truncated, with closed secrets, or `UnknownArchive`."""


class NotCheckable(ArchiveRefused):
    """An archive that cannot be checked completely here, but has no fault so far."""


class UnknownArchive(NotCheckable):
    """An archive with a game, rules or a format that this release does not know."""


@contextlib.contextmanager
def open_archive(path: Path) -> Iterator[BufferedIOBase]:
    """Opens a file, unpacking it if gzip packed it; raises `ArchiveRefused` if it cannot be unpacked."""
    with path.open("rb") as file:
        is_packed = file.read(len(GZIP)) == GZIP
    try:
        with gzip.open(path, "rb") if is_packed else path.open("rb") as file:
            yield file
    except (gzip.BadGzipFile, EOFError, zlib.error) as damage:
        raise ArchiveRefused(f"it cannot be unpacked: {damage}") from None


def lines_in(file: BufferedIOBase) -> Iterator[bytes]:
    """Yields the lines of a file; raises `ArchiveRefused` after more bytes than any table has."""
    left = MOST_UNPACKED
    for line in lines_of(file):
        left -= len(line)
        if left < 0:
            raise ArchiveRefused(f"it is not the archive of a table, which has at most {MOST_UNPACKED} bytes here")
        yield line


def lines(history: TableHistory, seat: int | None, *, over: bool) -> Iterator[bytes]:
    """Yields the archive as `seat` may read it: a header, then one event per line; complete if the game is over."""
    yield header_line(history, history.table.version)
    yield from event_lines(history.events, seat, over=over)


def event_lines(events: Iterable[Recorded], seat: int | None, *, over: bool) -> Iterator[bytes]:
    """Yields the lines for some events."""
    for event in events:
        yield canonical(event_as_read(event, seat, over=over)) + b"\n"


def header_line(history: TableHistory, until: int) -> bytes:
    """Returns the first line of an archive that ends with version `until`."""
    open_archive = history.table.opened
    head = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "table": history.table.id,
        "game": open_archive.game,
        "rules_version": open_archive.rules_version,
        "events": until,
        "head": history.events[until - 1].hash.hex(),
    }
    return canonical(head) + b"\n"


def read_archive(archive: Iterable[bytes]) -> tuple[Recorded, ...]:
    """Returns the events of a complete archive, checked while reading; raises `ArchiveRefused`."""
    lines_read: list[bytes] = []

    def reading() -> Iterator[bytes]:  # `archive_faults` stops at the first line if that is not a header
        for line in archive:
            lines_read.append(line)
            yield line

    if faults := list(archive_faults(reading())):
        raise ArchiveRefused("; ".join(faults))
    head = header(lines_read[0])
    if head.get("game") not in GAMES:
        raise UnknownArchive(f"{head.get('game')!r} is not hosted here")
    if type(head["rules_version"]) is not int:
        raise ArchiveRefused("`rules_version` is not a number")
    if (newest := GAMES[head["game"]].rules_version) < head["rules_version"]:
        raise UnknownArchive(f"version {head['rules_version']} of the rules is not known here, only up to {newest}")
    events = tuple(recorded_from(event_in(line, "event")) for line in lines_read[1:])
    if not events or any(set(event.envelope.secrets) != set(event.sealed) for event in events):
        raise NotCheckable("secrets are still closed: only the archive of a finished game can be imported")
    return events


class _Line(Envelope, frozen=True, gc=False):
    """An event's line in a complete archive: its payload has the secrets too, and the move stands beside it."""

    move: Any = msgspec.UNSET
    again: Any = msgspec.UNSET

    @property
    def beside(self) -> dict[str, Any]:
        """The secrets outside the payload that decisions come from."""
        return {name: value for name in ("move", "again") if (value := getattr(self, name)) is not msgspec.UNSET}


_line = msgspec.json.Decoder(_Line)


def read_columns(archive: Iterable[bytes]) -> Packed:
    """Returns the events of an archive in columns, its chain not checked; raises `ArchiveRefused`."""
    lines_read = iter(archive)
    try:
        header(next(lines_read, b""))
        rows = [_line.decode(line) for line in lines_read]
    except (ValueError, RecursionError) as error:
        raise ArchiveRefused(f"it is not the archive of a table: {error}") from None
    if not rows:
        raise ArchiveRefused("it has no events")
    return columns((row, row.payload, row.beside) for row in rows)


def read_history(archive: Iterable[bytes]) -> TableHistory:
    """Returns the table of a complete archive; raises `ArchiveRefused`."""
    events = read_archive(archive)
    try:
        table = fold(None, events)
    except UnknownSchema as unknown:
        raise UnknownArchive(str(unknown)) from None
    except FAULTS as error:
        raise ArchiveRefused(f"its events cannot be folded: {error}") from None
    if table is None or not table.over:
        raise NotCheckable("only the archive of a finished game can be imported")
    return TableHistory(events, table)


def replay_archive(
    history: TableHistory, options: Mapping[str, Any] | None = None, rerun: Rerun | None = None
) -> Report:
    """Replays the table of an archive; raises `ArchiveRefused` if that fails."""
    try:
        return replay(history, options, rerun)
    except FAULTS as error:
        raise ArchiveRefused(f"its decisions cannot be replayed: {error}") from None


OPTIONAL = {"now"}  # fields of an envelope that are omitted instead of null


def recorded_from(row: dict[str, Any]) -> Recorded:
    """Returns the event of a line of an archive, with its opened secrets; raises `ArchiveRefused`."""
    envelope = envelope_of(row)
    open_archive = row.get("opened", {})
    values = {name: row["payload"][name] if name in row["readers"] else row[name] for name in open_archive}
    sealed = {name: Seal(open_archive[name]["salt"], value) for name, value in values.items()}
    if set(envelope) | OPTIONAL != set(Envelope.__struct_fields__) or None in map(
        envelope.get, OPTIONAL & set(envelope)
    ):
        fields = ", ".join(Envelope.__struct_fields__)
        raise ArchiveRefused(f"version {row['version']}: the envelope must have the fields {fields}")
    try:
        typed = msgspec.convert(envelope, Envelope)
    except msgspec.ValidationError as error:
        raise ArchiveRefused(f"version {row['version']}: {error}") from None
    return Recorded(typed, canonical(envelope), sealed, bytes.fromhex(row["hash"]))
