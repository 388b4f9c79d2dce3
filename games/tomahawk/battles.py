"""Battles: pictos, totals, the great spirit and the sequoia heart decide who wins a territory (TO-5.6 to TO-5.9).

`fought` resolves a battle from plain values, including ties; searching players use it too. `battle` calls it with the
cards of a table, and `settle` writes the events: the territory is taken or, on a tie, discarded (TO-5.7). Sides count
from 0; the names and values of each side are in the order of its slots.
"""

from collections.abc import Callable, Sequence
from operator import mul
from typing import NamedTuple

import msgspec

from games.deciding import when
from games.tomahawk import events as ev
from games.tomahawk.components import FIELD, PILES, SEATS, SPECIES, TerritoryFace
from games.tomahawk.events import Card
from games.tomahawk.evolve import Scribe
from games.tomahawk.house_rules import Options
from games.tomahawk.state import Slot, State, in_play, is_complete, known_values

Names = tuple[Sequence[str], Sequence[str]]
Values = tuple[Sequence[int], Sequence[int]]
Two = tuple[int, int]
Weights = tuple[tuple[int, ...], tuple[int, ...]]

NOBODY = -1  # the side that wins a tie; `settle` discards the territory then (TO-5.7)
PAIR_BONUS = 5  # TO-5.6c
WEIGHTS = {"none": 1, "puma": 0, "gathering": 2}  # TO-5.6a, b: the multiplier of those that the picto singles out
SINGLED_OUT: dict[str, Callable[[Sequence[int]], int]] = {"none": min, "puma": max, "gathering": min}  # by their value


class Spirit(msgspec.Struct, frozen=True, gc=False):
    """The great spirit of a side in a battle: the totals compared, and whether its power counts and decides."""

    side: int
    own: int
    other: int
    active: bool
    triggered: bool


class Fought(msgspec.Struct, frozen=True, gc=False):
    """The result of a battle, with all that decides it."""

    pivots: tuple[int | None, int | None]
    multipliers: Weights  # of each warrior's value
    bonuses: Two
    totals: Two
    spirit: Spirit | None
    winner: int  # the side, or `NOBODY`
    multiplier: int  # of the animals


def fought(options: Options, face: TerritoryFace, names: Names, values: Values) -> Fought:
    """TO-5.6: the battle between warriors with these names and, after the effects of characters, these values."""
    weight = WEIGHTS[face.picto]
    if weight == 1:
        pivots: tuple[int | None, int | None] = (None, None)
        multipliers: Weights = ((1,) * len(values[0]), (1,) * len(values[1]))
    else:
        pivots = pivots_of(options, face.picto, values)
        multipliers = (weighted(values[0], pivots[0], weight), weighted(values[1], pivots[1], weight))
    bonuses = (0, 0)
    if "shifting_spirit" in names[0] or "shifting_spirit" in names[1]:
        bonuses = (
            pair_bonus(options, names[0], values[0], multipliers[0]),
            pair_bonus(options, names[1], values[1], multipliers[1]),
        )
    first = sum(map(mul, values[0], multipliers[0])) + bonuses[0]
    second = sum(map(mul, values[1], multipliers[1])) + bonuses[1]
    spirit = None
    if "great_spirit" in names[0] or "great_spirit" in names[1]:
        spirit = _spirit(options, names, values, (first, second), multipliers)
    winner = _winner(first, second, spirit)
    multiplier = animals_multiplier(options, winner, names) if face.terrain == "forest" else 1
    return Fought(pivots, multipliers, bonuses, (first, second), spirit, winner, multiplier)


def pivots_of(options: Options, picto: str, values: Values) -> Two:
    """TO-5.6a, b: the value that the puma takes or the mushrooms feed, for each side (TO-R22, TO-R23)."""
    choose = SINGLED_OUT[picto]
    if options.picto_scope == "each_player":
        return choose(values[0]), choose(values[1])
    pivot = choose((*values[0], *values[1]))
    return pivot, pivot


