"""What changes between two documents, as a JSON Patch (RFC 6902).

The documents are read as they are: what is alike is passed over before anything of it becomes JSON.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

Operation = dict[str, Any]


def patch(before: Any, after: Any) -> list[Operation]:
    """The operations that turn one document into the other, in the order in which they are applied."""
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
    """Whether two values are certainly the same: 1 and true compare equal within mappings and lists, but differ.

    The fields of one class have one type, so of its objects the comparison is to be trusted.
    """
    if one is other:
        return True
    if type(one) is not type(other) or isinstance(one, (dict, list, tuple)):
        return False
    return bool(one == other)


def opened(value: Any) -> Any:
    """An object as the mapping that it is in JSON, its fields unchanged; anything else unchanged."""
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
    """Removed or inserted items one by one; if a list has both, place by place, then its end."""
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
    """The places of what the longer list has besides the items of the shorter one; None if it has not all of them."""
    found, met = [], 0
    for number, item in enumerate(longer):
        if met < len(shorter) and _alike(item, shorter[met]):
            met += 1
        else:
            found.append(number)
    return found if met == len(shorter) else None


def _operation(name: str, path: str, *value: Any) -> Operation:
    """With a value as JSON has it, where there is one."""
    operation = {"op": name, "path": path}
    return operation | {"value": msgspec.json.decode(msgspec.json.encode(value[0]))} if value else operation


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
