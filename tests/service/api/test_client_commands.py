"""The commands that are clients: what they print and write is what the service tells."""

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulings.notation import document_of, parse, write
from service.runtime import cli
from tests import corpus
from tests.service.api.world import ADMIN, Somebody, World, refused

NAME = "manitou-2-greedy"


@pytest.fixture(scope="module")
def finished(world: World) -> tuple[Somebody, str]:
    """Somebody and a private table that she has played to its end."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game="tomahawk", visibility="private")
    world.play(table, ann, bob, moves=1000)
    return ann, table


def run(address: str, *words: str, token: str | None = None) -> Result:
    return CliRunner().invoke(cli.main, [*words, "--server", address], env={"WINTERCOUNT_TOKEN": token})


def test_a_table_is_watched_to_its_end(address: str, finished: tuple[Somebody, str]) -> None:
    """A sentence an event; as JSON the events themselves; from any version on, even the last."""
    ann, table = finished
    events = ann.get(f"/v1/tables/{table}/events?language=en&limit=1000").json["events"]
    told = run(address, "watch", table, token=ann.token)
    assert told.exit_code == 0
    assert told.output.splitlines() == [
        *(f"{event['version']:5d}  {event['words']}" for event in events),
        "The stream ends: table closed.",
    ]
    behind = run(address, "watch", table, "--after", "9", "--json", token=ann.token).output.splitlines()
    assert [json.loads(line) for line in behind[:-1]] == events[9:]
    assert json.loads(behind[-1]) == {"reason": "table_closed"}
    assert run(address, "watch", table, "--after", str(len(events)), token=ann.token).output == ""


def test_what_is_not_there_is_not_watched(address: str, finished: tuple[Somebody, str]) -> None:
    """The service's own words, and status 1."""
    for words in (("watch",), ("export",)):
        told = run(address, *words, finished[1])
        assert (told.exit_code, "no-such-table" in told.output, "Traceback" in told.output) == (1, True, False)


def test_a_table_is_exported(address: str, finished: tuple[Somebody, str], tmp_path: Path) -> None:
    """All parts of the archive, compressed by name, or as a text; nothing else is left in the folder."""
    ann, table = finished
    archive = ann.get(f"/v1/tables/{table}/archive").data
    assert run(address, "export", table, token=ann.token).stdout_bytes == archive
    file = tmp_path / "table.ndjson.gz"
    assert run(address, "export", table, str(file), token=ann.token).exit_code == 0
    text = run(address, "export", table, "--notation", token=ann.token).stdout
    assert parse(text).value("Table") == table
    assert run(address, "convert", str(file)).exit_code == 2  # it asks no server
    assert CliRunner().invoke(cli.main, ["convert", str(file)]).output.splitlines()[1] == "[Game tomahawk]"
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_archives_are_imported(world: World, address: str) -> None:
    """Once, however often it is asked for; for operators alone."""
    path, table = str(corpus.path_of(NAME)), corpus.history_of(NAME).table
    denied = run(address, "import", path)
    assert (denied.exit_code, "unauthenticated" in denied.output) == (1, True)
    refused(world.nobody.get(f"/v1/tables/{table.id}"), 404, "no-such-table")
    for _ in range(2):
        told = run(address, "import", path, token=ADMIN)
        assert (told.exit_code, told.output) == (0, f"{path}: {table.id}, {table.version} events\n")
    found = json.loads(run(address, "import", path, "--json", token=ADMIN).output)
    assert found["hash"] == table.head.hash.hex()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_the_commands(shell: str) -> None:
    """The script names the command and the variable by which click answers."""
    told = CliRunner().invoke(cli.main, ["completion", shell])
    assert told.exit_code == 0
    assert "_WINTERCOUNT_COMPLETE" in told.output


def test_a_text_is_loaded_watched_and_exported(address: str, world: World, tmp_path: Path) -> None:
    """As a transcript, by any account; a repeat finds the same one, and nothing is there to be proved."""
    ann, text = world.somebody("Ann"), write(document_of(corpus.history_of(NAME), None, over=True))
    file = tmp_path / "game.txt.gz"
    file.write_bytes(gzip.compress(text.encode()))
    told = [run(address, "import", "--notation", str(file), token=ann.token).stdout for _ in range(2)]
    assert told[0] == told[1]
    table, version = told[0].removeprefix(f"{file}: ").removesuffix(" events\n").split(", ")
    assert run(address, "export", table, "--notation", token=ann.token).stdout == text
    watched = run(address, "watch", table, token=ann.token).output.splitlines()
    assert len(watched) == int(version) + 1
    archived = run(address, "export", table, token=ann.token)
    assert (archived.exit_code, "it has no record" in archived.output) == (1, True)
    plain = tmp_path / "game.txt"
    plain.write_text(text)
    verified = CliRunner().invoke(cli.main, ["verify", str(plain)])
    assert (verified.exit_code, "a text in notation has no chain" in verified.output) == (1, True)
    assert run(address, "import", "--public", str(plain), token=ann.token).exit_code == 2
