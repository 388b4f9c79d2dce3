"""Disputes and offers of a table, folded from its events.

Events name them by a version (`d58`, `o58`). After a restore another event may have that version, so the public name
also has the beginning of its hash (`d58-1a2b3c4d`).
"""

from collections.abc import Callable
from typing import Literal

import msgspec

from events.lifecycle import (
    ArbiterLooked,
    DisputeCommented,
    DisputeOpened,
    DisputeResolved,
    DisputeVoted,
    OfferAnswered,
    OfferMade,
    PersonalText,
    Remedy,
)
from events.times import millis, stamp

replace = msgspec.structs.replace


class Comment(msgspec.Struct, frozen=True):
    """A comment on a dispute."""

    player: str
    seat: int | None
    text: PersonalText
    at: str


class Look(msgspec.Struct, frozen=True):
    """A look of the arbiter `player` at what a seat could see, up to version `until`."""

    seat: int
    player: str
    until: int
    at: str


class Vote(msgspec.Struct, frozen=True):
    """A seat's vote."""

    seat: int
    overturn: bool


class Dispute(msgspec.Struct, frozen=True):
    """A disputed ruling; `outcome` is null while the dispute is open, `resolved` the version that ended it.

    `mark` is the beginning of the hash of the event that opened it.
    """

    dispute: str
    seat: int
    version: int
    rule: str
    claim: PersonalText
    remedy: Remedy
    at: str
    deadline: str
    comments: tuple[Comment, ...] = ()
    votes: tuple[Vote, ...] = ()
    looks: tuple[Look, ...] = ()
    outcome: str | None = None
    by: str | None = None
    text: PersonalText | Literal[""] | None = None
    resolved: int | None = None
    mark: str = ""

    @property
    def name(self) -> str:
        """The public name."""
        return f"{self.dispute}-{self.mark}"

    def is_named(self, name: str) -> bool:
        """Whether this is its public name or that in events."""
        return name in (self.dispute, self.name)


class Offer(msgspec.Struct, frozen=True):
    """An offer of a seat: a `takeback` to version `to`, an `abort` or a `draw`; those in `missing` have not agreed yet.

    `mark` is the beginning of the hash of the event that made it.
    """

    offer: str
    kind: str
    seat: int
    to: int | None
    missing: tuple[int, ...]
    mark: str = ""

    @property
    def name(self) -> str:
        """The public name."""
        return f"{self.offer}-{self.mark}"

    def is_named(self, name: str) -> bool:
        """Whether this is its public name or that in events."""
        return name in (self.offer, self.name)

    def outlasts(self, mover: int) -> bool:
        """Whether it still stands after a move by this seat."""
        return self.kind != "takeback" and mover not in self.missing


Disputes = tuple[Dispute, ...]
Change = Callable[[Dispute], Dispute]


def opened(disputes: Disputes, event: DisputeOpened, at: str, mark: str) -> Disputes:
    """Returns the disputes with a new one."""
    fields = {name: getattr(event, name) for name in event.__struct_fields__}
    return (*disputes, Dispute(at=at, mark=mark, **fields))


def commented(disputes: Disputes, event: DisputeCommented, at: str) -> Disputes:
    """Returns the disputes with another comment."""
    comment = Comment(event.player, event.seat, event.text, at)
    return _with(disputes, event.dispute, lambda one: replace(one, comments=(*one.comments, comment)))


def looked(disputes: Disputes, event: ArbiterLooked, at: str) -> Disputes:
    """Returns the disputes with another look."""
    look = Look(event.seat, event.player, event.until, at)
    return _with(disputes, event.dispute, lambda one: replace(one, looks=(*one.looks, look)))


def voted(disputes: Disputes, event: DisputeVoted) -> Disputes:
    """Returns the disputes with a vote, which replaces an earlier one of the seat."""
    vote = Vote(event.seat, event.overturn)

    def count(one: Dispute) -> Dispute:
        others = tuple(v for v in one.votes if v.seat != event.seat)
        return replace(one, votes=tuple(sorted((*others, vote), key=lambda v: v.seat)))

    return _with(disputes, event.dispute, count)


def resolved(disputes: Disputes, event: DisputeResolved, version: int) -> Disputes:
    """Returns the disputes with one resolved."""
    changes = {"outcome": event.outcome, "by": event.by, "text": event.text, "resolved": version}
    return _with(disputes, event.dispute, lambda one: replace(one, **changes))


def redated(disputes: Disputes, now_ms: int, answer_ms: int) -> Disputes:
    """Returns the disputes at this time; one that a fast clock opened in the future has its time from now on."""
    return tuple(
        replace(one, deadline=stamp(now_ms + answer_ms))
        if one.outcome is None and millis(one.deadline) > now_ms + answer_ms
        else one
        for one in disputes
    )


def _with(disputes: Disputes, dispute: str, change: Change) -> Disputes:
    return tuple(change(one) if one.dispute == dispute else one for one in disputes)


def offered(event: OfferMade, mark: str) -> Offer:
    """Returns an offer that waits for consent."""
    return Offer(event.offer, event.kind, event.seat, event.to, event.of, mark)


def answered(offer: Offer | None, event: OfferAnswered) -> Offer | None:
    """Returns the offer after a seat has agreed; None if it does not agree."""
    if offer is None or not event.agrees:
        return None
    return replace(offer, missing=tuple(seat for seat in offer.missing if seat != event.seat))
