"""The forms of events and states: what was written in an older one is read in today's, and no other is read at all."""

import dataclasses
from typing import Any

import msgspec
import pytest

from games.schemas import (
    FORM,
    NewerForm,
    UnknownForm,
    event_as_read,
    kept_state,
    state_to_keep,
    todays_state,
    upcast,
)
from tests import fifth
from tests.fifth import Options, State, StoneKept, StoneSwapped

BEFORE = State(2, Options(), (1, 2), (3,))


def test_an_event_of_the_first_form_gets_what_came_later() -> None:
    """Its upcaster works that out from the state before it: the last of two seats ends the game."""
    assert upcast(fifth.game, StoneKept, 1, {"seat": 2}, BEFORE) == {"seat": 2, "phase": "over"}
    assert upcast(fifth.game, StoneKept, 1, {"seat": 1}, BEFORE) == {"seat": 1, "phase": "choose"}


def test_an_event_of_today_stays_as_it_is() -> None:
    """No upcaster sees it."""
    payload = {"seat": 2, "phase": "choose"}
    assert upcast(fifth.game, StoneKept, 2, payload, None) is payload


def test_an_event_of_the_first_form_has_no_field_that_came_later() -> None:
    """It was put there by somebody else than the release that knew that form."""
    with pytest.raises(UnknownForm, match="StoneKept of schema 1 has fields that came later"):
        upcast(fifth.game, StoneKept, 1, {"seat": 2, "phase": "over"}, BEFORE)


def test_an_event_of_a_later_release_is_newer() -> None:
    with pytest.raises(NewerForm, match="StoneKept has schema 3; this release knows 2"):
        upcast(fifth.game, StoneKept, 3, {"seat": 2, "phase": "over", "colour": "red"}, BEFORE)


@pytest.mark.parametrize("schema", [0, -1, True, "1", None])
def test_a_schema_that_none_ever_was_is_refused(schema: Any) -> None:
    """Forms are numbered from one."""
    with pytest.raises(UnknownForm):
        upcast(fifth.game, StoneKept, schema, {"seat": 1}, None)


def test_an_event_of_the_first_form_is_read_as_it_was_told() -> None:
    """What came later is unset, as is what the reader may not know."""
    assert event_as_read(StoneSwapped, 1, {"seat": 1}) == StoneSwapped(1, msgspec.UNSET)  # type: ignore[arg-type]
    assert event_as_read(StoneSwapped, 1, {"seat": 1, "stone": 4}) == StoneSwapped(1, msgspec.UNSET, 4)  # type: ignore[arg-type]


class Later(State, frozen=True):
    """A state of a later release, which also counts rounds."""

    rounds: int = 1


LATER = dataclasses.replace(
    fifth.game, state_type=Later, state_schema=2, state_upcasters={1: lambda plain: plain | {"rounds": 1}}
)


def test_a_state_is_kept_with_its_form() -> None:
    """The first form has no number, as the first states that were kept had none."""
    state = Later(2, Options(), (1, 2), (3,))
    assert FORM not in state_to_keep(fifth.game, State(2, Options(), (1, 2), (3,)))
    assert state_to_keep(LATER, state)[FORM] == 2
    assert kept_state(LATER, state_to_keep(LATER, state)) == state


def test_a_state_of_the_first_form_is_read_in_todays() -> None:
    """It gets what came later from its upcaster."""
    kept = state_to_keep(fifth.game, State(2, Options(), (1, 2), (3,)))
    assert kept_state(LATER, kept) == Later(2, Options(), (1, 2), (3,), rounds=1)
    assert todays_state(LATER, kept) == state_to_keep(LATER, kept_state(LATER, kept))


def test_a_state_of_a_later_form_is_newer() -> None:
    """It is not read as if it were known, and which game has it is told."""
    with pytest.raises(NewerForm, match=f"a state of {fifth.game.title} has schema"):
        kept_state(fifth.game, state_to_keep(LATER, Later(2, Options(), (1, 2), (3,))))


def test_an_event_of_today_is_read_with_all_its_fields() -> None:
    """Only what is hidden is unset."""
    assert event_as_read(StoneSwapped, 2, {"seat": 1, "phase": "over"}) == StoneSwapped(1, "over")
