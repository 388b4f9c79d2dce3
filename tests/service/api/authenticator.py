"""An authenticator in software: it makes passkeys and signs with them as a browser's would."""

import base64
import hashlib
import json
import secrets
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def text(value: bytes) -> str:
    """Base64url without padding, as WebAuthn writes bytes."""
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def value(written: str) -> bytes:
    """The bytes of such a text."""
    return base64.urlsafe_b64decode(written + "=" * (-len(written) % 4))


class Authenticator:
    """A device that holds one passkey for the page at `origin`."""

    def __init__(
        self, origin: str = "http://localhost", *, flags: int = PRESENT | VERIFIED, secret: int | None = None
    ) -> None:
        self.origin, self.flags, self.count = origin, flags, 0
        self.framed = False  # whether it is asked from within a page of somebody else's
        secret = secret or 1 + secrets.randbelow(1 << 200)
        self.id, self._key = secret.to_bytes(32, "big")[-16:], ec.derive_private_key(secret, ec.SECP256R1())
        self.user = b""

    def make(self, options: dict[str, Any]) -> dict[str, Any]:
        """What a browser answers to the options of `preparePasskey`."""
        self.user = value(options["user"]["id"])
        numbers = self._key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(key)
        data = self._data(options["rp"]["id"], ATTESTED) + attested
        made = {"fmt": "none", "attStmt": {}, "authData": data}
        told = self._client_data("webauthn.create", options)
        return self._credential({"clientDataJSON": text(told), "attestationObject": text(cbor2.dumps(made))})

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """What a browser answers to the options of `prepareSignIn`."""
        self.count += 1
        data, told = self._data(options["rpId"], 0), self._client_data("webauthn.get", options)
        signature = self._key.sign(data + hashlib.sha256(told).digest(), ec.ECDSA(hashes.SHA256()))
        answer = {"clientDataJSON": told, "authenticatorData": data, "signature": signature, "userHandle": self.user}
        return self._credential({name: text(part) for name, part in answer.items()})

    def _data(self, host: str, more: int) -> bytes:
        return hashlib.sha256(host.encode()).digest() + bytes([self.flags | more]) + self.count.to_bytes(4, "big")

    def _client_data(self, kind: str, options: dict[str, Any]) -> bytes:
        told = {"type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": self.framed}
        return json.dumps(told).encode()

    def _credential(self, response: dict[str, str]) -> dict[str, Any]:
        name = text(self.id)
        return {"id": name, "rawId": name, "type": "public-key", "clientExtensionResults": {}, "response": response}
