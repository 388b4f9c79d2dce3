"""A model of Tomahawk for searching: the piles, hands and points of both sides, small and mutable. Sides count from 0.

Only the representation differs from the game; values, duels and battles use the game's functions. A test plays the
model and the game side by side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from games.tomahawk.battles import NOBODY, fought
from games.tomahawk.components import CARDS, FIELD, REFILL, SPECIES, TerritoryFace
from games.tomahawk.house_rules import Options
from games.tomahawk.moves import Placement as Placed
from games.tomahawk.moves import PlayCards
from games.tomahawk.play import slots_turned_up
from games.tomahawk.scoring import animals_that_count, most_wanted_bonuses, supply_after, tokens_given, wanted_animals
from games.tomahawk.sight import View
from games.tomahawk.slots import Warrior, can_dance, scalps, values_of, warrior_of
from games.tomahawk.state import Slot as LyingSlot
from games.tomahawk.state import State, territory_points

Fighter = Warrior
Slot = tuple[Fighter, Fighter, int, int]  # two warriors face to face and their values, -1 face down
Placement = Sequence[Fighter]  # a card for each pile


@dataclass(init=False, eq=False, repr=False, slots=True)
class Skirmish:
    """A game of Tomahawk between two placements."""

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
        """Returns a copy."""
        other = Skirmish()
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
            slots = (*self.slots[pile], (laid[0][pile], laid[1][pile], -1, -1))
            self.slots[pile] = slots
            turned += [(pile, slot - 1) for slot in slots_turned_up(self.faces[pile], len(slots))]
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
        self.slots[pile] = (*slots[:slot], (one, two, *values_of(one, two)), *slots[slot + 1 :])
        if not can_dance(self.faces[pile], slot + 1):
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
        """TO-5.5: the scalps of two warriors face to face, as far as there are tokens."""
        lead = scalps(*slot)
        tokens = tokens_given(self.options, abs(lead), self.supply)
        self.supply = supply_after(self.supply, tokens)
        self.points[0 if lead > 0 else 1] += tokens

    def _settle(self, pile: int) -> None:
        """TO-5.6, TO-5.7: a battle is over: its animals, and the next territory of the pile."""
        face, slots = self.faces[pile], self.slots[pile]
        winner, animals = outcome(self.options, face, slots)
        if winner != NOBODY:
            self.points[winner] += animals
            self.won[winner] += 1
            if face.terrain == self.wanted:
                self.counts[winner] += animals_that_count(self.options, face.animals, animals)
        self.slots[pile] = ()
        if self.below[pile]:
            self.faces[pile], self.below[pile] = self.below[pile][0], self.below[pile][1:]

    def _close(self, luck: Random) -> None:
        """TO-5.10 to TO-5.12: hands are filled up, the turn ends, and a dance put off comes into force."""
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
        if self.wanted:
            one, two = most_wanted_bonuses(self.options, *self.counts)
            lead += one - two
        if self.options.tie_break == "most_territories":
            lead += 0.01 * (self.won[0] - self.won[1])
        return lead


def facing(side: int, own: Fighter, other: Fighter) -> Slot:
    """The slot in which a warrior of the side meets one of the other side."""
    one, two = (own, other) if side == 0 else (other, own)
    return (one, two, *values_of(one, two))


def turned_up(slots: Sequence[Slot]) -> list[Slot]:
    """The slots with the values of those too that lie face down."""
    return [slot if slot[2] >= 0 else (slot[0], slot[1], *values_of(slot[0], slot[1])) for slot in slots]


def outcome(options: Options, face: TerritoryFace, slots: Sequence[Slot]) -> tuple[int, int]:
    """The side that wins a battle, `NOBODY` for a tie, and the animals that it takes."""
    names = ([slot[0][0] for slot in slots], [slot[1][0] for slot in slots])
    found = fought(options, face, names, ([slot[2] for slot in slots], [slot[3] for slot in slots]))
    return found.winner, face.animals * found.multiplier


SPARE = TerritoryFace("", "plain", 9, 0, "none")  # a pile that is used up is never placed at again


def skirmish_of(state: State) -> Skirmish:
    """The skirmish of a whole state, real or imagined, at the choice of placements."""
    found = Skirmish()
    shown = {card: warrior_of(row) for card in CARDS if (row := getattr(state.cards, card))}
    found.options, found.turn, found.supply, found.dance = state.options, state.turn, state.supply, None
    found.faces = [getattr(state.faces, FIELD[pile.territory]) if pile.territory else SPARE for pile in state.piles]
    found.below = [tuple([getattr(state.faces, FIELD[territory]) for territory in pile.below]) for pile in state.piles]
    found.slots = [tuple([slot_of(shown, slot) for slot in pile.slots]) for pile in state.piles]
    found.hands = [[shown[card] for card in held_by(state, side)] for side in (0, 1)]
    found.draws = [[shown[card] for card in side.draw_pile] for side in state.sides]
    forced, wanted = state.forced, state.most_wanted
    found.forced = None if forced is None else (forced.seat - 1, forced.pile - 1, shown[forced.card])
    found.wanted = getattr(state.faces, FIELD[wanted]).terrain if wanted else None
    found.points = [territory_points(side) + side.scalps for side in state.sides]
    found.counts = [wanted_animals(state.options, side, SPECIES.get(found.wanted or "")) for side in state.sides]
    found.won = [len(side.won) for side in state.sides]
    return found


def slot_of(shown: Mapping[str, Fighter], slot: LyingSlot) -> Slot:
    """A slot with the cards that lie there."""
    return shown[slot.cards[0]], shown[slot.cards[1]], *(slot.values or (-1, -1))


def held_by(state: State, side: int) -> list[str]:
    """The hand of a side; what it has laid this turn already may yet be anything it holds."""
    forced = state.forced.card if state.forced is not None else None
    laid = [pile.laid[side] for pile in state.piles]
    return [*state.sides[side].hand, *[card for card in laid if card is not None and card != forced]]


Hand = tuple[int, ...]  # places of cards in the hand, one for each open pile


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

    def lie(self, places: Hand) -> list[Fighter]:
        """The fighters that a search lays."""
        return [self.fighters[place] for place in places]
