"""Features for statistics: a seat's first party and card, and its cylinders and tomahawks at the end."""

from collections.abc import Iterable, Mapping
from typing import Any

from games.features import Feature, Features, first_card, first_party, is_so


def bonuses(payload: Mapping[str, Any]) -> Iterable[Feature]:
    """BM-6.2: which of the extra points each seat has."""
    for row in payload["scores"]:
        for name in ("totem_cylinder", "horse_cylinder", "tomahawk_majority"):
            yield is_so(row["seat"], name, row[name])


FEATURES: Features = {
    "PartyChosen": first_party,
    "PartyDrawn": first_party,
    "CardPlayed": first_card,
    "GameEnded": bonuses,
}
