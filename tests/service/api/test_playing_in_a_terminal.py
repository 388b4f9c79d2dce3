"""`wintercount play`: whole games at terminals, leaving and coming back, and what is refused."""

import contextlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from subprocess import PIPE
from typing import Any

import pytest
from click.testing import CliRunner

from tests.long import long_but_for
from tests.service.api.terminal import Terminal, play_on
from tests.service.api.world import Somebody, World
from wintercount.cli import main as cli

GAMES = [("tomahawk", 2), ("manitou", 3), ("big-manitou", 2), ("plenty-coups", 3)]
WHOLE = long_but_for(lambda case: case[0] == "tomahawk", GAMES)


def authorise_table(world: World, game: str, count: int) -> tuple[str, list[Somebody]]:
    players = [world.somebody(f"Player {number}") for number in range(1, count + 1)]
    return world.open(*players, game=game), players


@pytest.mark.slow
@pytest.mark.parametrize("case", WHOLE)
def test_a_whole_game_is_played_at_terminals(world: World, address: str, case: tuple[str, int]) -> None:
    """Every seat chooses at random among what its list offers; at the end each sees the points."""
    game, count = case
    table, players = authorise_table(world, game, count)
    with contextlib.ExitStack() as stack:
        words = ("play", table, "--url", address)
        terminals = [stack.enter_context(Terminal(*words, token=player.token)) for player in players]
        assert play_on(terminals, seed=count) > count
        assert [terminal.status() for terminal in terminals] == [0] * count
        ended = players[0].get(f"/v1/tables/{table}").json
        assert ended["status"] == "finished"
        for terminal in terminals:
            last = terminal.text.rpartition("Points")[2]
            assert all(str(row["total"]) in last for row in ended["scores"]["scores"])


@pytest.mark.slow
def test_who_leaves_comes_back_to_the_same_table(world: World, address: str) -> None:
    """By the address that the page shows; what happened is told from the beginning."""
    table, players = authorise_table(world, "manitou", 2)
    for _ in range(2):
        with Terminal("play", f"{address}/#/tables/{table}", token=players[0].token) as terminal:
            heard = terminal.until("): ")
            assert "cards for your party" in heard
            terminal.type("?")
            assert "what happened last" in terminal.until("): ")
            terminal.type("l")
            assert "    1  " in terminal.until("): ")
            terminal.type("p")
            assert "Points" in terminal.until("): ")
            terminal.type("t")
            assert "seat 1 (you)" in terminal.until("): ")
            terminal.type("q")
            assert terminal.status() == 0
            assert f"wintercount play {address}/#/tables/{table}" in terminal.text


@pytest.mark.slow
def test_somebody_new_gets_an_account_and_a_free_seat(world: World, address: str) -> None:
    """The token is told, for the next time; the seat is the first that is free."""
    ann = world.somebody("Ann")
    table = ann.post("/v1/tables", {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "open"}]}).json["id"]
    with Terminal("play", table, "--server", address, "--name", "Bob") as terminal:
        terminal.until("): ")
        assert "WINTERCOUNT_TOKEN=wc_" in terminal.text
        assert [row["name"] for row in ann.get(f"/v1/tables/{table}").json["seats"]] == ["Ann", "Bob"]


@pytest.mark.slow
def test_a_new_table_has_ai_players_at_the_other_seats(world: World, address: str) -> None:
    """As many as are wanted, under the house rules that are named."""
    ann = world.somebody("Ann")
    rules = ("--players", "3", "--level", "uniform", "--option", "pair_attack_weaker=illegal")
    with Terminal("play", "--game", "manitou", *rules, "--server", address, token=ann.token) as terminal:
        terminal.until("): ")
        (table,) = re.findall("You play at table (t_[a-z2-7]{16})", terminal.text)
    now = ann.get(f"/v1/tables/{table}").json
    assert [row["level"] for row in now["seats"]] == [None, "uniform", "uniform"]
    assert now["options"]["pair_attack_weaker"] == "illegal"


def test_what_cannot_be_joined_is_refused(world: World, address: str) -> None:
    """With what to do instead, and status 1."""
    table, _ = authorise_table(world, "tomahawk", 2)
    for words, told in (
        ((table,), "no seat is free"),
        (("manitou",), "give its id"),
        (("t_" + "a" * 16,), "there is no table"),
    ):
        found = CliRunner().invoke(cli.main, ["play", *words, "--server", address, "--name", "Carl"])
        assert (found.exit_code, told in found.output) == (1, True), found.output


def test_of_a_game_that_is_not_there_no_account_is_made(address: str) -> None:
    """The games that there are are told instead of a token."""
    told = CliRunner().invoke(cli.main, ["play", "--game", "chess", "--server", address])
    assert (told.exit_code, told.stdout) == (1, "")
    assert "there is no game 'chess'; there are big-manitou, manitou, plenty-coups, tomahawk" in told.stderr
    told = CliRunner().invoke(cli.main, ["play", "--game", "manitou", "--players", "9", "--server", address])
    assert (told.exit_code, told.stdout) == (2, "")
    assert "manitou takes 2, 3, 4" in told.stderr


def whole(move: dict[str, Any]) -> dict[str, Any]:
    """A legal move; of an entry that stands for many, the first."""
    return {"type": move["type"], "cards": move["from"][: move["choose"]]} if "choose" in move else move


def lines_of(address: str, table: str, token: str) -> list[dict[str, Any]]:
    """What a program is told that plays to the end: it begins with no JSON, and with no move of the game."""
    words = [sys.executable, "-m", "wintercount", "play", table, "--server", address, "--json"]
    told, answers = [], ["fly", '{"type": "fly"}']
    process = subprocess.Popen(
        words, stdin=PIPE, stdout=PIPE, text=True, bufsize=1, env=os.environ | {"WINTERCOUNT_TOKEN": token}
    )
    with process as program:
        assert program.stdin is not None
        for line in program.stdout or ():
            told.append(json.loads(line))
            if "decision" in told[-1]:
                answer = answers.pop(0) if answers else json.dumps(whole(told[-1]["decision"]["moves"][0]))
                program.stdin.write(f"{answer}\n")
    assert process.returncode == 0
    return told


@pytest.mark.slow
def test_programs_play_by_lines(world: World, address: str) -> None:
    """Each hears every event, and a refusal with the decision once more; at the end the table as it is then."""
    table, players = authorise_table(world, "manitou", 2)
    with ThreadPoolExecutor() as pool:
        told = list(pool.map(lambda player: lines_of(address, table, player.token), players))
    for player, lines in zip(players, told, strict=True):
        assert lines[0] == {"table": table}
        heard = [line["event"] for line in lines if "event" in line]
        events = player.get(f"/v1/tables/{table}/events?language=en&limit=1000").json["events"]
        assert [event["version"] for event in heard] == [event["version"] for event in events]
        assert [line["problem"]["code"] for line in lines if "problem" in line] == ["not_json", "invalid"]
        assert [line["ended"]["status"] for line in lines if "ended" in line] == ["finished"]
