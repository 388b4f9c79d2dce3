"""Every command of the command line: it prints JSON when asked, and refuses in one way."""

import gzip
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import requests
from click.testing import CliRunner, Result
from obstore import parse_scheme
from redis.exceptions import ReadOnlyError, TryAgainError

from events.scripts import NotReplicated
from service import __version__
from service.config import SETTINGS, STORAGE_SCHEMES, Settings, settings_from
from tests.long import long_but_for
from wintercount.cli import clients
from wintercount.cli import main as cli
from wintercount.cli.errors import Problem, of_a_service, refusing
from wintercount.cli.main import main
from wintercount.processes.stop_signals import NUMBERS
from worker.client import Api, Frame

NOWHERE = ("--server", "http://127.0.0.1:1")
TABLE = "t_" + "a" * 16
Environment = dict[str, str | None]
NO_STORE: Environment = {"WINTERCOUNT_REDIS_URL": None}
DEAD_STORE: Environment = {"WINTERCOUNT_REDIS_URL": "redis://127.0.0.1:1"}
DEAD_CLUSTER: Environment = {"WINTERCOUNT_REDIS_URL": "redis+cluster://127.0.0.1:1"}
REFUSED: dict[
    str, tuple[tuple[str, ...], Environment]
] = {  # each command with words that it refuses, and the setting that lets it
    "analyse": (("file",), NO_STORE),
    "api": (("GET", "games", *NOWHERE), NO_STORE),
    "archive": ((), DEAD_CLUSTER),
    "backup": (("new.backup",), NO_STORE),
    "bot": (NOWHERE, NO_STORE),
    "case": ((TABLE, "1"), DEAD_STORE),
    "convert": (("file",), NO_STORE),
    "dev": (("--game", "no-such-game"), NO_STORE),
    "dispatch": ((), NO_STORE),
    "dump": ((), DEAD_STORE),
    "explain-move": ((TABLE, "1"), DEAD_STORE),
    "export": ((TABLE, *NOWHERE), NO_STORE),
    "forget": (("p_" + "a" * 16,), DEAD_STORE),
    "import": (("file", *NOWHERE), NO_STORE),
    "login": (("--token", "wc_x", *NOWHERE), NO_STORE),
    "moderate": (("list",), DEAD_STORE),
    "new-game": (("No Such Name",), NO_STORE),
    "play": (("no-table",), NO_STORE),
    "impact": (("--all",), DEAD_STORE),
    "rebuild": ((), DEAD_STORE),
    "restore": ((".",), NO_STORE),
    "rotate-secret": ((), DEAD_STORE),
    "run": (("--no-demo",), NO_STORE),
    "serve": ((), NO_STORE),
    "show": ((TABLE, *NOWHERE), NO_STORE),
    "tables": (NOWHERE, NO_STORE),
    "verify": ((TABLE,), DEAD_STORE),
    "watch": ((TABLE, "--server", "no-address"), NO_STORE),
    "worker": ((), NO_STORE),
}
STATUS = {"verify": 2, "dev": 2}  # verify could check nothing, for which 1 is a fault; dev has no such game
NEVER_REFUSED = {"completion", "doctor", "settings"}  # of the doctor a fault is what it prints
each = pytest.mark.parametrize("name", sorted(cli.PLACES))
each_refused = pytest.mark.parametrize("name", REFUSED)


def invoked(name: str, *words: str, **settings: str | None) -> Result:
    return CliRunner().invoke(cli.main, [name, *words], env=settings)


