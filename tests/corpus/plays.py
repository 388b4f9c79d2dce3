"""Thousands of games, each as its seats, house rules, seed and moves, and a digest of all that followed from them.

What was decided once has to be decided so for ever: played again, the same moves bring the same events. A file holds
the games of one kind, one a line; `tests.corpus.record` made it. A line takes some hundred bytes of it.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from events.archiving.compression import compress, decompress
from events.canonical import canonical
from events.verifiable_luck import Imagined
from games import GAMES
from games.kernel import Transition
from games.payloads import payload_of
from wintercount.match import Recorded, recorded_events

FOLDER = Path(__file__).parent
LEVEL = 19  # it is written once


class Play(msgspec.Struct, frozen=True):
    """A whole game. `by` names who held each seat; `rules` is the version of the rules by which it was played."""

    players: int
    options: dict[str, Any]
    seed: int
    by: list[str]
    rules: int
    moves: list[tuple[int, dict[str, Any]]]
    events: int
    head: str


def path_of(slug: str) -> Path:
    """The file of a game's plays."""
    return FOLDER / f"{slug}.plays.ndjson.zst"


def plays_of(slug: str) -> Iterator[Play]:
    """All plays of a game, in the order in which they were recorded."""
    for line in decompress(path_of(slug).read_bytes()).splitlines():
        yield msgspec.json.decode(line, type=Play)


def write(slug: str, plays: list[Play]) -> None:
    """Writes all plays of a game."""
    text = b"".join(msgspec.json.encode(play) + b"\n" for play in plays)
    path_of(slug).write_bytes(compress(text, LEVEL))


class Game:
    """A game that is played: its `state` and its `record`. A seed means the luck that it meant for the first plays."""

    def __init__(self, slug: str, players: int, options: dict[str, Any], seed: int) -> None:
        self.rules, self._chance = GAMES[slug], Imagined(seed)
        self.record: list[Recorded] = []
        self._adopt(self.rules.start(players, self.rules.read_options(options, players), self._chance))

    def _adopt(self, transition: Transition[Any]) -> None:
        self.record += recorded_events(self.rules, transition)
        self.state = transition.state

    def play(self, seat: int, move: Any) -> None:
        """Plays a move."""
        self._adopt(self.rules.play(self.state, seat, self.rules.read_move(move), self._chance))

    def head(self) -> str:
        """A digest of everything that has happened, secrets included."""
        found = hashlib.sha256()
        for event, _ in self.record:
            found.update(canonical([type(event).__name__, payload_of(event)]))
        return found.hexdigest()[:32]


def played_again(slug: str, play: Play) -> tuple[int, str, bool]:
    """How many events today's rules bring of the same moves, their digest, and whether the game is over."""
    game = Game(slug, play.players, play.options, play.seed)
    for seat, move in play.moves:
        game.play(seat, move)
    return len(game.record), game.head(), not game.rules.to_act(game.state)
