"""Assigns a card to each transfer: finds paths that agree with all that the viewer knows, and then randomises them.

**Finding.** Cards are assigned to the transfers in order. If the face is known, a card with that face must be there.
Otherwise a card is guessed: one that is not seen to leave the place soon, if possible one that its target needs. A
missing card is fetched by exchanges: two cards that were in the same place at the same time swap their further paths.
Exchanges are found by iterative deepening (Korf, 1985): first one, then two of which the second repairs what the first
broke, and so on, the most promising first, within the bounds of an `Effort`.

**Walking.** A missing card may have passed through hands that the wrong one never met. Then it must first be sent
another way, which repairs nothing by itself. So `WalkedPaths` also tries exchanges along the path of a needed card, and
makes one at random: the more cards it leaves wrong, the less often (as in WalkSAT; Selman, Kautz and Cohen, 'Noise
Strategies for Improving Local Search', 1994).

**Resampling.** Guesses only make paths easier to find; `resample` removes their influence. It repeatedly exchanges two
cards that met, unless a seen card would get another face. An exchange is its own inverse, and each pair is tried with
the same probability whatever the paths are. So proposals are symmetric, and those that contradict the feed are refused:
the Metropolis rule for a uniform distribution, which keeps uniform paths uniform. Single exchanges may not reach all
paths, because two seen cards may have to swap twice. So sometimes an exchange that contradicts the feed is made, and
then a random one of those that repair it. The way back chooses between the same exchanges, so this is symmetric too.
The numbers of exchanges, and of later arrivals that a card is exchanged with, bound the time; with the numbers below,
the tests find no difference from exact probabilities.
"""

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple, TypeVar

from games.kernel import Chance
from games.plenty_coups.components import WORTHY
from games.plenty_coups.imagine.transfers import GIFT, HUMBLE, TABLE, Reading

T = TypeVar("T")

_GRAIN = 2**30  # luck is drawn as numbers below this
_BATCH = 256


class Dice:
    """Fast luck: draws many numbers at once."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._numbers: Iterator[int] = iter(())

    def below(self, count: int) -> int:
        """Returns a number from 0 to `count` - 1."""
        for number in self._numbers:
            return number % count
        self._numbers = iter(self._chance("imagine", range(_GRAIN), _BATCH))
        return self.below(count)

    def shuffled(self, items: list[T]) -> list[T]:
        """Returns the items in random order."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


# --- finding ---

_AHEAD = 10  # transfers of a hand that a guess looks ahead
_LONG = 30  # arrivals at a hand, looking back, that may have lain there together


def fits(face: str, wanted: str | None) -> bool:
    """Returns whether a card with this face may take a transfer."""
    return wanted is None or face == wanted or (wanted == HUMBLE and face not in WORTHY)


class Effort(NamedTuple):
    """The bounds for repairing paths: consecutive exchanges (`depth`), and exchanges tried."""

    depth: int
    tries: int


