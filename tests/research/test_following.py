"""An observation that is kept and changed is the same as one made anew, by nothing but what its seat may read."""

import random
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import pytest

from games import GAMES
from games.kernel import AnyGame
from tests.games.random_play import chance_from, random_game, spread_options
from tests.long import tables_of_each_game
from wintercount.env import Coding, Playing, coding_of

TABLES = [(slug, players) for slug, game in GAMES.items() for players in game.players]
FOLLOWING = [(slug, players) for slug, players in TABLES if coding_of(slug, players).follower]
by_table = pytest.mark.parametrize(("slug", "players"), tables_of_each_game(TABLES))
by_following = pytest.mark.parametrize(("slug", "players"), tables_of_each_game(FOLLOWING))


def played(game: AnyGame, coding: Coding, seed: int) -> Iterator[tuple[Playing, random.Random]]:
    """Random games, action by action, under few sets of house rules in which every value occurs."""
    rng = random.Random(seed)
    for options in spread_options(game, rng):
        house_rules = game.read_options(options, coding.players)
        playing = Playing.begun(game, coding, house_rules, chance_from(rng))
        while playing.to_act:
            yield playing, rng
            seat = rng.choice(playing.to_act)
            playing.act(seat, rng.choice(playing.open(seat)))


def anew(playing: Playing, seat: int) -> bytes:
    """What the seat sees, by nothing but its knowledge and what it has taken."""
    row = playing.coding.row(playing.seen(seat))
    for action in playing.taken(seat):
        row[playing.coding.part_slots[action]] += 1
    return row.tobytes()


def differs(game: AnyGame, coding: Coding, seed: int) -> bool:
    """Whether an observation is ever other than if it were made anew; some seats look seldom, some always."""
    return any(
        playing.observation(seat).tobytes() != anew(playing, seat)
        for playing, rng in played(game, coding, seed)
        for seat in range(1, coding.players + 1)
        if rng.random() < 1 / seat
    )


@by_table
def test_what_is_kept_is_what_is_made_anew(slug: str, players: int) -> None:
    """In every game, for every number of seats, under every house rule, also amid a move."""
    assert not differs(GAMES[slug], coding_of(slug, players), 3)


@by_following
def test_what_a_seat_may_not_read_is_not_written(slug: str, players: int) -> None:
    """Each event changes what a seat observes in the same way, whatever its secrets are to that seat."""
    game, coding = GAMES[slug], coding_of(slug, players)
    rng, found = random.Random(5), 0
    for options in spread_options(game, rng):
        for step in random_game(game, players, options, rng):
            for before, event, _ in step.turn.steps:
                readers = game.readers(before, event)
                for own in range(1, players + 1):
                    other = with_other_secrets(event, readers, own)
                    assert written(coding, event, own) == written(coding, other, own)
                    found += other != event
    assert found


def with_other_secrets(event: Any, readers: Mapping[str, Sequence[int]], own: int) -> Any:
    """The event with other cards wherever the seat may not read which they are."""
    closed = [name for name, seats in readers.items() if own not in seats]
    return msgspec.structs.replace(event, **{name: tuple(["hunter-1"] * len(getattr(event, name))) for name in closed})


def written(coding: Coding, event: Any, own: int) -> bytes:
    """What an event makes of the numbers of a seat, at a table where none is a mark yet."""
    follower = coding.follower
    assert follower is not None
    numbers = array("f", [0.5]) * len(follower.sharing.place)
    if type(event) in follower.changes:
        follower.changes[type(event)](numbers, event)
    return np.frombuffer(numbers, np.float32)[follower.sharing.places[own - 1]].tobytes()
