"""`wintercount compare` and `recover`: what a store has lost is told, and what is whole somewhere comes back."""

import contextlib
import gzip
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from events.archiving.objects import ArchiveUnavailable, Objects
from events.canonical import canonical
from events.chain import link
from events.following import Follower
from events.log import PARTITIONS, Diverged, partition_of
from events.memory import MemoryLog
from events.recorded import Head, Recorded
from events.store import META, RedisLog, connect
from projections.history import Histories, History
from projections.runner import Runner
from rulings.archive_file import lines
from service.accounts.callers import SCOPES, Caller
from service.commands import CallerContext
from service.loading import RESTORING
from service.runtime.backup.records import FORM, Header, TableCopy, Writer
from service.runtime.cli import main
from service.runtime.recovery import appending
from service.runtime.recovery import packed as packed_files
from service.runtime.recovery.appending import How, brought_back
from service.runtime.recovery.comparing import Finding
from service.runtime.recovery.gathering import Gathered
from service.runtime.recovery.holdings import Copy
from service.runtime.recovery.saving import Saver
from service.runtime.recovery.sources import Backup
from service.runtime.recovery.watching import LossWatch
from service.runtime.verifying import Status, stored_verdict
from service.tables.forks import Forking, fork
from tests import corpus, damage
from tests.long import long_but_for
from tests.servers import data_beside
from tests.service.api.world import embedded_store
from tests.tables import ANN, BEN, Visit
from worker.archiver import Archiver

MIB = 1 << 20


class Service:
    """A process that plays on a store, and an operator beside it."""

    def __init__(self, url: str) -> None:
        self.url, self.data = url, data_beside(url)
        self.archive = Objects(str(self.data / "archive"))
        self.log = RedisLog(connect(url), PARTITIONS, self.archive)
        self.visit = Visit(self.log)
        self.histories = self.visit.handler.histories
        self.histories.lost = Saver(self.data, 16 * MIB).save

    def invoke(self, *words: str, url: str | None = None) -> Result:
        """A command of the operator's."""
        environment = {
            "WINTERCOUNT_REDIS_URL": url or self.url,
            "WINTERCOUNT_DATA": str(self.data),
            "WINTERCOUNT_ARCHIVE": str(self.data / "archive"),
        }
        return CliRunner().invoke(main, list(words), env=environment)

    def lines(self, *words: str) -> tuple[int, list[dict[str, Any]]]:
        """Exit status and findings of a command as JSON; the last line is its summary."""
        told = self.invoke(*words, "--json")
        return told.exit_code, [json.loads(line) for line in told.stdout.splitlines()]

    def opened(self, moves: int = 3, seed: int = 1) -> str:
        """A table of Ann and Ben's at which they have made some moves."""
        table = self.visit.open("manitou", "ann open")
        self.visit.sit(table, 2, BEN)
        self.play(table, moves, seed)
        return table

    def play(self, table: str, moves: int, seed: int = 1) -> None:
        """So many moves."""
        for number in range(moves):
            seat = self.visit.table(table).decisions[0].seat
            self.visit.play(table, (ANN, BEN)[seat - 1], seed + number)

    def backup(self, name: str) -> Path:
        """A backup."""
        file = self.data / name
        told = self.invoke("backup", str(file))
        assert told.exit_code == 0, told.output
        return file

    def go_back(self, file: Path) -> None:
        """Puts a backup in the place of what the store holds, while the process runs."""
        told = self.invoke("restore", str(file), "--replace", "--without-keys")
        assert told.exit_code in (0, 2), told.output

    def forgotten(self) -> None:
        """The process has nothing in memory any more, and asks of the store what it holds."""
        self.visit = Visit(self.log)

    def archived(self, table: str) -> None:
        """Moves a closed table to the archive."""
        Runner(self.log, Histories(self.log)).catch_up(range(PARTITIONS))
        Archiver(self.log, lambda: 1 << 50, 0).archive_due(lambda _: None)
        assert self.log.places([table])[0]

    def place(self, table: str) -> str:
        """Where the store is at a table."""
        return self.log.head(table).place


@pytest.fixture
def service() -> Iterator[Service]:
    with embedded_store() as url:
        found = Service(url)
        yield found
        found.log.client.close()


def finding(state: str, table: str, source: object, span: tuple[int, int], told: str) -> dict[str, Any]:
    """A line of the report."""
    first, last = span
    return {"state": state, "table": table, "source": str(source), "first": first, "last": last, "told": told}


def receipt(table: str, head: Head | Recorded) -> str:
    """A line of a file of receipts."""
    return json.dumps({"table": table, "version": head.version, "hash": head.hash.hex()}) + "\n"


