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
from games import GAMES
from games.payloads import payload_of
from wintercount.match import Match

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


def head_of(match: Match[Any, Any, Any, Any]) -> str:
    """A digest of everything that has happened, secrets included."""
    found = hashlib.sha256()
    for event in match.events:
        found.update(canonical([type(event).__name__, payload_of(event)]))
    return found.hexdigest()[:32]


def played_again(slug: str, play: Play) -> tuple[int, str, bool]:
    """How many events today's rules bring of the same moves, their digest, and whether the game is over."""
    match = Match(GAMES[slug], play.players, play.options, play.seed)
    for seat, move in play.moves:
        match.play(seat, move)
    return len(match.events), head_of(match), not match.to_act
