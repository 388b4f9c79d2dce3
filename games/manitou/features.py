"""Features for statistics: a seat's first party and card, and its prisoners and penalties at the end."""

from collections.abc import Iterable, Mapping
from typing import Any

from games.features import Feature, Features, first_card, first_party, is_so


def points(payload: Mapping[str, Any]) -> Iterable[Feature]:
    """MA-6.2: whether a seat took prisoners, and whether it paid for using most force."""
    for row in payload["scores"]:
        yield is_so(row["seat"], "took_prisoners", row["prisoners"])
        yield is_so(row["seat"], "paid_penalty", row["penalties"])


FEATURES: Features = {"PartyChosen": first_party, "CardPlayed": first_card, "GameEnded": points}
