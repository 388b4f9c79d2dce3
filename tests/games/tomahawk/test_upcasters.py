"""Events are written down without a second thought, and those of an older schema are read as today's."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from games.payloads import event_type, payload_of
from games.tomahawk import game as tomahawk
from games.tomahawk.options import Options
from games.tomahawk.state import State
from games.tomahawk.upcasters import UPCASTERS
from tests.games.spec import NOTHING, as_json
from tests.games.tomahawk.reference import game_a, game_b, game_c, script_a
from tests.games.tomahawk.spec import Script, Table, played
from tests.games.upcasting import earlier_forms, states_of

FIRST_FORM = {"WarriorsDiscarded": {"asked"}}  # what its first schema did not say
OTHER_RULES = Options(**{option.name: option.values[-1] for option in tomahawk.options})

RECORDED = {  # tables with events of the first schema, and the digests of their states
    "tomahawk-2-disputed": "6b437f2c0703256e",
    "tomahawk-2-greedy": "4eaec5be0a8cc214",
    "tomahawk-2-most-wanted": "368a73cdf83ad48b",
}


def mountain_before_the_last_battle() -> Table:
    """A mountain is won at pile 2, and the battle at pile 4 is still to be judged."""
    return played("01 18 02 17", "04 06 07 09", Script(territories_1="T14"), mountain_look="ask")


each_game = pytest.mark.parametrize("game", [game_a, game_b, game_c, mountain_before_the_last_battle])


def states(events: list[Any]) -> list[State]:
    """The table after each event."""
    found: list[Any] = [None]
    for event in events:
        found.append(tomahawk.evolve(found[-1], event))
    return found[1:]


@each_game
def test_house_rules_decide_nothing_once_an_event_is_written(game: Callable[[], Table]) -> None:
    """The same events under other house rules lead to the same table."""
    table = game()
    started = msgspec.structs.replace(table.events[0], options=OTHER_RULES)
    there = states([started, *table.events[1:]])
    for here, other in zip(states(table.events), there, strict=True):
        assert msgspec.structs.replace(other, options=here.options) == here


@each_game
def test_the_first_schema_is_read_as_todays(game: Callable[[], Table]) -> None:
    """What an event of the first schema left out is worked out from the table before it (TO-5.9)."""
    table = game()
    before = [NOTHING, *states(table.events)]
    upcast = []
    for state, event in zip(before, table.events, strict=False):
        name, payload = event_type(type(event)), as_json(payload_of(event))
        if name in FIRST_FORM:
            first = {field: value for field, value in payload.items() if field not in FIRST_FORM[name]}
            assert UPCASTERS[name, 1](state, first) == payload
            upcast.append(name)
    assert set(upcast) == set(FIRST_FORM)


@pytest.mark.parametrize("name", RECORDED)
def test_a_table_of_then_folds_to_the_states_of_then(name: str) -> None:
    """At every version; their digests were taken when the events of the first schema were those of the day."""
    assert states_of(name) == RECORDED[name]


def test_a_feed_of_the_first_schema_is_imagined() -> None:
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


def test_every_schema_but_the_last_has_its_upcaster() -> None:
    """An event of schema n is read by n - 1 upcasters."""
    needed = earlier_forms(tomahawk)
    assert set(UPCASTERS) == needed
    assert {name for name, _ in needed} == set(FIRST_FORM)
