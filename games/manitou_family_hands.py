"""Infers a hidden hand from plays and passes (BM-4.4, MA-4.4).

A seat may pass only if it can lay no card of its hand, so a pass reveals something about every card that it holds.

Whether a hand explains all passes is a matching of cards to draws. Number the draws of a hunt: a card must have been
drawn after the last pass that it would have prevented, and before it was laid. So its possible draws are consecutive:
its window. For such windows a greedy algorithm suffices: go through the draws in order, and give each the card whose
window closes first. If a draw remains without a card, there is no matching (F. Glover, 'Maximum Matching in a Convex
Bipartite Graph', Naval Research Logistics Quarterly 14, 1967).
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple


def house_rules(now: Any, feed: Sequence[Any]) -> tuple[Any, ...]:
    """Returns the house rules that may have applied to the passes of a feed: the initial and the current ones."""
    then = getattr(feed[0], "options", now) if feed else now
    return (now,) if then == now else (then, now)


class Pass(NamedTuple):
    """A pass: the number of cards drawn before, and the cards that could not be laid anywhere."""

    drawn: int
    stuck: Collection[str]


class Play(NamedTuple):
    """A card laid, with the number of cards drawn and of passes before."""

    card: str
    drawn: int
    passes: int


class Holding:
    """The public course of one hunt for one seat."""

    def __init__(self) -> None:
        self.drawn = 0
        self.plays: list[Play] = []
        self.passes: list[Pass] = []

    def draw(self, count: int) -> None:
        """The seat draws `count` cards from its pile."""
        self.drawn += count

    def play(self, card: str) -> None:
        """The seat lays a card of its hand."""
        self.plays.append(Play(card, self.drawn, len(self.passes)))

    def pass_turn(self, stuck: Collection[str]) -> None:
        """The seat passes; `stuck` are the cards that it could not have laid."""
        self.passes.append(Pass(self.drawn, stuck))

    def hands(self, unseen: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Yields every hand of unseen cards that the seat may hold now."""
        return (hand for hand in combinations(unseen, self.drawn - len(self.plays)) if self.is_possible(hand))

    def is_possible(self, hand: Sequence[str]) -> bool:
        """Returns whether some order of draws of these and the laid cards explains the passes."""
        held = [Play(card, self.drawn, len(self.passes)) for card in hand]
        windows = [(self._drawn_after(card, passes), drawn) for card, drawn, passes in self.plays + held]
        for draw in range(1, self.drawn + 1):  # the card whose window closes first
            window = min((w for w in windows if w[0] < draw), key=lambda w: w[1], default=None)
            if window is None or window[1] < draw:
                return False
            windows.remove(window)
        return True

    def _drawn_after(self, card: str, passes: int) -> int:
        """Returns the draw after which a card must have come: that of the last pass that it would have prevented."""
        return max([passed.drawn for passed in self.passes[:passes] if card not in passed.stuck], default=0)
