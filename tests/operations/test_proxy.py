"""`operations/nginx.conf` in a real nginx: limits by address, buffering, streams."""

import contextlib
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests

from service.errors import PROBLEMS
from tests.operations.nginx import PATIENCE_S, Answer, Proxy, nginx
from tests.operations.upstream import LARGE, Upstream, upstream
from tests.servers import free_port, wait_until
from tests.service.api.world import embedded_store
from tests.service.web import serving

# Nothing is let in again while a test runs, and requests above the rate do not wait for each other.
NO_REFILL = {"rate=200r/s": "rate=1r/m", "rate=1000r/s": "rate=1r/m", "burst=2000 delay=400": "burst=2000 nodelay"}
FEW = NO_REFILL | {"burst=2000 delay=400": "burst=4 nodelay", "open_requests 1500": "open_requests 3"}
CLIENTS, TABS, OF_A_TAB, FILES = 30, 3, 12, 145  # as the comment in nginx.conf counts
STREAM = "/v1/tables/t_1/events"


@pytest.fixture(scope="module")
def behind() -> Iterator[Upstream]:
    with upstream() as found:
        yield found


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory, behind: Upstream) -> Iterator[Proxy]:
    """nginx with the limits that the file sets, before a stub of the service."""
    with nginx(tmp_path_factory.mktemp("nginx"), behind.address, NO_REFILL) as found:
        yield found


@pytest.fixture
def strict(tmp_path: Path, behind: Upstream) -> Iterator[Proxy]:
    """The same with smaller numbers: five requests, of which three may be open at once."""
    with nginx(tmp_path, behind.address, FEW) as found:
        yield found


def is_problem(answer: Answer, status: int, code: str) -> bool:
    """Whether nginx itself answers with a problem document that the service knows too."""
    body = json.loads(answer.body)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert body["request_id"] == answer.headers["X-Request-Id"]
    assert PROBLEMS[code].status == status
    return (answer.status, body["status"], body["code"]) == (status, status, code)


def test_a_class_behind_one_address_passes(proxy: Proxy, behind: Upstream) -> None:
    """30 browsers with three tabs each open at once: all of them get the page, the lobby, a table and its stream."""

    def browse(_: int) -> None:
        with proxy.connected() as connection:
            for _ in range(TABS):
                paths = ["/v1/games"] * OF_A_TAB + [f"/page/js/{number}.js" for number in range(FILES)]
                assert set(connection.statuses(paths)) == {200}

    with contextlib.ExitStack() as streams:
        for _ in range(CLIENTS * TABS):
            streams.enter_context(proxy.stream("/v1/tables/t_class/events"))
        with ThreadPoolExecutor(CLIENTS) as clients:
            list(clients.map(browse, range(CLIENTS)))
    assert behind.seen.count(("/v1/tables/t_class/events", 0)) == CLIENTS * TABS


def test_an_address_that_asks_too_much_is_refused(strict: Proxy) -> None:
    """With 429 and `Retry-After`; another address is served meanwhile."""
    assert [strict.get("/v1/games").status for _ in range(6)] == [200] * 5 + [429]
    refused = strict.get("/v1/games")
    assert is_problem(refused, 429, "too_many_requests")
    assert refused.headers["Retry-After"] == "1"
    assert strict.get("/v1/games", "127.0.0.2").status == 200


def test_files_of_the_page_have_a_rate_of_their_own(strict: Proxy) -> None:
    """A client that has spent its requests still gets the page."""
    assert [strict.get("/v1/games").status for _ in range(6)][-1] == 429
    assert strict.get("/page/js/main.js").status == 200


def test_an_address_has_so_many_requests_open(strict: Proxy) -> None:
    """Streams count; one that ends makes room."""
    with contextlib.ExitStack() as streams:
        for _ in range(3):
            streams.enter_context(strict.stream(STREAM))
        assert is_problem(strict.get(STREAM), 429, "too_many_requests")
        with strict.stream(STREAM, "127.0.0.2"):
            pass


