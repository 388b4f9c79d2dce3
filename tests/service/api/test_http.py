"""What every answer has by HTTP: other origins, compression, tags, links, the name of the request, less on demand."""

import gzip
import json
from typing import Any

import brotli
import pytest

from events.archiving.compression import decompress
from service.http import TOLD
from tests.long import quick_first
from tests.service.api.world import Somebody, World, accepted, refused

ORIGIN = "https://elsewhere.example"
OPENED = {"gzip": gzip.decompress, "br": brotli.decompress, "zstd": decompress}


@pytest.fixture
def ann(world: World) -> Somebody:
    return world.somebody("Ann")


@pytest.fixture
def table(world: World, ann: Somebody) -> str:
    """A table of Manitou after some moves."""
    bob = world.somebody("Bob")
    found = world.open(ann, bob, game="manitou")
    world.play(found, ann, bob, moves=12)
    return found


def tokens(value: str) -> set[str]:
    """The words of a header that is a list, in lower case."""
    return {word.strip().lower() for word in value.split(",") if word.strip()}


def test_a_page_of_any_origin_may_read_what_it_is_answered(world: World) -> None:
    """Without credentials: a browser sends no token by itself; refusals can be read too."""
    for path in ("/v1/games", "/v1/nothing", "/v1/players/me", "/openapi.json"):
        answer = world.nobody.get(path, Origin=ORIGIN)
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert tokens(answer.headers["Access-Control-Expose-Headers"]) == {name.lower() for name in TOLD}
    for path in ("/", "/metrics"):
        assert "Access-Control-Allow-Origin" not in world.operator.get(path, Origin=ORIGIN).headers


def test_a_browser_is_told_beforehand_what_it_may_send(world: World) -> None:
    """And need not ask again for a day; it is not counted, and needs no token."""
    wanted = {"authorization", "content-type", "idempotency-key", "if-match", "prefer", "last-event-id", "x-request-id"}
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": ", ".join(sorted(wanted))}
    path = "/v1/tables/t_aaaaaaaaaaaaaaaa/moves"
    answer = world.nobody.send("OPTIONS", path, headers={"Origin": ORIGIN, **asked})
    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (200, "*")
    assert wanted <= tokens(answer.headers["Access-Control-Allow-Headers"])
    assert {"get", "post", "put", "delete"} <= tokens(answer.headers["Access-Control-Allow-Methods"])
    assert answer.headers["Access-Control-Max-Age"] == "86400"


@pytest.mark.parametrize("encoding", list(OPENED))
def test_answers_of_more_than_a_kilobyte_are_compressed(world: World, ann: Somebody, table: str, encoding: str) -> None:
    """The same bytes in fewer; without Accept-Encoding they come uncompressed."""
    paths = ("/v1/games", f"/v1/tables/{table}", f"/v1/tables/{table}/events", f"/v1/tables/{table}/archive")
    for path in paths:
        plain, squeezed = ann.get(path), ann.get(path, Accept_Encoding=encoding)
        assert [one.headers.get("Content-Encoding") for one in (plain, squeezed)] == [None, encoding], path
        assert OPENED[encoding](squeezed.data) == plain.data
        assert len(squeezed.data) < len(plain.data) * 0.7
        assert "accept-encoding" in tokens(plain.headers["Vary"])
        assert squeezed.headers["ETag"] != plain.headers["ETag"]
    assert world.nobody.get("/healthz", Accept_Encoding=encoding).content_encoding is None
    assert ann.get("/v1/games", Accept_Encoding=f"{encoding};q=0").content_encoding is None


def test_what_tells_a_secret_is_neither_compressed_nor_kept(world: World, ann: Somebody) -> None:
    """However long the answer is that holds the text of a token."""
    body = {"scopes": ["play", "watch"], "label": "x" * 40}
    for path, sent in (("/v1/players", {"name": "Zoe"}), ("/v1/players/me/tokens", body)):
        answer = ann.post(path, sent, Accept_Encoding="gzip")
        assert (answer.status_code, answer.headers.get("Content-Encoding")) == (201, None)
        assert answer.headers["Cache-Control"] == "no-store"
        assert "ETag" not in answer.headers


@pytest.mark.slow
@pytest.mark.parametrize("encoding", quick_first(["identity", "gzip", "zstd"]))
def test_what_was_read_is_not_sent_again_while_it_is_the_same(ann: Somebody, table: str, encoding: str) -> None:
    """Games, rules, rulings, events, archives, the table: by the tag of the answer that the caller has."""
    ends = ("", "/events", "/events?limit=3", "/rulings", "/archive", "/moves", "/notation")
    of_table = [f"/v1/tables/{table}{end}" for end in ends]
    of_game = [f"/v1/games/manitou{end}" for end in ("", "/rules", "/rules/MA-4.1", "/rulings")]
    for path in [*of_table, *of_game, "/v1/games", "/v1/ai-players", "/openapi.yaml"]:
        first = ann.get(path, Accept_Encoding=encoding)
        again = ann.get(path, Accept_Encoding=encoding, If_None_Match=first.headers["ETag"])
        assert (again.status_code, again.data) == (304, b""), path
        assert again.headers["ETag"] == first.headers["ETag"]
        assert ann.get(path, Accept_Encoding=encoding, If_None_Match='"other"').status_code == 200


