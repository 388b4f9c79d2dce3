"""A whole state that agrees with what a seat has seen: its view and its feed.

Most feeds leave no choice but the deal of the cards that nobody has shown, and all deals are equally likely. Where
gifts went unseen, or a card shown may have come from several shuffles, many worlds are folded side by side (a
particle filter): a world that the feed contradicts falls, those that go on are drawn anew by their weights, and one
of those left at the end is the answer; should all fall at once, they are mended. So what is given agrees with the
feed, and is as likely as the feed makes it, within the precision of the filter.

Feeds with dozens of gifts unseen, or with many shuffles among six hands, can defeat that. Then one world is folded
that fetches a card it lacks from wherever it lies: it agrees with the view and with all that was shown, but some
card may have come to its hand by a way that draws and gifts did not offer.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from games.kernel import Chance
from games.plenty_coups.forgetting import ForgetfulWorld
from games.plenty_coups.outlook import Outlook
from games.plenty_coups.sight import View
from games.plenty_coups.state import State
from games.plenty_coups.worlds import World, fraction

_WORLDS = 12  # side by side
_MENDED = 4  # that many of them are tried to be mended when all fall


def imagine(view: View, feed: Sequence[Any], chance: Chance) -> State:
    """A state that the reader of `view` and `feed` may take for the true one; the true one once the game is over."""
    outlook = Outlook(view, feed)
    worlds = _filtered(outlook, chance, _WORLDS) or [_forgetful(outlook, chance)]
    return _drawn(worlds, 1, chance)[0].dealt()


def _filtered(outlook: Outlook, chance: Chance, number: int) -> list[World]:
    """The worlds that are left at the end of the feed."""
    worlds = [World(outlook, chance)]
    for at, event in enumerate(outlook.feed[1:], 1):
        if len(worlds) < number and worlds[0].is_open(event):
            worlds = [worlds[0].copy() for _ in range(number)]
        going_on = [world for world in worlds if world.follows(at, event)]
        worlds = going_on or list(islice((world for world in worlds[:_MENDED] if world.is_mended(at, event)), 1))
        if not worlds:
            return []
        _lift_weights(worlds)
        if len(worlds) > 1 and _are_uneven(worlds, number):
            worlds = _drawn(worlds, number, chance)
    return worlds


def _lift_weights(worlds: list[World]) -> None:
    """Keeps weights from vanishing: only their proportions count."""
    heaviest = max(world.weight for world in worlds)
    if heaviest < 1e-9:
        for world in worlds:
            world.weight /= heaviest


def _forgetful(outlook: Outlook, chance: Chance) -> World:
    """A world that is mended where it can be and forgets where it cannot."""
    world = ForgetfulWorld(outlook, chance)
    for at, event in enumerate(outlook.feed[1:], 1):
        if not world.follows(at, event) and not world.is_mended(at, event):
            world.forgets(at, event)
    return world


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
