"""The legal moves: their order (PC-3.16), and what each leads to; and what ends with the game (PC-7.5)."""

import random
from itertools import pairwise
from typing import Any

import pytest

from games.kernel import first_of_all
from games.plenty_coups import game as plenty_coups
from games.plenty_coups.components import TRIBES, rank
from games.plenty_coups.play import PHASES, play, play_legal
from games.plenty_coups.state import State
from tests.games.plenty_coups.spec import given, raid
from wintercount.testing.random_games import random_game, random_options

TYPES = [move for moves in PHASES.values() for move in moves]
TRIBE_FIELDS = ("tribe", "target", "to", "from_")
CARD_FIELDS = ("cards", "card", "give", "discard")


def place(state: State, move: Any) -> tuple[Any, ...]:
    """Where a move stands in the list, as the document says."""
    named = next((getattr(move, name) for name in TRIBE_FIELDS if hasattr(move, name)), None)
    tribes = [raid.target for raid in state.raids] if hasattr(move, "coup") else state.tribes or TRIBES
    cards: list[str] = []
    for name in CARD_FIELDS:
        value = getattr(move, name, ())
        cards += [value] if isinstance(value, str) else value
    coup = getattr(move, "coup", False)
    among = tribes.index(named) if named else 0
    return TYPES.index(type(move)), among, len(cards), [rank(card) for card in cards], coup


@pytest.mark.parametrize("players", plenty_coups.players)
def test_legal_moves_stand_in_the_order_of_the_document(players: int) -> None:
    """In random games under random house rules: every list, and no move twice."""
    rng = random.Random(players)
    for step in random_game(plenty_coups, players, random_options(plenty_coups, rng), rng):
        if step.state is not None and step.seat is not None:
            places = [place(step.state, move) for move in plenty_coups.legal_moves(step.state, step.seat)]
            assert places == sorted(places)
            assert all(one != other for one, other in pairwise(places))


@pytest.mark.parametrize("players", plenty_coups.players)
def test_a_legal_move_leads_to_the_same_unchecked(players: int) -> None:
    """In random games under random house rules: the events and the states of every move that is listed."""
    rng = random.Random(players)
    for step in random_game(plenty_coups, players, random_options(plenty_coups, rng), rng):
        if step.state is not None and step.seat is not None:
            for move in plenty_coups.legal_moves(step.state, step.seat):
                checked = play(step.state, step.seat, move, first_of_all)
                assert play_legal(step.state, step.seat, move, first_of_all) == checked


def test_what_was_repelled_ends_with_the_game() -> None:
    """The last turn of all repels a raid strictly; afterwards no view offers a coup for it."""
    hands = {"red": "weapon-4 horse"}
    table = given(round=12, turn="red", hands=hands, raids=[raid("black", "red", "G-2", round_=12)])
    table.play({"type": "defend", "cards": ["weapon-4"]})
    assert table.types[-1] == "GameEnded"
    assert [plenty_coups.view(table.state, seat).repelled for seat in (None, 1, 4)] == [None] * 3
