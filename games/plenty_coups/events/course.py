"""The course of the game: setup, cards, rounds and turns, the end."""

from typing import Literal

from msgspec import UNSET

from games.kernel import Event
from games.plenty_coups.events.rows import CampRow, CardCount, Cards, Rules, ScoreRow, Seat, SecretCards, SharedScore
from games.plenty_coups.options import Options
from games.ranking import Rank


class GameStarted(Event, frozen=True, gc=False):
    """PC-2.1, PC-2.2: the table is opened: its house rules, how long the game lasts, and what is in the box."""

    players: int
    options: Options
    rounds: int
    winter_round: int
    horses: int
    card_counts: tuple[CardCount, ...]


class TribeChosen(Event, frozen=True, gc=False):
    """PC-2.2: a seat has taken a tribe."""

    seat: int
    tribe: str


class CampsSetUp(Event, frozen=True, gc=False):
    """PC-2.3 to 2.5: the camps in camp order, the tribes without one, and the horses left in the plain."""

    camps: tuple[CampRow, ...]
    shared_tribe: str | None
    neutral_tribes: tuple[str, ...]
    plain: int
    rules: Rules


class DeckShuffled(Event, frozen=True, gc=False):
    """PC-2.6: the 54 cards, the top card of the pile first; nobody reads the order before the game is over."""

    count: int
    order: SecretCards = UNSET


class CardsDrawn(Event, frozen=True, gc=False, kw_only=True):
    """PC-5.2: cards from the top of the pile to a hand."""

    seat: Seat
    tribe: str
    reason: Literal["opening_hand", "disdain", "winter", "hunt", "refill"]
    count: int
    cards: SecretCards = UNSET
    pile_left: int
    phase: Literal["hunt_discard"] | None


class DisplayRefilled(Event, frozen=True, gc=False):
    """PC-5.3: cards turned up at the right end of the display."""

    cards: Cards
    display: Cards
    pile_left: int


class DisplaySwept(Event, frozen=True, gc=False):
    """PC-5.3: three alike were showing, so all cards of the display are discarded."""

    cards: Cards
    group: str
    number: int
    rules: Rules


class DisplayCleared(Event, frozen=True, gc=False):
    """PC-3.11: the cards left in the display are discarded for the next turn."""

    cards: Cards
    rules: Rules


class DeckReshuffled(Event, frozen=True, gc=False):
    """PC-5.2: the discards have become a new pile, below what is left of the old one."""

    count: int
    order: SecretCards = UNSET


class RoundStarted(Event, frozen=True, gc=False):
    """PC-3.1: the round marker moves on."""

    round: int


class WinterStarted(Event, frozen=True, gc=False):
    """PC-3.2: the round that has just started is the first of winter."""

    round: int


class TurnStarted(Event, frozen=True, gc=False):
    """PC-3.4: a tribe's turn begins, with so many actions and so many cards to take."""

    round: int
    seat: int
    tribe: str
    actions: int
    take: int
    phase: Literal["take", "actions"]


class DisdainLifted(Event, frozen=True, gc=False):
    """PC-3.4: the coup-stick of disdain on the camp is discarded in its upkeep."""

    seat: int
    tribe: str
    rules: Rules


class CardsTaken(Event, frozen=True, gc=False):
    """PC-3.5: cards from the display to a hand; all have seen them."""

    seat: int
    tribe: str
    cards: Cards
    display: Cards


class CardsDiscarded(Event, frozen=True, gc=False):
    """PC-5.8, PC-3.10: cards of a hand discarded for a hunt, after it, or to come down to three."""

    seat: int
    tribe: str
    reason: Literal["hunt", "after_hunt", "excess"]
    count: int
    cards: Cards
    cost: int


class TurnPassed(Event, frozen=True, gc=False):
    """PC-4.120: the actions left are given up."""

    round: int
    seat: int
    tribe: str
    actions_left: int
    hand_count: int
    phase: Literal["excess", "actions"]
    rules: Rules


class TurnEnded(Event, frozen=True, gc=False):
    """PC-3.12: the turn is over, with so many cards in hand."""

    round: int
    seat: int
    tribe: str
    hand_count: int


class GameEnded(Event, frozen=True, gc=False):
    """PC-6.7: the score sheet, the ranking and who has won."""

    scores: tuple[ScoreRow, ...]
    shared_tribe: SharedScore | None
    ranking: tuple[Rank, ...]
    winners: tuple[int, ...]
    rules: Rules
