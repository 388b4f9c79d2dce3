"""A game that no part of the tree knows by name: opened, played, told, looked back on and audited over REST."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games import GAMES
from tests import fifth
from tests.long import quick_first
from tests.service.api.test_events import lines
from tests.service.api.world import Somebody, World, accepted, embedded_store, refused
from worker import players
from worker.play_turn import play_turns

INSTALLED, BROUGHT = (Path(fifth.__file__).parent / name for name in ("installed", "brought"))
TOGETHER = {"game": "fifth", "seats": [{"kind": "me"}, {"kind": "ai", "level": "uniform"}]}


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """On a store of its own: others would find a game there that they do not host."""
    with embedded_store() as url, contextlib.closing(World(url)) as found:
        yield found


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is hosted here, and in every process that is started here."""
    monkeypatch.setitem(GAMES, "fifth", fifth.game)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(Path.cwd()), str(INSTALLED))))
    players.find_module.cache_clear()


@pytest.fixture
def _players(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package that brings players of it is installed too: one that is greedy, and one that searches as expert."""
    monkeypatch.syspath_prepend(str(BROUGHT))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (Path.cwd(), INSTALLED, BROUGHT))))
    _look_again(world)
    yield
    _look_again(world)


def _look_again(world: World) -> None:
    """Forgets which players were found, here and in the process that explains moves."""
    players.find_module.cache_clear()
    world.services.expensive.close()


@pytest.fixture
def finished(world: World) -> tuple[World, str]:
    """A table at which a person has kept its stone and the AI has chosen."""
    ann = world.somebody("Ann")
    table = accepted(ann.post("/v1/tables", TOGETHER), 201)
    path = f"/v1/tables/{table['id']}"
    (decision,) = accepted(ann.get(f"{path}/moves"))["decisions"]
    assert [entry["type"] for entry in decision["moves"]] == ["keep", "swap"]
    accepted(ann.post(f"{path}/moves", {"game": "fifth", "seat": 1, "move": {"type": "keep"}}))
    play_turns(world.services.handler, table["id"])
    return world, path


def test_an_installed_package_brings_a_game() -> None:
    """By an entry point of the group `wintercount.games`: the folder holds what an installer writes down of one."""
    told = "from games import GAMES; print(GAMES['fifth'].title)"
    found = subprocess.run([sys.executable, "-c", told], capture_output=True, check=True, text=True)
    assert found.stdout == "The fifth game\n"


def test_it_is_played_to_its_end_and_audited(finished: tuple[World, str]) -> None:
    """Its result stands, its record holds, and every decision comes out again as it was recorded."""
    world, path = finished
    table = accepted(world.nobody.get(path))
    assert (table["status"], sorted(table["scores"])) == ("finished", ["stones", "winners"])
    audit = accepted(world.nobody.get(f"{path}/audit"))
    assert (audit["holds"], audit["moves"], audit["ai_moves"]["checked"]) == (True, 2, [6])


def test_what_happened_is_told_without_words_of_its_own(finished: tuple[World, str]) -> None:
    world, path = finished
    rows = [row for row in lines(world.nobody, path, "?language=en") if row["type"] == "StoneKept"]
    assert rows[0]["words"] == "Stone kept"


def test_any_moment_is_told_as_its_seat_saw_it(finished: tuple[World, str]) -> None:
    """The stone of the other is hidden before the end."""
    world, path = finished
    version = next(row["version"] for row in lines(world.nobody, path) if row["type"] == "GameStarted")
    view: Any = accepted(world.nobody.get(f"{path}?at={version}&seat=1"))["view"]
    assert (view["own"] is not None, view["stones"]) == (True, None)


NOBODY_PLAYS = "The fifth game has no level 'expert'; choose from uniform"


def with_ai(level: str) -> dict[str, Any]:
    """A table for a person and an AI of the level."""
    return {"game": "fifth", "seats": [{"kind": "me"}, {"kind": "ai", "level": level}]}


def levels_that_play(world: World, game: str) -> list[str]:
    """What `GET /v1/ai-players` says of a game."""
    return [row["id"] for row in accepted(world.nobody.get("/v1/ai-players"))["levels"] if game in row["games"]]


def opened(player: Somebody, level: str) -> str:
    """The path of a table with an AI seat."""
    return f"/v1/tables/{accepted(player.post('/v1/tables', with_ai(level)), 201)['id']}"


def test_only_the_level_that_needs_no_player_of_its_own_plays_it(world: World) -> None:
    """The level list says so; the other games have players of every level."""
    assert levels_that_play(world, "fifth") == ["uniform"]
    assert levels_that_play(world, "manitou") == ["uniform", "novice", "greedy", "skilled", "expert"]


@pytest.mark.parametrize("level", ["novice", "greedy", "skilled", "expert"])
def test_a_level_that_nobody_plays_is_refused_when_a_table_is_opened(world: World, level: str) -> None:
    told = refused(world.somebody("Ann").post("/v1/tables", with_ai(level)), 422, "opening_refused")
    assert told["detail"] == NOBODY_PLAYS.replace("expert", level)


@pytest.mark.slow
@pytest.mark.usefixtures("_players")
@pytest.mark.parametrize("level", quick_first(["expert", "novice", "greedy"]))
def test_an_installed_package_brings_its_players(world: World, level: str) -> None:
    """They are found by the game's name, play at the levels that they know, and are computed again."""
    assert levels_that_play(world, "fifth") == ["uniform", "novice", "greedy", "expert"]
    ann = world.somebody("Ann")
    path = opened(ann, level)
    accepted(ann.post(f"{path}/moves", {"game": "fifth", "seat": 1, "move": {"type": "keep"}}))
    play_turns(world.services.handler, path.rpartition("/")[2])
    table = accepted(world.nobody.get(path))
    assert table["status"] == "finished"
    choice = next(row for row in lines(world.nobody, path) if row["by"].get("ai"))
    explained = accepted(world.nobody.get(f"{path}/moves/{choice['version']}/explanation"))
    assert (explained["ai"]["level"], explained["ai"].get("budget")) == (level, 8 if level == "expert" else 0)
    assert (explained["same"], explained["ai"].get("instead_of", [])) == (True, [])


@pytest.mark.usefixtures("_players")
def test_a_player_that_is_no_longer_installed_is_stood_in_for_by_one_that_plays_the_game(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No greedy player is asked where there is none."""
    ann = world.somebody("Ann")
    path = opened(ann, "expert")
    accepted(ann.post(f"{path}/moves", {"game": "fifth", "seat": 1, "move": {"type": "keep"}}))
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry != str(BROUGHT)])
    players.find_module.cache_clear()
    play_turns(world.services.handler, path.rpartition("/")[2])
    history = world.services.handler.history(path.rpartition("/")[2])
    (told,) = [event.sealed["ai_used"].value for event in history.events if "ai_used" in event.sealed]
    assert told["player"] == "uniform"
    assert [row["player"] for row in told["instead_of"]] == ["search"]
