"""Who asks: players, their tokens, and what a token may do."""

import msgspec

from events.lifecycle import PersonalText
from service.errors import Refused

OWN_SCOPES = ("play", "watch", "arbitrate", "account")  # what a token with `account` may give to others
SCOPES = (*OWN_SCOPES, "metrics", "admin")  # the last two are the operator's to give, by settings
FIRST_SCOPES = ("play", "watch", "account")


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """An account: a person or a bot. A guest has not chosen the name yet; `DisplayNames` reads it."""

    id: str
    name: PersonalText | str  # in plain only where no account is kept: the operator's
    bot: bool
    at: str
    guest: bool = False


class Token(msgspec.Struct, frozen=True):
    """The stored part of a token: `id` names it, `digest` finds it, `label` says which device or program has it."""

    id: str
    player: str
    scopes: tuple[str, ...]
    label: PersonalText | str
    at: str
    digest: str


class Caller(msgspec.Struct, frozen=True):
    """Who asks: a player with the scopes of the token used (`token` is its digest), or nobody."""

    player: Player | None = None
    scopes: tuple[str, ...] = ()
    token: str | None = None

    @property
    def id(self) -> str | None:
        """The player's id."""
        return self.player.id if self.player else None

    def has(self, scope: str) -> bool:
        """Whether the token has the scope."""
        return scope in self.scopes or "admin" in self.scopes

    def needs(self, *scopes: str) -> Player:
        """The player, if the token has one of the scopes (any token if none are named); raises `Refused`."""
        if self.player is None:
            raise Refused("unauthenticated", "send a token: Authorization: Bearer …; POST /v1/players gives one")
        if scopes and not any(map(self.has, scopes)):
            raise Refused("scope_missing", f"this needs a token with the scope {' or '.join(map(repr, scopes))}")
        return self.player

    def own_token(self) -> str:
        """Returns the digest of the caller's token; raises `Refused` for a token that the settings name."""
        if self.token is None:
            raise Refused("not_allowed", "this token is set by the operator: it has no account")
        return self.token


NOBODY = Caller()
OPERATOR = Player("operator", "operator", bot=False, at="1970-01-01T00:00:00.000Z")
MONITORING = Player("monitoring", "monitoring", bot=True, at=OPERATOR.at)
