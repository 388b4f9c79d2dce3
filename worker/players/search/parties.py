"""The secret choice of a party: parties sampled by taste are tried in playouts, the worse half dropped again and again.

What others choose is sampled alike. One of the best is chosen by luck, the better the likelier: nobody can foretell it.

Dropping the worse half again and again (sequential halving; Karnin, Koren and Somekh 2013) spends most playouts on the
parties that are hard to tell apart: all that counts is which is taken, not what the others were worth. All parties are
tried in the same worlds, so that the luck of the deal cancels out of their differences (common random numbers).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from games.parties import HAND_SIZE, ChooseParty
from worker.players.chosen import Candidate, Chosen
from worker.players.luck import chance_of
from worker.players.search.deals import Taste, Title, dealt
from worker.players.search.hunt import kind, shuffle

CANDIDATES = 48
WHIM = 0.9  # how far luck spreads the candidates, in the taste's own standard deviations
GREED = 150.0  # how much likelier a party is chosen that brings more: e times for each 1/150 of the reward


class Party:
    """A party that is tried."""

    __slots__ = ("cards", "total", "visits", "worth")

    def __init__(self, cards: tuple[int, ...], worth: float) -> None:
        self.cards, self.worth = cards, worth  # what its choice leaves for later, in rewards
        self.visits, self.total = 0, 0.0

    def value(self) -> float:
        """The mean reward, and what is left for later."""
        return self.worth + self.total / max(1, self.visits)


class Rival(NamedTuple):
    """What another seat may choose: of which kinds, and how many cards."""

    seat: int
    pool: list[int]
    size: int


def choose_party(title: Title, view: Any, feed: Sequence[Any], luck: Random, budget: int) -> Chosen:
    """A party for the seat whose view it is, in about so many playouts."""
    state, seat = title.game.imagine(view, feed, chance_of(luck)), view.seat - 1
    reserve = title.reserve(state, seat)
    size, taste = title.party_size(state, seat), title.taste(state)
    kinds = sorted(kind(card) for card in reserve)
    if size >= len(kinds):
        return Chosen(ChooseParty(reserve), 0)
    rivals = [
        Rival(other, title.unseen(state, other), title.party_size(state, other))
        for other in range(state.players)
        if other != seat
    ]
    tried = Tryout(title.hunt_of(state), seat, rivals, taste, luck)
    parties = candidates(kinds, size, taste, luck, left_worth(title, state, seat))
    iterations = halve(parties, tried, budget)
    parties.sort(key=lambda party: (-party.visits, -party.value(), party.cards))
    chosen = by_softmax([party for party in parties if party.visits == parties[0].visits], luck)
    rows = [Candidate(of_kinds(party.cards, reserve), party.visits, party.value()) for party in parties]
    return Chosen(of_kinds(chosen.cards, reserve), iterations, tuple(rows))


def left_worth(title: Title, state: Any, seat: int) -> Callable[[list[int]], float]:
    """What the cards not chosen are worth for the next hunt, where the deck is not refreshed before."""
    size, taste = title.party_size(state, seat), title.taste(state)
    if not title.keeps_left(state):
        return lambda _: 0.0
    return lambda left: sum(sorted([taste[card] for card in left], reverse=True)[:size])


class Tryout:
    """Plays hunts with a party against parties that the others may choose."""

    def __init__(self, base: Any, seat: int, rivals: list[Rival], taste: Taste, luck: Random) -> None:
        self.base, self.seat, self.rivals, self.taste, self.luck = base, seat, rivals, taste, luck

    def deal(self) -> list[list[int]]:
        """Parties of the others."""
        return [dealt(row.pool, row.size, self.taste, self.luck) for row in self.rivals]

    def play(self, party: Party, others: list[list[int]]) -> None:
        """One playout."""
        hunt = self.base.clone()
        own = list(party.cards)
        shuffle(own, self.luck)
        hunt.hands[self.seat], hunt.piles[self.seat] = own[:HAND_SIZE], own[HAND_SIZE:]
        for row, cards in zip(self.rivals, others, strict=True):
            hunt.hands[row.seat], hunt.piles[row.seat] = cards[:HAND_SIZE], cards[HAND_SIZE:]
        hunt.play_out(self.luck)
        party.visits += 1
        party.total += hunt.rewards()[self.seat]


def candidates(
    kinds: list[int], size: int, taste: Taste, luck: Random, left: Callable[[list[int]], float]
) -> list[Party]:
    """Different parties to the seat's taste, with a whim."""
    mean = sum(taste[card] for card in kinds) / len(kinds)
    spread = WHIM * math.sqrt(sum((taste[card] - mean) ** 2 for card in kinds) / len(kinds))
    found: dict[tuple[int, ...], Party] = {}
    for _ in range(CANDIDATES):
        wanted = sorted([(taste[card] + spread * gumbel(luck), card) for card in kinds], reverse=True)
        cards = tuple(sorted([card for _, card in wanted[:size]]))
        if cards not in found:
            found[cards] = Party(cards, left([card for _, card in wanted[size:]]))
    return list(found.values())


def gumbel(luck: Random) -> float:
    """Noise that makes choosing the highest the same as choosing by softmax."""
    return -math.log(-math.log(max(luck.random(), 1e-12)) + 1e-12)


def halve(parties: list[Party], tried: Tryout, budget: int) -> int:
    """Successive halving: every round takes the same time, half of the parties stay; gives the playouts done."""
    alive, done = list(parties), 0
    rounds = max(1, math.ceil(math.log2(len(parties))))
    while len(alive) > 2 or not done:
        for _ in range(max(1, budget // (rounds * len(alive)))):
            others = tried.deal()
            for party in alive:
                tried.play(party, others)
                done += 1
        alive.sort(key=lambda party: (-party.value(), party.cards))
        alive = alive[: max(4, (len(alive) + 1) // 2)] if len(alive) > 4 else alive[:2]
        if len(alive) == 2 and done >= budget:
            break
    return done


def by_softmax(parties: list[Party], luck: Random) -> Party:
    """One of them, the better the likelier."""
    return max(parties, key=lambda party: GREED * party.value() + gumbel(luck))


def of_kinds(kinds: tuple[int, ...], reserve: tuple[str, ...]) -> ChooseParty:
    """The cards of these kinds, as they come in the reserve."""
    wanted, cards = list(kinds), []
    for card in reserve:
        if kind(card) in wanted:
            wanted.remove(kind(card))
            cards.append(card)
    return ChooseParty(tuple(cards))
