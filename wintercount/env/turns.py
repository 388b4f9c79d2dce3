"""What the events of a turn change in an observation of Manitou or Big Manitou, which share their turns.

A party is chosen, cards are laid and drawn, heroes meet. After any other event an observation is made anew.
"""

from array import array
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from games.parties import known
from wintercount.env.grounds import Pieces
from wintercount.env.layout import FLOAT, Numbers, Sharing


class Section:
    """Numbers of a table that follow one another, by the things that they are about."""

    __slots__ = ("_all", "_none", "slot")

    def __init__(self, sharing: Sharing, name: str, things: Iterable[Any]) -> None:
        self.slot = {thing: sharing.place[f"{name}/{thing}"] for thing in things}
        first = min(self.slot.values())
        self._all = slice(first, first + len(self.slot))
        self._none = array(FLOAT, [0.0]) * len(self.slot)

    def holds(self, numbers: Numbers, things: Iterable[Any]) -> None:
        """Marks these things, and no others."""
        numbers[self._all] = self._none
        for thing in things:
            numbers[self.slot[thing]] = 1

    def counts(self, numbers: Numbers, figures: Sequence[float]) -> None:
        """Has these figures, one for each thing."""
        numbers[self._all] = array(FLOAT, figures)

    def becomes(self, numbers: Numbers, thing: Any) -> None:
        """Marks this thing, where never more than one is marked."""
        slot = self.slot[thing]
        if not numbers[slot]:
            numbers[self._all] = self._none
            numbers[slot] = 1

    def takes(self, numbers: Numbers, other: "Section") -> None:
        """Has the marks of another section of the same things, which then has none."""
        numbers[self._all], numbers[other._all] = numbers[other._all], self._none


OWN = "own/"  # begins the names of the numbers that a seat alone observes


def shared(names: Sequence[Sequence[str]], parts: Iterable[int]) -> Sharing:
    """The numbers of a table, from the names that each seat's have, in each of which the seats are called the same.

    A seat has those of its own that begin with `OWN`, and one for each of the parts of its unfinished move.
    """
    taken = [f"{OWN}taken/{part}" for part in parts]
    return Sharing(
        [
            [f"{place} {name}" if name.startswith(OWN) else name for name in (*each, *taken)]
            for place, each in enumerate(names)
        ]
    )


def around(place: int, players: int) -> Sequence[int]:
    """The places of the seats of a table, from this one on clockwise."""
    return [(place + distance) % players for distance in range(players)]


class SeatTurns:
    """The numbers of a seat that its turns change; the seat alone observes which cards are in its own places."""

    __slots__ = ("count", "laid", "own", "party_chosen", "up")

    def __init__(
        self, sharing: Sharing, place: int, grounds: Iterable[int], pieces: Pieces, hidden: Sequence[str]
    ) -> None:
        self.party_chosen = sharing.place[f"seat {place}/party_chosen"]
        self.count = {name: sharing.place[f"seat {place}/{name}"] for name in hidden}
        self.own = {name: Section(sharing, f"{place} {OWN}{name}", pieces.cards) for name in hidden}
        self.laid = {ground: Section(sharing, f"ground {ground}/laid by {place}", pieces.cards) for ground in grounds}
        self.up = {ground: Section(sharing, f"ground {ground}/up of {place}", pieces.heroes) for ground in grounds}

    def move(self, numbers: Numbers, cards: Sequence[str], here: str, there: str) -> None:
        """Cards go from one own place to another."""
        numbers[self.count[here]] -= len(cards)
        numbers[self.count[there]] += len(cards)
        before, after = self.own[here].slot, self.own[there].slot
        for card in cards:
            numbers[before[card]] = 0
            numbers[after[card]] = 1


class Turns:
    """Writes the events of turns into the numbers of a table; `hidden` names the places of cards out of sight."""

    settled: Collection[type] = ()

    def __init__(
        self, sharing: Sharing, grounds: Sequence[int], pieces: Pieces, phases: Sequence[str], hidden: Sequence[str]
    ) -> None:
        players = len(sharing.places)
        self.sharing, self._heroes = sharing, frozenset(pieces.heroes)
        self._turns_taken = sharing.place["now/turns_taken"]
        self._phase, self._to_act = Section(sharing, "phase", phases), Section(sharing, "to_act", range(players))
        self.seats = [SeatTurns(sharing, place, grounds, pieces, hidden) for place in range(players)]
        self._last = {ground: Section(sharing, f"ground {ground}/last up", pieces.heroes) for ground in grounds}

    def settle(self, numbers: Numbers, state: Any, to_act: Sequence[int]) -> None:
        """The phase, and who has to act."""
        self._phase.becomes(numbers, state.phase)
        self._to_act.holds(numbers, [seat - 1 for seat in to_act])

    def chosen(self, numbers: Numbers, event: Any) -> None:
        """A seat has chosen its party."""
        seat = self.seats[event.seat - 1]
        numbers[seat.party_chosen] = 1
        seat.move(numbers, known(event.cards), "reserve", "party")

    def shuffled(self, numbers: Numbers, event: Any) -> None:
        """The party of a seat is its pile now; it knows which cards are in it."""
        seat = self.seats[event.seat - 1]
        numbers[seat.count["pile"]], numbers[seat.count["party"]] = numbers[seat.count["party"]], 0
        seat.own["pile"].takes(numbers, seat.own["party"])

    def laid(self, numbers: Numbers, event: Any) -> None:
        """A card lies on a ground; a hero is face up, unless a trial of strength follows and says otherwise."""
        seat, ground, card = self.seats[event.seat - 1], event.ground, event.card
        numbers[seat.count["hand"]] -= 1
        numbers[seat.own["hand"].slot[card]] = 0
        numbers[seat.laid[ground].slot[card]] = 1
        if card in self._heroes:
            numbers[seat.up[ground].slot[card]] = 1
            self._last[ground].becomes(numbers, card)

    def met(self, numbers: Numbers, event: Any) -> None:
        """A trial of strength: at most one seat has heroes face up after it (MA-R20, BM-R26)."""
        ground, after = event.ground, event.face_up_after
        for seat in self.seats:
            seat.up[ground].holds(numbers, ())
        if after is not None:
            self.seats[after.seat - 1].up[ground].holds(numbers, after.cards)
        self._last[ground].holds(numbers, () if after is None else after.cards[-1:])

    def drawn(self, numbers: Numbers, event: Any) -> None:
        """Cards come from the pile of a seat into its hand; it alone knows which."""
        self.seats[event.seat - 1].move(numbers, known(event.cards), "pile", "hand")

    def turn_taken(self, numbers: Numbers) -> None:
        """One more turn has been taken."""
        numbers[self._turns_taken] += 1
