"""Replies: what became of invitations, as whoever has invited is told it, by the inbox and by a webhook.

The script that notes an answer keeps the reply, and makes a letter due where there is a webhook: none is lost. Each
reply has a place among those to its account, so that none is told twice to whoever names the last place. A reply is
told while it is what stands in the invitation, whoever has accepted is there, and neither has blocked the other.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from events.log import LONGEST_LEASE
from events.scripts import Client, script
from service.accounts.accounts import key_of
from service.accounts.blocks import Blocks
from service.accounts.invitations import LETTERS, Invitation, Letter

FIRST = "0-0"  # the place before all others
ATTEMPTS = key_of("letters", "attempts")

log = logging.getLogger(__name__)


class Reply(NamedTuple):
    """What became of an invitation, and the place of that among all that its account is told."""

    place: str
    invitation: Invitation


class Replies:
    """What the store keeps to be told to those who have invited."""

    def __init__(self, client: Client, blocks: Blocks) -> None:
        self._client, self._blocks = client, blocks
        self._lease = script(client, "events", "lease.lua")

    def after(self, player: str, place: str) -> tuple[list[Reply], str]:
        """The replies to a player behind a place, the first one first, and the place behind all that there are."""
        kept = self._client.xrange(key_of("replies", player), f"({place}")
        found = self._invitations([fields[b"invitation"].decode() for _, fields in kept])
        told = [
            Reply(entry.decode(), invitation)
            for (entry, fields), invitation in zip(kept, found, strict=True)
            if invitation and self._stands(invitation, fields[b"state"].decode())
        ]
        return told, kept[-1][0].decode() if kept else place

    def news(self, known: Mapping[str, str], wait_s: float) -> dict[str, str]:
        """Those with a reply behind the place that is known of each, with its last place; waits for one so long."""
        places = {key_of("replies", player): place for player, place in known.items()}
        found = self._client.xread(places, block=max(1, int(wait_s * 1000))) or ()
        return {key.decode().rpartition(":")[2]: entries[-1][0].decode() for key, entries in found}

    def _invitations(self, names: Sequence[str]) -> list[Invitation | None]:
        kept = self._client.mget([key_of("invitation", name) for name in names]) if names else []
        return [msgspec.json.decode(one, type=Invitation) if one else None for one in kept]

    def _stands(self, invitation: Invitation, state: str) -> bool:
        """Whether this is what became of it last, and whoever has invited is to be told of who accepted."""
        if invitation.state != state or invitation.player is None:
            return invitation.state == state
        is_there = self._client.exists(key_of("player", invitation.player))
        return bool(is_there) and not self._blocks.part(invitation.by, [invitation.player])

    def lease(self, now_ms: int, lease_ms: int, most: int) -> list[tuple[Letter, int]]:
        """Takes up to so many letters that are due, each with the number of this attempt; none that is damaged."""
        found = self._lease(keys=[LETTERS, ATTEMPTS], args=[now_ms, lease_ms, LONGEST_LEASE * lease_ms, most])
        return list(_whole(zip(found[::2], found[1::2], strict=True)))

    def hasten(self, now_ms: int, lease_ms: int) -> None:
        """Makes due now what a clock that ran ahead has put off for longer than any lease."""
        late = self._client.zrangebyscore(LETTERS, f"({now_ms + LONGEST_LEASE * lease_ms}", "+inf")
        if late:
            self._client.zadd(LETTERS, dict.fromkeys(late, now_ms), xx=True, lt=True)

    def letter(self, letter: Letter) -> Invitation | None:
        """The invitation that a letter tells of; None if that is not to be told any more."""
        [found] = self._invitations([letter.invitation])
        return found if found and self._stands(found, letter.state) else None

    def drop_due(self, letter: Letter) -> None:
        """Removes a letter from what is due."""
        self._client.zrem(LETTERS, letter.member)
        self._client.hdel(ATTEMPTS, letter.member)


def _whole(taken: Iterable[tuple[bytes, int]]) -> Iterator[tuple[Letter, int]]:
    """The letters that can be read; one that cannot is told, and told again when its lease ends.

    Not by its name: the link of an invitation may stand in that.
    """
    for member, attempt in taken:
        try:
            yield Letter.read(member.decode()), int(attempt)
        except (TypeError, ValueError):
            log.error("what is due in %s is no letter (INVITATION|STATE), and is left: `ZREM` removes it", LETTERS)


def reply_row(invitation: Invitation) -> dict[str, Any]:
    """What became of an invitation, as whoever has invited is told."""
    told = ("table", "seat", "state", "answered_at", "player")
    return {"invitation": invitation.id} | {name: getattr(invitation, name) for name in told}
