"""Canonical JSON: each value has exactly one sequence of bytes, so that hashes can be compared.

Object keys in code point order, no white space, UTF-8 unescaped. Python's `json.dumps(value, sort_keys=True,
ensure_ascii=False, separators=(",", ":"))` gives the same bytes, so a verifier needs no library.
"""

from typing import Any

import msgspec

_encode = msgspec.json.Encoder(order="sorted").encode


def canonical(value: Any) -> bytes:
    """Returns the canonical JSON of a value without floats."""
    return _encode(value)
