"""What operators ask for: health, readiness, metrics, documentation; and a service whose store is gone."""

import contextlib
import html
import json
import re
import time
from typing import Any

import pytest

from games import GAMES
from rulings.rulebook import rulings
from service.errors import ADVICE, PROBLEMS
from service.levels import STRENGTH
from service.machine_clock import Clock
from service.metrics import TURNS, count_turn
from tests.service.api.world import Somebody, World, accepted, embedded_store, refused


def test_a_process_that_lives_says_so(world: World) -> None:
    assert accepted(world.nobody.get("/healthz")) == {"status": "alive"}


@pytest.mark.fault
def test_a_service_that_is_ready_says_how_safe_it_is_and_how_far_its_dispatcher_lags() -> None:
    """It stays ready without a dispatcher, since moves are taken; the lag grows."""
    with embedded_store() as url, contextlib.closing(World(url)) as world:
        ready = {"status": "ready", "durability": "fsync", "partitions": 64, "cluster": False}
        lag = {"oldest_due_s": 0.0, "projections_behind": 0}
        assert accepted(world.nobody.get("/readyz")) == ready | lag

        seats = [{"kind": "ai", "level": "greedy"}] * 2
        accepted(world.somebody().post("/v1/tables", {"game": "tomahawk", "seats": seats}), 201)
        world.services.handler.clock = Clock(lambda: time.time() + 90)
        waiting = accepted(world.nobody.get("/readyz"))
        assert (waiting["projections_behind"], waiting["oldest_due_s"] >= 90) == (1, True)


def test_metrics_count_requests_by_resource(world: World) -> None:
    """By the resource and not by the path: ids would make series without end."""
    world.nobody.get("/v1/tables/t_aaaaaaaaaaaaaaaa")
    world.nobody.get("/v1/no/such/thing")
    answer = world.operator.get("/metrics")
    assert answer.mimetype == "text/plain"
    sample = 'wintercount_requests_total{lane="threads",method="GET",resource="/v1/tables/<table>",status="404"}'
    assert re.search(rf"^{re.escape(sample)} [1-9]", answer.text, re.MULTILINE)
    assert 'resource="none"' in answer.text
    assert "t_aaaaaaaaaaaaaaaa" not in answer.text
    for name in (
        "wintercount_streams",
        "wintercount_batches",
        "wintercount_due",
        "wintercount_oldest_due_seconds",
        "wintercount_projections_behind",
    ):
        assert re.search(rf"^{name} ", answer.text, re.MULTILINE)


def test_metrics_tell_how_far_lists_are_behind(world: World) -> None:
    """In batches of the log: those that were not taken in yet, none once the lists have caught up."""
    world.catch_up()
    for behind in (0, 2):
        assert f"\nwintercount_projections_behind {behind}.0\n" in world.operator.get("/metrics").text
        world.open(world.somebody(), world.somebody("Ben"))


def test_the_type_of_a_problem_leads_to_what_to_do(world: World) -> None:
    """Of every code, at the fragment that `type` names."""
    assert list(ADVICE) == list(PROBLEMS)
    problems = world.nobody.get("/docs/problems").text
    for code in PROBLEMS:
        told = problems.partition(f'<dt id="{code}">')[2].partition("<dd>")[2].partition("</dd>")[0]
        assert html.unescape(re.sub(r"</?code>", "`", told)) == ADVICE[code]
    assert "`" not in problems  # what is code is drawn as such


def test_every_game_tells_its_rules(world: World) -> None:
    """Each option names a ruling, and each rule can be read."""
    for game in accepted(world.nobody.get("/v1/games"))["games"]:
        path = f"/v1/games/{game['id']}"
        assert accepted(world.nobody.get(path)) == game
        assert game["lesson"] == (world.nobody.get(f"{path}/lesson").status_code == 200)
        rules = {rule["id"] for rule in accepted(world.nobody.get(f"{path}/rules"))["rules"]}
        assert {option["ruling"] for option in game["options"]} <= rules
        for rule in rules:
            assert accepted(world.nobody.get(f"{path}/rules/{rule}"))["text"]
        shaping = {option["name"] for option in game["options"] if option["shapes_setup"]}
        assert shaping == {option.name for option in GAMES[game["id"]].options if option.shapes_setup}
    refused(world.nobody.get("/v1/games/chess"), 404, "no_such_game")
    refused(world.nobody.get("/v1/games/manitou/rules/BM-1.1"), 404, "no_such_rule")


def test_every_game_tells_its_rulings_with_their_cases(world: World) -> None:
    """Those of its document, with every value of every house rule and what follows from it."""
    for slug, game in GAMES.items():
        register = accepted(world.nobody.get(f"/v1/games/{slug}/rulings"))
        assert register["game"] == slug
        assert [row["id"] for row in register["rulings"]] == list(rulings(slug))
        assert all(row["question"] and row["cases"] for row in register["rulings"])
        chosen = {(choice["option"], json.dumps(choice["value"])): choice for choice in choices(register)}
        for option in game.options:
            for number, value in enumerate(option.values):
                choice = chosen[option.name, json.dumps(value)]
                assert choice["default"] is (number == 0)
                assert choice["takes"]
    refused(world.nobody.get("/v1/games/chess/rulings"), 404, "no_such_game")


