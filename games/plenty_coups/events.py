"""The events (section 5), their fields in the order of PC-5.1, after the rows and kinds of field that they are made of.

A field that may be `UNSET` is secret until the game is over, and unset for those who may not read it yet (PC-7.6).
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from games.kernel import Event
from games.plenty_coups.house_rules import Options
from games.plenty_coups.scoring import ScoreRow, SharedScore
from games.plenty_coups.state import HerdRow
from games.ranking import Rank

Cards = tuple[str, ...]
Rules = tuple[str, ...]
SecretCards = Cards | UnsetType
SecretCard = str | UnsetType
Seat = int | None  # null: the shared tribe while nobody plays it or answers for it


class CardCount(Struct, frozen=True, gc=False):
    """How many copies of a face the deck has."""

    card: str
    count: int


class CampRow(Struct, frozen=True, gc=False):
    """A camp as it is set up."""

    seat: Seat
    tribe: str
    horses: int


class AllyRow(Struct, frozen=True, gc=False):
    """One of two allies and the card under its camp."""

    seat: Seat
    tribe: str
    card: str


class TribeEvent(Event, frozen=True, gc=False):
    """An event of a tribe that a seat plays or answers for."""

    seat: int
    tribe: str


class CampEvent(Event, frozen=True, gc=False):
    """An event of any camp."""

    seat: Seat
    tribe: str


class GameStarted(Event, frozen=True, gc=False):
    """PC-2.1, PC-2.2: the table is opened: its house rules, how long the game lasts, and what is in the box."""

    players: int
    options: Options
    rounds: int
    winter_round: int
    horses: int
    card_counts: tuple[CardCount, ...]


class TribeChosen(TribeEvent, frozen=True, gc=False):
    """PC-2.2: a seat has taken a tribe."""


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


class CardsDrawn(CampEvent, frozen=True, gc=False, kw_only=True):
    """PC-5.2: cards from the top of the pile to a hand."""

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


class DisdainLifted(TribeEvent, frozen=True, gc=False):
    """PC-3.4: the coup-stick of disdain on the camp is discarded in its upkeep."""

    rules: Rules


class CardsTaken(TribeEvent, frozen=True, gc=False):
    """PC-3.5: cards from the display to a hand; all have seen them."""

    cards: Cards
    display: Cards


class RaidDrivenOff(CampEvent, frozen=True, gc=False):
    """PC-5.5: a standing raid gives way to a stronger one of another tribe."""

    target: str
    cards: Cards
    attack: int
    printed: int
    by_seat: int
    by_tribe: str
    by_attack: int
    by_printed: int
    rules: Rules


class RaidLaunched(TribeEvent, frozen=True, gc=False):
    """PC-5.4, PC-5.5: warriors lie before a camp, with a marker and an attack value fixed from now on."""

    target: str
    cards: Cards
    printed: int
    bonus: int
    attack: int
    marker: Literal["raid", "prestige"]
    cost: int
    rules: Rules


class RaidReturned(TribeEvent, frozen=True, gc=False):
    """PC-5.8: a raid comes home, with a horse if the target had one."""

    target: str
    cards: Cards
    horses: int
    herds_before: tuple[HerdRow, ...]
    herds: tuple[HerdRow, ...]
    marker: Literal["raid", "prestige"]
    coup: bool
    left_over: bool
    rules: Rules


class CoupMarked(TribeEvent, frozen=True, gc=False):
    """PC-5.8: a coup-stick is discarded for a coup, on returning from a raid or in defence."""

    occasion: Literal["raid", "defence"]
    against: str
    rules: Rules


class RaidRepelled(TribeEvent, frozen=True, gc=False):
    """PC-5.8: one weapon or two have sent a raid home without a horse."""

    raider: str
    weapons: Cards
    defence: int
    cards: Cards
    attack: int
    printed: int
    marker: Literal["raid", "prestige"]
    cost: int
    strictly_greater: bool
    coup_open: bool
    rules: Rules


class RaidBoughtOff(CampEvent, frozen=True, gc=False):
    """PC-R25: a raid leaves with a horse, as the raided tribe proposes an alliance."""

    target: str
    cards: Cards
    horses: int
    herds_before: tuple[HerdRow, ...]
    herds: tuple[HerdRow, ...]
    marker: Literal["raid", "prestige"]
    by_seat: int
    by_tribe: str
    rules: Rules


class RaidLost(CampEvent, frozen=True, gc=False):
    """PC-5.10: a raid that still stands when the game ends brings nothing."""

    target: str
    cards: Cards
    marker: Literal["raid", "prestige"]
    rules: Rules


class HorseBred(TribeEvent, frozen=True, gc=False):
    """PC-4.30: a horse card has brought a horse from the plain to the herd."""

    herd: int
    plain: int


class HorsesDonated(TribeEvent, frozen=True, gc=False):
    """PC-5.8: horses given to a tribe whose herd was no larger."""

    to: str
    discarded: str
    horses: int
    herds_before: tuple[HerdRow, ...]
    herds: tuple[HerdRow, ...]
    rules: Rules


class PrestigeGained(CampEvent, frozen=True, gc=False):
    """PC-5.6: a point gained, and which marker shows it."""

    reason: Literal["raid_coup", "defence_coup", "alliance", "donation"]
    before: int
    after: int
    marker: str
    rules: Rules


class PrestigeLost(CampEvent, frozen=True, gc=False):
    """PC-5.7: a point lost, if there was one, and which marker no longer shows it."""

    reason: Literal["disdained", "disdained_ally"]
    before: int
    after: int
    marker: str
    phase: Literal["actions"] | None
    rules: Rules


class GiftOffered(TribeEvent, frozen=True, gc=False):
    """PC-5.8: a card lies face down before another tribe, which has to answer."""

    to: str
    free: bool
    discarded: str | None
    cost: int
    give: SecretCard = UNSET


class GiftsExchanged(TribeEvent, frozen=True, gc=False):
    """PC-5.8: the answer to a gift goes one way, and the card offered the other."""

    to: str
    given: SecretCard = UNSET
    received: SecretCard = UNSET


class AllianceProposed(TribeEvent, frozen=True, gc=False):
    """PC-5.8: a warrior of another tribe lies beside the proposer's herd."""

    to: str
    card: str
    value: int
    ally_value: int | None
    rules: Rules


