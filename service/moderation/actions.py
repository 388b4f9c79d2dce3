"""Moderation actions: what operators did about reports and accounts, and what stands against an account.

Actions are an append-only log. An action ends when a later one reverses it. The fold over all actions is kept in memory
only. While an action cannot be read, it is unknown which player it concerns: requests that suspended accounts may not
send are refused, and no names are shown.
"""

import logging
import secrets
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from events.canonical import canonical
from events.lifecycle import PersonalText
from events.log import LogDamaged
from events.scripts import Client, acknowledged_script
from service.accounts.accounts_and_tokens import key_of, request_reused
from service.accounts.personal_texts import NO_TEXTS, Texts
from service.errors import Refused, refuse_first

REASONS = ("abuse", "name", "collusion", "cheating", "stalling", "spam", "other")
WARNED, HIDDEN, SUSPENDED = "AccountWarned", "NameHidden", "AccountSuspended"
DISMISSED, REVERSED = "ReportsDismissed", "ActionReversed"
SANCTIONS = (WARNED, HIDDEN, SUSPENDED)  # they stand against an account until reversed
ACTIONS = {"warn": WARNED, "hide_name": HIDDEN, "suspend": SUSPENDED, "dismiss": DISMISSED, "reverse": REVERSED}
REASONS_OF = dict.fromkeys(SANCTIONS, REASONS) | {
    DISMISSED: ("unfounded", "duplicate", "settled"),
    REVERSED: ("mistaken", "appealed", "served"),
}
ALL_REASONS = tuple(dict.fromkeys(reason for reasons in REASONS_OF.values() for reason in reasons))
LONGEST = 1000  # characters of a text
KEY = key_of("moderation", "actions")  # a hash: the actions by number, and the number of each by its request
TRIES = 20  # how often an action is decided again when other operators act first

log = logging.getLogger(__name__)


