"""Rate limits: what is counted, for whom, in which time window, and which setting raises it.

The contract of an operation says what it counts as, by default as a read or a change. An expensive question counts
twice: for its account and for its address. Legal moves never count.
"""

import logging
import math
import threading
import time
from typing import NamedTuple

from limits import RateLimitItemPerSecond
from limits.storage import MemoryStorage, RedisStorage, Storage
from limits.strategies import FixedWindowRateLimiter
from redis.exceptions import RedisError

from events.scripts import Client
from service.accounts.callers import Caller
from service.config import Settings, variable_of
from service.errors import Refused

ACCOUNTS, SIGN_INS, CHANGES, QUESTIONS = "accounts", "sign_ins", "changes", "questions"
READS, REFUSED_MOVES = "reads", "refused_moves"
MINUTE_S, HOUR_S = 60, 3600
CLASS = 10  # an address may ask the questions of so many accounts: a school class shares one address
SWEEP_S = 60.0
PREFIX = "wintercount:rates"

TABLE = "/v1/tables/<table>"
MOVES = f"{TABLE}/moves"

log = logging.getLogger(__name__)


class Rate(NamedTuple):
    """A time window, and how many times the setting an account and an address may use in it."""

    what: str
    window_s: int
    of_account: int
    of_address: int
    shared: bool = True  # by all web processes


RATES = {
    ACCOUNTS: Rate("new accounts", HOUR_S, 0, 1),
    SIGN_INS: Rate("attempts to sign in", HOUR_S, 0, 1),
    CHANGES: Rate("changes", HOUR_S, 1, 0),
    QUESTIONS: Rate("questions about whole games", HOUR_S, 1, CLASS),
    READS: Rate("requests", MINUTE_S, 0, 1, shared=False),
    REFUSED_MOVES: Rate("refused moves", MINUTE_S, 1, 0, shared=False),
}


class Limit(NamedTuple):
    """A rate for accounts or for addresses."""

    item: RateLimitItemPerSecond
    by_account: bool
    limiter: FixedWindowRateLimiter


class Rates:
    """Counts requests, except those of operators.

    `shared` is the Redis in which web processes count together; while it does not answer, requests pass. What a
    process counts in its memory it bounds by its share of the setting.
    """

    def __init__(self, settings: Settings, shared: Client | None = None) -> None:
        own = FixedWindowRateLimiter(_memory())
        together = own
        if shared:
            storage = RedisStorage("redis://", connection_pool=shared.connection_pool, key_prefix=PREFIX)
            together = FixedWindowRateLimiter(storage)

        def counted(rate: Rate, most: int) -> tuple[FixedWindowRateLimiter, int]:
            """Returns where a rate is counted, and the bound there."""
            return (together, most) if rate.shared else (own, -(-most // settings.web_processes))

        self._limits = {
            name: [
                Limit(RateLimitItemPerSecond(times * most, rate.window_s, name), by_account, limiter)
                for limiter, most in [counted(rate, getattr(settings, name))]
                for times, by_account in ((rate.of_account, True), (rate.of_address, False))
                if times
            ]
            for name, rate in RATES.items()
        }

    def check(self, name: str, caller: Caller, address: str) -> None:
        """Counts a request for the caller and the address; raises `Refused` beyond the rate."""
        if "admin" in caller.scopes:
            return
        for limit in self._limits[name]:
            if limit.by_account and caller.id is None and RATES[name].of_address:
                continue  # only the address counts
            account = caller.id if limit.by_account else None
            if not _hit(limit, account or address):
                raise _refused(name, limit, account, address)


def _hit(limit: Limit, holder: str) -> bool:
    """Counts a request; returns whether it is within the limit, as it is while the store does not answer."""
    try:
        return limit.limiter.hit(limit.item, holder)
    except RedisError as error:
        log.warning("a request was not counted: %s", error)
        return True


def _refused(name: str, limit: Limit, account: str | None, address: str) -> Refused:
    reset = limit.limiter.get_window_stats(limit.item, account or address).reset_time
    wait_s = max(1, math.ceil(reset - time.time()))
    rate, whose = RATES[name], "account" if account else "address"
    every = "an hour" if rate.window_s == HOUR_S else "a minute"
    told = f"{limit.item.amount} {rate.what} {every} are allowed for one {whose}: wait {wait_s} s"
    return Refused("too_many_requests", f"{told}; the operator may raise {variable_of(name)}", retry_after=wait_s)


def _memory() -> Storage:
    """Returns counters in memory. Their own clean-up starts a thread for nearly every request; here one does it all."""
    storage = MemoryStorage()
    storage.timer.cancel()

    def sweep() -> None:
        while True:
            time.sleep(SWEEP_S)
            for key in list(storage.expirations):
                storage.get(key)  # which drops expired ones

    storage.timer = threading.Thread(target=sweep, name="rates", daemon=True)  # type: ignore[assignment]
    storage.timer.start()
    return storage
