"""Gifts, alliances and disdain."""

from typing import Literal

from msgspec import UNSET

from games.kernel import Event
from games.plenty_coups.events.rows import AllyRow, Rules, Seat, SecretCard


class GiftOffered(Event, frozen=True, gc=False):
    seat: int
    tribe: str
    to: str
    free: bool
    discarded: str | None
    give: SecretCard = UNSET


class GiftsExchanged(Event, frozen=True, gc=False):
    seat: int
    tribe: str
    to: str
    given: SecretCard = UNSET
    received: SecretCard = UNSET


class AllianceProposed(Event, frozen=True, gc=False):
    seat: int
    tribe: str
    to: str
    card: str
    value: int
    ally_value: int | None
    rules: Rules


class ProposalOutbid(Event, frozen=True, gc=False):
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
    seat: Seat
    tribe: str
    to: str
    card: str
    rules: Rules


class ProposalWithdrawn(Event, frozen=True, gc=False):
    seat: Seat
    tribe: str
    to: str
    card: str
    reason: Literal["proposer_allied", "value_too_low"]
    rules: Rules


class AllianceSealed(Event, frozen=True, gc=False):
    seat: int
    tribe: str
    card: str
    value: int
    proposer: str
    proposer_card: str
    needed: int | None
    rules: Rules


class AllianceEnded(Event, frozen=True, gc=False):
    seat: int
    tribe: str
    allies: tuple[AllyRow, ...]
    reason: Literal["changed", "disdain"]
    by_card: str
    rules: Rules


class NeutralAllianceFormed(Event, frozen=True, gc=False):
    seat: int
    tribe: str
    neutral: str
    card: str
    rules: Rules


class NeutralAllianceEnded(Event, frozen=True, gc=False):
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
    seat: int
    tribe: str
    target: str
    was_ally: bool
    rules: Rules


class WorthProved(Event, frozen=True, gc=False):
    seat: int
    tribe: str
    card: str
    rules: Rules


class DisdainEndured(Event, frozen=True, gc=False):
    seat: int
    tribe: str
    loss: int
    rules: Rules
