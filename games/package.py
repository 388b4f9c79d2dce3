"""The modules of a game's package, and the `Game` built from them.

Every game has the same modules: `components` (the box; `PREFIX`, `RULES_VERSION`, `PLAYERS`), `house_rules`,
`moves` (with the union `AnyMove`), `events`, `state`, `features` (for statistics), and those below with the rules. mypy
checks that these have the functions listed; `games.kernel.Game` documents each function.
"""

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from games.kernel import Chance, Event, Game, Play, StateT, Transition, ViewT

StateT_co = TypeVar("StateT_co", covariant=True)
StateT_contra = TypeVar("StateT_contra", contravariant=True)
ViewT_co = TypeVar("ViewT_co", covariant=True)
ViewT_contra = TypeVar("ViewT_contra", contravariant=True)


class Setup(Protocol[StateT]):
    """`setup`: the start of a game."""

    def start(self, players: int, options: Any, chance: Chance, /) -> Transition[StateT]: ...


class Deciding(Protocol[StateT]):
    """`play`: the seats to act, the legal moves, and the result of a move."""

    def to_act(self, state: StateT, /) -> tuple[int, ...]: ...
    def legal_moves(self, state: StateT, seat: int, /) -> list[Any]: ...
    @property
    def play(self) -> Play[StateT]: ...


class Outcomes(Protocol[StateT_contra]):
    """`outcomes`: what else could have been decided, for disputes."""

    def outcomes(self, state: StateT_contra, event: Any, /) -> Sequence[Any]: ...


class Evolve(Protocol[StateT]):
    """`evolve`: the effect of each event on the state."""

    def evolve(self, state: StateT | None, event: Any, /) -> StateT: ...


class Scoring(Protocol[StateT_contra]):
    """`scoring`: points, ranks and winners."""

    def scores(self, state: StateT_contra, /) -> Any: ...


class Sight(Protocol[StateT_contra, ViewT_co]):
    """`sight`: who may know what. It also has `View`, and `HIDDEN`, the game's `hidden`."""

    def view(self, state: StateT_contra, /, seat: int | None, *, everything: bool = ...) -> ViewT_co: ...
    def readers(self, state: StateT_contra, event: Any, /) -> dict[str, list[int]]: ...
    def census(self, state: StateT_contra, /) -> Any: ...


class Imagine(Protocol[StateT_co, ViewT_contra]):
    """`imagine`: complete states that agree with what a seat has seen. `worlds` is optional."""

    def imagine(self, view: ViewT_contra, feed: Sequence[Any], chance: Chance, /) -> StateT_co: ...


class Modules(NamedTuple, Generic[StateT, ViewT]):
    """The modules with the rules of a game."""

    setup: Setup[StateT]
    play: Deciding[StateT]
    outcomes: Outcomes[StateT]
    evolve: Evolve[StateT]
    scoring: Scoring[StateT]
    sight: Sight[StateT, ViewT]
    imagine: Imagine[StateT, ViewT]


def game_of(
    package: str,
    rules: Modules[StateT, ViewT],
    *,
    slug: str,
    title: str,
    credits: str,  # noqa: A002 - as `Game` has it
) -> Game[StateT, Any, Event, ViewT]:
    """Builds the game from the modules of its package."""
    return Game(
        package=package,
        slug=slug,
        title=title,
        credits=credits,
        **_data(package),
        start=rules.setup.start,
        to_act=rules.play.to_act,
        legal_moves=rules.play.legal_moves,
        play=rules.play.play,
        evolve=rules.evolve.evolve,
        scores=rules.scoring.scores,
        view=rules.sight.view,
        open_view=partial(rules.sight.view, seat=None, everything=True),
        readers=rules.sight.readers,
        imagine=rules.imagine.imagine,
        census=rules.sight.census,
        worlds=getattr(rules.imagine, "worlds", None),
        outcomes=rules.outcomes.outcomes,
    )


def _data(package: str) -> dict[str, Any]:
    """Returns the game's data from its modules; moves and events are in the order of their definition.

    A class that events derive from is no event itself.
    """
    components, house_rules, moves, events, state, sight, features = (
        import_module(f"{package}.{name}")
        for name in ("components", "house_rules", "moves", "events", "state", "sight", "features")
    )
    defined = [kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, Event)]
    return {
        "prefix": components.PREFIX,
        "rules_version": components.RULES_VERSION,
        "players": components.PLAYERS,
        "options": house_rules.OPTIONS,
        "read_options": house_rules.read_options,
        "moves": moves.AnyMove.__args__,
        "move_sets": moves.MOVE_SETS,
        "read_move": moves.read_move,
        "events": tuple(kind for kind in defined if not kind.__subclasses__()),
        "state_type": state.State,
        "view_type": sight.View,
        "hidden": sight.HIDDEN,
        "features": features.FEATURES,
    }
