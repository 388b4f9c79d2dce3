"""The game that `wintercount new-game` writes, installed: everything that the service does works with it over REST."""

import contextlib
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pettingzoo.test import parallel_api_test

from games import GAMES
from projections.history import TableHistory
from rulings import rulebook
from rulings.archive_format import lines as archive_lines
from rulings.archive_format import read_columns
from rulings.cases import cases
from rulings.rule_change_impact import Impact, impact
from tests.goofspiel import BROUGHT, INSTALLED
from tests.long import quick_first
from tests.service.api.test_events import lines
from tests.service.api.world import Somebody, World, accepted, embedded_store, refused
from wintercount.env import env, parallel_env
from wintercount.scaffold import goofspiel
from worker import players
from worker.analysis.finished import EFFORTS, QUICK, Analysis, analyse
from worker.analysis.luck import Luck, course_of, luck_by_event
from worker.play_turn import play_turns

SLUG = "goofspiel"


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """On a store of its own: others would find a game there that they do not host."""
    with embedded_store() as url, contextlib.closing(World(url)) as found:
        yield found


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is hosted here, and in every process that is started here."""
    monkeypatch.setitem(GAMES, SLUG, goofspiel.game)
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


def opened(player: Somebody, level: str = "uniform", **asked: Any) -> str:
    """The path of a table of a person and an AI of the level."""
    body = {"game": SLUG, "seats": [{"kind": "me"}, {"kind": "ai", "level": level}], **asked}
    return f"/v1/tables/{accepted(player.post('/v1/tables', body), 201)['id']}"


def bid(player: Somebody, path: str) -> Any:
    """Bids the lowest card in hand."""
    (decision,) = accepted(player.get(f"{path}/moves"))["decisions"]
    return accepted(player.post(f"{path}/moves", {"move": decision["moves"][0]}))


def play(world: World, player: Somebody, path: str, rounds: int = 10) -> None:
    for _ in range(rounds):
        bid(player, path)
        play_turns(world.services.handler, path.rpartition("/")[2])


def history(world: World, path: str) -> TableHistory:
    return world.services.handler.history(path.rpartition("/")[2])


@pytest.fixture(scope="module")
def finished(world: World) -> Iterator[tuple[World, str]]:
    """A table that has been played to its end with an AI that searches."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, SLUG, goofspiel.game)
        players.find_module.cache_clear()
        ann = world.somebody("Ann")
        path = opened(ann, "skilled")
        play(world, ann, path)
        yield world, path


def test_an_installed_package_brings_a_game() -> None:
    """By an entry point of the group `wintercount.games`: the folder holds what an installer writes down of one."""
    told = f"from games import GAMES; print(GAMES['{SLUG}'].title)"
    found = subprocess.run([sys.executable, "-c", told], capture_output=True, check=True, text=True)
    assert found.stdout == "Goofspiel\n"


def test_it_is_an_environment_for_learners() -> None:
    """Though its package provides no coding: registered with Gymnasium, tested by PettingZoo, and copied."""
    told = f"import gymnasium, wintercount.env; gymnasium.make('wintercount/{SLUG}-v1', opponents='uniform').reset()"
    subprocess.run([sys.executable, "-c", told], check=True)
    parallel_api_test(parallel_env(SLUG), num_cycles=20)
    table = env(SLUG, players=3)
    table.reset(seed=1)
    table.step(table.playing.open(1)[0])
    copied = pickle.loads(pickle.dumps(table))  # noqa: S301 - our own
    assert (copied.playing.state, copied.agent_selection) == (table.playing.state, "seat_2")


def test_it_is_listed_with_its_rules_rulings_and_words(world: World) -> None:
    listed = accepted(world.nobody.get(f"/v1/games/{SLUG}"))
    assert (listed["players"], [option["name"] for option in listed["options"]]) == ([2, 3, 4], ["tie"])
    register = accepted(world.nobody.get(f"/v1/games/{SLUG}/rulings"))["rulings"]
    assert [(row["id"], len(row["cases"])) for row in register] == [("GO-R1", 1)]
    assert set(rulebook.rulings(SLUG)) == {case.rule for case in cases(SLUG).values()}


def test_it_is_played_to_its_end_and_audited(finished: tuple[World, str]) -> None:
    """Its result stands, its record holds, and every decision comes out again as it was recorded."""
    world, path = finished
    table = accepted(world.nobody.get(path))
    assert (table["status"], sorted(table["scores"])) == ("finished", ["ranking", "scores", "winners"])
    audit = accepted(world.nobody.get(f"{path}/audit"))
    assert (audit["holds"], audit["moves"], len(audit["ai_moves"]["checked"])) == (True, 20, 3)
    rows = [row for row in lines(world.nobody, path, "?language=en") if row["type"] == "PrizeTurned"]
    assert rows[0]["words"] == f"The next prize is worth {rows[0]['payload']['prize']}."


