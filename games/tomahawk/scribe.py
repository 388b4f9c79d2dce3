"""The scribe writes down what is decided: the events, and the state after the last of them."""

from collections.abc import Iterable

from games import kernel
from games.kernel import Event
from games.tomahawk.evolve import evolve
from games.tomahawk.state import State


class Scribe(kernel.Scribe[State]):
    """The scribe of Tomahawk."""

    __slots__ = ()
    evolve = staticmethod(evolve)

    def write_all(self, events: Iterable[Event]) -> None:
        """Write down `events` in their order."""
        for event in events:
            self.write(event)
