"""Archived tables in a backup: it names their places; the archive itself is copied apart, as its files never change."""

from collections.abc import Iterator, Mapping

from events.archiving.objects import ArchiveUnavailable
from events.archiving.segments import SegmentRange, listing
from events.log import LogUnreadable
from events.store import RedisLog
from service.runtime.backup.records import TableCopy

BySegment = dict[str, dict[str, TableCopy]]  # by segment and table


def sort_in(by_segment: BySegment, copy: TableCopy) -> None:
    """Notes where a table lies, if it is archived."""
    if copy.place:
        by_segment.setdefault(SegmentRange.read(copy.place).segment, {})[copy.table] = copy


def archive_faults(log: RedisLog, by_segment: BySegment) -> Iterator[str]:
    """Whatever is not in the archive as the places say, by the lists of the segments."""
    for segment, copies in sorted(by_segment.items()):
        try:
            listed = {row.table: (row.version, row.hash, row.place(segment)) for row in listing(log.archive, segment)}
        except ArchiveUnavailable as error:  # nor will it answer of all others, each after a while
            yield f"{sum(map(len, by_segment.values()))} archived tables cannot be compared: {error}"
            return
        except LogUnreadable as error:
            yield f"{len(copies)} archived tables cannot be read: {error}"
            continue
        yield from _misplaced(segment, copies, listed)


def _misplaced(
    segment: str, copies: Mapping[str, TableCopy], listed: Mapping[str, tuple[int, str, SegmentRange]]
) -> Iterator[str]:
    for table, copy in sorted(copies.items()):
        if listed.get(table) != (copy.version, copy.hash.hex(), SegmentRange.read(copy.place)):
            yield f"{table}: segment {segment} of the archive does not hold it as its head says"
