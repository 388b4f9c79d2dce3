"""Events of Manitou recorded in their first form are read as if they had said what `evolve` worked out then."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from games.kernel import first_of_all
from games.manitou import game as manitou
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

ADDED = {"GameStarted": ("hide_thieves",), "CardsDrawn": ("phase",), "CardPlayed": ("trial",)}
STATES = {  # of the recorded tables, at every version, as they were when `evolve` still worked this out
    "manitou-2-greedy": "1f19076585dff29d",
    "manitou-2-taken-back": "6e8d21666923991d",
    "manitou-3-online": "a3a9994d601075ee",
    "manitou-4-greedy": "c46def94131431e6",
}
by_golden = pytest.mark.parametrize("path", golden(manitou), ids=lambda path: path.stem)


def test_every_earlier_form_has_an_upcaster() -> None:
    """One for each event whose fields have changed."""
    assert set(manitou.upcasters) == earlier_forms(manitou) == {(name, 1) for name in ADDED}


@by_golden
def test_an_event_of_then_says_what_is_decided_today(path: Path) -> None:
    """What the first form left out is added as it is decided now; nothing else changes."""
    for state, name, payload in told(manitou, path):
        if name in ADDED:
            upcast_as_told(manitou, ADDED, state, name, payload)


def test_the_golden_games_hold_every_case() -> None:
    """MA-5.12: each value of the fields that came with the second form."""
    found = {
        (name, getattr(event, field))
        for path in golden(manitou)
        for event in events_of(manitou, path)
        for name, fields in ADDED.items()
        for field in fields
        if type(event).__name__ == name
    }
    assert found == {
        ("GameStarted", 7),
        ("GameStarted", 10),
        ("CardsDrawn", "party"),
        ("CardsDrawn", "play"),
        ("CardPlayed", True),
        ("CardPlayed", False),
    }


@pytest.mark.parametrize("name", STATES)
def test_a_recorded_table_goes_through_the_states_of_then(name: str) -> None:
    """Events of the first form lead to the same states as when they were written, one after the other."""
    assert states_of(name) == STATES[name]


def test_every_recorded_table_of_then_is_held() -> None:
    """All those of then, which have an event in an earlier form."""
    assert recorded_then(manitou) >= set(STATES)


@by_golden
def test_evolve_reads_no_option(path: Path) -> None:
    """What follows from the house rules stands in the events."""
    reads_no_option(manitou, path)


@by_golden
def test_evolve_writes_what_the_event_says(path: Path) -> None:
    """Whatever the rules would have had it: who draws last, and whose heroes lie there, is nothing to it."""
    state = NOTHING
    for event in events_of(manitou, path):
        if type(event).__name__ == "CardsDrawn":
            for phase in ("party", "play"):
                assert manitou.evolve(state, replace(event, phase=phase)).phase == phase
        if type(event).__name__ == "CardPlayed" and "hunter" not in event.card:
            up = [manitou.evolve(state, replace(event, trial=trial)).grounds[event.ground - 1] for trial in (1, 0)]
            assert up[0].face_up == state.grounds[event.ground - 1].face_up
            assert up[1].face_up.cards[-1] == event.card
        state = manitou.evolve(state, event)


def test_the_supplies_are_what_the_first_event_counts() -> None:
    """MA-1.5, MA-1.6: `buffalo_counts` and `hide_thieves` of `GameStarted`, whatever the edition."""
    event = manitou.start(2, manitou.read_options({}, 2), first_of_all).events[0]
    counts = tuple([replace(row, count=int(row.value in (2, 12))) for row in event.buffalo_counts])
    state = manitou.evolve(NOTHING, replace(event, buffalo_counts=counts, hide_thieves=2))
    assert (state.small, state.large) == (("buffalo-2-1",), ("buffalo-12",))
    assert state.hide_thieves == ("hide-thief-1", "hide-thief-2")
