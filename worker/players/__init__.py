"""AI players. A player gets its seat's view and feed, a seed and a budget; this package imports only `games`.

A game's players are the modules with its name in `greedy` and `search`. Installed packages provide them by entry points
with the game's name, in the groups `wintercount.greedy` and `wintercount.search`. A greedy module has `weigh`, and
`NOISE` if the novice can play the game; a search module has `choose`, `ITERATIONS` by level, and may have `foresee`.
A game without a search module is played by `search.any_game`.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Any, NamedTuple, TypeVar

from games.kernel import AnyGame, Chance, MoveSet

T = TypeVar("T")

# The module that a player needs for a game, and the name required in it; other players play every game.
NEEDS = {"novice": ("greedy", "NOISE"), "greedy": ("greedy", "weigh")}
CALLED = {"greedy": "weigh", "search": "choose"}  # the function that every such module has


class Candidate(NamedTuple):
    """A move that was considered: the number of visits, and the mean value in the player's own unit."""

    move: Any
    visits: int
    value: float


class Chosen(NamedTuple):
    """A player's move, the number of iterations, and the moves considered, the best first."""

    move: Any
    iterations: int
    candidates: tuple[Candidate, ...] = ()


class Foresight(NamedTuple):
    """What the seats may expect in the end: their totals, and by how much their differences may still change.

    `spread` is the lead that wins with a probability of 73 %.
    """

    totals: list[float]
    spread: float


def choose(  # noqa: PLR0913, PLR0917 - the whole input of a player
    player: tuple[str, int], game: AnyGame, view: Any, feed: Sequence[Any], seed: str, budget: int = 0
) -> Chosen:
    """Returns a player's move, which depends only on its version, view, feed, seed (hexadecimal) and budget."""
    luck = random.Random(bytes.fromhex(seed))  # noqa: S311 - repeatable
    return PLAYERS[player](game, view, feed, luck, budget)


# The players


def choose_uniform(game: AnyGame, view: Any, feed: Sequence[Any], luck: random.Random, _budget: int) -> Chosen:
    """Chooses any legal move; the entries in the list of legal moves are equally likely."""
    moves = game.legal_moves(game.imagine(view, feed, chance_of(luck)), view.seat)
    return Chosen(pick_move(luck, moves), 0, tuple([Candidate(entry, 0, 1 / len(moves)) for entry in moves]))


def choose_novice(game: AnyGame, view: Any, feed: Sequence[Any], luck: random.Random, _budget: int) -> Chosen:
    """Values moves as the greedy player does, with random errors up to a bound, the `NOISE` of the greedy module.

    It never chooses a move that is worse by more than the bound. The best move and the median one differ by 4.5 points
    in Manitou, 1.0 in Big Manitou, 1.8 in Tomahawk and 0.3 in Plenty Coups (medians of six games of two each). The
    bounds are larger, because one of the better moves still looks best among many. With half the bounds, novices lost
    less than luck decides, and greedy did not win more than its share at larger tables.
    """
    noise = require_module("greedy", game.slug).NOISE
    weighed = weigh(game, view, feed, luck)
    felt = [Candidate(row.move, row.visits, row.value + noise * luck.random()) for row in weighed]
    felt.sort(key=lambda row: -row.value)
    return Chosen(felt[0].move, 0, tuple(felt))


def choose_greedy(game: AnyGame, view: Any, feed: Sequence[Any], luck: random.Random, _budget: int) -> Chosen:
    """Chooses the move with the best value one move ahead, from the seat's own view."""
    weighed = weigh(game, view, feed, luck)
    return Chosen(weighed[0].move, 0, tuple(weighed))


def choose_search(game: AnyGame, view: Any, feed: Sequence[Any], luck: random.Random, budget: int) -> Chosen:
    """Chooses a move by searching on imagined tables, with `budget` iterations."""
    own = find_module("search", game.slug)
    found: Chosen = own.choose(view, feed, luck, budget) if own else any_search().choose(game, view, feed, luck, budget)
    return found


def weigh(game: AnyGame, view: Any, feed: Sequence[Any], luck: random.Random) -> list[Candidate]:
    """Returns the greedy player's moves and their values in points of the game, the best first."""
    weigher: Callable[..., list[Candidate]] = require_module("greedy", game.slug).weigh
    return weigher(view, feed, luck)


def ranked(moves: Iterable[Any], value_of: Callable[[Any], float], luck: random.Random) -> list[Candidate]:
    """Returns moves with their values, the best first; luck orders equal ones."""
    rows = [(value_of(move), luck.random(), move) for move in moves]
    rows.sort(key=lambda row: (-row[0], row[1]))
    return [Candidate(move, 0, value) for value, _, move in rows]


# A version has one behaviour for ever: a change of a player's choices needs a new version. Moves of versions that no
# longer exist cannot be recomputed.
PLAYERS: dict[tuple[str, int], Callable[[AnyGame, Any, Sequence[Any], random.Random, int], Chosen]] = {
    ("uniform", 2): choose_uniform,
    ("novice", 3): choose_novice,
    ("greedy", 2): choose_greedy,
    ("search", 4): choose_search,
}


# The players of a game


@cache
def find_module(kind: str, game: str) -> Any:
    """Returns the module of a game's `greedy` or `search` player, or None."""
    name = f"worker.players.{kind}.{game.replace('-', '_')}"
    if find_spec(name) is not None and hasattr(module := import_module(name), CALLED[kind]):
        return module
    return next((entry.load() for entry in entry_points(group=f"wintercount.{kind}", name=game)), None)


def require_module(kind: str, game: str) -> Any:
    """Returns the module of a game's player; raises `LookupError`."""
    module = find_module(kind, game)
    if module is None:
        raise LookupError(f"{game} has no {kind} player")
    return module


def plays(player: str, game: str) -> bool:
    """Returns whether a player, such as `novice`, can play a game."""
    if player not in NEEDS:
        return True
    kind, name = NEEDS[player]
    return hasattr(find_module(kind, game), name)


def iterations(player: str, level: str, game: str) -> int | None:
    """Returns a player's iterations at a level: 0 if it does not search, None if it does not play there."""
    if not plays(player, game):
        return None
    if player != "search":
        return 0
    count: int | None = (find_module("search", game) or any_search()).ITERATIONS.get(level)
    return count


def any_search() -> Any:
    """Returns the module of the player that searches in any game."""
    return import_module("worker.players.search.any_game")


# A player's luck uses `random()` alone, which gives the same numbers in every version of Python


def chance_of(luck: random.Random) -> Chance:
    """Returns a `Chance` with this luck, for imagined worlds and samples."""

    def chance(kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:  # noqa: ARG001 - only the log needs the kind of a draw
        moved: dict[int, int] = {}  # the items that have changed places: a large population is not copied
        drawn = []
        for i in range(count):
            j = i + int(luck.random() * (len(population) - i))
            drawn.append(population[moved.get(j, j)])
            moved[j] = moved.get(i, i)
        return tuple(drawn)

    return chance


def pick(luck: random.Random, population: Sequence[T]) -> T:
    """Returns one item, each equally likely."""
    return population[int(luck.random() * len(population))]


def pick_move(luck: random.Random, moves: Sequence[Any]) -> Any:
    """Returns a move from a list of legal moves, each entry equally likely."""
    listed = pick(luck, moves)
    return listed.sample(chance_of(luck)) if isinstance(listed, MoveSet) else listed
