"""A game that no part of the tree knows by name: opened, played, told, looked back on and audited over REST."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games import GAMES
from tests import fifth
from tests.service.api.test_events import lines
from tests.service.api.world import World, accepted
from worker.turns import play_turns

INSTALLED = Path(fifth.__file__).parent / "installed"
TOGETHER = {"game": "fifth", "seats": [{"kind": "me"}, {"kind": "ai", "level": "uniform"}]}


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is hosted here, and in every process that is started here."""
    monkeypatch.setitem(GAMES, "fifth", fifth.game)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(Path.cwd()), str(INSTALLED))))


@pytest.fixture
def finished(world: World) -> tuple[World, str]:
    """A table at which a person has kept its stone and the AI has chosen."""
    ann = world.somebody("Ann")
    table = accepted(ann.post("/v1/tables", TOGETHER), 201)
    path = f"/v1/tables/{table['table']}"
    (decision,) = accepted(ann.get(f"{path}/moves"))["decisions"]
    assert [entry["type"] for entry in decision["moves"]] == ["keep", "swap"]
    accepted(ann.post(f"{path}/moves", {"game": "fifth", "seat": 1, "move": {"type": "keep"}}))
    play_turns(world.services.handler, table["table"])
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
    assert (audit["holds"], audit["decisions"], audit["ai_moves"]["checked"]) == (True, 2, [6])


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
