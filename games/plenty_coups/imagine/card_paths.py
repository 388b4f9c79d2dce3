"""Which card went by which transfer: paths that agree with all that a reader knows.

Cards are dealt to the transfers in their order. Where the face is known, a card with that face has to lie there; where
it is not, one is guessed that is not seen to leave the place soon, if possible one that is wanted where it goes. A
card that is wanted and not there is fetched by exchanges: two cards that lay in the same place at the same time go
each other's ways from there. Exchanges are sought by iterative deepening (Korf, 1985): one first, then two of which
the second sets right what the first upset, and so on, the most promising first, within the bounds of an `Effort`.
Guesses only make paths easier to find; `resampling` makes the paths forget them.
"""

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from games.kernel import Chance
from games.plenty_coups.components import WORTHY
from games.plenty_coups.imagine.dice import Dice
from games.plenty_coups.imagine.transfers import GIFT, HUMBLE, TABLE, Reading

_AHEAD = 10  # transfers of a hand that a guess looks ahead
_LONG = 30  # arrivals at a hand, looking back, that may have lain there together


def fits(face: str, wanted: str | None) -> bool:
    """Whether a card with this face may have gone by a transfer."""
    return wanted is None or face == wanted or (wanted == HUMBLE and face not in WORTHY)


class Effort(NamedTuple):
    """To mend paths: how many exchanges may be needed one after another (`depth`), and how many are tried."""

    depth: int
    tries: int