def test_ipv6_counts_by_network(tmp_path: Path, behind: Upstream) -> None:
    """All addresses of a /64 are one client, whatever bytes are in them; another network is another client."""
    given = "set_real_ip_from 127.0.0.1; real_ip_header X-Test-Address; upstream wintercount"
    with nginx(tmp_path, behind.address, FEW | {"upstream wintercount": given}) as found:

        def spent(address: str) -> bool:
            return [found.get("/v1/games", X_Test_Address=address).status for _ in range(6)] == [200] * 5 + [429]

        def refused(address: str) -> bool:
            return found.get("/v1/games", X_Test_Address=address).status == 429

        for network in ("2001:db8:1:2", "2001:db8:a0a:a0a", "2001:db8:0:a"):  # a0a are two ends of a line
            assert spent(f"{network}::1")
            assert refused(f"{network}:ffff:ffff:ffff:ffff")
            assert refused(f"{network}:0:a0a::a0a")
        assert not refused("2001:db8:1:3::1")
        assert spent("192.0.2.1")
        assert not refused("192.0.2.2")


def test_a_client_cannot_choose_its_address(proxy: Proxy) -> None:
    """Neither for the limits nor for the service: `X-Forwarded-For` is replaced."""
    answer = proxy.get("/headers", "127.0.0.3", X_Forwarded_For="10.0.0.1, 10.0.0.2")
    assert json.loads(answer.body)["x-forwarded-for"] == "127.0.0.3"


@pytest.mark.parametrize(("given", "kept"), [("mine-1", True), ('"},"', False), ("x" * 65, False)])
def test_a_request_keeps_the_id_of_its_client(proxy: Proxy, given: str, kept: bool) -> None:
    """If it is valid; the service gets it, and the answer has it once."""
    answer = proxy.get("/headers", X_Request_Id=given)
    found = answer.headers.get_all("X-Request-Id")
    assert found == [json.loads(answer.body)["x-request-id"]]
    assert (found == [given]) is kept


def test_the_service_sees_a_body_when_all_of_it_has_come(proxy: Proxy, behind: Upstream) -> None:
    """A client that sends slowly holds nothing there."""
    body = b"x" * 100_000
    with proxy.connected() as slow:
        slow.send(b"POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n" + body[:90_000])
        assert proxy.get("/between").status == 200
        assert ("/slow", 0) not in behind.seen
        slow.send(body[90_000:])
        assert slow.answer()[0] == 200
    seen = [one for one in behind.seen if one[0] in ("/slow", "/between")]
    assert seen == [("/between", 0), ("/slow", 0), ("/slow", 100_000)]


