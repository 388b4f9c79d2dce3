"""Dumps: what a month's file holds, that it can be checked, and that no kill leaves half of one."""

import dataclasses
import hashlib
from collections.abc import Callable
from itertools import chain, count
from pathlib import Path
from typing import Any

import msgspec
import pytest
import redis
from click.testing import CliRunner
from freezegun import freeze_time

from events.archiving.compression import compress, unpacking
from events.archiving.objects import ArchiveUnavailable, Objects
from events.log import Batch
from events.recorded import START
from events.times import millis
from games import GAMES
from projections.history import History
from projections.played.index import Played
from service.accounts.callers import Caller
from service.accounts.sealing import Sealer, new_key
from service.commands import CallerContext
from service.dumps import making
from service.dumps.keeping import Dumps
from service.dumps.lines import record_in, tells_names
from service.dumps.making import DumpRefused, MadeDump, Maker
from service.dumps.manifests import Manifest, name_of, read, signed
from service.dumps.signing import Signer, web_key
from service.runtime.cli import main
from service.runtime.dump_verifying import NO_KEY, Proof, dump_verdict, is_dump
from service.runtime.verifying import Status, verdict
from service.tables.forks import Forking, fork
from tests import corpus
from tests.archives import Archive
from tests.court import luck
from tests.fixtures import noting
from tests.long import long_but_for
from tests.tables import ANN, BEN, Visit

MONTH, LATER = "2026-10", millis("2026-11-02T00:00:00Z")


class Killed(BaseException):
    """As if the process had been killed."""


class Press:
    """A store at which games are played in October, and the dumps of it."""

    def __init__(self, client: redis.Redis, directory: Path) -> None:
        self.archive = Archive(client, directory / "archive")
        self.keys = [new_key()]
        self.signer = Signer(Sealer(lambda: self.keys))
        self.directory, self.files = directory / "work", directory / "kept" / "dumps"
        self.dumps = Dumps(Objects(str(directory / "kept")), self.signer)

    def played(self, at: str = "2026-10-15T12:00:00Z", seats: str = "ai ai", **more: Any) -> History:
        """A game that was played to its end at that time."""
        with freeze_time(at):
            visit = Visit(self.archive.log)
            table = visit.open("tomahawk", seats, by=ANN, **more)
            if "ben" in seats:
                visit.sit(table, 2, BEN)
            return visit.play_to_the_end(table)

    def made(self, *, again: bool = False, month: str = MONTH) -> MadeDump:
        """The dump of October, made in November by a process that starts now."""
        self.archive.project()
        maker = Maker(self.archive.opened(), self.dumps, self.directory)
        return maker.make(month, LATER, lambda _: None, again=again)

    def noting(self) -> Maker:
        """What makes dumps by an index that stays on this machine."""
        log = self.archive.opened()
        log.notes = self.directory.parent
        return Maker(log, self.dumps, self.directory)

    def manifest(self, **more: Any) -> Manifest:
        """The manifest of October."""
        found = self.made(**more).manifest
        assert found
        return found

    def file(self, manifest: Manifest) -> Path:
        """The file of a manifest."""
        return self.files / manifest.file

    def kept(self) -> list[str]:
        """The names under which others find something."""
        return sorted(path.name for path in self.files.iterdir()) if self.files.exists() else []


@pytest.fixture
def press(valkey: redis.Redis, tmp_path: Path) -> Press:
    return Press(valkey, tmp_path)


def lines(path: Path) -> list[bytes]:
    with unpacking(path) as file:
        return file.readlines()


def told(path: Path) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in lines(path)]


def test_a_dump_has_the_public_games_of_a_month_in_the_order_in_which_they_ended(press: Press) -> None:
    """Not those of the month before or behind it, and no private one; its manifest tells what it holds."""
    press.played("2026-09-30T23:59:59.999Z")
    late, early = press.played("2026-10-31T23:59:59.999Z"), press.played("2026-10-01T00:00:00Z")
    press.played("2026-11-01T00:00:00Z")
    press.played(visibility="private")
    manifest = press.manifest()

    content = press.file(manifest).read_bytes()
    assert [row["table"] for row in told(press.file(manifest))] == [early.table.id, late.table.id]
    assert (manifest.tables, manifest.games, manifest.left_out) == (2, {"tomahawk": 2}, {})
    assert (manifest.size, manifest.sha256) == (len(content), hashlib.sha256(content).hexdigest())
    assert manifest.unpacked_size == sum(map(len, lines(press.file(manifest))))
    assert manifest.file == f"wintercount-2026-10-{manifest.sha256[:12]}.ndjson.zst"
    assert press.kept() == [manifest.file, "wintercount-2026-10.json"]
    assert read((press.files / name_of(MONTH)).read_bytes()) == manifest


