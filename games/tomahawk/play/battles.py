"""Battles: pictos, totals, the great spirit and the sequoia heart decide who wins a territory (TO-5.6).

`totals.fought` decides how a battle ends, tied totals included; `battle` puts its cards to that, and `settle` writes
the events that say so: the territory is taken or, on a tie, discarded (TO-5.7).
"""

from collections.abc import Callable
from typing import NamedTuple

from games.tomahawk import events as e
from games.tomahawk.components import SPECIES, TerritoryFace
from games.tomahawk.events import rows
from games.tomahawk.events.rows import Card
from games.tomahawk.evolve import Scribe
from games.tomahawk.options import Options
from games.tomahawk.play.looks import asked
from games.tomahawk.play.totals import NOBODY, WEIGHTS, Spirit, fought
from games.tomahawk.state import Slot, State, in_play, known_values

Two = tuple[int, int]
Values = tuple[int, ...]


class Battle(NamedTuple):
    """The warriors of both sides on one territory, seat 1's first, each by slot; and what they come to."""

    options: Options
    face: TerritoryFace
    cards: tuple[tuple[Card, ...], tuple[Card, ...]]
    values: tuple[Values, Values]
    multipliers: tuple[Values, Values]
    pivots: tuple[int | None, int | None]
    bonuses: Two
    totals: Two
    great_spirit: rows.GreatSpiritRow | None
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
    values: tuple[Values, Values],
) -> Battle:
    """TO-5.6: a battle between these cards, with these values after the effects of characters."""
    found = fought(options, face, ([card.name for card in cards[0]], [card.name for card in cards[1]]), values)
    weight = WEIGHTS[face.picto]
    return Battle(
        options=options,
        face=face,
        cards=cards,
        values=values,
        multipliers=(
            _multipliers(values[0], found.pivots[0], weight),
            _multipliers(values[1], found.pivots[1], weight),
        ),
        pivots=found.pivots,
        bonuses=found.bonuses,
        totals=found.totals,
        great_spirit=None if found.spirit is None else _spirit_row(found.spirit, cards[found.spirit.side]),
        winner=None if found.winner == NOBODY else found.winner + 1,
        animals_multiplier=found.multiplier,
    )


def _multipliers(values: Values, pivot: int | None, weight: int) -> Values:
    return tuple([weight if value == pivot else 1 for value in values])


def _spirit_row(spirit: Spirit, cards: tuple[Card, ...]) -> rows.GreatSpiritRow:
    (card,) = (card.card for card in cards if card.name == "great_spirit")
    return rows.GreatSpiritRow(spirit.side + 1, card, spirit.own, spirit.other, spirit.active, spirit.triggered)


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


BATTLE_RULES: tuple[tuple[tuple[str, ...], Callable[[Battle], bool]], ...] = (  # TO-5.15
    (("TO-5.6",), lambda _: True),
    (("TO-5.6a", "TO-R22"), lambda found: found.face.picto == "puma"),
    (("TO-5.6b", "TO-R22"), lambda found: found.face.picto == "gathering"),
    (("TO-R23",), lambda found: found.face.picto != "none" and _is_changed(found)),
    (("TO-5.6c", "TO-R17"), lambda found: found.bonuses != (0, 0)),
    (("TO-R18",), _is_pair_at_pivot),
    (("TO-5.6e",), lambda found: found.great_spirit is not None and found.great_spirit.triggered),
    (("TO-R19",), lambda found: found.great_spirit is not None and found.face.picto != "none"),
    (("TO-R20",), _takes_great_spirit),
    (("TO-5.6f",), lambda found: found.animals_multiplier == 2),
    (("TO-R21",), lambda found: found.face.terrain == "forest" and bool(found.winner and found.who("sequoia_heart"))),
)


def battle_at(state: State, pile: int) -> Battle:
    """The battle at a pile all of whose slots are face up."""
    slots = state.piles[pile - 1].slots
    face = state.faces[in_play(state.piles[pile - 1])]
    first, second = (tuple([state.cards[slot.cards[n]] for slot in slots]) for n in (0, 1))
    values = [known_values(slot) for slot in slots]
    return battle(state.options, face, (first, second), (tuple([v for v, _ in values]), tuple([v for _, v in values])))


def judgement(state: State, pile: int, found: Battle) -> e.TerritoryJudged:
    """TO-5.6: the event that says how a battle ends, with all that it was worked out from."""
    triggered = found.great_spirit is not None and found.great_spirit.triggered
    return e.TerritoryJudged(
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
        rules=tuple([rule for rules, applies in BATTLE_RULES if applies(found) for rule in rules]),
    )


def _total_row(found: Battle, seat: int) -> rows.TotalRow:
    n = seat - 1
    fighters = [
        rows.FighterRow(slot, card.card, card.name, value, multiplier, value * multiplier)
        for slot, (card, value, multiplier) in enumerate(
            zip(found.cards[n], found.values[n], found.multipliers[n], strict=True), 1
        )
    ]
    return rows.TotalRow(seat, tuple(fighters), found.pivots[n], found.bonuses[n], found.totals[n])


def settle(scribe: Scribe, pile: int) -> None:
    """TO-5.6 to TO-5.8: the battle at a pile, the award, and the warriors' way to the cemeteries."""
    found = battle_at(scribe.state, pile)
    territory = in_play(scribe.state.piles[pile - 1])
    scribe.write(judgement(scribe.state, pile, found))
    scribe.write(_award(scribe.state, pile, found))
    scribe.write(_warriors_discarded(scribe.state, pile, territory))


def _award(state: State, pile: int, found: Battle) -> e.TerritoryWon | e.TerritoryDiscarded:
    """TO-5.7: the winner takes the territory; on a tie nobody does."""
    territory, face = in_play(state.piles[pile - 1]), found.face
    if found.winner is None:
        return e.TerritoryDiscarded(state.turn, pile, territory, "tie", ("TO-5.7", "TO-R27"))
    double = found.animals_multiplier
    return e.TerritoryWon(
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


def _warriors_discarded(state: State, pile: int, territory: str) -> e.WarriorsDiscarded:
    """TO-5.8, and who is asked for a look when this was the turn's last battle (TO-5.9)."""
    slots = state.piles[pile - 1].slots
    return e.WarriorsDiscarded(state.turn, pile, territory, (_fallen(slots, 1), _fallen(slots, 2)), asked(state))


def _fallen(slots: tuple[Slot, ...], seat: int) -> rows.DiscardRow:
    return rows.DiscardRow(seat, tuple([slot.cards[seat - 1] for slot in slots]))
