"""A whole table that agrees with all that one seat has seen (TO-7).

A *world* says which face each id has, which specials were kept instead of which warriors, in which order the armies lie
and which card was laid where. Before anything is seen all worlds are equally likely, as set-up shuffles evenly and
players are taken to choose by no rule; so given a feed, which a world either agrees with or not, those that agree are
equally likely again, and `deal` draws one of them exactly, without trying and rejecting. Nothing is read into what
the opponent lays: who wants that weighs the worlds afterwards. To search in sampled worlds is determinization; what it
cannot see is told by Frank and Basin, "Search in games with incomplete information" (1998).

What the feed hides is written into its events and these are folded, so the table has come about by the very events
that the seat saw, and is legal for that reason alone.
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
    # House rules may have changed since the events, and with them who is asked: that is as the view says.
    return replace(complete(memory, feed), options=view.options, phase=view.phase, to_act=view.to_act)
