"""Scalp duels: who takes whose scalp in a slot that has just been turned up (TO-5.5)."""

from collections.abc import Callable
from typing import NamedTuple

from games.tomahawk import events as e
from games.tomahawk.events import rows
from games.tomahawk.events.rows import Card
from games.tomahawk.options import Options
from games.tomahawk.play.characters import Warrior, cards_of, warrior_of
from games.tomahawk.state import State, in_play, known_values

# Plain values


def scalps(one: Warrior, two: Warrior, first: int, second: int) -> int:
    """TO-5.5a to c: the tokens due to the first warrior's side; less than 0 if they are due to the other."""
    if first > second:
        return two[2] * multiplier(one[0])
    return -one[2] * multiplier(two[0]) if second > first else 0


def multiplier(name: str) -> int:
    """TO-5.5c: how many tokens a warrior of this name takes for each hair."""
    return 2 if name == "windswept_skull" else 1


def tokens_given(options: Options, due: int, supply: int) -> int:
    """TO-5.5d: how many of the tokens that are due the supply has (TO-R9)."""
    return min(due, supply) if options.scalp_supply == "limited" else due


def supply_after(supply: int, tokens: int) -> int:
    """TO-5.5d: what is left in the supply; tokens are counters where they are unlimited."""
    return max(0, supply - tokens)


# The event


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
    lead = scalps(warrior_of(cards[0]), warrior_of(cards[1]), *values)
    winner = 1 if lead > 0 else 2 if lead < 0 else None
    hair = cards[2 - winner].hair if winner else 0
    factor = multiplier(cards[winner - 1].name) if winner else 1
    due = abs(lead)
    tokens = tokens_given(state.options, due, state.supply)
    found = Duel(lies.turn < state.turn, cards, values, factor, due, tokens, state.supply)
    judged = e.ScalpDuelJudged(
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
        rules=tuple([rule for rule, applies in DUEL_RULES if applies(found)]),
    )
    return (judged,)


def _duel_card(seat: int, card: Card, value: int) -> rows.DuelCard:
    return rows.DuelCard(seat, card.card, card.name, value, card.hair)
