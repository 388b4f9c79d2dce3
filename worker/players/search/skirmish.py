"""Tomahawk as a search plays it: the piles, hands and points of both sides, small and mutable. Sides count from 0.

A card is a tuple of what it is, its value and its hair. The engine of the game is the judge: a test plays both.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from games.tomahawk.components import REFILL, TURNS, TerritoryFace
from games.tomahawk.options import Options
from games.tomahawk.play.battles import PAIR_BONUS
from games.tomahawk.scoring import MOST_WANTED_BONUS
from games.tomahawk.state import State

Fighter = tuple[str, int, int]  # name, value, hair
Slot = tuple[Fighter, Fighter, int, int]  # two warriors face to face and their values, -1 face down
Placement = Sequence[Fighter]  # a card for each pile


class Skirmish:
    """A game of Tomahawk between two placements."""

    __slots__ = (
        "below",
        "counts",
        "dance",
        "draws",
        "faces",
        "forced",
        "hands",
        "options",
        "points",
        "slots",
        "supply",
        "turn",
        "wanted",
        "won",
    )

    options: Options
    turn: int
    faces: list[TerritoryFace]  # in play at each pile
    below: list[tuple[TerritoryFace, ...]]  # the top first
    slots: list[tuple[Slot, ...]]
    hands: list[list[Fighter]]
    draws: list[list[Fighter]]  # the top first
    points: list[int]  # of territories and scalps
    counts: list[int]  # animals of the most wanted species
    won: list[int]  # territories
    supply: int
    wanted: str | None  # the terrain of the most wanted animals
    forced: tuple[int, int, Fighter] | None  # side, pile and card
    dance: tuple[int, int] | None  # a dusk dance put off: side and pile

    def clone(self) -> Skirmish:
        """Another one like this."""
        other = Skirmish.__new__(Skirmish)
        other.options, other.turn, other.supply = self.options, self.turn, self.supply
        other.wanted, other.forced, other.dance = self.wanted, self.forced, self.dance
        other.faces, other.below, other.slots = self.faces[:], self.below[:], self.slots[:]
        other.hands = [self.hands[0][:], self.hands[1][:]]
        other.draws = [self.draws[0][:], self.draws[1][:]]
        other.points, other.counts, other.won = self.points[:], self.counts[:], self.won[:]
        return other

    def open_piles(self, side: int) -> tuple[int, ...]:
        """TO-4.3: the piles where the side places a card."""
        if self.forced is None or self.forced[0] != side:
            return (0, 1, 2, 3)
        return tuple([pile for pile in (0, 1, 2, 3) if pile != self.forced[1]])

    def play(self, first: Placement, second: Placement, luck: Random) -> None:
        """TO-3.2: a turn; each placement has a card for each of the side's open piles, in their order."""
        laid = [self._laid(0, first), self._laid(1, second)]
        self.forced = None
        turned: list[tuple[int, int]] = []
        for pile in (0, 1, 2, 3):
            face, slots = self.faces[pile], self.slots[pile]
            self.slots[pile] = (*slots, (laid[0][pile], laid[1][pile], -1, -1))
            complete = len(slots) + 1 == face.turns
            if face.terrain == "forest":
                turned += [(pile, slot) for slot in range(len(slots) + 1)] if complete else []
            else:
                turned.append((pile, len(slots)))
        for pile, slot in turned:
            self._turn_up(pile, slot, luck)
        for pile, slot in turned:
            self._duel(self.slots[pile][slot])
        for pile in (0, 1, 2, 3):
            if len(self.slots[pile]) == self.faces[pile].turns:
                self._settle(pile)
        self._close(luck)

    def _laid(self, side: int, placement: Placement) -> list[Fighter]:
        hand, laid = self.hands[side], list(placement)
        for card in placement:
            hand.remove(card)
        if self.forced is not None and self.forced[0] == side:
            laid.insert(self.forced[1], self.forced[2])
        return laid

    def _turn_up(self, pile: int, slot: int, luck: Random) -> None:
        """TO-5.3, TO-5.4: the values of two warriors, and the dusk dance."""
        slots = self.slots[pile]
        one, two, _, _ = slots[slot]
        first, second = values(one, two)
        self.slots[pile] = (*slots[:slot], (one, two, first, second), *slots[slot + 1 :])
        face = self.faces[pile]
        if face.terrain == "forest" or slot + 1 == face.turns:
            return
        for side, card in ((0, one), (1, two)):
            if card[0] == "dusk_dance":
                if self.options.dusk_dance_timing == "next_turn":
                    self.dance = (side, pile)
                else:
                    self._force(side, pile, luck)

    def _force(self, side: int, pile: int, luck: Random) -> None:
        """TO-5.4: any card of the other hand lies there for the next turn."""
        hand = self.hands[1 - side]
        self.forced = (1 - side, pile, hand.pop(int(luck.random() * len(hand))))

    def _duel(self, slot: Slot) -> None:
        """TO-5.5."""
        one, two, first, second = slot
        if first == second:
            return
        side, winner, loser = (0, one, two) if first > second else (1, two, one)
        tokens = loser[2] * (2 if winner[0] == "windswept_skull" else 1)
        if self.options.scalp_supply == "limited":
            tokens = min(tokens, self.supply)
        self.supply = max(0, self.supply - tokens)
        self.points[side] += tokens

    def _settle(self, pile: int) -> None:
        """TO-5.6, TO-5.7."""
        face, slots = self.faces[pile], self.slots[pile]
        winner, animals = fought(self.options, face, slots)
        if winner >= 0:
            self.points[winner] += animals
            self.won[winner] += 1
            if face.terrain == self.wanted:
                self.counts[winner] += face.animals if self.options.most_wanted_count == "printed" else animals
        self.slots[pile] = ()
        if self.below[pile]:
            self.faces[pile], self.below[pile] = self.below[pile][0], self.below[pile][1:]

    def _close(self, luck: Random) -> None:
        """TO-5.10 to TO-5.12."""
        for side in (0, 1):
            self.hands[side] += self.draws[side][:REFILL]
            del self.draws[side][:REFILL]
        self.turn += 1
        if self.dance is not None:
            side, pile = self.dance
            self.dance = None
            self._force(side, pile, luck)

    def margin(self) -> float:
        """How far side 0 is ahead in the end (TO-6), a little of the tie-break included."""
        lead = float(self.points[0] - self.points[1])
        one, two = self.counts
        if self.wanted and one != two:
            lead += MOST_WANTED_BONUS if one > two else -MOST_WANTED_BONUS
        if self.options.tie_break == "most_territories":
            lead += 0.01 * (self.won[0] - self.won[1])
        return lead


