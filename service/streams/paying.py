"""What streams cost while they go on: whoever follows pays for it, and waits where too much of the budget is spent."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from service.accounts.callers import Caller
from service.errors import Refused

Charge = Callable[[Caller, str, int], None]  # to an account and an address, in processor milliseconds


class Follower(Protocol):
    """A response that became a stream."""

    @property
    def caller(self) -> Caller: ...

    @property
    def address(self) -> str: ...


class Paying(NamedTuple):
    """Charges whoever follows. `spend` raises `Refused`, with the seconds to wait; `note` is for what was done."""

    spend: Charge = lambda *_: None
    note: Charge = lambda *_: None

    def owed_s(self, follow: Follower, cost_ms: int) -> int:
        """The seconds until a cost can be paid; 0 if it is paid now."""
        try:
            self.spend(follow.caller, follow.address, cost_ms)
        except Refused as refusal:
            return int(refusal.members["retry_after"])
        return 0