def test_the_tag_of_a_compressed_table_is_that_of_its_version(world: World, ann: Somebody, table: str) -> None:
    """So it can be sent along with a move."""
    tag = ann.get(f"/v1/tables/{table}", Accept_Encoding="gzip").headers["ETag"]
    assert tag.endswith(':gzip"')
    seat, move = 1, {"type": "pass_turn"}
    body = world.moving(table, seat, move)
    assert ann.post(f"/v1/tables/{table}/moves", body, If_Match=tag).status_code != 412
    refused(ann.post(f"/v1/tables/{table}/moves", body, If_Match=tag.replace(tag[1], "9", 1)), 412, "version_mismatch")


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_a_read_whose_if_match_does_not_hold_is_a_problem(ann: Somebody, table: str, encoding: str) -> None:
    """RFC 9110, 13.1.1: any tag of the list will do, in whatever encoding, and no weak one."""
    for path in (f"/v1/tables/{table}", f"/v1/tables/{table}/events", "/v1/games", "/openapi.yaml"):
        tag = ann.get(path, Accept_Encoding=encoding).headers["ETag"]
        for held in ("*", tag, f'"other", {tag}', f'"a,b",{tag},"c"'):
            assert ann.get(path, Accept_Encoding=encoding, If_Match=held).status_code == 200, (path, held)
        for other in ('"other"', f"W/{tag}", '"a", "b"'):
            answer = ann.get(path, Accept_Encoding=encoding, If_Match=other)
            refused(answer, 412, "precondition_failed")
            assert "ETag" not in answer.headers
    assert ann.send("HEAD", "/v1/games", headers={"If-Match": '"other"'}).status_code == 412


def test_if_match_of_a_move_is_a_list(world: World, ann: Somebody, table: str) -> None:
    """Any of its tags may be the one of the table; those of other resources match nothing."""
    path, body = f"/v1/tables/{table}", world.moving(table, 1, {"type": "pass_turn"})
    tag = ann.get(path).headers["ETag"]
    past = tag.replace(tag[1], "9", 1)
    for held in (f"{past}, {tag}", f'{tag},"x,y"', f'"x", W/{tag}, {tag}', "*"):
        assert ann.post(f"{path}/moves", body, If_Match=held).status_code != 412, held
    for other in (f'"x", {past}', f"W/{tag}", f"{past},{past}", '"x","y"', ","):
        refused(ann.post(f"{path}/moves", body, If_Match=other), 412, "version_mismatch")


def test_answers_say_what_they_depend_on(ann: Somebody, table: str) -> None:
    """On the language too where people are named: who was erased is `somebody` in the reader's."""

    def varies(path: str) -> set[str]:
        return tokens(ann.get(path).headers["Vary"])

    assert varies("/v1/games") == {"accept-encoding"}
    assert varies("/v1/standings") == {"accept-encoding", "accept-language"}
    assert varies(f"/v1/tables/{table}") == {"accept-encoding", "authorization", "accept-language"}
    assert varies(f"/v1/tables/{table}/events") == {"accept-encoding", "authorization", "accept-language", "accept"}
    assert varies(f"/v1/tables/{table}/moves") == {"accept-encoding", "authorization"}
    assert varies(f"/v1/tables/{table}/rulings") == {"accept-encoding", "authorization", "accept-language"}
    assert ann.get(f"/v1/tables/{table}").headers["Cache-Control"] == "private, no-cache"
    assert ann.get("/v1/games").headers["Cache-Control"] == "no-cache"


def followed(who: Somebody, path: str) -> list[Any]:
    """The pages from this one on, as their links lead to them."""
    pages = []
    while path:
        answer = who.get(path)
        pages.append(accepted(answer))
        address, _, relation = answer.headers.get("Link", "").partition(">; rel=")
        assert relation in ("", '"next"')
        path = address.removeprefix("<")
    return pages


@pytest.mark.parametrize(
    "path", ["/v1/tables/t_none", "/v1/tables/{}?seat=2", "/v1/nothing", "/v1/inbox", "/v1/ratings"]
)
def test_no_cache_keeps_what_somebody_was_refused(world: World, ann: Somebody, table: str, path: str) -> None:
    """Caches may keep a 404 that says nothing of it, and some keep a 403: for others, who may see what is there."""
    for somebody in (ann, world.nobody):
        answer = somebody.get(path.format(table))
        if answer.status_code >= 400:
            assert answer.headers["Cache-Control"] == "no-store"
    assert world.nobody.get(path.format(table)).status_code in (401, 403, 404, 422)


