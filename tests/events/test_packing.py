"""Closed tables as they are packed: without what follows from the rest, and the same to the byte when unpacked."""

import msgspec
import pytest

from events.archiving import packing
from events.archiving.compression import ZstdError, decompress
from events.archiving.packing import NotPackable, pack_events, unpack_events
from events.chain import link
from events.envelopes import Recorded
from tests.corpus import NAMES, by_name, history_of
from tests.events.test_envelopes import golden
from tests.long import quick_first
from tests.tables import ANN, Visit

GAMES = ("big-manitou", "manitou", "tomahawk", "plenty-coups")


def finished(game: str) -> tuple[Recorded, ...]:
    """The events of a table of today that was played to its end by two machines."""
    visit = Visit()
    table = visit.open(game, "ai ai", by=ANN)
    return visit.play_to_the_end(table).events


@by_name
def test_every_recorded_table_comes_back_to_the_byte(name: str) -> None:
    """Envelopes, hashes, values and salts."""
    events = history_of(name).events

    assert unpack_events(pack_events(events)) == events


@pytest.mark.parametrize("game", quick_first(GAMES))
def test_no_salt_of_today_is_packed(game: str) -> None:
    """Salts are derived from the seed that is packed: a finished table takes fewer than 60 bytes an event."""
    events = finished(game)
    kept = pack_events(events)

    assert [event.hash for event in unpack_events(kept)] == [event.hash for event in events]
    assert len(kept) / len(events) < 60


def test_times_of_the_machine_come_back() -> None:
    """A batch that was written while the table's time was ahead of the machine's has both."""
    events = tuple(golden("ahead"))

    assert [event.envelope.now for event in unpack_events(pack_events(events))] == [None, events[1].envelope.now]


def test_events_that_follow_from_nothing_packed_are_refused() -> None:
    """A batch whose events differ in what they have in common would come back as another: it is not packed."""
    *before, last = finished("tomahawk")
    envelope = msgspec.structs.replace(last.envelope, by={"kind": "clock"})
    raw = msgspec.json.encode(envelope, order="sorted")
    other = Recorded(envelope, raw, last.sealed, link(before[-1].hash, last.version, raw))

    with pytest.raises(NotPackable):
        pack_events((*before, other))


def test_what_cannot_be_unpacked_is_not_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A form that nobody could read would be the only copy of a table."""

    def damaged(_: bytes) -> bytes:
        raise ZstdError("cut off")

    monkeypatch.setattr(packing, "decompress", damaged)
    with pytest.raises(NotPackable):
        pack_events(history_of(NAMES[0]).events)


@pytest.mark.parametrize("kept", [b"", b"rubbish", pack_events(history_of(NAMES[0]).events)[:-1]])
def test_what_was_not_packed_is_not_unpacked(kept: bytes) -> None:
    """Cut off or foreign bytes are no table."""
    with pytest.raises(ValueError, match="not a packed table"):
        unpack_events(kept)


def framed(window_log: int, content: bytes) -> bytes:
    """A frame of one raw block, which asks for a window of so many bytes, as a power of two (RFC 8878, 3.1)."""
    block = (len(content) << 3 | 1).to_bytes(3, "little") + content
    return b"\x28\xb5\x2f\xfd\0" + bytes([window_log - 10 << 3]) + block


def test_a_frame_asks_for_so_much_memory_and_no_more() -> None:
    """16 MiB: a forged frame cannot make the reader allocate a hundred."""
    assert decompress(framed(24, b"winter")) == b"winter"
    with pytest.raises(ZstdError):
        decompress(framed(25, b"winter"))
