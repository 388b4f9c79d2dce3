"""Gifts, alliances and disdain."""

from typing import Literal

from msgspec import UNSET

from games.kernel import Event
from games.plenty_coups.events.rows import AllyRow, Rules, Seat, SecretCard


class GiftOffered(Event, frozen=True, gc=False):
    """PC-5.8: a card lies face down before another tribe, which has to answer."""

    seat: int
    tribe: str
    to: str
    free: bool
    discarded: str | None
    cost: int
    give: SecretCard = UNSET


class GiftsExchanged(Event, frozen=True, gc=False):
    """PC-5.8: the answer to a gift goes one way, and the card offered the other."""

    seat: int
    tribe: str
    to: str
    given: SecretCard = UNSET
    received: SecretCard = UNSET


class AllianceProposed(Event, frozen=True, gc=False):
    """PC-5.8: a warrior of another tribe lies beside the proposer's herd."""

    seat: int
    tribe: str
    to: str
    card: str
    value: int
    ally_value: int | None
    rules: Rules


class ProposalOutbid(Event, frozen=True, gc=False):
    """PC-4.75: a proposal is discarded, as another tribe has proposed with a greater value."""

    seat: int
    tribe: str
    to: str
    card: str
    value: int
    by_seat: int
    by_tribe: str
    by_card: str
    by_value: int
    rules: Rules


class ProposalExpired(Event, frozen=True, gc=False):
    """PC-3.4, PC-5.10: a proposal that nobody accepted is discarded."""

    seat: Seat
    tribe: str
    to: str
    card: str
    rules: Rules


class ProposalWithdrawn(Event, frozen=True, gc=False):
    """PC-5.9: a proposal that could no longer be made is discarded after alliances have changed."""

    seat: Seat
    tribe: str
    to: str
    card: str
    reason: Literal["proposer_allied", "value_too_low"]
    rules: Rules


class AllianceSealed(Event, frozen=True, gc=False):
    """PC-5.8: two seated tribes are allied, each with the other's warrior under its camp."""

    seat: int
    tribe: str
    card: str
    value: int
    proposer: str
    proposer_card: str
    needed: int | None
    rules: Rules


class AllianceEnded(Event, frozen=True, gc=False):
    """PC-5.8: two seated tribes are allies no more; both cards are discarded."""

    seat: int
    tribe: str
    allies: tuple[AllyRow, ...]
    reason: Literal["changed", "disdain"]
    by_card: str
    rules: Rules


class NeutralAllianceFormed(Event, frozen=True, gc=False):
    """PC-5.8: a tribe is allied with a neutral one."""

    seat: int
    tribe: str
    neutral: str
    card: str
    rules: Rules


class NeutralAllianceEnded(Event, frozen=True, gc=False):
    """PC-5.8: an alliance with a neutral tribe is replaced, outbid or superseded; its card is discarded."""

    seat: Seat
    tribe: str
    neutral: str
    card: str
    reason: Literal["replaced", "outbid", "superseded"]
    by_seat: int
    by_tribe: str
    by_card: str
    rules: Rules


class DisdainCast(Event, frozen=True, gc=False):
    """PC-5.8: a coup-stick lies on a camp, whose tribe has to answer."""

    seat: int
    tribe: str
    target: str
    was_ally: bool
    rules: Rules


class WorthProved(Event, frozen=True, gc=False):
    """PC-4.95: the disdained tribe has discarded a card that proves its worth."""

    seat: int
    tribe: str
    card: str
    rules: Rules


class DisdainEndured(Event, frozen=True, gc=False):
    """PC-4.96: the disdained tribe does not answer; the loss is the event after this one."""

    seat: int
    tribe: str
    loss: int
    rules: Rules
