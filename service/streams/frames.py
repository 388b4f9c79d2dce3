"""The frames of a table's events.

`id` is the version with the beginning of its hash: `Last-Event-ID` resumes without loss, and never on other events than
were told.
"""

import msgspec

from events.lifecycle import TEXTS
from events.recorded import Recorded
from projections.history import History, head_of
from projections.table import Table
from service.accounts.personal_texts import NOBODYS, Teller
from service.streams.follows import Follow
from service.tables.event_rows import event_row
from service.tables.viewing import Viewer, viewer_of

KEPT_FRAMES = 4096
RETRY = b": wintercount\nretry: 1000\n\n"  # how every stream begins
STILL_HERE = b": still here\n\n"


def end(reason: str) -> bytes:
    """The last frame: a stream that breaks off without it has not ended."""
    return b"event: end\ndata: %s\n\n" % msgspec.json.encode({"reason": reason})


LOST = end("log_damaged")  # the table does not have the events any more that were told


class Frames:
    """Frames are the same for all viewers of the same kind; they are made once and kept for a while.

    Frames with people's names or texts are not kept: the key may be erased.
    """

    def __init__(self) -> None:
        self._made: dict[tuple[bytes, Viewer, str | None], bytes] = {}

    def after(
        self, history: History, follow: Follow, after: int, tell: Teller = NOBODYS, upto: int | None = None
    ) -> bytes:
        """The frames of the events behind version `after`, up to another if one is named."""
        table = history.table
        viewer = viewer_of(table, follow.caller)
        made = (
            _event_frame(event, table, viewer, follow.language, tell)
            if event.envelope.type in TEXTS
            else self._frame(event, table, viewer, follow.language)
            for event in history.events[after:upto]
        )
        return b"".join(made)

    def _frame(self, event: Recorded, table: Table, viewer: Viewer, language: str | None) -> bytes:
        key = (event.hash, viewer, language)
        if (made := self._made.get(key)) is None:
            if len(self._made) >= KEPT_FRAMES:
                self._made.clear()
            made = self._made[key] = _event_frame(event, table, viewer, language)
        return made


def whole_stream(history: History, viewer: Viewer, after: int, language: str | None, tell: Teller) -> bytes:
    """The stream of a table that never changes, with its end."""
    frames = (_event_frame(event, history.table, viewer, language, tell) for event in history.events[after:])
    return b"".join([RETRY, *frames, end("table_closed")])


def _event_frame(event: Recorded, table: Table, viewer: Viewer, language: str | None, tell: Teller = NOBODYS) -> bytes:
    row, place = msgspec.json.encode(event_row(event, table, viewer, language, tell)), head_of(event).place
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (place.encode(), event.envelope.type.encode(), row)
