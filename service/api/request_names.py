"""The name of a request, by which its repeats are recognised: made of its Idempotency-Key, who asks, and the body."""

import hashlib
import hmac
import re
import secrets

from flask import request

from service.commands import Request
from service.errors import Refused

KEY = re.compile(r"[\x21-\x7e]{1,255}")


def request_name(caller_id: str | None) -> Request:
    """The request's name: a repeat with the same Idempotency-Key by the same caller has the same one.

    Without a key it has a name all the same: the store's client repeats a call whose answer was lost.
    """
    key = idempotency_key()
    named = secrets.token_hex(16) if key is None else hashlib.sha256(f"{caller_id}\n{key}".encode()).hexdigest()[:32]
    return Request(named, _fingerprint(key or secrets.token_hex(16)))


def _fingerprint(key: str) -> str:
    """Tells bodies with the same Idempotency-Key apart. The store has no such key, and so cannot try out texts."""
    body = f"{request.method} {request.path}\n".encode() + request.get_data()
    return hmac.digest(key.encode(), body, "sha256").hex()[:32]


def table_name(named: Request) -> bytes:
    """What a repeated request names its table by. No secret is needed: the id of a table opens nothing."""
    return hashlib.sha256(f"table\n{named.key}".encode()).digest()


def idempotency_key() -> str | None:
    """The Idempotency-Key of the request; raises `Refused` for one of a form that is not allowed."""
    key = request.headers.get("Idempotency-Key")
    if key is not None and not KEY.fullmatch(key):
        raise Refused("malformed", "an Idempotency-Key is 1 to 255 visible ASCII characters")
    return key