def weighted(values: Sequence[int], pivot: int, weight: int) -> tuple[int, ...]:
    """TO-5.6a, b: the multiplier of each value: those that equal the pivot have its weight."""
    return tuple([weight if value == pivot else 1 for value in values])


def pair_bonus(options: Options, names: Sequence[str], values: Sequence[int], multipliers: Sequence[int]) -> int:
    """TO-5.6c: the shifting spirit and another 2 that both count are worth 9 together (TO-R17, TO-R18)."""
    if "shifting_spirit" not in names:
        return 0
    place = names.index("shifting_spirit")
    twos = [n for n, value in enumerate(values) if value == 2 and multipliers[n] and n != place]
    if not multipliers[place] or not twos:
        return 0
    return PAIR_BONUS * (multipliers[place] if options.pair_with_gathering == "bonus_doubled" else 1)


def _spirit(options: Options, names: Names, values: Values, totals: Two, multipliers: Weights) -> Spirit:
    """TO-5.6e: the great spirit, unless the puma has taken it, wins against more than double its own side's total."""
    side = 0 if "great_spirit" in names[0] else 1
    before = options.great_spirit_totals == "before_picto"
    if before:
        totals = (_plain_total(options, names[0], values[0]), _plain_total(options, names[1], values[1]))
    is_taken = not multipliers[side][names[side].index("great_spirit")]
    active = before or not is_taken or options.great_spirit_at_puma == "keeps_power"
    own, other = totals[side], totals[1 - side]
    return Spirit(side, own, other, active, active and other > 2 * own)


def _plain_total(options: Options, names: Sequence[str], values: Sequence[int]) -> int:
    """TO-5.6e with `great_spirit_totals: "before_picto"`: the total with every multiplier 1."""
    return sum(values) + pair_bonus(options, names, values, (1,) * len(values))


def _winner(first: int, second: int, spirit: Spirit | None) -> int:
    """TO-5.6d, e: the side with the higher total, on tied totals `NOBODY`, unless the great spirit decides."""
    if spirit is not None and spirit.triggered:
        return spirit.side
    return 0 if first > second else 1 if second > first else NOBODY


def animals_multiplier(options: Options, winner: int, names: Names) -> int:
    """TO-5.6f: 2 if somebody wins a forest whose caribou the sequoia heart doubles (TO-R21)."""
    if winner == NOBODY or not ("sequoia_heart" in names[0] or "sequoia_heart" in names[1]):
        return 1
    return 2 if options.sequoia_benefits == "any_winner" or "sequoia_heart" in names[winner] else 1


def hidden_now(state: State) -> tuple[int, ...]:
    """The piles whose forest is not complete: its newest slot, that of this turn, is what one may look at."""
    return tuple(
        [n for n, pile in zip(PILES, state.piles, strict=True) if pile.slots and pile.slots[-1].values is None]
    )


def lookers(state: State) -> tuple[int, ...]:
    """The seats that have won a mountain this turn, if there is something to look at."""
    if not hidden_now(state):
        return ()
    return tuple(
        seat
        for seat, side in zip(SEATS, state.sides, strict=True)
        if any(won.turn == state.turn and won.species == SPECIES["mountain"] for won in side.won)
    )


def asked(state: State) -> tuple[int, ...]:
    """With `mountain_look: "ask"` the seats that are asked for a look, once no battle is left to judge."""
    if state.options.mountain_look == "automatic" or any(map(is_complete, state.piles)):
        return ()
    return lookers(state)


def forest_look(state: State, seat: int) -> ev.ForestCardsSeen:
    """TO-5.9: what the opponent of `seat` played this turn in forests that are not complete (TO-R26)."""
    piles = hidden_now(state)
    cards = []
    for number in piles:
        pile = state.piles[number - 1]
        card = getattr(state.cards, pile.slots[-1].cards[2 - seat])
        cards.append(ev.ForestCard(number, in_play(pile), len(pile.slots), card.card, card.name, card.value, card.hair))
    rules = ("TO-5.9", "TO-R24", "TO-R26")
    return ev.ForestCardsSeen(
        turn=state.turn, seat=seat, piles=piles, count=len(cards), cards=tuple(cards), rules=rules
    )


