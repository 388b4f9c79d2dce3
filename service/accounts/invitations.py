"""Invitations: a link to a table for somebody who is called by a name, and what became of it.

Whoever has its link may look, decline, or sit down where a seat is free, at the opener's own invitation whatever rating
the table is for; the inviter sees what became of it. Nobody works out a link without the service's secret. It ends
after two weeks.
"""

import base64
import hmac
from collections.abc import Callable, Collection

import msgspec

from events.lifecycle import Text
from events.scripts import Client, acknowledged_answer, acknowledged_script
from service.accounts.accounts import REPEATS_S, check_told, key_of
from service.accounts.callers import Caller
from service.accounts.keeping import TRIES, asking_token
from service.accounts.personal_texts import Texts
from service.accounts.sealing import Sealer
from service.errors import Refused

KEPT_MS = 14 * 24 * 60 * 60 * 1000
PURPOSE = "invitations"
INVITATION = "invitation"  # the kind of record that a name stands in
STATES = ("sent", "seen", "declined", "accepted")  # each may be followed by later ones alone


class Invitation(msgspec.Struct, frozen=True):
    """An invitation to a table, or to one of its seats: `by` has invited whom `name` says; `player` has accepted.

    The name is kept under the key of whoever has invited. `came` are those who were about to sit down by it.
    """

    id: str
    table: str
    by: str
    name: Text
    at: str
    fingerprint: str  # of the request
    seat: int | None = None
    state: str = STATES[0]
    answered_at: str | None = None
    player: str | None = None
    came: tuple[str, ...] = ()


class Invitations:
    """The invitations of people."""

    def __init__(self, client: Client, sealer: Sealer, texts: Texts, most: int) -> None:
        self._client, self._sealer, self._texts, self._most = client, sealer, texts, most
        self._write = acknowledged_script(client, "service.accounts", "invite.lua")
        self._end = acknowledged_script(client, "service.accounts", "withdraw.lua")
        self._replace = acknowledged_script(client, "service.accounts", "replace.lua")

    def id_of(self, request: str) -> str:
        """The id of the invitation that a request makes: that of the first one for a repeat, under an older key too.

        And of one that was withdrawn since.
        """
        newest, *older = (_id(key, request) for key in self._sealer.derived(PURPOSE))
        return next((name for name in older if self._was_made(name)), newest)

    def _was_made(self, name: str) -> bool:
        return bool(self._client.exists(key_of("invitation", name), _withdrawn(name)))

    def send(self, caller: Caller, invitation: Invitation, now_ms: int) -> Invitation:
        """Keeps an invitation, or finds the first one of a repeated request; raises `Refused`."""
        name = self._texts.seal_in_record(INVITATION, invitation.id, invitation.by, str(invitation.name))
        invitation = msgspec.structs.replace(invitation, name=name)
        kinds = (("invitation", invitation.id), ("invitations", invitation.by), ("player", invitation.by))
        keys = [*(key_of(*one) for one in kinds), key_of("token", asking_token(caller)), _withdrawn(invitation.id)]
        kept = (msgspec.json.encode(invitation), invitation.id, now_ms + KEPT_MS, KEPT_MS)
        told = self._write(keys=keys, args=[*kept, self._most])
        check_told(told, "invitations", self._most)
        if told == b"withdrawn":
            raise Refused("no_such_invitation", "this invitation was withdrawn: invite anew, under another key")
        first = self.found(invitation.id)
        if first.fingerprint != invitation.fingerprint:
            raise Refused("request_reused", "this Idempotency-Key came with another body before")
        return first

    def repeats(self, invitation: Invitation) -> bool:
        """Whether the request of an invitation was answered before, and what it made is still there."""
        return bool(self._client.exists(key_of("invitation", invitation.id)))

    def found(self, name: str) -> Invitation:
        """An invitation; raises `Refused` if it was withdrawn or has ended."""
        return _read(self._client.get(key_of("invitation", name)), name)

    def of(self, player: str) -> list[Invitation]:
        """The invitations that a player has sent, the first one first."""
        names = [name.decode() for name in self._client.hkeys(key_of("invitations", player))]
        kept = self._client.mget([key_of("invitation", name) for name in names]) if names else []
        found = [msgspec.json.decode(one, type=Invitation) for one in kept if one]
        return sorted(found, key=lambda one: (one.at, one.id))

    def withdraw(self, invitation: Invitation) -> None:
        """Ends an invitation; a repeat of the request that made it does not bring it back."""
        keys = [key_of("invitation", invitation.id), key_of("invitations", invitation.by), _withdrawn(invitation.id)]
        self._end(keys=keys, args=[invitation.id, REPEATS_S])

    def answer(self, name: str, state: str, at: str, player: str | None = None) -> Invitation:
        """Notes what became of an invitation, unless more is noted already; raises `Refused` if there is none."""

        def answered(before: Invitation) -> Invitation:
            if STATES.index(state) <= STATES.index(before.state):
                return before
            return msgspec.structs.replace(before, state=state, answered_at=at, player=player)

        return self._change(name, answered)

    def lets_in(self, name: str, player: str, seated: Collection[str]) -> bool:
        """Whether a player may sit down by an invitation, beside those who are `seated`; raises `Refused`.

        Nobody else has accepted it, nor sits there who came by it. Who comes is noted before the seat is taken: of two
        at once the later one finds the other seated, as a seat is decided anew when the table has changed. Who may not
        come is not noted: an invitation does not grow by those who try.
        """

        def may_come(found: Invitation) -> bool:
            others = {*found.came, found.player} - {None, player}
            return found.player in (None, player) and others.isdisjoint(seated)

        def coming(before: Invitation) -> Invitation:
            if player in before.came or not may_come(before):
                return before
            return msgspec.structs.replace(before, came=(*before.came, player))

        return may_come(self._change(name, coming))

    def _change(self, name: str, becoming: Callable[[Invitation], Invitation]) -> Invitation:
        """Makes an invitation what it becomes by what it is; raises `Refused`."""
        key = key_of("invitation", name)
        for _ in range(TRIES):
            was = acknowledged_answer(self._client, key, "GET", key)  # a repeat is promised what the first one was
            before = _read(was, name)
            now = becoming(before)
            if now == before or self._replace(keys=[key], args=[was, msgspec.json.encode(now)]):
                return now
        raise Refused("conflict", "others changed this too often")


def _withdrawn(name: str) -> str:
    return key_of("withdrawn", name)


def _id(key: bytes, request: str) -> str:
    digest = hmac.digest(key, request.encode(), "sha256")
    return f"i_{base64.b32encode(digest[:10]).decode().lower()}"


def _read(kept: bytes | None, name: str) -> Invitation:
    if kept is None:
        raise Refused("no_such_invitation", f"there is no invitation {name!r}")
    return msgspec.json.decode(kept, type=Invitation)
