"""What each event does to the state: written down, never decided.

A state is the fold of its events, from `evolve(None, GameStarted)` on, and a fold has to give the same state for ever,
however the rules change. So the handlers follow no rule: `play` decides, the event says what was decided (what it cost,
which phase it leads to, which marker was turned), and a handler writes that. It reads no option, compares nothing and
draws nothing. It looks at the state only for the place where something is written: a tribe's camp, the raid on a camp,
the top of the pile. What always goes with an event of a type (one action for breeding, an empty offer once it is
answered) is in its handler, as the event means just that.

Sources: Chassaing, Functional event sourcing decider (2021), for deciding and evolving apart; Young, Versioning in an
event sourced system (2016), for events that are read for ever.
"""

from collections.abc import Callable
from typing import Any

from games.plenty_coups.evolve import course, ties, war
from games.plenty_coups.state import State

_EVOLVE: dict[type, Callable[[Any, Any], State]] = {**course.EVOLVE, **war.EVOLVE, **ties.EVOLVE}


def evolve(state: State | None, event: Any) -> State:
    """The state after `event`; the first event of a game comes to no state at all."""
    return _EVOLVE[type(event)](state, event)
