"""Greedy Plenty Coups: tries every move on a table as it may well be and makes the one that leaves its seat best off.

What a table is worth to a seat is its points and what its herd, hand and raids promise, less what the best and the mean
of the others have by the same reckoning. What a move draws or is answered with is not looked at: it counts as a card of
middling worth. The unit is one point.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from games.plenty_coups import View, imagine, legal_moves, play
from games.plenty_coups import moves as asked
from games.plenty_coups.components import COUP_STICK, FREE_HERD, HORSE, ROUNDS, WARRIORS, WEAPONS
from games.plenty_coups.scoring import Sheet, sheet, standing
from games.plenty_coups.state import Camp, StandingRaid, State, camp_of, own_camp
from worker.players.chosen import Candidate
from worker.players.luck import chance_of

# Set by hand from what the cards do; not tuned by play.
WORTH = {
    COUP_STICK: 0.55,
    HORSE: 0.65,
    **{weapon: 0.2 + 0.06 * value for weapon, value in WEAPONS.items()},
    **{card: 0.12 + 0.1 * warrior.value for card, warrior in WARRIORS.items()},
}
MIDDLING = 0.38  # a card that nobody has seen
SAFE_HORSE = 0.2  # a horse that does not score yet
CLOSE_WINTER = 3  # rounds before the end from which cards lose their worth
HUNTING = 0.08  # what a choice among more cards adds
STANDS = (0.0, 0.45, 0.55, 0.65, 0.75, 0.82, 0.88, 0.92, 0.95)  # that a raid of this attack comes home
BEST_SHARE = 0.5  # of the best other in what the others have, against their mean


def weigh(view: View, feed: Sequence[Event], luck: random.Random) -> list[Candidate]:
    """The moves of the seat whose view it is, those that leave it best off first; luck orders equal ones."""
    if view.seat is None:
        raise ValueError("a spectator does not move")
    return weigh_in(imagine(view, feed, chance_of(luck)), view.seat, luck)


def weigh_in(state: State, seat: int, luck: random.Random) -> list[Candidate]:
    """The same in an imagined state."""
    moves: list[Move] = legal_moves(state, seat)
    if len(moves) == 1:
        return [Candidate(moves[0], 0, 0.0)]
    if state.phase == "choose_tribe":
        return [Candidate(move, 0, 0.0) for move in sorted(moves, key=lambda _: luck.random())]
    rows = [(gain(state, seat, move, luck), luck.random(), move) for move in moves]
    rows.sort(key=lambda row: (-row[0], row[1]))
    return [Candidate(move, 0, value) for value, _, move in rows]


def gain(state: State, seat: int, move: Move, luck: random.Random) -> float:
    """What a move leaves a seat with; draws and answers that it cannot foresee count as middling cards."""
    keeps = freshness(state)
    if isinstance(move, asked.Hunt):
        return worth(state, seat) + keeps * (MIDDLING + HUNTING - WORTH[move.discard])
    if isinstance(move, asked.ExchangeGifts | asked.ExchangeGiftsFree | asked.AnswerGift):
        lost = WORTH[move.give] + (WORTH[move.discard] if isinstance(move, asked.ExchangeGifts) else 0.0)
        return worth(state, seat) - keeps * (lost - MIDDLING * 0.6)
    after = play(state, seat, move, chance_of(luck)).state
    value = worth(after, seat)
    if after.turn != state.turn:  # what the next turn draws or sweeps is not looked at
        value -= keeps * drawn_worth(state, after)
    return value


def drawn_worth(state: State, after: State) -> float:
    """By how much the hand of the tribe whose turn ended has changed by drawing, against middling cards."""
    before, now = own_camp(state).hand, camp_of(after, own_camp(state).tribe).hand
    drawn = list(now)
    for card in before:
        if card in drawn:
            drawn.remove(card)
    return sum([WORTH[card] - MIDDLING for card in drawn])


def freshness(state: State) -> float:
    """How much of its worth a card still has: there must be turns left to use it."""
    return min(1.0, (ROUNDS - state.round) / CLOSE_WINTER)


def worth(state: State, seat: int) -> float:
    """How much better off a seat is than the others."""
    keeps = freshness(state)
    values: dict[int, float] = {}
    sheets = {camp.tribe: sheet(state, camp) for camp in state.camps}
    for camp in state.camps:
        if camp.seat is not None:
            values[camp.seat] = prospects(state, camp, sheets[camp.tribe], keeps)
    own = values.pop(seat)
    others = list(values.values())
    return own - BEST_SHARE * max(others) - (1 - BEST_SHARE) * sum(others) / len(others)


def prospects(state: State, camp: Camp, own: Sheet, keeps: float) -> float:
    """The points of a tribe, alone and with its ally, and what it may hope for."""
    points = float(standing(state, own).total) + 0.1 * own.off_herd
    points += SAFE_HORSE * min(camp.horses, FREE_HERD)
    points += keeps * sum([WORTH[card] for card in camp.hand])
    for raid in state.raids:
        if raid.tribe == camp.tribe:
            points += raid_worth(state, raid, camp)
        elif raid.target == camp.tribe:
            points -= 0.8 * raid_worth(state, raid, None)
    return points - (0.3 if camp.disdained else 0.0)


def raid_worth(state: State, raid: StandingRaid, camp: Camp | None) -> float:
    """What a raid may bring when it comes home: a horse, and a coup if the raider holds a stick."""
    if raid.round >= ROUNDS:
        return 0.0
    stands = STANDS[min(raid.attack, len(STANDS) - 1)]
    if raid.tribe == state.turn and raid.round < state.round:
        stands = 1.0
    coup = 0.35 if camp is None or COUP_STICK in camp.hand else 0.15
    horse = 0.9 if camp_of(state, raid.target).horses else 0.1
    return stands * (horse + (coup if raid.marker == "raid" else 0.0))
