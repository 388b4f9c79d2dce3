"""Tomahawk searched: placements tried against replies that may be, the worse half dropped again and again.

Both sides place at the same time, so the last turn is solved as a matrix, and before it one of the placements that are
as good as the best is taken by luck. The specials are chosen by the greedy player's table; a look is always taken.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Any

from msgspec.structs import replace

from games.tomahawk import State, View, imagine
from games.tomahawk import view as game_view
from games.tomahawk.components import TURNS
from games.tomahawk.moves import Placement as Placed
from games.tomahawk.moves import PlayCards
from worker.players.chosen import Candidate, Chosen
from worker.players.greedy import tomahawk as greedy
from worker.players.luck import chance_of
from worker.players.search.skirmish import Fighter, Skirmish, is_over, skirmish_of

WORLDS = 16  # imagined tables, each of which is tried again and again
PER_WORLD = 100  # iterations for which one more is imagined
REPLIES = 3  # placements of the opponent in each
GUESSES = 3  # at hidden cards, when the opponent weighs its own
BY_GREED, BY_POLICY = 28, 12  # placements tried: the greedy player's best, and others
SCALE = 5.0  # points ahead that make a reward of 0.73
TRUST = 300  # playouts that the greedy player's opinion counts for
DEPTH = 6  # turns played out after the one that is searched: to the end
LAST_SCALE = 1.5
NEAR = 1.0  # standard errors within which placements count as equal

Hand = tuple[int, ...]  # places of cards in the hand, one for each open pile


def choose(view: View, feed: Sequence[Any], luck: Random, budget: int) -> Chosen:
    """A move for the seat whose view it is."""
    weighed = greedy.weigh(view, feed, luck, BY_GREED)
    if view.phase != "play_cards":
        return Chosen(weighed[0].move, 0, tuple(weighed))
    side = (view.seat or 1) - 1
    states = [imagine(view, feed, chance_of(luck)) for _ in range(max(1, min(WORLDS, budget // PER_WORLD)))]
    if view.turn == TURNS:
        return last_turn([skirmish_of(state) for state in states], side, Placing(view), luck, budget)
    rivals = [Rival(unlaid(state, 1 - side), 1 - side, luck) for state in states]
    return placement(rivals, Placing(view), weighed, luck, budget)


def unlaid(state: State, side: int) -> State:
    """The state before the side has placed its cards of this turn: what it has laid may be any that it holds."""
    forced = state.forced.card if state.forced is not None else None
    laid = [pile.laid[side] for pile in state.piles]
    back = tuple([card for card in laid if card is not None and card != forced])
    if not back:
        return state
    piles = []
    for pile in state.piles:
        cards = list(pile.laid)
        cards[side] = cards[side] if cards[side] == forced else None
        piles.append(replace(pile, laid=(cards[0], cards[1])))
    own = replace(state.sides[side], hand=state.sides[side].hand + back)
    sides = (own, state.sides[1]) if side == 0 else (state.sides[0], own)
    return replace(state, sides=sides, piles=tuple(piles))


class Rival:
    """The opponent in one imagined world, which replies like a greedy player does: with one of its best placements."""

    def __init__(self, state: State, side: int, luck: Random) -> None:
        self.world, self.side = skirmish_of(state), side
        seen = game_view(state, side + 1)
        placing = Placing(seen)
        self.replies = [placing.lie(placing.places(row.move)) for row in greedy.weigh(seen, (), luck, REPLIES, GUESSES)]

    def reply(self, luck: Random) -> list[Fighter]:
        """A placement of the opponent."""
        return self.replies[int(luck.random() * len(self.replies))]


class Placing:
    """The hand of a seat and the piles where it places: from places in the hand to a move and to fighters."""

    def __init__(self, view: View) -> None:
        hand = view.seats[(view.seat or 1) - 1].hand
        self.cards = hand if isinstance(hand, tuple) else ()
        self.fighters: list[Fighter] = [(card.name, card.value, card.hair) for card in self.cards]
        forced = view.forced.pile if view.forced is not None and view.forced.seat == view.seat else 0
        self.piles = [pile.pile for pile in view.piles if pile.pile != forced]

    def move(self, places: Hand) -> PlayCards:
        """The move that places these cards."""
        cards = [self.cards[place].card for place in places]
        return PlayCards(tuple([Placed(pile, card) for pile, card in zip(self.piles, cards, strict=True)]))

    def places(self, move: PlayCards) -> Hand:
        """The places in the hand of a move's cards."""
        ids = [card.card for card in self.cards]
        return tuple([ids.index(placed.card) for placed in sorted(move.cards, key=lambda row: row.pile)])

    def lie(self, places: Hand) -> list[Fighter]:
        """The fighters that a search lays."""
        return [self.fighters[place] for place in places]


