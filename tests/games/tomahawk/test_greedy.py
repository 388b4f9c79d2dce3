"""The greedy player makes legal moves under every house rule, without looking at what is hidden, and plays well."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from games.kernel import MoveSet
from games.tomahawk import game as tomahawk
from tests.games.tomahawk.reference import game_a
from tests.games.tomahawk.spec import Script, Table
from worker.players.greedy.tomahawk import weigh

OTHER_RULES = {option.name: option.values[-1] for option in tomahawk.options}


class Luck(Script):
    """Luck that is not scripted."""

    def __init__(self, luck: random.Random) -> None:
        super().__init__()
        self.luck = luck

    def __call__(self, kind: str, population: Sequence[Any], count: int) -> tuple[Any, ...]:  # noqa: ARG002 - all kinds alike
        return tuple(self.luck.sample(population, count))


def play_out(seed: int, greedy: Sequence[int], **options: Any) -> Table:
    """A game of the greedy player at these seats, with random moves at the others."""
    luck = random.Random(seed)

    chance = Luck(luck)
    table = Table(chance, **options)
    while table.state.to_act:
        seat = table.state.to_act[0]
        if seat in greedy:
            move = weigh(tomahawk.view(table.state, seat), table.feeds[seat], luck)[0].move
        else:
            move = luck.choice(tomahawk.legal_moves(table.state, seat))
            move = move.sample(chance) if isinstance(move, MoveSet) else move
        table.move(seat, move)
    return table


@pytest.mark.parametrize("options", [{}, OTHER_RULES], ids=["defaults", "others"])
def test_it_plays_to_the_end(options: dict[str, Any]) -> None:
    """Every decision of both seats is legal."""
    for seed in range(3):
        assert play_out(seed, (1, 2), **options).state.phase == "over"


def test_it_decides_alike_from_the_same_view_feed_and_luck() -> None:
    """A move can be computed again."""
    table = game_a(3)
    view, feed = tomahawk.view(table.state, 1), table.feeds[1]
    assert weigh(view, feed, random.Random(5)) == weigh(view, feed, random.Random(5))


@pytest.mark.slow
def test_it_beats_random_play() -> None:
    """Of 12 games against random moves it wins at least 8; over hundreds it wins 95 in 100."""
    wins = [1 + seed % 2 in tomahawk.scores(play_out(seed, (1 + seed % 2,)).state).winners for seed in range(12)]
    assert sum(wins) >= 8