def values(one: Fighter, two: Fighter) -> tuple[int, int]:
    """TO-5.3: the values of two warriors face to face."""
    first = two[1] if one[0] == "sky_power" else one[1]
    second = one[1] if two[0] == "sky_power" else two[1]
    return (
        0 if two[0] == "teasing_cloud" and first >= 7 else first,
        0 if one[0] == "teasing_cloud" and second >= 7 else second,
    )


def facing(side: int, own: Fighter, other: Fighter) -> Slot:
    """The slot in which a warrior of the side meets one of the other side."""
    one, two = (own, other) if side == 0 else (other, own)
    return (one, two, *values(one, two))


def turned_up(slots: Sequence[Slot]) -> list[Slot]:
    """The slots with the values of those too that lie face down."""
    return [slot if slot[2] >= 0 else (slot[0], slot[1], *values(slot[0], slot[1])) for slot in slots]


def fought(options: Options, face: TerritoryFace, slots: Sequence[Slot]) -> tuple[int, int]:
    """TO-5.6: the side that wins a battle, -1 for none, and the animals that it takes."""
    mine, theirs = [slot[2] for slot in slots], [slot[3] for slot in slots]
    pivots = pivots_of(options, face.picto, mine, theirs)
    weight = 0 if face.picto == "puma" else 2
    one, two = ([slot[0][0] for slot in slots], [slot[1][0] for slot in slots])
    first = total(options, one, mine, pivots[0], weight)
    second = total(options, two, theirs, pivots[1], weight)
    winner = 0 if first > second else 1 if second > first else -1
    for side, names in ((0, one), (1, two)):
        if "great_spirit" in names:
            sums = (first, second)
            if options.great_spirit_totals == "before_picto":
                sums = (total(options, one, mine, None, 1), total(options, two, theirs, None, 1))
            value = (mine, theirs)[side][names.index("great_spirit")]
            taken = face.picto == "puma" and value == pivots[side]
            active = (
                not taken
                or options.great_spirit_totals == "before_picto"
                or (options.great_spirit_at_puma == "keeps_power")
            )
            if active and sums[1 - side] > 2 * sums[side]:
                winner = side
    animals = face.animals
    if face.terrain == "forest" and winner >= 0 and "sequoia_heart" in (*one, *two):
        owner = 0 if "sequoia_heart" in one else 1
        animals *= 2 if options.sequoia_benefits == "any_winner" or winner == owner else 1
    return winner, animals


