"""Checks a table's events as the API gives them, with nothing but Python's standard library.

Each event's hash covers the hash before it, its version and its public envelope; each opened secret must fit the
commitment that the envelope holds.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

GENESIS = bytes(32)
BESIDE = ("hash", "opened", "words")  # what an answer adds to the envelope


def canonical(value: Any) -> bytes:
    """Canonical JSON: sorted names, no white space, UTF-8 unescaped."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def envelope_of(event: dict[str, Any]) -> dict[str, Any]:
    """The public envelope: the event without what was added for the reader."""
    opened = event.get("opened", {})
    envelope = {name: value for name, value in event.items() if name not in BESIDE and name not in opened}
    hidden = set(opened) & set(event["readers"])
    return envelope | {"payload": {name: value for name, value in event["payload"].items() if name not in hidden}}


def faults(events: Iterable[dict[str, Any]]) -> Iterator[str]:
    """What is wrong with a table's events, from version 1 on, each fault with its version."""
    previous, expected = GENESIS, 1
    for event in events:
        version = event["version"]
        if version != expected:
            yield f"version {expected}: missing or out of order"
            return
        digest = hashlib.sha256(previous + version.to_bytes(8, "big") + canonical(envelope_of(event))).digest()
        if digest.hex() != event["hash"]:
            yield f"version {version}: the hash does not fit the event"
            return
        yield from _broken_seals(event)
        previous, expected = digest, expected + 1


def _broken_seals(event: dict[str, Any]) -> Iterator[str]:
    for name, seal in event.get("opened", {}).items():
        value = event["payload"].get(name) if name in event["readers"] else event.get(name)
        if hashlib.sha256(bytes.fromhex(seal["salt"]) + canonical(value)).hexdigest() != event["secrets"].get(name):
            yield f"version {event['version']}: `{name}` does not fit its commitment"
