"""Who reads what of an event, that everyone can check what he reads, and that what was once stored is read for ever."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from events.canonical import canonical
from events.chain import GENESIS, link
from events.commitments import commitment
from events.envelopes import BatchMetadata, NewEvent, Recorded, event_as_read, event_from_fields, record
from events.lifecycle import LIFECYCLE, TYPES
from events.verify import faults
from projections.event_conversion import lifecycle_of
from tests.events.batches import AT, START
from tests.tables import Visit

SECRETS = {"cards": [2], "tiles": [1, 3], "nobodys": []}
PAYLOAD = {"size": 3, "cards": ["chief-1"], "tiles": ["totem-2"], "nobodys": "x"}
MOVE, AI_SEED = {"type": "take", "cards": ["chief-1"]}, "5e" * 32
EVERYONE = [None, 1, 2, 3]


def taken(by_seat: int = 2) -> tuple[Recorded, ...]:
    """Two events that a seat's move causes; fields of each are secret."""
    metadata = BatchMetadata(
        AT, {"kind": "seat", "seat": by_seat}, GENESIS, "r1", {"move": MOVE, "ai_seed": AI_SEED}, {"deal": 1}
    )
    new_events = [
        NewEvent("Taken", PAYLOAD, SECRETS),
        NewEvent("Turned", {"size": 1, "cards": ["scout-1"]}, {"cards": [2]}),
    ]
    return record("t_one", START, new_events, metadata)


def test_a_batch_is_numbered_sealed_and_chained() -> None:
    """Each event has its version, the whole batch's versions, its cause, and the hash of all before it."""
    one, two = taken()

    assert [(event.version, event.envelope.batch) for event in (one, two)] == [(1, (1, 2)), (2, (1, 2))]
    assert one.hash == link(START.hash, 1, one.raw)
    assert two.hash == link(one.hash, 2, two.raw)
    assert {(event.envelope.at, event.envelope.request, event.envelope.schema) for event in (one, two)} == {
        (AT, "r1", 1)
    }


def test_the_first_event_of_a_batch_carries_its_move_and_its_draws() -> None:
    """The move, an AI's seed and the draws are recorded once a batch."""
    one, two = taken()

    assert (set(one.sealed), set(two.sealed)) == ({*SECRETS, "move", "ai_seed"}, {"cards"})
    assert (one.envelope.draws, two.envelope.draws) == ({"deal": 1}, {})


def test_secrets_enter_the_envelope_as_commitments_alone() -> None:
    """What has readers is not in the public bytes; what stands for it opens with its salt and its value."""
    for event in taken():
        assert set(event.envelope.payload).isdisjoint(event.envelope.readers)
        assert all(secret not in event.raw for secret in (b"chief", b"scout", b"totem", AI_SEED.encode()))
        assert event.envelope.secrets == {
            name: commitment(seal.salt, seal.value) for name, seal in event.sealed.items()
        }


@pytest.mark.parametrize(
    ("seat", "expected"), [(None, set()), (1, {"tiles"}), (2, {"cards", "move"}), (3, {"tiles"}), (4, set())]
)
def test_a_seat_reads_what_it_is_a_reader_of(seat: int | None, expected: set[str]) -> None:
    """While the game is on, a seat reads the fields that name it and the moves it made; a spectator reads neither."""
    read = event_as_read(taken()[0], seat, over=False)

    assert set(read["opened"]) == expected
    assert set(read["payload"]) == {"size"} | expected & set(SECRETS)
    assert ("move" in read) == ("move" in expected)
    assert "ai_seed" not in read


@pytest.mark.parametrize("seat", EVERYONE)
def test_everything_is_open_when_the_game_is_over(seat: int | None) -> None:
    """After the game everybody reads every secret of every event, the AI's seeds included."""
    read = event_as_read(taken()[0], seat, over=True)

    assert read["payload"] == PAYLOAD
    assert (read["move"], read["ai_seed"]) == (MOVE, AI_SEED)


def test_nobody_s_move_is_for_nobody() -> None:
    """A secret `move` of a batch that no seat caused is not opened to spectators, who have no seat either."""
    event = record(
        "t_one", START, [NewEvent("Said", {}, {})], BatchMetadata(AT, {"kind": "clock"}, GENESIS, None, {"move": MOVE})
    )[0]

    assert event_as_read(event, None, over=False)["opened"] == {}


@cache
def game() -> tuple[Recorded, ...]:
    """A short game between two people, from its first event to its last."""
    visit = Visit()
    return visit.play_to_the_end(visit.open("tomahawk", "ann ai", contribution="north wind")).events


def test_the_hash_of_an_event_is_the_one_that_was_stored() -> None:
    """The bytes that were hashed are the canonical JSON of the public envelope."""
    for event in game():
        assert event.raw == canonical(event.envelope)


AHEAD = "2036-11-18T09:15:41.123Z"
GOLDEN = Path(__file__).with_name("golden")
NAMES = ("lifecycle", "branch", "looks")  # of the files


def golden(name: str = "lifecycle") -> list[Recorded]:
    rows = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    keys: dict[str, Callable[[Any], bytes]] = {
        "e": lambda row: row["e"].encode(),
        "h": lambda row: bytes.fromhex(row["h"]),
    }
    found = [{name.encode(): read(row) for name, read in keys.items()} for row in rows]
    return [
        event_from_fields(fields | ({b"s": row["s"].encode()} if row["s"] else {}))
        for fields, row in zip(found, rows, strict=True)
    ]


def test_every_event_of_a_table_is_read_from_the_bytes_that_were_stored() -> None:
    """One of each type, in schema 1."""
    events = [event for name in NAMES for event in golden(name) if event.envelope.type in TYPES]
    assert {type(lifecycle_of(event)) for event in events} == set(LIFECYCLE)


def test_once_stored_machine_times_are_read_for_ever() -> None:
    """Where the table's time was ahead of the machine's, both were stored; deadlines count from the earlier."""
    opened, taken = golden("ahead")

    assert (opened.envelope.at, opened.envelope.now, opened.envelope.counted_from) == (AHEAD, None, AHEAD)
    assert (taken.envelope.at, taken.envelope.now, taken.envelope.counted_from) == (AHEAD, AT, AT)
    assert ("now" in event_as_read(opened, 1, over=False), event_as_read(taken, 1, over=False)["now"]) == (False, AT)


@pytest.mark.parametrize("seat", EVERYONE)
def test_once_stored_hashes_hold_for_ever(seat: int | None) -> None:
    """The chain of what was stored in schema 1 verifies today, and envelopes are still encoded to the same bytes."""
    for name in (*NAMES, "ahead"):
        assert list(faults(event_as_read(event, seat, over=False) for event in golden(name))) == []
        assert all(canonical(event.envelope) == event.raw for event in golden(name))
