"""Personal texts: names and what people write, each sealed under its author's key (`key_store`).

A text is AES-256-GCM under its author's key with a random nonce. Table, type of event and field are authenticated, so
that no text can pass for another. NIST SP 800-38D allows 2^32 random nonces for one key.
"""

import hmac
import os
from collections.abc import Iterable
from typing import Any

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from events.canonical import canonical
from events.lifecycle import TEXTS, PersonalText, Text
from service.accounts.key_store import Keys
from service.encodings import base64url, bytes_of

NONCE, TAG = 12, 16  # bytes
STEP = 64  # bytes of the shortest padded text; each longer size is twice the one before
END = b"\x80"  # before the padding (ISO/IEC 7816-4)
ACCOUNT = "account"  # the kind of record that holds a display name


class Texts:
    """Seals personal texts and opens them."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def seal_in_event(self, table: str, type_: str, of: str, text: str) -> PersonalText:
        """Returns a text as an event of this type at this table holds it."""
        return self.seal(_event_place(table, type_), of, text)

    def open_in_event(self, table: str, type_: str, text: PersonalText) -> str | None:
        """Returns the text of an event of this type at this table; None without its key."""
        return self.open(_event_place(table, type_), text)

    def seal_in_record(self, kind: str, id_: str, of: str, text: str) -> Text:
        """Returns a text as a record outside the log holds it; an empty one stays as it is."""
        return self.seal(canonical([kind, id_]), of, text) if text else ""

    def open_in_record(self, kind: str, id_: str, text: Text) -> str | None:
        """Returns the text of such a record; None without its key."""
        return text if isinstance(text, str) else self.open(canonical([kind, id_]), text)

    def seal(self, place: bytes, of: str, text: str) -> PersonalText:
        """Seals a text under the key of the person `of`; it opens at the same place only."""
        key, nonce = self._keys.find_or_create(of), new_nonce()
        sealed = nonce + AESGCM(key).encrypt(nonce, _padded(text.encode()), place)
        return PersonalText(of, base64url(sealed))

    def open(self, place: bytes, text: PersonalText) -> str | None:
        """Returns what was sealed for this place; None without its key."""
        key, sealed = self._keys.find([text.of]).get(text.of), _bytes(text.text)
        if key is None:
            return None
        try:
            padded = AESGCM(key).decrypt(sealed[:NONCE], sealed[NONCE:], place)
            return padded.rstrip(b"\0").removesuffix(END).decode()
        except (InvalidTag, ValueError):  # sealed under an earlier key of the person, which was given up
            return None

    def prefetch(self, texts: Iterable[Text | None]) -> None:
        """Looks up the keys of many texts in one query; they stay remembered while an answer is written."""
        self._keys.find({text.of for text in texts if isinstance(text, PersonalText)})

    def fingerprint(self, of: str, text: str) -> bytes:
        """Returns a digest under the person's key: it tells their texts apart and reveals nothing without the key."""
        return hmac.digest(self._keys.find_or_create(of), text.encode(), "sha256")

    def count_erased(self, people: Iterable[str | None]) -> int:
        """Returns how many of these persons were erased, each counted as often as named."""
        named = [person for person in people if person is not None]
        erased = self._keys.erased(named)
        return sum(person in erased for person in named)


NO_TEXTS = Texts(Keys())  # of processes that neither write nor show any


def new_nonce() -> bytes:
    """Returns a nonce, of 12 random bytes."""
    return os.urandom(NONCE)


def as_text(value: Any) -> Text | None:
    """Converts a text from the form that a row or a payload has."""
    found: Text | None = msgspec.convert(value, Text | None)
    return found


def is_well_formed(text: str) -> bool:
    """Whether this can be a sealed text: Base64 of a nonce, 1, 2, 4 … steps of text, and a tag."""
    found = _bytes(text)
    size = len(found) - NONCE - TAG
    is_step = size >= STEP and size % STEP == 0 and (size // STEP).bit_count() == 1
    return is_step and base64url(found) == text


def _bytes(text: str) -> bytes:
    try:
        return bytes_of(text)
    except ValueError:
        return b""


def _padded(plain: bytes) -> bytes:
    size = STEP
    while size < len(plain) + len(END):
        size *= 2
    return (plain + END).ljust(size, b"\0")


def _event_place(table: str, type_: str) -> bytes:
    return canonical([table, type_, TEXTS[type_]])
