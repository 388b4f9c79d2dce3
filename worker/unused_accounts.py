"""Sweeps accounts that were never at a table and are not used."""

import logging
import re
import threading
from collections.abc import Callable
from typing import NamedTuple

from redis.exceptions import RedisError

from events.scripts import Client
from service.accounts.accounts_and_tokens import key_of, today
from service.accounts.signing_in import can_return
from service.erasure import end_account

PLAYERS = key_of("player", "*")
SWEPT = key_of("swept", "day")  # the day of the last sweep, and whether its clock was trusted
DAY = re.compile(rb"(\d+) ([01])")  # the form of that
LONGEST_GAP = 2  # days between two sweeps of a running service
SLICE = 100  # accounts between two pauses of a second
FIRST_SWEEP_S, NEXT_SWEEP_S = 60.0, 86_400.0

log = logging.getLogger(__name__)


class Swept(NamedTuple):
    """The results of a sweep: accounts looked at, those seen for the first time, and those ended."""

    seen: int = 0
    new: int = 0
    ended: int = 0


class Sweeper:
    """Ends accounts that nobody has used for some days, that no table concerns, and whose person cannot sign in again.

    `concerned` returns whether a table concerns a player, or None if that is not known now. `forget` removes what is
    stored elsewhere of an account that has ended.
    """

    def __init__(
        self,
        client: Client,
        days: int,
        concerned: Callable[[str], bool | None],
        forget: Callable[[str], object] = lambda _: None,
    ) -> None:
        self._client, self._days, self._concerned, self._forget = client, days, concerned, forget

    def sweep(self, stop: threading.Event | None = None) -> Swept:
        """Looks at all accounts, with pauses if it may be told to `stop`."""
        swept, is_trusted = Swept(), self._is_clock_trusted()
        for key in self._client.scan_iter(PLAYERS, count=SLICE):
            new, ended = self._look_at(key.decode(errors="replace").removeprefix(PLAYERS[:-1]), is_trusted)
            swept = Swept(swept.seen + 1, swept.new + new, swept.ended + ended)
            if stop and swept.seen % SLICE == 0 and stop.wait(1.0):
                break
        log.info("%d accounts looked at: %d for the first time, %d empty ones ended", *swept)
        return swept

    def _is_clock_trusted(self) -> bool:
        """Whether the last sweep was a day or two ago: a clock that jumped ahead would end all accounts."""
        day, kept = today(), self._client.get(SWEPT)
        found = DAY.fullmatch(kept or b"")
        last, is_trusted = map(int, found.groups()) if found else (0, 0)
        if last != day:
            is_trusted = 1 <= day - last <= LONGEST_GAP
            self._client.set(SWEPT, f"{day} {int(is_trusted)}")
        return bool(is_trusted)

    def _look_at(self, player: str, is_trusted: bool) -> tuple[bool, bool]:
        """Returns whether an account is new to the sweeps, as one with a damaged day is, and whether it has ended."""
        used = self._client.get(key_of("used", player))
        if used is None or not used.isdigit():
            return bool(self._client.set(key_of("used", player), today(), nx=used is None)), False
        if not is_trusted or today() - int(used) <= self._days or self._concerned(player) is not False:
            return False, False
        has_ended = not can_return(self._client, player) and end_account(self._client, player, used)
        if has_ended:
            self._forget(player)
        return False, has_ended

    def sweep_until(self, stop: threading.Event) -> None:
        """Sweeps once a day until `stop` is set."""
        wait_s = FIRST_SWEEP_S
        while not stop.wait(wait_s):
            wait_s = NEXT_SWEEP_S
            try:
                self.sweep(stop)
            except RedisError as error:
                log.warning("empty accounts are swept later: %s", error)
