"""Effects of characters, scalp duels and battles: what comes of warriors that face each other (TO-5.3 to TO-5.6).

Nothing here changes the table: each function gives the event that says how a slot or a battle ends.
"""

from collections.abc import Callable
from typing import NamedTuple

from games.tomahawk import events as e
from games.tomahawk import rows
from games.tomahawk.components import TerritoryFace
from games.tomahawk.options import Options
from games.tomahawk.rows import Card
from games.tomahawk.state import Dance, State, known_values

CHARMED = range(7, 11)  # TO-5.3b
PAIR_BONUS = 5  # TO-5.6c

Where = tuple[int, int, str, int]  # turn, pile, territory, slot
Two = tuple[int, int]
Values = tuple[int, ...]


# TO-5.3: values after the effects of characters


def effects(state: State, pile: int, slot: int) -> tuple[e.CharacterEffectApplied, ...]:
    """TO-5.3: what sky power and teasing cloud do in a slot that has just been turned up, in that order."""
    left, right = _cards_of(state, pile, slot)
    if left.name == right.name == "warrior":
        return ()
    where = _where(state, pile, slot)
    copied = _copy(where, 1, left, right) or _copy(where, 2, right, left)
    worth = {left.card: left.value, right.card: right.value} | {effect.card: effect.value_after for effect in copied}
    charmed = _charm(where, 1, left, right, worth[right.card]) or _charm(where, 2, right, left, worth[left.card])
    return copied + charmed


def _copy(where: Where, seat: int, own: Card, other: Card) -> tuple[e.CharacterEffectApplied, ...]:
    """TO-5.3a: sky power takes the printed value of the warrior that it faces."""
    if own.name != "sky_power":
        return ()
    rules = ("TO-5.3a", "TO-R15") if other.name == "teasing_cloud" else ("TO-5.3a",)
    change = (own.card, own.value, other.value)
    return (e.CharacterEffectApplied(*where, seat, own.card, own.name, "value_copied", *change, rules),)


def _charm(where: Where, seat: int, own: Card, other: Card, value: int | None) -> tuple[e.CharacterEffectApplied, ...]:
    """TO-5.3b: a warrior worth 7 to 10 that faces the teasing cloud becomes worth 0."""
    if own.name != "teasing_cloud" or value not in CHARMED:
        return ()
    rules = ("TO-5.3b", "TO-R15") if other.name == "sky_power" else ("TO-5.3b",)
    change = (other.card, value, 0)
    return (e.CharacterEffectApplied(*where, seat, own.card, own.name, "opponent_charmed", *change, rules),)


def pending_dance(state: State, dance: Dance, slot: int) -> e.CharacterEffectApplied:
    """TO-5.4 with `dusk_dance_timing: "next_turn"`: the dusk dance will draw a card next turn (TO-R13)."""
    where, change = _where(state, dance.pile, slot), (None, None, None)
    rules = ("TO-5.4", "TO-R13")
    return e.CharacterEffectApplied(*where, dance.seat, dance.card, "dusk_dance", "next_card_pending", *change, rules)


def _where(state: State, pile: int, slot: int) -> Where:
    return state.turn, pile, state.piles[pile - 1].territory or "", slot


def _cards_of(state: State, pile: int, slot: int) -> tuple[Card, Card]:
    left, right = state.piles[pile - 1].slots[slot - 1].cards
    return state.cards[left], state.cards[right]


# TO-5.5: scalp duels


class Duel(NamedTuple):
    """A slot turned up, and how many tokens are taken: what the rules of a scalp duel look at (TO-5.15)."""

    earlier: bool
    cards: tuple[Card, Card]
    values: Two
    multiplier: int
    due: int
    tokens: int
    supply: int


DUEL_RULES: tuple[tuple[str, Callable[[Duel], bool]], ...] = (  # TO-5.15
    ("TO-5.5", lambda _: True),
    ("TO-R10", lambda duel: duel.earlier),
    ("TO-R16", lambda duel: 0 in duel.values),
    ("TO-R11", lambda duel: duel.cards[0].hair > 0 < duel.cards[1].hair and duel.values[0] != duel.values[1]),
    ("TO-5.5c", lambda duel: duel.multiplier == 2),
    ("TO-5.5d", lambda duel: duel.tokens < duel.due),
    ("TO-R9", lambda duel: duel.due > duel.supply),
)


def duel(state: State, pile: int, slot: int) -> tuple[e.ScalpDuelJudged, ...]:
    """TO-5.5: who takes whose scalp in a slot that has just been turned up; nothing if nobody there has hair."""
    cards = _cards_of(state, pile, slot)
    if not (cards[0].hair or cards[1].hair):
        return ()
    lies = state.piles[pile - 1].slots[slot - 1]
    values = known_values(lies)
    winner = scalper(cards, values)
    hair = cards[2 - winner].hair if winner else 0
    multiplier = 2 if winner and cards[winner - 1].name == "windswept_skull" else 1
    due = hair * multiplier
    tokens = min(due, state.supply) if state.options.scalp_supply == "limited" else due
    found = Duel(lies.turn < state.turn, cards, values, multiplier, due, tokens, state.supply)
    judged = e.ScalpDuelJudged(
        turn=state.turn,
        pile=pile,
        territory=state.piles[pile - 1].territory or "",
        slot=slot,
        cards=(_duel_card(1, cards[0], values[0]), _duel_card(2, cards[1], values[1])),
        winner=winner,
        hair=hair,
        multiplier=multiplier,
        tokens_due=due,
        tokens=tokens,
        supply_before=state.supply,
        supply_after=max(0, state.supply - tokens),
        rules=tuple([rule for rule, applies in DUEL_RULES if applies(found)]),
    )
    return (judged,)