class Action(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A recorded action, which settles `items` of the queue.

    `text` is shown to the player and sealed under their key; `reverses` is the number of the action that ends. An
    action gets its id and its text when it is recorded; its `number`, from 1, is that of its place and not stored.
    """

    id: str
    type: str
    at: str
    reason: str
    items: tuple[str, ...] = ()
    player: str | None = None
    text: PersonalText | None = None
    reverses: int | None = None
    number: int = 0


class ActionsSoFar:
    """The fold over all actions; raises `LogDamaged` for one that cannot be read."""

    def __init__(self, stored: Sequence[bytes] = ()) -> None:
        self.stored = stored
        self.actions = [_read(number, one) for number, one in enumerate(stored, 1)]
        self.reversed = {one.reverses for one in self.actions}
        in_force = [one for one in self.actions if one.type != REVERSED and one.number not in self.reversed]
        self.settled = {item: one.number for one in in_force for item in one.items}
        self._sanctions = [one for one in in_force if one.type in SANCTIONS]

    def against(self, player: str) -> list[Action]:
        """Returns the sanctions against a player, the first one first."""
        return [one for one in self._sanctions if one.player == player]

    def stands(self, player: str, type_: str) -> Action | None:
        """Returns the sanction of this type against a player."""
        return next((one for one in self.against(player) if one.type == type_), None)


def _read(number: int, stored: bytes) -> Action:
    try:
        return msgspec.structs.replace(msgspec.json.decode(stored, type=Action), number=number)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise LogDamaged(f"action {number} of operators ({KEY}) cannot be read ({type(error).__name__})") from error


class Actions:
    """The actions of operators. Safe for threads: a fold is replaced, never changed."""

    def __init__(self, client: Client, texts: Texts = NO_TEXTS) -> None:
        self._client, self._texts = client, texts
        self._known: ActionsSoFar | None = None
        self._write = acknowledged_script(client, "service.moderation", "act.lua")

    def current(self) -> ActionsSoFar:
        """Returns the fold over all actions there are now; raises `LogDamaged` if one is lost or cannot be read."""
        known = self._known
        if known is not None:
            last, following = self._client.hmget(KEY, [len(known.stored), len(known.stored) + 1])
            if following is None and last == (known.stored[-1] if known.stored else None):
                return known
        self._known = known = ActionsSoFar(self._read_all())
        return known

    def _read_all(self) -> list[bytes]:
        kept, found = self._client.hgetall(KEY), list[bytes]()
        while (action := kept.get(b"%d" % (len(found) + 1))) is not None:
            found.append(action)
        if len(kept) != 2 * len(found):  # each action has a request beside it
            raise LogDamaged(f"an action of operators is lost: {KEY} does not hold one for each request")
        return found

    def hidden(self, players: Iterable[str]) -> set[str]:
        """Returns those of these players whose names are hidden: all of them while an action cannot be read."""
        try:
            known = self.current()
            return {player for player in players if known.stands(player, HIDDEN)}
        except LogDamaged as damage:
            log.critical("no names are shown: %s", damage)
            return set(players)

    def check(self, player: str | None) -> None:
        """Raises `Refused` if the account is suspended, `LogDamaged` while an action cannot be read."""
        found = self.current().stands(player, SUSPENDED) if player else None
        if found:
            told = f"this account is suspended since {found.at} ({found.reason})"
            raise Refused("account_suspended", told, action=found.number, reason=found.reason)

    def text(self, action: Action) -> str | None:
        """Returns what the player is told beside the reason; None if there is nothing or the player was erased."""
        return self._texts.open(_place(action.id), action.text) if action.text else None

    def act(self, wanted: Action, text: str, request: str, fingerprint: str) -> tuple[int, bool]:
        """Records an action once for a request; returns its number, and whether it is a repeat. Raises `Refused`."""
        _check_form(wanted, text)
        for _ in range(TRIES):
            known, action, repeated = self.current(), b"", bool(self._client.hexists(KEY, request))
            if not repeated:  # else its own action might refuse it
                self._check(known, wanted)
                action = msgspec.json.encode(self._recorded(wanted, text))
            answer = self._write(keys=[KEY], args=[action, request, fingerprint, len(known.stored)])
            if answer.isdigit():
                return int(answer), repeated
            if answer == b"reused":
                raise request_reused()
        raise Refused("conflict", "other operators were faster too often: send it again")

    def _recorded(self, wanted: Action, text: str) -> Action:
        name, sealed = f"m_{secrets.token_hex(8)}", None
        if text and wanted.player is not None:
            sealed = seal_about(self._texts, _place(name), wanted.player, text)
        return msgspec.structs.replace(wanted, id=name, text=sealed)

    def _check(self, known: ActionsSoFar, wanted: Action) -> None:
        """Raises `Refused` for an action that cannot follow the earlier ones."""
        if wanted.type in SANCTIONS:
            if not self._client.exists(key_of("player", str(wanted.player))):
                raise no_such_player(wanted.player)
            stands = known.stands(str(wanted.player), wanted.type)
            if stands and wanted.type != WARNED:
                raise Refused(
                    "contradictory", f"this stands against {wanted.player} already, by action {stands.number}"
                )
        if (number := wanted.reverses) is not None:
            if not 1 <= number <= len(known.actions) or known.actions[number - 1].type == REVERSED:
                raise Refused("no_such_action", f"there is no action {number} that could be reversed")
            if number in known.reversed:
                raise Refused("contradictory", f"action {number} is reversed already")

    def row(self, known: ActionsSoFar, number: int) -> dict[str, Any]:
        """Returns an action as JSON values, with its text and whether it stands."""
        action = known.actions[number - 1]
        fields = {name: getattr(action, name) for name in ("type", "at", "reason", "player", "items", "reverses")}
        return fields | {"id": number, "text": self.text(action), "stands": number not in known.reversed}


def _check_form(wanted: Action, text: str) -> None:
    """Raises `Refused` for an action with a field missing or one too many."""
    sanctions, reverses = wanted.type in SANCTIONS, wanted.type == REVERSED
    refuse_first(
        "contradictory",
        (wanted.reason not in REASONS_OF[wanted.type], f"the reasons here are {', '.join(REASONS_OF[wanted.type])}"),
        (sanctions != (wanted.player is not None), "name a player to warn, hide or suspend, and only then"),
        (text and not sanctions, "a text is for a player who is warned, hidden or suspended"),
        (reverses != (wanted.reverses is not None), "name the action to reverse, and only then"),
        (reverses and wanted.items, "reversing an action settles no items"),
        (wanted.type == DISMISSED and not wanted.items, "name the reports to dismiss"),
    )


def seal_about(texts: Texts, place: bytes, player: str, text: str) -> PersonalText:
    """Seals a text under the key of the player it is about; raises `Refused` if the player was erased."""
    try:
        return texts.seal(place, player, text)
    except Refused:
        raise no_such_player(player) from None


def no_such_player(player: str | None) -> Refused:
    """Returns the refusal that names an unknown player."""
    return Refused("no_such_player", f"there is no player {player!r}")


def _place(name: str) -> bytes:
    return canonical(["action", name])
