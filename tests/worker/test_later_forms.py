"""Archives that a later release has written on in another form: what is whole is told as newer, not as damaged."""

import time
from pathlib import Path

import msgspec
import pytest
import redis

from events.archiving import feeds, segments
from events.archiving.compression import compress, decompress
from events.archiving.objects import Objects
from events.archiving.packing import packed, unpacked
from events.log import LogNewer
from events.recorded import Recorded
from projections import catalogue
from projections.played.index import Played
from service.runtime import verifying
from service.runtime.verifying import Status
from tests.archives import Archive
from tests.corpus import NAMES, history_of
from tests.worker.test_archiver import long_feed
from worker import archiver

LATER = "which a later release wrote"


@pytest.fixture
def archive(valkey: redis.Redis, tmp_path: Path) -> Archive:
    """A store with an empty archive."""
    return Archive(valkey, tmp_path / "archive")


def packed_later(events: tuple[Recorded, ...]) -> bytes:
    """Events as a later release may pack them: it says so, and what this one knows has other names."""
    columns = msgspec.json.decode(decompress(packed(events)))
    return compress(msgspec.json.encode({"format_version": 2, "columns": columns}))


def test_a_packed_table_of_a_later_form_is_newer() -> None:
    """Whatever else it holds; one that tells no form is of the first."""
    events = history_of(NAMES[0]).events

    assert b"format_version" not in decompress(packed(events))
    with pytest.raises(LogNewer, match=LATER):
        unpacked(packed_later(events))


def test_a_table_of_a_later_form_concerns_itself_alone(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is newer to whoever reads it, and cannot be checked; lists tell it, and others are read as before."""
    with monkeypatch.context() as patch:
        patch.setattr(archiver, "packed", packed_later)
        later = archive.played().table.id
        archive.archive()
    known = archive.played().table.id
    archive.archive()
    again = archive.opened()

    with pytest.raises(LogNewer, match=LATER):
        again.read(later)
    assert again.read(known)
    assert set(catalogue.Catalogue(archive.client, again.archive).facts([later, known])) == {later, known}
    monkeypatch.setattr(verifying, "log_at", lambda _: again)
    assert verifying.stored_verdict("", later).status is Status.UNCHECKED


def test_a_segment_whose_list_is_of_a_later_form_is_left(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Its tables are read, and in no list until they can be told: it is looked at again, as whatever cannot be read."""
    with monkeypatch.context() as patch:
        patch.setattr(segments, "FORMAT_VERSION", 2)
        later = archive.played().table.id
        archive.archive()
    known = archive.played().table.id
    archive.archive()
    again = archive.opened()
    listed, played = catalogue.Catalogue(archive.client, again.archive), Played(again)

    with pytest.raises(LogNewer, match=LATER):
        segments.listing(Objects(str(archive.directory)), archive.client.zrange(catalogue.SEGMENTS, 0, 0)[0].decode())
    assert set(listed.facts([later, known])) == {known}
    played.complete()
    assert LATER in caplog.text
    assert "cannot be read" not in caplog.text
    assert again.read(later)
    monkeypatch.setattr(segments, "FORMAT_VERSION", 2)
    later_s = time.monotonic() + catalogue.AGAIN_S
    monkeypatch.setattr(time, "monotonic", lambda: later_s)
    assert set(listed.facts([later, known])) == {later, known}


def test_a_part_of_a_feed_of_a_later_form_is_newer(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads that far back is told so; what the store still has is read."""
    monkeypatch.setattr(feeds, "PART", 16)
    monkeypatch.setattr(feeds, "KEPT", 4)
    partition = long_feed(archive, 1)
    with monkeypatch.context() as patch:
        patch.setattr(feeds, "FORMAT_VERSION", 2)
        assert archive.log.archive_part(partition, 16)
    again = archive.opened()

    with pytest.raises(LogNewer, match=LATER):
        again.feed(partition, 0)
    assert again.feeds({partition: 0}) == {}
    assert len(again.feed(partition, 16)) == 4
