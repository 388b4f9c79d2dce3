"""Effects of characters in a slot that has just been turned up: values changed, a card forced (TO-5.3, TO-5.4).

Nothing here changes the table: each function gives the events that say what happens.
"""

from games.kernel import Chance, Event
from games.tomahawk import events as e
from games.tomahawk.components import TURNS_OF
from games.tomahawk.events.rows import Card
from games.tomahawk.state import Dance, State, in_play, side_of

CHARMED = range(7, 11)  # TO-5.3b

Where = tuple[int, int, str, int]  # turn, pile, territory, slot


# TO-5.3: values after the effects of characters


def effects(state: State, pile: int, slot: int) -> tuple[e.CharacterEffectApplied, ...]:
    """TO-5.3: what sky power and teasing cloud do in a slot that has just been turned up, in that order."""
    left, right = cards_of(state, pile, slot)
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


# TO-5.4: the dusk dance


def dusk_dance(state: State, slot: int, dance: Dance, chance: Chance) -> tuple[Event, ...]:
    """TO-5.4: nothing in a forest or in the last slot; else at once, or put off to the next turn (TO-R13)."""
    territory = in_play(state.piles[dance.pile - 1])
    if state.faces[territory].terrain == "forest" or slot == TURNS_OF[territory]:
        return ()
    if state.options.dusk_dance_timing == "next_turn":
        return (_pending_dance(state, dance, slot),)
    return (force(state, dance, state.turn + 1, chance),)


def force(state: State, dance: Dance, for_turn: int, chance: Chance) -> e.NextCardForced:
    """TO-5.4: a card is drawn from the opponent's hand and lies at the pile of the dusk dance (TO-R12)."""
    seat = 3 - dance.seat
    hand = side_of(state, seat).hand
    (card,) = chance("dusk_dance", hand, 1)
    return e.NextCardForced(
        turn=state.turn,
        by_seat=dance.seat,
        by_card=dance.card,
        pile=dance.pile,
        territory=in_play(state.piles[dance.pile - 1]),
        seat=seat,
        for_turn=for_turn,
        hand_count=len(hand),
        forced_card=state.cards[card],
        rules=("TO-5.4", "TO-R12", "TO-R13", "TO-R14"),
    )


def _pending_dance(state: State, dance: Dance, slot: int) -> e.CharacterEffectApplied:
    """TO-5.4 with `dusk_dance_timing: "next_turn"`: the dusk dance will draw a card next turn (TO-R13)."""
    where, change = _where(state, dance.pile, slot), (None, None, None)
    rules = ("TO-5.4", "TO-R13")
    return e.CharacterEffectApplied(*where, dance.seat, dance.card, "dusk_dance", "next_card_pending", *change, rules)


# Where it happens


def _where(state: State, pile: int, slot: int) -> Where:
    return state.turn, pile, in_play(state.piles[pile - 1]), slot


def cards_of(state: State, pile: int, slot: int) -> tuple[Card, Card]:
    """The two cards of a slot, seat 1's first."""
    left, right = state.piles[pile - 1].slots[slot - 1].cards
    return state.cards[left], state.cards[right]