def command(name: str) -> click.Command:
    found = cli.main.get_command(click.Context(cli.main), name)
    assert found is not None
    return found


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    """An empty folder to run in, but for a file that is nothing known; the settings that go with it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("redis.retry.sleep", lambda _: None)  # the store is dead for good
    (tmp_path / "file").write_text("neither / nor")
    return {"WINTERCOUNT_DATA": str(tmp_path / "data"), "WINTERCOUNT_TOKEN": None}


def refused(name: str, there: Environment, *words: str) -> Result:
    """What a command says that refuses; one that would listen finds its port taken."""
    asked, settings = REFUSED[name]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        return invoked(name, *asked, *words, **there, **settings, WINTERCOUNT_PORT=port)


def test_every_command_is_here() -> None:
    """Each is refused below, or cannot be."""
    assert {*REFUSED, *NEVER_REFUSED} == set(cli.PLACES)


@each
def test_every_command_takes_json(name: str) -> None:
    """And its help says what that does."""
    found = invoked(name, "--help")
    assert found.exit_code == 0
    assert "--json" in found.output
    assert "--json" in {word for option in command(name).params for word in option.opts}


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
def test_a_refusal_is_a_sentence_and_for_programs_a_problem(name: str, there: Environment) -> None:
    """On standard error, with status 1 where nothing else is promised: a sentence, or a line of JSON; no traceback."""
    told, problem = refused(name, there), refused(name, there, "--json")
    for found in (told, problem):
        assert isinstance(found.exception, SystemExit), found.exception
        assert found.exit_code == STATUS.get(name, 1)
    sentence = told.stderr.splitlines()[-1].removeprefix("Error: ")
    assert sentence != told.stderr.splitlines()[-1]
    assert not sentence.startswith("{")
    assert len(sentence.split()) > 3, sentence
    (line,) = problem.stderr.splitlines()
    assert json.loads(line)["code"] in {"failed", "no_answer", "store_unavailable", "usage"}
    assert json.loads(line)["detail"]


def test_a_mistyped_command_is_corrected() -> None:
    """The error suggests similar names, for programs as well."""
    told = CliRunner().invoke(cli.main, ["wach"])
    assert (told.exit_code, told.stderr.splitlines()[-1]) == (2, "Error: No such command 'wach'. Did you mean 'watch'?")
    problem = json.loads(CliRunner().invoke(cli.main, ["setings", "--json"]).stderr)
    assert (problem["code"], "'settings'" in problem["detail"]) == ("usage", True)


@pytest.mark.parametrize("words", [(), ("watch",), ("moderate", "act")])
def test_the_short_option_shows_help(words: tuple[str, ...]) -> None:
    """`-h` is `--help`, at every level."""
    short, long = (CliRunner().invoke(cli.main, [*words, option]) for option in ("-h", "--help"))
    assert (short.exit_code, short.output) == (0, long.output)


def test_help_tells_every_command_whole() -> None:
    """By subject, none twice, and no summary is cut off."""
    told = " ".join(CliRunner().invoke(cli.main, ["--help"]).output.split())
    names = [name for section in cli.SECTIONS.values() for named in section.values() for name in named.split()]
    assert len(names) == len(set(names))
    for name in names:
        summary = command(name).get_short_help_str(10_000)
        assert f"{name} {' '.join(summary.split())}" in told


def test_what_a_command_does_not_need_is_not_imported() -> None:
    """Asking for the version loads neither the web server nor the store's client."""
    code = "import sys; from wintercount.cli.main import main; main(['--version'], standalone_mode=False); " + (
        "print(*sorted({'flask', 'redis', 'requests', 'worker', 'games'} & sys.modules.keys()))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.split() == [__version__]


@pytest.mark.parametrize(
    "words", long_but_for(bool, ["settings", "settings --json", "--help", "run --help"], is_slow="settings".__ne__)
)
def test_a_command_that_nobody_reads_on_ends_without_a_word(words: str) -> None:
    """As with `| head`."""
    reads, writes = os.pipe()
    os.close(reads)
    command = [sys.executable, "-m", "wintercount", *words.split()]
    done = subprocess.run(command, stdout=writes, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writes)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("HOST", "localhost"),
        ("TURN_S", "-1"),
        ("LOG_LEVEL", "loud"),
        ("PORT", "0"),
        ("PORT", "70000"),
        ("THREADS", "0"),
        ("TURN_S", "nan"),
        ("WEB_PROCESSES", "0"),
        ("WORKERS", "-1"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused(variable: str, value: str, there: Environment) -> None:
    """Before anything is started, by a sentence that names the variable and says what it means."""
    told = invoked("run", "--no-demo", "--no-stay", **there | {f"WINTERCOUNT_{variable}": value})
    meaning = next(found.meaning for found in SETTINGS if found.variable == f"WINTERCOUNT_{variable}")
    assert isinstance(told.exception, SystemExit), told.exception
    assert told.exit_code == 1
    assert told.stderr.startswith(f"Error: WINTERCOUNT_{variable}={value!r}: ")
    assert meaning in told.stderr


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("ARCHIVE", "foo://bucket"),
        ("ARCHIVE", "memory:///"),
        ("ARCHIVE", "s3://"),
        ("DUMPS", "s3://[bucket/prefix"),
        ("REDIS_URL", "redis://127.0.0.1:1/abc"),
        ("REDIS_URL", "redis://127.0.0.1:1/0?foo=secret"),
        ("REDIS_URL", "redis://127.0.0.1:1?decode_responses=true"),
        ("REDIS_URL", "redis://127.0.0.1:1?db=secret"),
        ("REDIS_URL", "redis+cluster://127.0.0.1:1/1"),
        ("QUEUE_URL", "redis://:pa#secret@127.0.0.1:1"),
        ("KEYS_URL", "unix:///run/valkey.sock?protocol=4"),
        ("ORIGIN", "foo"),
        ("ORIGIN", "play.example"),
        ("ORIGIN", "ftp://play.example"),
        ("ORIGIN", "http://play.example"),
        ("ORIGIN", "https://127.0.0.1"),
        ("ORIGIN", "https://Play.example"),
        ("ORIGIN", "https://play.example/page"),
        ("ORIGIN", "https://play.example:443"),
        ("ORIGIN", "https://ann:secret@play.example"),
    ],
)
@pytest.mark.fault
@pytest.mark.parametrize("words", [("run", "--no-demo", "--no-stay"), ("doctor",)])
def test_an_address_that_cannot_be_used_is_refused(
    words: tuple[str, ...], variable: str, value: str, there: Environment
) -> None:
    """Before anything is started, with what would do; not with the value, in which a password may stand."""
    told = invoked(words[0], *words[1:], **there | {f"WINTERCOUNT_{variable}": value})
    assert (told.exit_code, type(told.exception)) == (1, SystemExit)
    assert told.stderr.startswith(f"Error: WINTERCOUNT_{variable} is not ")
    assert "such as" in told.stderr
    assert "secret" not in told.stderr
    assert not Path(str(there["WINTERCOUNT_DATA"])).exists()