def test_the_service_is_done_before_a_slow_reader(proxy: Proxy, behind: Upstream) -> None:
    """nginx takes a large answer in while the client reads nothing of it."""
    with proxy.connected(receives=4096) as slow:
        slow.send(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert behind.large_sent.wait(PATIENCE_S)
        assert slow.answer() == (200, LARGE)


def test_a_stream_is_not_buffered(proxy: Proxy, behind: Upstream) -> None:
    """A frame arrives while the stream goes on, and so does the next."""
    with proxy.stream(STREAM) as stream:
        for number in range(3):
            behind.send_frame(f"data: {number}\n\n".encode())
            assert stream.readline() == f"data: {number}\n".encode()
            assert stream.readline() == b"\n"


def test_a_client_that_half_closes_gets_its_answer(proxy: Proxy, behind: Upstream) -> None:
    """It has sent all it will send; the answer comes later."""
    path = "/v1/tables/t_half/events"
    with proxy.connected() as connection:
        connection.send(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode())
        connection.half_close()
        wait_until(lambda: (path, 0) in behind.seen)
        behind.send_frame(b"data: late\n\n")
        assert connection.head()[0] == 200


@pytest.mark.parametrize(
    ("path", "size", "status"),
    [("/v1/players", 100_000, 200), ("/v1/players", 200_000, 413), ("/v1/archives", 4 << 20, 200)],
)
def test_a_body_has_a_largest_size(proxy: Proxy, path: str, size: int, status: int) -> None:
    """Archives may be larger than the rest."""
    answer = proxy.post(path, b"x" * size)
    assert answer.status == status
    assert status == 200 or is_problem(answer, 413, "too_large")


def test_a_service_that_does_not_answer_is_503(tmp_path: Path) -> None:
    """With `Retry-After`, as a problem document."""
    with nginx(tmp_path, f"127.0.0.1:{free_port()}", {}) as found:
        answer = found.get("/v1/games")
        assert is_problem(answer, 503, "too_busy")
        assert answer.headers["Retry-After"] == "1"


def test_a_refusal_of_the_service_passes_unchanged(proxy: Proxy) -> None:
    """nginx writes problem documents only for what it refuses itself."""
    answer = proxy.get("/refused")
    assert (answer.status, answer.body) == (429, b'{"code":"of-the-service"}')
    assert answer.headers.get_all("Retry-After") == ["77"]
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_without_tls_a_client_is_sent_there(proxy: Proxy) -> None:
    """A POST stays a POST."""
    answer = requests.post(f"http://localhost:{proxy.plain}/v1/players?a=b", allow_redirects=False, timeout=PATIENCE_S)
    assert (answer.status_code, answer.headers["Location"]) == (308, "https://localhost/v1/players?a=b")
    assert proxy.get("/v1/games").headers["Strict-Transport-Security"] == "max-age=31536000"


def test_metrics_are_not_for_the_world(proxy: Proxy, behind: Upstream) -> None:
    """nginx itself answers that there is nothing."""
    assert proxy.get("/metrics").status == 404
    assert ("/metrics", 0) not in behind.seen


def test_the_cache_has_what_was_asked(proxy: Proxy, behind: Upstream) -> None:
    """A path that nginx normalises to that of a file is another question: its answer is nobody else's."""
    paths = ["/v1/../page/css/table.css", "/page/css/table.css"]
    for path in paths * 2:
        assert proxy.get(path).status == 200
    assert [path for path, _ in behind.seen if path in paths] == paths


def test_a_file_that_is_not_there_is_not_cached(proxy: Proxy, behind: Upstream) -> None:
    """After an upgrade, a new file is there at once."""
    assert [proxy.get("/page/missing").status for _ in range(2)] == [404] * 2
    assert behind.seen.count(("/page/missing", 0)) == 2


def test_the_service_behind_it(tmp_path: Path) -> None:
    """The page comes from the cache with its tags and ids, and a stream of a real service shows an event at once."""
    with (
        embedded_store() as url,
        serving(url, TRUSTED_PROXIES="127.0.0.1/32") as address,
        nginx(tmp_path, address.removeprefix("http://"), {}) as found,
    ):
        assert found.get("/v1/../page/css/table.css").status == 404
        assert found.get("/page/css/table.css").status == 200

        first, second = (found.get("/page/js/main.js", Accept_Encoding="gzip", X_Request_Id=name) for name in "ab")
        assert (first.body, first.headers["ETag"]) == (second.body, second.headers["ETag"])
        assert (second.headers["Content-Encoding"], second.headers["Cache-Control"]) == ("gzip", "no-cache")
        assert second.headers["X-Request-Id"] == "b"
        again = found.get("/page/js/main.js", Accept_Encoding="gzip", If_None_Match=second.headers["ETag"])
        assert again.status == 304
        assert found.get("/page/js/main.js").headers["Content-Encoding"] is None

        account = json.loads(found.post("/v1/players", b'{"name": "Ann"}').body)
        signed = {"Authorization": f"Bearer {account['token']['secret']}"}
        offers = {"game": "manitou", "seats": [{"kind": "open"}, {"kind": "open"}]}
        table = json.loads(found.post("/v1/tables", json.dumps(offers).encode(), **signed).body)["id"]
        with found.stream(f"/v1/tables/{table}/events", **signed) as stream:
            assert next(line for line in stream if b"TableOpened" in line)
            assert found.post(f"/v1/tables/{table}/seats/1", b"{}", **signed).status == 200
            assert next(line for line in stream if b"SeatTaken" in line)