def test_any_moment_is_told_as_its_seat_saw_it(finished: tuple[World, str]) -> None:
    """Time travel, differences, causes, the archive, the notation and the impact of a change of rules."""
    world, path = finished
    version = next(row["version"] for row in lines(world.nobody, path) if row["type"] == "BidMade")
    view: Any = accepted(world.nobody.get(f"{path}?at={version}&seat=2"))["view"]
    assert (view["hands"][0], view["bids"][0], len(view["hands"][1])) == (None, None, 10)
    assert accepted(world.nobody.get(f"{path}/diff?from={version}&to={version + 2}"))["changes"]
    assert accepted(world.nobody.get(f"{path}/blame?path=/view/won"))
    assert world.nobody.get(f"{path}/notation").status_code == 200
    columns = read_columns(archive_lines(history(world, path), None, over=True))
    found = impact(columns, {"tie": "carry"}, lambda: history(world, path))
    assert isinstance(found, Impact)
    assert found.decisions == 21


def test_its_decisions_are_reviewed(finished: tuple[World, str]) -> None:
    """Without players of its own, games are played on at random."""
    world, path = finished
    *_, found = analyse(history(world, path), QUICK, EFFORTS[QUICK]._replace(worlds=2))
    assert isinstance(found, Analysis)
    assert len(found.evaluations) == 18  # the last card is no choice


def test_its_luck_is_told(finished: tuple[World, str]) -> None:
    """Nothing is drawn after the deal; `uniform` stands in for a person and for a player that searches."""
    world, path = finished
    *_, found = luck_by_event(course_of(history(world, path)), 4)
    assert isinstance(found, Luck)
    assert (found.player, [row.player for row in found.seats]) == ("uniform", [None, None])
    assert {stroke.chance for stroke in found.strokes[1:]} == {(0.0, 0.0)}
    for row in found.seats:
        assert sum(part.mean for part in (row.expected, row.chance, row.own, row.others, row.ruled)) == row.margin


def test_a_tie_is_disputed_by_the_ruling(world: World) -> None:
    """Given a tied bid; when both vote for the other reading, previewed before; then the prizes stay."""
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    by_vote = {"by": "vote", "window_s": 3600, "answer_s": 86400, "play": "pauses"}
    path = f"/v1/tables/{world.open(ann, ben, game=SLUG, disputes=by_vote)}"
    hands = [set(history(world, path).table.state.hands[number]) for number in (0, 1)]
    for person in (ann, ben):
        accepted(person.post(f"{path}/moves", {"move": {"type": "bid", "card": min(hands[0] & hands[1])}}))
    tied = accepted(ann.get(f"{path}/rulings"))["rulings"][-1]
    asked = {"version": tied["version"], "rule": "GO-R1", "remedy": {"reading": {"tie": "carry"}}}
    shown = accepted(ann.post(f"{path}/disputes/preview", asked))
    assert [(one["differs"], one["type"]) for one in shown["remedies"]] == [(True, "BidsCompared")]
    asked |= {"seat": 1, "claim": "They stay."}
    dispute = accepted(ann.post(f"{path}/disputes", asked), 201)["id"]
    for seat, person in enumerate((ann, ben), 1):
        accepted(person.post(f"{path}/disputes/{dispute}/votes", {"seat": seat, "overturn": True}))
    view: Any = accepted(ann.get(path))["view"]
    assert (len(view["at_stake"]), accepted(ann.get(f"{path}/audit"))["holds"]) == (2, True)


NOBODY_PLAYS = "Goofspiel has no level 'greedy'; choose from uniform, skilled, expert"


def levels_that_play(world: World, game: str) -> list[str]:
    """What `GET /v1/ai-players` says of a game."""
    return [row["id"] for row in accepted(world.nobody.get("/v1/ai-players"))["levels"] if game in row["games"]]


def test_levels_that_need_no_player_of_its_own_play_it(world: World) -> None:
    """The level list says so; the other games have players of every level."""
    assert levels_that_play(world, SLUG) == ["uniform", "skilled", "expert"]
    assert levels_that_play(world, "manitou") == ["uniform", "novice", "greedy", "skilled", "expert"]


@pytest.mark.parametrize("level", ["novice", "greedy"])
def test_a_level_that_nobody_plays_is_refused_when_a_table_is_opened(world: World, level: str) -> None:
    seats = [{"kind": "me"}, {"kind": "ai", "level": level}]
    told = refused(world.somebody("Ann").post("/v1/tables", {"game": SLUG, "seats": seats}), 422, "opening_refused")
    assert told["detail"] == NOBODY_PLAYS.replace("greedy", level)


@pytest.mark.slow
@pytest.mark.usefixtures("_players")
@pytest.mark.parametrize("level", quick_first(["expert", "novice", "greedy"]))
def test_an_installed_package_brings_its_players(world: World, level: str) -> None:
    """They are found by the game's name, play at the levels that they know, and are computed again."""
    assert levels_that_play(world, SLUG) == ["uniform", "novice", "greedy", "expert"]
    ann = world.somebody("Ann")
    path = opened(ann, level)
    play(world, ann, path)
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
    path = opened(ann, "greedy")
    bid(ann, path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry != str(BROUGHT)])
    players.find_module.cache_clear()
    play_turns(world.services.handler, path.rpartition("/")[2])
    told, *_ = [event.sealed["ai_used"].value for event in history(world, path).events if "ai_used" in event.sealed]
    assert told["player"] == "uniform"
    assert [row["player"] for row in told["instead_of"]] == ["greedy"]