def test_a_line_tells_the_game_and_holds_a_record_that_verify_takes(press: Press, tmp_path: Path) -> None:
    """Whether its table is in the store or in the archive."""
    with luck("a game that somebody wins"):
        history = press.played()
    in_store = press.manifest()
    press.archive.archive_for_good()
    assert press.manifest(again=True).sha256 == in_store.sha256

    (line,) = lines(press.file(in_store))
    row = msgspec.json.decode(line)
    assert (row["game"], row["table"]) == ("tomahawk", history.table.id)
    assert [seat["level"] for seat in row["seats"]] == ["uniform", "uniform"]
    assert (row["ended_at"], sorted(row["places"])) == ("2026-10-15T12:00:00.000Z", [1, 2])
    record = tmp_path / "table.ndjson"
    record.write_bytes(b"".join(record_in(line)))
    assert verdict(str(record), 0).status is Status.HOLDS


def recorded_elsewhere(at: str = "2026-10-16T12:00:00Z") -> History:
    """A game that was played to its end at another service."""
    with freeze_time(at):
        visit = Visit()
        return visit.play_to_the_end(visit.open("tomahawk", "ai ai", by=ANN))


def test_a_line_tells_whether_its_table_was_imported(press: Press) -> None:
    """In the store and in the archive; what is false of the store is no fault of the record."""
    own, other = press.played(), recorded_elsewhere()
    press.archive.visit.handler.import_archive(other)
    press.archive.visit.handler.import_archive(own)
    manifest = press.manifest()
    press.archive.archive_for_good()

    rows = told(press.file(manifest))
    assert {row["table"]: row["imported"] for row in rows} == {own.table.id: False, other.table.id: True}
    assert press.manifest(again=True).sha256 == manifest.sha256
    proof = Proof(key=press.signer.known()[0])
    assert dump_verdict(str(press.file(manifest)), 0, proof).status is Status.HOLDS


