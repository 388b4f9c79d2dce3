"""Two warriors in a slot that has just been turned up: effects of characters and scalp duels (TO-5.3, TO-5.5).

Nothing here changes the table: each function gives the events that say what happens.
"""

from collections.abc import Callable
from typing import NamedTuple

from games.tomahawk import events as e
from games.tomahawk import rows
from games.tomahawk.rows import Card
from games.tomahawk.state import Dance, State, in_play, known_values

CHARMED = range(7, 11)  # TO-5.3b

Where = tuple[int, int, str, int]  # turn, pile, territory, slot


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
    return state.turn, pile, in_play(state.piles[pile - 1]), slot


def _cards_of(state: State, pile: int, slot: int) -> tuple[Card, Card]:
    left, right = state.piles[pile - 1].slots[slot - 1].cards
    return state.cards[left], state.cards[right]


# TO-5.5: scalp duels


class Duel(NamedTuple):
    """A slot turned up, and how many tokens are taken: what the rules of a scalp duel look at (TO-5.15)."""

    earlier: bool
    cards: tuple[Card, Card]
    values: tuple[int, int]
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
        territory=in_play(state.piles[pile - 1]),
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


def scalper(cards: tuple[Card, Card], values: tuple[int, int]) -> int | None:
    """TO-5.5a, b: the seat whose warrior takes the other's scalp."""
    if values[0] > values[1] and cards[1].hair:
        return 1
    return 2 if values[1] > values[0] and cards[0].hair else None


def _duel_card(seat: int, card: Card, value: int) -> rows.DuelCard:
    return rows.DuelCard(seat, card.card, card.name, value, card.hair)
