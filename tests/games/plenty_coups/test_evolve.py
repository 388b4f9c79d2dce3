"""What an event says is written down as it says, even where the rules would have had it otherwise."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from games.kernel import first_of_all as as_given
from games.payloads import event_type
from games.plenty_coups import game as plenty_coups
from games.plenty_coups.events import CardCount
from games.plenty_coups.state import State
from tests.games.plenty_coups.spec import Table, cards, given, raid
from tests.games.spec import NOTHING, event_from
from tests.games.test_golden import FOLDER

GOLDEN = sorted((FOLDER / plenty_coups.slug).glob("*.json"))
KINDS = {event_type(kind): kind for kind in plenty_coups.events}
DEFEND = {"type": "defend", "cards": ["weapon-3"]}
RAID = {"type": "raid", "target": "red", "cards": list(cards("B-3"))}
GIFT = {"type": "exchange_gifts", "to": "red", "give": "horse", "discard": "weapon-2"}
HUNT = {"type": "hunt", "discard": "horse"}
HANDS = {"black": "B-3 horse weapon-2 weapon-3", "red": "horse"}


class Unread:
    """House rules that nobody may look at."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"evolve read the option {name}")


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_evolve_reads_no_option(path: Path) -> None:
    """The events of a whole game lead to the same state when the house rules cannot be read."""
    golden = json.loads(path.read_text(encoding="utf-8"))
    seen: Any = None
    unseen: Any = None
    for row in golden["events"]:
        event: Any = event_from(row["type"], row["payload"], KINDS[row["type"]])
        seen = plenty_coups.evolve(seen, event)
        first = unseen is None
        unseen = plenty_coups.evolve(unseen, replace(event, options=Unread()) if first else event)
    assert replace(unseen, options=seen.options) == seen


def written(table: Table, name: str, **said: Any) -> State:
    """The table after the event of this type among the last ones, had it said so."""
    event = next(event for event in table.events if type(event).__name__ == name)
    state: State = plenty_coups.evolve(table.state, replace(event, **said))
    return state


def played(move: dict[str, Any], **said: Any) -> tuple[Table, Table]:
    """A table before the move, with the events that the move leads to, and the one after it."""
    after = given(hands=HANDS, **said)
    before = given(hands=HANDS, **said)
    before.events = after.play(move)
    return before, after


@pytest.mark.parametrize(
    ("move", "name"),
    [(RAID, "RaidLaunched"), (GIFT, "GiftOffered"), (HUNT, "CardsDiscarded"), (DEFEND, "RaidRepelled")],
)
@pytest.mark.parametrize("cost", [0, 1, 2])
def test_an_event_spends_the_actions_that_it_says(move: dict[str, Any], name: str, cost: int) -> None:
    """PC-5.1: `cost`, whatever PC-3.7 asks for such a move."""
    before, _ = played(move, raids=[raid("green", "black", "Y-2")])
    assert written(before, name, cost=cost).actions == 2 - cost


@pytest.mark.parametrize("strictly", [True, False])
@pytest.mark.parametrize("bonus_counts", ["always", "defence_only", "not_for_coup"])
def test_a_raid_is_noted_for_a_coup_if_the_event_says_so(bonus_counts: str, strictly: bool) -> None:
    """PC-4.50: `strictly_greater`, whatever the weapon, the raid and PC-R10 say."""
    options = {"bonus_counts": bonus_counts}
    before, _ = played(DEFEND, raids=[raid("green", "black", "G-2")], options=options)
    repelled = written(before, "RaidRepelled", strictly_greater=strictly).repelled
    assert (repelled and (repelled.tribe, repelled.cards, repelled.bonus)) == (
        ("green", cards("G-2"), 1) if strictly else None
    )


def test_a_turn_begins_in_the_phase_that_it_says() -> None:
    """PC-5.1: `phase` of `TurnStarted`, even with no card to take."""
    table = given(actions=1, hands={"black": "horse weapon-2 weapon-3"})
    table.play({"type": "breed"})
    for phase in ("take", "actions"):
        assert written(table, "TurnStarted", take=0, phase=phase).phase == phase


def test_a_turn_is_passed_into_the_phase_that_it_says() -> None:
    """PC-5.1: `phase` of `TurnPassed`, whatever the size of the hand."""
    before, _ = played({"type": "pass_turn"}, round=10)
    for phase in ("excess", "actions"):
        assert written(before, "TurnPassed", phase=phase).phase == phase


def test_cards_drawn_ask_for_a_discard_if_they_say_so() -> None:
    """PC-5.1: `phase` of `CardsDrawn`, whatever the reason."""
    before, _ = played(HUNT)
    for reason in ("hunt", "refill"):
        asked = written(before, "CardsDrawn", reason=reason, phase="hunt_discard")
        assert (asked.phase, asked.hunted) == ("hunt_discard", 2)
        went_on = written(before, "CardsDrawn", reason=reason, phase=None)
        assert (went_on.phase, went_on.hunted) == ("actions", 0)


def test_a_loss_ends_an_answer_if_it_says_so() -> None:
    """PC-5.1: `phase` of `PrestigeLost`, whatever the reason."""
    table = given(hands={"black": "stick"}, prestige={"red": 1})
    table.play({"type": "disdain", "target": "red"})
    asked = table.state
    table.play({"type": "endure_disdain"})
    table.state = asked
    for reason in ("disdained", "disdained_ally"):
        assert written(table, "PrestigeLost", reason=reason, phase="actions").disdained is None
        assert written(table, "PrestigeLost", reason=reason, phase=None).disdained == "red"


def test_the_pile_is_what_the_first_event_counts() -> None:
    """PC-1.2: `card_counts` of `GameStarted`."""
    event = plenty_coups.start(4, plenty_coups.read_options({}, 4), as_given).events[0]
    counts = (CardCount("horse", 2), CardCount("coup-stick", 1))
    assert plenty_coups.evolve(NOTHING, replace(event, card_counts=counts)).pile == ("horse", "horse", "coup-stick")
