"""The effects in a newly revealed slot: changed values, forced cards, scalps (TO-5.3 to TO-5.5).

Searching players also use the functions on plain values; the others return events. Nothing here changes the table.
"""

from games.deciding import when
from games.kernel import Chance, Event
from games.tomahawk import events as ev
from games.tomahawk.components import FIELD, SEATS, TerritoryFace
from games.tomahawk.events import Card
from games.tomahawk.scoring import multiplier, supply_after, tokens_given
from games.tomahawk.state import Dance, State, in_play, known_values, side_of

Warrior = tuple[str, int, int]  # a card as plain values: its name, printed value and hair
Facing = tuple[Card, Card]  # the cards of a slot, seat 1's first
Where = tuple[int, int, str, int]  # turn, pile, territory, slot

CHARMED = range(7, 11)  # TO-5.3b


# Values after the effects of characters, from plain values (TO-5.3)


def values_of(one: Warrior, two: Warrior) -> tuple[int, int]:
    """TO-5.3: the values of two warriors face to face, after the effects of characters."""
    first, second = copied(one, two)
    return (
        0 if two[0] == "teasing_cloud" and first in CHARMED else first,
        0 if one[0] == "teasing_cloud" and second in CHARMED else second,
    )


def copied(one: Warrior, two: Warrior) -> tuple[int, int]:
    """TO-5.3a: the values when sky power has taken the printed value of the warrior that it faces."""
    return two[1] if one[0] == "sky_power" else one[1], one[1] if two[0] == "sky_power" else two[1]


def can_dance(face: TerritoryFace, slot: int) -> bool:
    """TO-5.4: whether a dusk dance in this slot of a battle forces a card: not in a forest, nor in the last slot."""
    return face.terrain != "forest" and slot < face.turns


def warrior_of(card: Card) -> Warrior:
    """A card as plain values."""
    return card.name, card.value, card.hair


# The events of effects (TO-5.3)


def effects(state: State, pile: int, slot: int) -> tuple[ev.CharacterEffectApplied, ...]:
    """TO-5.3: what sky power and teasing cloud do in a slot that has just been turned up, in that order."""
    cards = cards_of(state, pile, slot)
    if cards[0].name == cards[1].name == "warrior":
        return ()
    one, two = warrior_of(cards[0]), warrior_of(cards[1])
    where, before, after = _where(state, pile, slot), copied(one, two), values_of(one, two)
    copies = [_copy(where, seat, cards, before) for seat in SEATS if cards[seat - 1].name == "sky_power"]
    charms = [_charm(where, seat, cards, before) for seat in SEATS if after[2 - seat] != before[2 - seat]]
    return (*copies, *charms)


def _copy(where: Where, seat: int, cards: Facing, values: tuple[int, int]) -> ev.CharacterEffectApplied:
    """TO-5.3a: sky power takes the printed value of the warrior that it faces."""
    own, other = cards[seat - 1], cards[2 - seat]
    rules = ("TO-5.3a", "TO-R15") if other.name == "teasing_cloud" else ("TO-5.3a",)
    change = (own.card, own.value, values[seat - 1])
    return ev.CharacterEffectApplied(*where, seat, own.card, own.name, "value_copied", *change, rules)


def _charm(where: Where, seat: int, cards: Facing, values: tuple[int, int]) -> ev.CharacterEffectApplied:
    """TO-5.3b: a warrior worth 7 to 10 that faces the teasing cloud becomes worth 0."""
    own, other = cards[seat - 1], cards[2 - seat]
    rules = ("TO-5.3b", "TO-R15") if other.name == "sky_power" else ("TO-5.3b",)
    change = (other.card, values[2 - seat], 0)
    return ev.CharacterEffectApplied(*where, seat, own.card, own.name, "opponent_charmed", *change, rules)


# The dusk dance (TO-5.4)


def dusk_dance(state: State, slot: int, dance: Dance, chance: Chance) -> tuple[Event, ...]:
    """TO-5.4: nothing in a forest or in the last slot; else at once, or put off to the next turn (TO-R13)."""
    if not can_dance(getattr(state.faces, FIELD[in_play(state.piles[dance.pile - 1])]), slot):
        return ()
    if state.options.dusk_dance_timing == "next_turn":
        return (_pending_dance(state, dance, slot),)
    return (force(state, dance, state.turn + 1, chance),)


