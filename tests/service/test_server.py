"""The web server as it really runs: streams that go on, what the bridge to Flask passes on, and what it refuses."""

import contextlib
import json
import random
import resource
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPResponse
from typing import Any

import pytest
import requests

from service.accounts.accounts_and_tokens import digest_of, key_of
from tests.servers import wait_until
from tests.service.api.world import Somebody, World, accepted, embedded_store, refused
from tests.service.sse import FEED, Frame, Stream
from tests.service.web import serving

METRICS = "a-token-for-metrics"
CAP = 3
MANY = 500


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    with embedded_store() as url:
        yield url


@pytest.fixture(scope="module")
def world(store: str) -> Iterator[World]:
    with contextlib.closing(World(store)) as found:
        yield found


@pytest.fixture(scope="module")
def address(store: str) -> Iterator[str]:
    """The web server as `wintercount serve` starts it."""
    with serving(store, STREAMS=str(4 * MANY), STREAMS_PER_CLIENT=str(4 * MANY), METRICS_TOKEN=METRICS) as found:
        yield found


@pytest.fixture(scope="module")
def lively(store: str) -> Iterator[str]:
    """A web server that shows signs of life often, and holds few streams open."""
    with serving(store, "-m", "tests.service.quick", STREAMS=str(CAP), METRICS_TOKEN=METRICS) as found:
        yield found


class Game:
    """A table of two people."""

    def __init__(self, world: World, game: str = "big-manitou") -> None:
        self.world, self.players = world, [world.somebody("Ann"), world.somebody("Bob")]
        self.table = world.open(*self.players, game=game)

    def play(self, moves: int) -> int:
        """So many moves; the version that they lead to."""
        self.world.play(self.table, *self.players, moves=moves, seed=self.version())
        return self.version()

    def version(self) -> int:
        return int(accepted(self.players[0].get(f"/v1/tables/{self.table}"))["version"])


@pytest.fixture
def game(world: World) -> Game:
    return Game(world)


def streams_open(address: str) -> int:
    """What the metrics say."""
    headers = {"Authorization": f"Bearer {METRICS}"}
    lines = requests.get(f"{address}/metrics", headers=headers, timeout=20).text.splitlines()
    return int(float(next(line for line in lines if line.startswith("wintercount_streams ")).split()[1]))


def read(address: str, game: Game, who: Somebody | None = None) -> list[Any]:
    headers = {"Accept": "application/x-ndjson"} | ({"Authorization": f"Bearer {who.token}"} if who else {})
    answer = requests.get(f"{address}/v1/tables/{game.table}/events", headers=headers, timeout=20)
    return [json.loads(line) for line in answer.text.splitlines()]


