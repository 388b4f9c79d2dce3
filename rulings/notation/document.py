"""The content of a text in notation: tags, then draws, moves, corrections, amendments, comments and variations."""

from typing import Any, NamedTuple

import msgspec

from games import GAMES
from games.kernel import AnyGame, Event, Move

FORMAT = 1


class TextPosition(NamedTuple):
    """A position in a text; both numbers count from 1."""

    line: int
    column: int


NOWHERE = TextPosition(0, 0)


class Tag(msgspec.Struct, frozen=True):
    """A line of the header: a name, values, and named values."""

    name: str
    values: tuple[Any, ...] = ()
    named: dict[str, Any] = {}
    place: TextPosition = NOWHERE


class Drawn(msgspec.Struct, frozen=True):
    """The items of a draw in order; None if the text does not give them."""

    kind: str
    items: tuple[Any, ...] | None
    place: TextPosition = NOWHERE


class Corrected(msgspec.Struct, frozen=True):
    """A corrected ruling: the number of the event among those of its move, from 0, its type, and its payload."""

    event: int
    kind: str
    payload: dict[str, Any]
    place: TextPosition = NOWHERE


class Played(msgspec.Struct, frozen=True):
    """Move `number` of its line, by a seat; the move is None if the text does not give it."""

    number: int
    seat: int
    move: Move | None
    draws: tuple[Drawn, ...] = ()
    corrected: tuple[Corrected, ...] = ()
    place: TextPosition = NOWHERE

    def rulings(self, game: AnyGame) -> dict[int, Event]:
        """Returns the corrected events by their number; raises `LookupError` or `msgspec.ValidationError`."""
        return {one.event: msgspec.convert(one.payload, game.kinds[one.kind]) for one in self.corrected}


class Amended(msgspec.Struct, frozen=True):
    """House rules that apply from here on."""

    options: dict[str, Any]
    place: TextPosition = NOWHERE


class Comment(msgspec.Struct, frozen=True):
    """A remark without meaning for the game."""

    text: str


class Variation(msgspec.Struct, frozen=True):
    """Other play from the same moment: undone moves, or a branch."""

    items: "tuple[Item, ...]"


Item = Played | Amended | Comment | Variation


class Document(msgspec.Struct, frozen=True):
    """A whole text: the tags, the draws of the set-up, and the play."""

    tags: tuple[Tag, ...]
    setup: tuple[Drawn, ...]
    items: tuple[Item, ...]

    def tag(self, name: str) -> Tag | None:
        """Returns the tag of that name."""
        return next((tag for tag in self.tags if tag.name == name), None)

    def value(self, name: str) -> Any:
        """Returns the only value of a tag that `parse` has checked."""
        found = self.tag(name)
        if found is None or len(found.values) != 1:
            raise LookupError(f"there is no tag {name} with one value")
        return found.values[0]

    @property
    def game(self) -> AnyGame:
        """The game of the document."""
        return GAMES[self.value("Game")]

    @property
    def options(self) -> dict[str, Any]:
        """The initial house rules that are not the defaults."""
        found = self.tag("Options")
        return dict(found.named) if found else {}
