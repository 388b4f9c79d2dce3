"""Bytes as letters: in URLs (Base64) and in ids (Base32 in small letters), both without padding."""

import base64


def base64url(content: bytes) -> str:
    """Returns bytes as letters that are safe in a URL."""
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def bytes_of(text: str) -> bytes:
    """Returns the bytes that `base64url` wrote; raises `ValueError` for anything else."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def base32(content: bytes) -> str:
    """Returns bytes as small letters and digits."""
    return base64.b32encode(content).decode().rstrip("=").lower()
