"""The searching player of Plenty Coups: tries the best-looking moves on imagined tables, each played on for a round.

In a playout, every tribe makes the best move for its seat at first sight, with some randomness; then the table is
valued. The worse half of the moves is dropped repeatedly (sequential halving; Karnin, Koren and Somekh 2013). The first
sight of a move counts like some playouts, so that a few of them cannot outweigh it. Answers, gifts, proposals and
disdain are moves like others.

With more than two seats, a playout continues to the end of the seat's next turn, when its raids are decided; rivals
value moves as the greedy player does; and all moves are tried with the same luck.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from games.kernel import Chance, Move
from games.plenty_coups.components import ROUNDS
from games.plenty_coups.imagine import imagine
from games.plenty_coups.moves import ProposeAlliance
from games.plenty_coups.play import legal_moves, play_legal
from games.plenty_coups.scoring import scores
from games.plenty_coups.sight import View
from games.plenty_coups.state import State, to_act
from worker.players import Candidate, Chosen, Foresight, chance_of, pick_move
from worker.players.greedy import plenty_coups as greedy
from worker.players.greedy.plenty_coups import Standings, looked_ahead, table_seen, weigh
from worker.players.search.plenty_coups_values import ALLYING, TWO, Hopes, expectations_of, hopes_of, lead, standing

ITERATIONS = {"skilled": 7, "expert": 100}  # an expert's median move stays within a second

WIDTH = 5  # moves tried; one more for each so many iterations, as far as there are any
WIDENING = 25
BAND = 0.6  # points behind the best at first sight up to which a move is tried
WORLDS = 12  # imagined tables, each used repeatedly
PER_WORLD = 4  # iterations for which one more is imagined
CAMPS = 3  # so many camps play a round in an iteration; with more, as many iterations fewer as it takes longer
TRUST, TRUST_OF_MANY = 8, 25  # playouts that the first sight of a move counts for, with two seats and with more
WHIM = 0.1
SPREAD = 0.85  # of a lead with a round to come, as `Foresight` has it
JUDGE_ALIKE = (TWO, *ALLYING)  # seats with which rivals judge in playouts as the seat does; with others greedily


Judge = Callable[[State, int], Callable[[Move], float]]  # the value of each of a seat's moves


class Trial:
    """A move that is tried."""

    __slots__ = ("move", "number", "prior", "total", "trust", "visits")

    def __init__(self, number: int, move: Move, prior: float, trust: int) -> None:
        self.number, self.move, self.prior, self.trust = number, move, prior, trust
        self.visits, self.total = 0, 0.0

    def value(self) -> float:
        """Returns the mean lead, with the first sight counted like some playouts."""
        return (self.total + self.trust * self.prior) / (self.visits + self.trust)


def choose(view: View, feed: Sequence[Any], luck: Random, budget: int) -> Chosen:
    """Chooses a move for the seat of the view with about `budget` iterations."""
    seat = view.seat or 0
    if view.phase == "choose_tribe":
        weighed = weigh(view, feed, luck)
        return Chosen(weighed[0].move, 0, tuple(weighed))
    state = table_seen(view)
    hopes = hopes_of(imagined(view, feed, luck, WORLDS), feed) if asks(state, seat, budget) else None
    trials = first_sight(state, seat, luck, WIDTH + budget // WIDENING, hopes)
    done = 0
    if len(trials) > 1:
        budget = max(len(trials), budget * CAMPS**2 // len(view.camps) ** 2)
        worlds = imagined(view, feed, luck, max(1, min(WORLDS, budget // PER_WORLD)))
        done = halve(trials, worlds, seat, luck, budget)
    trials.sort(key=lambda trial: (-trial.visits, -trial.value(), trial.number))
    rows = [Candidate(trial.move, trial.visits, trial.value()) for trial in trials]
    return Chosen(rows[0].move, done, tuple(rows))


def imagined(view: View, feed: Sequence[Any], luck: Random, count: int) -> list[State]:
    """Imagines this number of tables."""
    return [imagine(view, feed, chance_of(luck)) for _ in range(count)]


def asks(state: State, seat: int, budget: int) -> bool:
    """Returns whether a seat that may propose an alliance estimates who can accept: only in a long search."""
    if state.players not in ALLYING or budget < WORLDS * PER_WORLD:
        return False
    return any(isinstance(move, ProposeAlliance) for move in legal_moves(state, seat))


def first_sight(state: State, seat: int, luck: Random, width: int, hopes: Hopes | None = None) -> list[Trial]:
    """Returns the seat's best moves at first sight, leaving out those far behind."""
    moves, trust = legal_moves(state, seat), TRUST if state.players == TWO else TRUST_OF_MANY
    if len(moves) == 1:
        return [Trial(0, moves[0], 0.0, trust)]
    gain = gains(state, seat, hopes)
    rows = [(gain(move), luck.random(), number) for number, move in enumerate(moves)]
    rows.sort(reverse=True)
    likely = [row for row in rows[:width] if row[0] > rows[0][0] - BAND]
    return [Trial(place, moves[number], value, trust) for place, (value, _, number) in enumerate(likely)]