class CardPaths:
    """For each transfer the card that goes by it: by which it came, by which it goes on (-1: none), and its face."""

    def __init__(self, reading: Reading, chance: Chance, effort: Effort) -> None:
        self.effort = effort
        self.transfers, self.shuffles = reading.transfers, reading.shuffles
        self.dice = Dice(chance)
        self._moments = [transfer.moment for transfer in self.transfers]
        self.wanted = [transfer.wanted for transfer in self.transfers]
        count = len(self.transfers)
        self.face = [""] * count
        self.before, self.after = [-1] * count, [-1] * count
        self.present: dict[int, list[int]] = defaultdict(list)  # by place, how the cards came that lie there now
        self.arrivals: dict[int, list[int]] = defaultdict(list)
        self._known: dict[int, list[int]] = defaultdict(list)  # by place, the transfers of known faces to and from it
        self._seen: dict[int, int] = defaultdict(int)  # by place, how many of those are over
        self._takers: dict[int, int] = {}  # by transfer of a gift laid down, who takes it up
        self.broken: dict[int, None] = {}  # transfers by which another card goes than the one wanted
        self._tries = 0
        self.reached = -1  # the last transfer that has a card
        self._note_transfers()
        self._bind_piles()

    def _note_transfers(self) -> None:
        laid = -1
        for at, (_, source, target, wanted) in enumerate(self.transfers):
            self.arrivals[target].append(at)
            if wanted is not None and wanted != HUMBLE:
                self._known[source].append(at)
                self._known[target].append(at)
            if target == GIFT:
                laid = at
            elif source == GIFT:
                self._takers[laid] = target

    def _bind_piles(self) -> None:
        """Cards seen as they left a pile had lain in it from its shuffle on."""
        lying: dict[tuple[int, str | None], list[int]] = defaultdict(list)
        for at, (_, source, target, wanted) in enumerate(self.transfers):
            if target in self.shuffles:
                lying[target, wanted].append(at)
                self.face[at] = wanted or ""
            elif source in self.shuffles and wanted is not None:
                self._link(lying[source, wanted].pop(), at)

    def _link(self, arrival: int, at: int) -> None:
        self.after[arrival], self.before[at] = at, arrival
        self.face[at] = self.face[arrival]

    # --- finding paths ---

    def find(self, *, must: bool) -> bool:
        """A card for each transfer, in their order; false if none that fits was found for one of them.

        Where paths `must` be found, one that does not fit is left as it is.
        """
        for at, (_, source, target, wanted) in enumerate(self.transfers):
            self.reached = at
            if source == TABLE:
                self.face[at] = wanted or ""
            elif self.before[at] < 0:
                self._choose(at)
            if target != TABLE and self.after[at] < 0:
                self.present[target].append(at)
            if self.broken and not self.is_mended():
                if not must:
                    return False
                self.broken.clear()
        return True

    def _choose(self, at: int) -> None:
        """A card of the place goes: one that fits, and that is not wanted there but where it comes to."""
        moment, source, target, wanted = self.transfers[at]
        lying = [card for card in self.present[source] if self.transfers[card].moment < moment]
        if wanted is not None:
            options = [card for card in lying if fits(self.face[card], wanted)]
            if not options:
                options = self._spare(lying, source, at) or lying
                self.broken[at] = None
        else:
            options = self._guessed(lying, source, target, at)
        card = options[self.dice.below(len(options))]
        self.present[source].remove(card)
        self._link(card, at)

    def _guessed(self, lying: list[int], source: int, target: int, at: int) -> list[int]:
        """The cards that are the likeliest to go by a transfer that nobody saw."""
        options = lying if source in self.shuffles else self._spare(lying, source, at) or lying
        for face in self._lacking(self._takers.get(at, target), at):
            found = [card for card in options if self.face[card] == face]
            if found:
                return found
        return options

    def _spare(self, lying: list[int], place: int, at: int) -> list[int]:
        """Those of the cards lying there that are not seen to leave the place before they could have come back."""
        spare = list(lying)
        came: list[str] = []
        for face, is_leaving in self._next(place, at):
            if not is_leaving:
                came.append(face)
            elif face in came:
                came.remove(face)
            else:
                for card in spare:
                    if self.face[card] == face:
                        spare.remove(card)
                        break
        return spare

    def _lacking(self, place: int, at: int) -> Iterator[str]:
        """The faces seen to leave the place that are not known to be there or to come."""
        there = [self.face[card] for card in self.present[place]]
        for face, is_leaving in self._next(place, at):
            if not is_leaving:
                there.append(face)
            elif face in there:
                there.remove(face)
            else:
                yield face

    def _next(self, place: int, at: int) -> Iterator[tuple[str, bool]]:
        """The next transfers of known faces to a place and from it: the face, and whether it leaves."""
        known, first = self._known[place], self._seen[place]
        while first < len(known) and known[first] <= at:
            first += 1
        self._seen[place] = first
        for other in known[first : first + _AHEAD]:
            _, source, _, wanted = self.transfers[other]
            yield wanted or "", source == place

    # --- exchanging ---

    def met(self, one: int, other: int) -> bool:
        """Whether the cards that arrived in a place by these transfers lay there at the same time."""
        first, second, moments = self.after[one], self.after[other], self._moments
        return (second < 0 or moments[one] < moments[second]) and (first < 0 or moments[other] < moments[first])

    def faults(self, at: int, face: str) -> int:
        """How many transfers from `at` on would want another face than this one."""
        faults = 0
        wanted, after = self.wanted, self.after
        while at >= 0:
            want = wanted[at]
            if want is not None and face != want and (want != HUMBLE or face in WORTHY):
                faults += 1
            at = after[at]
        return faults

    def worse(self, one: int, other: int) -> int:
        """How many more cards are wrong after an exchange."""
        first, second, face, came = self.after[one], self.after[other], self.face[one], self.face[other]
        now = self.faults(first, face) + self.faults(second, came)
        return self.faults(first, came) + self.faults(second, face) - now

    def exchange(self, one: int, other: int) -> None:
        """Two cards that met go each other's ways."""
        first, second = self.after[one], self.after[other]
        self.after[one], self.after[other] = second, first
        for arrival, at in ((one, second), (other, first)):
            if at >= 0:
                self.before[at] = arrival
                self._carry(at, self.face[arrival])
        if (first < 0) != (second < 0):
            lying = self.present[self.transfers[one].target]
            lying[lying.index(one if first < 0 else other)] = other if first < 0 else one

    def _carry(self, at: int, face: str) -> None:
        while at >= 0:
            self.face[at] = face
            if fits(face, self.transfers[at].wanted):
                self.broken.pop(at, None)
            else:
                self.broken[at] = None
            at = self.after[at]

    # --- mending ---

    def is_mended(self) -> bool:
        """Exchanges until every card seen is the one wanted; false, with nothing changed, if none were found."""
        for depth in range(1, self.effort.depth + 1):
            self._tries = self.effort.tries
            if self._settles(depth):
                return True
        return False

    def _settles(self, depth: int) -> bool:
        """Whether so many exchanges, one leading to the next, can set right what is wrong."""
        if not self.broken:
            return True
        if not depth or len(self.broken) > depth:
            return False
        at = next(reversed(self.broken))
        for _, one, other in self.options(at, depth):
            self._tries -= 1
            if self._tries < 0:
                return False
            self.exchange(one, other)
            if self._settles(depth - 1):
                return True
            self.exchange(one, other)
        return False

    def options(self, at: int, depth: int, long: int = _LONG) -> list[tuple[int, int, int]]:
        """Exchanges that bring another card to a transfer, the most promising first."""
        wanted = self.wanted[at]
        allowed = depth - len(self.broken) - 1  # more transfers that go wrong could not be set right any more
        found = []
        one = self.before[at]
        while one >= 0:
            face, first = self.face[one], self.after[one]
            wrong = self.faults(first, face)
            for other in self.around(one, long):
                came = self.face[other]
                helps = fits(came, wanted)
                if not came or came == face or not (helps or allowed >= 0 < depth - 1) or not self.met(one, other):
                    continue
                second = self.after[other]
                faults = self.faults(first, came) - wrong
                if faults <= allowed + 1:
                    faults += self.faults(second, face) - self.faults(second, came)
                if faults <= allowed:
                    found.append((2 * faults + (not helps), one, other))
            one = self.before[one]
        order = self.dice.shuffled(found)
        order.sort(key=lambda option: option[0])
        return order

    def around(self, one: int, long: int = _LONG) -> list[int]:
        """The arrivals of cards that may have met one that has left a place; hardly a card stays long in a hand."""
        place = self.transfers[one].target
        arrivals = self.arrivals[place]
        if place in self.shuffles:
            return arrivals
        last = bisect(arrivals, self.after[one]) if self.after[one] >= 0 else len(arrivals)
        return arrivals[max(0, last - long) : last]
