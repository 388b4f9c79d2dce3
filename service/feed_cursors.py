"""Cursors of the feed: positions that clients store, encrypted, because they count batches of private tables too.

The keys are derived from the service's secret. Equal positions give equal cursors (AES-SIV, RFC 5297), so that a page
keeps its ETag.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from service.accounts.sealing import Sealer, new_key
from service.encodings import base64url, bytes_of

PURPOSE = b"cursor 1"  # with the version of the format
POSITION = 5  # bytes of each position: the length of a cursor reveals nothing
MARK = 8  # bytes


class FeedPosition(NamedTuple):
    """The last position read in each partition; `mark` digests the hashes there."""

    positions: tuple[int, ...]
    mark: bytes


class Unreadable(ValueError):
    """A text that is not a cursor of this service."""


class Cursors:
    """Encrypts and decrypts cursors."""

    def __init__(self, keys: Callable[[], Sequence[bytes]]) -> None:
        self._keys = keys

    def written(self, place: FeedPosition) -> str:
        """Returns the cursor of a position, safe in a URL."""
        plain = b"".join(position.to_bytes(POSITION) for position in place.positions) + place.mark
        return base64url(AESSIV(self._keys()[0]).encrypt(plain, [PURPOSE]))

    def read(self, text: str) -> FeedPosition:
        """Returns the position of a cursor; raises `Unreadable`."""
        plain = self._opened(text)
        steps = range(0, len(plain) - MARK, POSITION)
        return FeedPosition(tuple(int.from_bytes(plain[at : at + POSITION]) for at in steps), plain[-MARK:])

    def _opened(self, text: str) -> bytes:
        for key in self._keys():
            with suppress(InvalidTag, ValueError):
                return AESSIV(key).decrypt(bytes_of(text), [PURPOSE])
        raise Unreadable


def cursors_of(sealer: Sealer) -> Cursors:
    """Returns the cursors of a store."""
    return Cursors(lambda: sealer.derived("cursors"))


def own_cursors() -> Cursors:
    """Returns cursors that no other process reads."""
    keys = [new_key()]
    return cursors_of(Sealer(lambda: keys))


def mark_of(hashes: Iterable[bytes]) -> bytes:
    """Returns the digest of the hashes at a position, which reveals a feed that went back."""
    return hashlib.sha256(b"".join(hashes)).digest()[:MARK]
