"""Finished games out of a seed, as the lobby's rows tell them: who played, under which house rules, what seats did."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from events.times import stamp
from games import GAMES
from projections.finished_games.games import Game

BEGUN_MS, STEP_MS = 1_700_000_000_000, 60_000  # a game a minute
PEOPLE = 20_000  # the first of them play most
LEVELS = ("uniform", "novice", "greedy", "expert")
KINDS = (("big-manitou", 2), ("big-manitou", 4), ("manitou", 2), ("manitou", 3), ("tomahawk", 2), ("plenty-coups", 4))
ONE_RATED_IN = 5  # games
ONE_TELLS_IN = 10  # what seats did: all values have occurred long before a million games are through
SETS = 20  # of house rules that a game's tables are opened with
PARTY_FEATURES = {"heroes_in_first_party": 9, "hunters_strength_in_first_party": 20, "first_ground": 3, "first_card": 6}
FEATURES = {  # what seats are told of, and how many values that has
    "big-manitou": PARTY_FEATURES
    | {"first_party": 72, "totem_cylinder": 2, "horse_cylinder": 2, "tomahawk_majority": 2},
    "manitou": PARTY_FEATURES | {"first_party": 243, "took_prisoners": 2, "paid_penalty": 2},
    "tomahawk": {"specials_kept": 4, "first_territory": 6, "most_wanted": 2, "scalps_over_territories": 2},
    "plenty-coups": {"tribe": 6, "first_coup": 5, "ended_allied": 2, "ended_without_horses": 2},
}


def synthetic_games(games: int) -> Iterator[Game]:
    """Games out of a seed."""
    luck = random.Random(1)
    rules = {slug: [_rules(slug, luck) for _ in range(SETS)] for slug in GAMES}
    return (_game(number, rules, luck) for number in range(games))


def _rules(slug: str, luck: random.Random) -> dict[str, Any]:
    """A set of house rules, and some that no game has, to be looked for."""
    known = {option.name: luck.choice(option.values) for option in GAMES[slug].options if option.values}
    return known | {"hand": luck.randint(3, 8), "tie_break": luck.choice(["shared", "buffalo"]), "open": False}


def _game(number: int, rules: Mapping[str, Sequence[dict[str, Any]]], luck: random.Random) -> Game:
    slug, players = luck.choice(KINDS)
    seats = [_seat(seat, luck) for seat in range(1, players + 1)]
    places = luck.sample(range(1, players + 1), players)
    result = {
        "ended_at": stamp(BEGUN_MS + number * STEP_MS),
        "events": luck.randint(60, 300),
        "moves": luck.randint(40, 200),
        "places": places,
        "points": [float(100 - place) for place in places],
        "left": [None] * players,
        "disputed": luck.random() < 0.001,
        "corrected": False,
        "how": "game_over",
        "rated": number % ONE_RATED_IN == 0,
        "features": [_features(slug, luck) if number % ONE_TELLS_IN == 0 else {} for _ in range(players)],
    }
    visibility = "private" if luck.random() < 0.1 else "public"
    opened = {"game": slug, "visibility": visibility, "options": luck.choice(rules[slug])}
    return Game.of_row(_row(number, seats, result) | opened)


def _features(slug: str, luck: random.Random) -> dict[str, str]:
    """What a seat is told of; low values are the common ones."""
    return {name: str(int(values * luck.random() ** 2)) for name, values in FEATURES[slug].items()}


def _row(number: int, seats: list[dict[str, Any]], result: dict[str, Any]) -> dict[str, Any]:
    """A row without what it was opened as."""
    return {
        "id": f"t_{number:016d}",
        "status": "finished",
        "forked_from": None,
        "players": len(seats),
        "opened_by": seats[0]["player"] or "p_0",
        "arbiter": None,
        "opened_at": stamp(BEGUN_MS + (number - 30) * STEP_MS),
        "at": result["ended_at"],
        "version": result["events"] + 2,
        "seats": seats,
        "to_act": [],
        "winners": [result["places"].index(1) + 1],
        "result": result,
    }


def _seat(seat: int, luck: random.Random) -> dict[str, Any]:
    level = luck.choice(LEVELS) if luck.random() < 0.3 else None
    player = None if level else anybody(luck)
    held = {"player": player, "name": None, "bot": False, "level": level}
    return {"seat": seat, "offer": "ai" if level else "player", "kept_for": player} | held


def anybody(luck: random.Random) -> str:
    """Somebody who plays, those who play most more often."""
    return f"p_{int(PEOPLE * luck.random() ** 3)}"
