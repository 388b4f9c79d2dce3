"""A table as a line of a dump: who sat there and how it ended, and its whole record as an archive has it."""

import msgspec

from events.canonical import canonical
from events.lifecycle import TEXTS
from projections.history import History
from projections.lobby import row_of
from rulings.archive_file import lines

KEPT = ("table", "game", "options", "winners")
OF_THE_RESULT = ("ended_at", "moves", "places", "points", "left", "disputed", "corrected", "rated")
OF_A_SEAT = ("seat", "player", "bot", "level")


class LeftOut(Exception):
    """A table that no dump has, and why: `branch`, `lesson`, `without_result` or `names_in_plain`."""


def line_of(history: History, imported: bool | None) -> bytes:
    """The line of a finished table; raises `LeftOut`.

    `imported` tells whether an operator has taken it in from elsewhere, which no record can tell; None: it is not told.
    """
    check(history)
    row = row_of(history.table)
    found = {name: row[name] for name in KEPT} | {name: row["result"][name] for name in OF_THE_RESULT}
    found["seats"] = [{name: seat[name] for name in OF_A_SEAT} for seat in row["seats"]]
    told = {} if imported is None else {"imported": imported}
    return canonical(found | told | {"record": _record(history)}) + b"\n"


def _record(history: History) -> list[msgspec.Raw]:
    return [msgspec.Raw(line.removesuffix(b"\n")) for line in lines(history, None, over=True)]


def check(history: History) -> None:
    """Raises `LeftOut` for what is no game of its own, and for a record that could never forget a name."""
    table = history.table
    reasons = {
        "branch": table.fork is not None,
        "lesson": table.lesson,
        "without_result": not table.over,
        "names_in_plain": tells_names(history),
    }
    for reason, holds in reasons.items():
        if holds:
            raise LeftOut(reason)


def tells_names(history: History) -> bool:
    """Whether names or texts stand in the record as they were written, as those of earlier releases do."""
    texts = (event.payload.get(TEXTS[event.envelope.type]) for event in history.events if event.envelope.type in TEXTS)
    return any(isinstance(text, str) for text in texts)


def record_in(line: bytes) -> list[bytes]:
    """The archive that a line of a dump holds, line by line; raises `ValueError` for any other line."""
    value = msgspec.json.decode(line)
    if not isinstance(value, dict) or not isinstance(value.get("record"), list) or canonical(value) + b"\n" != line:
        raise ValueError("it is not the canonical JSON of an object with a `record`")
    return [canonical(one) + b"\n" for one in value["record"]]


def imported_in(line: bytes) -> bool | None:
    """Whether a line says that its table was imported; None if it does not say, as those of earlier releases."""
    found = msgspec.json.decode(line).get("imported")
    return found if isinstance(found, bool) else None


def game_in(line: bytes) -> str:
    """The game that a line tells of."""
    return str(msgspec.json.decode(line).get("game"))
