"""The hash chain of a table; `events.verify` checks it, and the commitments that represent secrets in it.

Each hash covers the previous one. So the last hash of a table reveals whether any of its events has been altered,
added, removed or moved (Haber and Stornetta, How to time-stamp a digital document, 1991), unless somebody finds two
inputs with the same SHA-256. It does not reveal whether later events are missing: that takes a later hash.
"""

import hashlib

GENESIS = bytes(32)


def link(previous: bytes, version: int, envelope: bytes) -> bytes:
    """Returns SHA-256 of the previous hash, the version (8 bytes, big endian) and the envelope."""
    return hashlib.sha256(previous + version.to_bytes(8, "big") + envelope).digest()