def test_a_stream_tells_what_happens_while_it_is_open(address: str, game: Game) -> None:
    """From the first event on, each as a page gives it, and without a gap."""
    with contextlib.closing(Stream(address, game.table)) as stream:
        assert (stream.status, stream.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
        assert stream.headers["cache-control"] == "no-store, no-transform"
        assert "content-length" not in stream.headers
        begun = stream.events(last=game.version())
        last = game.play(10)
        events = begun + stream.events(last=last)
    assert [event.id for event in events] == list(range(1, last + 1))
    assert [event.data for event in events] == read(address, game)
    assert all(event.event == event.data["type"] for event in events)


def test_a_stream_shows_each_what_he_may_see(address: str, game: Game) -> None:
    last = game.play(10)
    for who in game.players:
        with contextlib.closing(Stream(address, game.table, who.token)) as stream:
            assert [event.data for event in stream.events(last=last)] == read(address, game, who)


@contextlib.contextmanager
def inbox_of(address: str, who: Somebody, **headers: str) -> Iterator[Iterator[Frame]]:
    """The news of somebody's inbox."""
    with contextlib.closing(Stream(address, None, who.token, **headers)) as stream:
        assert (stream.status, stream.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
        yield (frame for frame in stream.frames if frame.event)


def test_an_inbox_tells_whose_turn_it_is(address: str, world: World) -> None:
    """First what waits already, then each decision of the caller's when it is opened and when it is settled."""
    before = Game(world)
    world.catch_up()
    ann, bob = before.players
    with inbox_of(address, ann) as news:
        first = next(news)
        waiting = accepted(ann.get("/v1/inbox"))["decisions"]
        assert (first.event, first.data) == ("decision", waiting[0])
        assert first.id == f"{before.table}/{first.data['id']}"

        table = world.open(ann, bob, game="manitou")
        began = next(news)
        assert (began.event, began.data["table"], began.data["seat"]) == ("decision", table, 1)
        move = world.move(table, random.Random(1))
        while move is None or move[0] != 1:
            move = world.move(table, random.Random())
        ann.post(f"/v1/tables/{table}/moves", {"game": "manitou", "seat": 1, "move": move[1]})
        settled = next(news)
        assert (settled.event, settled.data) == ("settled", {"table": table, "id": began.data["id"]})


def test_an_inbox_that_is_opened_again_has_missed_nothing(address: str, world: World) -> None:
    """All open decisions come again, so that a client that crashed after a frame still gets it."""
    game = Game(world)
    world.catch_up()
    who = game.players[0]
    with inbox_of(address, who) as news:
        first = next(news)
    other = Game.__new__(Game)
    other.world, other.players = world, game.players
    other.table = world.open(*game.players)
    world.catch_up()
    with inbox_of(address, who, Last_Event_ID=str(first.id)) as news:
        assert [next(news).data["table"] for _ in range(2)] == [game.table, other.table]


def test_an_inbox_is_its_owner_s(address: str, world: World, lively: str) -> None:
    """Nobody hears of another's turns; and a stream ends when its token is revoked."""
    game = Game(world)
    world.catch_up()
    stranger = world.somebody("Cat")
    token = accepted(stranger.post("/v1/players/me/tokens", {"scopes": ["watch"]}), 201)
    cat = Somebody(world.app, stranger.player, token["secret"])
    with inbox_of(lively, cat) as news:
        game.play(4)
        stranger.delete(f"/v1/players/me/tokens/{token['id']}")
        assert [(frame.event, frame.data) for frame in news] == [("end", {"reason": "access_ended"})]
    assert requests.get(f"{address}/v1/inbox", timeout=20).status_code == 401


def test_a_dropped_stream_is_resumed_where_it_broke(address: str, game: Game) -> None:
    """The client sends the last id that it has; it misses nothing and gets nothing twice."""
    last = game.play(8)
    with contextlib.closing(Stream(address, game.table)) as stream:
        seen = stream.events(last=last - 5)
    last = game.play(4)
    with contextlib.closing(Stream(address, game.table, Last_Event_ID=str(seen[-1].place))) as stream:
        seen += stream.events(last=last)
    assert [event.id for event in seen] == list(range(1, last + 1))


def test_a_stream_ends_with_a_word(address: str, world: World) -> None:
    """`end` after the table's last event, so that a connection that merely breaks is never taken for the end."""
    game = Game(world, "tomahawk")
    with contextlib.closing(Stream(address, game.table)) as stream:
        last = game.play(1000)
        events = stream.events()
    assert [event.id for event in events] == [*range(1, last + 1), None]
    assert events[-2].event == "TableClosed"
    assert (events[-1].event, events[-1].data) == ("end", {"reason": "table_closed"})
    with contextlib.closing(Stream(address, game.table, Last_Event_ID=str(last))) as nothing_left:
        assert nothing_left.status == 204


def test_an_idle_stream_shows_that_it_lives(lively: str, game: Game) -> None:
    """Comments, which clients pass over."""
    with contextlib.closing(Stream(lively, game.table)) as stream:
        comments = [
            frame.comment for frame in (next(stream.frames) for _ in range(game.version() + 4)) if not frame.event
        ]
    assert comments == ["wintercount", "still here", "still here", "still here"]


def test_there_are_only_so_many_streams(lively: str, game: Game) -> None:
    """One too many is told when to come again; when another has gone, there is room; other requests are answered."""
    wait_until(lambda: streams_open(lively) == 0)
    streams = [Stream(lively, game.table) for _ in range(CAP)]
    assert [stream.status for stream in streams] == [200] * CAP
    refused = Stream(lively, game.table)
    assert (refused.status, refused.headers["content-type"]) == (503, "application/problem+json")
    assert int(refused.headers["retry-after"]) >= 1
    refused.close()
    assert requests.get(f"{lively}/v1/tables/{game.table}", timeout=20).ok
    streams.pop().close()
    wait_until(lambda: streams_open(lively) == CAP - 1)
    streams.append(Stream(lively, game.table))
    assert streams[-1].status == 200
    for stream in streams:
        stream.close()


def test_a_stream_that_is_dropped_is_no_longer_counted(lively: str, game: Game) -> None:
    """Again and again, before the first frame is read and after."""
    for reads in (0, 1) * (2 * CAP):
        wait_until(lambda: streams_open(lively) < CAP)
        stream = Stream(lively, game.table)
        assert stream.status == 200
        for _ in range(reads):
            next(stream.frames)
        stream.close()
    wait_until(lambda: streams_open(lively) == 0)


def test_a_revoked_token_ends_its_stream(lively: str, game: Game) -> None:
    """Also while events keep coming."""
    ann = game.players[0]
    watching = game.world.again(ann, ["watch"])
    tokens = accepted(ann.get("/v1/players/me/tokens"))["tokens"]
    token = next(row["id"] for row in tokens if row["scopes"] == ["watch"])
    with contextlib.closing(Stream(lively, game.table, watching.token)) as stream:
        stream.events(last=game.version())
        accepted(ann.delete(f"/v1/players/me/tokens/{token}"), 204)
        playing = threading.Thread(target=game.play, args=(40,))
        playing.start()
        end = stream.events()[-1]
        playing.join()
    assert (end.event, end.data) == ("end", {"reason": "access_ended"})


def stream_token(who: Somebody) -> str:
    """The query that opens one stream."""
    return f"stream_token={accepted(who.post('/v1/stream-tokens'), 201)['secret']}"


def test_a_stream_works_with_an_event_source(address: str, game: Game) -> None:
    """Which sends no headers, and hands frames without names to one function: their data says what they are."""
    last, ann = game.play(10), game.players[0]
    with contextlib.closing(Stream(address, game.table, query=f"names=off&{stream_token(ann)}")) as stream:
        frames = []
        for frame in stream.frames:
            frames += [frame] if frame.data else []
            if frame.id == last:
                break
    assert {frame.event for frame in frames} == {None}
    assert [frame.data for frame in frames] == [{"frame": row["type"]} | row for row in read(address, game, ann)]


@pytest.mark.parametrize("kind", [None, FEED])
def test_every_stream_can_be_without_names(address: str, game: Game, kind: str | None) -> None:
    game.world.catch_up()
    with contextlib.closing(Stream(address, kind, query=f"names=off&{stream_token(game.players[0])}")) as stream:
        first = next(frame for frame in stream.frames if frame.data)
    assert (first.event, first.data["frame"]) == (None, "batch" if kind else "decision")


def test_a_stream_token_opens_one_stream(world: World, address: str, game: Game) -> None:
    """Of all that try at the same time, in whatever process, one gets it."""
    query = stream_token(game.players[0])
    assert 0 < world.log.client.ttl(key_of("stream", digest_of(query.partition("=")[2]))) <= 60

    def status(_: int) -> int:
        with contextlib.closing(Stream(address, None, query=query)) as stream:
            return stream.status

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(status, range(8))) == [200] + [401] * 7
    problem = refused(world.nobody.get(f"/v1/inbox?{query}"), 401, "unauthenticated")
    assert "stream token" in problem["detail"]


def test_a_stream_token_opens_nothing_else(world: World, game: Game) -> None:
    """Also not a page of what can be a stream; and what it does not open does not use it up."""
    query = stream_token(game.players[0])
    refused(world.nobody.get(f"/v1/players/me?{query}"), 401, "unauthenticated")
    refused(world.nobody.get(f"/v1/tables/{game.table}/moves?{query}"), 401, "unauthenticated")
    refused(world.nobody.send("DELETE", f"/v1/tables/{game.table}/analysis?{query}"), 401, "unauthenticated")
    secret = query.partition("=")[2]
    refused(world.nobody.get("/v1/inbox", Authorization=f"Bearer {secret}"), 401, "unauthenticated")
    answer = world.nobody.get(f"/v1/inbox?{query}", Accept="application/json")
    assert (answer.status_code, answer.mimetype, answer.data) == (200, "text/event-stream", b"")
    refused(world.operator.post("/v1/stream-tokens"), 403, "not_allowed")


def test_a_stream_token_reads_no_more_than_its_maker(address: str, world: World, game: Game) -> None:
    """It sees the own seat of whoever made it, and no private table of others."""
    last, (ann, bob) = game.play(10), game.players
    with contextlib.closing(Stream(address, game.table, query=stream_token(bob))) as stream:
        assert [event.data for event in stream.events(last=last)] == read(address, game, bob)
    private = world.open(ann, bob, visibility="private")
    for who, status in ((bob, 200), (world.somebody("Cat"), 404)):
        with contextlib.closing(Stream(address, private, query=stream_token(who))) as stream:
            assert stream.status == status
    refused(world.again(ann, ["play"]).post("/v1/stream-tokens"), 403, "scope_missing")


def test_a_revoked_token_ends_what_its_stream_tokens_opened(lively: str, game: Game) -> None:
    """One that is not used yet opens nothing any more."""
    ann = game.players[0]
    watching = game.world.again(ann, ["watch"])
    token = next(
        row["id"] for row in accepted(ann.get("/v1/players/me/tokens"))["tokens"] if row["scopes"] == ["watch"]
    )
    unused = stream_token(watching)
    with contextlib.closing(Stream(lively, game.table, query=f"names=off&{stream_token(watching)}")) as stream:
        accepted(ann.delete(f"/v1/players/me/tokens/{token}"), 204)
        *_, last = (frame.data for frame in stream.frames if frame.data)
    assert last == {"frame": "end", "reason": "access_ended"}
    refused(game.world.nobody.get(f"/v1/inbox?{unused}"), 401, "unauthenticated")


def test_moves_flow_while_many_streams_are_open(world: World, address: str, game: Game) -> None:
    """Five hundred listeners: every one gets every event, and moves are answered all the while."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 4 * MANY), hard), hard))
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(contextlib.closing(Stream(address, game.table))) for _ in range(MANY)]
        assert {stream.status for stream in streams} == {200}
        assert streams_open(address) >= MANY
        ann = requests.Session()
        for seat, who in enumerate(game.players, 1):
            ann.headers["Authorization"] = f"Bearer {who.token}"
            path = f"{address}/v1/tables/{game.table}/moves"
            listed = ann.get(path, timeout=20).json()["decisions"][0]["moves"][0]
            move = {"type": listed["type"], "cards": listed["from"][: listed["choose"]]}
            assert ann.post(path, json=world.moving(game.table, seat, move), timeout=20).status_code == 200
        last = game.play(10)
        with ThreadPoolExecutor(8) as pool:
            seen = list(pool.map(lambda stream: [event.id for event in stream.events(last=last)], streams))
    assert all(ids == list(range(1, last + 1)) for ids in seen)
    wait_until(lambda: streams_open(address) == 0)


def raw(address: str, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[HTTPResponse, bytes]:
    """An answer with no help from a library that mends requests."""
    connection = HTTPConnection(address.removeprefix("http://"), timeout=20)
    with contextlib.closing(connection):
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer, answer.read()


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "BREW"])
def test_a_method_that_is_none_is_a_problem_document(address: str, method: str) -> None:
    answer, body = raw(address, method, "/v1/games")
    assert (answer.status, answer.headers["Content-Type"]) == (405, "application/problem+json")
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}
    assert json.loads(body)["code"] == "method_not_allowed"


@pytest.mark.parametrize(
    "path",
    ["/v1/games/%252e", "/v1/games/%F4%88%9E%89X", "/v1/games/%ff%fe", "/v1/games/%00", "/v1//games", "/v1/games/"],
)
def test_a_path_is_decoded_once(address: str, path: str) -> None:
    """And whatever it holds, the answer is that there is nothing."""
    answer, _ = raw(address, "GET", path)
    assert (answer.status, answer.headers["Content-Type"]) == (404, "application/problem+json")


@pytest.mark.parametrize(
    ("head", "status"),
    [("HTTP/1.1", 400), ("HTTP/1.1\r\nHost: a\r\nHost: b", 400), ("HTTP/1.1\r\nHost: a", 200), ("HTTP/1.0", 200)],
)
def test_a_request_names_its_host_once(address: str, head: str, status: int) -> None:
    """RFC 9112, 3.2: of HTTP/1.1; older clients may leave it out."""
    host, _, port = address.removeprefix("http://").rpartition(":")
    with socket.create_connection((host, int(port)), 30) as client:
        client.sendall(f"GET /v1/games {head}\r\nConnection: close\r\n\r\n".encode())
        assert int(client.makefile("rb").readline().split()[1]) == status


def test_a_header_that_cannot_be_read_is_not_passed_over(address: str, game: Game) -> None:
    """Else a request with such an Idempotency-Key would be one without any."""
    answer, body = raw(
        address, "POST", "/v1/players", b'{"name": "Ann"}', Content_Type="application/json", Idempotency_Key="é" * 20
    )
    assert (answer.status, json.loads(body)["code"]) == (400, "malformed")


def without_id(body: Any) -> dict[str, Any]:
    """An answer without the name of its request, which a problem tells."""
    return {name: value for name, value in body.items() if name != "request_id"}


@pytest.mark.slow
def test_expensive_reads_are_answered_beside_the_others(address: str, game: Game) -> None:
    """By a process of its own: what they answer is what is answered here, refusals too."""
    game.play(6)
    ann = game.players[0]
    headers = {"Authorization": f"Bearer {ann.token}"}
    for query, status in (("diff?from=1", 200), ("blame?path=/view/phase", 200), ("audit", 200), ("diff?to=999", 404)):
        path = f"/v1/tables/{game.table}/{query}"
        answer = requests.get(address + path, headers=headers, timeout=120)
        assert (answer.status_code, without_id(answer.json())) == (status, without_id(ann.get(path).json)), query
    archive = requests.get(f"{address}/v1/tables/{game.table}/archive", headers=headers, timeout=120)
    assert archive.content == ann.get(f"/v1/tables/{game.table}/archive").data
