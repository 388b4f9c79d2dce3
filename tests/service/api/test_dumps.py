"""Dumps over HTTP: what is listed, what is sent of a file, and how many may be taken at once."""

import contextlib
import hashlib
import http.client
import time
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from service.api.downloads import MOST, MOST_OF_ONE
from service.dumps.making import Maker
from service.dumps.manifests import Manifest, bounds, name_of, read
from service.runtime.cli import main
from service.stores import log_at
from tests.servers import SECRET, data_beside
from tests.service.api.world import Answer, Somebody, World, accepted, refused
from tests.service.web import serving


@pytest.fixture(scope="module")
def world(own: World) -> World:
    return own


@pytest.fixture(scope="module")
def month(world: World) -> str:
    """The month in which a public and a private game were played, as soon as it is over."""
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    for visibility in ("public", "private"):
        world.finish(world.open(ann, ben, game="tomahawk", visibility=visibility))
    world.catch_up()
    row = world.nobody.get("/v1/games-played").json["games"][0]
    return str(row["ended_at"][:7])


@pytest.fixture(scope="module")
def manifest(world: World, month: str) -> Manifest:
    directory = Path(world.settings.data) / "dumps"
    maker = Maker(log_at(world.url, world.settings), world.services.dumps, directory)
    found = maker.make(month, bounds(month)[1], lambda _: None).manifest
    assert found
    return found


