"""Who may have streams: accounts whose token is good, and that are not suspended."""

from service.accounts.accounts import Accounts
from service.accounts.callers import Caller
from service.moderation.sanctions import Sanctions


class Access:
    """Looks at both."""

    def __init__(self, accounts: Accounts, sanctions: Sanctions) -> None:
        self._accounts, self._sanctions = accounts, sanctions

    def check(self, caller: Caller) -> None:
        """Raises `Refused` if the token was revoked meanwhile, or the account suspended."""
        self._accounts.check(caller)
        self._sanctions.check(caller.id)
