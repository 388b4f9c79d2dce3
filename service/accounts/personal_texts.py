"""What people are called and write: encrypted when it is kept, and decrypted only for an answer.

A text is AES-256-GCM under its person's key, with a random nonce; table, type of event and field are authenticated
with it, so that none can be passed off as another. No person writes so much that two nonces might be the same: NIST SP
800-38D allows 2^32 texts for one key.
"""

import base64
import binascii
import hmac
import os
from collections.abc import Iterable
from typing import Any

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from events.canonical import canonical
from events.lifecycle import TEXTS, PersonalText, Text
from service.accounts.person_keys import Keys, NoKeys

NONCE, TAG = 12, 16  # bytes
STEP = 64  # bytes: the shortest padded text, then twice as long each time
END = b"\x80"  # of a text, before the padding (ISO/IEC 7816-4)
ACCOUNT = "account"  # the kind of record that tells it beside the log


class Texts:
    """Encrypts what people are called and write, and decrypts it for whoever may read it."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def encrypted(self, table: str, type_: str, of: str, text: str) -> PersonalText:
        """A text as an event of this type is to hold it at this table."""
        return self.sealed(_place(table, type_), of, text)

    def kept(self, kind: str, id_: str, of: str, text: str) -> Text:
        """A text as a record of this kind is to hold it beside the log; one that says nothing stays as it is."""
        return self.sealed(_beside(kind, id_), of, text) if text else ""

    def decrypted(self, kind: str, id_: str, text: PersonalText | str) -> str | None:
        """What such a record holds; None if its key is not here."""
        return text if isinstance(text, str) else self.opened(_beside(kind, id_), text)

    def sealed(self, place: bytes, of: str, text: str) -> PersonalText:
        """A text under the key of the person `of`; it can be read at the same place alone."""
        key, nonce = self._keys.made(of), new_nonce()
        found = nonce + AESGCM(key).encrypt(nonce, _padded(text.encode()), place)
        return PersonalText(of, base64.urlsafe_b64encode(found).decode().rstrip("="))

    def opened(self, place: bytes, text: PersonalText) -> str | None:
        """What was sealed for this place; None if its key is not here."""
        key = self._keys.known([text.of]).get(text.of)
        return None if key is None else _decrypted(key, text.text, place)

    def fingerprint(self, of: str, text: str) -> bytes:
        """What tells the person's texts apart, and tells nobody without the key anything of them."""
        return hmac.digest(self._keys.made(of), text.encode(), "sha256")

    def count_erased(self, people: Iterable[str | None]) -> int:
        """How many of these were erased, each as often as named."""
        named = [person for person in people if person is not None]
        erased = self._keys.erased(named)
        return sum(person in erased for person in named)

    def told(self, table: str, type_: str, text: PersonalText) -> str | None:
        """What somebody wrote in an event of this type at this table; None if its key is not here."""
        return self.opened(_place(table, type_), text)

    def expect(self, texts: Iterable[Text | None]) -> None:
        """Looks the keys of many texts up in one go; they are then remembered for as long as any key is."""
        self._keys.known({text.of for text in texts if isinstance(text, PersonalText)})


NO_TEXTS = Texts(NoKeys())  # of processes that neither write nor tell any


def as_kept(value: Any) -> Text | None:
    """A text as a row or a payload keeps it."""
    found: Text | None = msgspec.convert(value, Text | None)
    return found


def new_nonce() -> bytes:
    """What no other text under the same key has."""
    return os.urandom(NONCE)


def is_well_formed(text: str) -> bool:
    """Whether something can be the ciphertext of a text: Base64 of a nonce, 1, 2, 4 … steps of text, and a tag."""
    found = _bytes(text)
    size = len(found) - NONCE - TAG
    is_step = size >= STEP and size % STEP == 0 and (size // STEP).bit_count() == 1
    return is_step and base64.urlsafe_b64encode(found).decode().rstrip("=") == text


def _decrypted(key: bytes, text: str, place: bytes) -> str | None:
    found = _bytes(text)
    try:
        padded = AESGCM(key).decrypt(found[:NONCE], found[NONCE:], place)
        return padded.rstrip(b"\0").removesuffix(END).decode()
    except (InvalidTag, ValueError):  # of another key: the person's first one was given up
        return None


def _bytes(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (ValueError, binascii.Error):
        return b""


def _padded(plain: bytes) -> bytes:
    size = STEP
    while size < len(plain) + len(END):
        size *= 2
    return (plain + END).ljust(size, b"\0")


def _beside(kind: str, id_: str) -> bytes:
    return canonical([kind, id_])


def _place(table: str, type_: str) -> bytes:
    return canonical([table, type_, TEXTS[type_]])