@pytest.mark.parametrize("words", [("run", "--no-demo", "--no-stay"), ("dispatch",), ("worker",)])
@pytest.mark.parametrize("given", [DEAD_CLUSTER, {"WINTERCOUNT_QUEUE_URL": "redis+cluster://127.0.0.1:1"}])
def test_a_cluster_is_no_server_for_rq(words: tuple[str, ...], given: Environment, there: Environment) -> None:
    """It is told before anything is started, with what to set, also where nothing else than the store is named."""
    told = invoked(words[0], *words[1:], **there | DEAD_STORE | given)
    assert (told.exit_code, type(told.exception)) == (1, SystemExit)
    assert told.stderr == "Error: rq cannot use a cluster: set WINTERCOUNT_QUEUE_URL to a server of its own\n"


def test_every_storage_that_is_taken_is_known() -> None:
    """To the library that reads it; where it would forget, it is not taken."""
    for scheme in STORAGE_SCHEMES:
        where = f"{scheme}://bucket/prefix"
        assert parse_scheme(where if scheme != "file" else "file:///prefix")
        assert settings_from({"WINTERCOUNT_ARCHIVE": where}).archive == where
    assert settings_from({"WINTERCOUNT_ARCHIVE": "/srv/archive"}).archive == "/srv/archive"
    assert settings_from({"WINTERCOUNT_ARCHIVE": "file:///srv/archive"}).archive == "file:///srv/archive"


