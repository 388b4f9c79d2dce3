"""Tomahawk searched: what each card brings at each pile in imagined worlds, against what the opponent will likely lay.

Both sides place at the same time. So the opponent is first given the placements that it would think best in each world,
if it prices its cards as the greedy player does; then one of the placements that are about as good as the best against
these is taken by luck. From the fourth turn on the seat knows every card that it will lay: the last three turns are
planned together (`campaigns`), then the last two (`plans`), and the last is solved as a matrix (`last_turn`). The
specials are chosen by the greedy player's table; a look is always taken.

That battles can be looked at one by one is what makes the search small: what a card brings at a pile does not depend on
the other piles, but for the card itself, which can lie at one of them only. So a placement is an assignment of cards to
piles with the highest sum. Averaging over worlds as if each were known lets the seat's later choices depend on what it
will not know (strategy fusion; Frank and Basin 1998); a plan keeps to one order of cards in all worlds, so it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import nlargest
from itertools import permutations
from random import Random
from typing import Any

from games.tomahawk.components import TURNS
from games.tomahawk.imagine import imagine
from games.tomahawk.sight import View
from worker.players.chosen import Candidate, Chosen
from worker.players.greedy import tomahawk as greedy
from worker.players.luck import chance_of
from worker.players.search.campaigns import Campaigns, battles_of
from worker.players.search.last_turn import last_turn
from worker.players.search.outlooks import FORESEEN, Outlook
from worker.players.search.plans import Plans, futures_of
from worker.players.search.skirmish import Skirmish, skirmish_of
from worker.players.search.tomahawk_model import Hand, Placing, unlaid

ITERATIONS = {"skilled": 4, "expert": 60}

CANDIDATES = 12  # placements that are named
NEAR = 0.2  # points within which placements count as equal
BAND = 0.6  # points within which plans for the last turns are followed up
LAST_WORLDS = 16
LAST_ROUNDS = 10  # of regret matching, for each iteration


def choose(view: View, feed: Sequence[Any], luck: Random, budget: int) -> Chosen:
    """A move for the seat whose view it is; an iteration is one imagined world."""
    if view.phase != "play_cards":
        weighed = greedy.weigh(view, feed, luck)
        return Chosen(weighed[0].move, 0, tuple(weighed))
    side = (view.seat or 1) - 1
    count = max(1, min(budget, LAST_WORLDS) if view.turn == TURNS else budget)
    worlds = [skirmish_of(unlaid(imagine(view, feed, chance_of(luck)), 1 - side)) for _ in range(count)]
    outlook = Outlook(worlds, side, luck)
    if view.turn == TURNS:
        return last_turn(outlook, Placing(view), luck, LAST_ROUNDS * budget)
    return placement(outlook, Placing(view), luck)


# Before the last turn


def placement(outlook: Outlook, placing: Placing, luck: Random) -> Chosen:
    """One of the placements that are about as good as the best."""
    visits = len(outlook.worlds)
    best = PLANS.get(outlook.worlds[0].turn, weighed)(outlook, luck)
    near = [row for row in best if row[0] >= best[0][0] - NEAR]
    chosen = near[int(luck.random() * len(near))]
    rows = tuple([Candidate(placing.move(places), visits, value) for value, places in best[:CANDIDATES]])
    return Chosen(placing.move(chosen[1]), visits, rows)


def weighed(outlook: Outlook, _luck: Random) -> list[tuple[float, Hand]]:
    """The placements that bring most, by the sums of what each card brings less its price."""
    weights = outlook.weights()
    hands = permutations(range(len(weights[0])), len(weights))
    return nlargest(
        CANDIDATES,
        [(sum([row[place] for row, place in zip(weights, places, strict=True)]), places) for places in hands],
    )


def planned(outlook: Outlook, luck: Random) -> list[tuple[float, Hand]]:
    """The placements that begin the best plans for the last two turns."""
    futures = [
        futures_of(world, outlook.side, reply_in(world, outlook.side, replies, luck), luck)
        for world, replies in zip(outlook.worlds, outlook.replies, strict=True)
    ]
    return Plans(outlook.worlds[0], outlook.side, futures).placements(BAND)


def spread(outlook: Outlook, luck: Random) -> list[tuple[float, Hand]]:
    """The placements that begin the best campaigns for the last three turns."""
    battles = [
        battles_of(world, outlook.side, reply_in(world, outlook.side, replies, luck), luck)
        for world, replies in zip(outlook.worlds, outlook.replies, strict=True)
    ]
    return Campaigns(outlook.worlds[0], outlook.side, battles).placements(BAND)


def reply_in(world: Skirmish, side: int, foreseen: Sequence[Hand], luck: Random) -> Hand:
    """What the opponent may lay now: mostly what is foreseen, else anything."""
    if luck.random() < FORESEEN:
        return foreseen[int(luck.random() * len(foreseen))]
    places = list(range(len(world.hands[1 - side])))
    return tuple([places.pop(int(luck.random() * len(places))) for _ in world.open_piles(1 - side)])


PLANS: dict[int, Callable[[Outlook, Random], list[tuple[float, Hand]]]] = {TURNS - 2: spread, TURNS - 1: planned}
