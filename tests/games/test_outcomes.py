"""What else could have been decided, event type by event type, and what a correction may not be.

That play goes on from every such outcome is a law (`laws.play_goes_on_from_what_is_corrected`).
"""

import json
import operator
from collections.abc import Sequence
from functools import reduce
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from games import GAMES
from games.kernel import AnyGame, first_of_all
from games.tomahawk.events import TerritoryWon
from tests.games.spec import payload
from tests.games.test_golden import FOLDER
from tests.games.tomahawk.spec import played
from wintercount.testing.played import event_from

GIVEN = json.loads(Path(__file__).with_name("outcomes.json").read_text(encoding="utf-8"))


def changes(game: AnyGame, events: Sequence[Any]) -> list[dict[str, Any]]:
    """What the other outcomes of the last of these events say otherwise."""
    said = payload(events[-1])
    others = game.outcomes(reduce(game.evolve, events[:-1], None), events[-1])
    return [{name: value for name, value in payload(other).items() if value != said[name]} for other in others]


def story(path: str, until: int) -> tuple[AnyGame, list[Any]]:
    """The first events of a golden game."""
    golden = json.loads((FOLDER / f"{path}.json").read_text(encoding="utf-8"))
    game = GAMES[golden["game"]]
    union = reduce(operator.or_, game.events)
    return game, [event_from(told["type"], told["payload"], union) for told in golden["events"][:until]]


@pytest.mark.parametrize("row", GIVEN, ids=itemgetter("about"))
def test_the_other_outcomes_of_an_event(row: dict[str, Any]) -> None:
    """`outcomes.json` has events of golden games, and what their other outcomes say otherwise."""
    assert changes(*story(row["game"], row["event"])) == row["others"]


def test_animals_that_counted_double_may_count_once() -> None:
    """TO-5.6f: seat 1 takes the forest at pile 4 in turn 2 with its sequoia heart."""
    events = played("01 02 03 04 / 06 07 08 x3", "01 02 03 04 / 06 07 08 05").events
    double = [n for n, event in enumerate(events, 1) if isinstance(event, TerritoryWon) and event.multiplier == 2]
    assert changes(GAMES["tomahawk"], events[: double[0]]) == [{"multiplier": 1, "points": 1}]


@pytest.mark.parametrize(("index", "stands"), [(1, 0), (1, 1), (9, 1)], ids=["type", "outcome", "index"])
def test_only_another_outcome_of_an_event_can_stand_in_its_place(index: int, stands: int) -> None:
    """A trial of strength is replaced neither by a card laid nor by itself, and an event that never was by nothing."""
    game, (*past, laid, trial) = story("manitou/2-players-0", 22)
    move = {"type": "play_card", "card": laid.card, "ground": laid.ground}
    with pytest.raises(ValueError, match="event"):
        game.play(reduce(game.evolve, past, None), laid.seat, move, first_of_all, {index: (laid, trial)[stands]})
