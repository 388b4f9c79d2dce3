"""Who may have streams: accounts whose token is good, and that are not suspended."""

from service.accounts.accounts import Accounts
from service.accounts.callers import Caller
from service.moderation.standing import Sanctions


class Access:
    """Looks at both."""

    def __init__(self, accounts: Accounts, standing: Sanctions) -> None:
        self._accounts, self._standing = accounts, standing

    def check(self, caller: Caller) -> None:
        """Raises `Refused` if the token was revoked meanwhile, or the account suspended."""
        self._accounts.check(caller)
        self._standing.check(caller.id)
