"""Features for statistics: a seat's specials, its first territory, and the most wanted and scalps at the end."""

from collections.abc import Iterable, Mapping
from typing import Any

from games.features import Feature, Features, is_so


def specials(payload: Mapping[str, Any]) -> Iterable[Feature]:
    """How many of the special cards dealt a seat takes into its army."""
    yield Feature(payload["seat"], "specials_kept", str(len(payload["kept"])))


def territory(payload: Mapping[str, Any]) -> Iterable[Feature]:
    """TO-5.7: the species of the first territory that a seat takes."""
    yield Feature(payload["seat"], "first_territory", payload["species"])


def points(payload: Mapping[str, Any]) -> Iterable[Feature]:
    """TO-6.2, TO-6.3: whether a seat has the most wanted's bonus, and more points of scalps than of territories."""
    for row in payload["scores"]:
        yield is_so(row["seat"], "most_wanted", row["bonus"])
        yield is_so(row["seat"], "scalps_over_territories", row["scalps"] > row["territories"])


FEATURES: Features = {"SpecialsChosen": specials, "TerritoryWon": territory, "GameEnded": points}
