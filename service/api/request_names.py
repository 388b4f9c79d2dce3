"""The name of a request, by which its repeats are recognised: made of its Idempotency-Key, who asks, and the body."""

import hashlib
import hmac
import os
import re
from collections.abc import Mapping
from typing import Any

from flask import request

from service.commands import Request
from service.errors import Refused

KEY = re.compile(r"[\x21-\x7e]{1,255}")
APPENDED = "wintercount.appended"  # in the WSGI environment: that what is found recorded may be this request's own
RANDOM = "wintercount.random_name"  # and what stands for a key and a name where there is no key


def request_name(caller_id: str | None) -> Request:
    """The name of the request that is being answered."""
    return named(request.environ, request.get_data(), caller_id)


def named(environ: dict[str, Any], body: bytes, caller_id: str | None) -> Request:
    """The request's name: a repeat with the same Idempotency-Key by the same caller has the same one.

    Without a key it has a name all the same, which stays with it: whoever goes on with it knows what became of it.
    """
    key = key_in(environ)
    if key is None:
        key, name = environ.setdefault(RANDOM, (os.urandom(16).hex(), os.urandom(16).hex()))
    else:
        name = hashlib.sha256(f"{caller_id}\n{key}".encode()).hexdigest()[:32]
    return Request(name, _fingerprint(key, environ, body))


def _fingerprint(key: str, environ: Mapping[str, Any], body: bytes) -> str:
    """Tells bodies with the same Idempotency-Key apart. The store has no such key, and so cannot try out texts."""
    line = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}\n".encode()
    return hmac.digest(key.encode(), line + body, "sha256").hex()[:32]


def table_name(named: Request) -> bytes:
    """What a repeated request names its table by. No secret is needed: the id of a table opens nothing."""
    return hashlib.sha256(f"table\n{named.key}".encode()).digest()


def idempotency_key() -> str | None:
    """The Idempotency-Key of the request; raises `Refused` for one of a form that is not allowed."""
    return key_in(request.environ)


def key_in(environ: Mapping[str, Any]) -> str | None:
    """The same of the request in a WSGI environment."""
    key: str | None = environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not KEY.fullmatch(key):
        raise Refused("malformed", "an Idempotency-Key is 1 to 255 visible ASCII characters")
    return key
