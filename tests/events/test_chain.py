"""The chain and its commitments, with hashes worked out by `hashlib` alone."""

import hashlib
import hmac

import pytest

from events.chain import GENESIS, link
from events.commitments import commitment, derived_salt, salt_key
from events.times import millis, stamp

FIRST = "efdc0e2f8a22c30683385791552f8455b898f59e1aa4d1a6c77f0457bd1d5947"
SECOND = "dd156a48c54c7988763f35c80f18efcece3ebb6dde5d7f43daeb9596c72f533e"
SALT = bytes(range(16)).hex()


def test_a_chain_begins_with_32_zeros() -> None:
    """The hash before the first event is for ever 32 bytes of zero."""
    assert bytes(32) == GENESIS


def test_known_links() -> None:
    """A hash is SHA-256 of the hash before it, the version in 8 bytes, big endian, and the envelope."""
    assert link(GENESIS, 1, b'{"a":1}').hex() == FIRST
    assert link(bytes.fromhex(FIRST), 258, b'{"b":2}').hex() == SECOND


def test_known_commitment() -> None:
    """A commitment is SHA-256 of the salt's 16 bytes and the canonical JSON of the secret."""
    expected = hashlib.sha256(bytes(range(16)) + '["chief-1","é"]'.encode()).hexdigest()

    assert commitment(SALT, ["chief-1", "é"]) == expected
    assert expected == "36e681c3234211c0e979e00ff0f3c69f59657c44052a09c838dba760bf6fd6d6"


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_795_252_541_123, "2026-11-21T09:15:41.123Z"),
        (1_795_252_541_007, "2026-11-21T09:15:41.007Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    ],
)
def test_times_have_one_form(ms: int, text: str) -> None:
    """Times are RFC 3339, in UTC, with milliseconds, so that their order is the order of their texts."""
    assert (stamp(ms), millis(text)) == (text, ms)


@pytest.mark.fault
@pytest.mark.parametrize(
    "text",
    [
        *("2026-11-21T10:15:41.123+01:00", "2026-11-21 09:15:41.123Z", "2026-11-21T09:15:41.123000Z"),
        "2026-11-21t09:15:41.123z",
    ],
)
def test_times_of_others_are_read(text: str) -> None:
    """Any RFC 3339 time is read."""
    assert millis(text) == 1_795_252_541_123


@pytest.mark.fault
def test_a_leap_second_is_the_next() -> None:
    """RFC 3339 has second 60; Unix time does not."""
    assert millis("2016-12-31T23:59:60.5Z") == millis("2017-01-01t01:00:00.5+01:00")


@pytest.mark.fault
@pytest.mark.parametrize(
    "text",
    [
        *("2026-11-21T09:15:41.123", "yesterday", "", "2026-13-01T00:00:00Z", "2026-11-21T09:15:61Z"),
        *("2026-W47-6T09:15:41Z", "20261121T091541Z", "2026-11-21T09:15:41,123Z", "2026-11-21T09:15Z"),
        *("2026-11-21T09Z", "2026-11-21T09:15:41+01", "٢٠٢٦-11-21T09:15:41Z"),
    ],
)
def test_other_times_are_refused(text: str) -> None:
    """A time without an offset, other forms of ISO 8601, and a text that is no time."""
    with pytest.raises(ValueError, match=r".+"):
        millis(text)


@pytest.mark.parametrize("key", [salt_key("5e" * 32), GENESIS, bytes(range(64)), b""])
def test_a_derived_salt_is_that_of_hmac(key: bytes) -> None:
    """A key that is hashed once gives what Python's own HMAC gives, of which the salt is the first half."""
    place = GENESIS + (7).to_bytes(8, "big") + b"cards\0"
    expected = hmac.digest(key, place + b'["scout-1"]', "sha256")

    assert derived_salt(key, GENESIS, 7, "cards", ["scout-1"]) == expected[:16].hex()
