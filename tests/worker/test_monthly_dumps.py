"""Dumps: what a month's file holds, that it can be checked, and that no kill leaves half of one."""

import hashlib
import subprocess
import tarfile
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import redis
from freezegun import freeze_time

from events.archiving.compression import ZstdFile
from events.archiving.objects import Objects
from events.times import millis
from projections.history import TableHistory
from service.accounts.sealing import Sealer, new_key
from service.command_handler import CommandContext
from service.dumps import Dumps, Signer, names_of
from service.tables.archive_transfer import store_table
from service.tables.forks import Forking, fork
from tests.archives import Archive
from tests.long import quick_first
from tests.tables import ANN, BEN, Visit
from wintercount.operations.verifying import Status, verdict
from worker.monthly_dumps import DumpRefused, MadeDump, Request, make

MONTH, LATER = "2026-10", millis("2026-11-02T00:00:00Z")
NAMES = names_of(MONTH)


class Killed(BaseException):
    """As if the process had been killed."""


class Press:
    """A store at which games are played in October, and the dumps of it."""

    def __init__(self, client: redis.Redis, directory: Path) -> None:
        self.archive = Archive(client, directory / "archive")
        self.keys = [new_key()]
        self.work, self.files = directory / "work", directory / "kept" / "dumps"
        self.dumps = Dumps(Objects(str(directory / "kept")), Signer(Sealer(lambda: self.keys)))

    def played(self, at: str = "2026-10-15T12:00:00Z", seats: str = "ai ai", **more: Any) -> TableHistory:
        """A game that was played to its end at that time."""
        with freeze_time(at):
            visit = Visit(self.archive.log)
            table = visit.open("tomahawk", seats, by=ANN, **more)
            if "ben" in seats:
                visit.sit(table, 2, BEN)
            return visit.play_to_the_end(table)

    def made(self, now_ms: int = LATER, *, again: bool = False) -> MadeDump:
        """The dump of October, made in November by a process that starts now."""
        self.archive.project()
        return make(self.archive.opened(), self.dumps, self.work, Request(MONTH, now_ms, lambda _: None, again))

    def kept(self) -> list[str]:
        """The names under which others find something."""
        return sorted(path.name for path in self.files.iterdir()) if self.files.exists() else []

    def unpacked(self, into: Path) -> list[str]:
        """Unpacks the file of October; the names in it, in order."""
        with ZstdFile(self.files / NAMES.tables) as packed, tarfile.open(fileobj=packed, mode="r|") as tar:
            tar.extractall(into, filter="data")
        return sorted(str(path.relative_to(into)) for path in into.rglob("*.ndjson"))


@pytest.fixture
def press(valkey: redis.Redis, tmp_path: Path) -> Press:
    return Press(valkey, tmp_path)


def named(*histories: TableHistory) -> list[str]:
    return sorted(f"wintercount-{MONTH}/{history.table.id}.ndjson" for history in histories)


