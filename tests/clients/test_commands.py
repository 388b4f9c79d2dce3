"""Each one-line command of docs/start.md is run as it stands there, at this service."""

import re

import pytest
import requests

from tests.commands import COMMANDS, SERVER, command, going_on, output
from tests.servers import free_port, wait_until
from wintercount_client import Client

pytestmark = pytest.mark.slow

BOT = "a typed bot in Python plays a game"


def test_a_typed_bot_plays_a_game_and_the_table_is_one_short_text(address: str) -> None:
    """The bot tells its table, which the command for notation takes when the game is over."""
    *_, table, ending = output(*command(BOT, (SERVER, address))).splitlines()
    assert ending.startswith("The game")
    with Client(address) as anybody:
        wait_until(lambda: anybody.tables.get(table).state()["status"] == "finished")
    told = output(*command("a finished table as one short text", (SERVER, address), ("TABLE", table)))
    assert f"[Table {table}]" in told
    assert "[Game manitou]" in told
    assert re.search(r"^1\. ", told, re.MULTILINE)


def test_a_typed_page_stands_on_another_origin() -> None:
    """As it is served; `tests/browser/test_example_page.py` opens it."""
    port = free_port()
    with going_on(*command("a typed page of another origin", ("9000", str(port)))):
        page = f"http://127.0.0.1:{port}"
        wait_until(lambda: _found(page))
        assert 'src="page.js"' in requests.get(page, timeout=10).text
        assert "/v1/tables" in requests.get(f"{page}/page.js", timeout=10).text


def _found(page: str) -> bool:
    try:
        return requests.get(f"{page}/page.js", timeout=10).ok
    except requests.ConnectionError:
        return False


def test_a_thousand_games_tell_of_every_card() -> None:
    """Each card is chosen more often than there are games, as there are two seats that choose many."""
    lines = output(*command("a thousand games of random players, cell by cell")).splitlines()[-21:]
    counted = [re.fullmatch(r"choose \S+ +[+-]\d\.\d{3} +(\d+) times", line) for line in lines]
    assert all(found and int(found[1]) > 1000 for found in counted)


def test_every_command_is_here() -> None:
    """The leaderboard goes on for ever; `tests/service/api/test_leaderboard.py` runs it, kills it and goes on."""
    ours = {BOT, "a finished table as one short text", "a typed page of another origin"}
    assert set(COMMANDS) - ours == {
        "a thousand games of random players, cell by cell",
        "a leaderboard from the feed of all tables",
    }