def choices(register: dict[str, Any]) -> list[dict[str, Any]]:
    """All choices of a register."""
    return [choice for row in register["rulings"] for choice in row["choices"]]


def test_standings_count_games_played_and_won(world: World) -> None:
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game="tomahawk")
    world.play(table, ann, bob, moves=1000)
    world.catch_up()
    winners = accepted(ann.get(f"/v1/tables/{table}"))["scores"]["winners"]
    for seat, who in ((1, ann), (2, bob)):
        asked = f"/v1/standings?game=tomahawk&player={who.player}"  # others may fill the first page
        (row,) = accepted(world.nobody.get(asked))["standings"]
        assert (row["name"], row["played"], row["won"]) == (["Ann", "Bob"][seat - 1], 1, int(seat in winners))
    assert str(ann.player) not in world.nobody.get("/v1/standings?game=manitou").text
    refused(world.nobody.get("/v1/standings?game=chess"), 404, "no_such_game")


def test_standings_are_read_in_pages_or_of_one_player(world: World) -> None:
    """`Link` leads from page to page, and each row comes once; a player is found without paging."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    world.play(world.open(ann, bob, game="tomahawk"), ann, bob, moves=1000)
    world.catch_up()
    whole, paged = accepted(world.nobody.get("/v1/standings?limit=200")), []
    link: Any = re.fullmatch("<(.*)>", "</v1/standings?limit=1>")
    while link:
        page = world.nobody.get(link[1])
        link = re.fullmatch('<(.*)>; rel="next"', page.headers.get("Link", ""))
        paged += accepted(page)["standings"]

    assert (paged, whole["next"]) == (whole["standings"], None)
    own = accepted(world.nobody.get(f"/v1/standings?player={bob.player}"))["standings"]
    assert [row for row in whole["standings"] if row["player"] == bob.player] == own != []
    assert accepted(world.nobody.get("/v1/standings?player=ai:expert"))["standings"] == []
    refused(world.nobody.get("/v1/standings?cursor=1"), 422, "invalid")


@pytest.mark.slow
def test_without_its_store_the_service_says_so_and_lives() -> None:
    """503 with `Retry-After` for what needs the store; the rest is answered."""
    with embedded_store() as url:
        world = World(url)
        ann = world.somebody()
        table = world.open(ann, world.somebody(), game="manitou")
    stranger = Somebody(world.app, token="wc_never_seen")
    body = {"game": "manitou", "seat": 1, "move": {"type": "pass_turn"}}
    for answer in (
        world.nobody.get("/readyz"),
        world.nobody.get(f"/v1/tables/{table}"),
        world.nobody.post("/v1/players", {"name": "Ann"}),
        ann.post(f"/v1/tables/{table}/moves", body),
        stranger.get("/v1/players/me"),
    ):
        refused(answer, 503, "store_unavailable")
        assert int(answer.headers["Retry-After"]) >= 1
    for path in ("/healthz", "/v1/games", "/v1/ai-players", "/docs/", "/openapi.yaml"):
        assert world.nobody.get(path).status_code == 200


def test_ai_players_tell_what_was_measured_of_them(world: World) -> None:
    """Each with the game, the opponent and an interval; nothing is claimed of what was not measured."""
    levels = {row["id"]: row for row in accepted(world.nobody.get("/v1/ai-players"))["levels"]}
    told = {name: level["strength"] for name, level in levels.items()}
    written: dict[str, list[dict[str, object]]] = {name: [] for name in levels}
    for row in json.loads(STRENGTH.read_text(encoding="utf-8")):
        written[row.pop("level")].append(row)
    assert told == written
    assert levels["uniform"]["strength"] == []


def test_metrics_tell_of_the_workers(world: World) -> None:
    """How long turns were due, in a histogram, and who was given up; from the store, where workers keep it."""
    log: Any = world.services.handler.log
    client = log.client
    client.delete(TURNS)
    for waited_s, failures in ((0.04, ()), (0.3, ("overtime",)), (400.0, ()), (None, ())):
        count_turn(client, waited_s, failures)
    lines = world.operator.get("/metrics").text.splitlines()
    assert 'wintercount_turn_seconds_bucket{le="0.05"} 1.0' in lines
    assert 'wintercount_turn_seconds_bucket{le="0.5"} 2.0' in lines
    assert 'wintercount_turn_seconds_bucket{le="+Inf"} 3.0' in lines
    assert "wintercount_turn_seconds_sum 400.34" in lines
    assert 'wintercount_given_up_total{why="overtime"} 1.0' in lines
    assert 'wintercount_given_up_total{why="crashed"} 0.0' in lines


def test_metrics_are_not_for_everybody(store_url: str) -> None:
    """They tell how much is played and how: by a token for nothing else, or the operator's."""
    with contextlib.closing(World(store_url, metrics_token="for metrics")) as world:
        refused(world.nobody.get("/metrics"), 401, "unauthenticated")
        refused(world.somebody("Ann").get("/metrics"), 403, "scope_missing")
        monitoring = Somebody(world.app, token="for metrics")
        assert monitoring.get("/metrics").status_code == 200
        assert accepted(monitoring.get("/v1/players/me"))["scopes"] == ["metrics"]
        refused(monitoring.get("/v1/inbox"), 403, "scope_missing")
        refused(monitoring.post("/v1/tables", {"game": "manitou", "seats": [{"kind": "me"}] * 2}), 403, "scope_missing")
