"""What given / when / then of all games share: a move is refused by a rule, or leads to events that say something."""

from typing import Any

import msgspec

from games.kernel import AnyGame, MoveRefused, first_of_all
from games.payloads import event_type, payload_of

NOTHING: Any = None  # the state before a game has started


def as_json(value: Any) -> Any:
    """The value as a client reads it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def payload(event: Any) -> dict[str, Any]:
    """What an event says, as a client reads it."""
    read: dict[str, Any] = as_json(payload_of(event))
    return read


def refused_by(game: AnyGame, state: Any, seat: Any, move: Any, chance: Any = first_of_all) -> str | None:
    """The rule by which a move is refused, with nothing changed; None if it is accepted."""
    before = msgspec.json.encode(state)
    try:
        game.play(state, seat, move, chance)
    except MoveRefused as refused:
        assert msgspec.json.encode(state) == before
        return refused.rule
    return None


class Told:
    """Something that has led to events: what they say, by their types."""

    events: list[Any]

    @property
    def types(self) -> list[str]:
        """The types of the events, in order."""
        return [event_type(type(event)) for event in self.events]

    def payloads(self, *types: str) -> list[dict[str, Any]]:
        """What all events of these types say, in their order."""
        return [payload(event) for event in self.events if event_type(type(event)) in types]

    def the(self, name: str) -> dict[str, Any]:
        """What the only event of a type says."""
        (found,) = self.payloads(name)
        return found

    def first(self, name: str) -> dict[str, Any]:
        """What the first event of a type says."""
        return self.payloads(name)[0]

    def last(self, name: str) -> dict[str, Any]:
        """What the last event of a type says."""
        return self.payloads(name)[-1]
