"""The keys that sign manifests (Ed25519, RFC 8032), derived from the service's secret, the newest first."""

import base64
import binascii
import hashlib
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from events.canonical import canonical
from service.accounts.sealing import Sealer

PURPOSE = "signature of dumps 1"  # and the number of the form
BYTES = 32  # of a key


class Signer:
    """Signs under the newest key. Reads the keys for every use, as they may have been rotated meanwhile."""

    def __init__(self, sealer: Sealer) -> None:
        self._sealer = sealer

    def signed(self, content: bytes) -> tuple[str, str]:
        """The public key that is the newest, and the signature that belongs to it."""
        key = self._keys()[0]
        return public_key(key), _text(key.sign(content))

    def known(self) -> list[str]:
        """The public keys of all keys that are here, the newest first."""
        return [public_key(key) for key in self._keys()]

    def _keys(self) -> list[Ed25519PrivateKey]:
        return [Ed25519PrivateKey.from_private_bytes(found[:BYTES]) for found in self._sealer.derived(PURPOSE)]


def public_key(key: Ed25519PrivateKey) -> str:
    """The public key as a text: its 32 bytes in Base64 for URLs, as `x` of a JSON Web Key has them."""
    return _text(key.public_key().public_bytes_raw())


def is_signed(content: bytes, key: str, signature: str) -> bool:
    """Whether a signature of the content is that of a public key."""
    try:
        Ed25519PublicKey.from_public_bytes(_bytes(key)).verify(_bytes(signature), content)
    except (InvalidSignature, ValueError):
        return False
    return True


def web_key(key: str) -> dict[str, Any]:
    """A public key as a JSON Web Key (RFC 8037), named by its thumbprint (RFC 7638)."""
    named = {"crv": "Ed25519", "kty": "OKP", "x": key}
    return named | {"kid": _text(hashlib.sha256(canonical(named)).digest()), "alg": "EdDSA", "use": "sig"}


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError("no Base64") from error
