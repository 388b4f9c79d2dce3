"""The archive as a source: what its segments list, whether or not the store still names them."""

from collections.abc import Collection, Iterator

from events.archiving import segments
from events.archiving.objects import ArchiveUnavailable, Objects
from events.archiving.segments import SegmentRange
from events.log import LogUnreadable
from events.recorded import Head
from service.runtime.recovery.holdings import Copy
from service.runtime.recovery.packed import Unread


class Archive:
    """The archive: all segments that are there, also such as the store does not name any more."""

    claimed = False

    def __init__(self, objects: Objects) -> None:
        self.name, self._objects = "the archive", objects
        self._places: dict[str, dict[Head, SegmentRange]] = {}  # several histories, where the store went back
        self.faults: list[str] = []

    def heads(self) -> Iterator[tuple[str, Head]]:
        """The tables that the segments list; a segment that cannot be read is noted."""
        for path in self._paths():
            yield from self._listed(path.rpartition("/")[2].removesuffix(".segment"))

    def _paths(self) -> list[str]:
        try:
            return self._objects.names("tables")
        except ArchiveUnavailable as error:
            raise Unread(str(error)) from None

    def _listed(self, segment: str) -> Iterator[tuple[str, Head]]:
        try:
            listed = segments.listing(self._objects, segment)
        except LogUnreadable as damage:
            self.faults.append(str(damage))
            return
        except ArchiveUnavailable as silence:
            self._paths()  # where it does not answer at all, each further one would be waited for
            self.faults.append(f"segment {segment}: {silence}")
            return
        for row in listed:
            head = Head(row.version, bytes.fromhex(row.hash))
            self._places.setdefault(row.table, {})[head] = row.place(segment)
            yield row.table, head

    def copies(self, tables: Collection[str]) -> Iterator[Copy]:
        """The tables, unpacked; their requests are not kept there."""
        for table in sorted(self._places.keys() & set(tables)):
            places = self._places[table].values()
            for place in places:
                yield self._copy(table, place, f"segment {place.segment}" if len(places) > 1 else "")

    def _copy(self, table: str, place: SegmentRange, part: str) -> Copy:
        try:
            return Copy(table, segments.events_at(self._objects, table, place), part=part)
        except (LogUnreadable, ArchiveUnavailable) as damage:
            return Copy(table, fault=str(damage), part=part)