def gains(state: State, seat: int, hopes: Hopes | None = None) -> Callable[[Move], float]:
    """Returns a function that gives the seat's lead after a move, ignoring drawn cards."""
    standings = Standings(state, standing)

    def gain(move: Move) -> float:
        after, left = looked_ahead(state, seat, move)
        return lead(after, seat, left, standings, hopes)

    return gain


def halve(trials: Sequence[Trial], worlds: Sequence[State], seat: int, luck: Random, budget: int) -> int:
    """Halves the trials repeatedly, trying all in the same worlds; returns the number of playouts."""
    alive, done, number = list(trials), 0, 0
    rounds = max(1, math.ceil(math.log2(len(alive))))
    while done < budget:
        for _ in range(max(1, budget // (rounds * len(alive)))):
            world = worlds[number % len(worlds)]
            lucks = lucks_of(world, luck)
            number += 1
            for trial in alive:
                trial.total += played_out(world, seat, trial.move, lucks())
                trial.visits += 1
                done += 1
        alive.sort(key=lambda trial: (-trial.value(), trial.number))
        alive = alive[: max(2, (len(alive) + 1) // 2)]
    return done


def lucks_of(world: State, luck: Random) -> Callable[[], Random]:
    """Returns the luck of each playout on a table: with more than two seats the same for all."""
    if world.players == TWO:
        return lambda: luck
    seed = int(luck.random() * 2**53)
    return lambda: Random(seed)  # noqa: S311 - repeatable


def played_out(world: State, seat: int, move: Move, luck: Random) -> float:
    """Returns the lead after a move when every camp has had a turn, and with many seats the seat another one."""
    state: State = play_legal(world, seat, move, chance_of(luck)).state
    alike, turns = state.players in JUDGE_ALIKE, len(state.tribes) + (state.players > TWO)
    return lead(played_on(state, turns, luck, lambda other: gains if alike or other == seat else greedy.gains), seat)


def played_on(state: State, turns: int, luck: Random, judge: Callable[[int], Judge]) -> State:
    """Returns the table after these turns, of seats that judge moves so."""
    chance: Chance = chance_of(luck)
    tribe = state.turn
    while turns and (seats := to_act(state)):
        move = advised(state, seats[0], luck, judge(seats[0]))
        state = play_legal(state, seats[0], move, chance).state
        if state.turn != tribe:
            tribe, turns = state.turn, turns - 1
    return state


def foresee(state: State, luck: Random) -> Foresight:
    """Plays on for a round, and values the table as the search does; at the end of the game by its scores."""
    while state.phase == "choose_tribe":
        seat = to_act(state)[0]
        state = play_legal(state, seat, pick_move(luck, legal_moves(state, seat)), chance_of(luck)).state
    state = played_on(state, len(state.tribes), luck, lambda _: greedy.gains)
    if to_act(state):
        return Foresight(expectations_of(state), SPREAD * math.sqrt(ROUNDS - state.round + 1))
    totals = sorted((row.seat, float(row.total)) for row in scores(state).scores)
    return Foresight([total for _, total in totals], 0.0)


def advised(state: State, seat: int, luck: Random, judge: Judge) -> Move:
    """Returns the best move at first sight by `judge`, with some randomness."""
    moves: list[Move] = legal_moves(state, seat)
    if len(moves) == 1:
        return moves[0]
    gain = judge(state, seat)
    return max(moves, key=lambda move: gain(move) + WHIM * luck.random())
