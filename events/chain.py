"""The hash chain, and the commitments by which secrets enter it without being told."""

import hashlib
import secrets
from typing import Any

from events.canonical import canonical

GENESIS = bytes(32)


def link(previous: bytes, version: int, envelope: bytes) -> bytes:
    """The hash of event `version`: SHA-256 of the previous hash, the version (8 bytes, big endian) and the envelope."""
    return hashlib.sha256(previous + version.to_bytes(8, "big") + envelope).digest()


def new_salt() -> str:
    """Sixteen random bytes in hexadecimal: without them a card could be found by trying all."""
    return secrets.token_hex(16)


def commitment(salt: str, value: Any) -> str:
    """SHA-256 (hexadecimal) of the salt's bytes followed by the canonical JSON of the value."""
    return hashlib.sha256(bytes.fromhex(salt) + canonical(value)).hexdigest()