class Battle(NamedTuple):
    """The warriors of both sides on one territory, seat 1's first, each by slot; and what they come to."""

    options: Options
    face: TerritoryFace
    cards: tuple[tuple[Card, ...], tuple[Card, ...]]
    values: Weights
    multipliers: Weights
    pivots: tuple[int | None, int | None]
    bonuses: Two
    totals: Two
    great_spirit: ev.GreatSpiritRow | None
    winner: int | None
    animals_multiplier: int

    def who(self, name: str) -> tuple[int, int] | None:
        """The side (0 or 1) and the place of the special `name`, if it fights here."""
        for side in (0, 1):
            for place, card in enumerate(self.cards[side]):
                if card.name == name:
                    return side, place
        return None


def battle(
    options: Options,
    face: TerritoryFace,
    cards: tuple[tuple[Card, ...], tuple[Card, ...]],
    values: Weights,
) -> Battle:
    """TO-5.6: a battle between these cards, with these values after the effects of characters."""
    found = fought(options, face, ([card.name for card in cards[0]], [card.name for card in cards[1]]), values)
    return Battle(
        options=options,
        face=face,
        cards=cards,
        values=values,
        multipliers=found.multipliers,
        pivots=found.pivots,
        bonuses=found.bonuses,
        totals=found.totals,
        great_spirit=None if found.spirit is None else _spirit_row(found.spirit, cards[found.spirit.side]),
        winner=None if found.winner == NOBODY else found.winner + 1,
        animals_multiplier=found.multiplier,
    )


def _spirit_row(spirit: Spirit, cards: tuple[Card, ...]) -> ev.GreatSpiritRow:
    (card,) = (card.card for card in cards if card.name == "great_spirit")
    return ev.GreatSpiritRow(spirit.side + 1, card, spirit.own, spirit.other, spirit.active, spirit.triggered)


def _is_changed(found: Battle) -> bool:
    return any(card.value != v for n in (0, 1) for card, v in zip(found.cards[n], found.values[n], strict=True))


def _is_pair_at_pivot(found: Battle) -> bool:
    who = found.who("shifting_spirit")
    if who is None or found.multipliers[who[0]][who[1]] == 1:
        return False
    return any(value == 2 for n, value in enumerate(found.values[who[0]]) if n != who[1])


def _takes_great_spirit(found: Battle) -> bool:
    who = found.who("great_spirit")
    if who is None or found.options.great_spirit_totals == "before_picto":
        return False
    return found.multipliers[who[0]][who[1]] == 0


def battle_rules(found: Battle) -> tuple[str, ...]:
    """TO-5.15: the rules applied in a battle."""
    picto, spirit = found.face.picto, found.great_spirit
    return (
        "TO-5.6",
        *when(picto == "puma", "TO-5.6a", "TO-R22"),
        *when(picto == "gathering", "TO-5.6b", "TO-R22"),
        *when(picto != "none" and _is_changed(found), "TO-R23"),
        *when(found.bonuses != (0, 0), "TO-5.6c", "TO-R17"),
        *when(_is_pair_at_pivot(found), "TO-R18"),
        *when(spirit and spirit.triggered, "TO-5.6e"),
        *when(spirit and picto != "none", "TO-R19"),
        *when(_takes_great_spirit(found), "TO-R20"),
        *when(found.animals_multiplier == 2, "TO-5.6f"),
        *when(found.face.terrain == "forest" and found.winner and found.who("sequoia_heart"), "TO-R21"),
    )


def battle_at(state: State, pile: int) -> Battle:
    """The battle at a pile all of whose slots are face up."""
    slots = state.piles[pile - 1].slots
    face = getattr(state.faces, FIELD[in_play(state.piles[pile - 1])])
    first, second = (tuple([getattr(state.cards, slot.cards[n]) for slot in slots]) for n in (0, 1))
    values = [known_values(slot) for slot in slots]
    return battle(state.options, face, (first, second), (tuple([v for v, _ in values]), tuple([v for _, v in values])))


