"""Invitations: a link to a table for a person whom the inviter calls by a name, and what became of it.

Anyone with the link may look, decline, or sit down at a free seat. The opener's own invitation admits one player
whatever ratings the table is for. The id in the link cannot be computed without the service's secret. A link ends after
two weeks.
"""

import hmac
from collections.abc import Callable

import msgspec

from events.lifecycle import Text
from events.scripts import Client, acknowledged_answer, acknowledged_script
from service.accounts.accounts_and_tokens import check_answer, key_of, request_reused
from service.accounts.callers import Caller
from service.accounts.personal_texts import Texts
from service.accounts.player_store import TRIES, too_often
from service.accounts.sealing import Sealer
from service.encodings import base32
from service.errors import Refused

KEPT_MS = 14 * 24 * 60 * 60 * 1000
PURPOSE = "invitations"
INVITATION = "invitation"  # the kind of record that holds a name
STATES = ("sent", "seen", "declined", "accepted")  # each may be followed by later ones only


class Invitation(msgspec.Struct, frozen=True):
    """An invitation by a player to a table, or to one of its seats; `player` has accepted it.

    The name is sealed under the key of the inviter. `admitted` is the player whom it admits whatever their rating.
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
    admitted: str | None = None


class Invitations:
    """All invitations; each account may have `most` open."""

    def __init__(self, client: Client, sealer: Sealer, texts: Texts, most: int) -> None:
        self._client, self._sealer, self._texts, self._most = client, sealer, texts, most
        self._write = acknowledged_script(client, "service.accounts", "invite.lua")
        self._end = acknowledged_script(client, "service.accounts", "end_record.lua")
        self._replace = acknowledged_script(client, "service.accounts", "replace_record.lua")

    def id_of(self, request: str) -> str:
        """Returns the id of the invitation that a request makes: a repeat makes the same one."""
        digest = hmac.digest(self._sealer.derived(PURPOSE)[0], request.encode(), "sha256")
        return f"i_{base32(digest[:10])}"

    def send(self, caller: Caller, invitation: Invitation, now_ms: int) -> Invitation:
        """Stores an invitation; a repeated request gets the first one. Raises `Refused`."""
        name = self._texts.seal_in_record(INVITATION, invitation.id, invitation.by, str(invitation.name))
        invitation = msgspec.structs.replace(invitation, name=name)
        kinds = (("invitation", invitation.id), ("invitations", invitation.by), ("player", invitation.by))
        keys = [*(key_of(*one) for one in kinds), key_of("token", caller.own_token())]
        args = [msgspec.json.encode(invitation), invitation.id, now_ms + KEPT_MS, KEPT_MS, self._most]
        check_answer(self._write(keys=keys, args=args), "invitations", self._most)
        first = self.get(invitation.id)
        if first.fingerprint != invitation.fingerprint:
            raise request_reused()
        return first

    def exists(self, name: str) -> bool:
        """Whether there is an invitation with this id."""
        return bool(self._client.exists(key_of("invitation", name)))

    def get(self, name: str) -> Invitation:
        """Returns an invitation; raises `Refused` if it was withdrawn or has ended."""
        return _read(self._client.get(key_of("invitation", name)), name)

    def of(self, player: str) -> list[Invitation]:
        """Returns the invitations by a player, the first one first."""
        keys = [key_of("invitation", name.decode()) for name in self._client.hkeys(key_of("invitations", player))]
        kept = self._client.mget(keys) if keys else []
        found = [msgspec.json.decode(one, type=Invitation) for one in kept if one]
        return sorted(found, key=lambda one: (one.at, one.id))

    def withdraw(self, invitation: Invitation) -> None:
        """Ends an invitation."""
        keys = [key_of("invitation", invitation.id), key_of("invitations", invitation.by)]
        self._end(keys=keys, args=[invitation.id])

    def answer(self, name: str, state: str, at: str, player: str | None = None) -> Invitation:
        """Records an answer, unless a later state is recorded already; raises `Refused` without an invitation."""

        def answered(before: Invitation) -> Invitation:
            if STATES.index(state) <= STATES.index(before.state):
                return before
            return msgspec.structs.replace(before, state=state, answered_at=at, player=player)

        return self._change(name, answered)

    def admits(self, name: str, player: str) -> bool:
        """Whether an invitation admits a player whatever their rating: the first one who asks. Raises `Refused`."""

        def admitting(before: Invitation) -> Invitation:
            return before if before.admitted else msgspec.structs.replace(before, admitted=player)

        return self._change(name, admitting).admitted == player

    def _change(self, name: str, becoming: Callable[[Invitation], Invitation]) -> Invitation:
        """Replaces an invitation by a function of it; raises `Refused`."""
        key = key_of("invitation", name)
        for _ in range(TRIES):
            was = acknowledged_answer(
                self._client, key, "GET", key
            )  # a repeat changes nothing, and must be durable as well
            before = _read(was, name)
            now = becoming(before)
            if now == before or self._replace(keys=[key], args=[was, msgspec.json.encode(now)]):
                return now
        raise too_often()


def _read(kept: bytes | None, name: str) -> Invitation:
    if kept is None:
        raise Refused("no_such_invitation", f"there is no invitation {name!r}")
    return msgspec.json.decode(kept, type=Invitation)
