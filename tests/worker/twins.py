"""Twin worlds: tables that one seat cannot tell apart, and players that must then move alike.

A position comes from a game of quick moves. Its twin is what the seat imagines: the same view, the same feed, another
hidden rest. A player is asked in both, through the same narrow door as at a table.
"""

import hashlib
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from benchmarks.matches import Deal, Table
from games import GAMES
from games.kernel import AnyGame, MoveSet
from worker.players import chance_of, pick


class Position(NamedTuple):
    """A decision of a seat, and the twin in which it cannot tell that it is elsewhere."""

    game: AnyGame
    seat: int
    state: Any
    twin: Any
    feed: tuple[Any, ...]
    seed: str


Player = Callable[[AnyGame, Any, int, tuple[Any, ...], str], Any]  # game, true state, seat, feed, seed: a move


def positions(game: str, players: int, seed: str, every: int) -> Iterator[Position]:
    """Some decisions of a random game, one in `every` on average."""
    luck = random.Random(hashlib.sha256(f"{game}|{players}|{seed}".encode()).digest())
    table, chance = Table(GAMES[game], players, {}, Deal(seed)), chance_of(luck)
    worlds = chance_of(random.Random(seed))  # its own, so that how worlds are imagined does not change the game
    while seats := table.game.to_act(table.state):
        seat = pick(luck, seats)
        if luck.random() * every < 1:
            feed = tuple(table.feeds[seat - 1])
            twin = table.game.imagine(table.game.view(table.state, seat), feed, worlds)
            yield Position(table.game, seat, table.state, twin, feed, hashlib.sha256(seed.encode()).hexdigest())
        listed = pick(luck, table.game.legal_moves(table.state, seat))
        table.play(seat, listed.sample(chance) if isinstance(listed, MoveSet) else listed)


def differs(position: Position, player: Player) -> bool:
    """Whether a player moves otherwise in the twin: then it has seen what its seat cannot."""
    game, seat, feed, seed = position.game, position.seat, position.feed, position.seed
    assert game.view(position.state, seat) == game.view(position.twin, seat)
    here = player(game, position.state, seat, feed, seed)
    return bool(here != player(game, position.twin, seat, feed, seed))
