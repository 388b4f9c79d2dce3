"""What plays and passes reveal about a hidden hand (BM-4.4, MA-4.4).

A seat may pass only if it can lay no card of its hand, so a pass says something about every card that it holds then.

Whether a hand explains all passes is a question of matching cards to draws. The draws of a hunt are numbered; a card
must have been drawn after the last pass that it would have forbidden and before it was laid, so the draws that can have
brought it are a run of neighbours: its window. For such windows the greedy choice is enough: give each draw, the first
one first, the card whose window closes soonest; if that leaves a draw without a card, no other choice does better
(F. Glover, 'Maximum Matching in a Convex Bipartite Graph', Naval Research Logistics Quarterly 14, 1967).
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple


def house_rules(now: Any, feed: Sequence[Any]) -> tuple[Any, ...]:
    """The options that the passes of a feed may have been made under: those of the start, and those in force now."""
    then = getattr(feed[0], "options", now) if feed else now
    return (now,) if then == now else (then, now)


class Pass(NamedTuple):
    """A pass: how many cards the seat had drawn by then, and which cards it could not have laid anywhere."""

    drawn: int
    stuck: Collection[str]


class Play(NamedTuple):
    """A card laid: how many cards the seat had drawn by then, and how many times it had passed."""

    card: str
    drawn: int
    passes: int


class Holding:
    """How one hunt went for one seat, as far as everybody saw it."""

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
        """The seat passes; it could have laid every card but those in `stuck`."""
        self.passes.append(Pass(self.drawn, stuck))

    def hands(self, unseen: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Every hand of unseen cards that the seat may hold now."""
        return (hand for hand in combinations(unseen, self.drawn - len(self.plays)) if self.is_possible(hand))

    def is_possible(self, hand: Sequence[str]) -> bool:
        """Whether the seat can have drawn these cards, and those that it laid, in an order that explains its passes."""
        held = [Play(card, self.drawn, len(self.passes)) for card in hand]
        windows = [(self._drawn_after(card, passes), drawn) for card, drawn, passes in self.plays + held]
        for draw in range(1, self.drawn + 1):  # the most urgent card first: if any order does, this one does
            window = min((w for w in windows if w[0] < draw), key=lambda w: w[1], default=None)
            if window is None or window[1] < draw:
                return False
            windows.remove(window)
        return True

    def _drawn_after(self, card: str, passes: int) -> int:
        """A card that could have been laid when the seat passed was drawn later."""
        return max([passed.drawn for passed in self.passes[:passes] if card not in passed.stuck], default=0)
