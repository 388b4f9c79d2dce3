"""What the events of a turn change in an observation of Manitou or Big Manitou, which share their turns.

A party is chosen, cards are laid and drawn, heroes meet. After any other event an observation is made anew.
"""

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from games.parties import known
from wintercount.env.grounds import Pieces
from wintercount.env.layout import FLOAT, Numbers, Slots


class Section:
    """Slots that follow one another, by the things that they are about."""

    __slots__ = ("_all", "_none", "slot")

    def __init__(self, slots: Slots, name: str, things: Iterable[Any]) -> None:
        listed = list(things)
        first = slots.names.index(f"{name}/{listed[0]}")
        self.slot = {thing: slot for slot, thing in enumerate(listed, first)}
        self._all = slice(first, first + len(listed))
        self._none = array(FLOAT, [0.0]) * len(listed)

    def holds(self, numbers: Numbers, things: Iterable[Any]) -> None:
        """Marks these things, and no others."""
        numbers[self._all] = self._none
        for thing in things:
            numbers[self.slot[thing]] = 1

    def becomes(self, numbers: Numbers, thing: Any) -> None:
        """Marks this thing, where never more than one is marked."""
        slot = self.slot[thing]
        if not numbers[slot]:
            numbers[self._all] = self._none
            numbers[slot] = 1

    def takes(self, numbers: Numbers, other: "Section") -> None:
        """Has the marks of another section of the same things, which then has none."""
        numbers[self._all], numbers[other._all] = numbers[other._all], self._none


class SeatTurns:
    """The slots of a seat that its turns change."""

    __slots__ = ("hand", "laid", "party", "party_chosen", "pile", "reserve", "up")

    def __init__(self, slots: Slots, distance: int, grounds: Iterable[int], pieces: Pieces) -> None:
        for figure in ("hand", "party", "party_chosen", "pile", "reserve"):
            setattr(self, figure, slots.names.index(f"seat {distance}/{figure}"))
        self.laid = {ground: Section(slots, f"ground {ground}/laid by {distance}", pieces.cards) for ground in grounds}
        self.up = {ground: Section(slots, f"ground {ground}/up of {distance}", pieces.heroes) for ground in grounds}


class Turns:
    """Writes the events of turns into the numbers of the seat `own`, in as far as it may read them."""

    def __init__(
        self, slots: Slots, players: int, grounds: Sequence[int], pieces: Pieces, phases: Sequence[str]
    ) -> None:
        self.players, self._heroes = players, frozenset(pieces.heroes)
        self._turns_taken = slots.names.index("now/turns_taken")
        self._phase, self._to_act = Section(slots, "phase", phases), Section(slots, "to_act", range(players))
        self._own_hand, self._own_pile, self._own_party, self._own_reserve = [
            Section(slots, f"own/{place}", pieces.cards) for place in ("hand", "pile", "party", "reserve")
        ]
        self._seats = [SeatTurns(slots, distance, grounds, pieces) for distance in range(players)]
        self._last = {ground: Section(slots, f"ground {ground}/last up", pieces.heroes) for ground in grounds}

    def acts(self, numbers: Numbers, seats: Sequence[int], own: int) -> None:
        """Who has to act now."""
        self._to_act.holds(numbers, [(seat - own) % self.players for seat in seats])

    def goes_on(self, numbers: Numbers, phase: str | None) -> None:
        """The phase that has begun; none between two of them."""
        self._phase.becomes(numbers, phase or "over")

    def chosen(self, numbers: Numbers, event: Any, own: int) -> None:
        """A seat has chosen its party."""
        seat = self._seats[(event.seat - own) % self.players]
        numbers[seat.party_chosen] = 1
        numbers[seat.reserve] -= event.count
        numbers[seat.party] += event.count
        if event.seat == own:
            _move(numbers, known(event.cards), self._own_reserve.slot, self._own_party.slot)

    def shuffled(self, numbers: Numbers, event: Any, own: int) -> None:
        """The party of a seat is its pile now; it knows which cards are in it."""
        seat = self._seats[(event.seat - own) % self.players]
        numbers[seat.pile], numbers[seat.party] = numbers[seat.party], 0
        if event.seat == own:
            self._own_pile.takes(numbers, self._own_party)

    def laid(self, numbers: Numbers, event: Any, own: int) -> None:
        """A card lies on a ground; a hero is face up, unless a trial of strength follows and says otherwise."""
        seat, ground, card = self._seats[(event.seat - own) % self.players], event.ground, event.card
        numbers[seat.hand] -= 1
        numbers[seat.laid[ground].slot[card]] = 1
        if event.seat == own:
            numbers[self._own_hand.slot[card]] = 0
        if card in self._heroes:
            numbers[seat.up[ground].slot[card]] = 1
            self._last[ground].becomes(numbers, card)

    def met(self, numbers: Numbers, event: Any, own: int) -> None:
        """A trial of strength: at most one seat has heroes face up after it (MA-R20, BM-R26)."""
        ground, after = event.ground, event.face_up_after
        for seat in self._seats:
            seat.up[ground].holds(numbers, ())
        if after is not None:
            self._seats[(after.seat - own) % self.players].up[ground].holds(numbers, after.cards)
        self._last[ground].holds(numbers, () if after is None else after.cards[-1:])

    def drawn(self, numbers: Numbers, event: Any, own: int) -> None:
        """Cards come from the pile of a seat into its hand; it alone knows which."""
        seat = self._seats[(event.seat - own) % self.players]
        numbers[seat.pile] -= event.count
        numbers[seat.hand] += event.count
        if event.seat == own:
            _move(numbers, known(event.cards), self._own_pile.slot, self._own_hand.slot)
        self.goes_on(numbers, event.phase)

    def turn_taken(self, numbers: Numbers) -> None:
        """One more turn has been taken."""
        numbers[self._turns_taken] += 1


def _move(numbers: Numbers, cards: Iterable[str], here: Any, there: Any) -> None:
    for card in cards:
        numbers[here[card]] = 0
        numbers[there[card]] = 1
