"""Given a table, when somebody moves, then these events: scenes of Big Manitou written in the words of its rules.

Cards and tiles are lists in one string; a hero in brackets is turned face down: `"chief-1 (scout-1) hunter-9"`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import msgspec

from games.big_manitou import game as big_manitou
from games.big_manitou import hunt_steps
from games.big_manitou.components import DECK, GROUNDS, STRENGTH, TILES, in_deck_order, in_tile_order
from games.big_manitou.evolve import Scribe
from games.big_manitou.state import Ground, Phase, Seat, State
from games.kernel import first_of_all as in_order
from games.manitou_family_parties import SeatCard, turn_order
from games.payloads import event_type
from games.rows import without
from tests.games.spec import Told, refused_by

Rows = Mapping[int, str]


@dataclass(frozen=True)
class Scene(Told):
    """A table, and the events that led to it."""

    state: State
    events: list[Any] = field(default_factory=list)

    def when(self, seat: int, move: str, **fields: Any) -> "Scene":
        """The seat makes a move."""
        return self._after(big_manitou.play(self.state, seat, {"type": move, **fields}, in_order))

    def when_all_cards_are_played(self) -> "Scene":
        """The steps after the hunter move: from unplayed cards on."""
        return self._by(hunt_steps.after_hunter_move)

    def when_turns_are_over(self) -> "Scene":
        """The steps after the seventh turns: from the extra card on."""
        return self._by(hunt_steps.after_turns)

    def when_grounds_are_evaluated(self) -> "Scene":
        """The evaluation, from the ground on that is not evaluated yet."""
        return self._by(hunt_steps.evaluate_grounds)

    def when_the_hunt_ends(self) -> "Scene":
        """The steps from the end of the hunt on."""
        return self._by(hunt_steps.end_hunt)

    def refusal(self, seat: Any, move: Any, **fields: Any) -> str:
        """The rule that refuses the move; `move` is a type or a whole JSON value."""
        raw = {"type": move, **fields} if isinstance(move, str) else move
        rule = refused_by(big_manitou, self.state, seat, raw)
        assert rule is not None, f"{raw} was accepted"
        return rule

    def payloads(self, *types: str) -> list[dict[str, Any]]:
        """What all events of these types say, and their types; rows are tuples, as the examples write them."""
        return [dict(msgspec.to_builtins(event)) for event in self.events if event_type(type(event)) in types]

    @property
    def to_act(self) -> tuple[int, ...]:
        return big_manitou.to_act(self.state)

    def legal(self, seat: int) -> list[Any]:
        """The moves listed for a seat, as JSON."""
        listed: list[Any] = msgspec.to_builtins(big_manitou.legal_moves(self.state, seat))
        return listed

    def but(self, **options: str) -> "Scene":
        """The same scene under other house rules."""
        return replace(self, state=changed(self.state, options=changed(self.state.options, **options)))

    def _by(self, step: Callable[..., None]) -> "Scene":
        scribe = Scribe(self.state)
        step(scribe, in_order)
        return self._after(scribe.transition())

    def _after(self, turn: Any) -> "Scene":
        return Scene(turn.state, list(turn.events))


changed = msgspec.structs.replace


def new_game(players: int, **options: str) -> Scene:
    """A game that has just started, with luck that takes things as they lie."""
    turn = big_manitou.start(players, big_manitou.read_options(options, players), in_order)
    return Scene(turn.state, list(turn.events))


@dataclass(frozen=True, kw_only=True)
class Said:
    """What a test says of a table in the middle of a hunt; what it leaves out is as it commonly is.

    `turn`: which turn of which seat; `hand`, `pile`, `reserve`, `tiles`: of seats; `stock`: the tiles of grounds;
    `laid`: for each ground the cards of seats. Cards that are named nowhere are in the reserve, or discarded if
    `reserve` names the seat; tiles that are named nowhere are in the bag. `further` has other fields of the state.
    """

    players: int = 3
    hunt: int = 1
    phase: Phase | None = "play"
    turn: tuple[int, int] = (1, 1)
    hand: Rows = field(default_factory=dict)
    pile: Rows = field(default_factory=dict)
    reserve: Rows = field(default_factory=dict)
    tiles: Rows = field(default_factory=dict)
    stock: Rows = field(default_factory=dict)
    laid: Mapping[int, Rows] = field(default_factory=dict)
    totem: int | None = None
    horse: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    further: Mapping[str, Any] = field(default_factory=dict)

    def state(self) -> State:
        """The table as it was said to be."""
        order = turn_order((self.hunt - 1) % self.players + 1, self.players)
        options = big_manitou.read_options(self.options, self.players)
        grounds = tuple(_ground(self.players, self.stock.get(n, ""), self.laid.get(n, {})) for n in GROUNDS)
        seats = tuple(self.seat(seat, grounds) for seat in range(1, self.players + 1))
        owners: tuple[Seat | Ground, ...] = (*seats, *grounds)
        state = State(
            players=self.players,
            options=options,
            bag=without(TILES[options.tile_set], {tile for owner in owners for tile in owner.tiles}),
            seats=seats,
            grounds=grounds,
            hunt=self.hunt,
            turn_order=order,
            phase=self.phase,
            turns=(self.turn[0] - 1) * self.players + order.index(self.turn[1]),
            totem_cylinder=self.totem,
            horse_cylinder=self.horse,
        )
        return changed(state, **self.further)

    def seat(self, seat: int, grounds: Sequence[Ground]) -> Seat:
        """What a seat has beside what it has laid on the grounds."""
        held, piled = _split(self.hand, seat), _split(self.pile, seat)
        laid = [card for ground in grounds for card in ground.sides[seat - 1]]
        rest = without(DECK, {*held, *piled, *laid})
        kept = _split(self.reserve, seat) if seat in self.reserve else rest
        own = in_tile_order(_split(self.tiles, seat))
        return Seat(
            reserve=in_deck_order(kept),
            hand=in_deck_order(held),
            pile=piled,
            discards=without(rest, kept),
            tiles=own,
            tiles_taken=len(own),
        )


WORDS = {word.name for word in fields(Said)} - {"further"}


def given(**said: Any) -> Scene:
    """A table as it is said to be, in the words of `Said`; any other is a field of the state."""
    words = {word: value for word, value in said.items() if word in WORDS}
    further = {name: value for name, value in said.items() if name not in WORDS}
    return Scene(Said(**words, further=further).state())


def scene_of_awards(stock: Rows, **further: Any) -> Scene:
    """Two seats with hunters on ground 2 only, as it is evaluated: seat 1 has the majority."""
    laid = {2: {1: "hunter-9", 2: "hunter-3"}}
    return given(players=2, hunt=2, phase=None, laid=laid, stock=stock, **further).when_grounds_are_evaluated()


def _split(rows: Rows, seat: int) -> tuple[str, ...]:
    return tuple(rows.get(seat, "").split())


def _ground(players: int, tiles: str, laid: Rows) -> Ground:
    """Heroes count as laid in seat order, which matters only within a seat: one seat at most has any face up."""
    sides = [_split(laid, seat) for seat in range(1, players + 1)]
    up = [
        SeatCard(seat, card)
        for seat, cards in enumerate(sides, 1)
        for card in cards
        if card not in STRENGTH and not card.startswith("(")
    ]
    return Ground(tuple(tiles.split()), tuple(tuple(card.strip("()") for card in cards) for cards in sides), tuple(up))
