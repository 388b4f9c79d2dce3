"""Plenty Coups searched: the moves that look best are tried on tables that may be, and played on for two rounds.

In a playout every tribe makes the move with most appeal at first sight, with a whim; then the table is valued as the
greedy player does. The worse half of the moves is dropped again and again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from games.kernel import Chance, Move
from games.plenty_coups import View, imagine, legal_moves, play
from games.plenty_coups import moves as asked
from games.plenty_coups.components import ROUNDS, WEAPONS, WINTER, printed_value
from games.plenty_coups.state import State, camp_of, is_winter, to_act
from worker.players.chosen import Candidate, Chosen
from worker.players.greedy.plenty_coups import CARD_VALUES, WEIGHTS, card_worth, weigh, worth
from worker.players.luck import chance_of

WIDTH = 10  # moves tried; one more for each so many iterations, as far as there are any
WIDENING = 60
WORLDS = 12  # imagined tables, each of which is tried again and again
ROUNDS_AHEAD = 1.0  # of turns, played out after the move
SCALE = 2.5  # points ahead that make a reward of 0.73
TRUST = 12  # playouts that the greedy player's opinion counts for
WHIM = 0.35


class Trial:
    """A move that is tried."""

    __slots__ = ("move", "number", "prior", "total", "visits")

    def __init__(self, number: int, move: Move, prior: float) -> None:
        self.number, self.move, self.prior = number, move, prior
        self.visits, self.total = 0, 0.0

    def value(self) -> float:
        """The mean reward, what was expected of it counted as some playouts."""
        return (self.total + TRUST * self.prior) / (self.visits + TRUST)


def choose(view: View, feed: Sequence[Any], luck: Random, budget: int) -> Chosen:
    """A move for the seat whose view it is, after about so many iterations."""
    chance, seat = chance_of(luck), view.seat or 0
    weighed = weigh(view, feed, luck)
    if len(weighed) == 1 or view.phase == "choose_tribe":
        return Chosen(weighed[0].move, 0, tuple(weighed))
    width = WIDTH + budget // WIDENING
    worlds = [imagine(view, feed, chance) for _ in range(max(1, min(WORLDS, budget // 8)))]
    base = lead(worlds[0], seat)
    trials = [Trial(n, row.move, reward(base + row.value - weighed[0].value)) for n, row in enumerate(weighed[:width])]
    done = halve(trials, worlds, seat, luck, budget)
    trials.sort(key=lambda trial: (-trial.visits, -trial.value(), trial.number))
    rows = [Candidate(trial.move, trial.visits, trial.value()) for trial in trials]
    return Chosen(rows[0].move, done, tuple(rows))


def halve(trials: Sequence[Trial], worlds: Sequence[State], seat: int, luck: Random, budget: int) -> int:
    """Successive halving, every round against the same worlds; gives the playouts done."""
    alive, done, number = list(trials), 0, 0
    rounds = max(1, math.ceil(math.log2(len(alive))))
    while len(alive) > 1 and done < budget:
        for _ in range(max(1, budget // (rounds * len(alive)))):
            world = worlds[number % len(worlds)]
            number += 1
            for trial in alive:
                trial.total += played_out(world, seat, trial.move, luck)
                trial.visits += 1
                done += 1
        alive.sort(key=lambda trial: (-trial.value(), trial.number))
        alive = alive[: max(2, (len(alive) + 1) // 2)]
    return done


def reward(points: float) -> float:
    """A lead in points as a reward between 0 and 1."""
    return 1 / (1 + math.exp(-points / SCALE))


def lead(state: State, seat: int) -> float:
    """How far a seat is ahead of the others, as the greedy player values tables, hands included."""
    still = min(1.0, (ROUNDS - state.round) / (ROUNDS - WINTER + 1))
    worths: dict[int, float] = {}
    for camp in state.camps:
        if camp.seat is not None:
            hand = sum([card_worth(card, camp.tribe) for card in camp.hand])
            worths[camp.seat] = worth(state, camp) + still * hand
    own = worths.pop(seat)
    others = list(worths.values())
    return own - WEIGHTS["rivals"] * max(others) - (1 - WEIGHTS["rivals"]) * sum(others) / len(others)


def played_out(world: State, seat: int, move: Move, luck: Random) -> float:
    """The reward of a move, played on for some turns as the tribes might."""
    chance: Chance = chance_of(luck)
    state: State = play(world, seat, move, chance).state
    turns = int(ROUNDS_AHEAD * len(state.tribes))
    tribe = state.turn
    while turns >= 0 and (seats := to_act(state)):
        state = play(state, seats[0], advised(state, seats[0], luck), chance).state
        if state.turn != tribe:
            tribe, turns = state.turn, turns - 1
    return reward(lead(state, seat))


def advised(state: State, seat: int, luck: Random) -> Move:
    """The move with most appeal at first sight, and a whim."""
    moves: list[Move] = legal_moves(state, seat)
    if len(moves) == 1:
        return moves[0]
    random = luck.random
    best, chosen = -math.inf, moves[0]
    for move in moves:
        appeal = APPEALS[type(move)](state, move) + WHIM * random()
        if appeal > best:
            best, chosen = appeal, move
    return chosen


def _raid(state: State, move: asked.Raid) -> float:
    """The strong before the rich."""
    target = camp_of(state, move.target)
    prey = 0.9 if target.horses else 0.0
    printed = printed_value(move.cards)
    cost = 0.35 if len(move.cards) == 2 else 0.0
    return prey + 0.1 * printed + 0.05 * target.horses - cost + (0.3 if target.seat is not None else 0.0)


def _kept(cards: Sequence[str]) -> float:
    return sum([CARD_VALUES[card] for card in cards])


APPEALS: dict[type, Callable[[State, Any], float]] = {
    asked.ChooseTribe: lambda *_: 0.0,
    asked.TakeCards: lambda _, move: _kept(move.cards),
    asked.ReturnRaid: lambda _, move: 3.0 if move.coup else 2.0,
    asked.Raid: _raid,
    asked.Defend: lambda _, move: 1.6 - 0.1 * sum([WEAPONS[card] for card in move.cards]),
    asked.MarkDefenceCoup: lambda *_: 3.0,
    asked.Breed: lambda *_: 1.5,
    asked.DonateHorses: lambda *_: 0.2,
    asked.Hunt: lambda _, move: 0.75 - CARD_VALUES[move.discard],
    asked.ExchangeGifts: lambda *_: -1.0,
    asked.ExchangeGiftsFree: lambda _, move: 0.3 - CARD_VALUES[move.give],
    asked.ProposeAlliance: lambda *_: 0.3,
    asked.AcceptAlliance: lambda *_: 0.6,
    asked.AllyNeutral: lambda *_: 0.3,
    asked.Disdain: lambda *_: 0.4,
    asked.PassTurn: lambda state, _: 0.5 if is_winter(state) else 0.2,
    asked.AnswerGift: lambda _, move: -CARD_VALUES[move.give],
    asked.ProveWorth: lambda _, move: 0.9 - CARD_VALUES[move.card],
    asked.EndureDisdain: lambda *_: 0.1,
    asked.DiscardAfterHunt: lambda _, move: -_kept(move.cards),
    asked.DiscardExcess: lambda _, move: -_kept(move.cards),
}
