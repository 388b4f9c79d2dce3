"""Checks a table's events, from the API or from an archive, with Python's standard library alone.

    python verify.py [--chain] ARCHIVE

Each event's hash covers the hash before it, its version and its public envelope; each opened secret must fit the
commitment that the envelope holds; a batch is whole; times do not run backwards. The form of an archive is described
in docs/archive.md. This file needs nothing but itself: copy it wherever an archive is to be checked.

It knows no game, so it cannot decide anything again: who alters an archive and hashes it anew from there on is not
found here. The exit status is that of `wintercount verify`: 1 for a fault, 2 if something could not be checked, which
is so whenever there is no fault, and 0 if all that was asked for holds: with `--chain` that is the chain and the seals.
"""

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from io import BufferedIOBase
from typing import Any

FORMAT, FORMAT_VERSION = "wintercount-archive", 1
GENESIS = bytes(32)
HOLDS, FAULT, UNCHECKED = 0, 1, 2  # the exit status
TOLD = ("game", "texts", "used_ms", "words")  # what the API adds to an event, and no archive has
BESIDE = ("hash", "opened", *TOLD)  # what is added to the envelope for its reader
HEADER = ("format", "format_version", "table", "game", "rules_version", "events", "head")
HELD = "the chain holds: every event fits its hash, and every opened secret its commitment"
NOT_CHECKED = "not checked: luck, decisions, and who may have done what; `wintercount verify` decides them again"
MOST_BYTES = 2 * 1024 * 1024  # of a line
NO_ARCHIVE = (
    "this is no archive of a table; `wintercount export TABLE FILE` and GET /v1/tables/{table}/archive make one"
)


class Unreadable(ValueError):
    """A line that is not a JSON object, or an archive of an unknown form."""


# What was read from JSON holds nothing of itself, so no circle is looked for.
_encoder = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
)


def canonical(value: Any) -> bytes:
    """Canonical JSON: sorted names, no white space, UTF-8 unescaped."""
    return _encoder.encode(value).encode()


def digest_of(text: Any) -> bytes:
    """The bytes of a hash, which is written as 64 lower-case hexadecimal digits; raises `ValueError` otherwise."""
    return _from_hex(text, 32)


def _from_hex(text: Any, size: int) -> bytes:
    value = bytes.fromhex(text)
    if len(value) != size or value.hex() != text:
        raise ValueError(f"no {2 * size} lower-case hexadecimal digits")
    return value


def envelope_of(event: dict[str, Any]) -> dict[str, Any]:
    """The public envelope: the event without what was added for the reader."""
    opened, envelope = event.get("opened", {}), event.copy()
    for name in (*BESIDE, *opened):
        envelope.pop(name, None)
    hidden = set(opened) & set(event["readers"])
    return envelope | {"payload": {name: value for name, value in event["payload"].items() if name not in hidden}}


