"""Reports by players, and actions by operators, each kept once: what moderation works with."""

import base64
import hashlib
import secrets
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from events.canonical import canonical
from events.lifecycle import PersonalText
from events.scripts import Client, acknowledged_script
from service.accounts.accounts import key_of, revoked
from service.accounts.callers import Caller
from service.accounts.keeping import asking_token
from service.accounts.personal_texts import Texts
from service.errors import Refused, refuse_first
from service.moderation.sanctions import (
    DISMISSED,
    KEPT,
    REASONS_OF,
    REVERSED,
    SANCTIONS,
    Action,
    Folded,
    Numbered,
    Report,
    Sanctions,
)

REPORTS = key_of("moderation", "reports")  # a hash: by number the reports, and by id where each is
PREFIX = "r_"
AT_ONCE = 500  # reports that are read in one go


class Written(NamedTuple):
    """What a player reports, and when."""

    at: str
    reason: str
    text: str
    player: str | None = None
    table: str | None = None
    version: int | None = None


class NumberedReport(NamedTuple):
    """A report and its number: they count from 1, in the order in which they were made."""

    number: int
    report: Report


class Reports:
    """All reports. `most` may wait of one account."""

    def __init__(self, client: Client, texts: Texts, sanctions: Sanctions, most: int) -> None:
        self._client, self._texts, self._sanctions, self.most = client, texts, sanctions, most
        self._write = acknowledged_script(client, "service.moderation", "report.lua")

    def make(self, caller: Caller, written: Written, request: str, fingerprint: str) -> Report:
        """Keeps a report, or finds the first one of a repeated request; raises `Refused`."""
        me, name = caller.needs().id, report_id(request)
        if written.player == me:
            raise Refused("contradictory", "nobody reports themselves")
        settled = self._settled(me)
        report = self._sealed(me, name, written)
        keys = [REPORTS, *(key_of(*one) for one in (("reported", me), ("player", me)))]
        keys += [key_of("token", asking_token(caller)), key_of("player", written.player or me)]
        args: list[Any] = [msgspec.json.encode(report), name, fingerprint, self.most + settled]
        told = self._write(keys=keys, args=args)
        if not told.isdigit():
            raise self._refusal(told.decode(), written)
        return self._at(int(told))

    def _refusal(self, told: str, written: Written) -> Refused:
        if told == "full":
            words = f"an account may have {self.most} reports waiting: they are looked at first"
            return Refused("quota_reached", words, quota="reports", most=self.most)
        if told == "unknown":
            return _unknown(written.player)
        return revoked() if told == "revoked" else reused()

    def made(self, player: str) -> int:
        """How many reports a player has made."""
        return int(self._client.hlen(key_of("reported", player)))

    def waiting(self, player: str) -> int:
        """How many reports of a player wait for an operator."""
        return self.made(player) - self._settled(player)

    def _settled(self, player: str) -> int:
        """How many reports of a player wait no more: settled ones, and those about somebody who was erased."""
        made = {name.decode(): int(at) for name, at in self._client.hgetall(key_of("reported", player)).items()}
        settled = self._sanctions.now().settled
        waiting = self._made_by(player, [at for name, at in made.items() if name not in settled])
        return len(made) - len(waiting) + self._texts.count_erased(one.player for one in waiting)

    def by(self, player: str) -> list[Report]:
        """The reports that a player has made, the first one first."""
        return self._made_by(player, sorted(int(number) for number in self._client.hvals(key_of("reported", player))))

    def _made_by(self, player: str, numbers: Sequence[int]) -> list[Report]:
        """The reports of these numbers, as far as the player has made them.

        A store may have been put back in parts, accounts of later than its reports: a number may be another's by now.
        """
        kept = self._client.hmget(REPORTS, numbers) if numbers else []
        found = [msgspec.json.decode(one, type=Report) for one in kept if one]
        return [report for report in found if report.by == player]

    def named(self, name: str) -> NumberedReport:
        """A report by its id; raises `Refused` if there is none."""
        place = self._client.hget(REPORTS, name) if name.startswith(PREFIX) else None
        if place is None:
            raise Refused("no_such_report", f"there is no report {name!r}")
        number = int(place.split()[0])
        return NumberedReport(number, self._at(number))

    def after(self, number: int) -> Iterator[NumberedReport]:
        """The reports behind a number, in their order."""
        while True:
            for kept in self._client.hmget(REPORTS, [*range(number + 1, number + AT_ONCE + 1)]):
                if kept is None:
                    return
                number += 1
                yield NumberedReport(number, msgspec.json.decode(kept, type=Report))

    def text(self, report: Report) -> str | None:
        """What was written; None if whoever wrote it, or whom it is about, was erased."""
        found = self._texts.open(_place(report.id, "by"), report.text)
        if found is None or report.player is None:
            return found
        return self._texts.open(_place(report.id, "about"), PersonalText(report.player, found))

    def _sealed(self, me: str, name: str, written: Written) -> Report:
        text = written.text
        if written.player is not None:
            self._check_is_there(written.player)
            text = sealed_about(self._texts, _place(name, "about"), written.player, text).text
        told = written._asdict() | {"id": name, "by": me, "text": self._texts.seal(_place(name, "by"), me, text)}
        return Report(**told)

    def _check_is_there(self, player: str) -> None:
        """Raises `Refused` if nobody is there to be reported: else a key would be made for nobody."""
        if not self._client.exists(key_of("player", player)):
            raise _unknown(player)

    def _at(self, number: int) -> Report:
        return msgspec.json.decode(self._client.hget(REPORTS, number), type=Report)


