"""Card paths that are found by a walk at random where no short way mends them.

A card wanted may have gone through hands that the wrong one never met; then it has to be sent another way first, which
mends nothing by itself. So besides the exchanges along the way of a wrong card, those along the way of a card that is
wanted are tried, and one of both is made at random: the rarer, the more cards it leaves wrong (as WalkSAT does; Selman,
Kautz and Cohen, 'Noise Strategies for Improving Local Search', 1994).
"""

from bisect import bisect
from itertools import accumulate

from games.kernel import Chance
from games.plenty_coups.imagine.card_paths import CardPaths, Effort, fits
from games.plenty_coups.imagine.transfers import TABLE, Reading

_MENDING = Effort(2, 60)  # before a walk
_FAR = 100  # arrivals at a hand, looking back, that an exchange may reach
_STRAYING = 4  # more cards that are wrong after an exchange; tried on games of 3 to 6 seats, as the odds are
_LEAST = 8
_ODDS = [3 ** (2 * _LEAST - grade) for grade in range(2 * _LEAST + 1)]  # of an exchange, by what it makes worse


class WalkedPaths(CardPaths):
    """Paths that a walk of so many exchanges may mend."""

    def __init__(self, reading: Reading, chance: Chance, strides: int) -> None:
        super().__init__(reading, chance, _MENDING)
        self._strides = strides

    def is_mended(self) -> bool:
        """Exchanges until every card seen is the one wanted; false if so many did not do."""
        if super().is_mended():
            return True
        for _ in range(self._strides):
            if not self.broken:
                return True
            self._stray()
        return not self.broken

    def _stray(self) -> None:
        """An exchange that may bring the card wanted to a transfer by which a wrong one goes, or nearer to it."""
        broken = list(self.broken)
        at = broken[self.dice.below(len(broken))]
        options = self._leads(at) if self.dice.below(2) else self.options(at, len(broken) + _STRAYING, _FAR)
        if options:
            weights = list(accumulate([_ODDS[min(max(0, _LEAST + grade), 2 * _LEAST)] for grade, *_ in options]))
            self.exchange(*options[bisect(weights, self.dice.below(weights[-1]))][1:])

    def _leads(self, at: int) -> list[tuple[int, int, int]]:
        """Exchanges that send one of the cards that are wanted another way, before it comes too late."""
        there = [one for one in range(at) if self.transfers[one].target != TABLE and self._is_wanted(one, at)]
        if not there:
            return []
        one = there[self.dice.below(len(there))]
        rows = [(2 * self.worse(one, other), one, other) for other in self.around(one, _FAR) if self._meets(one, other)]
        return [row for row in rows if row[0] < 2 * _STRAYING]

    def _is_wanted(self, one: int, at: int) -> bool:
        return self.face[one] != "" and fits(self.face[one], self.wanted[at])

    def _meets(self, one: int, other: int) -> bool:
        return other <= self.reached and self.face[other] not in ("", self.face[one]) and self.met(one, other)
