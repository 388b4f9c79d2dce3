"""Late moments of random games of 3 to 6 seats, and whether an imagined world agrees with what was seen."""

import random
from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

from games.kernel import NoWorld
from games.plenty_coups import game as plenty_coups
from games.plenty_coups.imagine import found
from games.plenty_coups.imagine.card_paths import fits
from games.plenty_coups.imagine.transfers import Reading
from wintercount.testing.played import Played
from wintercount.testing.random_games import chance_of, random_options

OF_A_GAME = 50


class Look(NamedTuple):
    """A moment of a game as a seat, or a spectator (None), sees it."""

    seed: int
    version: int
    seat: int | None
    view: Any
    feed: list[Any]


def looks(first: int = 0) -> Iterator[Look]:
    """Moments in the second half of games played at random, under any house rules, game after game."""
    for seed in count(first):
        rng, played = random_play(seed)
        late = played.decisions[len(played.decisions) // 2 : -1]
        for version in rng.sample(late, min(OF_A_GAME, len(late))):
            yield look_at(seed, version, rng.choice(played.observers), played)


def random_play(seed: int) -> tuple[random.Random, Played]:
    """A game of 3 to 6 seats."""
    rng = random.Random(seed)
    return rng, Played(plenty_coups, 3 + seed % 4, random_options(plenty_coups, rng), seed)


def look_at(seed: int, version: int, seat: int | None, played: Played | None = None) -> Look:
    """One moment of such a game."""
    played = played or random_play(seed)[1]
    view = plenty_coups.view(played.states[version], seat)
    return Look(seed, version, seat, view, played.feed(version, seat))


def agrees(look: Look) -> bool:
    """Whether the cards that a world gives to transfers are all those that were seen to go by them."""
    try:
        paths = found(Reading(look.view, look.feed), chance_of(look.version))
    except NoWorld:
        return False
    return all(fits(face, wanted) for face, wanted in zip(paths.face, paths.wanted, strict=True))
