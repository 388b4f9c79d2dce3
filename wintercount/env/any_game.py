"""The coding of any game, for those whose package provides none: made from views and legal moves alone.

An action stands for a whole move, by a checksum of its JSON, so a move keeps its action from decision to decision;
only where two legal moves share one does the later take the next that is free. Of more than `MOST` legal moves,
`MOST` can be taken: always the same ones of the same moves. An observation is hashed (the hashing trick; Weinberger
et al. 2009): each number of the view adds to a figure by its path, and each value sets a mark by its path and one by
the path without its place in the last list.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple
from zlib import crc32

import msgspec

from events.canonical import canonical
from games.kernel import AnyGame, MoveSet
from wintercount.env.choices import OneOf
from wintercount.env.layout import HIGHEST, LOWEST, Coding, Slots
from wintercount.match import RandomChance

ACTIONS = tuple(f"move {number}" for number in range(1024))
MOST = len(ACTIONS) // 2
FIGURES, MARKS = range(512), range(4096)


class Seen(NamedTuple):
    """What a seat may know: its view, and its legal moves."""

    view: Any
    legal: Sequence[Any]


def seen_of(game: AnyGame, state: Any, seat: int) -> Seen:
    """Returns what a seat may know of a state."""
    return Seen(game.view(state, seat), game.legal_moves(state, seat))


def numbered(legal: Sequence[Any]) -> Mapping[int, Any]:
    """Returns the legal moves that can be taken, by their actions."""
    chance = RandomChance(random.Random(crc32(canonical(legal))))  # noqa: S311 - no secrets made
    moves = {canonical(move): move for entry in legal for move in _moves(entry, chance)}
    listed = list(moves) if len(moves) <= MOST else chance("moves", list(moves), MOST)
    found: dict[int, Any] = {}
    for move in listed:
        number = crc32(move) % len(ACTIONS)
        while number in found:
            number = (number + 1) % len(ACTIONS)
        found[number] = moves[move]
    return found


def _moves(entry: Any, chance: RandomChance) -> Sequence[Any]:
    """Returns a move, or those that a summary stands for: a sample if they are many."""
    if not isinstance(entry, MoveSet):
        return (entry,)
    some = list(islice(entry.expansions(), MOST + 1))
    return some if len(some) <= MOST else [entry.sample(chance) for _ in range(MOST)]


def choose(_: Callable[[], Seen], legal: Sequence[Any]) -> OneOf:
    """Opens the decision between the legal moves of a seat."""
    return OneOf(numbered(legal))


def spell(seen: Seen, move: Any) -> Sequence[int]:
    """Returns the action that makes a move; raises `LookupError` for one that is not among those that can be taken."""
    actions = {canonical(other): number for number, other in numbered(seen.legal).items()}
    return (actions[canonical(move)],)


class ViewObserver:
    """What a seat sees of any game."""

    def __init__(self) -> None:
        self.slots = Slots()
        self.slots.figures("figure", FIGURES)
        self.slots.marks("mark", MARKS)

    def write(self, seen: Seen, figures: list[float], marks: list[int]) -> None:
        """Adds all figures, and the marks that are 1."""
        sums = [0.0] * len(FIGURES)
        for path, anywhere, value in _values(msgspec.to_builtins(seen.view, str_keys=True, order="sorted")):
            if isinstance(value, (int, float)):
                sums[crc32(path.encode()) % len(sums)] += value
            marks += [crc32(f"{place}={value}".encode()) % len(MARKS) for place in (path, anywhere)]
        figures += [min(max(figure, LOWEST), HIGHEST) for figure in sums]


def _values(value: Any, path: str = "", anywhere: str = "") -> Iterator[tuple[str, str, Any]]:
    """Yields each value that the seat knows with its path, and with the path without its place in the last list."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _values(part, f"{path}/{name}", f"{anywhere}/{name}")
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _values(part, f"{path}/{place}", f"{path}/*")
    elif value is not None:
        yield path, anywhere, value


def coding(game: AnyGame, players: int) -> Coding:
    """Returns a coding of a game."""
    return Coding(players, ACTIONS, (), ViewObserver(), choose, spell, partial(seen_of, game))