class Trial:
    """A placement that is tried."""

    __slots__ = ("places", "prior", "squares", "total", "visits")

    def __init__(self, places: Hand, prior: float = 0.5) -> None:
        self.places, self.prior = places, prior
        self.visits, self.total, self.squares = 0, 0.0, 0.0

    def value(self) -> float:
        """The mean reward, what was expected of it counted as some playouts."""
        return (self.total + TRUST * self.prior) / (self.visits + TRUST)

    def error(self) -> float:
        """The standard error of the mean."""
        spread = (self.squares - self.total**2 / max(1, self.visits)) / max(1, self.visits)
        return math.sqrt(max(0.0, spread) / max(1, self.visits))

    def note(self, reward: float) -> None:
        """One more playout."""
        self.visits += 1
        self.total += reward
        self.squares += reward * reward


# Before the last turn


def placement(rivals: list[Rival], placing: Placing, weighed: Sequence[Candidate], luck: Random, budget: int) -> Chosen:
    """Successive halving over placements, every round against the same worlds and replies."""
    hands = {placing.places(row.move): (row.value - weighed[0].value) / (4 * SCALE) for row in weighed}
    lowest = min(hands.values())
    for _ in range(BY_POLICY):
        fighters = advised(rivals[0].world, 1 - rivals[0].side, luck)
        hands.setdefault(places_of(fighters, placing.fighters), lowest)
    trials = [Trial(places, 0.5 + prior) for places, prior in hands.items()]
    alive, done, number = trials[:], 0, 0
    rounds = max(1, math.ceil(math.log2(len(trials))))
    while len(alive) > 1 and done < budget:
        for _ in range(max(1, budget // (rounds * len(alive)))):
            rival = rivals[number % len(rivals)]
            number += 1
            reply = rival.reply(luck)
            for trial in alive:
                trial.note(played_out(rival, placing.lie(trial.places), reply, luck))
                done += 1
        alive.sort(key=lambda trial: (-trial.value(), trial.places))
        alive = alive[: max(3, (len(alive) + 1) // 2)]
    trials.sort(key=lambda trial: (-trial.visits, -trial.value(), trial.places))
    best = trials[0]
    near = [t for t in alive if t.visits == best.visits and best.value() - t.value() <= NEAR * best.error()] or [best]
    chosen = near[int(luck.random() * len(near))]
    rows = [Candidate(placing.move(trial.places), trial.visits, trial.value()) for trial in trials]
    return Chosen(placing.move(chosen.places), done, tuple(rows))


def places_of(fighters: Sequence[Fighter], hand: Sequence[Fighter]) -> Hand:
    """Where these fighters are in the hand; equal ones in order."""
    left = list(range(len(hand)))
    places = []
    for fighter in fighters:
        place = next(place for place in left if hand[place] == fighter)
        left.remove(place)
        places.append(place)
    return tuple(places)


def played_out(rival: Rival, own: Sequence[Fighter], reply: Sequence[Fighter], luck: Random) -> float:
    """The reward of a placement, played on for some turns as both sides might."""
    skirmish, side = rival.world.clone(), 1 - rival.side
    first, second = (own, reply) if side == 0 else (reply, own)
    skirmish.play(first, second, luck)
    for _ in range(DEPTH):
        if not is_over(skirmish):
            skirmish.play(advised(skirmish, 0, luck), advised(skirmish, 1, luck), luck)
    lead = skirmish.margin() + (0.0 if is_over(skirmish) else promise(skirmish))
    lead = lead if side == 0 else -lead
    return 1 / (1 + math.exp(-lead / SCALE))


def promise(skirmish: Skirmish) -> float:
    """What the open battles and the hands promise side 0, less what they promise the other, in points."""
    worth = 0.0
    for pile in (0, 1, 2, 3):
        face, slots = skirmish.faces[pile], skirmish.slots[pile]
        if slots:
            ahead = sum([(f if f >= 0 else one[1]) - (s if s >= 0 else two[1]) for one, two, f, s in slots])
            worth += face.animals * math.tanh(ahead / (2.0 + 4.0 * math.sqrt(face.turns - len(slots))))
    for side, sign in ((0, 1), (1, -1)):
        for name, value, _ in skirmish.hands[side]:
            worth += sign * greedy.PRICES.get(name, greedy.PRICE_OF_VALUE * value)
    return worth


def advised(skirmish: Skirmish, side: int, luck: Random) -> list[Fighter]:
    """A placement as a side might make it: strong warriors where much is at stake, weak and bald ones elsewhere."""
    random = luck.random
    piles = skirmish.open_piles(side)
    stakes = sorted([(stake(skirmish, pile, side) + 2.5 * random(), pile) for pile in piles], reverse=True)
    hand = sorted([(card[1] + 2.0 * random(), card) for card in skirmish.hands[side]], reverse=True)
    strong = 1 + int(random() * len(piles))
    chosen = {pile: hand[place][1] for place, (_, pile) in enumerate(stakes[:strong])}
    rest = sorted([(worth + card[2], card) for worth, card in hand[strong:]])
    for place, (_, pile) in enumerate(stakes[strong:]):
        chosen[pile] = rest[place][1]
    return [chosen[pile] for pile in piles]


def stake(skirmish: Skirmish, pile: int, side: int) -> float:
    """How much a card may change at a pile: its animals by the turns left, less where the battle is decided."""
    face, slots = skirmish.faces[pile], skirmish.slots[pile]
    left = face.turns - len(slots)
    if not slots:
        return face.animals / left
    lead = 0
    for one, two, first, second in slots:
        lead += (first if first >= 0 else one[1]) - (second if second >= 0 else two[1])
    reach = 7 * left
    return face.animals / left * max(0.0, 1 - abs(lead) / (2 * reach)) + (1.0 if (lead < 0) == (side == 0) else 0.0)


# The last turn


def last_turn(worlds: list[Skirmish], side: int, placing: Placing, luck: Random, budget: int) -> Chosen:
    """Regret matching between the placements left to both sides; one is drawn from the average of what was played."""
    own = [Trial(places) for places in permutations(range(len(placing.fighters)), len(placing.piles))]
    if len(own) == 1:
        return Chosen(placing.move(own[0].places), 0)
    regrets = [0.0] * len(own)
    rows = [Duel(world, side, [placing.lie(trial.places) for trial in own]) for world in worlds]
    for number in range(budget):
        duel = rows[number % len(rows)]
        mine, theirs = drawn(regrets, luck), drawn(duel.regrets, luck)
        column = [duel.reward(row, theirs, luck) for row in range(len(own))]
        line = [duel.reward(mine, reply, luck) for reply in range(len(duel.replies))]
        own[mine].note(column[mine])
        for row, reward in enumerate(column):
            regrets[row] += reward - column[mine]
        for reply, reward in enumerate(line):
            duel.regrets[reply] += line[theirs] - reward
    chosen = own[drawn([float(trial.visits) for trial in own], luck)]
    ranked = sorted(own, key=lambda trial: (-trial.visits, trial.places))
    tried = tuple([Candidate(placing.move(t.places), t.visits, t.value()) for t in ranked if t.visits])
    return Chosen(placing.move(chosen.places), budget, tried)


class Duel:
    """The last turn in one world: what each placement brings against each reply, worked out when it is asked for."""

    def __init__(self, world: Skirmish, side: int, own: list[list[Fighter]]) -> None:
        self.world, self.side, self.own = world, side, own
        count = len(world.open_piles(1 - side))
        self.replies = [list(reply) for reply in permutations(world.hands[1 - side], count)]
        self.regrets = [0.0] * len(self.replies)
        self.rewards: dict[tuple[int, int], float] = {}

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
