"""Budgets of accounts, of addresses and of their sites, in what requests cost."""

import logging
import math
import threading
from collections.abc import Callable, Iterable
from typing import NamedTuple

from limits import RateLimitItemPerSecond
from limits.strategies import SlidingWindowCounterRateLimiter
from redis.exceptions import RedisError

from events.scripts import Client
from service.accounts.callers import Caller
from service.config import Settings
from service.errors import Refused
from service.limits.client_addresses import site_of
from service.limits.counts import Counts

SHARE_S = 1.0
SOON_S = 0.05  # between two times, where much is spent at once: else each process grants the whole budget meanwhile
MUCH = 20  # such a part of a budget
LITTLE = 20  # and such a part is little
MINUTE, HOUR = 60, 3600
SIGN_INS = "sign_ins"
REFUSED_MOVES = "refused_moves"
OF_ADDRESSES = ("accounts", SIGN_INS)  # what addresses alone have a budget for
OF_ADDRESS = 2  # an address may spend so many times what an account may: people share addresses
OF_SITE = 8  # and all addresses of a site so many times what one of them may

WHAT = {
    "work": "processor milliseconds a minute",
    "thinking": "seconds of AI thinking an hour",
    "accounts": "new accounts an hour",
    SIGN_INS: "attempts to sign in an hour",
    REFUSED_MOVES: "refused moves a minute",
    "changes": "changes an hour",
}

log = logging.getLogger(__name__)


class Budget(NamedTuple):
    """A budget: an amount per window of time, for one account, one address or one site."""

    name: str
    holder: str
    item: RateLimitItemPerSecond
    whose: str  # in words

    @property
    def key(self) -> tuple[str, str]:
        """The name of its counters."""
        return self.name, self.holder


