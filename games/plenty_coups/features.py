"""Features for statistics: a seat's tribe, its first coup, and whether it ends with an ally."""

from collections.abc import Iterable, Mapping
from typing import Any

from games.features import Feature, Features, is_so


def tribe(payload: Mapping[str, Any]) -> Iterable[Feature]:
    """The tribe that a seat chooses."""
    yield Feature(payload["seat"], "tribe", payload["tribe"])


def coup(payload: Mapping[str, Any]) -> Iterable[Feature]:
    """PC-4.21: on which occasion a seat marks its first coup, whichever tribe it plays."""
    yield Feature(payload["seat"], "first_coup", payload["occasion"])


def ending(payload: Mapping[str, Any]) -> Iterable[Feature]:
    """PC-6: whether a seat's own tribe has an ally at the end, and whether its herd is empty."""
    for row in payload["scores"]:
        yield is_so(row["seat"], "ended_allied", row["ally"])
        yield is_so(row["seat"], "ended_without_horses", not row["horses"])


FEATURES: Features = {"TribeChosen": tribe, "CoupMarked": coup, "GameEnded": ending}
