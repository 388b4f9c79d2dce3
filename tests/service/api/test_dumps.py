"""Dumps over HTTP and by the command: how they are made, listed and downloaded."""

import hashlib
import http.client
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from service.dumps import Names, names_of
from tests.servers import SECRET, data_beside
from tests.service.api.world import Answer, Somebody, World, accepted, refused
from tests.service.web import serving
from wintercount.cli.main import main
from worker.monthly_dumps import bounds


@pytest.fixture(scope="module")
def world(own: World) -> World:
    return own


@pytest.fixture(scope="module")
def month(world: World) -> str:
    """The month in which a public and a private game were played."""
    ann, ben = world.somebody("Ann"), world.somebody("Ben")
    for visibility in ("public", "private"):
        world.finish(world.open(ann, ben, game="tomahawk", visibility=visibility))
    world.catch_up()
    return str(world.nobody.get("/v1/games-played").json["games"][0]["ended_at"][:7])


class Operator:
    """Who runs commands, once the month is over; dumps lie where the web process looks for them."""

    def __init__(self, world: World, month: str, keys: Path) -> None:
        self.now_ns, self.keys = bounds(month)[1] * 10**6, keys
        keys.write_text(f"{SECRET}\n")
        self.environment = {
            "WINTERCOUNT_REDIS_URL": world.url,
            "WINTERCOUNT_DATA": str(data_beside(world.url)),
            "WINTERCOUNT_SECRET_FILE": str(keys),
            "WINTERCOUNT_DUMPS": str(Path(world.settings.data) / "archive"),
        }

    def told(self, *words: str, status: int = 0) -> str:
        with pytest.MonkeyPatch.context() as later:
            later.setattr(time, "time_ns", lambda: self.now_ns)
            found = CliRunner().invoke(main, list(words), env=self.environment)
        assert found.exit_code == status, found.output
        return found.stdout


@pytest.fixture(scope="module")
def operator(world: World, month: str, tmp_path_factory: pytest.TempPathFactory) -> Operator:
    return Operator(world, month, tmp_path_factory.mktemp("keys") / "secret")


@pytest.fixture(scope="module")
def dump(operator: Operator, month: str) -> Names:
    """The names of the month's files, which are there."""
    operator.told("dump", "--month", month)
    return names_of(month)


def content_of(world: World, name: str) -> bytes:
    return (Path(world.settings.data) / "archive" / "dumps" / name).read_bytes()


def taken(who: Somebody, name: str, **headers: str) -> Answer:
    """The answer to a request for a file, taken to its end."""
    named = {header.replace("_", "-"): value for header, value in headers.items()}
    return who.send("GET", f"/v1/dumps/{name}", headers=named, buffered=True)


def test_dumps_are_listed_with_their_files(world: World, dump: Names, month: str) -> None:
    """Each address is that of a file; the sum is that of the tables, and the key that signs is published."""
    (row,) = accepted(world.nobody.get("/v1/dumps"))["months"]
    assert (row["month"], row["file"], row["size"]) == (month, dump.tables, len(content_of(world, dump.tables)))
    urls = [row[f"{kind}_url"].removeprefix("/v1/dumps/") for kind in Names._fields]
    tables, sums, signature = (taken(world.nobody, name).data for name in urls)
    assert sums.decode() == f"{hashlib.sha256(tables).hexdigest()}  {dump.tables}\n"
    assert world.services.dumps.signer.has_signed(sums, signature)
    (key,) = accepted(world.nobody.get("/.well-known/jwks.json"))["keys"]
    assert key == world.services.dumps.signer.web_keys()[0]


def test_a_dump_is_sent_whole_or_in_part(world: World, dump: Names) -> None:
    """With a strong tag, by which an interrupted download continues."""
    name, content = dump.tables, content_of(world, dump.tables)
    whole = taken(world.nobody, name)
    assert (whole.status_code, whole.mimetype, whole.data) == (200, "application/octet-stream", content)
    tag = whole.headers["ETag"]
    assert tag.startswith('"')
    assert (whole.headers["Accept-Ranges"], whole.headers["Content-Length"]) == ("bytes", str(len(content)))
    assert taken(world.nobody, name, If_None_Match=tag).status_code == 304
    rest = taken(world.nobody, name, Range="bytes=100-", If_Range=tag)
    assert (rest.status_code, rest.data) == (206, content[100:])
    assert rest.headers["Content-Range"] == f"bytes 100-{len(content) - 1}/{len(content)}"
    assert taken(world.nobody, name, Range="bytes=-7").data == content[-7:]
    assert taken(world.nobody, name, Range="bytes=5-9").data == content[5:10]
    assert taken(world.nobody, name, Range="bytes=5-", If_Range='"another"').data == content
    head = world.nobody.send("HEAD", f"/v1/dumps/{name}", buffered=True)
    assert (head.status_code, head.data, head.headers["Content-Length"]) == (200, b"", str(len(content)))


def test_what_is_not_there_is_refused(world: World, dump: Names) -> None:
    """A part beyond the end, and every other name: nobody reads another file of the storage."""
    beyond = taken(world.nobody, dump.tables, Range="bytes=99999999-")
    refused(beyond, 416, "no_such_range")
    assert beyond.headers["Content-Range"] == f"bytes */{len(content_of(world, dump.tables))}"
    for name in ("wintercount-2020-01.tar.zst", "secret", "..%2Ftables", "2026-10"):
        assert taken(world.nobody, name).status_code == 404


@pytest.mark.slow
def test_a_web_server_sends_it(world: World, dump: Names) -> None:
    """By the server that speaks to the network: whole, and in part."""
    content = content_of(world, dump.tables)
    given = {"DATA": world.settings.data, "SECRET": SECRET, "DUMPS": f"{world.settings.data}/archive"}
    with serving(world.url, **given) as address:
        for header, status, body in (({}, 200, content), ({"Range": "bytes=9-99"}, 206, content[9:100])):
            connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=20)
            connection.request("GET", f"/v1/dumps/{dump.tables}", headers=header)
            answer = connection.getresponse()
            assert (answer.status, answer.headers["Content-Length"]) == (status, str(len(body)))
            assert answer.read() == body
            connection.close()


def test_the_operator_makes_a_dump_by_a_command(operator: Operator, dump: Names, month: str) -> None:
    """It says what there is, also as JSON; a month that has none, and what is no month, are no dump."""
    assert operator.told("dump", "--month", month) == f"{month}: there already\n"
    assert operator.told("dump", "--month", month, "--again") == f"{month}: 1 tables; left out: none\n"
    found: dict[str, Any] = msgspec.json.decode(operator.told("dump", "--month", month, "--again", "--json"))
    assert found == {"month": month, "tables": 1, "left_out": {}, "damaged_segments": 0}
    assert operator.told("dump", "--month", "2020-01").endswith("nothing was written\n")
    operator.told("dump", "--month", "2020-13", status=1)


def test_rotation_signs_dumps_again(world: World, operator: Operator, dump: Names) -> None:
    """Under the new key."""
    before = content_of(world, dump.signature)
    assert msgspec.json.decode(operator.told("rotate-secret", "--json"))["dumps"] == 1
    assert content_of(world, dump.signature) != before
    operator.keys.write_text(f"{SECRET}\n")
    operator.told("rotate-secret", "--lost")
