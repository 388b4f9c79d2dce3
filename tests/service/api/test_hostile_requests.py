"""Bodies that are not what they should be, to every operation that reads one: refused with a word, never a 5xx."""

import json
import re
from typing import Any

import pytest

from service.accounts import allowed_names
from service.limits.bodies import LARGEST_BODY
from tests.service.api.document import DOCUMENT
from tests.service.api.document import OPERATIONS as DESCRIBED
from tests.service.api.world import Somebody, World, accepted, refused

PATHS = DOCUMENT["paths"]
POSTS = [path for path, item in PATHS.items() if "requestBody" in item.get("post", {})]
OPERATIONS = [(method, path) for path, method, _ in DESCRIBED]
WITHOUT_A_BODY = [(m, path) for m, path in OPERATIONS if m != "get" and "requestBody" not in PATHS[path][m]]
PLACES = {
    "{seat}": "1",
    "{version}": "1",
    "{game}": "manitou",
    "{seats}": "4",
    "{player}": "p_ann",
    "{name}": "wintercount-2026-10.tar.zst",
}
by_route = pytest.mark.parametrize("path", POSTS)
JSON = "application/json"
MANY_NAMES = json.dumps(dict.fromkeys(map(str, range(1001)), 1)).encode()
MANY_VALUES = json.dumps({"scopes": [1] * 1001, "seats": [], "name": "Ann"}).encode()

HOSTILE = {
    "nothing but a brace": b"{",
    "cut off": b'{"seat": 1, "move": {"type": "pa',
    "two values": b"{} {}",
    "a name twice": b'{"seat": 1, "seat": 2, "name": "a", "name": "b", "game": "x", "game": "y"}',
    "a name twice, deep down": b'{"move": {"type": "pass_turn", "type": "play_card"}, "seat": 1}',
    "a name twice by an escape": b'{"seat": 1, "se\\u0061t": 2}',
    "NaN": b'{"seat": NaN}',
    "infinity": b'{"seat": -Infinity}',
    "a number beyond all": b'{"seat": 1e400}',
    "an integer of 5,000 digits": b'{"seat": ' + b"9" * 5000 + b"}",
    "an integer beyond 2^53": b'{"seat": 9007199254740993}',
    "many brackets": b"[" * 30_000 + b"]" * 30_000,
    "many braces": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "only opening brackets": b"[" * 60_000,
    "half a surrogate pair": b'{"name": "\\ud800", "label": "\\udfff"}',
    "half a surrogate pair in a name": b'{"\\ud800": 1}',
    "a NUL": b'{"name": "a\\u0000b", "game": "a\\u0000b"}',
    "a raw NUL": b'{"name": "a\x00b"}',
    "UTF-16": '{"seat": 1}'.encode("utf-16"),
    "Latin-1": b'{"name": "caf\xe9"}',
    "overlong UTF-8": b'{"name": "\xc0\xaf"}',
    "a byte order mark": b'\xef\xbb\xbf{"seat": 1}',
    "a number": b"7",
    "a text": b'"seat"',
    "null": b"null",
    "a list": b"[]",
    "white space": b" \n ",
    "comments": b'{"seat": 1 /* one */}',
    "single quotes": b"{'seat': 1}",
}


NOT_MEANT_FOR_HER = ("/archives", "/moderation", "/looks", "/resolution")  # they need scopes that no first token has


@pytest.fixture(scope="module")
def ann(world: World) -> Somebody:
    return world.somebody("Ann")


def target(path: str, table: str) -> str:
    return path.replace("{table}", table).replace("{seat}", "1").replace("{dispute}", "d7").replace("{offer}", "o7")


@pytest.fixture(scope="module")
def table(world: World, ann: Somebody) -> str:
    return world.open(ann, world.somebody("Bob"), game="manitou")


def send(who: Somebody, path: str, body: bytes, content_type: str | None = JSON, **headers: str) -> Any:
    return who.send("POST", path, data=body, content_type=content_type, headers=headers)


@by_route
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_json_is_refused(ann: Somebody, table: str, path: str, name: str) -> None:
    answer = send(ann, target(path, table), HOSTILE[name])
    assert answer.status_code in {400, 403, 415, 422}, (name, answer.text[:200])
    assert answer.mimetype == "application/problem+json"
    assert answer.json["detail"]


@by_route
def test_a_body_that_is_too_large_is_refused(ann: Somebody, table: str, path: str) -> None:
    """Whatever it holds."""
    body = b'{"name": "' + b"a" * LARGEST_BODY + b'"}'
    answer = send(ann, target(path, table), body)
    expected = (403,) if path.endswith(NOT_MEANT_FOR_HER) else (413,)
    assert answer.status_code in expected, answer.text[:200]