def test_a_dump_has_the_public_games_of_a_month(press: Press, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not those of the month before or after it, and no private one; each file is an archive that verifies."""
    monkeypatch.setattr("projections.finished_games.index.AT_ONCE", 1)
    press.played("2026-09-30T23:59:59.999Z")
    tables = [press.played("2026-10-31T23:59:59.999Z"), press.played("2026-10-01T00:00:00Z", seats="ann ben")]
    press.played("2026-11-01T00:00:00Z")
    press.played(visibility="private")
    assert press.made() == MadeDump(MONTH, 2, {}, 0)
    assert press.kept() == sorted(NAMES)
    found = press.unpacked(tmp_path / "out")
    assert found == named(*tables)
    assert [verdict(str(tmp_path / "out" / name), 0).status for name in found] == [Status.HOLDS] * 2


def test_it_is_made_once_and_its_bytes_are_the_same_every_time(press: Press) -> None:
    """Whether its tables are in the store or in the archive."""
    press.played()
    press.made()
    content = (press.files / NAMES.tables).read_bytes()
    press.played("2026-10-16T12:00:00Z", visibility="private")
    assert press.made() == MadeDump(MONTH, None, {}, 0)
    press.archive.archive_for_good()
    assert press.made(again=True) == MadeDump(MONTH, 1, {}, 0)
    assert (press.files / NAMES.tables).read_bytes() == content


def test_a_month_that_is_not_over_has_no_dump(press: Press) -> None:
    press.played()
    with pytest.raises(DumpRefused, match="is not over"):
        press.made(millis("2026-10-31T23:59:59.999Z"))
    assert press.kept() == []


def test_of_a_month_without_tables_nothing_is_written(press: Press) -> None:
    press.played(visibility="private")
    assert press.made() == MadeDump(MONTH, 0, {}, 0)
    assert press.kept() == []


def test_imported_tables_lie_apart(press: Press, tmp_path: Path) -> None:
    """Their records hold, but nobody can prove who played there."""
    own = press.played()
    with freeze_time("2026-10-16T12:00:00Z"):
        visit = Visit()
        other = visit.play_to_the_end(visit.open("tomahawk", "ai ai", by=ANN))
    store_table(press.archive.visit.handler, other)
    press.made()
    imported = f"wintercount-{MONTH}/imported/{other.table.id}.ndjson"
    assert press.unpacked(tmp_path / "out") == sorted([*named(own), imported])


def test_what_cannot_be_checked_by_itself_is_left_out(press: Press, tmp_path: Path) -> None:
    """Branches, and tables that cannot be read: each counts by its reason."""
    kept, broken = press.played(seats="ann ai"), press.played("2026-10-11T12:00:00Z")
    with freeze_time("2026-10-16T12:00:00Z"):
        visit = Visit(press.archive.log)
        asking = CommandContext(ANN, visit.request(), ("play", "watch"))
        branch = fork(visit.handler, visit.history(kept.table.id), asking, Forking(14)).table
        visit.play_to_the_end(branch.id)
    press.archive.project()
    press.archive.client.delete(press.archive.log.table_key(broken.table.id, "events"))
    assert press.made() == MadeDump(MONTH, 1, {"branch": 1, "unreadable": 1}, 0)
    assert press.unpacked(tmp_path / "out") == named(kept)


def test_a_damaged_segment_is_reported(press: Press) -> None:
    """No list has its tables; what else there is is written."""
    press.played()
    press.archive.project()
    press.archive.archive_for_good()
    (segment,) = (press.archive.directory / "tables").rglob("*.segment")
    segment.write_bytes(bytes(segment.stat().st_size))
    press.played("2026-10-13T12:00:00Z")
    assert press.made() == MadeDump(MONTH, 1, {}, damaged_segments=1)


def test_people_are_ids_and_their_names_are_not_there(press: Press, tmp_path: Path) -> None:
    """So a person erased later is erased from every dump too."""
    press.played(seats="ann ben")
    press.made()
    (name,) = press.unpacked(tmp_path)
    content = (tmp_path / name).read_bytes()
    assert all(person.encode() in content for person in (ANN.id, BEN.id))
    assert not any(f'"{name}"'.encode() in content for name in ("Ann", "Ben"))


def test_it_is_checked_by_usual_tools(press: Press, tmp_path: Path) -> None:
    """As docs/dumps.md says: `sha256sum -c`, and `openssl` with the published key. What was altered is found."""
    press.played()
    press.made()
    (key,) = press.dumps.signer.web_keys()
    pem = tmp_path / "key.pem"
    encoded = key["x"].replace("-", "+").replace("_", "/")
    pem.write_text(f"-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA{encoded}=\n-----END PUBLIC KEY-----\n")
    signature = f"openssl pkeyutl -verify -pubin -inkey {pem} -rawin -in {NAMES.sums} -sigfile {NAMES.signature}"

    def status(command: str) -> int:
        return subprocess.run(command.split(), cwd=press.files, capture_output=True, check=False).returncode

    sums = f"sha256sum -c {NAMES.sums}"
    assert (status(sums), status(signature)) == (0, 0)
    for name, command in ((NAMES.tables, sums), (NAMES.sums, signature)):
        content = bytearray((press.files / name).read_bytes())
        content[-20] ^= 1
        (press.files / name).write_bytes(content)
        assert status(command) != 0


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("step", quick_first(range(1, 6)))
def test_a_kill_leaves_nothing_half(press: Press, monkeypatch: pytest.MonkeyPatch, step: int, again: bool) -> None:
    """Before each write, the first time or anew: a month is there whole, or not; the next run makes it."""
    press.played()
    if again:
        press.made()
        press.played("2026-10-16T12:00:00Z")
    counted = count(1)

    def killing(function: Any) -> Any:
        def call(*arguments: Any) -> Any:
            if next(counted) == step:
                raise Killed
            return function(*arguments)

        return call

    with monkeypatch.context() as broken:
        broken.setattr("worker.monthly_dumps._pack", killing(press_pack()))
        for name in ("remove", "upload", "write"):
            broken.setattr(Objects, name, killing(getattr(Objects, name)))
        with pytest.raises(Killed):
            press.made(again=again)
    assert list(press.work.iterdir()) == []
    if press.dumps.months():
        assert again
        assert step < 3
        assert is_whole(press)
    assert press.made(again=again).tables == 1 + again
    assert is_whole(press)


def press_pack() -> Any:
    """What writes the tables."""
    from worker.monthly_dumps import _pack

    return _pack


def is_whole(press: Press) -> bool:
    """Whether the sum and the signature are those of the file."""
    tables, sums, signature = ((press.files / name).read_bytes() for name in NAMES)
    digest = hashlib.sha256(tables).hexdigest()
    return sums.decode().split()[0] == digest and press.dumps.signer.has_signed(sums, signature)


def test_dumps_are_signed_again_when_the_key_is_rotated(press: Press) -> None:
    """Under a key that is lost nothing can be signed again: then the dump is made anew."""
    press.played()
    press.made()
    old = (press.files / NAMES.signature).read_bytes()
    press.keys.insert(0, new_key())
    assert [press.dumps.sign_again(), press.dumps.sign_again()] == [1, 0]
    assert (press.files / NAMES.signature).read_bytes() != old
    press.keys[:] = press.keys[:1]
    assert is_whole(press)
    press.keys[:] = [new_key()]
    assert press.dumps.sign_again() == 0
    press.made(again=True)
    assert is_whole(press)