class ProposalOutbid(TribeEvent, frozen=True, gc=False):
    """PC-4.75: a proposal is discarded, as another tribe has proposed with a greater value."""

    to: str
    card: str
    value: int
    by_seat: int
    by_tribe: str
    by_card: str
    by_value: int
    rules: Rules


class ProposalExpired(CampEvent, frozen=True, gc=False):
    """PC-3.4, PC-5.10: a proposal that nobody accepted is discarded."""

    to: str
    card: str
    rules: Rules


class ProposalWithdrawn(CampEvent, frozen=True, gc=False):
    """PC-5.9: a proposal that could no longer be made is discarded after alliances have changed."""

    to: str
    card: str
    reason: Literal["proposer_allied", "value_too_low"]
    rules: Rules


class AllianceSealed(TribeEvent, frozen=True, gc=False):
    """PC-5.8: two seated tribes are allied, each with the other's warrior under its camp."""

    card: str
    value: int
    proposer: str
    proposer_card: str
    needed: int | None
    rules: Rules


class AllianceEnded(TribeEvent, frozen=True, gc=False):
    """PC-5.8: two seated tribes are allies no more; both cards are discarded."""

    allies: tuple[AllyRow, ...]
    reason: Literal["changed", "disdain"]
    by_card: str
    rules: Rules


class NeutralAllianceFormed(TribeEvent, frozen=True, gc=False):
    """PC-5.8: a tribe is allied with a neutral one."""

    neutral: str
    card: str
    rules: Rules


class NeutralAllianceEnded(CampEvent, frozen=True, gc=False):
    """PC-5.8: an alliance with a neutral tribe is replaced, outbid or superseded; its card is discarded."""

    neutral: str
    card: str
    reason: Literal["replaced", "outbid", "superseded"]
    by_seat: int
    by_tribe: str
    by_card: str
    rules: Rules


class DisdainCast(TribeEvent, frozen=True, gc=False):
    """PC-5.8: a coup-stick lies on a camp, whose tribe has to answer."""

    target: str
    was_ally: bool
    rules: Rules


class WorthProved(TribeEvent, frozen=True, gc=False):
    """PC-4.95: the disdained tribe has discarded a card that proves its worth."""

    card: str
    rules: Rules


class DisdainEndured(TribeEvent, frozen=True, gc=False):
    """PC-4.96: the disdained tribe does not answer; the loss is the event after this one."""

    loss: int
    rules: Rules


class CardsDiscarded(TribeEvent, frozen=True, gc=False):
    """PC-5.8, PC-3.10: cards of a hand discarded for a hunt, after it, or to come down to three."""

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
