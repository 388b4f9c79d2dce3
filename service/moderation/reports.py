"""Reports by players. A report is made once and never changed; it waits until an action settles it."""

import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec

from events.canonical import canonical
from events.lifecycle import PersonalText
from events.scripts import Client, acknowledged_script
from service.accounts.accounts_and_tokens import check_answer, key_of
from service.accounts.callers import Caller
from service.accounts.personal_texts import Texts
from service.encodings import base32
from service.errors import Refused
from service.moderation.actions import Actions, no_such_player, seal_about

KEY = key_of("moderation", "reports")  # a hash: the reports by number, and the number of each by its id
PREFIX = "r_"
AT_ONCE = 500  # reports in one query


class Report(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A report `by` a player about another `player`, a table, or the text of an event there (`version`).

    The text is sealed under the key of its author and, within that, of the player it is about: the erasure of either
    makes it unreadable. A report gets its id and its text when it is stored.
    """

    id: str
    by: str
    at: str
    reason: str
    text: PersonalText | None = None
    player: str | None = None
    table: str | None = None
    version: int | None = None


class Reports:
    """All reports, and the actions that settle them; `most` reports of each account may wait."""

    def __init__(self, client: Client, texts: Texts, actions: Actions, most: int) -> None:
        self._client, self._texts, self.actions, self.most = client, texts, actions, most
        self._write = acknowledged_script(client, "service.moderation", "report.lua")

    def make(self, caller: Caller, new: Report, text: str, request: str, fingerprint: str) -> tuple[Report, bool]:
        """Stores a report once for a request; returns it, and whether the request is a repeat. Raises `Refused`."""
        me, token = caller.needs().id, caller.own_token()
        if new.player == me:
            raise Refused("contradictory", "you cannot report yourself")
        settled = int(self._client.hlen(key_of("reported", me))) - self.waiting(me)
        name = PREFIX + base32(hashlib.sha256(f"report\n{request}".encode()).digest()[:10])
        keys = [KEY, *(key_of(*one) for one in (("reported", me), ("player", me), ("token", token)))]
        report = msgspec.json.encode(self._sealed(name, new, text))
        args: list[Any] = [report, name, fingerprint, self.most + settled]
        repeated = bool(self._client.hexists(key_of("reported", me), name))
        answer = self._write(keys=[*keys, key_of("player", new.player or me)], args=args)
        if answer == b"full":
            words = f"an account may have {self.most} reports waiting: they are looked at first"
            raise Refused("quota_reached", words, quota="reports", most=self.most)
        if answer == b"unknown":
            raise no_such_player(new.player)
        check_answer(answer)
        return self._at(int(answer)), repeated

    def waiting(self, player: str) -> int:
        """Returns how many reports of a player wait; one about an erased player does not."""
        settled = self.actions.current().settled
        unsettled = [report for report in self.by(player) if report.id not in settled]
        return len(unsettled) - self._texts.count_erased(report.player for report in unsettled)

    def by(self, player: str) -> list[Report]:
        """Returns the reports by a player, the first one first.

        After a restore of accounts alone, a number may belong to another player's report.
        """
        numbers = sorted(int(number) for number in self._client.hvals(key_of("reported", player)))
        kept = self._client.hmget(KEY, numbers) if numbers else []
        found = [msgspec.json.decode(one, type=Report) for one in kept if one]
        return [report for report in found if report.by == player]

    def get(self, name: str) -> Report:
        """Returns a report by its id; raises `Refused` if there is none."""
        place = self._client.hget(KEY, name) if name.startswith(PREFIX) else None
        if place is None:
            raise Refused("no_such_report", f"there is no report {name!r}")
        return self._at(int(place.split()[0]))

    def after(self, number: int) -> Iterator[tuple[int, Report]]:
        """Yields the reports after a number in their order, each with its number."""
        while True:
            for kept in self._client.hmget(KEY, [*range(number + 1, number + AT_ONCE + 1)]):
                if kept is None:
                    return
                number += 1
                yield number, msgspec.json.decode(kept, type=Report)

    def text(self, report: Report) -> str | None:
        """Returns the text; None if its author or the player it is about was erased."""
        found = self._texts.open(_place(report.id, "by"), report.text) if report.text else None
        if found is None or report.player is None:
            return found
        return self._texts.open(_place(report.id, "about"), PersonalText(report.player, found))

    def _sealed(self, name: str, new: Report, text: str) -> Report:
        if new.player is not None:
            if not self._client.exists(key_of("player", new.player)):  # else a key would be created for nobody
                raise no_such_player(new.player)
            text = seal_about(self._texts, _place(name, "about"), new.player, text).text
        return msgspec.structs.replace(new, id=name, text=self._texts.seal(_place(name, "by"), new.by, text))

    def _at(self, number: int) -> Report:
        return msgspec.json.decode(self._client.hget(KEY, number), type=Report)


def _place(name: str, role: str) -> bytes:
    return canonical(["report", name, role])
