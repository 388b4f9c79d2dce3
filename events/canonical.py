"""Canonical JSON: one sequence of bytes for one value, so that hashes can be compared.

Object keys in code point order, no white space, UTF-8 unescaped: what `json.dumps(value, sort_keys=True,
ensure_ascii=False, separators=(",", ":"))` of Python's standard library gives, so that a verifier needs no library.
"""

from typing import Any

import msgspec

_encode = msgspec.json.Encoder(order="sorted").encode


def canonical(value: Any) -> bytes:
    """The canonical JSON of a value without floats."""
    return _encode(value)
