"""The commands that are clients: what they print and write is what the service tells."""

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulings.notation import document_of, parse, write
from tests import corpus
from tests.service.api.world import ADMIN, Somebody, World, refused
from wintercount.cli import main as cli

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


@pytest.mark.slow
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


@pytest.mark.parametrize("command", ["watch", "export"])
def test_what_is_not_there_is_not_watched(address: str, finished: tuple[Somebody, str], command: str) -> None:
    """Status 1, with the service's own words and what to do; for programs the problem that it sent."""
    told = run(address, command, finished[1])
    assert (told.exit_code, told.stdout) == (1, "")
    assert told.stderr.startswith(
        f"Error: there is no table '{finished[1]}'. Check the id. Log in with `wintercount login`"
    )
    programs = run(address, command, finished[1], "--json")
    problem = json.loads(programs.stderr)
    assert (programs.exit_code, programs.stdout, problem["code"], problem["status"]) == (1, "", "no_such_table", 404)


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


def test_a_text_is_told_to_programs(address: str, finished: tuple[Somebody, str], tmp_path: Path) -> None:
    """As a member of an object, exported or converted; of a file its size; events and archives are JSON anyway."""
    ann, table = finished
    file = tmp_path / "table.ndjson"
    written = json.loads(run(address, "export", table, str(file), "--json", token=ann.token).stdout)
    assert written == {"table": table, "file": str(file), "bytes": file.stat().st_size}
    text = run(address, "export", table, "--notation", token=ann.token).stdout
    exported = run(address, "export", table, "--notation", "--json", token=ann.token)
    assert json.loads(exported.stdout) == {"table": table, "notation": text}
    archive = run(address, "export", table, "--json", token=ann.token)
    assert archive.stdout_bytes == file.read_bytes()
    plain, converted = (CliRunner().invoke(cli.main, ["convert", str(file), *asked]) for asked in ([], ["--json"]))
    assert json.loads(converted.stdout) == {"file": str(file), "notation": plain.stdout}
    events = CliRunner().invoke(cli.main, ["convert", str(file), "--json", "--to", "events"]).stdout.splitlines()
    assert json.loads(events[0])["type"] == "GameStarted"


def test_archives_are_imported(world: World, address: str) -> None:
    """Once, however often it is asked for; for operators alone."""
    path, table = str(corpus.path_of(NAME)), corpus.history_of(NAME).table
    denied = run(address, "import", path)
    assert (denied.exit_code, "Log in with `wintercount login`, or give a token" in denied.output) == (1, True)
    refused(world.nobody.get(f"/v1/tables/{table.id}"), 404, "no_such_table")
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


@pytest.mark.slow
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
