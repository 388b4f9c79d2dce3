"""Finished tables read from archives: views at any version, and the same moves under other house rules."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from events.envelopes import Recorded
from events.verify import lines_of
from games.kernel import AnyGame
from projections.history import TableHistory
from rulings.archive_format import open_archive, read_history, replay_archive
from rulings.replay import Report


class Archive:
    """A finished table. Its `version` is the number of its events; version 57 is the table after event 57."""

    def __init__(self, history: TableHistory) -> None:
        self.history = history

    @property
    def game(self) -> AnyGame:
        """The game that was played."""
        return self.history.table.game

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.history.table.opened.players

    @property
    def options(self) -> dict[str, Any]:
        """The house rules in force at the end."""
        return self.history.table.options

    @property
    def version(self) -> int:
        """The number of events."""
        return self.history.table.version

    @property
    def events(self) -> tuple[Recorded, ...]:
        """Every event of the table as it was recorded, with its hash and its secrets."""
        return self.history.events

    @property
    def scores(self) -> Any:
        """The final points of each seat, with the ranking and the winners."""
        return self.history.table.scores

    def state(self, version: int | None = None) -> Any:
        """Returns the state of the game at a version, by default the last; raises `LookupError` if there is none."""
        wanted = self.version if version is None else version
        if not 1 <= wanted <= self.version:
            raise LookupError(f"there is no version {wanted}: the table has versions 1 to {self.version}")
        state = self.history.at(wanted).state
        if state is None:
            raise LookupError(f"at version {wanted} the game has not begun")
        return state

    def view(self, seat: int | None, version: int | None = None) -> Any:
        """Returns what a seat saw at a version; None is a spectator. Raises `LookupError` if there was no game."""
        return self.game.view(self.state(version), seat)

    def feed(self, seat: int | None, version: int | None = None) -> tuple[Any, ...]:
        """Returns the game's events up to a version, with `msgspec.UNSET` in place of what the seat could not read."""
        return self.history.feed(seat, until=version)


def read_archive(path: str | Path) -> Archive:
    """The table of a complete archive, packed with gzip or not, its hash chain checked; raises `ArchiveRefused`."""
    with open_archive(Path(path)) as file:
        return Archive(read_history(lines_of(file)))


def redecide(archive: Archive, options: Mapping[str, Any] | None = None) -> Report:
    """Takes every recorded decision again, under other house rules if given, and reports the first difference.

    Raises `OptionsRefused` for unknown house rules, `ArchiveRefused` if the record makes no sense.
    """
    return replay_archive(archive.history, options)
