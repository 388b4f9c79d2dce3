"""The course of the game: setup, cards, rounds and turns, the end."""

from typing import Literal

from msgspec import UNSET

from games.kernel import Event
from games.plenty_coups.events.rows import CampRow, CardCount, Cards, Rules, ScoreRow, Seat, SecretCards, SharedScore
from games.plenty_coups.options import Options
from games.ranking import Rank


class GameStarted(Event, frozen=True, gc=False):
    players: int
    options: Options
    rounds: int
    winter_round: int
    horses: int
    card_counts: tuple[CardCount, ...]


class TribeChosen(Event, frozen=True, gc=False):
    seat: int
    tribe: str


class CampsSetUp(Event, frozen=True, gc=False):
    camps: tuple[CampRow, ...]
    shared_tribe: str | None
    neutral_tribes: tuple[str, ...]
    plain: int
    rules: Rules


class DeckShuffled(Event, frozen=True, gc=False):
    count: int
    order: SecretCards = UNSET


class CardsDrawn(Event, frozen=True, gc=False, kw_only=True):
    seat: Seat
    tribe: str
    reason: Literal["opening_hand", "disdain", "winter", "hunt", "refill"]
    count: int
    cards: SecretCards = UNSET
    pile_left: int


class DisplayRefilled(Event, frozen=True, gc=False):
    cards: Cards
    display: Cards
    pile_left: int


class DisplaySwept(Event, frozen=True, gc=False):
    cards: Cards
    group: str
    number: int
    rules: Rules


class DisplayCleared(Event, frozen=True, gc=False):
    cards: Cards
    rules: Rules


class DeckReshuffled(Event, frozen=True, gc=False):
    count: int
    order: SecretCards = UNSET


class RoundStarted(Event, frozen=True, gc=False):
    round: int


class WinterStarted(Event, frozen=True, gc=False):
    round: int


class TurnStarted(Event, frozen=True, gc=False):
    round: int
    seat: int
    tribe: str
    actions: int
    take: int


class DisdainLifted(Event, frozen=True, gc=False):
    seat: int
    tribe: str
    rules: Rules


class CardsTaken(Event, frozen=True, gc=False):
    seat: int
    tribe: str
    cards: Cards
    display: Cards


class CardsDiscarded(Event, frozen=True, gc=False):
    seat: int
    tribe: str
    reason: Literal["hunt", "after_hunt", "excess"]
    count: int
    cards: Cards


class TurnPassed(Event, frozen=True, gc=False):
    round: int
    seat: int
    tribe: str
    actions_left: int
    hand_count: int
    rules: Rules


class TurnEnded(Event, frozen=True, gc=False):
    round: int
    seat: int
    tribe: str
    hand_count: int


class GameEnded(Event, frozen=True, gc=False):
    scores: tuple[ScoreRow, ...]
    shared_tribe: SharedScore | None
    ranking: tuple[Rank, ...]
    winners: tuple[int, ...]
    rules: Rules
