"""`examples/leaderboard.py`: a projection that is killed and resumed ends equal to one that ran through."""

import contextlib
import importlib.util
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.servers import wait_until
from tests.service.api.world import World
from tests.service.web import serving

EXAMPLE = Path(__file__).parents[3] / "examples" / "leaderboard.py"


@pytest.fixture(scope="module")
def world(own: World) -> World:
    return own


@pytest.fixture(scope="module")
def address(world: World) -> Iterator[str]:
    with serving(world.url) as found:
        yield found


@pytest.fixture(scope="module")
def example() -> Any:
    specification = importlib.util.spec_from_file_location("leaderboard", EXAMPLE)
    assert specification
    assert specification.loader
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def games(world: World, count: int) -> None:
    """So many games of Tomahawk between two new people, one of them held against an AI, and a branch."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    for number in range(count):
        table = world.open(ann, bob, game="tomahawk")
        world.play(table, ann, bob, moves=1000, seed=number)
    table = ann.post(
        "/v1/tables", {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "ai", "level": "uniform"}]}
    ).json["id"]
    world.finish(table)
    ann.post(f"/v1/tables/{table}/forks", {"version": 5, "visibility": "public"})


def board(path: Path) -> list[Any]:
    """The leaderboard, without names of columns."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT game, holder, name, played, won FROM board ORDER BY game, holder").fetchall()


def standings(world: World) -> list[Any]:
    """What the service counts."""
    world.catch_up()
    rows = world.nobody.get("/v1/standings").json["standings"]
    named = ((r["game"], r["player"], None if r["player"].startswith("ai:") else r["name"], r) for r in rows)
    return sorted((game, player, name, r["played"], r["won"]) for game, player, name, r in named)


@pytest.mark.slow
def test_killed_and_resumed_it_counts_what_one_counts_that_ran_through(
    world: World, address: str, example: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It dies at every step of its transactions; in the end it has counted what the service has."""
    games(world, 2)
    example.follow(address, tmp_path / "whole", until_caught_up=True)
    right, dead = example.apply, []

    def dying(db: Any, event: Any) -> None:
        right(db, event)
        if event["type"] == "GameEnded" and event["table"] not in dead:
            dead.append(event["table"])
            raise KeyboardInterrupt

    monkeypatch.setattr(example, "apply", dying)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            example.follow(address, tmp_path / "killed", until_caught_up=True)
    example.follow(address, tmp_path / "killed", until_caught_up=True)
    assert len(dead) == 3
    assert board(tmp_path / "killed") == board(tmp_path / "whole") == standings(world)
    assert sum(row[3] for row in board(tmp_path / "whole")) == 6


@pytest.mark.slow
def test_a_process_that_is_killed_goes_on(world: World, address: str, tmp_path: Path) -> None:
    """`kill -9` between any two of its steps, and games that end meanwhile."""
    path = tmp_path / "board"
    for count in (1, 1):
        process = subprocess.Popen([sys.executable, str(EXAMPLE), address, str(path)])
        try:
            wait_until(lambda: path.exists() and _has_begun(path))
        finally:
            process.kill()
            process.wait()
        games(world, count)
    process = subprocess.Popen([sys.executable, str(EXAMPLE), address, str(path)])
    try:
        wait_until(lambda: board(path) == standings(world))
    finally:
        process.kill()
        process.wait()


def _has_begun(path: Path) -> bool:
    with contextlib.closing(sqlite3.connect(path)) as db, contextlib.suppress(sqlite3.OperationalError):
        return bool(db.execute("SELECT count(*) FROM cursor").fetchone()[0])
    return False


@pytest.mark.slow
def test_a_place_that_is_gone_is_begun_anew(world: World, address: str, example: Any, tmp_path: Path) -> None:
    """Its cursor is one of a store that went back: all is counted again, and once."""
    path = tmp_path / "board"
    example.follow(address, path, until_caught_up=True)
    before = board(path)
    handler = world.services.handler
    place = handler.cursors.read(requests.get(f"{address}/v1/feed?limit=1", timeout=60).json()["next"])
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        gone = handler.cursors.written(place._replace(mark=b"mistaken"))
        db.execute("UPDATE cursor SET cursor = ?", (gone,))
    example.follow(address, path, until_caught_up=True)
    assert board(path) == before
