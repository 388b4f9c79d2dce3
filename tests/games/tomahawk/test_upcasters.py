"""Events are written down without a second thought, and those of an older schema are read as today's."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from games.reading import event_type, payload_of
from games.tomahawk import game as tomahawk
from games.tomahawk.options import Options
from games.tomahawk.state import State
from games.tomahawk.upcasters import UPCASTERS
from tests.games.tomahawk.reference import game_a, game_b, game_c, script_a
from tests.games.tomahawk.spec import Script, Table, as_json

FIRST_FORM = {"WarriorsDiscarded": {"asked"}}  # what its first schema did not say
OTHER_RULES = Options(**{option.name: option.values[-1] for option in tomahawk.options})

each_game = pytest.mark.parametrize("played", [game_a, game_b, game_c])


def states(events: list[Any]) -> list[State]:
    """The table after each event."""
    found: list[Any] = [None]
    for event in events:
        found.append(tomahawk.evolve(found[-1], event))
    return found[1:]


@each_game
def test_house_rules_decide_nothing_once_an_event_is_written(played: Callable[[], Table]):
    """The same events under other house rules lead to the same table."""
    table = played()
    started = msgspec.structs.replace(table.events[0], options=OTHER_RULES)
    there = states([started, *table.events[1:]])
    for here, other in zip(states(table.events), there, strict=True):
        assert msgspec.structs.replace(other, options=here.options) == here


@each_game
def test_the_first_schema_is_read_as_todays(played: Callable[[], Table]):
    """What an event of the first schema left out is worked out from the table before it (TO-5.9)."""
    table = played()
    before = [None, *states(table.events)]
    upcast = 0
    for state, event in zip(before, table.events, strict=False):
        name, payload = event_type(type(event)), as_json(payload_of(event))
        if name in FIRST_FORM:
            first = {field: value for field, value in payload.items() if field not in FIRST_FORM[name]}
            assert UPCASTERS[name, 1](state, first) == payload
            upcast += 1
    assert upcast == 12


def test_a_feed_of_the_first_schema_is_imagined():
    """What an older feed leaves open is as the view says: seat 2 is asked for a look."""
    table = Table(script_a(), mountain_look="ask").choose(1, "x1/a16 x3/a09").choose(2, "x5/b06 x6/b01")
    table.place("1: 17 21 20 11").place("2: x5 11 07 13")
    for seat in (None, 1, 2):
        feed = [
            msgspec.structs.replace(event, **dict.fromkeys(FIRST_FORM.get(event_type(type(event)), ()), msgspec.UNSET))
            for event in table.feeds[seat]
        ]
        view = tomahawk.view(table.state, seat)
        world = tomahawk.imagine(view, feed, Script())
        assert (world.phase, world.to_act) == ("mountain_look", (2,))
        assert tomahawk.view(world, seat) == view


def test_every_schema_but_the_last_has_its_upcaster():
    """An event of schema n is read by n - 1 upcasters."""
    needed = {(event_type(kind), schema) for kind in tomahawk.events for schema in range(1, kind.schema)}
    assert set(UPCASTERS) == needed
    assert {name for name, _ in needed} == set(FIRST_FORM)