def judgement(state: State, pile: int, found: Battle) -> ev.TerritoryJudged:
    """TO-5.6: the event that says how a battle ends, and all that decides it."""
    triggered = found.great_spirit is not None and found.great_spirit.triggered
    return ev.TerritoryJudged(
        turn=state.turn,
        pile=pile,
        territory=in_play(state.piles[pile - 1]),
        face=found.face.face,
        terrain=found.face.terrain,
        picto=found.face.picto,
        totals=(_total_row(found, 1), _total_row(found, 2)),
        affected=tuple(
            [c.card for n in (0, 1) for c, m in zip(found.cards[n], found.multipliers[n], strict=True) if m != 1]
        ),
        great_spirit=found.great_spirit,
        winner=found.winner,
        reason="great_spirit" if triggered else "higher_total" if found.winner else "tie",
        rules=battle_rules(found),
    )


def _total_row(found: Battle, seat: int) -> ev.TotalRow:
    n = seat - 1
    fighters = [
        ev.FighterRow(slot, card.card, card.name, value, multiplier, value * multiplier)
        for slot, (card, value, multiplier) in enumerate(
            zip(found.cards[n], found.values[n], found.multipliers[n], strict=True), 1
        )
    ]
    return ev.TotalRow(seat, tuple(fighters), found.pivots[n], found.bonuses[n], found.totals[n])


def settle(scribe: Scribe, pile: int) -> None:
    """TO-5.6 to TO-5.8: the battle at a pile, the award, and the warriors' way to the cemeteries."""
    found = battle_at(scribe.state, pile)
    territory = in_play(scribe.state.piles[pile - 1])
    winner = scribe.write(judgement(scribe.state, pile, found)).winner
    if winner != found.winner:  # corrected
        found = _won_by(winner, found)
    scribe.write(_award(scribe.state, pile, found))
    scribe.write(_warriors_discarded(scribe.state, pile, territory))


def _won_by(winner: int | None, found: Battle) -> Battle:
    """The same battle with another winner, for whom the animals may count differently (TO-5.6f)."""
    names = ([card.name for card in found.cards[0]], [card.name for card in found.cards[1]])
    side, is_forest = winner - 1 if winner else NOBODY, found.face.terrain == "forest"
    multiplier = animals_multiplier(found.options, side, names) if is_forest else 1
    return found._replace(winner=winner, animals_multiplier=multiplier)


def _award(state: State, pile: int, found: Battle) -> ev.TerritoryWon | ev.TerritoryDiscarded:
    """TO-5.7: the winner takes the territory; on a tie nobody does."""
    territory, face = in_play(state.piles[pile - 1]), found.face
    if found.winner is None:
        return ev.TerritoryDiscarded(state.turn, pile, territory, "tie", ("TO-5.7", "TO-R27"))
    double = found.animals_multiplier
    return ev.TerritoryWon(
        turn=state.turn,
        pile=pile,
        seat=found.winner,
        territory=territory,
        face=face.face,
        species=SPECIES[face.terrain],
        animals=face.animals,
        multiplier=double,
        points=face.animals * double,
        rules=("TO-5.7",),
    )


def _warriors_discarded(state: State, pile: int, territory: str) -> ev.WarriorsDiscarded:
    """TO-5.8, and who is asked for a look when this was the turn's last battle (TO-5.9)."""
    slots = state.piles[pile - 1].slots
    return ev.WarriorsDiscarded(state.turn, pile, territory, (_fallen(slots, 1), _fallen(slots, 2)), asked(state))


def _fallen(slots: tuple[Slot, ...], seat: int) -> ev.DiscardRow:
    return ev.DiscardRow(seat, tuple([slot.cards[seat - 1] for slot in slots]))
