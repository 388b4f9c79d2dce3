"""Ordinary requests are answered on the event loop, and both lanes answer the same."""

import contextlib
import json
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from werkzeug.test import EnvironBuilder

from games import GAMES
from service.api.headers import REQUEST_ID
from service.logs import IdFilter
from service.server import Server
from tests.service.api.world import Somebody, World, accepted, embedded_store, refused
from tests.service.lanes.loop import Protocol, answered

NUMBERS = count(1)


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    with embedded_store() as url:
        yield url


@pytest.fixture(scope="module")
def world(store: str) -> Iterator[World]:
    with contextlib.closing(World(store, on_the_loop=True)) as found:
        yield found


@pytest.fixture(scope="module")
def players(world: World) -> list[Somebody]:
    return [world.somebody("Ann"), world.somebody("Bob")]


@pytest.fixture(scope="module")
def table(world: World, players: list[Somebody]) -> str:
    """A table in the middle of its game."""
    table = world.open(*players)
    world.play(table, *players, moves=12)
    return table


@pytest.mark.parametrize("game", ["big-manitou", "manitou", "tomahawk", "plenty-coups"])
def test_a_game_is_played_on_the_loop(world: World, players: list[Somebody], game: str) -> None:
    """Every read and every move."""
    table = world.open(*players, game=game)
    path = f"/v1/tables/{table}"
    on_the_loop, in_threads, version = answered("loop"), answered("threads"), accepted(players[0].get(path))["version"]
    for number in range(10):
        world.play(table, *players, moves=1, seed=number)
        for who in players:
            accepted(who.get(f"{path}/moves"))
            news = accepted(who.get(f"{path}/events?after={version}"))
            assert news["version"] == news["events"][-1]["version"] == accepted(who.get(path))["version"]
        version = news["version"]
    assert answered("loop") - on_the_loop == 1 + 10 * 7
    assert answered("threads") == in_threads


