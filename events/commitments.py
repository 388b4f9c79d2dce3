"""Commitments: the chain contains each secret as the hash of a random salt and its value.

The salt hides the value: there are so few cards that without it anybody could hash them all and compare. The hash binds
the value: no other value can be shown for it later (Brassard, Chaum and Crépeau, Minimum disclosure proofs of
knowledge, 1988). So an export with hidden secrets verifies against the same last hash as one with opened secrets, and
each opened secret can be checked alone.
"""

import hashlib
import hmac
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from events.canonical import canonical


@lru_cache(4096)
def salt_key(seed: str) -> bytes:
    """Returns the key from which a table's salts are derived, given its secret seed (hexadecimal)."""
    return hmac.digest(bytes.fromhex(seed), b"salts", "sha256")


def derived_salt(key: bytes, previous: bytes, version: int, name: str, value: Any) -> str:
    """Returns sixteen bytes (hexadecimal) that look random to anybody without the key.

    The salt depends on the value too: an event that replaces a lost one with another value gets another salt.
    """
    place = previous + version.to_bytes(8, "big") + name.encode() + b"\0"
    return _keyed(key)(place + canonical(value))[:16].hex()


@lru_cache(64)  # a table's key is used for all of its events
def _keyed(key: bytes) -> Callable[[bytes], bytes]:
    """Returns HMAC-SHA256 (RFC 2104) for a key of at most 64 bytes, which is hashed only once: four times as fast."""
    padded = key.ljust(64, b"\0")
    inside, outside = (hashlib.sha256(bytes(byte ^ pad for byte in padded)) for pad in (0x36, 0x5C))

    def digest(message: bytes) -> bytes:
        inner, outer = inside.copy(), outside.copy()
        inner.update(message)
        outer.update(inner.digest())
        return outer.digest()

    return digest


def commitment(salt: str, value: Any) -> str:
    """Returns SHA-256 (hexadecimal) of the salt's bytes followed by the canonical JSON of the value."""
    return hashlib.sha256(bytes.fromhex(salt) + canonical(value)).hexdigest()
