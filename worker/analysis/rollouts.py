"""Games played on to their end by the greedy player, and what they come to for a seat."""

import random
from typing import Any, NamedTuple

from games.kernel import AnyGame
from worker.players import chance_of, weigh

LONGEST = 2000  # decisions of a rollout; no game of four has as many


class Result(NamedTuple):
    """What a game came to for a seat: its points, its lead over the best other, and its share of the victory."""

    points: float
    margin: float
    victory: float


def played_out(game: AnyGame, state: Any, luck: random.Random) -> Any:
    """The state at the end, when every seat makes the move that looks best to the greedy player."""
    chance = chance_of(luck)
    for _ in range(LONGEST):
        seats = game.to_act(state)
        if not seats:
            return state
        # What a seat saw before is left out: the greedy player guesses no hidden card from it.
        move = weigh(game, game.view(state, seats[0]), (), luck)[0].move
        state = game.play(state, seats[0], move, chance).state
    raise RuntimeError(f"{game.slug} did not end in {LONGEST} decisions")


def result_of(game: AnyGame, state: Any, seat: int) -> Result:
    """What a state comes to for a seat, as if the game ended with it."""
    scores = game.scores(state)
    totals = {row.seat: float(row.total) for row in scores.scores}
    own = totals.pop(seat)
    victory = 1 / len(scores.winners) if seat in scores.winners else 0.0
    return Result(own, own - max(totals.values()), victory)
