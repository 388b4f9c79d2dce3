"""The last turn of Tomahawk: both sides lay what they have left at once, which is a matrix of placements and replies.

It is solved by regret matching (Hart and Mas-Colell 2000): each side lays as often as it regrets not having laid, and
the average of what was laid approaches an equilibrium, from which one placement is drawn. The matrix differs from world
to world for the opponent, who knows its cards, but the seat has one mix for all worlds, as it cannot tell them apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations
from random import Random

from worker.players.chosen import Candidate, Chosen
from worker.players.search.outlooks import FORESEEN, Outlook
from worker.players.search.skirmish import Fighter, Skirmish
from worker.players.search.tomahawk_model import Hand, Placing

LAST_SCALE = 1.5  # points ahead that make a reward of 0.73


class Trial:
    """A placement that is tried."""

    __slots__ = ("places", "total", "visits")

    def __init__(self, places: Hand) -> None:
        self.places, self.visits, self.total = places, 0, 0.0

    def value(self) -> float:
        """The mean reward."""
        return self.total / max(1, self.visits)


def last_turn(outlook: Outlook, placing: Placing, luck: Random, rounds: int) -> Chosen:
    """One of the placements, drawn from the average of what was laid in so many rounds."""
    own = [Trial(places) for places in permutations(range(len(placing.fighters)), len(placing.piles))]
    if len(own) == 1:
        return Chosen(placing.move(own[0].places), 0)
    matching = Matching(outlook, own, [placing.lie(trial.places) for trial in own], luck)
    for number in range(rounds):
        matching.play(number)
    chosen = own[drawn([float(trial.visits) for trial in own], luck)]
    ranked = sorted(own, key=lambda trial: (-trial.visits, trial.places))
    tried = tuple([Candidate(placing.move(t.places), t.visits, t.value()) for t in ranked if t.visits])
    return Chosen(placing.move(chosen.places), rounds, tried)


class Matching:
    """Regret matching between the placements left to both sides.

    The opponent lays what it is foreseen to lay as often as it is trusted to, and else what serves it best.
    """

    def __init__(self, outlook: Outlook, own: list[Trial], lies: list[list[Fighter]], luck: Random) -> None:
        self.own, self.luck, self.regrets = own, luck, [0.0] * len(own)
        rows = zip(outlook.worlds, outlook.replies, strict=True)
        self.duels = [Duel(world, outlook.side, lies, foreseen) for world, foreseen in rows]

    def play(self, number: int) -> None:
        """A round, in the world whose turn it is."""
        luck, duel = self.luck, self.duels[number % len(self.duels)]
        is_foreseen = luck.random() < FORESEEN
        theirs = duel.foreseen(luck) if is_foreseen else drawn(duel.regrets, luck)
        mine = drawn(self.regrets, luck)
        column = [duel.reward(row, theirs, luck) for row in range(len(self.own))]
        self.own[mine].visits += 1
        self.own[mine].total += column[mine]
        for row, reward in enumerate(column):
            self.regrets[row] += reward - column[mine]
        if not is_foreseen:
            duel.learn(mine, theirs, luck)


class Duel:
    """The last turn in one world: what each placement brings against each reply, worked out when it is asked for."""

    def __init__(self, world: Skirmish, side: int, own: list[list[Fighter]], foreseen: Sequence[Hand]) -> None:
        self.world, self.side, self.own = world, side, own
        held = world.hands[1 - side]
        places = list(permutations(range(len(held)), len(world.open_piles(1 - side))))
        self.replies = [[held[place] for place in reply] for reply in places]
        self.likely = [places.index(reply) for reply in foreseen]
        self.regrets = [0.0] * len(self.replies)
        self.rewards: dict[tuple[int, int], float] = {}

    def foreseen(self, luck: Random) -> int:
        """A reply that the opponent may think best."""
        return self.likely[int(luck.random() * len(self.likely))]

    def learn(self, mine: int, theirs: int, luck: Random) -> None:
        """What the opponent would rather have laid against this placement."""
        line = [self.reward(mine, reply, luck) for reply in range(len(self.replies))]
        for reply, reward in enumerate(line):
            self.regrets[reply] += line[theirs] - reward

    def reward(self, row: int, reply: int, luck: Random) -> float:
        """The reward of a placement against a reply."""
        found = self.rewards.get((row, reply))
        if found is None:
            skirmish = self.world.clone()
            own, theirs = self.own[row], self.replies[reply]
            skirmish.play(*((own, theirs) if self.side == 0 else (theirs, own)), luck)
            lead = skirmish.margin() if self.side == 0 else -skirmish.margin()
            found = self.rewards[row, reply] = 1 / (1 + math.exp(-lead / LAST_SCALE))
        return found


def drawn(weights: Sequence[float], luck: Random) -> int:
    """A place, as likely as its weight says; any if none is positive."""
    total = sum([weight for weight in weights if weight > 0])
    if total <= 0:
        return int(luck.random() * len(weights))
    at = luck.random() * total
    for place, weight in enumerate(weights):
        if weight > 0:
            at -= weight
            if at < 0:
                return place
    return max(range(len(weights)), key=lambda place: weights[place])
