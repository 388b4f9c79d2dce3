"""A whole table that agrees with all that one seat has seen (TO-7).

What the feed hides is dealt, written into its events, and these are folded: so the table has come about by the very
events that the seat saw. A *world* says which face each id has, which specials were kept instead of which warriors, in
which order the armies lie and which card was laid where; every world that agrees with the feed is equally likely.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from games.kernel import Chance, Event
from games.tomahawk.imagine.dealing import deal
from games.tomahawk.imagine.memory import Memory
from games.tomahawk.imagine.opening import complete
from games.tomahawk.sight import View
from games.tomahawk.state import State


def imagine(view: View, feed: Sequence[Event], chance: Chance) -> State:
    """A table that shows `view` and came about by `feed`; every one that might be is equally likely."""
    memory = Memory(view, feed)
    deal(memory, lambda population, count: chance("imagine", population, count) if count else ())
    # The house rules may have changed since the events: what is asked, and of whom, is as the view says.
    return replace(complete(memory, feed), options=view.options, phase=view.phase, to_act=view.to_act)