class CardPaths:
    """For each transfer its card: the card's previous and next transfer (-1: none), and its face."""

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
        """Assigns a card to each transfer in order; returns False if no fitting one was found for some transfer.

        If paths `must` be found, a card that does not fit is left.
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
        """Returns whether the cards that arrived in a place by these transfers were there at the same time."""
        first, second, moments = self.after[one], self.after[other], self._moments
        return (second < 0 or moments[one] < moments[second]) and (first < 0 or moments[other] < moments[first])

    def faults(self, at: int, face: str) -> int:
        """Returns the number of transfers from `at` on that need another face."""
        faults = 0
        wanted, after = self.wanted, self.after
        while at >= 0:
            want = wanted[at]
            if want is not None and face != want and (want != HUMBLE or face in WORTHY):
                faults += 1
            at = after[at]
        return faults

    def worse(self, one: int, other: int) -> int:
        """Returns the number of additional wrong cards after an exchange."""
        first, second, face, came = self.after[one], self.after[other], self.face[one], self.face[other]
        now = self.faults(first, face) + self.faults(second, came)
        return self.faults(first, came) + self.faults(second, face) - now

    def exchange(self, one: int, other: int) -> None:
        """Swaps the further paths of two cards that met."""
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
        """Exchanges cards until every seen card is right; returns False, changing nothing, if that fails."""
        for depth in range(1, self.effort.depth + 1):
            self._tries = self.effort.tries
            if self._settles(depth):
                return True
        return False

    def _settles(self, depth: int) -> bool:
        """Whether `depth` exchanges, one leading to the next, can set right what is wrong."""
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


Pair = tuple[int, int]  # two arrivals at a place

# --- resampling ---

_NEAR = 8  # later arrivals at a place with which each is exchanged
_ROUNDS = 2  # exchanges tried for each pair
_DETOURS = 8  # one in so many that contradict what was seen is set right by another


def resample(card_paths: CardPaths) -> None:
    """Exchanges cards at random, so that paths do not depend on how they were found."""
    pairs, below = list(_pairs(card_paths)), card_paths.dice.below
    partners: dict[int, list[int]] = defaultdict(list)
    for one, other in pairs:
        partners[one].append(other)
        partners[other].append(one)
    for _ in range(_ROUNDS * len(pairs)):
        one, other = pairs[below(len(pairs))]
        first, second = card_paths.after[one], card_paths.after[other]
        if first == second or not card_paths.met(one, other):  # neither has left
            continue
        if not card_paths.faults(first, card_paths.face[other]) and not card_paths.faults(second, card_paths.face[one]):
            card_paths.exchange(one, other)
        elif not below(_DETOURS):
            _detour(card_paths, (one, other), partners)


def _pairs(card_paths: CardPaths) -> Iterator[Pair]:
    """Arrivals of cards that may have met where cards leave unseen or lie unseen; in a pile any two may have."""
    for place in _places_unseen(card_paths):
        arrivals = card_paths.arrivals[place]
        if place in card_paths.shuffles:
            arrivals = card_paths.dice.shuffled([at for at in arrivals if _leaves_unseen(card_paths, at)])
        for number, one in enumerate(arrivals):
            for other in arrivals[number + 1 : number + 1 + _NEAR]:
                yield one, other


def _places_unseen(card_paths: CardPaths) -> list[int]:
    """The places which cards leave unseen, or where they lie unseen now."""
    left = {source for _, source, _, wanted in card_paths.transfers if wanted is None}
    lying = {place for place, cards in card_paths.present.items() if cards}
    return sorted((left | lying) - {GIFT, TABLE})


def _leaves_unseen(card_paths: CardPaths, at: int) -> bool:
    """Whether the card that came by a transfer is still there or left unseen.

    A card seen as it left a pile is known to have lain there, so it takes no part in exchanges.
    """
    after = card_paths.after[at]
    return after < 0 or card_paths.wanted[after] is None


def _detour(card_paths: CardPaths, pair: Pair, partners: dict[int, list[int]]) -> None:
    """An exchange that contradicts what was seen, and one that sets it right: perhaps the same again."""
    card_paths.exchange(*pair)
    ways = list(_ways_back(card_paths, partners)) or [pair]
    card_paths.exchange(*ways[card_paths.dice.below(len(ways))])
    card_paths.broken.clear()


def _ways_back(card_paths: CardPaths, partners: dict[int, list[int]]) -> Iterator[Pair]:
    """The exchanges after which every card seen is the one wanted."""
    one = card_paths.before[next(iter(card_paths.broken))]
    while one >= 0:
        for other in partners[one]:
            if card_paths.met(one, other) and card_paths.worse(one, other) == -len(card_paths.broken):
                yield one, other
        one = card_paths.before[one]


# --- walking ---

_MENDING = Effort(2, 60)  # before a walk
_FAR = 100  # arrivals at a hand, looking back, that an exchange may reach
_STRAYING = 4  # more cards that are wrong after an exchange; tried on games of 3 to 6 seats, as the odds are
_LEAST = 8
_ODDS = [3 ** (2 * _LEAST - grade) for grade in range(2 * _LEAST + 1)]  # of an exchange, by what it makes worse


class WalkedPaths(CardPaths):
    """Paths that a walk of `strides` exchanges may mend."""

    def __init__(self, reading: Reading, chance: Chance, strides: int) -> None:
        super().__init__(reading, chance, _MENDING)
        self._strides = strides

    def is_mended(self) -> bool:
        """Exchanges cards until every seen card is right; returns False if `strides` exchanges were not enough."""
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
