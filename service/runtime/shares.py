"""How long each of those has had places who share them, and who of those that wait is next (fair queueing by time).

Who has had places for the shortest time is next: were turns counted and not seconds, whoever asks for what takes long
would have more of the time than others, whatever it was charged (start-time fair queueing; Goyal, Vin and Cheng 1996;
here the seconds are known afterwards). Nobody is told of these seconds but by how long they wait.

Who comes anew begins where those are who wait, and no further behind a fair share than `AHEAD_S`: where each request is
of another address, as many are in a crowd, they would else all come before whoever has been served once.
"""

from collections import OrderedDict
from collections.abc import Callable

AHEAD_S = 0.05  # of places: what whoever comes anew may be behind the share of all who wait
MANY = 1000  # of whom something is remembered before those are forgotten of whom nothing has to be known


class Shares:
    """Of some who share places: how long each had one since somebody waits, in seconds of the clock."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.waiting: OrderedDict[str, None] = OrderedDict()  # who had a turn last is last
        self._clock = clock
        self._taken: dict[str, list[float]] = {}  # since when, each place that is taken
        self._had: dict[str, float] = {}  # of places that were left
        self._least = 0.0  # what whoever had the last turn had had: who comes anew is held to have had as much
        self._share = 0.0  # what each has had who has waited all the time
        self._shared_at = clock()  # until when that is worked out
        self._most_remembered = MANY

    def wait(self, who: str) -> None:
        """From now on `who` waits for a place."""
        if who not in self.waiting:
            self._share_out()
            self.waiting[who] = None
            self._had[who] = self._had.get(who, 0.0) + max(0.0, self._start() - self._seconds(who))

    def next(self) -> str:
        """Who of those that wait has had least; of several the one whose last turn is longest ago."""
        return min(self.waiting, key=self._seconds)

    def turn(self, who: str) -> None:
        """One of those that wait has its turn, and is last of those who have had as much."""
        self._least = max(self._least, self._seconds(who))
        self.waiting.move_to_end(who)
        self._forget()

    def take(self, who: str, since: float) -> None:
        """A place is taken at that time, which is now."""
        self._taken.setdefault(who, []).append(since)

    def give_up(self, who: str) -> None:
        """Nothing of `who` waits any more."""
        self._share_out()
        del self.waiting[who]

    def leave(self, who: str, since: float) -> None:
        """A place that was taken then is left."""
        self._share_out()
        taken = self._taken[who]
        taken.remove(since)
        if not taken:
            del self._taken[who]
        self._had[who] = self._had.get(who, self._least) + self._clock() - since

    def clear(self) -> None:
        """Nobody waits: what each has had is forgotten."""
        self._had.clear()
        self._least, self._share, self._most_remembered = 0.0, 0.0, MANY

    def _share_out(self) -> None:
        """Adds what a fair share of the places was since this was done last; nothing while nobody waited."""
        now = self._clock()
        if self.waiting:
            sharing = len(self.waiting) + sum(who not in self.waiting for who in self._taken)
            places = sum(map(len, self._taken.values()))
            self._share += (now - self._shared_at) * places / sharing
        self._shared_at = now

    def _start(self) -> float:
        """What whoever comes anew is held to have had."""
        return max(self._least, self._share - AHEAD_S)

    def _seconds(self, who: str) -> float:
        """How long places were had, those that are taken now included."""
        now = self._clock()
        return self._had.get(who, 0.0) + sum(now - since for since in self._taken.get(who, ()))

    def _forget(self) -> None:
        """Forgets those who would be held to have had as much if they came anew."""
        if len(self._had) > self._most_remembered:
            start = self._start()
            self._had = {who: had for who, had in self._had.items() if had > start or who in self.waiting}
            self._most_remembered = len(self._had) + MANY
