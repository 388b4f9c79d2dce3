"""The client commands against a real service: login, tables, show, api, and the profile that they share."""

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.service.api.world import World
from wintercount.cli import main as cli

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a command as a user whose configuration is in a folder of its own."""

    def invoke(*words: str, stdin: str | None = None, **settings: str) -> Result:
        return CliRunner().invoke(cli.main, words, input=stdin, env={"XDG_CONFIG_HOME": str(tmp_path), **settings})

    return invoke


def test_a_login_is_stored_for_other_commands(run: Run, world: World, address: str, tmp_path: Path) -> None:
    """Given a token on standard input: the profile is private, and commands use its server and token."""
    ann = world.somebody("Ann")
    told = run("login", "--server", address, "--token", "-", stdin=f"{ann.token}\n")
    file = tmp_path / "wintercount" / "profile.json"
    assert (told.exit_code, told.stdout.startswith(f"Logged in to {address} as Ann (p_")) == (0, True), told.output
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_bytes()) == {"server": address, "token": ann.token}
    assert json.loads(run("api", "GET", "players/me").stdout)["name"] == "Ann"
    other = run("api", "GET", "players/me", "--server", address.replace("127.0.0.1", "localhost"), "--json")
    assert json.loads(other.stderr)["code"] in {"unauthenticated", "no_answer"}  # its token goes to no other server


def test_a_login_creates_an_account(run: Run, address: str) -> None:
    """With --name; a token that the service does not know is not stored."""
    wrong = run("login", "--server", address, "--token", "wc_wrong")
    assert (wrong.exit_code, "unknown or was revoked" in wrong.stderr) == (1, True), wrong.output
    told = json.loads(run("login", "--server", address, "--name", "Newcomer", "--json").stdout)
    assert (told["server"], told["name"]) == (address, "Newcomer")
    assert json.loads(run("api", "GET", "/v1/players/me", WINTERCOUNT_SERVER=address).stdout)["name"] == "Newcomer"


def test_a_damaged_profile_is_named(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "wintercount" / "profile.json"
    file.parent.mkdir()
    file.write_text("{")
    told = run("tables")
    assert (told.exit_code, told.stderr.startswith(f"Error: {file} is damaged")) == (1, True), told.output


def test_tables_are_listed_and_shown(run: Run, world: World, address: str) -> None:
    """One's own tables, a line each; a table is drawn by its id or its address, now or at an earlier version."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    opened = [world.open(ann, bob, game=game) for game in ("tomahawk", "manitou")]
    world.catch_up()
    run("login", "--server", address, "--token", str(ann.token))
    lines = run("tables", "--mine").stdout.splitlines()
    assert [line.split()[:3] for line in lines] == [
        [opened[1], "manitou", "running"],
        [opened[0], "tomahawk", "running"],
    ]
    assert lines[0].endswith("Ann, Bob")
    assert [line.split()[0] for line in run("tables", "--turn", "--game", "tomahawk").stdout.splitlines()] == opened[:1]
    assert len(run("tables", "--mine", "--limit", "1", "--json").stdout.splitlines()) == 1
    assert "seat 1 (you)" in run("show", opened[1]).stdout
    assert "place 1 (vous)" in run("show", f"{address}/#/tables/{opened[1]}", "--language", "fr").stdout
    assert json.loads(run("show", opened[1], "--at", "2", "--json").stdout)["version"] == 2


def test_any_request_can_be_sent(run: Run, world: World, address: str, tmp_path: Path) -> None:
    """Fields are the query of a GET and the body of a POST; a refusal is the problem of the service."""
    ann = world.somebody("Ann")
    run("login", "--server", address, "--token", str(ann.token))
    seats = ("seats[][kind]=me", "seats[][kind]=ai", "seats[][level]=uniform")
    opened = run("api", "POST", "tables", "game=manitou", *seats)
    assert opened.exit_code == 0, opened.output
    table = json.loads(opened.stdout)
    assert [seat["level"] for seat in table["seats"]] == [None, "uniform"]
    world.catch_up()
    page = json.loads(run("api", "get", "tables", "mine=true", "-F", "limit=1").stdout)
    assert [row["game"] for row in page["tables"]] == ["manitou"]
    body = tmp_path / "body.json"
    body.write_text(json.dumps({"game": "chess", "seats": []}))
    refused = run("api", "POST", "/v1/tables", "--input", str(body), "--json")
    assert (refused.exit_code, refused.stdout, json.loads(refused.stderr)["status"]) == (1, "", 422)
    assert run("api", "GET", "readyz").exit_code == 1  # /v1/readyz
    assert run("api", "GET", "/readyz").exit_code == 0
    assert run("api", "GET", "games", "nonsense").exit_code == 2


def test_values_are_typed(run: Run, address: str, tmp_path: Path) -> None:
    """By -F and without an option; -f takes every value as a string, and @ names a file."""
    (tmp_path / "name").write_text("from a file")
    for words, name in (((f"name=@{tmp_path / 'name'}",), "from a file"), (("-f", "name=7"), "7")):
        told = run("api", "POST", "players", *words, "bot=true", "--server", address)
        assert json.loads(told.stdout)["name"] == name, told.output
    assert run("api", "POST", "players", "name=7", "--server", address).exit_code == 1