def test_a_store_that_holds_everything(service: Service) -> None:
    """Exit status 0, and nothing but the summary."""
    service.opened()
    file = service.backup("now.backup")
    status, told = service.lines("compare", str(file))
    assert (status, told) == (0, [{"told": "1 tables in the store compared with 2 sources", "status": "holds"}])


def test_a_lost_end_in_the_memory_of_a_process(service: Service) -> None:
    """The process saves what it drops; compare names the versions, recover writes nothing unless it is told to."""
    table = service.opened()
    file, early = service.backup("early.backup"), service.log.head(table)
    service.play(table, 2, seed=50)
    late = service.log.head(table)
    service.go_back(file)
    with pytest.raises(Diverged):
        service.visit.history(table)
    saved = service.data / "saved" / f"{table}-{late.place}.saved"
    first, last = early.version + 1, late.version

    status, told = service.lines("compare")
    whose = f"the store's history to version {early.version} is its beginning"
    assert told == [
        finding("ahead", table, saved, (first, last), f"it holds versions {first} to {last}; {whose}"),
        {"told": "1 tables in the store compared with 2 sources", "status": "fault"},
    ]
    assert status == 1

    status, told = service.lines("recover")
    assert (status, service.log.head(table)) == (1, early)
    assert told == [
        finding("ahead", table, saved, (first, last), f"versions {first} to {last} verify; --write appends them"),
        {"told": "nothing was written: --write appends what verifies", "status": "fault"},
    ]

    status, told = service.lines("recover", "--write")
    assert (status, service.log.head(table)) == (0, late)
    assert told == [
        finding("restored", table, saved, (first, last), f"versions {first} to {last} are in the store again"),
        {"told": "1 tables brought back", "status": "holds"},
    ]
    assert stored_verdict(service.url, table).status is Status.HOLDS
    assert service.lines("compare")[0] == 0
    assert saved.stat().st_mode & 0o777 == 0o600


def test_a_table_that_is_lost_whole(service: Service) -> None:
    """It comes back from a backup with its requests, which are answered as they were, and play goes on."""
    kept = service.opened()
    early = service.backup("early.backup")
    table = service.opened(moves=2)
    service.play(table, 1, seed=7)
    late, file = service.log.head(table), service.backup("late.backup")
    requests = service.log.client.hgetall(service.log.table_key(table, "requests"))
    service.go_back(early)

    status, told = service.lines("recover", str(file), "--write")
    assert told[0] == finding(
        "restored", table, file, (1, late.version), f"versions 1 to {late.version} are in the store again"
    )
    assert (status, service.log.head(table)) == (0, late)
    assert service.log.client.hgetall(service.log.table_key(table, "requests")) == requests
    assert stored_verdict(service.url, table).status is Status.HOLDS
    service.forgotten()
    service.play(table, 1, seed=9)
    service.play(kept, 1, seed=9)


def test_histories_that_part(service: Service) -> None:
    """A fork names the first version that differs; the store's history stays, whatever is asked for."""
    table = service.opened()
    early, before = service.backup("early.backup"), service.log.head(table)
    service.play(table, 2, seed=50)
    late, file = service.visit.history(table), service.backup("late.backup")
    service.go_back(early)
    service.forgotten()
    service.play(table, 3, seed=80)
    now = service.visit.history(table)
    at = before.version + 1
    receipt = service.data / "receipts"
    receipt.write_text(json.dumps({"table": table, "version": at, "hash": late.events[at - 1].hash.hex()}) + "\n")

    told = (
        f"it has {at}-{late.events[at - 1].hash.hex()[:8]} where the store has {at}-{now.events[at - 1].hash.hex()[:8]}"
        f", and goes to {late.table.head.place}; version {at} of it was acknowledged"
    )
    fork = finding("fork", table, file, (at, late.table.version), told)
    status, found = service.lines("compare", str(file), str(receipt))
    assert (status, found[:-1]) == (1, [fork])
    status, found = service.lines("recover", str(file), str(receipt), "--write")
    assert (status, found[:-1]) == (1, [fork])
    assert service.log.head(table) == now.table.head


