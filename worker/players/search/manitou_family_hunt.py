"""A model of a hunt of the Manitou family for searching: small, mutable, and made of numbers.

A card is its kind: 1 to 10 are hunters and their strength, 11 to 15 heroes. Seats and grounds count from 0. Lists by
ground and seat have the index `ground * seats + seat`. A move is a number: 4 times the kind of the card, plus the
ground; 0 passes. A test plays the model and the game side by side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from games.manitou_family_trials import Beats, attacked, falls, has_two, relation

HUNTERS = 10
HEROES = ("chief", "medicine_man", "rainmaker", "scout", "matriarch")
KINDS = {hero: HUNTERS + number for number, hero in enumerate((*HEROES, "sorcerer"), 1)} | {"sorcerer": 12}
PASS = 0
ROUNDS = ((0, 1, 2), (1, 2, 0), (2, 0, 1))  # the grounds, from each of them on
EPSILON = 0.2  # the share of random moves in a playout


def kind(card: str) -> int:
    """The kind of a card: `hunter-5-1` is 5, `chief-2` is 11."""
    name, _, rest = card.partition("-")
    return int(rest.partition("-")[0]) if name == "hunter" else KINDS[name]


Trials = dict[int, dict[tuple[int, ...], tuple[bool, tuple[int, ...]]]]


class Law(NamedTuple):
    """House rules about heroes, and the results of all trials of strength.

    The key of a result is the attacker and the defenders in the order laid; its value says whether the attacker stays
    face up, and which defenders do.
    """

    counts_all_heroes: bool
    vain_is_illegal: bool
    trials: Trials
    fewest: int  # heroes that a seat has laid on a ground before it can have too many there


def law(
    beats: Beats,
    *,
    counts_all_heroes: bool = False,
    attacks_last: bool = True,
    equal_suffices: bool = True,
    vain_is_illegal: bool = False,
) -> Law:
    """Builds the law for some house rules, computing every trial of strength with the game's functions."""
    numbered = {KINDS[hero]: frozenset([KINDS[other] for other in beaten]) for hero, beaten in beats.items()}

    def ends(attacker: int, defenders: tuple[int, ...]) -> tuple[bool, tuple[int, ...]]:
        defender, protected = attacked(defenders, attacks_last)
        found = relation(numbered, attacker, defender)
        attacker_falls, defender_falls = falls(found, protected is not None, equal_suffices)
        left = () if protected is None else (protected,)
        return not attacker_falls, left if defender_falls else defenders

    met: list[tuple[int, ...]] = [(hero,) for hero in numbered]
    met += [(one, two) for one in numbered for two in numbered]
    trials = {hero: {defenders: ends(hero, defenders) for defenders in met} for hero in numbered}
    fewest = next(count for count in range(1, 99) if has_two(counts_all_heroes, count, count))
    return Law(counts_all_heroes, vain_is_illegal, trials, fewest)