def test_a_demonstration_of_no_game_is_refused(there: Environment) -> None:
    """Before anything is started, with the games that there are."""
    told = invoked("run", "--game", "nogame", "--no-stay", **there)
    assert told.exit_code == 2
    assert "there is no game 'nogame'; there are big-manitou, manitou" in told.stderr
    assert not Path(str(there["WINTERCOUNT_DATA"])).exists()


def test_a_check_of_nothing_leaves_nothing(there: Environment) -> None:
    """A check in the wrong folder creates no data directory there."""
    assert invoked("doctor", **there).exit_code == 1
    assert [path.name for path in Path().iterdir()] == ["file"]


def test_a_file_that_cannot_be_written_is_refused() -> None:
    """By its name, with the system's reason."""
    told = "/nowhere/x cannot be read or written: No such file"
    with pytest.raises(click.ClickException, match=told), refusing(as_json=False):
        Path("/nowhere/x").write_bytes(b"")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (TryAgainError("Multiple keys request during rehashing of slot"), "store_unavailable"),
        (ReadOnlyError("You can't write against a read only replica."), "store_unavailable"),
        (NotReplicated("no replica confirmed the write"), "not_replicated"),
    ],
)
def test_what_a_cluster_refuses_for_a_while_is_told_in_a_sentence(error: Exception, code: str) -> None:
    """While a slot moves key by key, a replica takes over, or none has what was written."""
    with pytest.raises(Problem) as raised, refusing(as_json=True):
        raise error
    assert raised.value.document["code"] == code
    assert str(error) in raised.value.document["detail"]


@pytest.mark.parametrize("name", ["analyse", "convert"])
def test_a_file_of_another_kind_is_refused(name: str, tmp_path: Path) -> None:
    """Such as a backup: it is told what would do, not which byte of it is no letter."""
    (tmp_path / "a.backup").write_bytes(gzip.compress(b"{}"))
    told = invoked(name, str(tmp_path / "a.backup"))
    assert told.exit_code == 1
    assert "archive" in told.output
    assert "codec" not in told.output


def test_fields_that_do_not_fit_are_told() -> None:
    """In words: a terminal shows no member `errors`."""
    response = requests.Response()
    response.status_code = 422
    told = {"/seats": "Length must be between 1 and 8.", "/clock/move_s": "too short", "": "odd"}
    errors = [{"in": "body", "pointer": pointer, "code": "range", "detail": said} for pointer, said in told.items()]
    problem = {"code": "invalid", "detail": "some fields do not fit; see `errors`", "errors": errors}
    response._content = json.dumps(problem).encode()
    found = of_a_service(requests.HTTPError(response=response))
    assert found.document == problem
    assert found.message.startswith("seats: Length must be between 1 and 8.; clock.move_s: too short; odd. ")
    assert "errors" not in found.message


@pytest.mark.parametrize("name", ["bot", "dispatch", "run"])
def test_signals_are_handled_after_a_command_as_before(name: str, there: Environment) -> None:
    """A program that runs it within itself still ends when it is told to."""
    before = [signal.getsignal(number) for number in NUMBERS]
    refused(name, there)
    assert [signal.getsignal(number) for number in NUMBERS] == before


def test_every_setting_is_told() -> None:
    """With its value now, and whether it was given."""
    told = invoked("settings", WINTERCOUNT_PORT="8123", WINTERCOUNT_HOST=None)
    assert told.exit_code == 0
    assert all(setting.variable in told.output and setting.meaning in told.output for setting in SETTINGS)
    assert "WINTERCOUNT_PORT=8123  (given)" in told.output
    assert "WINTERCOUNT_HOST=127.0.0.1  (default)" in told.output


