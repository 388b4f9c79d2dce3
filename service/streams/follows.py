"""What the REST edge leaves in the environment of a request whose response is to become a stream."""

from typing import NamedTuple

from events.recorded import START, Head
from service.accounts.callers import Caller
from service.analyses import Name
from service.streams.feed import FollowFeed

FOLLOW = "wintercount.follow"  # the name in the environment


class Follow(NamedTuple):
    """A response that becomes a stream of the table's events after version `after`, where the table had `known`."""

    table: str
    caller: Caller
    after: int
    language: str | None
    address: str = ""
    known: Head = START

    @property
    def subject(self) -> str:
        """What it is a stream of."""
        return self.table


class FollowInbox(NamedTuple):
    """A response that becomes a stream of what waits for the caller."""

    caller: Caller
    address: str = ""

    @property
    def player(self) -> str:
        """The account whose decisions they are."""
        return self.caller.needs("watch").id

    @property
    def subject(self) -> str:
        """What it is a stream of."""
        return f"the inbox of {self.player}"


class FollowAnalysis(NamedTuple):
    """A response that becomes a stream of the progress of an analysis, which was made of a table with this `head`."""

    caller: Caller
    name: Name
    head: str
    address: str = ""

    @property
    def subject(self) -> str:
        """What it is a stream of."""
        return f"the {self.name.kind} analysis of {self.name.table}"


OfTheLog = Follow | FollowInbox | FollowFeed
Followed = OfTheLog | FollowAnalysis
