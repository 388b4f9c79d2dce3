"""What a standing in Plenty Coups is worth to the searching player, by the number of seats."""

from itertools import islice

import pytest

from games.plenty_coups import legal_moves
from tests.worker.twins import Position, positions
from worker.players.greedy import plenty_coups as greedy
from worker.players.search import plenty_coups as search


def first_sights(position: Position) -> list[tuple[float, float]]:
    """What the searching and the greedy player think at first sight of each move."""
    state = greedy.table_seen(position.game.view(position.state, position.seat))
    moves = legal_moves(state, position.seat)
    return [(search.gain(state, position.seat, m), greedy.gain(state, position.seat, m)) for m in moves]


def in_play(players: int) -> list[Position]:
    """Some decisions after the tribes are chosen."""
    found = (p for p in positions("plenty-coups", players, "standing", every=4) if p.state.phase != "choose_tribe")
    return list(islice(found, 6))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_many_seats_are_judged_as_the_greedy_player_does(players: int):
    """With more than two seats a move is worth at first sight what it is worth to the greedy player."""
    for position in in_play(players):
        for own, other in first_sights(position):
            assert own == pytest.approx(other)


def test_two_seats_are_judged_by_what_was_learnt():
    """With two seats the values are those of the regression, which are not the greedy player's."""
    assert any(own != pytest.approx(other) for position in in_play(2) for own, other in first_sights(position))