def taken(who: Somebody, path: str, **headers: str) -> Answer:
    """The answer to a request for a file, taken to its end."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return who.send("GET", path, headers=named, buffered=True)


def content_of(world: World, manifest: Manifest) -> bytes:
    return (Path(world.settings.data) / "archive" / "dumps" / manifest.file).read_bytes()


def test_dumps_are_listed_with_what_they_hold(world: World, manifest: Manifest) -> None:
    """The manifest is told as it was signed, under a key that the service tells."""
    (row,) = accepted(world.nobody.get("/v1/dumps"))["files"]
    assert (row["tables"], row["size"], row["url"]) == (1, manifest.size, f"/v1/dumps/{manifest.file}")
    assert read(world.nobody.get(row["manifest_url"]).data) == manifest
    (key,) = accepted(world.nobody.get("/.well-known/jwks.json"))["keys"]
    assert (key["kty"], key["x"]) == ("OKP", manifest.key)


def test_a_dump_is_sent_whole_or_in_part(world: World, manifest: Manifest) -> None:
    """With a strong tag, by which who has it is told that it is the same, and who went on is sent the rest."""
    path, content = f"/v1/dumps/{manifest.file}", content_of(world, manifest)
    whole = taken(world.nobody, path)
    assert (whole.status_code, whole.mimetype, whole.data) == (200, "application/octet-stream", content)
    assert whole.headers["ETag"] == f'"{manifest.sha256}"'
    assert whole.headers["Accept-Ranges"] == "bytes"
    assert whole.headers["Content-Length"] == str(len(content))
    assert taken(world.nobody, path, If_None_Match=whole.headers["ETag"]).status_code == 304

    rest = taken(world.nobody, path, Range="bytes=100-", If_Range=whole.headers["ETag"])
    assert (rest.status_code, rest.data) == (206, content[100:])
    assert rest.headers["Content-Range"] == f"bytes 100-{len(content) - 1}/{len(content)}"
    assert taken(world.nobody, path, Range="bytes=-7").data == content[-7:]
    assert taken(world.nobody, path, Range="bytes=5-9").data == content[5:10]
    assert taken(world.nobody, path, Range="bytes=5-", If_Range='"another"').data == content
    head = world.nobody.send("HEAD", path)
    assert (head.status_code, head.data, head.headers["Content-Length"]) == (200, b"", str(len(content)))


def test_what_is_not_there_is_refused(world: World, manifest: Manifest) -> None:
    beyond = taken(world.nobody, f"/v1/dumps/{manifest.file}", Range="bytes=99999999-")
    refused(beyond, 416, "no-such-range")
    assert beyond.headers["Content-Range"] == f"bytes */{manifest.size}"
    for name in (
        "2020-01/manifest",
        "wintercount-2026-10.json",
        "secret",
        "..%2Ftables",
        "wintercount-2026-10-000000000000.ndjson.zst",
    ):
        assert taken(world.nobody, f"/v1/dumps/{name}").status_code == 404


def test_one_caller_takes_two_at_a_time(world: World, manifest: Manifest) -> None:
    """What was taken or broken off does not count, nor what was only asked about."""
    path, ann = f"/v1/dumps/{manifest.file}", world.somebody("Ann")
    taking = [ann.send("GET", path, buffered=False) for _ in range(MOST_OF_ONE)]
    refused(taken(ann, path), 503, "too-busy")
    rows = {row["quota"]: row for row in accepted(ann.get("/v1/players/me/quotas"))["quotas"]}
    assert rows["downloads"] == {"quota": "downloads", "used": MOST_OF_ONE, "most": MOST_OF_ONE}
    assert taken(world.somebody("Ben"), path).status_code == 200
    for one in taking:
        one.close()
    for _ in range(MOST_OF_ONE + 1):
        assert ann.send("HEAD", path).status_code == 200
        assert taken(ann, path).status_code == 200


def test_accounts_of_one_address_keep_nobody_from_taking_a_dump(world: World, manifest: Manifest) -> None:
    """Where there is no room the last of theirs breaks off; they themselves are refused, and have paid for nothing."""
    path, late = f"/v1/dumps/{manifest.file}", world.somebody("Late")

    def asked(who: Somebody, address: str) -> Answer:
        return who.send("GET", path, buffered=False, environ_overrides={"REMOTE_ADDR": address})

    people = [world.somebody(f"Ann {number}") for number in range(MOST // MOST_OF_ONE)]
    taking = [asked(one, "192.0.2.1") for one in people for _ in range(MOST_OF_ONE)]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("service.api.dumps.charge", lambda _: pytest.fail("nothing is sent"))
        refused(asked(late, "192.0.2.1"), 503, "too-busy")

    elsewhere = asked(late, "192.0.2.2")
    assert elsewhere.data == taking[0].data == content_of(world, manifest)
    with pytest.raises(ConnectionError):
        _ = taking[-1].data
    for one in (*taking, elsewhere):
        one.close()


def test_taking_a_dump_is_charged_by_its_size(world: World, manifest: Manifest) -> None:
    """A MiB costs 2 ms, and the whole of a large one no more than 5 s."""
    large = msgspec.structs.replace(manifest, size=100 << 20)
    ann, spent = world.somebody("Ann"), list[int]()
    services = world.services.dumps
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(type(services), "manifests", lambda _: [large])
        patched.setattr("service.api.dumps.charge", spent.append)
        patched.setattr("service.dumps.keeping.Stored.readinto", lambda *_: 0)
        ann.send("GET", f"/v1/dumps/{large.file}", buffered=False).close()
        ann.send("GET", f"/v1/dumps/{large.file}", headers={"Range": "bytes=0-1048575"}, buffered=False).close()
    assert spent == [200, 2]


@pytest.mark.slow
def test_a_web_server_sends_it_as_it_is_taken(world: World, manifest: Manifest) -> None:
    """By the server that speaks to the network: whole, in part, and after a client went away."""
    content = content_of(world, manifest)
    given = {"DATA": world.settings.data, "SECRET": SECRET, "DUMPS": f"{world.settings.data}/archive"}
    with serving(world.url, **given) as address:
        host = address.removeprefix("http://")
        for _ in range(MOST_OF_ONE + 2):  # who is not sent to any more is not counted either
            gone = http.client.HTTPConnection(host, timeout=20)
            gone.request("GET", f"/v1/dumps/{manifest.file}")
            gone.close()
        for header, status, body in (({}, 200, content), ({"Range": "bytes=9-99"}, 206, content[9:100])):
            with contextlib.closing(http.client.HTTPConnection(host, timeout=20)) as connection:
                answer = _asked(connection, f"/v1/dumps/{manifest.file}", header)
                assert (answer.status, answer.headers["Content-Length"]) == (status, str(len(body)))
                assert hashlib.sha256(answer.read()).digest() == hashlib.sha256(body).digest()


def _asked(connection: http.client.HTTPConnection, path: str, headers: dict[str, str]) -> http.client.HTTPResponse:
    """The answer, once the server has seen that the clients before are gone."""
    for _ in range(100):
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        if answer.status != 503:
            break
        answer.read()
    return answer


def test_the_operator_makes_a_dump_by_a_command(
    world: World, manifest: Manifest, month: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It says what there is, and as JSON the manifest; `verify` takes the file; rotation signs it again."""
    now_ns = bounds(month)[1] * 10**6
    monkeypatch.setattr(time, "time_ns", lambda: now_ns)
    keys = tmp_path / "secret"
    keys.write_text(f"{SECRET}\n")
    environment = {
        "WINTERCOUNT_REDIS_URL": world.url,
        "WINTERCOUNT_DATA": str(data_beside(world.url)),
        "WINTERCOUNT_SECRET_FILE": str(keys),
        "WINTERCOUNT_DUMPS": str(tmp_path / "dumps"),
    }

    def told(*words: str, status: int = 0) -> str:
        found = CliRunner().invoke(main, list(words), env=environment)
        assert found.exit_code == status, found.output
        return found.stdout

    assert "1 tables" in told("dump", "--month", month)
    assert "there already" in told("dump", "--month", month)
    made = msgspec.json.decode(told("dump", "--month", month, "--again", "--json"))
    assert (made["made"], made["manifest"]["sha256"], made["manifest"]["key"]) == (True, manifest.sha256, manifest.key)
    file = str(tmp_path / "dumps" / "dumps" / manifest.file)
    assert "1 tables hold" in told("verify", file, "--ai-moves", "0", "--key", manifest.key)
    told("verify", file, "--ai-moves", "0", status=2)
    assert told("dump", "--month", "2020-01").startswith("no public table ended")
    told("dump", "--month", "2020-13", status=1)

    rotated = msgspec.json.decode(told("rotate-secret", "--json"))
    assert rotated["manifests"] == 1
    again = read((tmp_path / "dumps" / "dumps" / name_of(month)).read_bytes())
    assert (again.key == manifest.key, again.sha256) == (False, manifest.sha256)
    keys.write_text(f"{SECRET}\n")
    told("rotate-secret", "--lost")
