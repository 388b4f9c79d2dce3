"""The frames of a table's events.

`id` is the version with the beginning of its hash: `Last-Event-ID` resumes without loss, and never on other events than
were told.
"""

import msgspec

from events.recorded import Recorded
from projections.history import History, head_of
from projections.table import Table
from service.accounts.names import PLAIN, Presenter
from service.streams.follows import Follow
from service.tables.event_rows import OF_PEOPLE, event_row
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

    Frames with people's names or texts are not kept: these may change.
    """

    def __init__(self) -> None:
        self._made: dict[tuple[bytes, Viewer, str | None], bytes] = {}

    def after(
        self, history: History, follow: Follow, after: int, presenter: Presenter = PLAIN, upto: int | None = None
    ) -> bytes:
        """The frames of the events behind version `after`, up to another if one is named."""
        table = history.table
        viewer = viewer_of(table, follow.caller)
        made = (
            _event_frame(event, table, viewer, follow.language, presenter)
            if event.envelope.type in OF_PEOPLE
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


def whole_stream(history: History, viewer: Viewer, after: int, language: str | None, presenter: Presenter) -> bytes:
    """The stream of a table that never changes, with its end."""
    frames = (_event_frame(event, history.table, viewer, language, presenter) for event in history.events[after:])
    return b"".join([RETRY, *frames, end("table_closed")])


def _event_frame(
    event: Recorded, table: Table, viewer: Viewer, language: str | None, presenter: Presenter = PLAIN
) -> bytes:
    row, place = msgspec.json.encode(event_row(event, table, viewer, language, presenter)), head_of(event).place
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (place.encode(), event.envelope.type.encode(), row)
