"""A fifth game, as small as a game can be, to show that no other part of the tree needs a game's name.

Each seat draws a stone from a bag and looks at it. In turn each keeps its stone or swaps it for the next in the bag.
The highest stone wins.
"""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from games import deciding
from games.deciding import Attempt, check_turn
from games.from_json import move_from
from games.house_rules import options_from
from games.kernel import Chance, Event, Game, Move, Transition

Phase = Literal["choose", "over"]
STONES = tuple(range(1, 10))


class Options(Struct, frozen=True):
    """There are no house rules."""


class Keep(Move, frozen=True):
    """The seat keeps its stone."""


class Swap(Move, frozen=True):
    """The seat puts its stone aside and takes the next one of the bag."""


class GameStarted(Event, frozen=True):
    """The stones that the seats begin with, each for its seat alone, and those left in the bag, for nobody."""

    players: int
    options: Options
    stones: tuple[int, ...] | UnsetType = UNSET
    bag: tuple[int, ...] | UnsetType = UNSET


class StoneKept(Event, frozen=True):
    """`phase` is the one that the game is in afterwards."""

    seat: int
    phase: Phase


class StoneSwapped(Event, frozen=True):
    """`stone` is the new one, for its seat alone. `phase` is the one that the game is in afterwards."""

    seat: int
    phase: Phase
    stone: int | UnsetType = UNSET


class GameEnded(Event, frozen=True):
    """The stones are shown."""

    stones: tuple[int, ...]
    winners: tuple[int, ...]


class State(Struct, frozen=True):
    """The stones by seat, the bag in its order, those put aside, and the seat to choose."""

    players: int
    options: Options
    stones: tuple[int, ...]
    bag: tuple[int, ...]
    aside: tuple[int, ...] = ()
    seat: int = 1
    phase: Literal["choose", "over"] = "choose"


class View(Struct, frozen=True):
    """What a seat (None: a spectator) sees: its own stone, and all of them in the end."""

    players: int
    seat: int | None
    phase: str
    to_act: tuple[int, ...]
    in_bag: int
    own: int | None
    aside: tuple[int, ...]
    stones: tuple[int, ...] | None


class Scores(Struct, frozen=True):
    """The stones and who has the highest, once they are shown: everybody may read the scores at any time."""

    stones: tuple[int, ...] | None
    winners: tuple[int, ...]


def evolve(state: State | None, event: Any) -> State:
    """The state after an event."""
    if isinstance(event, GameStarted):
        return State(event.players, event.options, event.stones, event.bag)  # type: ignore[arg-type]
    assert state is not None
    if isinstance(event, GameEnded):
        return replace(state, phase="over")
    if isinstance(event, StoneSwapped):
        stones = (*state.stones[: event.seat - 1], event.stone, *state.stones[event.seat :])
        put = (*state.aside, state.stones[event.seat - 1])
        state = replace(state, stones=stones, bag=state.bag[1:], aside=put)
    return replace(state, seat=event.seat + 1, phase=event.phase)


class Scribe(deciding.Scribe[State]):
    """The scribe of this game."""

    evolve = staticmethod(evolve)
    outcomes = staticmethod(lambda _state, _event: ())


def start(players: int, options: Options, chance: Chance) -> Transition[State]:
    """Every seat draws a stone."""
    order, scribe = chance("draw", STONES, len(STONES)), Scribe(None)
    scribe.write(GameStarted(players, options, order[:players], order[players:]))
    return scribe.transition()


def play(state: State, seat: int, move: Any, _chance: Chance, corrected: Any = None) -> Transition[State]:
    """The seat keeps or swaps its stone; the last one ends the game."""
    check_turn("FF", state, Attempt(seat, move, state.players), in_phase=True, to_act=to_act(state))
    scribe = Scribe(state, corrected)
    phase: Phase = "over" if seat == state.players else "choose"
    scribe.write(StoneKept(seat, phase) if isinstance(move, Keep) else StoneSwapped(seat, phase, state.bag[0]))
    if phase == "over":
        scribe.write(GameEnded(scribe.state.stones, (highest(scribe.state),)))
    return scribe.transition()


def to_act(state: State) -> tuple[int, ...]:
    """The seat that chooses."""
    return () if state.phase == "over" else (state.seat,)


def scores(state: State) -> Scores:
    """The highest stone wins; no two are alike."""
    return Scores(state.stones, (highest(state),)) if state.phase == "over" else Scores(None, ())


def highest(state: State) -> int:
    """The seat with the highest stone."""
    return state.stones.index(max(state.stones)) + 1


def view(state: State, seat: int | None) -> View:
    """What the seat sees."""
    over, own = state.phase == "over", state.stones[seat - 1] if seat else None
    aside = state.aside if over else ()
    shown = state.stones if over else None
    return View(state.players, seat, state.phase, to_act(state), len(state.bag), own, aside, shown)


def readers(state: State | None, event: Any) -> dict[str, list[int]]:
    """Nobody reads the stones before the end but a seat the one that it swapped for."""
    if isinstance(event, GameStarted):
        return {"stones": [], "bag": []}
    return {"stone": [event.seat]} if isinstance(event, StoneSwapped) else {}


def imagine(view: View, _feed: Any, chance: Chance) -> State:
    """A table that the viewer cannot tell from the real one."""
    unseen = [stone for stone in STONES if stone != view.own]
    others = chance("imagine", unseen, len(unseen))
    own = () if view.own is None or view.seat is None else (view.seat,)
    stones = tuple(view.own if seat in own else others[seat - 1] for seat in range(1, view.players + 1))
    rest = tuple(stone for stone in others if stone not in stones)
    turn = view.to_act[0] if view.to_act else view.players + 1
    return State(view.players, Options(), stones, rest[: view.in_bag], rest[view.in_bag :], turn, view.phase)  # type: ignore[arg-type]


game = Game[State, Keep | Swap, Event, View](
    package=__name__,
    slug="fifth",
    title="The fifth game",
    credits="Made for the tests.",
    prefix="FF",
    rules_version=1,
    players=(2, 3),
    options=(),
    moves=(Keep, Swap),
    move_sets=(),
    events=(GameStarted, StoneKept, StoneSwapped, GameEnded),
    state_type=State,
    view_type=View,
    read_options=lambda raw, _players: options_from(raw, Options),
    read_move=lambda raw: move_from(raw, Keep | Swap, "FF-4.1a"),
    start=start,
    to_act=to_act,
    legal_moves=lambda state, seat: [Keep(), Swap()] if seat in to_act(state) else [],
    play=play,
    outcomes=lambda state, event: (),
    evolve=evolve,
    scores=scores,
    view=view,
    hidden=(),
    open_view=lambda state: view(state, None),
    readers=readers,
    imagine=imagine,
    census=lambda state: tuple(sorted((*state.stones, *state.bag, *state.aside))),
)
