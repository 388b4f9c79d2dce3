"""Ends accounts: whatever the store holds of one beside the log goes in one step.

One that never touched a table ends when nobody has used it for some days.

Whoever has a passkey or a recovery code has chosen to stay: such an account does not end.
"""

import logging
import re
import threading
from collections.abc import Callable, Iterator
from typing import NamedTuple

from redis.exceptions import RedisError

from events.scripts import Client, script
from service.accounts.accounts import key_of, today
from service.accounts.keeping import blocks_elsewhere, keys_kept
from service.accounts.signing_in import RECOVERY, leading_keys
from service.accounts.webhooks import keys_of

PLAYERS = key_of("player", "*")
SWEPT = key_of("swept", "day")  # the day of the last sweep, and whether it was believed
DAY = re.compile(rb"(\d+) ([01])")  # how that is kept
NEXT_DAYS = 2  # between two sweeps of a service that runs
SLICE = 100  # accounts that are looked at in one go
PAUSE_S = 1.0  # between two slices
FIRST_S = 60.0  # after which a process that was started begins
AGAIN_S = 86_400.0  # from one sweep to the next
COUNTED = ("tokens", "blocks", "blockers", "invitations")  # what may grow meanwhile

log = logging.getLogger(__name__)


class Swept(NamedTuple):
    """What a sweep did: accounts looked at, those seen for the first time, those ended."""

    seen: int = 0
    new: int = 0
    ended: int = 0


class Sweeper:
    """Ends empty accounts.

    `concerned` tells whether any table, finished or private ones too, concerns a player; None where that cannot be told
    now, and then the account is kept. `forget` removes what is kept elsewhere of one that has ended.
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
        """Looks at all accounts, slowly if it can be told to `stop`. A repeat continues where it was interrupted."""
        swept, believed = Swept(), self._is_believed()
        for key in self._client.scan_iter(PLAYERS, count=SLICE):
            new, ended = self._look_at(key.decode(errors="replace").removeprefix(PLAYERS[:-1]), believed)
            swept = Swept(swept.seen + 1, swept.new + new, swept.ended + ended)
            if stop and swept.seen % SLICE == 0 and stop.wait(PAUSE_S):
                break
        log.info("%d accounts looked at: %d for the first time, %d empty ones ended", *swept)
        return swept

    def _is_believed(self) -> bool:
        """Whether accounts end by what the clock says today: if it was looked a day ago, or two.

        A clock that jumped ahead would end them all. So would one that is right after the service stood still for long,
        which costs no more than a day.
        """
        day, kept = today(), self._client.get(SWEPT)
        found = DAY.fullmatch(kept or b"")
        last, believed = map(int, found.groups()) if found else (0, 0)
        if last != day:
            believed = 1 <= day - last <= NEXT_DAYS
            self._client.set(SWEPT, f"{day} {int(believed)}")
        return bool(believed)

    def _look_at(self, player: str, believed: bool) -> tuple[bool, bool]:
        """Whether it was the first time, as where the day cannot be read; and whether the account has ended."""
        used = self._client.get(key_of("used", player))
        if used is None or not used.isdigit():
            return bool(self._client.set(key_of("used", player), today(), nx=used is None)), False
        if not believed or today() - int(used) <= self._days or self._concerned(player) is not False:
            return False, False
        if can_return(self._client, player):
            return False, False
        if ended := end_account(self._client, player, used):
            self._forget(player)
        return False, ended

    def sweep_until(self, stop: threading.Event) -> None:
        """Sweeps once a day until `stop` is set."""
        wait_s = FIRST_S
        while not stop.wait(wait_s):
            wait_s = AGAIN_S
            try:
                self.sweep(stop)
            except RedisError as error:
                log.warning("empty accounts are looked at again later: %s", error)


def end_account(client: Client, player: str, used: bytes | int) -> bool:
    """Ends an account, unless it was used since `used` was read or grew meanwhile; whether it has."""
    counted = {kind: client.hgetall(key_of(kind, player)) for kind in COUNTED}
    codes = client.hget(key_of("about", player), RECOVERY.field) or b""
    code = client.get(key_of("signing", player)) or b""
    records = [*_records(player), *(key_of("token", digest.decode()) for digest in counted["tokens"].values())]
    records += [key_of("invitation", name.decode()) for name in counted["invitations"]]
    records += [*leading_keys(codes), *([code.decode()] if code else [])]
    others = blocks_elsewhere(counted["blocks"], counted["blockers"])
    watched = [key_of(kind, player) for kind in ("used", *COUNTED, "about", "signing")]
    told = [used, *map(len, counted.values()), codes, code, player, len(records)]
    return bool(script(client, "service.accounts", "end.lua")(keys=[*watched, *records, *others], args=told))


def _records(player: str) -> Iterator[str]:
    """What is kept of an account under its own name and does not tell what else there is."""
    yield from (key_of(kind, player) for kind in ("player", "seen"))
    yield from (*keys_of(player), *keys_kept(player))


def can_return(client: Client, player: str) -> bool:
    """Whether a person has a way back to the account without a token: a passkey, or a recovery code."""
    if client.exists(key_of("passkeys", player)):
        return True
    return bool(leading_keys(client.hget(key_of("about", player), RECOVERY.field) or b""))
