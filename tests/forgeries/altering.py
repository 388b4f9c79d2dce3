"""Every way to alter a field: another value, another type, nonsense, gone, one more, or one that may be there."""

import copy
import hashlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from events.verify import GENESIS, canonical, envelope_of

Path = tuple[str | int, ...]
Row = dict[str, Any]

GONE = "- gone -"  # a text, so that it is the same in every process
DEEPEST = 4  # names on the way to a field
NONSENSE = {"no": [1, "sense"]}


class Alteration(NamedTuple):
    """What is done to a field of an event: `way` says how, `value` what stands there afterwards."""

    version: int
    type: str
    path: Path
    way: str
    value: Any

    @property
    def field(self) -> str:
        """The field by its names, items of lists without their number."""
        return ".".join("*" if isinstance(name, int) else name for name in self.path)

    @property
    def name(self) -> str:
        """What is altered, in words."""
        return f"{self.type} {self.field} {self.way}"


def alterations(row: Row, others: list[Row]) -> Iterator[Alteration]:
    """All of an event; `others` of its type tell which other values its fields may have."""
    for path in _paths({name: value for name, value in row.items() if name not in ("hash", "opened")}):
        seen: list[Any] = []
        for way, value in _values(row, path, others):
            if value == GONE or (canonical(value) != canonical(_at(row, path)) and value not in seen):
                seen.append(value)
                yield Alteration(row["version"], row["type"], path, way, value)


def _paths(value: Any, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    if len(path) < DEEPEST and isinstance(value, dict):
        for name in value:
            yield from _paths(value[name], (*path, name))
    elif len(path) < DEEPEST and isinstance(value, list) and value:
        yield from _paths(value[0], (*path, 0))


def _at(row: Any, path: Path) -> Any:
    for name in path:
        row = row[name]
    return row


def _values(row: Row, path: Path, others: list[Row]) -> Iterator[tuple[str, Any]]:
    value = _at(row, path)
    yield "is gone", GONE
    yield "is nonsense", NONSENSE
    yield "is null", None
    yield from _of_another_type(value)
    yield from _neighbours(value)
    for other in others:
        try:
            yield "is another's", _at(other, path)
        except (KeyError, IndexError, TypeError):
            continue


def _of_another_type(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, int):
        yield "is a text", str(value)
        yield "is a number", float(value)
        yield "is a truth", bool(value)
    elif isinstance(value, str):
        yield "is a number", 1
    elif value is None:
        yield "is a text", "x"
    yield "is a list", [value]


def _neighbours(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, bool):
        yield "is the other", not value
    elif isinstance(value, int):
        yield from (("is more", value + 1), ("is less", value - 1), ("is negative", -value))
    elif isinstance(value, str):
        yield from (("is empty", ""), ("is another", _other_text(value)), ("is upper case", value.upper()))
    elif isinstance(value, dict):
        yield "has more", value | {"more": 1}
    elif isinstance(value, list):
        yield from (("has more", [*value, *value[-1:]]), ("has less", value[:-1]), ("is turned", value[::-1]))


def _other_text(text: str) -> str:
    """One that differs in its last letter or digit that may well be another."""
    if not text:
        return "x"
    at = max((n for n, letter in enumerate(text) if letter.isdigit()), default=len(text) - 1)
    return text[:at] + ("1" if text[at] != "1" else "2") + text[at + 1 :]


def altered(archive: tuple[bytes, ...], alteration: Alteration) -> tuple[bytes, ...]:
    """The archive with the alteration, its secrets committed to anew, every hash and the header made to fit."""
    rows = [json.loads(line) for line in archive[1:]]
    row = rows[alteration.version - 1]
    _alter(row, alteration)
    _seal_anew(row, alteration)
    return _hashed(json.loads(archive[0]), rows)


def _alter(row: Row, alteration: Alteration) -> None:
    *way, last = alteration.path
    holder = _at(row, tuple(way))
    if alteration.value == GONE:
        del holder[last]
    else:
        holder[last] = copy.deepcopy(alteration.value)


def _seal_anew(row: Row, alteration: Alteration) -> None:
    """A secret that was altered gets another commitment; one that is gone loses it, and its salt."""
    within = alteration.path[0] == "payload" and len(alteration.path) > 1
    name = str(alteration.path[1] if within else alteration.path[0])
    if name not in row["opened"] or not isinstance(row.get("secrets"), dict):
        return
    if alteration.value == GONE and len(alteration.path) <= 2:
        del row["opened"][name], row["secrets"][name]
        if isinstance(row.get("readers"), dict):
            row["readers"].pop(name, None)
        return
    value = row["payload"].get(name) if name in row["readers"] else row.get(name)
    salt = bytes.fromhex(row["opened"][name]["salt"])
    row["secrets"][name] = hashlib.sha256(salt + canonical(value)).hexdigest()


def _hashed(header: Row, rows: list[Row]) -> tuple[bytes, ...]:
    previous = GENESIS
    for number, row in enumerate(rows, 1):
        try:
            envelope = canonical(envelope_of(row))
        except (AttributeError, KeyError, TypeError):  # then nobody can hash it as it should be
            envelope = b""
        previous = hashlib.sha256(previous + number.to_bytes(8, "big") + envelope).digest()
        row["hash"] = previous.hex()
    opened = rows[0].get("payload")
    told = {n: opened.get(n) for n in ("game", "rules_version")} if isinstance(opened, dict) else {}
    header |= {"events": len(rows), "head": previous.hex(), "table": rows[0].get("table"), **told}
    return tuple(canonical(value) + b"\n" for value in (header, *rows))
