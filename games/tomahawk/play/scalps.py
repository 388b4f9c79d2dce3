"""Scalp duels: who takes whose scalp in a slot that has just been turned up (TO-5.5)."""

from collections.abc import Callable
from typing import NamedTuple

from games.tomahawk import events as e
from games.tomahawk.events import rows
from games.tomahawk.events.rows import Card
from games.tomahawk.play.characters import cards_of
from games.tomahawk.state import State, in_play, known_values


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
    cards = cards_of(state, pile, slot)
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
