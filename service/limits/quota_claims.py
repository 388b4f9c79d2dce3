"""Claims: what requests are about to open, counted before they do, so that many at once open no more than they may.

All web processes share the claims of an account. A claim ends when what was opened shows elsewhere, or when nothing
came of it.
"""

from typing import NamedTuple

import msgspec

from events.scripts import Client, script

KEPT_S = 86_400  # by then the lobby shows what was opened
KINDS = ("tables", "disputes")  # each with claims of its own

Opened = dict[str, int]  # what something counts for, by quota


class Claim(msgspec.Struct, frozen=True):
    """What the request of the time `at_ms` is about to open under a name, and what that counts for."""

    name: str
    at_ms: int
    counts: Opened


class Claims(msgspec.Struct, frozen=True):
    """The claims of an account by request. `changes` grows, so that no two states are the same."""

    changes: int = 0
    held: dict[str, Claim] = {}

    def counted(self) -> dict[str, Opened]:
        """What is claimed by name: what several requests claim under one name counts once, for the most of it."""
        found: dict[str, Opened] = {}
        for claim in self.held.values():
            before = found.get(claim.name, {})
            found[claim.name] = {
                quota: max(before.get(quota, 0), claim.counts.get(quota, 0)) for quota in before | claim.counts
            }
        return found

    def becoming(self, held: dict[str, Claim]) -> "Claims":
        """The claims after a change."""
        return Claims(self.changes + 1, held)


class ClaimStore:
    """The claims of accounts, in the slot of accounts."""

    def __init__(self, client: Client, kind: str) -> None:
        self._client, self._kind = client, kind
        self._replace = script(client, "service.limits", "claims.lua")

    def read(self, player: str) -> "Read":
        """The claims of an account."""
        kept = self._client.get(self._key(player)) or b""
        return Read(kept, msgspec.json.decode(kept, type=Claims) if kept else Claims())

    def replace(self, player: str, was: "Read", held: dict[str, Claim]) -> bool:
        """Changes the claims, unless another request has meanwhile."""
        becomes = msgspec.json.encode(was.claims.becoming(held))
        return bool(self._replace(keys=[self._key(player)], args=[was.kept, becomes, KEPT_S]))

    def _key(self, player: str) -> str:
        return _key(self._kind, player)


class Read(NamedTuple):
    """Claims as they were read."""

    kept: bytes
    claims: Claims


def keys_of(player: str) -> tuple[str, ...]:
    """Where all claims of an account are kept."""
    return tuple(_key(kind, player) for kind in KINDS)


def _key(kind: str, player: str) -> str:
    return f"{{accounts}}:claims:{kind}:{player}"