def scalper(cards: tuple[Card, Card], values: Two) -> int | None:
    """TO-5.5a, b: the seat whose warrior takes the other's scalp."""
    if values[0] > values[1] and cards[1].hair:
        return 1
    return 2 if values[1] > values[0] and cards[0].hair else None


def _duel_card(seat: int, card: Card, value: int) -> rows.DuelCard:
    return rows.DuelCard(seat, card.card, card.name, value, card.hair)


# TO-5.6: battles


class Battle(NamedTuple):
    """The warriors of both sides on one territory, seat 1's first, each by slot; and what they come to."""

    options: Options
    face: TerritoryFace
    cards: tuple[tuple[Card, ...], tuple[Card, ...]]
    values: tuple[Values, Values]
    pivots: tuple[int | None, int | None]
    multipliers: tuple[Values, Values]
    bonuses: Two
    totals: Two
    great_spirit: rows.GreatSpiritRow | None
    winner: int | None

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
    """TO-5.6a to e: the pivots, multipliers and totals of a battle, and who wins."""
    pivots = _pivots(options, face.picto, values)
    weight = 0 if face.picto == "puma" else 2
    multipliers = (_multipliers(values[0], pivots[0], weight), _multipliers(values[1], pivots[1], weight))
    bonuses = tuple([pair_bonus(options, *side) for side in zip(cards, values, multipliers, strict=True)])
    totals = tuple([_total(*side) for side in zip(values, multipliers, bonuses, strict=True)])
    found = Battle(options, face, cards, values, pivots, multipliers, bonuses, totals, None, None)  # type: ignore[arg-type]  # two sides
    found = found._replace(great_spirit=great_spirit(found))
    return found._replace(winner=_winner(found))


def _pivots(options: Options, picto: str, values: tuple[Values, Values]) -> tuple[int | None, int | None]:
    """TO-5.6a, b: the value that the puma takes or the mushrooms feed, for each side (TO-R22, TO-R23)."""
    if picto == "none":
        return None, None
    choose: Callable[[Values], int] = max if picto == "puma" else min
    if options.picto_scope == "each_player":
        return choose(values[0]), choose(values[1])
    pivot = choose(values[0] + values[1])
    return pivot, pivot


def _multipliers(values: Values, pivot: int | None, weight: int) -> Values:
    return tuple([weight if value == pivot else 1 for value in values])


def _total(values: Values, multipliers: Values, bonus: int) -> int:
    """TO-5.6d."""
    return sum([value * multiplier for value, multiplier in zip(values, multipliers, strict=True)]) + bonus


def pair_bonus(options: Options, cards: tuple[Card, ...], values: Values, multipliers: Values) -> int:
    """TO-5.6c: the shifting spirit and another 2 that both count are worth 9 together (TO-R17, TO-R18)."""
    for place, card in enumerate(cards):
        if card.name == "shifting_spirit" and multipliers[place]:
            if not any(values[n] == 2 and multipliers[n] for n in range(len(cards)) if n != place):
                return 0
            return PAIR_BONUS * (multipliers[place] if options.pair_with_gathering == "bonus_doubled" else 1)
    return 0


def great_spirit(found: Battle) -> rows.GreatSpiritRow | None:
    """TO-5.6e: whether the great spirit wins against a total that is more than double its own side's."""
    who = found.who("great_spirit")
    if who is None:
        return None
    side, place = who
    before = found.options.great_spirit_totals == "before_picto"
    own, other = (_plain_total(found, n) if before else found.totals[n] for n in (side, 1 - side))
    counts = found.multipliers[side][place] > 0
    active = before or counts or found.options.great_spirit_at_puma == "keeps_power"
    return rows.GreatSpiritRow(side + 1, found.cards[side][place].card, own, other, active, active and other > 2 * own)


def _plain_total(found: Battle, side: int) -> int:
    """TO-5.6e with `great_spirit_totals: "before_picto"`: the total with every multiplier 1."""
    ones = (1,) * len(found.values[side])
    return sum(found.values[side]) + pair_bonus(found.options, found.cards[side], found.values[side], ones)


def _winner(found: Battle) -> int | None:
    if found.great_spirit is not None and found.great_spirit.triggered:
        return found.great_spirit.seat
    first, second = found.totals
    if first == second:
        return None
    return 1 if first > second else 2


def animals_multiplier(found: Battle) -> int:
    """TO-5.6f: 2 if somebody wins a forest whose caribou the sequoia heart doubles (TO-R21)."""
    who = found.who("sequoia_heart") if found.face.terrain == "forest" and found.winner else None
    if who is None:
        return 1
    return 2 if found.options.sequoia_benefits == "any_winner" or found.winner == who[0] + 1 else 1


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
    (("TO-5.6f",), lambda found: animals_multiplier(found) == 2),
    (("TO-R21",), lambda found: found.face.terrain == "forest" and bool(found.winner and found.who("sequoia_heart"))),
)


def battle_at(state: State, pile: int) -> Battle:
    """The battle at a pile all of whose slots are face up."""
    slots = state.piles[pile - 1].slots
    cards = tuple([tuple([state.cards[slot.cards[n]] for slot in slots]) for n in (0, 1)])
    values = tuple([tuple([known_values(slot)[n] for slot in slots]) for n in (0, 1)])
    return battle(state.options, state.faces[state.piles[pile - 1].territory or ""], cards, values)  # type: ignore[arg-type]  # two sides


def judgement(state: State, pile: int, found: Battle) -> e.TerritoryJudged:
    """TO-5.6: the event that says how a battle ends, with all that it was worked out from."""
    triggered = found.great_spirit is not None and found.great_spirit.triggered
    return e.TerritoryJudged(
        turn=state.turn,
        pile=pile,
        territory=state.piles[pile - 1].territory or "",
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
