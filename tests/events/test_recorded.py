"""Who reads what of an event, that everyone can check what he reads, and that what was once stored is read for ever."""

import copy
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from events.canonical import canonical
from events.chain import GENESIS, commitment, link
from events.lifecycle import LIFECYCLE, TYPES
from events.recorded import BatchMetadata, Head, NewEvent, Recorded, as_read, fields_of, from_fields, record
from events.verify import faults
from projections.recording import lifecycle_of
from tests.events.batches import AT, START
from tests.long import long_but_for
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


def test_the_same_secret_never_looks_the_same() -> None:
    """Two events with the same secrets have no commitment in common."""
    new_events = [NewEvent("Taken", PAYLOAD, SECRETS)] * 2
    one, two = record("t_one", START, new_events, BatchMetadata(AT, {"kind": "clock"}, GENESIS))

    assert set(one.envelope.secrets.values()).isdisjoint(two.envelope.secrets.values())


@pytest.mark.parametrize(
    ("seat", "expected"), [(None, set()), (1, {"tiles"}), (2, {"cards", "move"}), (3, {"tiles"}), (4, set())]
)
def test_a_seat_reads_what_it_is_a_reader_of(seat: int | None, expected: set[str]) -> None:
    """While the game is on, a seat reads the fields that name it and the moves it made; a spectator reads neither."""
    read = as_read(taken()[0], seat, over=False)

    assert set(read["opened"]) == expected
    assert set(read["payload"]) == {"size"} | expected & set(SECRETS)
    assert ("move" in read) == ("move" in expected)
    assert "ai_seed" not in read


@pytest.mark.parametrize("seat", EVERYONE)
def test_everything_is_open_when_the_game_is_over(seat: int | None) -> None:
    """After the game everybody reads every secret of every event, the AI's seeds included."""
    read = as_read(taken()[0], seat, over=True)

    assert read["payload"] == PAYLOAD
    assert (read["move"], read["ai_seed"]) == (MOVE, AI_SEED)


def test_nobody_s_move_is_for_nobody() -> None:
    """A secret `move` of a batch that no seat caused is not opened to spectators, who have no seat either."""
    event = record(
        "t_one", START, [NewEvent("Said", {}, {})], BatchMetadata(AT, {"kind": "clock"}, GENESIS, None, {"move": MOVE})
    )[0]

    assert as_read(event, None, over=False)["opened"] == {}


def test_what_is_read_back_is_what_was_recorded() -> None:
    """The fields of a stream entry hold the whole event."""
    for event in taken():
        assert from_fields(fields_of(event)) == event
    plain = record(
        "t_one", START, [NewEvent("Said", {"text": "é😀"}, {})], BatchMetadata(AT, {"kind": "clock"}, GENESIS)
    )[0]
    assert from_fields(fields_of(plain)) == plain


@cache
def game() -> tuple[Recorded, ...]:
    """A short game between two people, from its first event to its last."""
    visit = Visit()
    return visit.play_to_the_end(visit.open("tomahawk", "ann ai", contribution="north wind")).events


def read_by(seat: int | None, *, over: bool) -> list[dict[str, Any]]:
    """The game as the API gives it to a seat."""
    read: list[dict[str, Any]] = msgspec.json.decode(
        msgspec.json.encode([as_read(event, seat, over=over) for event in game()])
    )
    return read


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("seat", [None, 1, 2])
def test_everyone_can_check_what_he_reads(seat: int | None, over: bool) -> None:
    """What a seat or a spectator reads of a game, with other secrets closed, verifies against the same head."""
    read = read_by(seat, over=over)

    assert list(faults(read)) == []
    assert read[-1]["hash"] == game()[-1].hash.hex()


def test_the_hash_of_an_event_is_the_one_that_was_stored() -> None:
    """The bytes that were hashed are the canonical JSON of the public envelope."""
    for event in game():
        assert event.raw == canonical(event.envelope)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to everything in a JSON value that is neither an object nor a list, and to those that are empty."""
    inner: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not inner:
        yield path
    for name, child in inner:
        yield from leaves(child, (*path, name))


def another(value: Any) -> Any:
    """Another value of the same kind; another digit for a hexadecimal text."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return ("1" if value[:1] == "0" else "0") + value[1:]
    return {"added": 1} if isinstance(value, dict) else [*value, 1]