def test_copies_ahead_that_part_from_each_other(service: Service) -> None:
    """Neither is brought back until one of them alone is named: which, is the operator's to choose."""
    table = service.opened()
    early = service.backup("early.backup")
    service.play(table, 1, seed=50)
    one = service.backup("one.backup")
    service.go_back(early)
    service.forgotten()
    service.play(table, 2, seed=80)
    other, late = service.backup("other.backup"), service.log.head(table)
    service.go_back(early)

    status, told = service.lines("recover", str(one), str(other), "--write")
    assert (status, [row["state"] for row in told[:-1]]) == (1, ["fork"])
    assert told[0]["source"] == str(one)
    assert f"where {other} has" in told[0]["told"]
    status, told = service.lines("recover", str(other), "--write")
    assert (status, service.log.head(table)) == (0, late)


def test_what_is_lost_for_good(service: Service) -> None:
    """Versions that a receipt tells of, and that no source holds; also where an answer holds the receipt."""
    table = service.opened()
    early, before = service.backup("early.backup"), service.log.head(table)
    service.play(table, 2, seed=50)
    late = service.log.head(table)
    receipt = service.data / "receipts.jsonl"
    answer = {"receipt": {"table": table, "version": late.version, "hash": late.hash.hex()}, "events": []}
    receipt.write_text(json.dumps(answer) + "\n\n")
    service.go_back(early)

    first, last = before.version + 1, late.version
    lost = finding(
        "lost", table, receipt, (first, last), f"versions {first} to {last} were acknowledged, and no source holds them"
    )
    for words in (["compare"], ["recover", "--write"]):
        status, told = service.lines(*words, str(receipt))
        assert (status, told[:-1]) == (1, [lost])
    assert service.log.head(table) == before


@pytest.mark.parametrize("later", ["first", "last"])
def test_receipts_of_both_histories_in_one_file(service: Service, later: str) -> None:
    """That of the store's history hides that of the lost one in no order, though both tell of the same version."""
    table = service.opened()
    early = service.backup("early.backup")
    service.play(table, 1, seed=50)
    lost = service.log.head(table)
    service.go_back(early)
    service.forgotten()
    service.play(table, 1, seed=80)
    receipts = [receipt(table, lost), receipt(table, service.visit.history(table).events[lost.version - 1])]
    file = service.data / "receipts.jsonl"
    file.write_text("".join(receipts if later == "last" else reversed(receipts)))

    told = f"version {lost.version} was acknowledged with another hash than the store's, and no source holds it"
    status, found = service.lines("compare", str(file))
    assert (status, found[:-1]) == (1, [finding("fork", table, file, (lost.version, lost.version), told)])


def test_a_receipt_of_another_history_than_the_one_that_comes_back(service: Service) -> None:
    """It is told before that is in the store, and a recovery ends as a comparison does afterwards."""
    table = service.opened()
    early = service.backup("early.backup")
    service.play(table, 1, seed=50)
    lost, file = service.log.head(table), service.data / "receipts.jsonl"
    file.write_text(receipt(table, lost))
    service.go_back(early)
    service.forgotten()
    service.play(table, 2, seed=80)
    ahead = service.backup("ahead.backup")
    service.go_back(early)

    for command in (["compare"], ["recover", "--write"], ["compare"]):
        status, found = service.lines(*command, str(ahead), str(file))
        assert (status, found[0]["state"], found[0]["source"]) == (1, "fork", str(file))


def test_a_table_in_the_archive(service: Service) -> None:
    """The store went back to before it closed: its segment is there, and brings it back though nothing names it."""
    table = service.opened()
    early, before = service.backup("early.backup"), service.log.head(table)
    service.visit.play_to_the_end(table)
    late = service.log.head(table)
    service.archived(table)
    assert service.lines("compare")[0] == 0
    service.go_back(early)

    first, last = before.version + 1, late.version
    status, told = service.lines("recover", "--write", "--ai-moves", "0")
    assert told[0] == finding(
        "restored", table, "the archive", (first, last), f"versions {first} to {last} are in the store again"
    )
    assert (status, service.log.head(table)) == (0, late)


def test_two_histories_of_a_table_in_the_archive(service: Service) -> None:
    """The store went back to before it ended, and it ended otherwise: the lost one is told, whichever the store has."""
    table = service.opened()
    early = service.backup("early.backup")
    service.play(table, 1, seed=50)
    service.visit.play_to_the_end(table)
    lost = service.log.head(table)
    service.archived(table)
    service.go_back(early)
    service.forgotten()
    service.play(table, 1, seed=80)
    service.visit.play_to_the_end(table)
    kept = service.log.head(table)
    service.archived(table)

    status, told = service.lines("compare")
    assert (status, [(row["state"], row["last"]) for row in told[:-1]]) == (1, [("fork", lost.version)])
    assert told[0]["source"].startswith("the archive, segment ")
    service.go_back(early)
    status, told = service.lines("recover", "--write")
    assert (status, [row["state"] for row in told[:-1]]) == (1, ["fork"])
    assert lost.place in told[0]["told"] or kept.place in told[0]["told"]


