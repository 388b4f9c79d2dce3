"""The events of a turn besides its battles: cards laid, turned up, changed, forced and seen (TO-5)."""

from typing import Literal

from msgspec import UNSET, UnsetType

from games.kernel import Event
from games.tomahawk.events.rows import Card, ForestCard, PointsRow, Rules, SlotRow
from games.tomahawk.moves import Placement


class TurnStarted(Event, frozen=True, gc=False):
    """TO-5.12: both seats must place their cards."""

    turn: int


class CardsCommitted(Event, frozen=True, gc=False):
    """TO-4.3: a seat has placed its cards, face down."""

    seat: int
    turn: int
    cards: tuple[Placement, ...] | UnsetType = UNSET


class CardsRevealed(Event, frozen=True, gc=False):
    """TO-5.2: slots of a pile are turned up."""

    turn: int
    pile: int
    territory: str
    slots: tuple[SlotRow, ...]


class CardsKeptHidden(Event, frozen=True, gc=False):
    """TO-5.2: a slot stays face down in a forest."""

    turn: int
    pile: int
    territory: str
    slot: int


class CharacterEffectApplied(Event, frozen=True, gc=False):
    """TO-5.3, TO-5.4: a special changes a value, or will have a card drawn."""

    turn: int
    pile: int
    territory: str
    slot: int
    seat: int
    card: str
    name: str
    effect: Literal["value_copied", "opponent_charmed", "next_card_pending"]
    target_card: str | None
    value_before: int | None
    value_after: int | None
    rules: Rules


class NextCardForced(Event, frozen=True, gc=False, kw_only=True):
    """TO-5.4: the dusk dance has drawn the card that a seat plays there."""

    turn: int
    by_seat: int
    by_card: str
    pile: int
    territory: str
    seat: int
    for_turn: int
    hand_count: int
    forced_card: Card | UnsetType = UNSET
    rules: Rules


class ForestCardsSeen(Event, frozen=True, gc=False, kw_only=True):
    """TO-5.9: a seat has looked at its opponent's cards in the forests."""

    turn: int
    seat: int
    piles: tuple[int, ...]
    count: int
    cards: tuple[ForestCard, ...] | UnsetType = UNSET
    rules: Rules


class ForestLookDeclined(Event, frozen=True, gc=False):
    """TO-5.9: a seat does without that look."""

    turn: int
    seat: int


class TurnEnded(Event, frozen=True, gc=False):
    """TO-5.12: the points so far."""

    turn: int
    points: tuple[PointsRow, ...]
