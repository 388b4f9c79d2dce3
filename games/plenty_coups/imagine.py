"""A whole state that agrees with what a seat has seen: its view and its feed.

Most feeds leave no choice but the deal of the cards that nobody has shown, and all deals are equally likely. Where
gifts went unseen, or a card shown may have come from several shuffles, many worlds are folded side by side (a
particle filter): a world that the feed contradicts falls, those that go on are drawn anew by their weights, and one
of those left at the end is the answer. So what is given always agrees with the feed, and is as likely as the feed
makes it, within the precision of the filter.
"""

from collections.abc import Sequence
from itertools import count
from typing import Any

from games.kernel import Chance
from games.plenty_coups.outlook import Outlook
from games.plenty_coups.sight import View
from games.plenty_coups.state import State
from games.plenty_coups.worlds import World, fraction

_WORLDS = 16  # side by side; twice as many each time that all of them fell


def imagine(view: View, feed: Sequence[Any], chance: Chance) -> State:
    """A state that the reader of `view` and `feed` may take for the true one; the true one once the game is over."""
    outlook = Outlook(view, feed)
    for attempt in count():
        worlds = _filtered(outlook, chance, _WORLDS << attempt)
        if worlds:
            return _drawn(worlds, 1, chance)[0].dealt()
    raise AssertionError("counting has no end")


def _filtered(outlook: Outlook, chance: Chance, number: int) -> list[World]:
    """The worlds that are left at the end of the feed."""
    worlds = [World(outlook, chance)]
    for at, event in enumerate(outlook.feed[1:], 1):
        if len(worlds) < number and worlds[0].is_open(event):
            worlds = [worlds[0].copy() for _ in range(number)]
        if len(worlds) == 1:
            if not worlds[0].follows(at, event):
                return []
            continue
        worlds = [world for world in worlds if world.follows(at, event)]
        if not worlds:
            return []
        if _are_uneven(worlds, number):
            worlds = _drawn(worlds, number, chance)
    return [world for world in worlds if world.shows_hands()]


def _are_uneven(worlds: list[World], number: int) -> bool:
    """Whether few of the worlds carry most of the weight."""
    total = sum(world.weight for world in worlds)
    return total * total < number / 2 * sum(world.weight**2 for world in worlds)


def _drawn(worlds: list[World], number: int, chance: Chance) -> list[World]:
    """So many worlds, each as often as its weight says."""
    if len(worlds) == number == 1:
        return worlds
    share = sum(world.weight for world in worlds) / number
    drawn: list[World] = []
    mark, passed = fraction(chance) * share, 0.0
    for world in worlds:
        passed += world.weight
        while mark < passed and len(drawn) < number:
            drawn.append(world.copy())
            mark += share
    return drawn
