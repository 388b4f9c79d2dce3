"""The hash chain, and the commitments by which secrets enter it without being told; `events.verify` checks both.

Each hash covers the one before it. So whoever has the last hash of a table can tell whether any of its events was
altered, added, left out or moved since (Haber and Stornetta, How to time-stamp a digital document, 1991), as long as
nobody finds two inputs with one SHA-256. It cannot tell whether events behind that hash are missing: for that, somebody
has to know a later one.

A secret stands in the chain as the hash of a secret salt and its value. The salt hides it: there are few cards, and
without 16 unknown bytes whoever hashes them all would see which one it is. The hash binds it: no other value can be
shown for it later (Brassard, Chaum and Crépeau, Minimum disclosure proofs of knowledge, 1988). So an export whose
secrets are closed verifies against the same last hash as one whose secrets are open, and each secret proves itself.
"""

import hashlib
import hmac
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from events.canonical import canonical

GENESIS = bytes(32)


def link(previous: bytes, version: int, envelope: bytes) -> bytes:
    """The hash of event `version`: SHA-256 of the previous hash, the version (8 bytes, big endian) and the envelope."""
    return hashlib.sha256(previous + version.to_bytes(8, "big") + envelope).digest()


@lru_cache(4096)
def salt_key(seed: str) -> bytes:
    """The key from which a table's salts are derived, from its secret seed (hexadecimal)."""
    return hmac.digest(bytes.fromhex(seed), b"salts", "sha256")


def derived_salt(key: bytes, previous: bytes, version: int, name: str, value: Any) -> str:
    """Sixteen bytes (hexadecimal) that nobody without the key can tell from random ones.

    What is written in place of a lost event has another salt, as long as its value is another: who is shown the one
    learns nothing of the other.
    """
    place = previous + version.to_bytes(8, "big") + name.encode() + b"\0"
    return _keyed(key)(place + canonical(value))[:16].hex()


@lru_cache(64)  # a table's key is used for all of its events
def _keyed(key: bytes) -> Callable[[bytes], bytes]:
    """HMAC-SHA256 (RFC 2104) under a key of at most 64 bytes, which is hashed once: a fourth of the time."""
    padded = key.ljust(64, b"\0")
    inside, outside = (hashlib.sha256(bytes(byte ^ pad for byte in padded)) for pad in (0x36, 0x5C))

    def digest(message: bytes) -> bytes:
        inner, outer = inside.copy(), outside.copy()
        inner.update(message)
        outer.update(inner.digest())
        return outer.digest()

    return digest


def commitment(salt: str, value: Any) -> str:
    """SHA-256 (hexadecimal) of the salt's bytes followed by the canonical JSON of the value."""
    return hashlib.sha256(bytes.fromhex(salt) + canonical(value)).hexdigest()