@by_route
@pytest.mark.parametrize("body", [MANY_NAMES, MANY_VALUES], ids=["names", "values"])
def test_a_body_of_many_values_is_refused(ann: Somebody, table: str, path: str, body: bytes) -> None:
    """In a few words: each of them would come back in `errors`, and 60 kB sent were 900 kB answered."""
    answer = send(ann, target(path, table), body)
    assert answer.status_code == (403 if path.endswith(NOT_MEANT_FOR_HER) else 400), answer.text[:200]
    assert len(answer.data) < 500


@pytest.mark.parametrize("sign", ["A", "\u0301", "\u0130"])
def test_a_name_that_is_too_long_is_not_read(world: World, monkeypatch: pytest.MonkeyPatch, sign: str) -> None:
    """Whom it passes for takes longer to find out than anything else that nobody in particular may ask."""
    monkeypatch.setattr(allowed_names, "impersonated", lambda name: pytest.fail(f"{len(name)} signs are read"))
    body = json.dumps({"name": sign * 41}).encode()
    errors = refused(send(world.nobody, "/v1/players", body), 422, "invalid")["errors"]
    assert [error["detail"] for error in errors] == ["Length must be between 1 and 40."]


READ_AS_TEXT = {("/v1/transcripts", "text/plain")}  # and refused as no game in notation


@by_route
@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/xml", "application/x-www-form-urlencoded", "json", "", None]
)
def test_a_body_of_another_type_is_refused(ann: Somebody, table: str, path: str, content_type: str | None) -> None:
    answer = send(ann, target(path, table), b'{"seat": 1}', content_type)
    refused_with = {422} if (path, content_type) in READ_AS_TEXT else {403, 415}
    assert answer.status_code in refused_with, answer.text[:200]


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "Application/JSON"])
def test_a_content_type_may_be_written_in_its_other_ways(world: World, content_type: str) -> None:
    accepted(send(world.nobody, "/v1/players", b'{"name": "Ann"}', content_type), 201)


def test_json_in_another_charset_is_not_read_as_if_it_were_utf_8(world: World) -> None:
    answer = send(world.nobody, "/v1/players", '{"name": "Zoé"}'.encode("latin-1"), "application/json; charset=latin-1")
    assert answer.status_code in {400, 415}


@pytest.mark.parametrize("key", ["\x7f", "ключ", "a\u00a0b"])
def test_a_key_that_cannot_be_read_is_refused(ann: Somebody, table: str, key: str) -> None:
    body = b'{"game": "manitou", "seat": 1, "move": {"type": "pass_turn"}}'
    answer = send(ann, f"/v1/tables/{table}/moves", body, **{"Idempotency-Key": key.encode().decode("latin-1")})
    assert (answer.status_code, answer.json["code"]) == (400, "malformed")


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_a_query_with_a_name_that_is_not_read_is_refused(world: World, table: str, method: str, path: str) -> None:
    """By every operation, whether it reads a query or not: who misspells a name is told, and nothing is done."""
    asked = re.sub(r"{\w+}", lambda found: PLACES.get(found[0], table), path)
    answer = world.operator.send(method.upper(), f"{asked}?no_such_name=1")
    assert (answer.status_code, answer.json["code"]) == (422, "invalid"), answer.text[:300]
    assert {"in": "query", "pointer": "/no_such_name", "code": "unknown", "detail": "Unknown field."} in answer.json[
        "errors"
    ]


@pytest.mark.parametrize(("method", "path"), WITHOUT_A_BODY)
def test_a_body_that_is_not_read_is_refused(world: World, table: str, method: str, path: str) -> None:
    """By every operation that takes none: it did what it does, whatever had been sent."""
    somebody = world.somebody() if path.startswith("/v1/players/me") else world.operator
    asked = re.sub(r"{\w+}", lambda found: PLACES.get(found[0], table), path)
    for body in (b'{"x": 1}', b"[]", b"\xff\x00", b"null"):
        answer = somebody.send(method.upper(), asked, data=body)
        assert (answer.status_code, answer.json["code"]) == (422, "invalid"), answer.text[:300]


@pytest.mark.parametrize("seat", ["0", "9", "99999999999999999999", "1.0", "1e3", "%31%00", "١"])
def test_a_seat_that_is_none(ann: Somebody, table: str, seat: str) -> None:
    for end in ("", "/wait", "/handover"):
        answer = ann.post(f"/v1/tables/{table}/seats/{seat}{end}")
        assert answer.status_code == 404, answer.text


@pytest.mark.parametrize(
    "query", ["at=1e3", "at=٣", "at=%00", "at=99999999999999999999", "seat=%ff", "at=1;seat=1", "at"]
)
def test_a_query_that_is_none(ann: Somebody, table: str, query: str) -> None:
    answer = ann.get(f"/v1/tables/{table}?{query}")
    assert answer.status_code == 422, answer.text
