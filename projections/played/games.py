"""A finished game as the index keeps it, from the lobby's row of its table."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from events.times import millis
from projections.standings import holder
from projections.table_facts import Facts


class Game(NamedTuple):
    """A finished game: the row of its table, and all whom it concerns."""

    row: dict[str, Any]
    concerned: Sequence[str]

    @classmethod
    def of(cls, facts: Facts) -> "Game":
        """The game of an archived table."""
        return cls(facts.row, facts.concerned)

    @classmethod
    def of_row(cls, row: dict[str, Any]) -> "Game":
        """The game of a table in the store."""
        return cls(row, concerned_by(row))

    @property
    def result(self) -> Mapping[str, Any]:
        """How it ended."""
        found: Mapping[str, Any] = self.row["result"]
        return found

    @property
    def place(self) -> str:
        """Its place in the order of all games."""
        return f"{millis(self.result['ended_at']):015d}|{self.row['table']}"

    @property
    def scale(self) -> tuple[str, int]:
        """By which its ratings count: the game and the number of seats."""
        return self.row["game"], self.row["players"]

    @property
    def public(self) -> bool:
        """Whether everybody may see it."""
        return bool(self.row["visibility"] == "public")

    @property
    def holders(self) -> list[str]:
        """Who is rated for each seat: the player or the level, or the player for whom a level played on."""
        left = self.result["left"]
        return [gone or holder(seat) for seat, gone in zip(self.row["seats"], left, strict=True)]

    @property
    def rated(self) -> bool:
        """Whether it tells who is stronger: there are several to compare, and one of them stayed to the end."""
        stayed = not all(self.result["left"])
        return bool(self.result["rated"]) and stayed and len(set(self.holders)) > 1

    @property
    def ranks(self) -> list[int]:
        """The place of each seat for ratings: whoever left comes last."""
        last = len(self.row["seats"]) + 1
        return [last if gone else own for own, gone in zip(self.result["places"], self.result["left"], strict=True)]

    @property
    def kept(self) -> bytes:
        """The row as it is kept to be shown, in one form wherever it was read."""
        return msgspec.json.encode(self.row, order="sorted")

    def columns(self, partition: int, segment: int) -> tuple[Any, ...]:
        """What stands in the table `games`."""
        row, result = self.row, self.result
        options = msgspec.json.encode(row["options"], order="sorted").decode()
        figures = (result["events"], result["moves"], result["disputed"], self.rated)
        return (self.place, row["table"], partition, segment, self.public, *self.scale, options, *figures, None, None)

    def fared(self) -> Iterable[tuple[Any, ...]]:
        """What stands in the table `holders`: who held a seat or left it, and whether one of the seats won."""
        won: dict[str, bool] = {}
        for number, (seat, gone) in enumerate(zip(self.row["seats"], self.result["left"], strict=True), 1):
            won[holder(seat)] = won.get(holder(seat), False) or number in self.row["winners"]
            if gone:
                won.setdefault(gone, False)
        return [(self.public, name, self.place, has_won, *self.scale) for name, has_won in won.items()]


def concerned_by(row: Mapping[str, Any]) -> list[str]:
    """The players whom a table concerns, as the lobby's row tells it."""
    seats = [player for seat in row["seats"] for player in (seat["kept_for"], seat["player"])]
    return sorted({player for player in (*seats, row["opened_by"], row["arbiter"]) if player})