def test_settings_are_found_by_a_word() -> None:
    """That begins a word of their name or meaning; as JSON one a line."""
    rows = [
        json.loads(line) for line in invoked("settings", "port", "--json", WINTERCOUNT_PORT=None).stdout.splitlines()
    ]
    assert rows[0] == {
        "variable": "WINTERCOUNT_PORT",
        "value": Settings().port,
        "given": False,
        "meaning": "port that the web server listens on",
    }
    assert "WINTERCOUNT_REPORTS" not in {row["variable"] for row in rows}
    none = invoked("settings", "weather")
    assert (none.exit_code, "no setting is about weather" in none.stderr) == (2, True)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("WINTERCOUNT_ADMIN_TOKEN", "hush"),
        ("WINTERCOUNT_METRICS_TOKEN", "hush"),
        ("WINTERCOUNT_SECRET", "hush"),
        ("WINTERCOUNT_REDIS_URL", "redis://me:hush@store:6379/0"),
        ("WINTERCOUNT_QUEUE_URL", "redis://:hush@store:6379/0"),
        ("WINTERCOUNT_KEYS_URL", "redis://me:hu@sh@store:6379/0"),
        ("WINTERCOUNT_ARCHIVE", "s3://me:hush/hush?hush@bucket/prefix"),
        ("WINTERCOUNT_REDIS_URL", "redis://store:6379/0?username=me&password=hush"),
        ("WINTERCOUNT_ARCHIVE", "s3://me:hush@bucket/prefix"),
    ],
)
def test_no_secret_is_told_among_settings(variable: str, value: str) -> None:
    """Only that it is given; of an address everything but who asks, and by which password."""
    told = invoked("settings", variable, **{variable: value})
    assert told.exit_code == 0
    assert "(given)" in told.output
    assert "hush" not in told.output
    assert "hu@sh" not in told.output
    assert ("store:6379/0" in told.output) == ("store" in value)


@pytest.mark.parametrize("variable", ["WINTERCOUNT_REDIS_URL", "WINTERCOUNT_QUEUE_URL", "WINTERCOUNT_KEYS_URL"])
@pytest.mark.parametrize(
    "value", ["redis://:hu/sh@store:6379", "redis://:hu#sh@store", "redis://:x@store:hush", "hush"]
)
def test_an_address_that_cannot_be_read_is_not_told(variable: str, value: str) -> None:
    """The message names the variable; a sign that was not escaped makes a part of the password look like a port."""
    for command in ("doctor", "serve", "settings"):
        told = invoked(command, **{variable: value})
        assert told.exit_code == 1
        assert isinstance(told.exception, SystemExit)
        assert f"{variable} is not an address" in told.output
        assert "hu" not in told.output


def test_a_variable_that_sets_nothing_is_told() -> None:
    """With the setting that was probably meant; what clients and children read is none of these."""
    told = invoked("settings", WINTERCOUNT_PROT="8001", WINTERCOUNT_TOKEN="t", WINTERCOUNT_NOTHING_LIKE_IT="1")
    assert told.exit_code == 0
    assert told.stderr.splitlines() == [
        "Warning: WINTERCOUNT_NOTHING_LIKE_IT is set but is not a setting",
        "Warning: WINTERCOUNT_PROT is set but is not a setting: did you mean WINTERCOUNT_PORT?",
    ]


def test_a_lost_connection_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a stream that breaks off: the service is named, and the stream continues to its end."""
    answers: list[Any] = [requests.ConnectionError(), Frame("end", {"reason": "table_closed"})]

    def stream(_: Api, __: str) -> Iterator[Frame]:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        yield answer

    monkeypatch.setattr(Api, "get", lambda *_: {"status": "running", "version": 7})
    monkeypatch.setattr(Api, "stream", stream)
    monkeypatch.setattr(clients, "PAUSE_S", 0)
    said = CliRunner().invoke(clients.watch, ["t_1", "--server", "http://127.0.0.1:9/"])
    assert (said.exit_code, said.stderr) == (0, "no answer from http://127.0.0.1:9; trying again (Ctrl-C to stop)\n")
    assert said.stdout == "The stream ends: table closed.\n"


def test_a_wrong_address_is_an_error() -> None:
    """Nothing is tried again where nothing has ever answered."""
    said = CliRunner().invoke(main, ["watch", "t_1", "--server", "http://127.0.0.1:9"])
    assert (said.exit_code, said.stdout) == (1, "")
    assert said.stderr.startswith("Error: http://127.0.0.1:9 does not answer (ConnectionError); --server takes")
