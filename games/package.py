"""The modules of a game's package, and the parts of its `Game` that are data of these modules.

Every game has the same modules: `components` (the box; `PREFIX`, `RULES_VERSION`, `PLAYERS`), `options` (house rules),
`moves` (with the union `AnyMove`), `events`, `state` and `features` (for statistics); and those with the rules:

- `setup`: the start of a game. `play`: the seats to act, the legal moves, and the result of a move.
- `outcomes`: what else could have been decided, for disputes. `evolve`: the effect of each event on the state.
- `scoring`: points, ranks and winners. `sight`: who may know what; also `View`, and `HIDDEN`, the game's `hidden`.
- `imagine`: complete states that agree with what a seat has seen; its `worlds` are optional.

`games.kernel.Game` documents each function.
"""

from functools import partial
from importlib import import_module
from typing import Any

from games.kernel import Event


def data_of(package: str) -> dict[str, Any]:
    """Returns the game's data from its modules; moves and events are in the order of their definition.

    A class that events derive from is no event itself.
    """
    components, options, moves, events, state, sight, imagine, features = (
        import_module(f"{package}.{name}")
        for name in ("components", "options", "moves", "events", "state", "sight", "imagine", "features")
    )
    defined = [kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, Event)]
    return {
        "package": package,
        "prefix": components.PREFIX,
        "rules_version": components.RULES_VERSION,
        "players": components.PLAYERS,
        "options": options.OPTIONS,
        "read_options": options.read_options,
        "moves": moves.AnyMove.__args__,
        "move_sets": moves.MOVE_SETS,
        "events": tuple(kind for kind in defined if not kind.__subclasses__()),
        "state_type": state.State,
        "view_type": sight.View,
        "open_view": partial(sight.view, seat=None, everything=True),
        "hidden": sight.HIDDEN,
        "worlds": getattr(imagine, "worlds", None),
        "features": features.FEATURES,
    }
