"""Plays games on with known players, each choosing as at the table: from its view, its feed and luck of its own."""

import hashlib
import random
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from events.canonical import canonical
from games.kernel import AnyGame, MoveSet
from games.payloads import as_read
from games.tomahawk.components import FIELD, TURNS_OF, UNUSED
from games.tomahawk.state import Faces
from worker.players import PLAYERS, pick_move, plays

LONGEST = 2000  # decisions of a rollout: more than any game has

T = TypeVar("T")
Player = tuple[str, int]
Feeds = tuple[tuple[Any, ...], ...]
GREEDY: Player = ("greedy", 2)
UNIFORM: Player = ("uniform", 2)
KNOWN: frozenset[Player] = frozenset({UNIFORM, ("novice", 3), GREEDY})  # players that do not search
FORGETS = frozenset({"big-manitou", "manitou", "plenty-coups"})  # games in which known players do not use the feed


class Moment(NamedTuple):
    """A state, each seat's feed, and the number of decisions so far."""

    state: Any
    feeds: Feeds
    decisions: int


class Lineup(NamedTuple):
    """A game, and the player of each seat."""

    game: AnyGame
    players: tuple[Player, ...]


def stand_in(slug: str) -> Player:
    """Returns the player that continues for unknown ones: `greedy`, or `uniform` where there is no greedy player."""
    return GREEDY if plays("greedy", slug) else UNIFORM


def margins(game: AnyGame, state: Any) -> tuple[float, ...]:
    """Returns each seat's margin over the best other seat."""
    return margins_of([float(row.total) for row in sorted(game.scores(state).scores, key=lambda row: row.seat)])


def margins_of(totals: Sequence[float]) -> tuple[float, ...]:
    """Returns each seat's margin over the best other seat, given the totals of all."""
    return tuple([own - max([*totals[:place], *totals[place + 1 :]]) for place, own in enumerate(totals)])


