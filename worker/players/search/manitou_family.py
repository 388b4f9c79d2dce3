"""The search for games of the Manitou family: a tree for the decisions of a hunt, and a separate search for the party.

One tree grows over public moves (`Search`). Every iteration plays in another world that agrees with what the seat has
seen (`Deals`), in a small model (`manitou_family_hunt`), to the end of the hunt. So a seat's move is evaluated over all
cards that others may hold and cannot depend on them, as it could with a tree per world (strategy fusion; Frank and
Basin 1998). Others choose by the cards that they hold in that world. The tree ignores that moves reveal cards, and that
a seat may want to hide them.

The search ends with the hunt. What remains for later hunts (lost cards, tiles that may still find a match) has values
learnt from games, because playouts of later hunts would be long and uninformative.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from games.kernel import AnyGame
from games.manitou_family_parties import HAND_SIZE, ChooseParty
from worker.players import Candidate, Chosen, Foresight, chance_of, weigh
from worker.players.float_sums import added
from worker.players.search.manitou_family_hunt import kind, shuffle

CANDIDATES = 48
WHIM = 0.9  # random spread of the candidates, in standard deviations of the taste
GREED = 150.0  # a party is e times as likely for each 1/150 of additional reward
TRIES = 4  # deals of which the most plausible is taken
WORLDS = 64  # imagined completely after a pass, which takes longer than dealing
EXPLORATION = 0.7

Taste = Sequence[float]  # the preference for each kind of card in a party: what it adds to the reward of a hunt


class Title(NamedTuple):
    """The differences between the games of the family for a search. Seats count from 0."""

    game: AnyGame
    hunt_of: Callable[[Any], Any]  # the hunt of a whole state
    unseen: Callable[[Any, int], Sequence[str]]  # the cards that only the seat can see
    reserve: Callable[[Any, int], tuple[str, ...]]  # the cards that the seat may choose a party of
    party_size: Callable[[Any, int], int]  # how many cards the seat takes on this hunt
    keeps_left: Callable[[Any], bool]  # whether the cards that are not chosen are those for the next hunt
    code: Callable[[Any], int]  # a move as the hunt knows it
    taste: Callable[[Any], Taste]  # with so many seats
    undrawn: Callable[[Any, int], Sequence[str]]  # of what the seat's own pile may be drawn; empty if it knows its pile
    spread: Callable[[Any], float]  # of a lead when this hunt ends, as `Foresight` has it


def choose(title: Title, view: Any, feed: Sequence[Any], luck: Random, budget: int) -> Chosen:
    """Chooses a move for the seat of the view with this number of iterations."""
    if view.phase == "party":
        return choose_party(title, view, feed, luck, budget)
    deals = Deals(title, view, feed, luck)
    moves: dict[int, Any] = {}
    for move in title.game.legal_moves(deals.state, view.seat):
        moves.setdefault(title.code(move), move)
    if len(moves) == 1:
        return Chosen(next(iter(moves.values())), 0)
    tried = [Candidate(moves[action], visits, value) for action, visits, value in Search(luck).run(deals, budget)]
    return Chosen(tried[0].move, budget, tuple(tried))


def foresee(title: Title, state: Any, luck: Random) -> Foresight:
    """Plays a hunt to its end as the search does, after parties as the greedy player chooses them."""
    game, chance = title.game, chance_of(luck)
    while state.phase == "party":
        seat = game.to_act(state)[0]
        state = game.play(state, seat, weigh(game, game.view(state, seat), (), luck)[0].move, chance).state
    hunt = title.hunt_of(state)
    hunt.play_out(luck)
    return Foresight(hunt.expectations(), title.spread(state))


def tastes(rows: dict[int, tuple[int, ...]]) -> dict[int, Taste]:
    """Tastes by number of seats, given in ten-thousandths; `python -m benchmarks.parties` finds them."""
    return {seats: tuple([expected / 10_000 for expected in row]) for seats, row in rows.items()}


# Information-set tree search


class Node:
    """The statistics of a move: how often it was allowed and made, and the rewards of its seat."""

    __slots__ = ("allowed", "children", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[Any, Node] = {}
        self.visits, self.allowed, self.total = 0, 1, 0.0


class Search:
    """One tree over public moves; each iteration plays in another possible world.

    Nodes that a world does not allow are left out of the choice, and the number of times that each was allowed enters
    the bound (Cowling, Powley and Whitehouse 2012). Every seat maximises its own reward (max^n).
    """

    def __init__(self, luck: Random) -> None:
        self.root, self.luck = Node(), luck

    def run(self, world: Callable[[], Any], iterations: int) -> list[tuple[Any, int, float]]:
        """Returns the moves of the root with their visits and mean rewards; the most visited first."""
        for _ in range(iterations):
            self.iterate(world())
        tried = [(a, node.visits, node.total / max(1, node.visits)) for a, node in self.root.children.items()]
        return sorted(tried, key=lambda row: (-row[1], -row[2], row[0]))

    def iterate(self, world: Any) -> None:
        """Does one iteration: descends the tree, adds one node, and plays out."""
        path: list[tuple[Node, int]] = []
        node = self.root
        while (mover := world.mover()) >= 0:
            action, child = self.choose(node, world.actions())
            world.apply(action)
            path.append((child, mover))
            node = child
            if not child.visits:
                break
        world.play_out(self.luck)
        rewards = world.rewards()
        for made, mover in path:
            made.visits += 1
            made.total += rewards[mover]

    def choose(self, node: Node, actions: Sequence[Any]) -> tuple[Any, Node]:
        """Returns a move never made from here, or the one with the highest bound."""
        children = node.children
        if len(actions) == 1 and actions[0] in children:
            children[actions[0]].allowed += 1
            return actions[0], children[actions[0]]
        untried = [action for action in actions if action not in children]
        if untried:
            action = untried[int(self.luck.random() * len(untried))]
            children[action] = Node()
            return action, children[action]
        return highest(children, actions)


def highest(children: dict[Any, Node], actions: Sequence[Any]) -> tuple[Any, Node]:
    """Returns the allowed move with the highest upper confidence bound."""
    best, chosen = -1.0, actions[0]
    for action in actions:
        child = children[action]
        visits = child.visits
        bound = child.total / visits + EXPLORATION * math.sqrt(math.log(child.allowed) / visits)
        child.allowed += 1
        if bound > best:
            best, chosen = bound, action
    return chosen, children[chosen]


# Hidden cards


class Deals:
    """An endless supply of worlds for a search, which differ in what the seat cannot see.

    The cards that a seat may hold are pooled by kind and dealt at random. Of a few deals the one is taken that a seat
    with a taste for good cards would more likely have chosen as its party, because others do not choose cards evenly
    (importance resampling; Rubin 1987).

    Unless somebody has passed, every deal of the pool agrees with what the seat has seen. So dealing replaces
    `imagine` in a small part of its time; complete worlds are imagined only after a pass, which excludes hands.
    """

    def __init__(self, title: Title, view: Any, feed: Sequence[Any], luck: Random) -> None:
        chance = chance_of(luck)
        self.title, self.luck, self.seat = title, luck, view.seat - 1
        self.state = title.game.imagine(view, feed, chance)
        self.taste = title.taste(self.state)
        self.base = title.hunt_of(self.state)
        hands, piles = self.base.hands, self.base.piles
        self.hidden = [
            (seat, pool_of(title, self.state, seat), len(hands[seat]), len(piles[seat]))
            for seat in range(self.base.seats)
            if seat != self.seat
        ]
        self.undrawn = [kind(card) for card in title.undrawn(self.state, self.seat)]
        self.worlds: list[Any] = []
        if any(type(event).__name__ == "TurnPassed" for event in feed):
            self.worlds = [self._imagined(lambda: title.game.imagine(view, feed, chance)) for _ in range(WORLDS)]

    def _imagined(self, imagine: Callable[[], Any]) -> Any:
        hunts = [self.title.hunt_of(imagine()) for _ in range(TRIES)]
        return max(hunts, key=lambda hunt: added([self._liking(hunt, row[0]) for row in self.hidden]))

    def _liking(self, hunt: Any, seat: int) -> float:
        held: list[int] = hunt.hands[seat] + hunt.piles[seat]
        return added([self.taste[card] for card in held])

    def __call__(self) -> Any:
        """Returns a world that agrees with all that the seat has seen."""
        if self.worlds:
            hunt = self.worlds[int(self.luck.random() * len(self.worlds))].clone()
        else:
            hunt = self.base.clone()
            for seat, pool, hand, pile in self.hidden:
                cards = dealt(pool, hand + pile, self.taste, self.luck)
                hunt.hands[seat], hunt.piles[seat] = cards[:hand], cards[hand:]
        if self.undrawn:
            hunt.piles[self.seat] = drawn(self.undrawn, len(hunt.piles[self.seat]), self.luck)
        else:
            shuffle(hunt.piles[self.seat], self.luck)
        return hunt


def pool_of(title: Title, state: Any, seat: int) -> list[int]:
    """Returns the sorted kinds of the cards that only the seat can see."""
    return sorted([kind(card) for card in title.unseen(state, seat)])


def dealt(pool: list[int], count: int, taste: Taste, luck: Random) -> list[int]:
    """Deals cards of a pool in random order: of a few deals, the one that a seat would rather have chosen."""
    if not count:
        return []
    best: list[int] = []
    liking = -1e9
    for _ in range(TRIES):
        cards = drawn(pool, count, luck)
        likes = added([taste[card] for card in cards])
        if likes > liking:
            best, liking = cards, likes
    return best


def drawn(pool: list[int], count: int, luck: Random) -> list[int]:
    """Deals cards of a pool, each deal equally likely."""
    cards, size, random = pool[:], len(pool), luck.random
    for place in range(count):
        other = place + int(random() * (size - place))
        cards[place], cards[other] = cards[other], cards[place]
    return cards[:count]


# The secret choice of a party


class Party:
    """A party that is tried."""

    __slots__ = ("cards", "expected", "total", "visits")

    def __init__(self, cards: tuple[int, ...], expected: float) -> None:
        self.cards, self.expected = cards, expected  # `expected`: the value left for later, in rewards
        self.visits, self.total = 0, 0.0

    def value(self) -> float:
        """Returns the mean reward, plus the value left for later."""
        return self.expected + self.total / max(1, self.visits)


def choose_party(title: Title, view: Any, feed: Sequence[Any], luck: Random, budget: int) -> Chosen:
    """Chooses a party for the seat of the view with about `budget` playouts.

    Parties sampled by taste are tried in playouts; the others' parties are sampled in the same way. One of the best is
    chosen at random, the better the likelier, so that nobody can predict it.
    """
    state, seat = title.game.imagine(view, feed, chance_of(luck)), view.seat - 1
    reserve = title.reserve(state, seat)
    size, taste = title.party_size(state, seat), title.taste(state)
    kinds = sorted(kind(card) for card in reserve)
    if size >= len(kinds):
        return Chosen(ChooseParty(reserve), 0)
    others = [other for other in range(state.players) if other != seat]
    rivals = [(other, pool_of(title, state, other), title.party_size(state, other)) for other in others]
    tried = Tryout(title.hunt_of(state), seat, rivals, taste, luck)
    parties = candidates(kinds, size, taste, luck, title.keeps_left(state))
    iterations = halve(parties, tried, budget)
    parties.sort(key=lambda party: (-party.visits, -party.value(), party.cards))
    likely = [party for party in parties if party.visits == parties[0].visits]
    chosen = max(likely, key=lambda party: GREED * party.value() + gumbel(luck))  # by softmax
    rows = [Candidate(of_kinds(party.cards, reserve), party.visits, party.value()) for party in parties]
    return Chosen(of_kinds(chosen.cards, reserve), iterations, tuple(rows))


class Tryout:
    """Plays hunts with a party against parties that the others may choose: a seat, of which kinds, how many cards."""

    def __init__(
        self, base: Any, seat: int, rivals: list[tuple[int, list[int], int]], taste: Taste, luck: Random
    ) -> None:
        self.base, self.seat, self.rivals, self.taste, self.luck = base, seat, rivals, taste, luck

    def deal(self) -> list[list[int]]:
        """Parties of the others."""
        return [dealt(pool, size, self.taste, self.luck) for _, pool, size in self.rivals]

    def play(self, party: Party, others: list[list[int]]) -> None:
        """One playout."""
        hunt = self.base.clone()
        own = list(party.cards)
        shuffle(own, self.luck)
        hunt.hands[self.seat], hunt.piles[self.seat] = own[:HAND_SIZE], own[HAND_SIZE:]
        for row, cards in zip(self.rivals, others, strict=True):
            hunt.hands[row[0]], hunt.piles[row[0]] = cards[:HAND_SIZE], cards[HAND_SIZE:]
        hunt.play_out(self.luck)
        party.visits += 1
        party.total += hunt.rewards()[self.seat]


def candidates(kinds: list[int], size: int, taste: Taste, luck: Random, keeps_left: bool) -> list[Party]:
    """Returns different parties by taste, with some randomness; the cards left may have a value for the next hunt."""
    mean = added(taste[card] for card in kinds) / len(kinds)
    spread = WHIM * math.sqrt(added((taste[card] - mean) ** 2 for card in kinds) / len(kinds))
    found: dict[tuple[int, ...], Party] = {}
    for _ in range(CANDIDATES):
        wanted = sorted([(taste[card] + spread * gumbel(luck), card) for card in kinds], reverse=True)
        cards = tuple(sorted([card for _, card in wanted[:size]]))
        if cards not in found:
            left = sorted([taste[card] for _, card in wanted[size:]], reverse=True) if keeps_left else []
            found[cards] = Party(cards, added(left[:size]))
    return list(found.values())


def gumbel(luck: Random) -> float:
    """Noise that makes choosing the highest the same as choosing by softmax."""
    return -math.log(-math.log(max(luck.random(), 1e-12)) + 1e-12)


def halve(parties: list[Party], tried: Tryout, budget: int) -> int:
    """Drops the worse half repeatedly; returns the number of playouts.

    Every round takes the same time, so most playouts are spent on the parties that are hardest to compare (sequential
    halving; Karnin, Koren and Somekh 2013). All parties are tried in the same worlds, so that the luck of the deal
    cancels out of their differences (common random numbers).
    """
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


def of_kinds(kinds: tuple[int, ...], reserve: tuple[str, ...]) -> ChooseParty:
    """Returns the first cards of these kinds in the reserve."""
    wanted, cards = list(kinds), []
    for card in reserve:
        if kind(card) in wanted:
            wanted.remove(kind(card))
            cards.append(card)
    return ChooseParty(tuple(cards))
