"""Canonical JSON is what Python's standard library writes: a verifier needs nothing else."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events import verify
from events.canonical import canonical

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=20,
)


def by_the_standard_library(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


@pytest.mark.slow
@given(VALUES)
def test_canonical_json_is_the_standard_librarys(value: Any) -> None:
    """Every JSON value without floats is written byte for byte as `json.dumps` writes it, and as the verifier does."""
    assert canonical(value) == by_the_standard_library(value) == verify.canonical(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"b": 1, "a": [2, True, None]}, '{"a":[2,true,null],"b":1}'),
        ({"é": 1, "z": 2, "😀": 3, "￿": 4}, '{"z":2,"é":1,"￿":4,"😀":3}'),  # by code points, not as UTF-16
        ({"aa": 1, "a": 2, "": 3}, '{"":3,"a":2,"aa":1}'),
        ('\x00\x1f\b\f\n\r\t"\\/\x7f\u2028', '"\\u0000\\u001f\\b\\f\\n\\r\\t\\"\\\\/\x7f\u2028"'),
        (2**64, "18446744073709551616"),
        (-(2**63), "-9223372036854775808"),
    ],
)
def test_known_canonical_json(value: Any, expected: str) -> None:
    """Names in the order of their code points, no white space, only what JSON demands is escaped."""
    assert canonical(value) == expected.encode()


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.integers(), max_size=6))
def test_the_order_of_names_does_not_matter(value: dict[str, int]) -> None:
    """Two objects that are equal have the same canonical JSON."""
    assert canonical(dict(reversed(value.items()))) == canonical(value)