def faults(events: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The faults of a table's events, from version 1 on, each with its version."""
    previous, expected, table, at, batch = GENESIS, 1, None, "", [1, 0]
    for event in events:
        try:
            found = list(_faults_of(event, expected, previous))
            if event["batch"] != batch and (batch[1] >= expected or event["batch"][0] != expected):
                found.append(f"version {expected}: a batch is torn")
            if table not in (None, event["table"]):
                found.append(f"version {expected}: it belongs to another table")
            if event["at"] < at:
                found.append(f"version {expected}: it is earlier than the event before")
        except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
            found = [f"version {expected}: it is no event ({type(error).__name__})"]
        if found:
            yield from found
            return
        previous, expected = digest_of(event["hash"]), expected + 1
        table, at, batch = event["table"], event["at"], event["batch"]


def _faults_of(event: dict[str, Any], expected: int, previous: bytes) -> Iterator[str]:
    version = event["version"]
    if type(version) is not int or version != expected:
        yield f"version {expected}: missing or out of order"
        return
    digest = hashlib.sha256(previous + version.to_bytes(8, "big") + canonical(envelope_of(event))).digest()
    if digest != digest_of(event["hash"]):
        yield f"version {version}: the hash does not fit the event"
    first, last = event["batch"]
    if not first <= version <= last:
        yield f"version {version}: it does not lie in its batch"
    if "now" in event and not event["now"] < event["at"]:
        yield f"version {version}: the machine's time is told although the table's is not ahead of it"
    yield from _broken_seals(event)


def _broken_seals(event: dict[str, Any]) -> Iterator[str]:
    for commitment in event["secrets"].values():
        digest_of(commitment)
    for name, seal in event.get("opened", {}).items():
        value = event["payload"].get(name) if name in event["readers"] else event.get(name)
        salt = _from_hex(seal["salt"], 16)
        digest = hashlib.sha256(salt + canonical(value)).digest()
        if name not in event["secrets"] or digest != digest_of(event["secrets"][name]) or list(seal) != ["salt"]:
            yield f"version {event['version']}: `{name}` does not fit its commitment"


def archive_faults(lines: Iterable[bytes]) -> Iterator[str]:
    """The faults of an archive, each with its version; none if it is right."""
    found = iter(lines)
    try:
        head = header(next(found, b""))
        count, last = 0, {}

        def events() -> Iterator[dict[str, Any]]:
            nonlocal count, last
            for line in found:
                last = event_in(line, f"version {count + 1}")
                if count == 0:
                    check_opening(head, last)
                count += 1
                yield last

        broken = list(faults(events()))
    except Unreadable as error:
        yield str(error)
        return
    yield from broken
    if not broken:
        yield from _ends_otherwise(head, count, last)


def _ends_otherwise(head: dict[str, Any], count: int, last: dict[str, Any]) -> Iterator[str]:
    if type(head["events"]) is not int or count != head["events"]:
        yield f"version {count + 1}: the header tells of {head['events']} events, the archive holds {count}"
    elif count and digest_of(last["hash"]) != _head_of(head):
        yield f"version {count}: its hash is not the head that the header tells"
    elif count and last["batch"][1] != count:
        yield f"version {count + 1}: the last batch is torn"


def _head_of(head: dict[str, Any]) -> bytes | None:
    try:
        return digest_of(head["head"])
    except (TypeError, ValueError):
        return None


def check_opening(head: dict[str, Any], event: dict[str, Any]) -> None:
    """Raises `Unreadable` if the first event opens another table than the header tells of."""
    opened = event.get("payload", {})
    told = {name: opened.get(name) for name in ("game", "rules_version")} if isinstance(opened, dict) else {}
    if event.get("table") != head["table"] or told != {name: head[name] for name in ("game", "rules_version")}:
        raise Unreadable("version 1: the header tells of another table, game or version of the rules")


def header(line: bytes) -> dict[str, Any]:
    """The first line of an archive; raises `Unreadable` for an unknown form."""
    head = parse(line, "header") if FORMAT.encode() in line else {}  # a file of another kind is told as one
    if head.get("format") != FORMAT:
        raise Unreadable(f"header: {NO_ARCHIVE}")
    told = head.get("format_version")
    if type(told) is not int or told != FORMAT_VERSION:  # 1.0 and true are equal to 1, and other bytes
        raise Unreadable(f"header: the archive is of format {told!r}, this reads {FORMAT_VERSION}")
    if sorted(head) != sorted(HEADER):
        raise Unreadable(f"header: its fields are {', '.join(HEADER)}")
    return head


def parse(line: bytes, what: str) -> dict[str, Any]:
    """The JSON object of a line; raises `Unreadable`, naming `what` it should have been."""
    if len(line) > MOST_BYTES:
        raise Unreadable(f"{what}: the line is longer than {MOST_BYTES} bytes")
    try:
        value = json.loads(line.decode("utf-8", "surrogatepass") if line[:2] == b'{"' else line)  # no need to guess
        same = canonical(value) + b"\n" == line  # so a name cannot occur twice either
    except (ValueError, RecursionError):  # JSON and UTF-8 errors are ValueErrors
        raise Unreadable(f"{what}: the line is no JSON object") from None
    if not same or not isinstance(value, dict):
        raise Unreadable(f"{what}: the line is not the canonical JSON of an object")
    return value


def event_in(line: bytes, what: str) -> dict[str, Any]:
    """The event of a line of an archive; raises `Unreadable`."""
    event = parse(line, what)
    if added := [name for name in TOLD if name in event]:
        raise Unreadable(f"{what}: `{added[0]}` is told along by the API, and is nothing of the record")
    return event


def lines_of(archive: BufferedIOBase) -> Iterator[bytes]:
    """The lines of a file; none is read further than a line may be long."""
    return iter(lambda: archive.readline(MOST_BYTES + 1), b"")


def main(words: list[str]) -> int:
    """Checks an archive and prints the verdict and what it does not cover; returns the exit status."""
    chain_alone, paths = "--chain" in words, [word for word in words if word != "--chain"]
    if len(paths) != 1:
        sys.stderr.write("python verify.py [--chain] ARCHIVE\n")
        return UNCHECKED
    with open(paths[0], "rb") as archive:
        found = list(archive_faults(lines_of(archive)))
    lines = found or [HELD] + ([] if chain_alone else [NOT_CHECKED])
    sys.stdout.write("\n".join(lines) + "\n")
    return FAULT if found else HOLDS if chain_alone else UNCHECKED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