def test_moves_of_a_slow_game_are_left_to_threads(
    world: World, players: list[Somebody], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its tables are read on the loop."""
    table = world.open(*players, game="tomahawk")
    accepted(players[0].get(f"/v1/tables/{table}"))
    monkeypatch.setitem(vars(GAMES["tomahawk"]), "is_slow", True)
    before = answered("loop"), answered("threads")
    world.play(table, *players, moves=1)
    accepted(players[0].get(f"/v1/tables/{table}"))
    assert (answered("loop"), answered("threads")) == (before[0] + 1, before[1] + 1)


@pytest.mark.slow
def test_busy_players_stay_on_the_loop(world: World, players: list[Somebody], monkeypatch: pytest.MonkeyPatch) -> None:
    """Their tokens and names are renewed before they expire."""
    path = f"/v1/tables/{world.open(*players)}"
    for name in ("accounts_and_tokens", "shown_names"):
        monkeypatch.setattr(f"service.accounts.{name}.REMEMBER_S", 3.0)
        monkeypatch.setattr(f"service.accounts.{name}.RENEW_S", 2.9)
    time.sleep(5)  # until what was remembered before has expired
    accepted(players[0].get(path))
    before = answered("threads")
    for _ in range(40):
        accepted(players[0].get(path))
        time.sleep(0.1)
    assert answered("threads") == before


def test_a_request_waits_for_a_decision(world: World, players: list[Somebody]) -> None:
    """`wait` answers at once if a decision is open, else when one opens or the time is up, and refuses other times."""
    table = world.open(*players)
    world.play(table, *players, moves=12)
    path = f"/v1/tables/{table}/moves"
    here = accepted(players[0].get(path))
    seat = here["waiting_for"][0]["seat"]
    assert {tuple(row) for row in here["waiting_for"]} == {("seat", "kind", "since")}
    acting, other = players[seat - 1], players[2 - seat]
    on_the_loop = answered("loop")
    assert accepted(acting.get(f"{path}?wait=20"))["decisions"]
    assert answered("loop") == on_the_loop + 1
    assert accepted(other.get(f"{path}?wait=1"))["decisions"] == []
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(other.get, f"{path}?wait=50")
        while accepted(other.get(path))["decisions"] == []:
            world.play(table, *players, moves=1)
        found = accepted(waiting.result(30))
    assert found["decisions"]
    assert found["waiting_for"] == accepted(other.get(f"/v1/tables/{table}"))["waiting_for"]
    refused(other.get(f"{path}?wait=51"), 422, "invalid")
    refused(other.get(f"{path}?x=1"), 422, "invalid")


# --- the same answer from both lanes ---

ODD = ["", "*", "x", "é", '"1"', ",", "x" * 3000, "a" * 64]
HEADERS = {
    "Accept": ["application/json", "text/html", "*/*;q=0.1", *ODD],
    "Accept-Encoding": ["gzip", "br", "zstd", "gzip, br;q=0.5", "identity;q=0, *", "gzip;q=0", *ODD],
    "Accept-Language": ["fr", "en;q=0.1, fr", "de", *ODD],
    "Prefer": ["return=minimal", "return=representation", "Return = Minimal", "wait=5, return=minimal", *ODD],
    "If-None-Match": ["TAG", "W/TAG", "TAG, x", "ZSTD", *ODD],
    "If-Match": ["TAG", "VERSION", '"1-00000000"', *ODD],
    "If-Range": ["TAG", *ODD],
    "Range": ["bytes=0-9", *ODD],
    "Origin": ["https://elsewhere.example", *ODD],
    "X-Forwarded-For": ["10.0.0.1", *ODD],
    "Last-Event-ID": ["20", "20-00000000", *ODD],
    "Idempotency-Key": ["k", "a key", *ODD],
    "Access-Control-Request-Method": ["POST"],
    "Expect": ["100-continue"],
    "Content-Type": ["application/json", "application/json; charset=utf-8", "text/plain", *ODD],
}
TOKENS = ["Bearer ANN", "bearer ANN", "Bearer  BOB ", "Bearer", "Bearer wc_nobody", "Basic YTpi", "ANN", *ODD]
PATHS = "/ /moves /events /moves/ //moves /moves/check /%6Doves /moves%2F /events /x /MOVES"
NAMES = ["TABLE", "TABLE", "TABLE", "t_none", "x_aaaaaaaaaaaaaaaaaaaa", "TABLEx", "%", "é"]
QUERIES = """
? ?at=3 ?after=20 ?after=20&limit=1 ?after=99 ?at=x ?seat=1 ?seat=2 ?x=1 ?at=1&at=2 ?include=table ?wait=0 ?wait=99 ?%
?é=1
"""
BODIES = [
    b"",
    b"{}",
    b"[]",
    b"{",
    b"null",
    b'{"game": "big-manitou", "seat": 1, "move": {}}',
    b'{"move": {}}',
    b'{"seat": 2, "move": {"type": "x"}}',
    b'{"game": "manitou", "seat": 1, "move": {"type": "x"}}',
    b'{"game": "big-manitou", "seat": 2, "move": null, "x": 1}',
    b'{"game": "big-manitou", "seat": 1.5, "move": NaN}',
    b'{"game": "big-manitou", "seat": 9, "seat": 1, "move": {}}',
    b'{"game": "big-manitou", "seat": 1, "move": ' + b"[" * 100 + b"]" * 100 + b"}",
    b'{"game": "big-manitou", "seat": 1, "move": "' + b"x" * 9000 + b'"}',
    "é".encode("latin-1"),
]


@st.composite
def asked(draw: st.DrawFn) -> dict[str, Any]:
    """A request at a table, ordinary in most of its parts."""
    headers = draw(
        st.dictionaries(st.sampled_from(sorted(HEADERS)), st.integers(0, 20), max_size=4).map(
            lambda chosen: {name: HEADERS[name][number % len(HEADERS[name])] for name, number in chosen.items()}
        )
    )
    token = draw(st.sampled_from(["Bearer ANN", "Bearer ANN", "Bearer BOB", None, *TOKENS]))
    table, path, query = (
        draw(st.sampled_from(parts)) for parts in (NAMES, ["", *PATHS.split()], [*[""] * 3, *QUERIES.split()])
    )
    return {
        "method": draw(st.sampled_from(["GET", "GET", "GET", "POST", "POST", "HEAD", "OPTIONS", "PUT", "DELETE"])),
        "path": f"/v1/tables/{table}{path}{query}",
        "headers": headers | ({"Authorization": token} if token is not None else {}),
        "data": draw(st.sampled_from(BODIES)),
    }


def _latest(query: str, **headers: str) -> dict[str, Any]:
    path = f"/v1/tables/TABLE/events?{query}"
    return {"method": "GET", "path": path, "headers": {"Authorization": "Bearer ANN", **headers}, "data": b""}


@given(request=asked())
@example(request=_latest("after=20"))
@example(request=_latest("after=20", **{"If-Match": "TAG"}))
@example(request=_latest("after=20&limit=1"))
@example(request=_latest("after=1"))
@example(request=_latest("limit=1"))
@example(request=_latest("after=20&language=fr"))
@settings(max_examples=400)
def test_both_lanes_answer_the_same(world: World, players: list[Somebody], table: str, request: dict[str, Any]) -> None:
    """Whatever is asked, and however: nothing here changes the table."""
    tag = str(players[0].get(f"/v1/tables/{table}").headers["ETag"])
    words = {
        "TABLE": table,
        "TAG": tag,
        "ZSTD": f'{tag[:-1]}:zstd"',
        "VERSION": tag.strip('"').partition("-")[0],
        "ANN": str(players[0].token),
        "BOB": str(players[1].token),
    }

    def said(text: str) -> str:
        for word, meant in words.items():
            text = text.replace(word, meant)
        return text

    headers = {name: said(value) for name, value in request["headers"].items()}
    headers["X-Request-ID"] = f"request-{next(NUMBERS)}"
    sent = request | {"path": said(request["path"]), "headers": headers}

    on_the_loop, in_threads = (_told(_answer(world, server, **sent)) for server in _both(world))

    assert on_the_loop == in_threads
    assert on_the_loop[0] < 500


def _both(world: World) -> tuple[Server, Server]:
    assert world.loop
    return world.loop.server, world.loop.threads


def _answer(world: World, server: Server, path: str, **request: Any) -> Protocol:
    assert world.loop
    headers = {name: value.encode().decode("latin-1") for name, value in request.pop("headers").items()}
    return world.loop.answer(EnvironBuilder(path, headers=headers, **request).get_environ(), server)


REPLAYED = ("Idempotent-Replayed", "true")


def _told(answer: Protocol) -> tuple[int, list[tuple[str, str]], bytes]:
    """Returns the answer without the header that only a repeat carries."""
    return answer.status, sorted(set(answer.headers) - {REPLAYED}), answer.body


@pytest.mark.parametrize("prefer", ["return=minimal", "return=representation"])
@pytest.mark.parametrize("first", [0, 1])
def test_a_move_is_answered_the_same_by_whichever_lane(
    world: World, players: list[Somebody], table: str, first: int, prefer: str
) -> None:
    """It is played in one lane and repeated in the other; the answers differ in `Idempotent-Replayed` alone."""
    before = world.services.handler.history(table).table.version
    sent = _a_move(world, players, table, key=f"move {next(NUMBERS)}".replace(" ", "-"), Prefer=prefer)
    servers = _both(world)

    played, repeated = (_answer(world, server, **sent) for server in (servers[first], servers[1 - first]))

    assert _told(played) == _told(repeated)
    assert [REPLAYED in answer.headers for answer in (played, repeated)] == [False, True]
    assert played.status == (204 if prefer == "return=minimal" else 200)
    moves = [event for event in world.services.handler.history(table).events[before:] if "move" in event.sealed]
    assert len(moves) == 1


def test_repeats_at_once_get_the_first_answer(world: World, players: list[Somebody], table: str) -> None:
    """Eight at once in both lanes: one batch, and one answer to all."""
    before = world.services.handler.history(table).table.version
    sent = _a_move(world, players, table, key=f"at-once-{next(NUMBERS)}")
    servers = _both(world)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: _answer(world, servers[number % 2], **sent), range(8)))

    assert answers[0].status == 200
    assert all(_told(answer) == _told(answers[0]) for answer in answers)
    assert sum(REPLAYED not in answer.headers for answer in answers) == 1
    moves = [event for event in world.services.handler.history(table).events[before:] if "move" in event.sealed]
    assert len(moves) == 1


def _a_move(world: World, players: list[Somebody], table: str, key: str, **headers: str) -> dict[str, Any]:
    """A request for a legal move."""
    chosen = world.move(table, random.Random(next(NUMBERS)))
    assert chosen is not None
    seat, move = chosen
    return {
        "path": f"/v1/tables/{table}/moves",
        "method": "POST",
        "data": json.dumps(world.moving(table, seat, move)).encode(),
        "headers": {
            "Authorization": f"Bearer {players[seat - 1].token}",
            "Content-Type": "application/json",
            "Idempotency-Key": key,
            "X-Request-ID": key,
            **headers,
        },
    }


def test_requests_do_not_mix(world: World, players: list[Somebody], caplog: pytest.LogCaptureFixture) -> None:
    """Many at once, answered or refused, in one lane or both: each is counted and logged once, under its own id."""
    caplog.set_level("INFO", "service.requests")
    caplog.handler.addFilter(IdFilter())
    tables, sent = [world.open(*players) for _ in range(8)], [f"mine-{number}" for number in range(64)]
    before = {lane: answered(lane, status=None) for lane in ("loop", "threads")}

    def ask(number: int) -> Protocol:
        move = _a_move(world, players, tables[number % len(tables)], key=sent[number])
        return _answer(world, _both(world)[0], **move | ({"data": b"{}"} if number % 3 == 0 else {}))

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(len(sent))))

    assert [dict(answer.headers)[REQUEST_ID] for answer in answers] == sent
    told = [json.loads(answer.body).get("request_id", name) for answer, name in zip(answers, sent, strict=True)]
    logged = [vars(record)["request_id"] for record in caplog.records if record.name == "service.requests"]
    assert told == sent == sorted(set(logged) & set(sent), key=sent.index)
    counts = [answered(lane, status=None) - count for lane, count in before.items()]
    assert len([one for one in logged if one in sent]) == sum(counts) == len(sent)
    assert min(counts) > 0
