"""What an event says is written down as it says, even where the rules would have had it otherwise."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from games.payloads import event_type
from games.plenty_coups import game as plenty_coups
from tests.games.spec import event_from
from tests.games.test_golden import FOLDER

GOLDEN = sorted((FOLDER / plenty_coups.slug).glob("*.json"))
KINDS = {event_type(kind): kind for kind in plenty_coups.events}


class Unread:
    """House rules that nobody may look at."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"evolve read the option {name}")


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_evolve_reads_no_option(path: Path) -> None:
    """The events of a whole game lead to the same state when the house rules cannot be read."""
    golden = json.loads(path.read_text(encoding="utf-8"))
    seen: Any = None
    unseen: Any = None
    for row in golden["events"]:
        event: Any = event_from(row["type"], row["payload"], KINDS[row["type"]])
        seen = plenty_coups.evolve(seen, event)
        first = unseen is None
        unseen = plenty_coups.evolve(unseen, replace(event, options=Unread()) if first else event)
    assert replace(unseen, options=seen.options) == seen
