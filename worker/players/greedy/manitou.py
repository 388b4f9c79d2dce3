"""Greedy Manitou: the card that would bring most if the hunt ended with it, and a party of preferred cards."""

import random
from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from games.kernel import Event, Move, first_of_all
from games.manitou.components import GROUNDS, HUNTS, TURNS
from games.manitou.end_of_hunt import force_penalty, ground_cleared, ground_evaluated
from games.manitou.evolve import fought, laid
from games.manitou.imagine import imagine
from games.manitou.moves import PlayCard
from games.manitou.play import legal_moves, trial_of_strength
from games.manitou.sight import View
from games.manitou.state import State
from games.manitou_family_parties import ChooseParty
from games.rows import swapped
from worker.players import Candidate, ranked
from worker.players.float_sums import added

NOISE = 24.0  # points by which a novice misjudges a move at most

# Weights of what a hunt would bring if it ended now, chosen by hundreds of games against this player with the weights
# 0.5, 0.8, 1.0 and no taste. It beats that one in 64 % of the games of two; alone among such players it wins 46 % of
# the games of three and 47 % of four.
WEIGHTS = {
    "lost_card": 0.25,  # points for a card that is captured, for each hunt still to come
    "hide_thief": 1.4,  # times its 10 points, on the last turn; less, the more turns are left
    "rivals": 1.0,  # times the mean of the others, against one's own
}
# The preference for each card in the party, from the same games. Low hunters are worse the more seats compete for a
# ground; with two seats high ones bring the hide thief.
TASTE: dict[int, dict[str, float]] = {
    2: {"low": -0.2, "middle": 0.0, "high": -0.3, "hero": 0.0},
    3: {"low": -0.8, "middle": 0.0, "high": 0.2, "hero": 0.3},
    4: {"low": -0.8, "middle": 0.0, "high": 0.4, "hero": 0.3},
}
WHIM = 1.0  # random change of the preferences, so that nobody can predict a party
KINDS = {
    **dict.fromkeys(["hunter-1", "hunter-2", "hunter-3"], "low"),
    **dict.fromkeys(["hunter-4", "hunter-5-1", "hunter-5-2", "hunter-6"], "middle"),
    **dict.fromkeys(["hunter-7", "hunter-8", "hunter-9", "hunter-10"], "high"),
}


def weigh(view: View, feed: Sequence[Event], luck: random.Random) -> list[Candidate]:
    """Returns the seat's moves, the best first; luck orders equal ones."""
    if view.seat is None:
        raise ValueError("a spectator does not move")
    if view.phase == "party":
        return [Candidate(ChooseParty(party(view, view.seat, luck)), 0, 0.0)]
    state, seat = imagine(view, feed, first_of_all), view.seat  # nothing below reads hidden cards
    return ranked(legal_moves(state, seat), partial(gain, state, seat), luck)


def party(view: View, seat: int, luck: random.Random) -> tuple[str, ...]:
    """Returns the preferred cards of the reserve, with some randomness."""
    own, taste = view.seats[seat - 1], TASTE[view.players]
    cards = own.reserve if isinstance(own.reserve, tuple) else ()
    wanted = {card: taste[KINDS.get(card, "hero")] + WHIM * luck.random() for card in cards}
    return tuple(sorted(cards, key=lambda card: -wanted[card])[: own.party_size])


def gain(state: State, seat: int, move: Move) -> float:
    """Returns a seat's lead over the others if the hunt ended with the move."""
    expectations = prospects(after(state, seat, move) if isinstance(move, PlayCard) else state)
    own = expectations.pop(seat)
    return own - WEIGHTS["rivals"] * added(expectations.values()) / len(expectations)


def after(state: State, seat: int, move: PlayCard) -> State:
    """Returns the table after a card and its trial of strength."""
    trial = trial_of_strength(state, seat, move)
    ground = laid(state.grounds[move.ground - 1], seat, move.card, trial=trial is not None)
    if trial is not None:
        ground = fought(ground, trial.face_up_after)
    return replace(state, grounds=swapped(state.grounds, move.ground, ground))


def prospects(state: State) -> dict[int, float]:
    """Returns each seat's gain if the hunt ended now, including lost cards."""
    expectations = dict.fromkeys(range(1, state.players + 1), 0.0)
    lost = WEIGHTS["lost_card"] * (HUNTS - state.hunt)
    certainty = WEIGHTS["hide_thief"] * (state.turns_taken // state.players + 1) / TURNS
    for penalty in force_penalty(state).penalties:
        expectations[penalty.seat] += certainty * penalty.points
    for ground in GROUNDS:
        for award in ground_evaluated(state, ground).awards:
            expectations[award.seat] += award.value
        cleared = ground_cleared(state, ground)
        for row in cleared.prisoners:
            expectations[row.seat] -= lost * len(row.cards)
        if cleared.hero is not None:
            expectations[cleared.hero.seat] += cleared.points
    return expectations
