"""Games played on by known players, each choosing as at the table: from its view, its feed and luck of its own."""

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from events.canonical import canonical
from games.kernel import AnyGame, MoveSet
from games.payloads import as_read
from games.tomahawk.components import FIELD, TURNS_OF, UNUSED
from games.tomahawk.state import Faces
from worker.analysis.evaluating import LONGEST
from worker.players import PLAYERS, chance_of, pick

T = TypeVar("T")
Player = tuple[str, int]
Feeds = tuple[tuple[Any, ...], ...]
GREEDY: Player = ("greedy", 2)
KNOWN: frozenset[Player] = frozenset({("uniform", 2), ("novice", 3), GREEDY})  # who choose without searching
REMEMBERS = frozenset({"tomahawk"})  # games in which a known player looks at more than its view


class Moment(NamedTuple):
    """A game at a moment, what each seat has seen of it, and how many decisions were taken before."""

    state: Any
    feeds: Feeds
    decisions: int


class Lineup(NamedTuple):
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


def begun(lineup: Lineup, options: Any, world: World) -> Moment:
    """The game laid out anew."""
    started = lineup.game.start(len(lineup.players), options, world.chance)
    return Moment(started.state, tuple([()] * len(lineup.players)), 0)


def dealt_anew(lineup: Lineup, moment: Moment, world: World) -> Moment:
    """The same moment with what nobody has seen in the order of a world."""
    return moment._replace(state=rearranged(lineup.game.slug, moment.state, world.unseen))


def moved(lineup: Lineup, moment: Moment, seat: int, move: Any, world: World) -> Moment:
    """The moment after a move."""
    transition = lineup.game.play(moment.state, seat, move, world.chance)
    decisions = moment.decisions + 1
    if lineup.game.slug not in REMEMBERS:
        return Moment(transition.state, moment.feeds, decisions)
    feeds = [list(feed) for feed in moment.feeds]
    for before, event, _ in transition.steps:
        readers = lineup.game.readers(before, event)
        for reader, feed in enumerate(feeds, 1):
            feed.append(as_read(event, readers, reader))
    return Moment(transition.state, tuple(map(tuple, feeds)), decisions)


def played_on(lineup: Lineup, moment: Moment, world: World) -> tuple[float, ...]:
    """The margins at the end, when every seat goes on as its player does."""
    for _ in range(LONGEST):
        seats = lineup.game.to_act(moment.state)
        if not seats:
            return margins(lineup.game, moment.state)
        move = choice(lineup, moment, seats[0], world.luck(moment.decisions))
        moment = moved(lineup, moment, seats[0], move, world)
    raise RuntimeError(f"{lineup.game.slug} did not end in {LONGEST} decisions")


def choice(lineup: Lineup, moment: Moment, seat: int, luck: random.Random) -> Any:
    """The move of the player at a seat."""
    game, player = lineup.game, lineup.players[seat - 1]
    if player[0] == "uniform":  # as it chooses itself, without imagining a table that allows the same moves
        listed = pick(luck, game.legal_moves(moment.state, seat))
        return listed.sample(chance_of(luck)) if isinstance(listed, MoveSet) else listed
    chooser: Callable[..., Any] = PLAYERS[player]
    feed = moment.feeds[seat - 1] if game.slug in REMEMBERS else ()
    return chooser(game, game.view(moment.state, seat), feed, luck, 0).move


def is_forced(game: AnyGame, state: Any, seat: int) -> bool:
    """Whether a seat has one move alone."""
    moves: Sequence[Any] = game.legal_moves(state, seat)
    return len(moves) == 1 and not isinstance(moves[0], MoveSet)


Cards = tuple[Any, ...]
Reorder = Callable[[Cards], Cards]


def rearranged(slug: str, state: Any, reorder: Reorder) -> Any:
    """A state with each unseen pile as `reorder` lays it; raises `KeyError` for a game that is not told of here."""
    return PILES[slug](state, reorder)


def unseen(slug: str, state: Any) -> int:
    """How many cards and territories nobody has seen yet."""
    counts: list[int] = []

    def counted(cards: Cards) -> Cards:
        counts.append(len(cards))
        return cards

    rearranged(slug, state, counted)
    return sum(counts)


def can_rearrange(slug: str) -> bool:
    """Whether the unseen piles of a game are known."""
    return slug in PILES


def _big_manitou(state: Any, reorder: Reorder) -> Any:
    return replace(state, seats=tuple([replace(seat, pile=reorder(seat.pile)) for seat in state.seats]))


def _manitou(state: Any, reorder: Reorder) -> Any:
    camps = tuple([replace(camp, pile=reorder(camp.pile)) for camp in state.camps])
    return replace(state, camps=camps, small=reorder(state.small), large=reorder(state.large))


def _plenty_coups(state: Any, reorder: Reorder) -> Any:
    return replace(state, pile=reorder(state.pile))


def _tomahawk(state: Any, reorder: Reorder) -> Any:
    sides = tuple([replace(side, draw_pile=reorder(side.draw_pile)) for side in state.sides])
    return replace(state, sides=sides, faces=replace(state.faces, **_territories(state, reorder)))


def _territories(state: Any, reorder: Reorder) -> dict[str, Any]:
    """The faces of the territories that lie face down; those of a length change places (TO-2.7)."""
    hidden = [name for pile in state.piles for name in pile.below] + list(UNUSED.values())
    hidden = [name for name in hidden if name != state.most_wanted and state.faces != Faces()]
    faces: dict[str, Any] = {}
    for turns in set(TURNS_OF.values()):
        fields = [FIELD[name] for name in hidden if TURNS_OF[name] == turns]
        faces.update(zip(fields, reorder(tuple([getattr(state.faces, field) for field in fields])), strict=True))
    return faces


PILES: Mapping[str, Callable[[Any, Reorder], Any]] = {
    "big-manitou": _big_manitou,
    "manitou": _manitou,
    "plenty-coups": _plenty_coups,
    "tomahawk": _tomahawk,
}