class SharedLuck:
    """The luck of one world, which is the same at whatever moment a game is continued.

    Two moments are continued with the same cards to come and the same random choices, as far as possible. These common
    random numbers show the difference between two moments with few worlds.
    """

    def __init__(self, name: str, number: int) -> None:
        self.name, self.number = name, number
        self._seed = hashlib.sha256(canonical(["luck", name, number])).digest()
        self._counts: dict[str, int] = {}

    @property
    def is_fresh(self) -> bool:
        """Whether nothing but unseen cards was drawn yet."""
        return not self._counts

    def chance(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        """Draws as `Chance` does; the n-th draw of a kind prefers the same items."""
        number = self._counts[kind] = self._counts.get(kind, 0) + 1
        return self._ordered(f"{kind} {number}", population)[:count]

    def unseen(self, cards: Sequence[T]) -> tuple[T, ...]:
        """Orders unseen cards; the order does not depend on cards that have left the pile."""
        return self._ordered("unseen", cards)

    def luck(self, decision: int) -> random.Random:
        """Returns the luck for a decision, counted from the start of the game."""
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


def start_game(lineup: Lineup, options: Any, world: SharedLuck) -> Moment:
    """Starts a new game."""
    started = lineup.game.start(len(lineup.players), options, world.chance)
    return Moment(started.state, tuple([()] * len(lineup.players)), 0)


def redeal(lineup: Lineup, moment: Moment, world: SharedLuck) -> Moment:
    """Returns the moment with all unseen cards in the order of a world."""
    return moment._replace(state=rearrange(lineup.game.slug, moment.state, world.unseen))


def play_move(lineup: Lineup, moment: Moment, seat: int, move: Any, world: SharedLuck) -> Moment:
    """Returns the moment after a move."""
    transition = lineup.game.play(moment.state, seat, move, world.chance)
    decisions = moment.decisions + 1
    if lineup.game.slug in FORGETS:
        return Moment(transition.state, moment.feeds, decisions)
    feeds = [list(feed) for feed in moment.feeds]
    for before, event, _ in transition.steps:
        readers = lineup.game.readers(before, event)
        for reader, feed in enumerate(feeds, 1):
            feed.append(as_read(event, readers, reader))
    return Moment(transition.state, tuple(map(tuple, feeds)), decisions)


def play_on(lineup: Lineup, moment: Moment, world: SharedLuck) -> tuple[float, ...]:
    """Returns the margins at the end when every seat continues with its player."""
    for _ in range(LONGEST):
        seats = lineup.game.to_act(moment.state)
        if not seats:
            return margins(lineup.game, moment.state)
        move = choice(lineup, moment, seats[0], world.luck(moment.decisions))
        moment = play_move(lineup, moment, seats[0], move, world)
    raise RuntimeError(f"{lineup.game.slug} did not end in {LONGEST} decisions")


def choice(lineup: Lineup, moment: Moment, seat: int, luck: random.Random) -> Any:
    """Returns the move of a seat's player."""
    game, player = lineup.game, lineup.players[seat - 1]
    if player[0] == "uniform":  # without imagining a state first
        return pick_move(luck, game.legal_moves(moment.state, seat))
    chooser: Callable[..., Any] = PLAYERS[player]
    feed = () if game.slug in FORGETS else moment.feeds[seat - 1]
    return chooser(game, game.view(moment.state, seat), feed, luck, 0).move


def is_forced(game: AnyGame, state: Any, seat: int) -> bool:
    """Returns whether a seat has only one legal move."""
    moves: Sequence[Any] = game.legal_moves(state, seat)
    return len(moves) == 1 and not isinstance(moves[0], MoveSet)


Cards = tuple[Any, ...]
Reorder = Callable[[Cards], Cards]


def rearrange(slug: str, state: Any, reorder: Reorder) -> Any:
    """Returns a state with each unseen pile reordered; the same state for a game that is not in `PILES`."""
    return PILES[slug](state, reorder) if slug in PILES else state


def unseen(slug: str, state: Any) -> int:
    """Returns the number of cards and territories that nobody has seen yet."""
    counts: list[int] = []

    def counted(cards: Cards) -> Cards:
        counts.append(len(cards))
        return cards

    rearrange(slug, state, counted)
    return sum(counts)


def _big_manitou(state: Any, reorder: Reorder) -> Any:
    return replace(state, seats=tuple([replace(seat, pile=reorder(seat.pile)) for seat in state.seats]))


def _manitou(state: Any, reorder: Reorder) -> Any:
    camps = tuple([replace(camp, pile=reorder(camp.pile)) for camp in state.camps])
    return replace(state, camps=camps, small=reorder(state.small), large=reorder(state.large))


def _tomahawk(state: Any, reorder: Reorder) -> Any:
    sides = tuple([replace(side, draw_pile=reorder(side.draw_pile)) for side in state.sides])
    return replace(state, sides=sides, faces=replace(state.faces, **_territories(state, reorder)))


def _territories(state: Any, reorder: Reorder) -> dict[str, Any]:
    """Returns the faces of face-down territories; those with the same number of turns change places (TO-2.7)."""
    hidden = [name for pile in state.piles for name in pile.below] + list(UNUSED.values())
    hidden = [name for name in hidden if name != state.most_wanted and state.faces != Faces()]
    faces: dict[str, Any] = {}
    for turns in set(TURNS_OF.values()):
        fields = [FIELD[name] for name in hidden if TURNS_OF[name] == turns]
        faces.update(zip(fields, reorder(tuple([getattr(state.faces, field) for field in fields])), strict=True))
    return faces


PILES: dict[str, Callable[[Any, Reorder], Any]] = {
    "big-manitou": _big_manitou,
    "manitou": _manitou,
    "plenty-coups": lambda state, reorder: replace(state, pile=reorder(state.pile)),
    "tomahawk": _tomahawk,
}
