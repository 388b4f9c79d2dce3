"""Idempotency: a request is named by its Idempotency-Key, caller and body, so that a repeat is recognised."""

import hashlib
import hmac
import os
import re
from collections.abc import Mapping
from typing import Any

from flask import request

from service.command_handler import Request
from service.errors import Refused

KEY = re.compile(r"[\x21-\x7e]{1,255}")
APPENDED = "wintercount.appended"  # in the WSGI environment: that what is found recorded may be this request's own
RANDOM = "wintercount.random_name"  # and what stands for a key and a name where there is no key


def request_name(caller_id: str | None) -> Request:
    """Returns the name of the current request."""
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
    line = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}\n".encode()
    digest = hmac.digest(key.encode(), line + body, "sha256")  # the store lacks the key, so it cannot guess texts by it
    return Request(name, digest.hex()[:32])


def table_name(named: Request) -> bytes:
    """Returns the id of a table from the request that opens it. It needs no secret: an id gives no access."""
    return hashlib.sha256(f"table\n{named.key}".encode()).digest()


def key_in(environ: Mapping[str, Any]) -> str | None:
    """Returns the Idempotency-Key in a WSGI environment; raises `Refused` for a malformed one."""
    key: str | None = environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not KEY.fullmatch(key):
        raise Refused("malformed", "an Idempotency-Key is 1 to 255 visible ASCII characters")
    return key