class Limits:
    """Charges budgets; raises `Refused` beyond them. Operators have none."""

    def __init__(self, settings: Settings, clock: Callable[[], float] | None = None) -> None:
        self.counts, self._much = Counts(clock), threading.Event()
        self._windows = SlidingWindowCounterRateLimiter(self.counts)
        self._items = {
            "work": _items(settings.work_ms, MINUTE),
            "thinking": _items(settings.thinking_s, HOUR),
            "accounts": _items(settings.accounts, HOUR, of_address=1),
            SIGN_INS: _items(settings.sign_ins, HOUR, of_address=1),
            REFUSED_MOVES: _items(settings.refused_moves, MINUTE),
            "changes": _items(settings.changes, HOUR),
        }

    def spend(self, caller: Caller, address: str, name: str, cost: int) -> None:
        """Charges a cost to account, address and site; raises `Refused`, and charges nothing, if one has too little."""
        budgets = self.budgets(caller, address, name)
        for budget in budgets:
            self._check(budget, cost)
        self._charge(budgets, cost)

    def note(self, caller: Caller, address: str, name: str, cost: int) -> None:
        """Charges a cost that is never refused: what a budget has no room for is owed, up to as much as it grants.

        Were it forgiven, whoever has spent the budget would go on at the price of what is known before.
        """
        for budget in self.budgets(caller, address, name):
            room = 2 * budget.item.amount - self._spent(budget)
            key, expiry = budget.item.key_for(*budget.key), budget.item.get_expiry()
            self.counts.add(key, expiry, max(0, min(cost, room)))
            self._look_how_much(budget)

    def check(self, caller: Caller, address: str, name: str) -> None:
        """Raises `Refused` if nothing is left."""
        for budget in self.budgets(caller, address, name):
            self._check(budget, 1)

    def check_own(self, caller: Caller, address: str, name: str) -> None:
        """As `check`, of the caller's own budget: what others at the address have spent has no part in it."""
        for own in self.budgets(caller, address, name)[:1]:
            self._check(own, 1)

    def has_spent_little(self, caller: Caller, address: str, name: str) -> bool:
        """Whether a twentieth of what is granted is spent at most, of each budget that a request draws on."""
        return all(self._spent(budget) * LITTLE <= budget.item.amount for budget in self.budgets(caller, address, name))

    def budgets(self, caller: Caller, address: str, name: str) -> list[Budget]:
        """The budgets that a request draws on, the caller's own first; the answer reports that one."""
        if "admin" in caller.scopes:
            return []
        of_account, of_address, of_site = self._items[name]
        found = [Budget(name, address, of_address, "an address")]
        if (site := site_of(address)) != address:
            found.append(Budget(name, site, of_site, "all addresses of a /48"))
        if caller.id is None or name in OF_ADDRESSES:
            return found
        return [Budget(name, caller.id, of_account, "an account"), *found]

    def _charge(self, budgets: Iterable[Budget], cost: int) -> None:
        for budget in budgets:
            self._windows.hit(budget.item, *budget.key, cost=min(cost, self._left(budget)))
            self._look_how_much(budget)

    def _look_how_much(self, budget: Budget) -> None:
        """Has others told soon where much of a budget is spent that they know nothing of."""
        untold = self.counts.untold(budget.item.key_for(*budget.key), budget.item.get_expiry())
        if untold * MUCH >= budget.item.amount:
            self._much.set()

    def _spent(self, budget: Budget) -> int:
        return self.counts.spent(budget.item.key_for(*budget.key), budget.item.get_expiry())

    def _left(self, budget: Budget) -> int:
        return self._windows.get_window_stats(budget.item, *budget.key).remaining

    def _left_s(self, budget: Budget) -> int:
        """The seconds until the next window."""
        expiry = budget.item.get_expiry()
        return math.ceil(self.counts.get_sliding_window(budget.item.key_for(*budget.key), expiry)[1])

    def _check(self, budget: Budget, cost: int) -> None:
        cost = min(cost, budget.item.amount)
        if cost and not self._windows.test(budget.item, *budget.key, cost=cost):
            wait_s = self._wait_s(budget, cost)
            raise Refused(
                "too-many-requests",
                f"{budget.item.amount} {WHAT[budget.name]} are granted to {budget.whose}, and this takes {cost}; "
                f"wait {wait_s} s",
                retry_after=wait_s,
            )

    def _wait_s(self, budget: Budget, cost: int) -> int:
        """The seconds until there is room, rounded up: the window before fades, then the present one."""
        expiry = budget.item.get_expiry()
        before, left_s, present, _ = self.counts.get_sliding_window(budget.item.key_for(*budget.key), expiry)
        room = budget.item.amount - cost
        if present <= room:
            return max(1, math.ceil(left_s - (room - present) * expiry / before)) if before else 1
        return max(1, math.ceil(left_s + expiry - room * expiry / present))

    def fields(self, caller: Caller, address: str, names: Iterable[str]) -> dict[str, str]:
        """`RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers) of the caller's own budgets."""
        told = [budgets[0] for name in names if (budgets := self.budgets(caller, address, name))]
        if not told:
            return {}
        policies = [f'"{one.name}";q={one.item.amount};w={one.item.get_expiry()}' for one in told]
        now = [f'"{one.name}";r={self._left(one)};t={self._left_s(one)}' for one in told]
        return {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(now)}

    def share_until(self, stop: threading.Event, client: Client) -> None:
        """Shares spending with the other processes; while that Redis does not answer, each process counts alone."""
        while not stop.wait(SOON_S):
            self._much.wait(SHARE_S)
            self._much.clear()
            try:
                self.counts.share(client)
            except RedisError as error:
                log.warning("budgets are not shared: %s", error)
                stop.wait(SHARE_S)


Items = tuple[RateLimitItemPerSecond, RateLimitItemPerSecond, RateLimitItemPerSecond]


def _items(amount: int, window_s: int, of_address: int = OF_ADDRESS) -> Items:
    """Of an account, of an address, and of a site."""
    return _item(amount, window_s), _item(of_address * amount, window_s), _item(OF_SITE * of_address * amount, window_s)


def _item(amount: int, window_s: int) -> RateLimitItemPerSecond:
    return RateLimitItemPerSecond(amount, window_s)
