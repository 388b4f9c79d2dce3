"""Statistics as they are shown: shares with their intervals."""

from typing import Any

from events.store import RedisLog
from projections.finished_games.statistics import Counted, Feature, Of, Value, share, statistics
from service.tables.played import read_index

Row = dict[str, Any]


def of_games(store: RedisLog, of: Of) -> Row:
    """How often each feature occurs at games, and how seats with it fared."""
    games, features = read_index(store, lambda database: statistics(database, of))
    return {"game": of.game, "games": games, "features": [_feature(one) for one in features]}


def _feature(feature: Feature) -> Row:
    values = [_value(value, feature.seats) for value in feature.values]
    return {"of": feature.of, "name": feature.name, "seats": feature.seats, "values": values}


def _value(value: Value, of: int) -> Row:
    return {
        "value": value.value,
        "seats": value.seats,
        "share": _share(value.seats, of),
        "won": value.won,
        "wins": _share(value.won, value.seats),
        "by_seat": [_seat(one) for one in value.by_seat],
    }


def _seat(counted: Counted) -> Row:
    return counted._asdict() | {"wins": _share(counted.won, counted.seats)}


def _share(number: int, of: int) -> Row | None:
    found = share(number, of)
    return found and found._asdict()
