"""From which addresses accounts come, as keyed hashes, for some days: to see who sits together and shares one.

The key is derived from the service's secret, which lies outside the store: whoever has the store alone cannot try
addresses out. Each day is a hash of its own, which the store forgets by itself.
"""

import hmac
import time
from collections.abc import Callable, Iterator

from events.scripts import Client, script
from service.accounts.accounts import DAY_S, key_of, today
from service.accounts.sealing import Sealer
from service.bounded import Names

MOST_DAYS = 30
MOST = 16  # addresses of an account that are noted on a day
MOST_REMEMBERED = 10_000  # notes that a process does not make again
PURPOSE = "addresses of players"
DIGEST_BYTES = 16


class Addresses:
    """The addresses of accounts, noted for so many days; 0: none."""

    def __init__(self, client: Client, sealer: Sealer, days: int, day: Callable[[], int] = today) -> None:
        self._client, self._sealer, self._days, self._day = client, sealer, days, day
        self._noted = Names(MOST_REMEMBERED)
        self._write = script(client, "service.accounts", "note_address.lua")

    def note(self, player: str | None, address: str) -> None:
        """Notes from where an account came, once a day in each process."""
        if player is None or not self._days:
            return
        day, digest = self._day(), self._digest(address)
        name = f"{day}|{player}|{digest}"
        if name not in self._noted:
            left_s = (day + self._days) * DAY_S - int(time.time())  # not when: this clock may be ahead of the store's
            self._write(keys=[_key(day), key_of("player", player)], args=[player, digest, left_s, MOST])
            self._noted.add(name)

    def of(self, player: str) -> list[set[bytes]]:
        """The digests of the addresses from which an account came, by day."""
        with self._client.pipeline(transaction=False) as pipe:
            for key in keys_of_days(self._day()):
                pipe.hget(key, player)
            return [set(kept.split()) for kept in pipe.execute() if kept]

    def _digest(self, address: str) -> str:
        newest = self._sealer.derived(PURPOSE)[0]
        return hmac.digest(newest, address.encode(), "sha256")[:DIGEST_BYTES].hex()


def days_shared(mine: list[set[bytes]], others: list[set[bytes]]) -> int:
    """On how many of one's days an address was among them from which the other came as well, on whichever day."""
    return sum(bool(digests & set().union(*others)) for digests in mine)


def keys_of_days(day: int | None = None) -> Iterator[str]:
    """Where the days are that may be kept."""
    newest = today() if day is None else day
    return (_key(newest - ago) for ago in range(MOST_DAYS + 1))


def _key(day: int) -> str:
    return key_of("addresses", str(day))
