"""Positions in the feeds as clients keep them: sealed, so that nobody can forge one or read what it counts.

The position in a partition counts batches of private tables too. A cursor is encrypted under keys that are derived from
the service's secret; the same place gives the same text (AES-SIV, RFC 5297), so that an answer keeps its ETag.
"""

import base64
import binascii
import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from service.accounts.sealing import Sealer, new_key

PURPOSE = b"cursor 1"  # and the number of the form
POSITION = 5  # bytes, as many for every position: the length of a cursor tells nothing
MARK = 8  # bytes


class FeedPosition(NamedTuple):
    """The last position read of each partition's feed; `mark` is made of the hashes that stand there."""

    positions: tuple[int, ...]
    mark: bytes


class Unreadable(ValueError):
    """A text that is not a cursor of this service."""


class Cursors:
    """Writes places as texts, and reads them again."""

    def __init__(self, keys: Callable[[], Sequence[bytes]]) -> None:
        self._keys = keys

    def written(self, place: FeedPosition) -> str:
        """The place as a text that may stand in a URL."""
        plain = b"".join(position.to_bytes(POSITION) for position in place.positions) + place.mark
        return base64.urlsafe_b64encode(AESSIV(self._keys()[0]).encrypt(plain, [PURPOSE])).decode().rstrip("=")

    def read(self, text: str) -> FeedPosition:
        """The place that a text names; raises `Unreadable`."""
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
    """The cursors of a store, under keys derived from those that seal it."""
    return Cursors(lambda: sealer.derived("cursors"))


def own_cursors() -> Cursors:
    """Cursors that no other process reads."""
    keys = [new_key()]
    return cursors_of(Sealer(lambda: keys))


def mark_of(hashes: Iterable[bytes]) -> bytes:
    """A mark made of the hashes at the positions of a feed, by which a feed that went back is noticed."""
    return hashlib.sha256(b"".join(hashes)).digest()[:MARK]