@dataclass(init=False, eq=False, repr=False, slots=True)
class Hunt:
    """The cards of a hunt: hands, piles and grounds. Subclasses add the prizes."""

    law: Law
    seats: int
    order: tuple[int, ...]  # seats in turn order
    taken: int  # turns, by all seats together
    hands: list[list[int]]
    piles: list[list[int]]  # the next card last
    totals: list[int]  # hunters, with their bonus
    force: list[int]  # of each seat, hunters on all grounds
    cards: list[int]  # how many were laid
    heroes_laid: list[int]
    owners: list[int]  # whose heroes are face up on a ground, -1 nobody's
    heroes: list[tuple[int, ...]]  # face up, in the order laid
    bonus: list[int]  # of each seat, what its tomahawks add to each hunter

    def copy_to(self, other: Hunt) -> None:
        """Copies this hunt into `other`, sharing no mutable parts."""
        other.law, other.seats, other.order, other.taken = self.law, self.seats, self.order, self.taken
        other.hands = [hand[:] for hand in self.hands]
        other.piles = [pile[:] for pile in self.piles]
        other.totals, other.force, other.cards = self.totals[:], self.force[:], self.cards[:]
        other.heroes_laid, other.owners, other.heroes = self.heroes_laid[:], self.owners[:], self.heroes[:]
        other.bonus = self.bonus

    def may_lay(self, seat: int, hero: int, ground: int) -> bool:
        """MA-4.5, BM-4.5: whether a seat may lay a hero on a ground."""
        law, laid = self.law, self.heroes_laid[ground * self.seats + seat]
        if laid >= law.fewest:
            face_up = len(self.heroes[ground]) if self.owners[ground] == seat else 0
            if has_two(law.counts_all_heroes, laid, face_up):
                return False
        if not law.vain_is_illegal:
            return True
        owner, there = self.owners[ground], self.heroes[ground]
        return owner in (-1, seat) or len(there) < 2 or law.trials[hero][there][1] != there

    def plays(self, seat: int) -> list[int]:
        """The moves that lay a card, cards of a kind once; empty if none can be laid."""
        moves: list[int] = []
        for card in dict.fromkeys(self.hands[seat]):
            code = card * 4
            if card <= HUNTERS:
                moves += (code, code + 1, code + 2)
            else:
                moves += [code + ground for ground in (0, 1, 2) if self.may_lay(seat, card, ground)]
        return moves

    def lay(self, seat: int, card: int, ground: int) -> None:
        """Lays a card on a ground, with its trial of strength (MA-5.1 to MA-5.4, BM-5.3, BM-5.4)."""
        self.hands[seat].remove(card)
        place = ground * self.seats + seat
        self.cards[place] += 1
        if card <= HUNTERS:
            self.totals[place] += card + self.bonus[seat]
            self.force[seat] += card
            return
        self.heroes_laid[place] += 1
        self.owners[ground], self.heroes[ground] = self.met(seat, card, ground)

    def met(self, seat: int, card: int, ground: int) -> tuple[int, tuple[int, ...]]:
        """Returns the owner and the heroes that are face up on a ground after a hero is laid there."""
        owner, there = self.owners[ground], self.heroes[ground]
        if owner < 0:
            return seat, (card,)
        if owner == seat:
            return seat, (*there, card)
        stays, left = self.law.trials[card][there]
        if stays:
            return seat, (card,)
        return (owner, left) if left else (-1, left)


def read_cards(hunt: Hunt, own: Sequence[Any], grounds: Sequence[Any]) -> None:
    """Reads the hands and piles of all seats, and the cards on the grounds, but not which heroes are face up."""
    hunt.hands = [[kind(card) for card in cards.hand] for cards in own]
    hunt.piles = [[kind(card) for card in reversed(cards.pile)] for cards in own]
    seats, bonus = hunt.seats, hunt.bonus
    sides = [[kind(card) for card in side] for ground in grounds for side in ground.sides]
    hunters = [[card for card in side if card <= HUNTERS] for side in sides]
    strengths = [sum(row) for row in hunters]
    hunt.force = [sum(strengths[seat::seats]) for seat in range(seats)]
    hunt.totals = [strengths[place] + bonus[place % seats] * len(row) for place, row in enumerate(hunters)]
    hunt.cards = [len(side) for side in sides]
    hunt.heroes_laid = [laid - len(row) for laid, row in zip(hunt.cards, hunters, strict=True)]


def shuffle(cards: list[int], luck: Random) -> None:
    """Shuffles, using `random()` alone."""
    random = luck.random
    for place in range(len(cards) - 1, 0, -1):
        other = int(random() * (place + 1))
        cards[place], cards[other] = cards[other], cards[place]


def logistic(expectations: list[float], scale: float) -> list[float]:
    """Returns the lead of each seat over the best other, as a reward between 0 and 1."""
    rewards = []
    for seat, expected in enumerate(expectations):
        lead = expected - max(expectations[:seat] + expectations[seat + 1 :])
        rewards.append(1 / (1 + math.exp(-lead / scale)))
    return rewards
