"""Time travel: a table at any of its versions beside python-chess, which replays a game to any of its positions."""

import io
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import chess
import chess.pgn

from benchmarks.engine import Luck
from benchmarks.figures import Size
from benchmarks.host import Host, store
from benchmarks.peers.compared import Contender, Contest, Part, Turns, for_a_while
from benchmarks.play import handler_on, people, play_to
from events.store import RedisLog
from projections.folding import fold
from projections.history import TableCache, TableHistory

VERSIONS, SEATS = 200, 4
ASKED = 50  # positions asked for in a row
EVERY = "every position, in order"
ANY = "any position, from the beginning"
STORED = "every position, from where it is stored"
NOTES = f"""
A table of Big Manitou with {SEATS} seats at each of its first {VERSIONS} versions, and a game of chess of
random legal moves at each of its first {VERSIONS} plies; positions a second of the process. An event of ours
is checked and converted from what was recorded, then folded into a frozen struct that stays as it is; a ply
of python-chess changes one board in place, so that whoever wants two positions at once has to copy it.

A position from the beginning replays, on average, a hundred events or plies. Our service keeps a moment every
50 versions besides, from which it folds: that row stands beside.

Stored is ours in Valkey, asked over a socket, as records with hashes and seals; theirs is a game in PGN, from
memory, in which each move has to be found among the legal ones. The socket's time of others is not counted.
"""


def game_of(plies: int, rng: random.Random) -> chess.Board:
    """A game of random legal moves that has that many plies."""
    board = chess.Board()
    while board.ply() < plies:
        moves = list(board.legal_moves)
        if not moves:
            board.reset()
            continue
        board.push(rng.choice(moves))
    return board


def chess_walk(moves: Sequence[chess.Move]) -> int:
    """Every position in order."""
    board = chess.Board()
    for move in moves:
        board.push(move)
    return len(moves)


def chess_at(moves: Sequence[chess.Move], plies: Iterator[int]) -> int:
    """Some positions, each from the beginning."""
    for _ in range(ASKED):
        chess_walk(moves[: next(plies)])
    return ASKED


def chess_read(text: str) -> int:
    """Every position of a game in PGN."""
    game = chess.pgn.read_game(io.StringIO(text))
    if game is None:
        raise ValueError("no game")
    plies: int = game.end().board().ply()
    return plies


def our_walk(history: TableHistory) -> int:
    """Every version in order."""
    for _ in history.walk(1, VERSIONS):
        pass
    return VERSIONS


def our_beginnings(history: TableHistory, versions: Iterator[int]) -> int:
    """Some versions, each from the beginning."""
    for _ in range(ASKED):
        fold(None, history.events[: next(versions)])
    return ASKED


def our_at(history: TableHistory, versions: Iterator[int]) -> int:
    """Some versions, as the service finds them."""
    for _ in range(ASKED):
        history.at(next(versions))
    return ASKED


def our_read(log: RedisLog, table: str) -> int:
    """Every version of a table in the store, by a process that does not know it."""
    history = TableCache(log).load(table)
    if history is None:
        raise ValueError(f"no table {table}")
    return history.table.version


def at_random(seed: int) -> Iterator[int]:
    """Versions or plies, each equally likely."""
    rng = random.Random(seed)
    while True:
        yield rng.randint(1, VERSIONS)


def positions(size: Size) -> Part:
    """In order, at random, and from where they are stored."""
    game = game_of(VERSIONS, random.Random(1))
    pgn = str(chess.pgn.Game.from_board(game))
    with store() as url:
        log = Host(url, 0).log()
        table = play_to(handler_on(log), people(SEATS), VERSIONS, Luck(1)).id
        history = TableCache(log).load(table)
        if history is None:
            raise ValueError(f"no table {table}")
        turns, groups = Turns(size), []
        for contest in contests(history, game.move_stack, size):
            groups.append(turns.of(contest))
        groups.append(turns.of(stored(log, table, pgn, size)))
    return Part("Time travel: python-chess", NOTES, groups, turns.yards)


def contests(history: TableHistory, moves: Sequence[chess.Move], size: Size) -> Iterator[Contest]:
    """What both do in memory."""
    spent = size.yard_s

    def ours(by: str, work: Callable[[], int]) -> Contender:
        return Contender(by, partial(for_a_while, work, spent), ours=True)

    def theirs(work: Callable[[], int]) -> Contender:
        return Contender("python-chess", partial(for_a_while, work, spent))

    yield Contest(
        EVERY,
        "positions/s",
        [ours("wintercount", partial(our_walk, history)), theirs(partial(chess_walk, moves))],
    )
    yield Contest(
        ANY,
        "positions/s",
        [
            ours("wintercount", partial(our_beginnings, history, at_random(1))),
            ours("wintercount, from the nearest moment kept", partial(our_at, history, at_random(1))),
            theirs(partial(chess_at, moves, at_random(1))),
        ],
    )


def stored(log: RedisLog, table: str, pgn: str, size: Size) -> Contest:
    """What both do from a record."""
    return Contest(
        STORED,
        "positions/s",
        [
            Contender(
                "wintercount, Valkey", partial(for_a_while, partial(our_read, log, table), size.yard_s), ours=True
            ),
            Contender("python-chess, PGN", partial(for_a_while, partial(chess_read, pgn), size.yard_s)),
        ],
    )
