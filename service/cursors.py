"""Cursors of the feed: positions that clients store, encrypted, because they count batches of private tables too.

The keys are derived from the service's secret. Equal positions give equal cursors (AES-SIV, RFC 5297), so that a page
keeps its ETag.
"""

import base64
import binascii
import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from service.accounts.sealing import Sealer, new_key

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
        return base64.urlsafe_b64encode(AESSIV(self._keys()[0]).encrypt(plain, [PURPOSE])).decode().rstrip("=")

    def read(self, text: str) -> FeedPosition:
        """Returns the position of a cursor; raises `Unreadable`."""
        try:
            sealed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except (ValueError, binascii.Error):
            raise Unreadable from None
        plain = self._opened(sealed)
        steps = range(0, len(plain) - MARK, POSITION)
        return FeedPosition(tuple(int.from_bytes(plain[at : at + POSITION]) for at in steps), plain[-MARK:])

    def _opened(self, sealed: bytes) -> bytes:
        for key in self._keys():
            try:
                return AESSIV(key).decrypt(sealed, [PURPOSE])
            except (InvalidTag, ValueError):
                continue
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
