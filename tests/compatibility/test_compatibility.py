"""This version reads what each release left behind, and its client plays here."""

import gzip
import json
import os
import random
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from events.verify import archive_faults
from projections.history import TableHistory
from rulings.archive_format import read_history
from rulings.replay import replay
from service import __version__
from tests.compatibility.freeze import ACCOUNTS, DATA, FOLDER, KEPT, step
from tests.servers import data_directory
from tests.service.web import serving
from wintercount_client import Client, operations

RELEASES = sorted(path.parent for path in FOLDER.glob(f"*/{ACCOUNTS}"))
ARCHIVES = [path for release in RELEASES for path in sorted(release.glob("*.ndjson.gz"))]
MOST_BYTES = 600_000  # of a release
BOT = """
import sys, wintercount_client
assert wintercount_client.__file__.startswith(sys.argv[1])
with wintercount_client.Client(sys.argv[2]) as client:
    table = client.tables.open("tomahawk", ai="uniform")
    for turn in table.turns():
        turn.play(turn.moves[0])
    print(table.state()["status"], [event["type"] for event in table.events()][-1])
"""


class Served(NamedTuple):
    """A release's store, served by this version."""

    release: Path
    address: str
    accounts: dict[str, Any]
    clients: dict[str, Client]


@pytest.fixture(scope="module", params=RELEASES, ids=lambda path: path.name)
def served(request: pytest.FixtureRequest) -> Iterator[Served]:
    """What a release left behind, as it is when somebody installs this version over it."""
    accounts = json.loads((request.param / ACCOUNTS).read_text(encoding="utf-8"))
    with data_directory() as directory, ExitStack() as stack:
        with tarfile.open(request.param / DATA) as archive:
            archive.extractall(directory, filter="data")
        command = ("-m", "wintercount", "run", "--no-demo")
        address = stack.enter_context(serving("", *command, DATA=str(directory), SECRET=""))
        tokens = accounts["tokens"].items()
        clients = {name: stack.enter_context(Client(address, token)) for name, token in tokens}
        yield Served(request.param, address, accounts, clients)


def read(archive: bytes) -> TableHistory:
    """The table of an archive that has no fault."""
    lines = archive.splitlines(keepends=True)
    assert list(archive_faults(lines)) == []
    return read_history(lines)


@pytest.mark.parametrize("path", ARCHIVES, ids=lambda path: f"{path.parent.name}-{path.name.partition('.')[0]}")
def test_an_archive_verifies_and_is_decided_again_as_it_was(path: Path) -> None:
    history = read(gzip.decompress(path.read_bytes()))
    report = replay(history)
    assert history.table.over
    assert (report.divergence, report.stop, report.draws_other) == (None, None, 0)
    assert report.scores_decided == report.scores_recorded


@pytest.mark.slow
def test_accounts_and_finished_tables_are_there(served: Served) -> None:
    """With names, and every event as it was archived."""
    for name, client in served.clients.items():
        assert client.send(operations.get_me())["name"] == name.capitalize()
    for game, table in served.accounts["finished"].items():
        archived = read(gzip.decompress((served.release / f"{game}.ndjson.gz").read_bytes()))
        exported = read(served.clients["ann"].send(operations.export_archive(table)))
        assert [event.hash for event in exported.events] == [event.hash for event in archived.events]
        assert served.clients["ann"].send(operations.audit_table(table))["holds"]


@pytest.mark.slow
def test_a_running_table_plays_on(served: Served) -> None:
    players = [served.clients["ann"], served.clients["ben"]]
    table, luck = served.accounts["running"], random.Random(1)
    while step(players, table, luck):
        pass
    assert players[0].tables.get(table).state()["status"] == "finished"
    assert players[0].send(operations.audit_table(table))["holds"]


@pytest.mark.slow
def test_an_open_dispute_is_decided(served: Served) -> None:
    """Its claim can still be read, and play goes on after the verdict."""
    ann, ben, ida = served.clients.values()
    table, dispute = served.accounts["disputed"], served.accounts["dispute"]
    (shown,) = ida.send(operations.list_disputes(table))["disputes"]
    assert (shown["id"], shown["claim"]) == (dispute, "I read it so.")
    assert step([ann, ben], table, random.Random(1)) == []
    ida.send(operations.resolve_dispute(table, dispute, {"outcome": "overturned", "text": "So do I."}))
    assert step([ann, ben], table, random.Random(1))


@pytest.mark.slow
def test_the_client_plays_a_game(served: Served) -> None:
    """The released wheel, with this version's dependencies, against this version's service."""
    (wheel,) = served.release.glob("*.whl")
    command = [sys.executable, "-c", BOT, str(wheel), served.address]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": str(wheel)}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "finished TableClosed\n"), done.stderr


def test_what_a_release_left_behind_is_whole_and_small() -> None:
    assert __version__ in {path.name for path in RELEASES}
    for release in RELEASES:
        assert sum(path.stat().st_size for path in release.iterdir()) < MOST_BYTES
        with tarfile.open(release / DATA) as archive:
            assert {name.partition("/")[0] for name in archive.getnames()} == set(KEPT)