def force(state: State, dance: Dance, for_turn: int, chance: Chance) -> ev.NextCardForced:
    """TO-5.4: a card is drawn from the opponent's hand and lies at the pile of the dusk dance (TO-R12)."""
    seat = 3 - dance.seat
    hand = side_of(state, seat).hand
    (card,) = chance("dusk_dance", hand, 1)
    return ev.NextCardForced(
        turn=state.turn,
        by_seat=dance.seat,
        by_card=dance.card,
        pile=dance.pile,
        territory=in_play(state.piles[dance.pile - 1]),
        seat=seat,
        for_turn=for_turn,
        hand_count=len(hand),
        forced_card=getattr(state.cards, card),
        rules=("TO-5.4", "TO-R12", "TO-R13", "TO-R14"),
    )


def _pending_dance(state: State, dance: Dance, slot: int) -> ev.CharacterEffectApplied:
    """TO-5.4 with `dusk_dance_timing: "next_turn"`: the dusk dance will draw a card next turn (TO-R13)."""
    where, change = _where(state, dance.pile, slot), (None, None, None)
    rules = ("TO-5.4", "TO-R13")
    return ev.CharacterEffectApplied(*where, dance.seat, dance.card, "dusk_dance", "next_card_pending", *change, rules)


# Where it happens


def _where(state: State, pile: int, slot: int) -> Where:
    return state.turn, pile, in_play(state.piles[pile - 1]), slot


def cards_of(state: State, pile: int, slot: int) -> Facing:
    """The two cards of a slot, seat 1's first."""
    left, right = state.piles[pile - 1].slots[slot - 1].cards
    return getattr(state.cards, left), getattr(state.cards, right)


# Scalps, from plain values (TO-5.5)


def scalps(one: Warrior, two: Warrior, first: int, second: int) -> int:
    """TO-5.5a to c: the tokens due to the first warrior's side; less than 0 if they are due to the other."""
    if first > second:
        return two[2] * multiplier(one[0])
    return -one[2] * multiplier(two[0]) if second > first else 0


# The event of a scalp duel (TO-5.5)


def duel(state: State, pile: int, slot: int) -> tuple[ev.ScalpDuelJudged, ...]:
    """TO-5.5: who takes whose scalp in a slot that has just been turned up; nothing if nobody there has hair."""
    cards = cards_of(state, pile, slot)
    if not (cards[0].hair or cards[1].hair):
        return ()
    lies = state.piles[pile - 1].slots[slot - 1]
    values = known_values(lies)
    lead = scalps(warrior_of(cards[0]), warrior_of(cards[1]), *values)
    winner = 1 if lead > 0 else 2 if lead < 0 else None
    hair = cards[2 - winner].hair if winner else 0
    factor = multiplier(cards[winner - 1].name) if winner else 1
    due = abs(lead)
    tokens = tokens_given(state.options, due, state.supply)
    both_have_hair = cards[0].hair > 0 < cards[1].hair
    judged = ev.ScalpDuelJudged(
        turn=state.turn,
        pile=pile,
        territory=in_play(state.piles[pile - 1]),
        slot=slot,
        cards=(_duel_card(1, cards[0], values[0]), _duel_card(2, cards[1], values[1])),
        winner=winner,
        hair=hair,
        multiplier=factor,
        tokens_due=due,
        tokens=tokens,
        supply_before=state.supply,
        supply_after=supply_after(state.supply, tokens),
        rules=(  # TO-5.15
            "TO-5.5",
            *when(lies.turn < state.turn, "TO-R10"),
            *when(0 in values, "TO-R16"),
            *when(both_have_hair and values[0] != values[1], "TO-R11"),
            *when(factor == 2, "TO-5.5c"),
            *when(tokens < due, "TO-5.5d"),
            *when(due > state.supply, "TO-R9"),
        ),
    )
    return (judged,)


def _duel_card(seat: int, card: Card, value: int) -> ev.DuelCard:
    return ev.DuelCard(seat, card.card, card.name, value, card.hair)
