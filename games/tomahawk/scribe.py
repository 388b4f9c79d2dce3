"""The scribe writes down what is decided: the events, and the state after the last of them."""

from collections.abc import Iterable

from games.kernel import Event, Transition
from games.tomahawk.evolve import evolve
from games.tomahawk.state import State


class Scribe:
    """Collects the events of one turn; `state` is always the table after the last of them."""

    __slots__ = ("events", "state")

    def __init__(self, state: State | None, first: Event) -> None:
        self.events = [first]
        self.state = evolve(state, first)

    def note(self, event: Event) -> None:
        """Write down `event`."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def note_all(self, events: Iterable[Event]) -> None:
        """Write down `events` in their order."""
        for event in events:
            self.note(event)

    def turn(self) -> Transition:
        """What has been decided."""
        return Transition(tuple(self.events), self.state)
