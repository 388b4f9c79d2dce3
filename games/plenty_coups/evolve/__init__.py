"""What each event does to the state: written down, never decided.

A state folds from nothing: `evolve(None, GameStarted)` is the table before the tribes are chosen.
"""

from collections.abc import Callable
from typing import Any

from games.plenty_coups.evolve import course, ties, war
from games.plenty_coups.state import State

_EVOLVE: dict[type, Callable[[Any, Any], State]] = {**course.EVOLVE, **war.EVOLVE, **ties.EVOLVE}


def evolve(state: State | None, event: Any) -> State:
    """The state after `event`; the first event of a game comes to no state at all."""
    return _EVOLVE[type(event)](state, event)
