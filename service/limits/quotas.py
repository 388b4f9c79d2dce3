"""How many tables, AI seats at work, branches and disputes an account may have open at once."""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple, Protocol

from service.accounts.callers import Caller
from service.config import Settings
from service.errors import Refused
from service.limits.quota_claims import Claim, ClaimStore, Opened

Shown = dict[str, Opened]  # what is open, by name, with what each counts for

WHAT = {
    "tables": "tables that are not finished",
    "ai_seats": "AI seats at such tables",
    "disputes": "disputes that are open",
}
PENDING_MS = 120_000  # after which nothing will come of a claim: its process was killed
TRIES = 100  # how often an account's claims are read again when other requests of it change them first


class Holdings(Protocol):
    """Finds what is open."""

    def shown(self, player: str) -> Shown:
        """What the lobby shows of a player's, by names as they are claimed."""

    def stands(self, name: str) -> bool | None:
        """By the log, whether what was claimed under a name is open; None if there is no such thing."""


class Quotas:
    """Bounds what accounts have open. What a request is about to open is claimed first."""

    def __init__(self, settings: Settings, tables: "Quota", disputes: "Quota") -> None:
        self._tables, self._disputes = tables, disputes
        self._most = {"tables": settings.open_tables, "ai_seats": settings.ai_seats}
        self._most_disputes = {"disputes": settings.open_disputes}

    def held(self, player: str) -> dict[str, tuple[int, int]]:
        """By quota how much a player has open, as the lobby shows it, and how much may be."""
        shown = [*self._tables.shown(player).values(), *self._disputes.shown(player).values()]
        most = self._most | self._most_disputes
        return {name: (sum(opened.get(name, 0) for opened in shown), bound) for name, bound in most.items()}

    def opening(self, caller: Caller, name: str, wanted: Opened) -> AbstractContextManager[None]:
        """A context in which a table or an AI seat is opened; raises `Refused` if these would be too many."""
        return self._tables.claimed(caller, QuotaClaim(name, wanted, self._most))

    def disputing(self, caller: Caller, name: str) -> AbstractContextManager[None]:
        """A context in which a dispute is opened; raises `Refused` if these would be too many."""
        return self._disputes.claimed(caller, QuotaClaim(name, {"disputes": 1}, self._most_disputes))


class QuotaClaim(NamedTuple):
    """What is to be opened, its counts, and how many there may be by quota."""

    name: str
    counts: Opened
    most: Mapping[str, int]

    def check(self, held: Sequence[Opened]) -> None:
        """Raises `Refused` if with what is held there would be too many."""
        for quota, most in self.most.items():
            have = sum(opened.get(quota, 0) for opened in held)
            if self.counts.get(quota) and have + self.counts[quota] > most:
                raise _reached(quota, most, have)


class Quota:
    """Counts what an account has open: what is shown, and what was claimed and does not show there yet."""

    def __init__(self, claims: ClaimStore, holdings: Holdings, now_ms: Callable[[], int]) -> None:
        self._claims, self._holdings, self._now_ms = claims, holdings, now_ms

    def shown(self, player: str) -> Shown:
        """What the lobby shows of a player's."""
        return self._holdings.shown(player)

    @contextmanager
    def claimed(self, caller: Caller, wanted: QuotaClaim) -> Iterator[None]:
        """Claims what is wanted; the claim ends with a refusal. Raises `Refused` beyond the quota."""
        if caller.id is None or "admin" in caller.scopes:
            yield
            return
        request = secrets.token_hex(8)
        self._claim(caller.id, request, wanted)
        try:
            yield
        except Refused:
            self._release(caller.id, request)
            raise

    def _claim(self, player: str, request: str, wanted: QuotaClaim) -> None:
        for _ in range(TRIES):
            read = self._claims.read(player)
            if request in read.claims.held:  # the call was repeated, its answer lost
                return
            shown = self._holdings.shown(player)
            held = {key: claim for key, claim in read.claims.held.items() if self._lasts(claim, shown)}
            open_ = shown | read.claims.becoming(held).counted()
            wanted.check([counts for name, counts in open_.items() if name != wanted.name])
            claim = Claim(wanted.name, self._now_ms(), wanted.counts)
            if self._claims.replace(player, read, held | {request: claim}):
                return
        raise Refused("too-many-requests", "too much is opened at once; come again", retry_after=1)

    def _lasts(self, claim: Claim, shown: Shown) -> bool:
        """Whether a claim still counts: what it opened does not show yet, or may still be opened."""
        if claim.name in shown:
            return False
        stands = self._holdings.stands(claim.name)
        return stands or (stands is None and abs(self._now_ms() - claim.at_ms) < PENDING_MS)  # clocks may run ahead

    def _release(self, player: str, request: str) -> None:
        """Ends a claim that led to nothing; if that fails, it expires."""
        for _ in range(TRIES):
            read = self._claims.read(player)
            held = {key: claim for key, claim in read.claims.held.items() if key != request}
            if len(held) == len(read.claims.held) or self._claims.replace(player, read, held):
                return


def _reached(name: str, most: int, have: int) -> Refused:
    told = f"an account may have {most} {WHAT[name]}, and you have {have}: finish some first"
    return Refused("quota-reached", told, quota=name, most=most)
