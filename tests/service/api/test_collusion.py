"""A second account without a seat tells a player nothing about other hands while the game runs.

Whoever plays at a table may have another account, or a friend: that one asks for everything that can be asked for, of
the table, of those who sit there and of all games, in two worlds that differ in what is hidden.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any
from urllib.parse import quote

import pytest

from games import GAMES
from service.accounts import accounts_and_tokens as accounts
from service.api import profiles
from service.api.common import handler
from tests.long import long_but_for
from tests.service.api.document import DOCUMENT, PLACES
from tests.service.api.interference import NAMED, Answers, Seen, a_table, leaks, logged, told, twin_of
from tests.service.api.leaks import hands
from tests.service.api.world import Somebody, World

READ = {path: item["get"] for path, item in DOCUMENT["paths"].items() if "get" in item}
OTHERWISE = ("/readyz", "/metrics", "/v1/tables/{table}/audit")  # operators' figures; and what only a real twin answers
MORE = {  # queries by which lists tell of the table and of those who sit there
    "/v1/tables": ("?status=running", "?player={player}", "?game={game}&limit=200"),
    "/v1/games-played": ("?player={player}", "?game={game}"),
    "/v1/standings": ("?player={player}", "?game={game}"),
    "/v1/feed": ("?limit=200&language=en&player={player}&cursor={cursor}",),
}


def doors(seen: Seen) -> Iterator[str]:
    """The address of every operation that reads, for the table, each who sits there, and its newest version."""
    cursor = seen.place_before()  # found in the whole feed
    known = [_known(seen, str(one.player), cursor) for one in seen.players]
    for path, operation in READ.items():
        if path in OTHERWISE:
            continue
        queries = [*([] if path == "/v1/feed" else [_required(operation)]), *MORE.get(path, ())]
        for values, query in product(known, queries):
            yield (path + query).format_map(values)


def _required(operation: dict[str, Any]) -> str:
    """The query that an operation cannot do without."""
    asked = [one["name"] for one in operation.get("parameters", ()) if one["in"] == "query" and one.get("required")]
    return "?" * bool(asked) + "&".join(f"{name}={{{name}}}" for name in asked)


def _known(seen: Seen, player: str, cursor: str) -> dict[str, str]:
    """What stands in the place of each name in a path."""
    table = seen.history.table
    at = {"table": table.id, "player": player, "game": table.opened.game, "version": table.version, "with": table.id}
    at |= {"cursor": cursor, "seats": table.opened.players}
    return {name: quote(str(value), safe="") for name, value in (PLACES | at).items()}


def read(seen: Seen, stranger: Somebody) -> Answers:
    """Everything that the second account is answered, and what is logged meanwhile."""
    somebody, found = Somebody(seen.app, stranger.player, stranger.token), Answers()
    with logged() as lines:
        for path in dict.fromkeys(doors(seen)):
            answer = somebody.send("GET", path, headers=NAMED)
            found[f"GET {path}"] = told(answer.status_code, sorted(answer.headers), answer.get_data)
    return found | {"log": (200, [], "\n".join(lines).encode())}


def other_world(seen: Seen, seed: int) -> Seen:
    """The same service, but that the table is its twin to a spectator; texts are read there as well."""
    twin = twin_of(seen, None, seed)
    twin.services.handler.transcripts = seen.services.handler.transcripts
    return twin


@pytest.mark.slow
@pytest.mark.parametrize("game", long_but_for(GAMES.__contains__, GAMES, is_slow="manitou".__ne__))
def test_a_second_account_learns_nothing_of_a_hand(world: World, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By any operation that reads, as a spectator, in collusion with any seat."""
    monkeypatch.setattr(accounts, "REMEMBER_S", 600.0)  # whose budget is told depends on whether a token is remembered
    seen, stranger = a_table(world, game, 3), world.somebody("a friend")
    world.catch_up()
    read(seen, stranger)  # indexes are filled
    first = read(seen, stranger)
    assert leaks(first, read(other_world(seen, 3), stranger)) == []
    answered = {status for status, _, _ in first.values()}
    assert 200 in answered
    assert sum(status == 200 for status, _, _ in first.values()) > len(first) / 3


@pytest.mark.slow
def test_a_leak_through_a_profile_is_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the test above would tell of one, at a door that names no table."""
    seen, stranger = a_table(world, "manitou", 4), world.somebody("a friend")
    world.catch_up()
    right = profiles._figures

    def leaking(player: str) -> dict[str, Any]:
        opponents = [{"player": "p_x", "name": hands(handler().history(seen.table)), "games": 1, "won": 0, "lost": 0}]
        return right(player) | {"results": opponents}

    monkeypatch.setattr(profiles, "_figures", leaking)
    found = leaks(read(seen, stranger), read(other_world(seen, 4), stranger))
    assert f"GET /v1/players/{seen.players[0].player}" in found
