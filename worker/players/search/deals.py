"""Hidden cards dealt again and again for a search: only what the seat cannot see changes from one world to the next.

The cards that a seat may hold are pooled by kind, in order, and dealt by luck; of a few such deals the one is taken
that a seat with a taste for good cards would rather have chosen as its party.

Every deal of the pool agrees with what the seat has seen, unless somebody has passed: a pass rules out hands. So
dealing stands for `imagine`, at a small part of its time, and only after a pass are worlds imagined in full. The choice
among a few deals weighs them as in importance resampling (Rubin 1987), by whether somebody would have chosen that
party: others do not take their cards evenly from what they have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from games.kernel import AnyGame
from worker.players.luck import chance_of
from worker.players.search.hunt import shuffle

TRIES = 4  # deals of which the likeliest is taken
WORLDS = 64  # imagined one by one where a pass tells of a hand, which takes longer than dealing

Taste = Sequence[float]  # how much each kind of card is wanted in a party


class Title(Protocol):
    """What tells the games of the family apart for a search."""

    game: AnyGame

    def hunt_of(self, state: Any) -> Any:
        """The hunt of a whole state."""
        ...

    def unseen(self, state: Any, seat: int) -> list[int]:
        """The kinds of the cards that only the seat (from 0) can see, sorted."""
        ...

    def reserve(self, state: Any, seat: int) -> tuple[str, ...]:
        """The cards that the seat (from 0) may choose a party of."""
        ...

    def party_size(self, state: Any, seat: int) -> int:
        """How many cards the seat (from 0) takes on this hunt."""
        ...

    def keeps_left(self, state: Any) -> bool:
        """Whether the cards that are not chosen are those for the next hunt."""
        ...

    def code(self, move: Any) -> int:
        """A move as the hunt knows it."""
        ...

    def taste(self, state: Any) -> Taste:
        """How much each kind is wanted at such a table."""
        ...


class Hidden(NamedTuple):
    """What another seat holds: of which kinds, and how many cards in hand and pile."""

    seat: int
    pool: list[int]
    hand: int
    pile: int


class Deals:
    """Worlds for a search, as many as it asks for."""

    def __init__(self, title: Title, view: Any, feed: Sequence[Any], luck: Random) -> None:
        chance = chance_of(luck)
        self.luck, self.seat = luck, view.seat - 1
        self.state = title.game.imagine(view, feed, chance)
        self.taste = title.taste(self.state)
        self.base = title.hunt_of(self.state)
        self.hidden = [
            Hidden(seat, title.unseen(self.state, seat), len(self.base.hands[seat]), len(self.base.piles[seat]))
            for seat in range(self.base.seats)
            if seat != self.seat
        ]
        self.worlds: list[Any] = []
        if any(type(event).__name__ == "TurnPassed" for event in feed):
            self.worlds = [self._imagined(lambda: title.game.imagine(view, feed, chance), title) for _ in range(WORLDS)]

    def _imagined(self, imagine: Callable[[], Any], title: Title) -> Any:
        hunts = [title.hunt_of(imagine()) for _ in range(TRIES)]
        return max(hunts, key=lambda hunt: sum([self._liking(hunt, row.seat) for row in self.hidden]))

    def _liking(self, hunt: Any, seat: int) -> float:
        held: list[int] = hunt.hands[seat] + hunt.piles[seat]
        return sum([self.taste[card] for card in held])

    def __call__(self) -> Any:
        """A world that agrees with all that the seat has seen."""
        if self.worlds:
            hunt = self.worlds[int(self.luck.random() * len(self.worlds))].clone()
        else:
            hunt = self.base.clone()
            for row in self.hidden:
                cards = dealt(row.pool, row.hand + row.pile, self.taste, self.luck)
                hunt.hands[row.seat], hunt.piles[row.seat] = cards[: row.hand], cards[row.hand :]
        shuffle(hunt.piles[self.seat], self.luck)
        return hunt


def dealt(pool: list[int], count: int, taste: Taste, luck: Random) -> list[int]:
    """So many cards of a pool in any order: of a few such deals the one that a seat would rather have."""
    if not count:
        return []
    best: list[int] = []
    liking = -1e9
    for _ in range(TRIES):
        cards = drawn(pool, count, luck)
        likes = sum([taste[card] for card in cards])
        if likes > liking:
            best, liking = cards, likes
    return best


def drawn(pool: list[int], count: int, luck: Random) -> list[int]:
    """So many cards of a pool, each deal equally likely."""
    cards, size, random = pool[:], len(pool), luck.random
    for place in range(count):
        other = place + int(random() * (size - place))
        cards[place], cards[other] = cards[other], cards[place]
    return cards[:count]
