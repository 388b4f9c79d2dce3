"""Events recorded in an older form, read in today's: each upcaster adds what the next schema says (TO-5.1).

It is what `evolve` worked out from the table in those days, so an old table folds to the same states as then.
"""

from collections.abc import Callable, Mapping
from typing import Any

from games.tomahawk.play.looks import asked
from games.tomahawk.state import State

Upcaster = Callable[[State, dict[str, Any]], dict[str, Any]]


def _warriors_discarded_1(before: State, payload: dict[str, Any]) -> dict[str, Any]:
    """Schema 2 names the seats that are asked for a look (TO-5.9)."""
    return payload | {"asked": list(asked(before))}


UPCASTERS: Mapping[tuple[str, int], Upcaster] = {("WarriorsDiscarded", 1): _warriors_discarded_1}