def sealed_about(texts: Texts, place: bytes, player: str, text: str) -> PersonalText:
    """A text under the key of whom it is about; raises `Refused` for somebody who was erased."""
    try:
        return texts.seal(place, player, text)
    except Refused:
        raise _unknown(player) from None


def _unknown(player: str | None) -> Refused:
    return Refused("no_such_player", f"there is no player {player!r}")


def report_id(request: str) -> str:
    """The id of a report: a repeated request names the same one."""
    return PREFIX + _letters(f"report\n{request}")


def reused() -> Refused:
    """The refusal of a request whose name came with another body."""
    return Refused("request_reused", "this Idempotency-Key came with another body before")


def _letters(text: str) -> str:
    return base64.b32encode(hashlib.sha256(text.encode()).digest()[:10]).decode().lower()


def _place(name: str, role: str) -> bytes:
    return canonical(["report", name, role])


TRIES = 20  # how often an action is decided again when others act first


class NewAction(NamedTuple):
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
        self._write = acknowledged_script(client, "service.moderation", "act.lua")

    def act(self, wanted: NewAction, request: str, fingerprint: str) -> Numbered:
        """Records an action, or finds the first one of a repeated request; raises `Refused`."""
        _check_words(wanted)
        for _ in range(TRIES):
            known = self._sanctions.now()
            if self._client.hexists(KEPT, request):  # what it led to may stand against it now
                told = self._written(b"", request, fingerprint, 0)
            else:
                self._check(known, wanted)
                told = self._written(msgspec.json.encode(self._action(wanted)), request, fingerprint, len(known.kept))
            if told.isdigit():
                return self._sanctions.now().actions[int(told) - 1]
            if told == b"reused":
                raise reused()
        raise Refused("conflict", "other operators were faster too often: send it again")

    def _written(self, action: bytes, request: str, fingerprint: str, before: int) -> Any:
        return self._write(keys=[KEPT], args=[action, request, fingerprint, before])

    def text(self, action: Action) -> str | None:
        """What the player is told beside the reason; None if there is nothing, or the player was erased."""
        return self._texts.open(_place_of_action(action.id), action.text) if action.text else None

    def _action(self, wanted: NewAction) -> Action:
        name = f"m_{secrets.token_hex(8)}"
        return Action(**wanted._asdict() | {"id": name, "text": self._sealed(name, wanted)})

    def _sealed(self, name: str, wanted: NewAction) -> PersonalText | None:
        if not wanted.text or wanted.player is None:
            return None
        return sealed_about(self._texts, _place_of_action(name), wanted.player, wanted.text)

    def _check(self, known: Folded, wanted: NewAction) -> None:
        """Raises `Refused` for what cannot follow on the actions before."""
        if wanted.type in SANCTIONS:
            self._check_sanction(known, wanted)
        elif wanted.type == REVERSED:
            _check_reversal(known, wanted.reverses or 0)

    def _check_sanction(self, known: Folded, wanted: NewAction) -> None:
        if not self._client.exists(key_of("player", str(wanted.player))):
            raise Refused("no_such_player", f"there is no player {wanted.player!r}")
        stands = known.stands(str(wanted.player), wanted.type)
        if stands and wanted.type != SANCTIONS[0]:  # warned one may be more than once
            raise Refused("contradictory", f"that stands against {wanted.player} already, by action {stands.number}")


def _check_words(wanted: NewAction) -> None:
    """Raises `Refused` for an action that lacks what it needs, or has more."""
    sanctions, reverses = wanted.type in SANCTIONS, wanted.type == REVERSED
    refuse_first(
        "contradictory",
        (wanted.reason not in REASONS_OF[wanted.type], f"the reasons here are {', '.join(REASONS_OF[wanted.type])}"),
        (
            sanctions != (wanted.player is not None),
            "a player is named where something is done about one, and only there",
        ),
        (wanted.text and not sanctions, "words are told to a player about whom something is done, and to nobody else"),
        (reverses != (wanted.reverses is not None), "the action to reverse is named by what reverses one"),
        (reverses and wanted.items, "what reverses an action settles no items"),
        (wanted.type == DISMISSED and not wanted.items, "name what is dismissed"),
    )


def _check_reversal(known: Folded, number: int) -> None:
    if not 1 <= number <= len(known.actions) or known.actions[number - 1].action.type == REVERSED:
        raise Refused("no_such_action", f"there is no action {number} that could be reversed")
    if number in known.reversed:
        raise Refused("contradictory", f"action {number} is reversed already")


def _place_of_action(name: str) -> bytes:
    return canonical(["action", name])


class Moderation(NamedTuple):
    """What moderation works with."""

    reports: Reports
    acting: Acting
    sanctions: Sanctions


def moderation_of(client: Client, texts: Texts, sanctions: Sanctions, most: int) -> Moderation:
    """What moderation works with on a store; `most` reports of an account may wait."""
    return Moderation(Reports(client, texts, sanctions, most), Acting(client, texts, sanctions), sanctions)


def action_row(moderation: Moderation, known: Folded, number: int) -> dict[str, Any]:
    """An action by its number, and whether it stands, by what is known of all actions."""
    action = known.actions[number - 1].action
    told = {name: getattr(action, name) for name in ("type", "at", "reason", "player", "items", "reverses")}
    return told | {"id": number, "text": moderation.acting.text(action), "stands": number not in known.reversed}
