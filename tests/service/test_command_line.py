"""Every command of the command line: it prints JSON when asked, and refuses in one way."""

import json
import socket
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from service.runtime import cli

NOWHERE = ("--server", "http://127.0.0.1:1")
TABLE = "t_" + "a" * 16
Settings = dict[str, str | None]
NO_STORE: Settings = {"WINTERCOUNT_REDIS_URL": None}
DEAD_STORE: Settings = {"WINTERCOUNT_REDIS_URL": "redis://127.0.0.1:1"}
REFUSED: dict[
    str, tuple[tuple[str, ...], Settings]
] = {  # each command with words that it refuses, and the setting that lets it
    "analyse": (("file",), NO_STORE),
    "archive": ((), DEAD_STORE),
    "backup": (("new.backup",), DEAD_STORE),
    "bot": (NOWHERE, NO_STORE),
    "case": ((TABLE, "1"), DEAD_STORE),
    "check-aof": ((), NO_STORE),
    "compare": (("none.ndjson",), NO_STORE),
    "convert": (("file",), NO_STORE),
    "dispatch": ((), NO_STORE),
    "dump": ((), DEAD_STORE),
    "explain-move": ((TABLE, "1"), DEAD_STORE),
    "export": ((TABLE, *NOWHERE), NO_STORE),
    "fairness": ((), DEAD_STORE),
    "forget": (("p_" + "a" * 16,), DEAD_STORE),
    "import": (("file", *NOWHERE), NO_STORE),
    "moderate": (("list",), DEAD_STORE),
    "play": (("no-table",), NO_STORE),
    "readjudicate": (("--all",), DEAD_STORE),
    "rebuild": ((), DEAD_STORE),
    "recover": (("none.ndjson",), NO_STORE),
    "restore": (("file",), NO_STORE),
    "rotate-secret": ((), DEAD_STORE),
    "run": (("--no-demo",), NO_STORE),
    "serve": ((), NO_STORE),
    "verify": ((TABLE,), DEAD_STORE),
    "watch": ((TABLE, "--server", "no-address"), NO_STORE),
    "worker": ((), NO_STORE),
}
NEVER_REFUSED = {"completion", "doctor"}  # of the doctor a fault is what it prints
each = pytest.mark.parametrize("name", sorted(cli.main.commands))
each_refused = pytest.mark.parametrize("name", REFUSED)


def invoked(name: str, *words: str, **settings: str | None) -> Result:
    return CliRunner().invoke(cli.main, [name, *words], env=settings)


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """An empty folder to run in, but for a file that is nothing known; the settings that go with it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("redis.retry.sleep", lambda _: None)  # the store is dead for good
    (tmp_path / "file").write_text("neither / nor")
    return {"WINTERCOUNT_DATA": str(tmp_path / "data"), "WINTERCOUNT_TOKEN": None}


def refused(name: str, there: Settings, *words: str) -> Result:
    """What a command says that refuses; one that would listen finds its port taken."""
    asked, settings = REFUSED[name]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        return invoked(name, *asked, *words, **there, **settings, WINTERCOUNT_PORT=port)


def test_every_command_is_here() -> None:
    """Each is refused below, or cannot be."""
    assert {*REFUSED, *NEVER_REFUSED} == set(cli.main.commands)


@each
def test_every_command_takes_json(name: str) -> None:
    """And its help says what that does."""
    found = invoked(name, "--help")
    assert found.exit_code == 0
    assert "--json" in found.output
    options = {word for option in cli.main.commands[name].params for word in option.opts}
    assert "--json" in options


@each
def test_words_that_make_no_command_are_refused(name: str) -> None:
    """With status 2: in a sentence, or as a problem of the code `usage`."""
    told = invoked(name, "--nonsense")
    assert (told.exit_code, told.stdout) == (2, "")
    assert "Error: No such option" in told.stderr
    problem = invoked(name, "--nonsense", "--json")
    assert (problem.exit_code, problem.stdout) == (2, "")
    assert json.loads(problem.stderr) == {"code": "usage", "detail": "No such option '--nonsense'."}


@each_refused
def test_a_refusal_is_a_sentence(name: str, there: Settings) -> None:
    """On standard error, with status 1: no JSON, no traceback."""
    told = refused(name, there)
    assert isinstance(told.exception, SystemExit), told.exception
    assert told.exit_code == 1
    sentence = told.stderr.splitlines()[-1].removeprefix("Error: ")
    assert sentence != told.stderr.splitlines()[-1]
    assert not sentence.startswith("{")
    assert len(sentence.split()) > 3, sentence


@each_refused
def test_a_refusal_is_a_problem_for_programs(name: str, there: Settings) -> None:
    """One line of JSON on standard error, with the same status, and nothing else there."""
    told = refused(name, there, "--json")
    assert isinstance(told.exception, SystemExit), told.exception
    assert told.exit_code == 1
    (line,) = told.stderr.splitlines()
    problem = json.loads(line)
    assert problem["code"] in {"failed", "no-answer", "store-unavailable", "usage"}
    assert problem["detail"]


def test_a_command_without_a_name_is_refused() -> None:
    """Words that belong to no command are told as well."""
    told = CliRunner().invoke(cli.main, ["fly", "--json"])
    assert (told.exit_code, json.loads(told.stderr)["code"]) == (2, "usage")
    assert isinstance(cli.main, click.Group)
