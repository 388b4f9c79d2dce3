"""Checks a table's events, from the API or from an archive, with nothing but Python's standard library.

    python verify.py [--chain] ARCHIVE

Each event's hash must cover the previous hash, its version and its public envelope; each opened secret must match its
commitment in the envelope; batches must be complete; times must not decrease. docs/archive.md describes the format.
This file is self-contained: copy it to wherever you want to check an archive.

It knows no game, so it cannot repeat decisions: it does not detect an archive that was altered and then hashed again
from there on. The exit status is that of `wintercount verify`: 1 for a fault; 0 with `--chain` if the chain and the
seals hold; otherwise 2, because luck and decisions were not checked.
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
API_FIELDS = ("game", "texts", "used_ms", "words")  # added to events by the API, never in an archive
ADDED = ("hash", "opened", *API_FIELDS)  # the fields of an event that are not in its envelope
HEADER = ("format", "format_version", "table", "game", "rules_version", "events", "head")
HELD = "the chain holds: every event matches its hash, and every opened secret its commitment"
NOT_CHECKED = "not checked: luck, decisions and permissions; `wintercount verify` repeats them"
MOST_BYTES = 2 * 1024 * 1024  # of a line
NO_ARCHIVE = (
    "this is not the archive of a table; `wintercount export TABLE FILE` and GET /v1/tables/{table}/archive make one"
)


class Unreadable(ValueError):
    """A line is not a JSON object, or the archive has an unknown format."""


# Values that were read from JSON contain no cycles.
_encoder = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
)


def canonical(value: Any) -> bytes:
    """Returns canonical JSON: sorted names, no white space, UTF-8 unescaped."""
    return _encoder.encode(value).encode()


def digest_of(text: Any) -> bytes:
    """Returns the bytes of a hash, written as 64 lower-case hexadecimal digits; raises `ValueError`."""
    return _from_hex(text, 32)


def _from_hex(text: Any, size: int) -> bytes:
    value = bytes.fromhex(text)
    if len(value) != size or value.hex() != text:
        raise ValueError(f"not {2 * size} lower-case hexadecimal digits")
    return value


def envelope_of(event: dict[str, Any]) -> dict[str, Any]:
    """Returns the public envelope: the event without the fields that were added for its reader."""
    opened, envelope = event.get("opened", {}), event.copy()
    for name in (*ADDED, *opened):
        envelope.pop(name, None)
    hidden = set(opened) & set(event["readers"])
    return envelope | {"payload": {name: value for name, value in event["payload"].items() if name not in hidden}}


def faults(events: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yields the faults of a table's events, which start at version 1; each names its version."""
    previous, expected, table, at, batch = GENESIS, 1, None, "", [1, 0]
    for event in events:
        try:
            found = list(_faults_of(event, expected, previous))
            if event["batch"] != batch and (batch[1] >= expected or event["batch"][0] != expected):
                found.append(f"version {expected}: the previous batch is incomplete")
            if table not in (None, event["table"]):
                found.append(f"version {expected}: the event belongs to another table")
            if event["at"] < at:
                found.append(f"version {expected}: the event is earlier than the previous one")
        except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
            found = [f"version {expected}: not a valid event ({type(error).__name__})"]
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
        yield f"version {version}: the hash does not match the event"
    first, last = event["batch"]
    if not first <= version <= last:
        yield f"version {version}: the event is outside its batch"
    if "now" in event and not event["now"] < event["at"]:
        yield f"version {version}: the machine's time is given although the table's is not ahead of it"
    yield from _broken_seals(event)


def _broken_seals(event: dict[str, Any]) -> Iterator[str]:
    for commitment in event["secrets"].values():
        digest_of(commitment)
    for name, seal in event.get("opened", {}).items():
        value = event["payload"].get(name) if name in event["readers"] else event.get(name)
        salt = _from_hex(seal["salt"], 16)
        digest = hashlib.sha256(salt + canonical(value)).digest()
        if name not in event["secrets"] or digest != digest_of(event["secrets"][name]) or list(seal) != ["salt"]:
            yield f"version {event['version']}: `{name}` does not match its commitment"


def archive_faults(lines: Iterable[bytes]) -> Iterator[str]:
    """Yields the faults of an archive, each with its version; nothing if it is valid."""
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
        yield f"version {count + 1}: the header says {head['events']} events, the archive has {count}"
    elif count and digest_of(last["hash"]) != _head_of(head):
        yield f"version {count}: the hash is not the head in the header"
    elif count and last["batch"][1] != count:
        yield f"version {count + 1}: the last batch is incomplete"


def _head_of(head: dict[str, Any]) -> bytes | None:
    try:
        return digest_of(head["head"])
    except (TypeError, ValueError):
        return None


def check_opening(head: dict[str, Any], event: dict[str, Any]) -> None:
    """Raises `Unreadable` if the first event opens another table than the one in the header."""
    opened, fields = event.get("payload", {}), ("game", "rules_version")
    found = {name: opened.get(name) for name in fields} if isinstance(opened, dict) else {}
    if event.get("table") != head["table"] or found != {name: head[name] for name in fields}:
        raise Unreadable("version 1: the header names another table, game or version of the rules")


def header(line: bytes) -> dict[str, Any]:
    """Parses the first line of an archive; raises `Unreadable` for an unknown format."""
    head = parse(line, "header") if FORMAT.encode() in line else {}
    if head.get("format") != FORMAT:
        raise Unreadable(f"header: {NO_ARCHIVE}")
    version = head.get("format_version")
    if type(version) is not int or version != FORMAT_VERSION:  # 1.0 and true equal 1 but are other bytes
        raise Unreadable(f"header: the archive has format {version!r}; this program reads {FORMAT_VERSION}")
    if sorted(head) != sorted(HEADER):
        raise Unreadable(f"header: the fields must be {', '.join(HEADER)}")
    return head


def parse(line: bytes, what: str) -> dict[str, Any]:
    """Returns the JSON object in a line; raises `Unreadable`, naming `what` it should have been."""
    if len(line) > MOST_BYTES:
        raise Unreadable(f"{what}: the line is longer than {MOST_BYTES} bytes")
    try:
        value = json.loads(line.decode("utf-8", "surrogatepass") if line[:2] == b'{"' else line)  # spares detection
        same = canonical(value) + b"\n" == line  # also excludes repeated names
    except (ValueError, RecursionError):  # JSON and UTF-8 errors are ValueErrors
        raise Unreadable(f"{what}: the line is not a JSON object") from None
    if not same or not isinstance(value, dict):
        raise Unreadable(f"{what}: the line is not the canonical JSON of an object")
    return value


def event_in(line: bytes, what: str) -> dict[str, Any]:
    """Parses an event from a line of an archive; raises `Unreadable`."""
    event = parse(line, what)
    if added := [name for name in API_FIELDS if name in event]:
        raise Unreadable(f"{what}: `{added[0]}` is a field that the API adds, not part of the record")
    return event


def lines_of(archive: BufferedIOBase) -> Iterator[bytes]:
    """Yields the lines of a file, reading at most one byte more than a line may have."""
    return iter(lambda: archive.readline(MOST_BYTES + 1), b"")


def main(words: list[str]) -> int:
    """Checks an archive, prints the verdict and what it does not cover, and returns the exit status."""
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
