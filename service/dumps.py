"""Dumps: the public tables that ended in a month, in one file that anybody may download and verify.

A month has three files: the tables, their checksum, and the signature of the checksum. The signature is written last:
only then does the dump exist.
"""

import hashlib
import re
import time
from contextlib import suppress
from io import BufferedRandom
from pathlib import Path
from typing import NamedTuple

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.archiving.objects import ArchiveUnavailable, MissingObject, Objects
from events.canonical import canonical
from service.accounts.sealing import Sealer
from service.encodings import base64url

PURPOSE, KEY_BYTES = "signature of dumps 1", 32
UNDER = "dumps"
READINGS, REMEMBER_S = f"{UNDER}/readings.json", 60.0
SIGNATURE = re.compile(rf"{UNDER}/wintercount-([0-9]{{4}}-[0-9]{{2}})\.SHA256SUMS\.sig")


class Names(NamedTuple):
    """The names of a month's files."""

    tables: str
    sums: str
    signature: str


def names_of(month: str) -> Names:
    """Returns the names of a month's files."""
    sums = f"wintercount-{month}.SHA256SUMS"
    return Names(f"wintercount-{month}.tar.zst", sums, f"{sums}.sig")


class Signer:
    """Signs (Ed25519, RFC 8032) with keys that are derived from the service's secret."""

    def __init__(self, sealer: Sealer) -> None:
        self._sealer = sealer

    def sign(self, content: bytes) -> bytes:
        """Returns the signature by the newest key."""
        return self._keys()[0].sign(content)

    def has_signed(self, content: bytes, signature: bytes) -> bool:
        """Whether one of the keys signed the content."""
        for key in self._keys():
            try:
                key.public_key().verify(signature, content)
            except InvalidSignature:
                continue
            return True
        return False

    def web_keys(self) -> list[dict[str, str]]:
        """Returns the public keys as JSON Web Keys (RFC 8037), newest first, named by thumbprint (RFC 7638)."""
        return [web_key(key.public_key().public_bytes_raw()) for key in self._keys()]

    def _keys(self) -> list[Ed25519PrivateKey]:
        return [Ed25519PrivateKey.from_private_bytes(one[:KEY_BYTES]) for one in self._sealer.derived(PURPOSE)]


def web_key(public: bytes) -> dict[str, str]:
    """Returns a public key as a JSON Web Key."""
    named = {"crv": "Ed25519", "kty": "OKP", "x": base64url(public)}
    return named | {"kid": base64url(hashlib.sha256(canonical(named)).digest()), "alg": "EdDSA", "use": "sig"}


class Reading(msgspec.Struct, frozen=True):
    """How often a value of a house rule would have mattered in games played by another one.

    `differ`: games with a decision that differs; `winners`: those with other winners, as far as one can say; `cut_off`:
    those in which a rule refuses a later move.
    """

    games: int = 0
    differ: int = 0
    winners: int = 0
    cut_off: int = 0

    def plus(self, other: "Reading") -> "Reading":
        """Returns the sum of two."""
        mine, theirs = msgspec.structs.astuple(self), msgspec.structs.astuple(other)
        return Reading(*map(sum, zip(mine, theirs, strict=True)))


class Readings(msgspec.Struct, frozen=True):
    """The public games decided by each other reading, `at` a time: by game, house rule and value (as JSON)."""

    at: str
    games: dict[str, dict[str, dict[str, Reading]]]


class Dumps:
    """The dumps in a directory or object storage; None if none is set. Thread-safe."""

    def __init__(self, objects: Objects | None, signer: Signer) -> None:
        self._objects, self.signer = objects, signer
        self._readings: tuple[float, Readings | None] = -REMEMBER_S, None

    @property
    def objects(self) -> Objects:
        """The files; raises `MissingObject` if no storage is set."""
        if self._objects is None:
            raise MissingObject("no storage is set for dumps")
        return self._objects

    def months(self) -> dict[str, int]:
        """Returns the months with a dump, newest first, and the size of each in bytes."""
        sizes = {one.name: one.bytes for one in self._objects.list_files(UNDER)} if self._objects else {}
        signed = sorted((found[1] for name in sizes if (found := SIGNATURE.fullmatch(name))), reverse=True)
        kept = {month: sizes.get(_path(names_of(month).tables)) for month in signed}
        return {month: size for month, size in kept.items() if size is not None}

    def place(self, name: str) -> Path | str:
        """Returns the place of a file of a signed month (`Objects.place`); raises `MissingObject`."""
        if not any(name in names_of(month) for month in self.months()):
            raise MissingObject(f"there is no dump {name!r}")
        return self.objects.place(_path(name))

    def publish(self, month: str, file: BufferedRandom) -> None:
        """Replaces the tables of a month, and signs them."""
        names, digest = names_of(month), hashlib.file_digest(file, "sha256").hexdigest()
        sums = f"{digest}  {names.tables}\n".encode()
        self.objects.remove(_path(names.signature))
        file.seek(0)
        self.objects.upload(_path(names.tables), file)
        self.objects.write(_path(names.sums), sums)
        self.objects.write(_path(names.signature), self.signer.sign(sums))

    def publish_readings(self, found: Readings) -> None:
        """Replaces what is known of readings; raises `MissingObject` if no storage is set."""
        self.objects.write(READINGS, msgspec.json.encode(found))

    def readings(self) -> Readings | None:
        """Returns what was published of readings, looked up once a minute; None if nothing was, or it is unreadable."""
        looked, found = self._readings
        if time.monotonic() - looked > REMEMBER_S:
            with suppress(MissingObject, ArchiveUnavailable, msgspec.DecodeError):
                found = msgspec.json.decode(self.objects.read(READINGS), type=Readings)
            self._readings = time.monotonic(), found
        return found

    def sign_again(self) -> int:
        """Signs months of earlier keys again with the newest; returns how many. It may be repeated."""
        count = 0
        for names in map(names_of, self.months()):
            sums, signature = self.objects.read(_path(names.sums)), self.objects.read(_path(names.signature))
            newest = self.signer.sign(sums)
            if newest != signature and self.signer.has_signed(sums, signature):
                self.objects.write(_path(names.signature), newest)
                count += 1
        return count


def _path(name: str) -> str:
    return f"{UNDER}/{name}"