def test_an_import_that_was_cut_off_anywhere_is_known_as_one(press: Press, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it is here or nothing but the note: half of it would be a table that runs. The repeat is as the first."""
    other, handler = recorded_elsewhere(), press.archive.visit.handler
    for step in ("append_all", "history"):
        with monkeypatch.context() as broken:
            where: Any = handler.log if step == "append_all" else handler
            broken.setattr(where, step, killed)
            with pytest.raises(Killed):
                handler.import_archive(other)
        assert press.archive.log.is_imported(other.table.id)
        assert press.archive.log.head(other.table.id) == (START if step == "append_all" else other.table.head)
    assert handler.import_archive(other).table.closed
    (line,) = told(press.file(press.manifest()))
    assert line["imported"] is True


def test_what_an_earlier_release_cut_off_is_completed(press: Press) -> None:
    """It imported batch by batch."""
    other, handler = recorded_elsewhere(), press.archive.visit.handler
    first = tuple(event for event in other.events if event.envelope.batch[0] == 1)
    handler.log.append(other.table.id, Batch(START, first, first[0].envelope.request))
    assert handler.import_archive(other).table.head == other.table.head


def killed(*_: Any) -> None:
    """The process ends."""
    raise Killed


def test_a_dump_of_the_first_format_holds_too(press: Press) -> None:
    """Its lines do not say what was imported."""
    press.played()
    manifest = press.manifest()
    rows = [{name: value for name, value in row.items() if name != "imported"} for row in told(press.file(manifest))]
    first = msgspec.structs.replace(manifest, format_version=1)
    found = dump_verdict(*_packed_again(press, first, rows))
    assert found.status is Status.UNCHECKED, found.lines
    assert found.lines[1:] == [NO_KEY]
    later = dump_verdict(*_packed_again(press, msgspec.structs.replace(manifest, format_version=3), rows))
    assert "this release reads wintercount-dump, versions 1 and 2" in later.lines[0]


@pytest.mark.slow
def test_what_an_earlier_release_has_begun_begins_anew(press: Press, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of two formats would stand in one file."""
    for day in ("10", "11"):
        press.played(f"2026-10-{day}T12:00:00Z")
    monkeypatch.setattr(making, "FRAME", 1)
    with monkeypatch.context() as broken:
        kill_at(broken, 4)
        with pytest.raises(Killed):
            press.made()
    note = press.directory / making.NOTE
    kept = msgspec.json.decode(note.read_bytes())
    del kept["format_version"]
    note.write_bytes(msgspec.json.encode(kept))

    looked_at = noted(monkeypatch, Maker, "_line")
    assert press.manifest().format_version == 2
    assert len(looked_at) == 2


def test_branches_lessons_and_names_in_plain_are_left_out(press: Press, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left out is counted by its reason."""
    kept = press.played(seats="ann ai")
    with freeze_time("2026-10-16T12:00:00Z"):
        visit = Visit(press.archive.log)
        asking = CallerContext(Caller(ANN, ("play", "watch")), visit.request())
        branch = fork(visit.handler, visit.history(kept.table.id), asking, Forking(14)).table
        visit.play_to_the_end(branch.id)
    plain = press.played("2026-10-17T12:00:00Z", seats="ann ai")
    monkeypatch.setattr("service.dumps.lines.tells_names", lambda history: history.table.id == plain.table.id)
    manifest = press.manifest()

    assert [row["table"] for row in told(press.file(manifest))] == [kept.table.id]
    assert manifest.left_out == {"branch": 1, "names_in_plain": 1}


@pytest.mark.parametrize("name", corpus.NAMES)
def test_names_in_plain_are_those_of_earlier_releases(name: str) -> None:
    history = corpus.history_of(name)
    assert tells_names(history) == any(isinstance(seat.name, str) for seat in history.table.seats)


def test_people_are_ids_and_what_they_are_called_is_under_their_keys(press: Press) -> None:
    """So whoever is erased later is erased from every dump too."""
    press.played(seats="ann ben")
    (line,) = lines(press.file(press.manifest()))

    assert [seat["player"] for seat in msgspec.json.decode(line)["seats"]] == [ANN.id, BEN.id]
    assert b'"Ann"' not in line
    assert b'"Ben"' not in line
    assert b'"name":{"of":"p_ann","text":"' in line


@pytest.mark.slow
@pytest.mark.parametrize("step", long_but_for((2, 7).__contains__, range(1, 11)))
def test_a_kill_leaves_nothing_half_and_the_next_run_goes_on(
    press: Press, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """At each write of the making: what others find is nothing, or all; and its bytes are those of one run."""
    for day in ("10", "11", "12"):
        press.played(f"2026-10-{day}T12:00:00Z")
    monkeypatch.setattr(making, "FRAME", 1)
    undisturbed = press.manifest()
    for path in press.files.iterdir():
        path.unlink()
    with monkeypatch.context() as broken:
        kill_at(broken, step)
        with pytest.raises(Killed):
            press.made()
    assert name_of(MONTH) not in press.kept()

    looked_at = noted(monkeypatch, Maker, "_line")
    assert press.manifest().sha256 == undisturbed.sha256
    assert len(looked_at) == 3 - frames_before(step)
    assert list(press.directory.iterdir()) == [press.directory / "lock"]


def test_where_a_dump_is_made_nobody_else_looks(press: Press, monkeypatch: pytest.MonkeyPatch) -> None:
    """The directory and its files, as all that lies in the data directory."""
    monkeypatch.setattr(Maker, "_clear", lambda _: None)
    press.made()
    made = [press.directory, *press.directory.iterdir()]
    assert {path.name for path in made} == {"work", making.LOCK, making.FILE, making.NOTE}
    assert [path for path in made if path.stat().st_mode & 0o077] == []


def frames_before(step: int) -> int:
    """How many frames, a table each, are noted before the write is cut off."""
    return min((step - 1) // 2, 3)


def kill_at(monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    """Has the process killed instead of its write of that number."""
    counted = count(1)

    def killing(function: Any) -> Any:
        def call(*arguments: Any, **named: Any) -> Any:
            if next(counted) == step:
                raise Killed
            return function(*arguments, **named)

        return call

    for owner, name in (
        (making, "compress"),
        (making, "_replace"),
        (Dumps, "take"),
        (Maker, "_check"),
        (Dumps, "publish"),
    ):
        monkeypatch.setattr(owner, name, killing(getattr(owner, name)))


def noted(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[Any]:
    """The calls of a method from now on."""
    calls: list[Any] = []
    monkeypatch.setattr(owner, name, noting(calls, name, getattr(owner, name)))
    return calls


def test_what_was_cut_off_begins_anew_if_an_earlier_table_became_known(
    press: Press, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that came late stands in its place."""
    second = press.played("2026-10-11T12:00:00Z")
    monkeypatch.setattr(making, "FRAME", 1)
    with monkeypatch.context() as broken:
        kill_at(broken, 4)
        with pytest.raises(Killed):
            press.made()
    first = press.played("2026-10-10T12:00:00Z")
    assert [row["table"] for row in told(press.file(press.manifest()))] == [first.table.id, second.table.id]


def test_a_dump_is_made_once_and_again_only_when_asked(press: Press) -> None:
    """Then the file before goes, and what nobody names."""
    press.played()
    before = press.manifest()
    press.played("2026-10-20T12:00:00Z")
    assert press.made() == MadeDump(before, is_new=False)
    (press.files / f"wintercount-{MONTH}-000000000000.ndjson.zst").write_bytes(b"of a run that was killed")

    after = press.manifest(again=True)
    assert (before.tables, after.tables) == (1, 2)
    assert press.kept() == [after.file, name_of(MONTH)]
    assert press.dumps.manifests() == [after]


def test_what_a_clock_made_that_ran_ahead_is_made_anew(press: Press) -> None:
    """The month was not over then: what ended later is missing, and nobody would ask for it again."""
    first = press.played("2026-10-10T12:00:00Z")
    ahead = millis("2026-11-05T00:00:00Z")
    press.archive.project()
    early = Maker(press.archive.opened(), press.dumps, press.directory).make(MONTH, ahead, lambda _: None).manifest
    second = press.played("2026-10-20T12:00:00Z")
    made = press.made()
    assert made.is_new
    assert (early and early.tables, made.manifest and made.manifest.tables) == (1, 2)
    assert [row["table"] for row in told(press.file(press.manifest()))] == [first.table.id, second.table.id]
    assert not press.made().is_new


def test_a_month_that_is_not_over_has_no_dump(press: Press) -> None:
    press.played("2026-11-01T12:00:00Z")
    with pytest.raises(DumpRefused, match="2026-11 is not over"):
        press.made(month="2026-11")
    with pytest.raises(ValueError, match="is no month"):
        press.made(month="2026-13")
    assert press.made() == MadeDump(None, is_new=False)
    assert press.kept() == []


def test_tables_are_missing_while_the_lobby_lags(press: Press) -> None:
    press.played()
    maker = Maker(press.archive.opened(), press.dumps, press.directory)
    with pytest.raises(DumpRefused, match="lags behind"):
        maker.make(MONTH, LATER, lambda _: None)


def test_tables_are_missing_while_the_archive_is_silent(press: Press, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index that was filled before tells readers what it holds; a dump is made when it holds everything."""
    log = press.archive.opened()
    log.notes = press.directory
    maker = Maker(log, press.dumps, press.directory)
    press.played("2026-10-10T12:00:00Z")
    press.archive.project()
    assert maker.make(MONTH, LATER, lambda _: None).is_new
    press.played("2026-10-11T12:00:00Z")
    press.archive.project()

    def silent(_: Played) -> None:
        raise ArchiveUnavailable("it does not answer")

    with monkeypatch.context() as patched:
        patched.setattr(Played, "_take_in_all", silent)
        with pytest.raises(ArchiveUnavailable):
            maker.make(MONTH, LATER, lambda _: None, again=True)
    made = maker.make(MONTH, LATER, lambda _: None, again=True).manifest
    assert made
    assert made.tables == 2


def test_a_damaged_table_keeps_no_other_from_the_dump(press: Press, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is counted as unreadable."""
    broken, whole = press.played("2026-10-10T12:00:00Z"), press.played("2026-10-11T12:00:00Z")
    press.archive.project()
    press.archive.client.delete(press.archive.log.table_key(broken.table.id, "events"))
    manifest = press.manifest()
    assert [row["table"] for row in told(press.file(manifest))] == [whole.table.id]
    assert manifest.left_out == {"unreadable": 1}


@pytest.mark.slow
def test_tables_of_a_damaged_segment_are_counted_as_missing(press: Press, monkeypatch: pytest.MonkeyPatch) -> None:
    """No list has them; an index that took them in before the damage finds each public one, and cannot read it.

    Each counts once, though a scan of the store may come upon a key twice.
    """
    scanned = redis.Redis.scan_iter
    monkeypatch.setattr(redis.Redis, "scan_iter", lambda *a, **b: chain(scanned(*a, **b), scanned(*a, **b)))
    for day in ("10", "11"):
        press.played(f"2026-10-{day}T12:00:00Z")
    press.played("2026-10-12T12:00:00Z", visibility="private")
    press.archive.project()
    assert press.noting().make(MONTH, LATER, lambda _: None).is_new
    assert press.archive.archive_for_good().tables == 3
    (segment,) = (press.archive.directory / "tables").rglob("*.segment")
    segment.write_bytes(bytes(segment.stat().st_size))
    press.archive.client.set("{p0}:t_another_kind:head", "no hash")
    press.archive.client.hset(b"{p0}:t_\xff:head", "version", 1)
    kept = press.played("2026-10-13T12:00:00Z")

    manifest = press.manifest(again=True)
    assert [row["table"] for row in told(press.file(manifest))] == [kept.table.id]
    assert manifest.left_out == {"damaged_segment": 3}
    again = press.noting().make(MONTH, LATER, lambda _: None, again=True).manifest
    assert again
    assert (again.tables, again.left_out) == (1, {"unreadable": 2})


@pytest.fixture
def dump(press: Press) -> tuple[Press, Manifest, str]:
    press.played("2026-10-10T12:00:00Z")
    press.played("2026-10-11T12:00:00Z", seats="ann ai")
    manifest = press.manifest()
    return press, manifest, str(press.file(manifest))


Dump = tuple[Press, Manifest, str]


def test_a_dump_verifies_table_by_table(dump: Dump) -> None:
    """Everything is checked with the service's key; without it, the signer is not."""
    press, manifest, path = dump
    assert is_dump(path)
    found = dump_verdict(path, 0, Proof(key=press.signer.known()[0]))
    assert (found.status, len(found.lines)) == (Status.HOLDS, 1)
    assert "2 tables hold" in found.lines[0]
    assert dump_verdict(path, 0, Proof()) == ([*found.lines, NO_KEY], Status.UNCHECKED)
    (press.files / name_of(MONTH)).unlink()
    assert dump_verdict(path, 0, Proof()).status is Status.UNCHECKED
    other = Signer(Sealer(lambda: [new_key()])).known()[0]
    (press.files / name_of(MONTH)).write_bytes(manifest.kept)
    assert dump_verdict(path, 0, Proof(key=other)).status is Status.FAULT


def test_a_dump_has_no_parent(dump: Dump) -> None:
    """Each of its branches would need its own: none is held against the one that is named."""
    _, _, path = dump
    told = CliRunner().invoke(main, ["verify", path, "--parent", path])
    assert (told.exit_code, "is a dump: --parent is for one table" in told.output) == (2, True), told.output


@pytest.mark.slow
def test_what_was_altered_is_found(dump: Dump) -> None:
    """In the manifest, in the file, in what a line tells, and in a record."""
    press, manifest, path = dump
    beside = press.files / name_of(MONTH)
    beside.write_bytes(msgspec.structs.replace(manifest, tables=3).kept)
    assert dump_verdict(path, 0, Proof()).lines == ["the manifest: it is not what was signed"]
    changes: list[tuple[Callable[[Any], Any], str]] = [
        (lambda row: row | {"imported": "no"}, "line 1: what it tells of the game is not what its record tells"),
        (lambda row: row | {"winners": []}, "line 1: what it tells of the game is not what its record tells"),
        (lambda row: row | {"record": row["record"][:-1]}, "line 1: "),
        (lambda row: row | {"record": 1}, "line 1: it is not the canonical JSON of an object with a `record`"),
    ]
    for change, found in changes:
        rows = told(press.file(manifest))
        altered = [change(rows[0]), *rows[1:]]
        told_lines = dump_verdict(*_packed_again(press, manifest, altered)).lines
        assert told_lines[0].startswith(found)
    rows = told(press.file(manifest))
    assert dump_verdict(*_packed_again(press, manifest, rows[::-1])).lines[0].startswith("line 2: its game did not end")
    assert dump_verdict(*_packed_again(press, manifest, rows[:1])).lines == [
        "the manifest counts other games than the file holds"
    ]
    beside.write_bytes(manifest.kept)
    content = bytearray(press.file(manifest).read_bytes())
    content[-1] ^= 1
    press.file(manifest).write_bytes(content)
    assert "SHA-256" in dump_verdict(path, 0, Proof()).lines[0]


def test_tables_of_a_later_release_are_not_checked_and_no_fault(dump: Dump, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dump of a game, or by rules, that are not known here yet; what else it holds is checked."""
    press, manifest, path = dump
    known, rows = GAMES["tomahawk"], told(press.file(manifest))

    monkeypatch.setitem(GAMES, "tomahawk", dataclasses.replace(known, rules_version=0))
    found = dump_verdict(path, 0, Proof(key=press.signer.known()[0]))
    assert found.status is Status.UNCHECKED
    assert found.lines[1:] == ["2 tables: version 1 of the rules is not known here, only up to 0"]

    monkeypatch.delitem(GAMES, "tomahawk")
    assert dump_verdict(path, 0, Proof(key=press.signer.known()[0])).status is Status.UNCHECKED
    assert dump_verdict(*_packed_again(press, manifest, rows[:1])).status is Status.FAULT


def _packed_again(press: Press, manifest: Manifest, rows: list[Any]) -> tuple[str, int, Proof]:
    """A file of these rows whose checksum is right, under a manifest of the same key."""
    content = compress(b"".join(making_line(row) for row in rows))
    path = press.directory / "altered.ndjson.zst"
    path.write_bytes(content)
    changed = msgspec.structs.replace(manifest, sha256=hashlib.sha256(content).hexdigest(), size=len(content))
    beside = press.directory / "altered.json"
    beside.write_bytes(signed(changed, press.signer).kept)
    return str(path), 0, Proof(str(beside))


def making_line(row: Any) -> bytes:
    return msgspec.json.encode(row, order="sorted") + b"\n"


def test_manifests_are_signed_again_when_the_key_is_rotated(dump: Dump) -> None:
    """A manifest that no key here has signed is told to nobody."""
    press, manifest, _ = dump
    press.keys.insert(0, new_key())
    assert press.dumps.manifests() == [manifest]
    assert [press.dumps.sign_again(), press.dumps.sign_again()] == [1, 0]
    (again,) = press.dumps.manifests()
    assert (again.key, again.sha256) == (press.signer.known()[0], manifest.sha256)

    press.keys[:] = [new_key()]
    fresh = Dumps(press.dumps.objects, press.signer)
    assert fresh.manifests() == []
    with pytest.raises(DumpRefused, match="--again"):
        press.made()
    assert press.manifest(again=True).sha256 == manifest.sha256


def test_a_manifest_that_does_not_hold_is_told_once(dump: Dump, caplog: pytest.LogCaptureFixture) -> None:
    """However often it is asked for; and it is back with its key."""
    press, manifest, _ = dump
    kept = press.keys[:]
    press.keys[:] = [new_key()]
    fresh = Dumps(press.dumps.objects, press.signer)
    for _ in range(3):
        assert fresh.manifests() == []
    assert caplog.text.count("signed under a key that is not here") == 1
    press.keys[:] = kept
    assert fresh.manifests() == [manifest]


def test_a_public_key_is_told_as_a_web_key() -> None:
    """The example of RFC 8037, appendix A.3."""
    found = web_key("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
    assert found["kid"] == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
    assert (found["kty"], found["crv"], found["alg"]) == ("OKP", "Ed25519", "EdDSA")
