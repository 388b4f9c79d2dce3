"""Where the tables of a partition stand where its feed is cut off, by what the feed tells."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from events.archiving import feeds
from events.log import Pointer
from service.runtime.backup.records import DueCopy


class CopiedUpTo(NamedTuple):
    """Up to where a table is copied: a version and, where the feed tells it, the hash of the event there."""

    version: int
    hash: bytes


def archived_up_to(cut: DueCopy) -> int:
    """The last position of a feed that was archived when it was cut off."""
    return feeds.first_of(len(cut.parts)) - 1


def places_told(pages: Iterable[Sequence[Pointer]]) -> dict[str, CopiedUpTo]:
    """Where tables stand by the last pointer of each."""
    return {told.table: CopiedUpTo(told.last, told.hash) for page in pages for told in page}
