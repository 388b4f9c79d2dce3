"""Profiles: what is counted of a player, and what the person lets be seen."""

from typing import Any

import msgspec

from events.scripts import Client
from projections import lobby_rows
from projections.store import current
from service.accounts.accounts_and_tokens import key_of
from service.api.common import redis_log
from tests.service.api.world import Somebody, World, accepted, refused

ALL = {"results": True, "ratings": True, "opponents": True, "activity": True}


def profile(world: World, of: Somebody) -> dict[str, Any]:
    found: dict[str, Any] = accepted(world.nobody.get(f"/v1/players/{of.player}"))
    return found


def show(somebody: Somebody, **shown: bool) -> None:
    accepted(somebody.send("PUT", "/v1/players/me/profile", json=ALL | shown))


def finished(world: World, *players: Somebody, **more: object) -> list[str | None]:
    """The players who won a game of Tomahawk that was played to its end."""
    table = world.open(*players, game="tomahawk", **more)
    world.play(table, *players, moves=1000)
    world.catch_up()
    with world.app.app_context():
        row = current(redis_log(), lobby_rows.NAME).found("rows", [table])[0]
    return [players[seat - 1].player for seat in msgspec.json.decode(row or b"")["winners"]]


def test_a_profile_counts_games_opponents_and_months(world: World) -> None:
    """Of public games: by game, by whom they met, by month."""
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    won = [*finished(world, ann, ben), *finished(world, ann, ben)]
    show(ann)
    told = profile(world, ann)
    mine, others = won.count(ann.player), won.count(ben.player)
    assert told["results"] == [{"game": "tomahawk", "seats": 2, "games": 2, "won": mine}]
    opponent = {"player": ben.player, "name": "Ben", "games": 2, "won": mine, "lost": others}
    assert told["opponents"] == [opponent]
    since = str(told["since"])
    assert told["activity"] == [{"month": since[:7], "games": 2}]
    assert [rating["games"] for rating in told["ratings"]] == [2]


def test_private_games_are_not_counted(world: World) -> None:
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    finished(world, ann, ben, visibility="private")
    show(ann)
    told = profile(world, ann)
    assert (told["results"], told["opponents"], told["activity"], told["ratings"]) == ([], [], [], [])


def test_only_what_the_person_lets_be_seen_is_told(world: World) -> None:
    """At first what public tables tell at a glance; each part is hidden and shown by itself."""
    ann = world.somebody("Ann")
    told = profile(world, ann)
    assert {name for name in ALL if told[name] is None} == {"opponents", "activity"}
    assert accepted(ann.get("/v1/players/me/profile")) == ALL | {"opponents": False, "activity": False}
    for hidden in ALL:
        show(ann, **{hidden: False})
        told = profile(world, ann)
        assert [name for name in ALL if told[name] is None] == [hidden]
    assert accepted(ann.get("/v1/players/me/export"))["shown"] == ALL | {"activity": False}


def test_nobody_has_no_profile_and_neither_has_whoever_was_erased(world: World) -> None:
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    finished(world, ann, ben)
    show(ann, results=False)
    show(ben)
    assert ann.delete("/v1/players/me").status_code == 204
    for player in (ann.player, "p_nobody", "ai:greedy"):
        refused(world.nobody.get(f"/v1/players/{player}"), 404, "no_such_player")
    [met] = profile(world, ben)["opponents"]
    assert (met["player"], met["name"]) == (ann.player, "somebody")
    client: Client = world.log.client
    assert not client.exists(key_of("about", str(ann.player)))