def pivots_of(options: Options, picto: str, mine: list[int], theirs: list[int]) -> tuple[int | None, int | None]:
    """TO-5.6a, b: the value that the puma takes or the mushrooms feed, for each side."""
    if picto == "none":
        return None, None
    choose = max if picto == "puma" else min
    if options.picto_scope == "each_player":
        return choose(mine), choose(theirs)
    pivot = choose(mine + theirs)
    return pivot, pivot


def total(options: Options, names: list[str], strengths: list[int], pivot: int | None, weight: int) -> int:
    """TO-5.6c, d: what a side's warriors come to."""
    result = sum(strengths)
    if pivot is not None:
        result += (weight - 1) * pivot * strengths.count(pivot)
    if "shifting_spirit" in names:
        place = names.index("shifting_spirit")
        factor = weight if strengths[place] == pivot else 1
        other = any(value == 2 and (weight if value == pivot else 1) for n, value in enumerate(strengths) if n != place)
        if factor and other:
            result += PAIR_BONUS * (factor if options.pair_with_gathering == "bonus_doubled" else 1)
    return result


def skirmish_of(state: State) -> Skirmish:
    """The skirmish of a whole state, real or imagined, at the choice of placements."""
    found = Skirmish()
    shown = {card: (row.name, row.value, row.hair) for card, row in state.cards.items()}
    found.options, found.turn, found.supply = state.options, state.turn, state.supply
    found.wanted = state.faces[state.most_wanted].terrain if state.most_wanted else None
    spare = TerritoryFace("", "plain", 9, 0, "none")  # a pile that is used up is never placed at again
    found.faces = [state.faces[pile.territory] if pile.territory else spare for pile in state.piles]
    found.below = [tuple([state.faces[territory] for territory in pile.below]) for pile in state.piles]
    found.slots = [
        tuple([(shown[s.cards[0]], shown[s.cards[1]], *(s.values or (-1, -1))) for s in pile.slots])
        for pile in state.piles
    ]
    found.hands = [[shown[card] for card in side.hand] for side in state.sides]
    for side, hand in enumerate(found.hands):  # what a side has laid this turn already may yet be anything it holds
        laid = [pile.laid[side] for pile in state.piles]
        forced_card = state.forced.card if state.forced is not None else None
        hand += [shown[card] for card in laid if card is not None and card != forced_card]
    found.draws = [[shown[card] for card in side.draw_pile] for side in state.sides]
    printed = state.options.most_wanted_count == "printed"
    found.points = [sum([won.points for won in side.won]) + side.scalps for side in state.sides]
    found.counts = [
        sum(
            [
                won.animals if printed else won.points
                for won in side.won
                if state.faces[won.territory].terrain == found.wanted
            ]
        )
        for side in state.sides
    ]
    found.won = [len(side.won) for side in state.sides]
    forced = state.forced
    found.forced = None if forced is None else (forced.seat - 1, forced.pile - 1, shown[forced.card])
    found.dance = None
    return found


def is_over(skirmish: Skirmish) -> bool:
    """Whether the last turn has been played (TO-3.1)."""
    return skirmish.turn > TURNS
