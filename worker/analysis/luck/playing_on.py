"""Games played on by known players, each choosing as at the table: from its view, its feed and luck of its own."""

import hashlib
import random
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

import msgspec

from events.canonical import canonical
from games.kernel import AnyGame, MoveSet
from worker.analysis.luck.unseen import rearranged
from worker.analysis.rollouts import LONGEST
from worker.players import PLAYERS
from worker.players.luck import chance_of, pick

T = TypeVar("T")
Player = tuple[str, int]
Feeds = tuple[tuple[Any, ...], ...]
GREEDY: Player = ("greedy", 2)
KNOWN: frozenset[Player] = frozenset({("uniform", 2), ("novice", 3), GREEDY})  # who choose without searching
REMEMBERS = frozenset({"tomahawk"})  # games in which a known player looks at more than its view


class Standing(NamedTuple):
    """A game at a moment, what each seat has seen of it, and how many decisions were taken before."""

    state: Any
    feeds: Feeds
    decisions: int


class Table(NamedTuple):
    """A game, and who plays each seat."""

    game: AnyGame
    players: tuple[Player, ...]


def margins(game: AnyGame, state: Any) -> tuple[float, ...]:
    """How far each seat is ahead of the best other."""
    totals = [float(row.total) for row in sorted(game.scores(state).scores, key=lambda row: row.seat)]
    return tuple([own - max(totals[:place] + totals[place + 1 :]) for place, own in enumerate(totals)])


class World:
    """One way in which luck may fall: the same for the same things, at whatever moment a game is played on from.

    Two moments of a game are played on with the same cards to come and the same whims, as far as they can be. So what
    is worth more at one of them is seen in few worlds (common random numbers).
    """

    def __init__(self, name: str, number: int) -> None:
        self.name, self.number = name, number
        self._seed = hashlib.sha256(canonical(["luck", name, number])).digest()
        self._counts: dict[str, int] = {}

    @property
    def is_fresh(self) -> bool:
        """Whether nothing was drawn in it yet but unseen cards."""
        return not self._counts

    def chance(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        """As `Chance` has it: the n-th draw of a kind prefers the same items."""
        number = self._counts[kind] = self._counts.get(kind, 0) + 1
        return self._ordered(f"{kind} {number}", population)[:count]

    def unseen(self, cards: Sequence[T]) -> tuple[T, ...]:
        """Unseen cards in their order in this world: the same whichever others have left the pile."""
        return self._ordered("unseen", cards)

    def luck(self, decision: int) -> random.Random:
        """The luck of whoever takes a decision, which is counted from the start of the game."""
        return random.Random(self._key(f"decision {decision}"))  # noqa: S311 - repeatable

    def _ordered(self, what: str, items: Sequence[T]) -> tuple[T, ...]:
        copies: dict[str, int] = {}
        keyed = []
        for item in items:
            name = str(item)
            copies[name] = copies.get(name, 0) + 1
            keyed.append((self._key(f"{what} {name} {copies[name]}"), item))
        return tuple([item for _, item in sorted(keyed, key=itemgetter(0))])

    def _key(self, what: str) -> bytes:
        return hashlib.blake2b(what.encode(), key=self._seed, digest_size=16).digest()


def begun(table: Table, options: Any, world: World) -> Standing:
    """The game laid out anew."""
    started = table.game.start(len(table.players), options, world.chance)
    return Standing(started.state, tuple([()] * len(table.players)), 0)


def dealt_anew(table: Table, standing: Standing, world: World) -> Standing:
    """The same moment with what nobody has seen in the order of a world."""
    return standing._replace(state=rearranged(table.game.slug, standing.state, world.unseen))


def moved(table: Table, standing: Standing, seat: int, move: Any, world: World) -> Standing:
    """The moment after a move."""
    transition = table.game.play(standing.state, seat, move, world.chance)
    decisions = standing.decisions + 1
    if table.game.slug not in REMEMBERS:
        return Standing(transition.state, standing.feeds, decisions)
    feeds = [list(feed) for feed in standing.feeds]
    for before, event, _ in transition.steps:
        hidden = table.game.readers(before, event)
        for reader, feed in enumerate(feeds, 1):
            unread = {name: msgspec.UNSET for name, seats in hidden.items() if reader not in seats}
            feed.append(msgspec.structs.replace(event, **unread) if unread else event)
    return Standing(transition.state, tuple(map(tuple, feeds)), decisions)


def played_on(table: Table, standing: Standing, world: World) -> tuple[float, ...]:
    """The margins at the end, when every seat goes on as its player does."""
    for _ in range(LONGEST):
        seats = table.game.to_act(standing.state)
        if not seats:
            return margins(table.game, standing.state)
        move = choice(table, standing, seats[0], world.luck(standing.decisions))
        standing = moved(table, standing, seats[0], move, world)
    raise RuntimeError(f"{table.game.slug} did not end in {LONGEST} decisions")


def choice(table: Table, standing: Standing, seat: int, luck: random.Random) -> Any:
    """The move of the player at a seat."""
    game, player = table.game, table.players[seat - 1]
    if player[0] == "uniform":  # as it chooses itself, without imagining a table that allows the same moves
        listed = pick(luck, game.legal_moves(standing.state, seat))
        return listed.sample(chance_of(luck)) if isinstance(listed, MoveSet) else listed
    chooser: Callable[..., Any] = PLAYERS[player]
    feed = standing.feeds[seat - 1] if game.slug in REMEMBERS else ()
    return chooser(game, game.view(standing.state, seat), feed, luck, 0).move


def is_forced(game: AnyGame, state: Any, seat: int) -> bool:
    """Whether a seat has one move alone."""
    moves: Sequence[Any] = game.legal_moves(state, seat)
    return len(moves) == 1 and not isinstance(moves[0], MoveSet)
