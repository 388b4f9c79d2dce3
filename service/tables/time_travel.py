"""Time travel: the table at a version; what changed between two, which event changed a place, when it had a value.

The last three compare documents of `present_table`, as `GET /tables/{t}?at=` answers them. One question walks through a
bounded number of versions; `next` in the answer says where the next question continues.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec
from jsonpointer import JsonPointer, JsonPointerException

from events.canonical import canonical
from events.envelopes import Recorded
from projections.history import TableHistory
from projections.table import Table
from service.accounts.shown_names import PLAIN, Names, Presenter
from service.errors import Refused
from service.tables.authorisation import Viewer
from service.tables.table_documents import SAT, event_row, present_table

Operation = dict[str, Any]


def check_version(history: TableHistory, version: int) -> None:
    """Raises `Refused` if the table has no such version."""
    if not 1 <= version <= history.table.version:
        raise Refused("no_such_version", f"the table has the versions 1 to {history.table.version}")


def event_at(history: TableHistory, version: int) -> Recorded:
    """Returns the event with this version; raises `Refused` if there is none."""
    check_version(history, version)
    return history.events[version - 1]


def table_at(history: TableHistory, version: int | None, time: str | None) -> Table:
    """Returns the table at a version or a time (as `events.times.stamp` writes it), by default now."""
    if time is not None:
        version = history.version_at(time)
        if version == 0:
            raise Refused("no_such_version", f"the table was opened at {history.events[0].envelope.at}")
    if version is None:
        return history.table
    check_version(history, version)
    return history.at(version)


def settled_at(history: TableHistory, version: int) -> Table:
    """Returns the table at a version, or before the move that led to its event; raises `Refused`."""
    check_version(history, version)
    return history.settled(version)


def patch(before: Any, after: Any) -> list[Operation]:
    """Returns the operations that turn one document into the other, in the order to apply them."""
    return list(_changes(before, after, ""))


def _changes(before: Any, after: Any, path: str) -> Iterator[Operation]:
    was, now = opened(before), opened(after)
    if isinstance(was, dict) and isinstance(now, dict):
        yield from _members(was, now, path)
    elif isinstance(was, (list, tuple)) and isinstance(now, (list, tuple)):
        yield from _items(was, now, path)
    elif not _alike(was, now):
        yield _operation("replace", path, after)


def _alike(one: Any, other: Any) -> bool:
    """Whether two values are certainly the same. Mappings and lists are not: in these 1 and true compare equal."""
    if one is other:
        return True
    if type(one) is not type(other) or isinstance(one, (dict, list, tuple)):
        return False
    return bool(one == other)


def opened(value: Any) -> Any:
    """Returns an object as the mapping that it is in JSON, and any other value unchanged."""
    if isinstance(value, msgspec.Struct):
        return {name: field for name, field in msgspec.structs.asdict(value).items() if field is not msgspec.UNSET}
    if isinstance(value, dict) and not isinstance(next(iter(value), ""), str):
        return {str(name): field for name, field in value.items()}  # JSON has no other names
    return value


def _members(was: dict[str, Any], now: dict[str, Any], path: str) -> Iterator[Operation]:
    yield from (_operation("remove", f"{path}/{_escaped(name)}") for name in was if name not in now)
    for name, value in now.items():
        if name not in was:
            yield _operation("add", f"{path}/{_escaped(name)}", value)
        elif not _alike(was[name], value):
            yield from _changes(was[name], value, f"{path}/{_escaped(name)}")


def _items(was: Sequence[Any], now: Sequence[Any], path: str) -> Iterator[Operation]:
    """Yields removed or inserted items one by one; if a list has both, it yields place by place, then the end."""
    if len(was) > len(now) and (gone := _besides(was, now)) is not None:
        yield from (_operation("remove", f"{path}/{number}") for number in reversed(gone))
    elif len(was) < len(now) and (come := _besides(now, was)) is not None:
        yield from (_operation("add", f"{path}/{number}", now[number]) for number in come)
    else:
        yield from _places(was, now, path)


def _places(was: Sequence[Any], now: Sequence[Any], path: str) -> Iterator[Operation]:
    for number, (one, other) in enumerate(zip(was, now, strict=False)):
        if not _alike(one, other):
            yield from _changes(one, other, f"{path}/{number}")
    yield from (_operation("remove", f"{path}/{number}") for number in range(len(was) - 1, len(now) - 1, -1))
    yield from (_operation("add", f"{path}/{number}", now[number]) for number in range(len(was), len(now)))


def _besides(longer: Sequence[Any], shorter: Sequence[Any]) -> list[int] | None:
    """Returns the places of the items that only the longer list has; None if the shorter one has others too."""
    found, met = [], 0
    for number, item in enumerate(longer):
        if met < len(shorter) and _alike(item, shorter[met]):
            met += 1
        else:
            found.append(number)
    return found if met == len(shorter) else None


def _operation(name: str, path: str, *value: Any) -> Operation:
    operation = {"op": name, "path": path}
    return operation | {"value": msgspec.json.decode(msgspec.json.encode(value[0]))} if value else operation


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


MOST_WALKED = 500  # versions in one question
MOST_CHANGES = 100  # versions in one difference
MOST_BYTES = 256 * 1024  # of patches, after which a difference ends
INDEX = re.compile("0|[1-9][0-9]*")  # of a list, as RFC 6901 writes it
MISSING = object()  # the value of a place that does not exist


class Difference(NamedTuple):
    """The changes, one row for each event; `next` is the version from which to continue, None at the end."""

    changes: list[dict[str, Any]]
    next: int | None


def pointer(path: str) -> JsonPointer:
    """Returns the JSON Pointer (RFC 6901) of a place; raises `Refused`."""
    try:
        return JsonPointer(path)
    except JsonPointerException as error:
        raise Refused("invalid", f"{path!r} is not a JSON Pointer: {error}") from None


def value_at(document: Any, place: JsonPointer) -> Any:
    """Returns the value at a place, or `MISSING`."""
    for part in place.parts:
        document = opened(document)
        if isinstance(document, dict):
            document = document.get(part, MISSING)
        elif isinstance(document, (list, tuple)) and INDEX.fullmatch(part) and int(part) < len(document):
            document = document[int(part)]
        else:
            return MISSING
    return document


def _same(value: Any, other: Any) -> bool:
    """Whether two values are the same JSON: 1 and true are not."""
    if value is MISSING or other is MISSING:
        return value is other
    return canonical(value) == canonical(other)


def names_in(history: TableHistory, presenter: Presenter) -> Names:
    """Returns the names of all players who ever sat at a table."""
    return presenter.names_of(event.writer for event in history.events if event.envelope.type == SAT)


def difference(
    history: TableHistory, viewer: Viewer, first: int, last: int, presenter: Presenter = PLAIN
) -> Difference:
    """Returns the changes from version `first` to `last`, for each event its version, type, rules and JSON Patch.

    Applied in order, the patches (RFC 6902) lead from the document at `first` to that at `last`, which may be earlier.
    """
    check_version(history, first)
    check_version(history, last)
    rows, told, size = _rows(history, viewer, first, last, names_in(history, presenter)), [], 0
    for row in rows:
        told.append(row)
        size += len(msgspec.json.encode(row))
        if size > MOST_BYTES:
            break
    reached = first + len(told) if first <= last else first - len(told)
    return Difference(told, None if reached == last else reached)


def _rows(history: TableHistory, viewer: Viewer, first: int, last: int, names: Names) -> Iterator[dict[str, Any]]:
    if first <= last:
        tables = history.walk(first, min(last, first + MOST_CHANGES))
    else:
        tables = history.walk_back(first, max(last, first - MOST_CHANGES))
    events = iter(history.events[first:last] if first <= last else history.events[last:first][::-1])
    for before, after in pairwise(present_table(table, viewer, names) for table in tables):
        yield cause_of(next(events)) | {"patch": patch(before, after)}


def cause_of(event: Recorded | None) -> dict[str, Any]:
    """Returns the event that caused a change and its rules; nulls for an unknown event."""
    if event is None:
        return {"version": None, "type": None, "rules": []}
    rules = event.envelope.payload.get("rules", [])
    return {"version": event.version, "type": event.envelope.type, "rules": list(rules)}


def blame(history: TableHistory, viewer: Viewer, path: str, at: int, presenter: Presenter = PLAIN) -> dict[str, Any]:
    """Returns the event that last changed a place of the document before version `at`; raises `Refused`."""
    check_version(history, at)
    place, names = pointer(path), names_in(history, presenter)
    value = value_at(present_table(history.at(at), viewer, names), place)
    if value is MISSING:
        raise Refused("no_such_place", f"at version {at} there is nothing at {path!r}")
    changed = _unchanged_since(history, viewer, place, at, names)
    event = None if changed is None else history.events[changed - 1]
    return cause_of(event) | {
        "path": path,
        "at": at,
        "value": value,
        "event": event_row(event, history.table, viewer, presenter=presenter) if event else None,
        "next": None if event else max(1, at - MOST_WALKED),
    }


def _unchanged_since(history: TableHistory, viewer: Viewer, place: JsonPointer, at: int, names: Names) -> int | None:
    """Returns the version since which the place has the value that it has at `at`; None if that is too long ago."""
    end = max(1, at - MOST_WALKED)
    values = (
        (table.version, value_at(present_table(table, viewer, names), place)) for table in history.walk_back(at, end)
    )
    for (version, value), (_, before) in pairwise(values):
        if not _same(value, before):
            return version
    return 1 if end == 1 else None


def find(  # noqa: PLR0913 - a value, a place, a viewer
    history: TableHistory, viewer: Viewer, path: str, value: Any, first: int, *, presenter: Presenter = PLAIN
) -> tuple[Table | None, int | None]:
    """Returns the table at the first version, from `first` on, at which the place has the value; raises `Refused`.

    Without one, returns the version from which to look further.
    """
    check_version(history, first)
    place, names = pointer(path), names_in(history, presenter)
    end = min(history.table.version, first + MOST_WALKED - 1)
    for table in history.walk(first, end):
        if _same(value_at(present_table(table, viewer, names), place), value):
            return table, None
    if end == history.table.version:
        raise Refused("never_so", f"no version from {first} on has that value at {path!r}")
    return None, end + 1
