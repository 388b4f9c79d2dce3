"""Events of Big Manitou recorded in their first form are read as if they had said what `evolve` worked out then."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.big_manitou import game as big_manitou
from games.big_manitou.scoring.hunts import evaluation
from games.kernel import first_of_all
from games.payloads import payload_of
from tests.games.big_manitou.spec import Scene, given
from tests.games.spec import NOTHING
from tests.games.upcasting import (
    earlier_forms,
    events_of,
    golden,
    reads_no_option,
    recorded_then,
    states_of,
    told,
    upcast_as_told,
)

PHASE = ("phase",)
ADDED = {
    "GroundsStocked": PHASE,
    "PartyChosen": PHASE,
    "CardsDrawn": PHASE,
    "CardPlayed": PHASE,
    "TurnPassed": PHASE,
    "ForcePenaltyAssessed": PHASE,
    "TileDiscarded": PHASE,
    "ForcePenaltyWaived": PHASE,
    "GroundEvaluated": ("tomahawks", "phase"),
    "TilesTaken": PHASE,
    "TilesRemoved": PHASE,
}
STATES = {  # of the recorded tables, at every version, as they were when `evolve` still worked this out
    "big-manitou-2-uniform": "7ce2c1962bbeba29",
    "big-manitou-3-random-parties": "56b243d6230e84ba",
    "big-manitou-3-uniform": "a9123fe29eec744f",
    "big-manitou-4-greedy": "f1fb9b6d0e955466",
    "big-manitou-5-disputed": "87c4293c42a7dd91",
}
by_golden = pytest.mark.parametrize("path", golden(big_manitou), ids=lambda path: path.stem)
ALL_HEROES = {1: {1: "chief-1 chief-2"}, 2: {1: "matriarch-1 matriarch-2"}, 3: {1: "rainmaker-1 scout-1"}}
STUCK: dict[str, Any] = {"players": 2, "laid": ALL_HEROES, "hand": {1: "sorcerer-1", 2: "hunter-1"}}
PENALTY: dict[str, Any] = {"players": 3, "hunt": 2, "phase": "penalty"}


def test_every_earlier_form_has_an_upcaster() -> None:
    """One for each event whose fields have changed."""
    assert set(big_manitou.upcasters) == earlier_forms(big_manitou) == {(name, 1) for name in ADDED}


@by_golden
def test_an_event_of_then_says_what_is_decided_today(path: Path) -> None:
    """What the first form left out is added as it is decided now; nothing else changes."""
    for state, name, payload in told(big_manitou, path):
        if name in ADDED:
            upcast_as_told(big_manitou, ADDED, state, name, payload)


def phases() -> set[tuple[str, str | None]]:
    """Every phase that some event of a golden game leads to."""
    events = [event for path in golden(big_manitou) for event in events_of(big_manitou, path)]
    return {(type(event).__name__, event.phase) for event in events if type(event).__name__ in ADDED}


def test_the_golden_games_hold_nearly_every_phase() -> None:
    """BM-5.2; what they lack, the scenes below have."""
    assert phases() == {
        *((name, "party") for name in ("GroundsStocked", "PartyChosen")),
        *((name, "play") for name in ("CardsDrawn", "CardPlayed")),
        *((name, "penalty") for name in ("ForcePenaltyAssessed", "TilesTaken", "TilesRemoved")),
        *((name, "take_tiles") for name in ("GroundEvaluated", "TilesTaken")),
        *((name, None) for name in set(ADDED) - {"GroundEvaluated", "TurnPassed"}),
    }


def read_as_told(state: Any, event: Any) -> None:
    """What the event of today would have left out then is worked out from the state before it."""
    payload = msgspec.json.decode(msgspec.json.encode(payload_of(event)))
    upcast_as_told(big_manitou, ADDED, state, type(event).__name__, payload)


@pytest.mark.parametrize(
    ("scene", "seat", "move", "name", "phase"),
    [
        (given(turn=(6, 1), **STUCK), 1, {"type": "pass_turn"}, "TurnPassed", "play"),
        (given(turn=(7, 1), **STUCK), 1, {"type": "pass_turn"}, "TurnPassed", None),
        (
            given(tiles={1: "bison-1-1", 2: "bison-1-2"}, owing=(1, 2), **PENALTY),
            1,
            {"type": "discard_tile", "tile": "bison-1-1"},
            "TileDiscarded",
            "penalty",
        ),
        (
            given(tiles={1: "bison-1-1", 3: "bison-1-2"}, owing=(1, 2, 3), **PENALTY),
            1,
            {"type": "discard_tile", "tile": "bison-1-1"},
            "ForcePenaltyWaived",
            "penalty",
        ),
    ],
)
def test_the_phases_that_are_rare(scene: Scene, seat: int, move: dict[str, Any], name: str, phase: str | None) -> None:
    """BM-5.2: as decided today, and as an event of the first form is read."""
    turn = big_manitou.play(scene.state, seat, move, first_of_all)
    before, event = next(step[:2] for step in turn.steps if type(step[1]).__name__ == name)
    assert event.phase == phase
    read_as_told(before, event)


@pytest.mark.parametrize(("laid", "phase"), [({}, None), ({1: {1: "hunter-9"}}, "take_tiles")])
def test_a_ground_without_awards(laid: dict[int, Any], phase: str | None) -> None:
    """BM-5.7: nobody takes a tile; the tomahawks are those of every seat."""
    tiles = {1: "tomahawk-1 tomahawk-2"}
    state = given(players=2, hunt=2, phase=None, stock={1: "totem-1"}, laid=laid, tiles=tiles).state
    event = evaluation(state, 1)
    assert ([row.tiles for row in event.tomahawks], event.phase) == ([2, 0], phase)
    read_as_told(state, event)


@pytest.mark.parametrize("name", STATES)
def test_a_recorded_table_goes_through_the_states_of_then(name: str) -> None:
    """Events of the first form lead to the same states as when they were written, one after the other."""
    assert states_of(name) == STATES[name]


def test_every_recorded_table_of_then_is_held() -> None:
    """All those of then, which have an event in an earlier form."""
    assert recorded_then(big_manitou) >= set(STATES)


@by_golden
def test_evolve_reads_no_option(path: Path) -> None:
    """What follows from the house rules stands in the events."""
    reads_no_option(big_manitou, path)


@by_golden
def test_evolve_writes_the_phase_that_the_event_says(path: Path) -> None:
    """Whatever the rules would have had it: the last card, the last payment and the last award are none for it."""
    state = NOTHING
    for event in events_of(big_manitou, path):
        if type(event).__name__ in ADDED:
            for phase in ("play", "take_tiles", None):
                assert big_manitou.evolve(state, replace(event, phase=phase)).phase == phase
        state = big_manitou.evolve(state, event)


def test_the_bonuses_are_the_tomahawks_that_the_event_counts() -> None:
    """BM-5.7: `tomahawks`, whatever the seats hold."""
    state = given(players=2, hunt=2, phase=None, stock={1: "totem-1"}, laid={1: {1: "hunter-9"}}).state
    event = evaluation(state, 1)
    counts = tuple([replace(row, tiles=row.seat + 4) for row in event.tomahawks])
    assert big_manitou.evolve(state, replace(event, tomahawks=counts)).bonuses == (5, 6)


def test_the_bag_is_what_the_first_event_counts() -> None:
    """BM-1.3: `tile_counts` of `GameStarted`, whatever the tile set."""
    events = big_manitou.start(2, big_manitou.read_options({"tile_set": "ritual"}, 2), first_of_all).events
    counts = tuple([replace(row, count=int(row.kind in ("bison", "totem"))) for row in events[0].tile_counts])
    bag = big_manitou.evolve(NOTHING, replace(events[0], tile_counts=counts)).bag
    assert bag == ("bison-1-1", "bison-2-1", "bison-3-1", "totem-1")
