"""Time travel: what changed between two versions, which event last changed a place, when a condition came true.

All three speak of the document that `shown` gives for a version and a pair of eyes: what `GET /tables/{t}?at=` answers.
"""

from itertools import pairwise
from typing import Any

import jsonpatch
import msgspec
from jsonpointer import EndOfList, JsonPointer, JsonPointerException

from events.canonical import canonical
from events.recorded import Recorded, as_read
from projections.history import History
from projections.table import Table
from service.errors import Refused
from service.tables.reading import Eyes, shown

MOST_VERSIONS = 2000  # that one question may walk through


class _Missing:
    """What stands at a place that is not there."""


MISSING = _Missing()


def document(table: Table, eyes: Eyes) -> dict[str, Any]:
    """The table as JSON values, as it is answered: lists, which a patch looks into, not tuples."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(shown(table, eyes)))
    return found


def pointer(path: str) -> JsonPointer:
    """The JSON Pointer (RFC 6901) of a place; raises `Refused`."""
    try:
        return JsonPointer(path)
    except JsonPointerException as error:
        raise Refused("invalid", f"{path!r} is no JSON Pointer: {error}") from None


def value_at(document: dict[str, Any], place: JsonPointer) -> Any:
    """What stands at the place, or `MISSING`; behind the end of a list (`-`) nothing stands."""
    found = place.resolve(document, MISSING)
    return MISSING if isinstance(found, EndOfList) else found


def _same(value: Any, other: Any) -> bool:
    """Whether two JSON values are the same: 1 and true are not."""
    if MISSING in (value, other):
        return value is other
    return canonical(value) == canonical(other)


def difference(history: History, eyes: Eyes, first: int, last: int) -> list[dict[str, Any]]:
    """What changes from version `first` to `last`, a row an event: version, type, rules and a JSON Patch (RFC 6902).

    Applied one after the other, the patches lead from the document at `first` to that at `last`; backwards if `last`
    is the earlier one, the rows then naming the events that are undone.
    """
    low, high = check_versions(history, min(first, last), max(first, last))
    documents = [document(table, eyes) for table in history.walk(low, high)]
    steps = [(history.events[low + number], pair) for number, pair in enumerate(pairwise(documents))]
    if first <= last:
        return [_row(event, before, after) for event, (before, after) in steps]
    return [_row(event, after, before) for event, (before, after) in reversed(steps)]


def _row(event: Recorded, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return cause_of(event) | {"patch": jsonpatch.make_patch(before, after).patch}


def cause_of(event: Recorded) -> dict[str, Any]:
    """The event that caused a change, and the rules by which it did."""
    rules = event.envelope.payload.get("rules", [])
    return {"version": event.version, "type": event.envelope.type, "rules": list(rules)}


def blame(history: History, eyes: Eyes, path: str, at: int) -> dict[str, Any]:
    """The event that last changed a place of the document, as it is at version `at`; raises `Refused` if it is not."""
    place = pointer(path)
    low, high = check_versions(history, 1, at)
    changed, value = low, MISSING
    for table in history.walk(low, high):
        found = value_at(document(table, eyes), place)
        if not _same(found, value):
            changed, value = table.version, found
    if value is MISSING:
        raise Refused("no-such-place", f"at version {at} there is nothing at {path!r}")
    event = history.events[changed - 1]
    return cause_of(event) | {
        "path": path,
        "at": at,
        "value": value,
        "event": as_read(event, eyes.seat, over=eyes.over),
    }


def find(history: History, eyes: Eyes, path: str, value: Any, first: int) -> Table:
    """The table at the first version, from `first` on, at which the place holds the value; raises `Refused`."""
    place = pointer(path)
    low, high = check_versions(history, first, history.table.version)
    for table in history.walk(low, high):
        if _same(value_at(document(table, eyes), place), value):
            return table
    raise Refused("never-so", f"from version {first} on there is no version with that value at {path!r}")


def check_versions(history: History, first: int, last: int) -> tuple[int, int]:
    """The versions, if the table has them and they are not too many; raises `Refused`."""
    if not 1 <= first <= last <= history.table.version:
        raise Refused("no-such-version", f"the table has the versions 1 to {history.table.version}")
    if last - first > MOST_VERSIONS:
        raise Refused("invalid", f"ask about {MOST_VERSIONS} versions at once")
    return first, last
