"""Given a table, when somebody moves, then these events: scenes of Big Manitou written in the words of its rules.

Cards and tiles are lists in one string; a hero in brackets is turned face down: `"chief-1 (scout-1) hunter-9"`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from games.big_manitou import game as big_manitou
from games.big_manitou.components import DECK, GROUNDS, STRENGTH, TILES, in_deck_order, in_tile_order
from games.big_manitou.evolve import Scribe
from games.big_manitou.play import hunt
from games.big_manitou.state import Ground, Seat, State
from games.kernel import first_of_all as in_order
from games.parties import SeatCard, turn_order, without
from games.reading import event_type
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
        return self._by(hunt.after_hunter_move)

    def when_turns_are_over(self) -> "Scene":
        """The steps after the seventh turns: from the extra card on."""
        return self._by(hunt.after_turns)

    def when_grounds_are_evaluated(self) -> "Scene":
        """The evaluation, from the ground on that is not evaluated yet."""
        return self._by(hunt.evaluate_grounds)

    def when_the_hunt_ends(self) -> "Scene":
        """The steps from the end of the hunt on."""
        return self._by(hunt.end_hunt)

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


def given(
    *,
    players: int = 3,
    hunt: int = 1,
    phase: str | None = "play",
    turn: tuple[int, int] = (1, 1),
    hand: Rows | None = None,
    pile: Rows | None = None,
    reserve: Rows | None = None,
    tiles: Rows | None = None,
    stock: Rows | None = None,
    laid: Mapping[int, Rows] | None = None,
    totem: int | None = None,
    horse: int | None = None,
    options: Mapping[str, str] | None = None,
    **further: Any,
) -> Scene:
    """A table in the middle of a hunt.

    `turn`: which turn of which seat; `hand`, `pile`, `reserve`, `tiles`: of seats; `stock`: the tiles of grounds;
    `laid`: for each ground the cards of seats; cards not named are in the reserve, or discarded if `reserve` names it.
    """
    order = turn_order((hunt - 1) % players + 1, players)
    grounds = tuple(_ground(players, (stock or {}).get(n, ""), (laid or {}).get(n, {})) for n in GROUNDS)
    seats = []
    for seat in range(1, players + 1):
        held, piled = _split(hand, seat), _split(pile, seat)
        gone = {*held, *piled, *(card for ground in grounds for card in ground.sides[seat - 1])}
        rest = without(DECK, gone)
        kept = _split(reserve, seat) if reserve and seat in reserve else rest
        own = in_tile_order(_split(tiles, seat))
        seats.append(
            Seat(
                reserve=in_deck_order(kept),
                hand=in_deck_order(held),
                pile=piled,
                discards=without(rest, kept),
                tiles=own,
                tiles_taken=len(own),
            )
        )
    table = big_manitou.read_options(options or {}, players)
    owners: tuple[Seat | Ground, ...] = (*seats, *grounds)
    seen = {tile for owner in owners for tile in owner.tiles}
    state = State(
        players=players,
        options=table,
        bag=without(TILES[table.tile_set], seen),
        seats=tuple(seats),
        grounds=grounds,
        hunt=hunt,
        turn_order=order,
        phase=phase,
        turns=(turn[0] - 1) * players + order.index(turn[1]),
        totem_cylinder=totem,
        horse_cylinder=horse,
    )
    return Scene(changed(state, **further))


def scene_of_awards(stock: Rows, **further: Any) -> Scene:
    """Two seats with hunters on ground 2 only, as it is evaluated: seat 1 has the majority."""
    laid = {2: {1: "hunter-9", 2: "hunter-3"}}
    return given(players=2, hunt=2, phase=None, laid=laid, stock=stock, **further).when_grounds_are_evaluated()


def _split(rows: Rows | None, seat: int) -> tuple[str, ...]:
    return tuple((rows or {}).get(seat, "").split())


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
