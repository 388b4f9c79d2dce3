"""What operators did about accounts, and what stands against them: a fold over their actions, kept in memory.

Neither reports nor actions are ever changed: an action ends by another one that reverses it. Nothing of the fold is
kept in the store. Where an action cannot be read, nobody can say whom it concerned: whoever asks for a suspension is
refused, and no names are shown.
"""

import logging
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from events.lifecycle import PersonalText
from events.log import LogDamaged
from events.scripts import Client
from service.accounts.accounts import Accounts, key_of
from service.accounts.callers import Caller
from service.errors import Refused

REASONS = ("abuse", "name", "collusion", "cheating", "stalling", "spam", "other")
WARNED, HIDDEN, SUSPENDED = "AccountWarned", "NameHidden", "AccountSuspended"
DISMISSED, REVERSED = "ReportsDismissed", "ActionReversed"
SANCTIONS = (WARNED, HIDDEN, SUSPENDED)  # what stands against an account until it is reversed
ACTIONS = {
    "warn": WARNED,
    "hide_name": HIDDEN,
    "suspend": SUSPENDED,
    "dismiss": DISMISSED,
    "reverse": REVERSED,
}
REASONS_OF = dict.fromkeys(SANCTIONS, REASONS) | {
    DISMISSED: ("unfounded", "duplicate", "settled"),
    REVERSED: ("mistaken", "appealed", "served"),
}
LONGEST = 1000  # characters of a text: what is reported, or told to a player
ALL_REASONS = tuple(dict.fromkeys(reason for reasons in REASONS_OF.values() for reason in reasons))


class Report(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A report `by` a player about another `player`, about a table, or about what an event there holds (`version`).

    The text is sealed under the key of whoever wrote it and, within that, of whom it is about: whichever is erased,
    nobody can read it any more.
    """

    id: str
    by: str
    at: str
    reason: str
    text: PersonalText
    player: str | None = None
    table: str | None = None
    version: int | None = None


class Action(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an operator did, about which items of the queue; `text` is told to the `player`, under whose key it lies.

    `reverses` is the number of the action that it ends.
    """

    id: str
    type: str
    at: str
    reason: str
    items: tuple[str, ...] = ()
    player: str | None = None
    text: PersonalText | None = None
    reverses: int | None = None


KEPT = key_of("moderation", "actions")  # a hash: by number the actions, and what their requests were
AT_ONCE = 32  # actions that are read in one go
TRIES = 3  # how often all are counted again while others are written

log = logging.getLogger(__name__)


class Numbered(NamedTuple):
    """An action and its number."""

    number: int
    action: Action


class Folded:
    """What follows from the actions up to one of them; raises `LogDamaged` for one that is none."""

    def __init__(self, kept: Sequence[bytes] = ()) -> None:
        self.kept = tuple(kept)
        self.actions = [Numbered(number, _read(number, one)) for number, one in enumerate(self.kept, 1)]
        self.reversed = {one.action.reverses for one in self.actions}
        in_force = [one for one in self.actions if one.action.type != REVERSED and one.number not in self.reversed]
        self.settled = {item: one.number for one in in_force for item in one.action.items}
        self._against = _by_player(in_force)

    def against(self, player: str) -> list[Numbered]:
        """What stands against a player, the first one first."""
        return self._against.get(player, [])

    def stands(self, player: str, type_: str) -> Numbered | None:
        """The action of this type that stands against a player."""
        return next((one for one in self.against(player) if one.action.type == type_), None)


def _by_player(in_force: Sequence[Numbered]) -> dict[str, list[Numbered]]:
    found: dict[str, list[Numbered]] = {}
    for one in in_force:
        if one.action.type in SANCTIONS and one.action.player:
            found.setdefault(one.action.player, []).append(one)
    return found


class Sanctions:
    """The actions as a process knows them. Safe for threads: what is folded is never changed, but replaced."""

    def __init__(self, client: Client) -> None:
        self._client, self._folded, self._counted = client, Folded(), False

    def now(self) -> Folded:
        """What follows from all actions that there are; raises `LogDamaged` if one is lost or cannot be read."""
        known = self._folded.kept
        found = self._whole(known)
        if found != known:
            self._folded = Folded(found)
        return self._folded

    def _whole(self, known: tuple[bytes, ...]) -> tuple[bytes, ...]:
        """All actions; those that are new are counted, since one that is lost ends them, or gives others its number."""
        for _ in range(TRIES):
            found = self._read(known)
            if self._counted and found == known:
                return found
            if self._client.hlen(KEPT) == 2 * len(found):
                self._counted = True
                return found
        raise LogDamaged(f"an action of operators is lost: {KEPT} does not hold one for each request")

    def _read(self, known: tuple[bytes, ...]) -> tuple[bytes, ...]:
        """All actions: those that are known, if the store still has the last of them, and those after them."""
        last, more = known[-1:], self._actions_after(len(known[:-1]))
        return (*known[:-1], *more) if more[:1] == last else self._actions_after(0)

    def _actions_after(self, number: int) -> tuple[bytes, ...]:
        found: list[bytes | None] = []
        while True:
            first = number + len(found) + 1
            some = self._client.hmget(KEPT, [*range(first, first + AT_ONCE)])
            found += some
            if some[-1] is None:
                return tuple(one for one in found if one is not None)

    def hidden(self, players: Iterable[str]) -> set[str]:
        """Those of these players whose names nobody else is shown: all of them, while an action cannot be read."""
        try:
            known = self.now()
            return {player for player in players if known.stands(player, HIDDEN)}
        except LogDamaged as damage:
            log.critical("no names are shown: %s", damage)
            return set(players)

    def check(self, player: str | None) -> None:
        """Raises `Refused` if the account is suspended, `LogDamaged` while an action cannot be read."""
        found = self.now().stands(player, SUSPENDED) if player else None
        if found:
            told = f"this account is suspended since {found.action.at} ({found.action.reason})"
            raise Refused("account_suspended", told, action=found.number, reason=found.action.reason)


def _read(number: int, kept: bytes) -> Action:
    try:
        return msgspec.json.decode(kept, type=Action)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise LogDamaged(f"action {number} of operators ({KEPT}) cannot be read ({type(error).__name__})") from error


class Access:
    """Looks at both."""

    def __init__(self, accounts: Accounts, sanctions: Sanctions) -> None:
        self._accounts, self._sanctions = accounts, sanctions

    def check(self, caller: Caller) -> None:
        """Raises `Refused` if the token was revoked meanwhile, or the account suspended."""
        self._accounts.check(caller)
        self._sanctions.check(caller.id)
