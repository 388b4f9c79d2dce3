"""What operators do: each action is decided on all actions before it, and kept once."""

import secrets
from typing import Any, NamedTuple

import msgspec

from events.canonical import canonical
from events.lifecycle import PersonalText
from events.scripts import Client, promising_script
from service.accounts.accounts import key_of
from service.accounts.personal_texts import Texts
from service.errors import Refused, refuse_first
from service.moderation.records import DISMISSED, REASONS_OF, REVERSED, SANCTIONS, Action
from service.moderation.reports import reused, sealed_about
from service.moderation.sanctions import KEPT, Folded, Numbered, Sanctions

TRIES = 20  # how often an action is decided again when others act first


class Deed(NamedTuple):
    """What an operator asks for. `type` is the event that it leads to."""

    at: str
    type: str
    reason: str
    items: tuple[str, ...] = ()
    player: str | None = None
    text: str = ""
    reverses: int | None = None


class Acting:
    """Records what operators do."""

    def __init__(self, client: Client, texts: Texts, sanctions: Sanctions) -> None:
        self._client, self._texts, self._sanctions = client, texts, sanctions
        self._write = promising_script(client, "service.moderation", "act.lua")

    def act(self, deed: Deed, request: str, fingerprint: str) -> Numbered:
        """Records an action, or finds the first one of a repeated request; raises `Refused`."""
        _check_words(deed)
        for _ in range(TRIES):
            known = self._sanctions.now()
            if self._client.hexists(KEPT, request):  # what it led to may stand against it now
                told = self._written(b"", request, fingerprint, 0)
            else:
                self._check(known, deed)
                told = self._written(msgspec.json.encode(self._action(deed)), request, fingerprint, len(known.kept))
            if told.isdigit():
                return self._sanctions.now().actions[int(told) - 1]
            if told == b"reused":
                raise reused()
        raise Refused("conflict", "other operators were faster too often: send it again")

    def _written(self, action: bytes, request: str, fingerprint: str, before: int) -> Any:
        return self._write(keys=[KEPT], args=[action, request, fingerprint, before])

    def text(self, action: Action) -> str | None:
        """What the player is told beside the reason; None if there is nothing, or the player was erased."""
        return self._texts.opened(_place(action.id), action.text) if action.text else None

    def _action(self, deed: Deed) -> Action:
        name = f"m_{secrets.token_hex(8)}"
        return Action(**deed._asdict() | {"id": name, "text": self._sealed(name, deed)})

    def _sealed(self, name: str, deed: Deed) -> PersonalText | None:
        if not deed.text or deed.player is None:
            return None
        return sealed_about(self._texts, _place(name), deed.player, deed.text)

    def _check(self, known: Folded, deed: Deed) -> None:
        """Raises `Refused` for what cannot follow on the actions before."""
        if deed.type in SANCTIONS:
            self._check_sanction(known, deed)
        elif deed.type == REVERSED:
            _check_reversal(known, deed.reverses or 0)

    def _check_sanction(self, known: Folded, deed: Deed) -> None:
        if not self._client.exists(key_of("player", str(deed.player))):
            raise Refused("no-such-player", f"there is no player {deed.player!r}")
        stands = known.stands(str(deed.player), deed.type)
        if stands and deed.type != SANCTIONS[0]:  # warned one may be more than once
            raise Refused("contradictory", f"that stands against {deed.player} already, by action {stands.number}")


def _check_words(deed: Deed) -> None:
    """Raises `Refused` for an action that lacks what it needs, or has more."""
    sanctions, reverses = deed.type in SANCTIONS, deed.type == REVERSED
    refuse_first(
        "contradictory",
        (deed.reason not in REASONS_OF[deed.type], f"the reasons here are {', '.join(REASONS_OF[deed.type])}"),
        (
            sanctions != (deed.player is not None),
            "a player is named where something is done about one, and only there",
        ),
        (deed.text and not sanctions, "words are told to a player about whom something is done, and to nobody else"),
        (reverses != (deed.reverses is not None), "the action to reverse is named by what reverses one"),
        (reverses and deed.items, "what reverses an action settles no items"),
        (deed.type == DISMISSED and not deed.items, "name what is dismissed"),
    )


def _check_reversal(known: Folded, number: int) -> None:
    if not 1 <= number <= len(known.actions) or known.actions[number - 1].action.type == REVERSED:
        raise Refused("no-such-action", f"there is no action {number} that could be reversed")
    if number in known.reversed:
        raise Refused("contradictory", f"action {number} is reversed already")


def _place(name: str) -> bytes:
    return canonical(["action", name])
