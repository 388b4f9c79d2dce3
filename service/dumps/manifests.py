"""The manifest of a dump: what the file of a month is called, holds and hashes to, signed by the service."""

import re

import msgspec

from events.canonical import canonical
from events.times import millis
from service.dumps.signing import Signer, is_signed

FORMAT, FORMAT_VERSION = "wintercount-dump", 2
READS = (1, FORMAT_VERSION)  # in the first one no line says whether its table was imported
MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")
FILE = re.compile(r"wintercount-([0-9]{4}-(?:0[1-9]|1[0-2]))-([0-9a-f]{12})\.ndjson\.zst")
MARK = 12  # hexadecimal digits of the hash in the name of a file: another content has another name


class ManifestRefused(Exception):
    """It is no manifest, or another than was signed."""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a dump holds. `games` counts its tables by game, `left_out` those public ones that it has not, by reason.
    Sizes are in bytes. `key` is the public key that it is signed under.
    """

    month: str
    file: str
    size: int
    sha256: str
    unpacked_size: int
    tables: int
    games: dict[str, int]
    left_out: dict[str, int]
    made_at: str
    key: str = ""
    signature: str = ""
    format: str = FORMAT
    format_version: int = FORMAT_VERSION

    @property
    def content(self) -> bytes:
        """What is signed: all of it but the signature, as canonical JSON."""
        told = msgspec.to_builtins(self)
        del told["signature"]
        return canonical(told)

    @property
    def kept(self) -> bytes:
        """The file of the manifest."""
        return canonical(self) + b"\n"

    @property
    def is_signed(self) -> bool:
        """Whether the signature is that of the key which it names; anybody may name a key of their own."""
        return is_signed(self.content, self.key, self.signature)


def name_of(month: str) -> str:
    """The name of a month's manifest."""
    return f"wintercount-{month}.json"


def file_of(month: str, sha256: str) -> str:
    """The name of a month's file with this content."""
    return f"wintercount-{month}-{sha256[:MARK]}.ndjson.zst"


def signed(manifest: Manifest, signer: Signer) -> Manifest:
    """The manifest under the newest key."""
    named = msgspec.structs.replace(manifest, key=signer.known()[0])
    key, signature = signer.signed(named.content)
    if key != named.key:  # the keys were rotated in between
        return signed(manifest, signer)
    return msgspec.structs.replace(named, signature=signature)


def read(content: bytes) -> Manifest:
    """The manifest of a file, whose signature holds; raises `ManifestRefused`."""
    try:
        found = msgspec.json.decode(content, type=Manifest)
    except msgspec.MsgspecError as error:
        raise ManifestRefused(f"it is no manifest: {error}") from None
    if found.format != FORMAT or found.format_version not in READS:
        raise ManifestRefused(f"this release reads {FORMAT}, versions {' and '.join(map(str, READS))}")
    if not found.is_signed:
        raise ManifestRefused("it is not what was signed")
    return found


def bounds(month: str) -> tuple[int, int]:
    """The first millisecond of a month and that behind its last; raises `ValueError` for what is no month."""
    if not MONTH.fullmatch(month):
        raise ValueError(f"{month!r} is no month: write it as 2026-10")
    year, number = int(month[:4]), int(month[5:])
    following = f"{year + number // 12:04d}-{number % 12 + 1:02d}"
    return millis(f"{month}-01T00:00:00Z"), millis(f"{following}-01T00:00:00Z")
