"""Finished games as the index stores them, and the tables of its file.

A game's `place` in the order of all games is the time of its end and then its table, as a text. `segment` is
the number of the archive segment that lists it, 0 while only the store does. A segment that could not be read is not
`whole`. Each holder also has the game (`slug`, `seats`), so that a profile reads no other rows. `filled` has a row once
the index was up to date.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from events.times import millis
from projections.batches import Facts
from projections.sqlite_files import Schema
from projections.standings import holder


class Game(NamedTuple):
    """A finished game: the row of its table, and the players it concerns."""

    row: dict[str, Any]
    concerned: Sequence[str]

    @classmethod
    def of(cls, facts: Facts) -> "Game":
        """Returns the game of an archived table."""
        return cls(facts.row, facts.concerned)

    @classmethod
    def of_row(cls, row: dict[str, Any]) -> "Game":
        """Returns the game of a table in the store."""
        return cls(row, concerned_by(row))

    @property
    def result(self) -> Mapping[str, Any]:
        """How it ended."""
        found: Mapping[str, Any] = self.row["result"]
        return found

    @property
    def place(self) -> str:
        """Its place in the order of all games."""
        return f"{millis(self.result['ended_at']):015d}|{self.row['id']}"

    @property
    def scale(self) -> tuple[str, int]:
        """Its rating scale: the game and the number of seats."""
        return self.row["game"], self.row["players"]

    @property
    def public(self) -> bool:
        """Whether everybody may see it."""
        return bool(self.row["visibility"] == "public")

    @property
    def holders(self) -> list[str]:
        """The one rated for each seat: its player, its AI level, or the player it played on for."""
        left = self.result["left"]
        return [gone or holder(seat) for seat, gone in zip(self.row["seats"], left, strict=True)]

    @property
    def rated(self) -> bool:
        """Whether it is rated: it has several holders, one of whom stayed to the end."""
        stayed = not all(self.result["left"])
        return bool(self.result["rated"]) and stayed and len(set(self.holders)) > 1

    @property
    def ranks(self) -> list[int]:
        """The rank of each seat for ratings: those who left come last."""
        last = len(self.row["seats"]) + 1
        return [last if gone else own for own, gone in zip(self.result["places"], self.result["left"], strict=True)]

    @property
    def kept(self) -> bytes:
        """The row in its stored form, the same wherever it was read."""
        return msgspec.json.encode(self.row, order="sorted")

    def columns(self, partition: int, segment: int) -> tuple[Any, ...]:
        """Returns the row of the table `games`."""
        row, result = self.row, self.result
        options = msgspec.json.encode(row["options"], order="sorted").decode()
        figures = (result["events"], result["moves"], result["disputed"], self.rated)
        return (self.place, row["id"], partition, segment, self.public, *self.scale, options, *figures, None, None)

    def fared(self) -> Iterable[tuple[Any, ...]]:
        """Returns the rows of the table `holders`: who held a seat or left it, and whether one of their seats won."""
        won: dict[str, bool] = {}
        for number, (seat, gone) in enumerate(zip(self.row["seats"], self.result["left"], strict=True), 1):
            won[holder(seat)] = won.get(holder(seat), False) or number in self.row["winners"]
            if gone:
                won.setdefault(gone, False)
        return [(self.public, name, self.place, has_won, *self.scale) for name, has_won in won.items()]


def concerned_by(row: Mapping[str, Any]) -> list[str]:
    """Returns the players that a table concerns, from the lobby's row."""
    seats = [player for seat in row["seats"] for player in (seat["kept_for"], seat["player"])]
    return sorted({player for player in (*seats, row["opened_by"], row["arbiter"]) if player})


NAMES = (
    *("filled", "segments", "read", "games", "shown", "holders", "concerned", "scales", "points", "ratings", "counted"),
)
TABLES = """
create table filled (once integer primary key);
create table segments (number integer primary key, name text not null, whole integer not null);
create table read (partition integer primary key, position integer not null, member text not null);
create table games (
  place text primary key, name text not null unique, partition integer not null, segment integer not null,
  public integer not null, game text not null, players integer not null, options text not null,
  events integer not null, moves integer not null, disputed integer not null, rated integer not null,
  weakest integer, strongest integer
);
create index public_games on games (place) where public;
create index games_of_a_kind on games (game, place) where public;
create index disputed_games on games (place) where public and disputed;
create index rated_games on games (game, players, place) where rated;
create index games_of_a_partition on games (partition, segment);
create table shown (place text primary key, row blob not null) without rowid;
create table holders (
  public integer not null, holder text not null, place text not null, won integer not null,
  slug text not null, seats integer not null,
  primary key (public, holder, place)
) without rowid;
create index holders_of_a_game on holders (place, holder, won);
create table concerned (player text not null, place text not null, primary key (player, place)) without rowid;
create index concerned_by_a_game on concerned (place);
create table scales (
  game text not null, players integer not null, upto text not null, primary key (game, players)
) without rowid;
create table points (
  game text not null, players integer not null, place text not null, holder text not null, games integer not null,
  before integer not null, rating integer not null, deviation integer not null,
  primary key (game, players, place, holder)
) without rowid;
create index points_of_a_holder on points (holder, game, players, place);
create table ratings (
  game text not null, players integer not null, holder text not null, place text not null, games integer not null,
  rating integer not null, deviation integer not null, settled integer not null,
  primary key (game, players, holder)
) without rowid;
create table counted (
  game text not null, players integer not null, rated integer not null, level text not null, seat integer not null,
  kind text not null, feature text not null, value text not null, seats integer not null, won integer not null,
  primary key (game, players, rated, level, seat, kind, feature, value)
) without rowid;
create index leaders on ratings (game, players, settled, rating, holder);
"""

SCHEMA = Schema(1, NAMES, TABLES)