def altered(event: dict[str, Any], path: tuple[Any, ...], how: str) -> dict[str, Any]:
    """The event with one of its leaves changed or removed."""
    changed = copy.deepcopy(event)
    inner = changed
    for name in path[:-1]:
        inner = inner[name]
    if how == "changed":
        inner[path[-1]] = another(inner[path[-1]])
    else:
        del inner[path[-1]]
    return changed


NOTHING_OPENED = ("opened",)  # says as much when it is left out


def one_of_each_type() -> list[int]:
    """The version of the first event of every type."""
    versions: dict[str, int] = {}
    for event in game():
        versions.setdefault(event.envelope.type, event.version)
    return sorted(versions.values())


READ_AND_ALTERED = [(*by, how) for by in ((None, False), (1, False), (1, True)) for how in ("changed", "removed")]
SHORT = {(None, False, "removed"), (1, True, "changed")}


@pytest.mark.slow
@pytest.mark.parametrize("case", long_but_for(SHORT.__contains__, READ_AND_ALTERED))
def test_every_single_alteration_is_found(case: tuple[int | None, bool, str]) -> None:
    """Whatever is changed in or removed from an event, the fault is named with its version, and nothing before it."""
    seat, over, how = case
    read = read_by(seat, over=over)
    for version in one_of_each_type():
        for path in set(leaves(read[version - 1])) - {NOTHING_OPENED}:
            broken = [*read[: version - 1], altered(read[version - 1], path, how), *read[version:]]
            assert next(faults(broken), "").startswith(f"version {version}:"), path


@pytest.mark.parametrize("version", [1, 2, 60])
def test_an_event_that_is_missing_out_of_order_or_double_is_found(version: int) -> None:
    """Events follow on each other: one left out, told twice or told too early is a fault at its place."""
    read, at = read_by(None, over=False), version - 1

    for broken in (read[:at] + read[at + 1 :], [*read[:at], read[at + 1], read[at], *read[at + 2 :]]):
        assert next(faults(broken)).startswith(f"version {version}:")
    assert next(faults([*read[:version], *read[at:]])).startswith(f"version {version + 1}:")


def test_time_does_not_run_backwards() -> None:
    """An event that is earlier than the one before it is a fault, though its hash fits."""
    new_events = [NewEvent("Said", {"text": "x"}, {})]
    first = record("t_one", START, new_events, BatchMetadata("2026-11-21T09:15:41.123Z", {"kind": "clock"}, GENESIS))
    earlier = record(
        "t_one",
        Head(1, first[0].hash),
        new_events,
        BatchMetadata("2026-11-21T09:15:41.122Z", {"kind": "clock"}, GENESIS),
    )
    read = [as_read(event, None, over=False) for event in first + earlier]

    assert list(faults(read)) == ["version 2: it is earlier than the event before"]


def test_a_history_that_was_written_anew_has_another_head() -> None:
    """Whoever rewrites an event and all hashes behind it has a chain that holds, but not the head of the receipts."""
    head = START
    forged: list[Any] = []
    for event in game():
        payload = event.payload | ({"name": "Eve"} if event.version == 2 else {})
        metadata = BatchMetadata(event.envelope.at, event.envelope.by, GENESIS, event.envelope.request)
        forged += record(event.envelope.table, head, [NewEvent(event.envelope.type, payload, {})], metadata)
        head = Head(forged[-1].version, forged[-1].hash)

    assert list(faults(as_read(event, None, over=True) for event in forged)) == []
    assert forged[-1].hash != game()[-1].hash


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
        from_fields(fields | ({b"s": row["s"].encode()} if row["s"] else {}))
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
    assert ("now" in as_read(opened, 1, over=False), as_read(taken, 1, over=False)["now"]) == (False, AT)


@pytest.mark.parametrize("seat", EVERYONE)
def test_once_stored_hashes_hold_for_ever(seat: int | None) -> None:
    """The chain of what was stored in schema 1 verifies today, and envelopes are still encoded to the same bytes."""
    for name in (*NAMES, "ahead"):
        assert list(faults(as_read(event, seat, over=False) for event in golden(name))) == []
        assert all(canonical(event.envelope) == event.raw for event in golden(name))