def test_an_archived_table_whose_segment_is_gone(service: Service) -> None:
    """Only the head is left: that is damage, and an archive that a player exported tells what there was."""
    table = service.opened()
    service.visit.play_to_the_end(table)
    exported = service.data / "table.jsonl"
    exported.write_bytes(b"".join(lines(service.visit.history(table), None, over=True)))
    service.archived(table)
    shutil.rmtree(service.data / "archive")

    status, told = service.lines("compare", str(exported))
    last = service.log.head(table).version
    assert (status, len(told)) == (1, 2)
    assert (told[0]["state"], told[0]["source"], told[0]["last"]) == ("damaged", "the store", last)
    assert told[0]["told"].endswith(f"; {exported} holds it whole to version {last}")


def test_a_segment_that_cannot_be_read_keeps_nothing_else_from_being_compared(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a disk that does not read one of two, that one is named, and the table in the other one comes back."""
    unread, lost = service.opened(), service.opened(seed=2)
    early = service.backup("early.backup")
    read, files = Objects.read, set[Path]()
    for table in (lost, unread):
        service.visit.play_to_the_end(table)
        service.archived(table)
        files = set((service.data / "archive").rglob("*.segment")) - files
    last = service.log.head(lost)
    (file,) = files

    def failing(objects: Objects, name: str) -> bytes:
        if name.endswith(file.name):
            raise ArchiveUnavailable("the archive does not answer: Input/output error")
        return read(objects, name)

    monkeypatch.setattr(Objects, "read", failing)
    assert service.lines("compare")[1][0]["state"] == "unread"
    service.go_back(early)
    status, told = service.lines("recover", "--write", "--ai-moves", "0")
    assert (status, [(row["state"], row["table"]) for row in told[:-1]]) == (2, [("unread", ""), ("restored", lost)])
    assert (file.stem in told[0]["told"], service.log.head(lost)) == (True, last)


def test_another_store_that_holds_more(service: Service) -> None:
    """A store is named by its URL, whose credentials are told nowhere; a store without any table is one as well."""
    table = service.opened()
    late = service.log.head(table)
    with embedded_store() as other:
        told = service.invoke("compare", service.url.replace("unix://", "unix://:hush@"), url=other)
        assert told.exit_code == 1, told.output
        assert f"it holds versions 1 to {late.version}; the store has none of it" in told.output
        assert "hush" not in told.output
        with contextlib.closing(connect(other)) as client:
            assert not client.exists(META)
            told = service.invoke("recover", service.url, "--write", url=other)
            assert told.exit_code == 0, told.output
            assert RedisLog(client, PARTITIONS).head(table) == late


def test_the_table_in_text(service: Service) -> None:
    """A finding a line, in columns, and the summary."""
    table = service.opened()
    late, file = service.log.head(table), service.backup("late.backup")
    with embedded_store() as other:
        told = service.invoke("compare", str(file), url=other)
    wide, source = len(table), len(str(file))
    assert told.stdout.splitlines() == [
        f"STATE  {'TABLE':{wide}}  {'SOURCE':{source}}  WHAT",
        f"ahead  {table}  {file}  it holds versions 1 to {late.version}; the store has none of it",
        "0 tables in the store compared with 2 sources",
    ]


def forged(history: History, change: dict[str, Any]) -> History:
    """The history with another first event in its last batch, and all hashes from there on made anew."""
    first = history.events[-1].envelope.batch[0]
    events, previous = list(history.events[: first - 1]), history.events[first - 2].hash
    for event in history.events[first - 1 :]:
        envelope = msgspec.structs.replace(event.envelope, **(change if event.version == first else {}))
        raw = canonical(envelope)
        previous = link(previous, event.version, raw)
        events.append(Recorded(envelope, raw, event.sealed, previous))
    found = Histories(MemoryLog()).add(history.table.id, tuple(events))
    assert found
    return found


def test_what_does_not_verify_is_left(service: Service) -> None:
    """A chain that was made anew round an altered batch holds, and what it tells is not brought back."""
    table = service.opened()
    early, before = service.backup("early.backup"), service.log.head(table)
    service.play(table, 1, seed=50)
    Saver(service.data, MIB).save(forged(service.visit.history(table), {"draws": {"shuffle": 9}}))
    service.go_back(early)

    status, told = service.lines("recover", "--write")
    assert (status, [row["state"] for row in told[:-1]], service.log.head(table)) == (1, ["left"], before)
    assert f"version {before.version + 1}" in told[0]["told"]


@pytest.mark.parametrize("name", ["made-up.jsonl", "made-up.gz"])
def test_what_an_exported_archive_alone_tells_is_left(service: Service, name: str) -> None:
    """Whoever has the seed can go on otherwise from where the store is, and it verifies: the operator has to say so.

    Nor is a file of a backup's form believed that is not named as one: it may have been handed in for an archive.
    """
    table = service.opened()
    early, before = service.backup("early.backup"), service.log.head(table)
    service.visit.play_to_the_end(table)
    made_up = service.data / name
    if made_up.suffix == ".gz":
        service.backup("late.backup").rename(made_up)
    else:
        made_up.write_bytes(b"".join(lines(service.visit.history(table), None, over=True)))
    late = service.log.head(table)
    service.go_back(early)

    words = ("recover", str(made_up), "--write", "--ai-moves", "0")
    status, told = service.lines(*words)
    assert (status, [row["state"] for row in told[:-1]], service.log.head(table)) == (1, ["left"], before)
    assert told[0]["told"].startswith(f"versions {before.version + 1} to {late.version} verify, and nothing but")
    status, told = service.lines(*words, "--exported")
    assert (status, told[0]["state"], service.log.head(table)) == (0, "restored", late)


@pytest.mark.parametrize("imported", [True, False])
def test_what_was_imported_is_known_as_such_when_it_comes_back(service: Service, imported: bool) -> None:
    """A backup tells; dumps would else call a table ours that another service has recorded."""
    early, table = service.backup("early.backup"), service.opened()
    if imported:
        service.log.note_imported(table)
    late = service.backup("late.backup")
    service.go_back(early)
    assert not service.log.is_imported(table)
    status, _ = service.lines("recover", str(late), "--write", "--ai-moves", "0")
    assert (status, service.log.is_imported(table)) == (0, imported)


@pytest.mark.parametrize("is_known", [True, False])
def test_a_table_that_an_exported_archive_alone_brings_is_imported(service: Service, is_known: bool) -> None:
    """Unless the store has its beginning, and so knows that it is its own."""
    early, table = service.backup("early.backup"), service.opened()
    early = service.backup("later.backup") if is_known else early
    service.visit.play_to_the_end(table)
    exported = service.data / "exported.jsonl"
    exported.write_bytes(b"".join(lines(service.visit.history(table), None, over=True)))
    service.go_back(early)
    status, _ = service.lines("recover", str(exported), "--write", "--exported", "--ai-moves", "0")
    assert (status, service.log.is_imported(table)) == (0, not is_known)


def test_a_damaged_name_keeps_nobody_from_comparing(service: Service) -> None:
    """Of a key or a request, by a bit; what else was lost comes back."""
    known = service.opened()
    early, table = service.backup("early.backup"), service.opened()
    late, head = service.backup("late.backup"), service.log.head(table)
    service.go_back(early)
    service.log.client.hset(service.log.table_key(known, "requests"), b"\xf0", b"\xf0")
    service.log.client.set(b"{accounts}:player:\xf0", b"x")
    status, told = service.lines("recover", str(late), "--write", "--ai-moves", "0")
    assert (status, told[0]["state"], service.log.head(table)) == (0, "restored", head)


def test_what_our_own_copy_holds_too_is_believed(service: Service) -> None:
    """Of an exported archive and a backup that tell the same, the backup is asked, whichever was named first."""
    table = service.opened()
    early = service.backup("early.backup")
    service.visit.play_to_the_end(table)
    exported, late = service.data / "exported.jsonl", service.log.head(table)
    exported.write_bytes(b"".join(lines(service.visit.history(table), None, over=True)))
    file = service.backup("late.backup")
    service.go_back(early)
    status, told = service.lines("recover", str(exported), str(file), "--write", "--ai-moves", "0")
    assert (status, told[0]["source"], service.log.head(table)) == (0, str(file), late)


def test_a_copy_with_a_name_that_nobody_has_is_left(service: Service) -> None:
    """As an import refuses it: standings count `ai:greedy` as a level of AI."""
    service.opened()
    early, table = service.backup("early.backup"), service.opened()
    stranger = {"by": {"kind": "player", "player": "ai:greedy"}}
    Saver(service.data, MIB).save(forged(service.visit.history(table), stranger))
    service.go_back(early)
    status, told = service.lines("recover", "--write")
    assert (status, [row["state"] for row in told[:-1]]) == (1, ["left"])
    assert "'ai:greedy' is no name that the service gives to a table or a player" in told[0]["told"]


HASH = "00" * 32
ESCAPES = "\x1b[2J\nrestored  t_aaaaaaaaaaaaaaaa"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("[" * 100_000, "line 1 is no receipt"),
        (f'{{"table": "t_aaaaaaaaaaaaaaaa", "version": 1e999, "hash": "{HASH}"}}', "has no version inf"),
        (f'{{"table": "t_aaaaaaaaaaaaaaaa", "version": -3, "hash": "{HASH}"}}', "has no version -3"),
        (f'{{"table": "t_aaaaaaaaaaaaaaaa", "version": {10**30}, "hash": "{HASH}"}}', "has no version 1000"),
        (f'{{"table": "t_aaaaaaaaaaaaaaaa", "version": [1], "hash": "{HASH}"}}', "has no version [1]"),
        (json.dumps({"table": ESCAPES, "version": 1, "hash": HASH}), f"{ESCAPES!a} is no name"),
        (json.dumps({"table": "\ud800", "version": 1, "hash": HASH}), "'\\ud800' is no name"),
        (json.dumps({"table": {"a": 1}, "version": 1, "hash": HASH}), "{'a': 1} is no name"),
    ],
    ids=["nesting", "infinity", "negative", "huge", "list", "escapes", "surrogate", "object"],
)
def test_a_receipt_that_nobody_was_given(service: Service, line: str, told: str) -> None:
    """Strangers hand receipts in: what is none is said in signs that do nothing to a terminal, and ends nothing."""
    (service.data / "receipts").write_text(line + "\n")
    status, found = service.lines("compare", str(service.data / "receipts"))
    assert (status, [row["state"] for row in found[:-1]]) == (2, ["unread"])
    assert told in found[0]["told"]


def test_a_backup_whose_requests_are_no_text(service: Service) -> None:
    """It is a copy that is damaged, and the others are compared."""
    file, table = service.data / "odd.backup", "t_aaaaaaaaaaaaaaaa"
    with open(file, "wb") as opened:
        writer = Writer(opened)
        writer.write(Header(FORM, "1", PARTITIONS, "2026-11-22T00:00:00.000Z"))
        writer.write(TableCopy(table, 5, bytes(32), (), {b"\xff": b"\xff"}))
        writer.end()
    status, found = service.lines("compare", str(file))
    assert (status, found[0]["state"], found[0]["table"]) == (1, "damaged", table)


def test_a_branch_is_verified_against_its_parent(service: Service) -> None:
    """Both are lost whole: the branch's origin is held against the parent that a source has."""
    table = service.opened()
    early = service.backup("early.backup")
    parent = service.opened(moves=4)
    asked = CallerContext(Caller(ANN, SCOPES), service.visit.request())
    history = service.visit.history(parent)
    branch = fork(service.visit.handler, history, asked, Forking(history.table.version)).table.id
    file = service.backup("late.backup")
    service.go_back(early)

    status, told = service.lines("recover", str(file), "--write")
    assert (status, {row["table"]: row["state"] for row in told[:-1]}) == (
        0,
        dict.fromkeys((parent, branch), "restored"),
    )
    assert service.log.head(table).version


@pytest.mark.parametrize("change", damage.ALL)
def test_a_record_that_is_damaged_in_the_store(service: Service, change: damage.Change) -> None:
    """It is named with the copy that is whole, and nothing is appended to it."""
    table = service.opened()
    file, last = service.backup("now.backup"), service.log.head(table).version
    damage.damage(service.log, table, 1, change)
    status, told = service.lines("recover", str(file), "--write")
    assert (status, len(told)) == (1, 2)
    assert (told[0]["state"], told[0]["source"], told[0]["last"]) == ("damaged", "the store", last)
    assert told[0]["told"].endswith(f"; {file} holds it whole to version {last}")


def test_a_process_finds_out_before_anybody_asks(service: Service) -> None:
    """What is in memory of a partition whose feed went back is saved; whoever asks is told of the loss all the same."""
    table, other = service.opened(), service.opened()
    early = service.backup("early.backup")
    service.play(table, 1, seed=50)
    late = service.log.head(table)
    service.go_back(early)
    watch = LossWatch(service.histories, Saver(service.data, 16 * MIB))

    watch.look_at(service.histories.heads())
    assert [file.name for file in (service.data / "saved").iterdir()] == [f"{table}-{late.place}.saved"]
    assert set(watch.known_in([partition_of(other)])) == {
        one for one in (table, other) if partition_of(one) == partition_of(other)
    }
    with pytest.raises(Diverged):
        service.visit.history(table)


def test_what_was_lost_before_any_feed_told_it_is_saved(service: Service) -> None:
    """A move of the last moment: the feeds end where they ended at the look before."""
    table = service.opened()
    service.opened()
    early = service.backup("early.backup")
    saver = Saver(service.data, 16 * MIB)
    watch, feeds = LossWatch(service.histories, saver), Follower(service.log)
    watch.look(feeds)
    assert saver.count() == 0

    service.play(table, 1, seed=50)
    late = service.log.head(table)
    service.go_back(early)
    watch.look(feeds)
    assert [file.name for file in (service.data / "saved").iterdir()] == [f"{table}-{late.place}.saved"]
    assert saver.count() == 1


def test_what_is_saved_is_bounded(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    """Beyond that a table is not saved, and the log says so with what to do."""
    one, other = service.opened(), service.opened()
    saver = Saver(service.data, 1)
    saver.save(service.visit.history(one))
    saver.save(service.visit.history(other))
    assert [file.name.partition("-")[0] for file in saver.directory.iterdir()] == [one]
    assert f"{other} was not saved" in caplog.text
    assert "is full; compare and recover, then remove its files" in caplog.text


def test_a_directory_of_copies_may_have_others_in_it(service: Service) -> None:
    """Such as `lost+found`, or last year's: what lies in them is named by itself."""
    service.opened()
    copies = service.data / "copies"
    (copies / "lost+found").mkdir(parents=True)
    service.backup("now.backup").rename(copies / "now.backup")
    status, told = service.lines("compare", str(copies))
    assert (status, told) == (0, [{"told": "1 tables in the store compared with 2 sources", "status": "holds"}])


def test_a_source_that_cannot_be_read(service: Service) -> None:
    """Exit status 2: nothing is wrong as far as it could be looked at."""
    service.opened()
    file = service.backup("cut.backup")
    file.write_bytes(file.read_bytes()[:-40])
    (service.data / "receipts").write_text('{"table": "t_x", "version": 1}\n')
    status, told = service.lines("compare", str(file), str(service.data / "receipts"))
    assert status == 2
    assert [(row["state"], row["source"]) for row in told[:-1]] == [
        ("unread", str(file)),
        ("unread", str(service.data / "receipts")),
    ]
    assert told[1]["told"] == "line 1 is no receipt: it needs `table`, `version` and `hash`"


@pytest.mark.parametrize("holds", ["nothing", "an empty log", "a half of a restore"])
def test_a_store_that_has_lost_all_was_not_read(service: Service, holds: str) -> None:
    """An old server that came up without its disk, or has none of it back yet, tells nothing of what was there."""
    with embedded_store() as other, contextlib.closing(connect(other)) as client:
        if holds == "a half of a restore":
            Service(other).opened()
            client.set(RESTORING, "late.backup")
        elif holds == "an empty log":
            client.hset(META, "partitions", PARTITIONS)
        service.opened()

        status, told = service.lines("compare", other)
        assert (status, [(row["state"], row["source"]) for row in told[:-1]]) == (2, [("unread", other)])
        assert service.lines("recover", other, "--write")[0] == 2


@pytest.mark.parametrize("url", ["redis+cluster://:hush@127.0.0.1:1", "http://:hush@10.0.0.1/x", "redis://:hush@[::1"])
def test_a_url_at_which_no_store_is_keeps_no_others_from_being_asked(service: Service, url: str) -> None:
    """A cluster none of whose nodes answers, and a word that is no URL of a store, are told as what was not read."""
    table = service.opened()
    file = service.backup("late.backup")
    with embedded_store() as empty:
        told = service.invoke("compare", url, str(file), url=empty)

    assert told.exit_code == 1, told.output
    assert f"ahead   {table}" in told.output
    assert f"unread  -{' ' * (len(table) - 1)}  {url.replace(':hush@', '')}" in told.output
    assert "hush" not in told.output


@pytest.mark.parametrize("name", ["late.backup", "receipts.jsonl", "disk"])
def test_a_source_in_which_nothing_is_was_not_read(service: Service, name: str) -> None:
    """A file that a full disk has cut off before its first byte, and a directory where a disk is not mounted."""
    service.opened()
    source = service.data / name
    (source / "2026").mkdir(parents=True) if name == "disk" else source.write_bytes(b"")

    status, told = service.lines("compare", str(source))
    assert (status, [(row["state"], row["source"]) for row in told[:-1]]) == (2, [("unread", str(source))])
    assert service.lines("recover", str(source), "--write")[0] == 2


def test_a_source_that_is_cut_off_while_it_is_read_keeps_no_other_from_being_compared(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told, and so is what others know to be lost."""
    table = service.opened()
    early = service.backup("early.backup")
    service.play(table, 2, seed=50)
    late, receipts = service.backup("late.backup"), service.data / "receipts.jsonl"
    kept = late.read_bytes()
    receipts.write_text(receipt(table, service.log.head(table)))
    service.go_back(early)
    copies = Backup.copies

    def cut_off(backup: Backup, tables: Collection[str]) -> Iterator[Copy]:
        late.write_bytes(late.read_bytes()[:99])
        return copies(backup, tables)

    monkeypatch.setattr(Backup, "copies", cut_off)
    for command in (["compare"], ["recover", "--write"]):
        status, told = service.lines(*command, str(late), str(receipts))
        assert (status, [row["state"] for row in told[:-1]]) == (1, ["unread", "lost"])
        late.write_bytes(kept)


@pytest.mark.parametrize("becomes", ["early.backup", "other.backup", "cut off"])
def test_a_copy_that_is_another_one_when_it_is_to_come_back_is_left(
    service: Service, monkeypatch: pytest.MonkeyPatch, becomes: str
) -> None:
    """Nothing comes back but what was compared: by then a file may hold another history, or nothing."""
    table = service.opened()
    early, before = service.backup("early.backup"), service.log.head(table)
    service.play(table, 3, seed=80)
    service.backup("other.backup")
    service.go_back(early)
    service.forgotten()
    service.play(table, 2, seed=50)
    late, last = service.backup("late.backup"), service.log.head(table).version
    service.go_back(early)

    def changed(found: Gathered, how: How) -> Iterator[Finding]:
        late.write_bytes(late.read_bytes()[:99] if becomes == "cut off" else (service.data / becomes).read_bytes())
        return brought_back(found, how)

    monkeypatch.setattr(appending, "brought_back", changed)
    status, told = service.lines("recover", str(late), "--write")
    assert (status, told[:-1]) == (
        1,
        [finding("left", table, late, (before.version + 1, last), appending.CHANGED)],
    )
    assert service.log.head(table) == before


@pytest.mark.parametrize("form", ["cut", "altered", "large"])
def test_an_archive_that_cannot_be_unpacked_is_unread(
    service: Service, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    """It ends nothing, wherever it is damaged; and a small file may hold more than anybody has memory for."""
    service.opened()
    packed, file = gzip.compress(b"".join(corpus.lines_of("tomahawk-2-greedy"))), service.data / "table.ndjson.gz"
    half = len(packed) // 2
    forms = {"cut": packed[:half], "altered": packed[:half] + bytes(9) + packed[half + 9 :], "large": packed}
    file.write_bytes(forms[form])
    if form == "large":
        monkeypatch.setattr(packed_files, "MOST_UNPACKED", 9999)
    status, told = service.lines("compare", str(file))
    assert (status, [(row["state"], row["source"]) for row in told[:-1]]) == (2, [("unread", str(file))])
    assert told[0]["told"].startswith("it holds more than" if form == "large" else "it cannot be unpacked: ")


KILLED = """
import os, signal, sys
from events.store import RedisLog
append, left = RedisLog.append, [int(sys.argv.pop(1))]
def mortal(self, table, batch):
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    left[0] -= 1
    return append(self, table, batch)
RedisLog.append = mortal
from service.accounts.callers import SCOPES, Caller
from service.commands import CallerContext
from service.runtime.backup.records import FORM, Header, TableCopy, Writer
from service.runtime.cli import main
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("batches", long_but_for({1}.__contains__, [0, 1, 3]))
def test_a_recovery_that_is_killed_is_repeated(service: Service, batches: int) -> None:
    """What was appended until then stays, and the repeat goes on from there."""
    table = service.opened(moves=1)
    early, before = service.backup("early.backup"), service.log.head(table)
    service.play(table, 5, seed=50)
    late, file = service.log.head(table), service.backup("late.backup")
    service.go_back(early)

    environment = os.environ | {"WINTERCOUNT_REDIS_URL": service.url, "WINTERCOUNT_DATA": str(service.data)}
    words = [sys.executable, "-c", KILLED, str(batches), "recover", str(file), "--write"]
    assert subprocess.run(words, env=environment, capture_output=True, timeout=120, check=False).returncode == -9
    assert before.version + batches <= service.log.head(table).version < late.version
    status, told = service.lines("recover", str(file), "--write")
    assert (status, told[0]["state"], service.log.head(table)) == (0, "restored", late)
    assert stored_verdict(service.url, table).status is Status.HOLDS