def test_pages_lead_to_the_next_one(ann: Somebody, table: str) -> None:
    """With the same query; the last leads nowhere."""
    path = f"/v1/tables/{table}"
    whole = accepted(ann.get(f"{path}/events?limit=1000&language=fr"))["events"]
    pages = followed(ann, f"{path}/events?limit=7&language=fr")
    assert len(pages) == -(-len(whole) // 7)
    assert [event for page in pages for event in page["events"]] == whole


def test_every_answer_has_the_name_of_its_request(world: World, ann: Somebody) -> None:
    """That of the client, if it may stand in a line of a log; a problem tells it too."""
    given = world.nobody.get("/v1/games", X_Request_Id="mine-1.a_b")
    assert given.headers["X-Request-Id"] == "mine-1.a_b"
    problem = refused(world.nobody.get("/v1/games/chess", X_Request_Id="mine-2"), 404, "no_such_game")
    assert problem["request_id"] == "mine-2"
    made = [world.nobody.get("/v1/games", X_Request_Id=bad).headers["X-Request-Id"] for bad in ("", "a b", "x" * 65)]
    assert len(set(made)) == 3
    assert all(len(name) == 32 for name in made)


def test_a_move_may_be_answered_with_less(world: World, ann: Somebody) -> None:
    """204, and the tag of the table as the move left it; a repeat that wants all of it gets that."""
    bob = world.somebody("Bob")
    table = world.open(ann, bob, game="manitou")
    path = f"/v1/tables/{table}/moves"
    (decision,) = accepted(ann.get(path))["decisions"]
    party = decision["moves"][0]
    body = world.moving(table, 1, {"type": "choose_party", "cards": party["from"][: party["choose"]]})
    less = ann.post(path, body, Idempotency_Key="less-1", Prefer="respond-async, return=minimal")
    assert (less.status_code, less.data, less.headers["Preference-Applied"]) == (204, b"", "return=minimal")
    assert "prefer" in tokens(less.headers["Vary"])
    all_of_it = ann.post(path, body, Idempotency_Key="less-1")
    assert len(accepted(all_of_it)["events"]) >= 1
    assert all_of_it.headers["ETag"] == less.headers["ETag"]


def test_a_query_has_a_length(world: World) -> None:
    query = "&".join(f"a{number}=b" for number in range(4000))
    assert "8192 bytes" in refused(world.nobody.get(f"/v1/feed?{query}"), 413, "too_large")["detail"]


FIRST_MISTAKES: list[tuple[str, str, dict[str, Any], str]] = [  # what is sent, and what of the answer helps
    ("GET", "/v1/tables/", {}, "/openapi.json list all paths, and none ends in a slash"),
    ("GET", "/v1", {}, "/docs and /openapi.json"),
    ("GET", "/v1/players", {}, "this path takes OPTIONS, POST"),
    ("POST", "/v1/players", {"data": {"name": "Ann"}}, "`Content-Type: application/json`"),
    ("POST", "/v1/players", {}, "name"),
    ("POST", "/v1/players", {"json": ["Ann"]}, "the body has to be one JSON object"),
    ("POST", "/v1/players", {"json": "Ann"}, "the body has to be one JSON object"),
    ("POST", "/v1/tables", {"json": {}, "headers": {"Authorization": "wc_x"}}, "no token after the word Bearer"),
    ("POST", "/v1/tables", {"json": {}, "headers": {"Authorization": "Bearer "}}, "no token after the word Bearer"),
    (
        "POST",
        "/v1/tables",
        {"json": {}, "headers": {"Authorization": "Bearer 84097aae0d5d"}},
        "its `secret`, which POST",
    ),
    ("POST", "/v1/tables", {"json": {"game": "manitou", "players": 2}}, 'such as {"kind": "me"}'),
    ("POST", "/v1/tables", {"json": {"game": "manitou", "seats": 2}}, 'such as {"kind": "me"}'),
    ("POST", "/v1/tables", {"json": {"game": "manitou", "seats": ["me"]}}, 'such as {"kind": "me"}'),
    ("POST", "/v1/tables", {"json": {"game": "manitou", "seats": [{"kind": "ai"}]}}, "one of uniform, novice"),
    ("POST", "/v1/tables", {"json": {"game": "manitou", "seats": [{"kind": "me", "level": "greedy"}]}}, "'ai' alone"),
    ("POST", "/v1/tables", {"json": {"game": "go", "seats": [{"kind": "me"}]}}, "there are big-manitou, manitou"),
    ("POST", "/v1/tables", {"json": {"game": "tomahawk", "seats": [{"kind": "me"}]}}, "for 2 players, not for 1"),
]


@pytest.mark.parametrize(("method", "path", "request_", "helps"), FIRST_MISTAKES)
def test_the_mistakes_of_a_first_minute_are_told_with_what_to_do(
    world: World, method: str, path: str, request_: dict[str, Any], helps: str
) -> None:
    """Wherever the answer says it: in `detail`, or in `errors` at the field."""
    answer = world.somebody().send(method, path, **request_)
    assert answer.status_code >= 400
    assert json.dumps(helps, ensure_ascii=False)[1:-1] in answer.get_data(as_text=True)
