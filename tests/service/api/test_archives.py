"""Tables carried from one server to another as archives: the same heads, once, or nothing at all."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis

from events.log import partition_of
from events.verify import archive_faults, canonical
from service.api.media_types import LINES
from service.limits.bodies import LARGEST_ARCHIVE
from tests import corpus, damage
from tests.events.test_verify import rechained
from tests.service.api.world import Answer, Somebody, World, accepted, embedded_store, refused

NAME = "manitou-2-taken-back"


@pytest.fixture(scope="module")
def second_url() -> Iterator[str]:
    with embedded_store() as url:
        yield url


@pytest.fixture
def second(second_url: str) -> World:
    """Another server, in whose store nothing is kept."""
    with redis.Redis.from_url(second_url) as client:
        client.flushall()
    return World(second_url)


@pytest.fixture(scope="module")
def strict() -> Iterator[World]:
    """A server for what is not taken in."""
    with embedded_store() as url:
        yield World(url)


def send(somebody: Somebody, data: bytes, media: str = LINES) -> Answer:
    """Sends an archive."""
    return somebody.send("POST", "/v1/archives", data=data, content_type=media)


def data_of(name: str) -> bytes:
    return b"".join(corpus.lines_of(name))


def without_texts(answer: Any) -> Any:
    """An answer without what events tell in plain."""
    rows = [{name: value for name, value in row.items() if name != "texts"} for row in answer.get("events", ())]
    return answer | {"events": rows} if rows else answer


def kept(world: World, data: bytes) -> int:
    """The version to which the archive's table is kept."""
    return world.log.head(json.loads(data.splitlines()[0])["table"]).version


def test_a_table_moves_to_another_server(world: World, second: World) -> None:
    """Played here, taken in there: the same head, view, scores, rulings and archive; but names stay here."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game="tomahawk")
    world.play(table, ann, bob, moves=1000)
    archive = world.nobody.get(f"/v1/tables/{table}/archive")
    assert archive.mimetype == LINES
    assert archive.headers["Content-Disposition"] == f'attachment; filename="{table}.ndjson"'

    answer = send(second.operator, archive.data)
    here, there = accepted(world.nobody.get(f"/v1/tables/{table}")), accepted(answer, 201)
    assert answer.headers["Location"] == f"/v1/tables/{table}"
    assert there == here | {"seats": [seat | {"name": "somebody"} for seat in here["seats"]]}
    assert second.nobody.get(f"/v1/tables/{table}/archive").data == archive.data
    for path in ("rulings", "events", "audit", "disputes"):
        one, other = (w.nobody.get(f"/v1/tables/{table}/{path}").json for w in (world, second))
        assert without_texts(one) == without_texts(other), path
    second.catch_up()
    (row,) = second.nobody.get("/v1/tables?status=finished").json["tables"]
    assert (row["id"], row["version"]) == (table, there["version"])


@pytest.mark.parametrize("name", ["plenty-coups-3-corrected", "big-manitou-5-disputed"])
def test_a_table_that_was_set_right_is_taken_in(second: World, name: str) -> None:
    """With its disputes and what was undone; repeating it changes nothing."""
    first = accepted(send(second.operator, data_of(name)), 201)
    assert first["hash"] == json.loads(corpus.lines_of(name)[0])["head"]
    again = accepted(send(second.operator, data_of(name)), 201)
    assert again == first
    disputes = second.nobody.get(f"/v1/tables/{first['id']}/disputes").json["disputes"]
    assert [one["outcome"] for one in disputes] == ["overturned"]


def half_lost(second: World) -> tuple[str, bytes, tuple[Somebody, Somebody]]:
    """A table of which the store has lost all but its beginning, its archive, and the two who play there."""
    ann, bob = second.somebody("Ann"), second.somebody("Bob")
    table = second.open(ann, bob, game="tomahawk", clock={"kind": "decision", "decision_s": 600})
    second.play(table, ann, bob, moves=3)
    with redis.Redis.from_url(second.url) as client:
        copy = damage.copy_of(client)
        second.play(table, ann, bob, moves=1000)
        archive = second.nobody.get(f"/v1/tables/{table}/archive").data
        damage.put_back(client, copy)
    refused(second.nobody.get(f"/v1/tables/{table}"), 500, "log_damaged")
    return table, archive, (ann, bob)


def test_a_table_that_was_lost_in_part_is_completed(second: World) -> None:
    """By its own archive; what was due where the store went back to is settled with it."""
    table, archive, _ = half_lost(second)
    log = second.services.handler.log
    assert [one.member.split("|")[1] for one in log.timers(partition_of(table))] == ["clock"]
    completed = accepted(send(second.operator, archive), 201)
    assert (completed["status"], log.timers(partition_of(table))) == ("finished", [])


# What is refused keeps nothing


def changed(change: Callable[[list[dict[str, Any]]], Any], **header: Any) -> bytes:
    """The archive with its events changed, everything hashed anew."""
    head, *rows = corpus.lines_of(NAME)
    events = [json.loads(row) for row in rows]
    change(events)
    return rechained(canonical(json.loads(head) | header), events)


def of_type(events: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(event for event in events if event["type"] == name)


def other_card(events: list[dict[str, Any]]) -> None:
    played = of_type(events, "CardPlayed")["payload"]
    played["ground"] = 1 if played["ground"] == 2 else 2


def no_such_version(events: list[dict[str, Any]]) -> None:
    back = of_type(events, "PlayTakenBack")
    back["payload"]["to"] = 0


def no_such_event(events: list[dict[str, Any]]) -> None:
    of_type(events, "CardPlayed")["type"] = "CardLost"


def no_end(events: list[dict[str, Any]]) -> None:
    del events[next(n for n, event in enumerate(events) if event["type"] == "GameEnded") :]
    first, last = events[-1]["batch"][0], len(events)
    for event in events[first - 1 :]:
        event["batch"] = [first, last]


def odd_options(events: list[dict[str, Any]]) -> None:
    events[0]["payload"]["options"] = {"moon": "full"}


def unknown_game(events: list[dict[str, Any]]) -> None:
    events[0]["payload"]["game"] = "go"


def odd_game(events: list[dict[str, Any]]) -> None:
    events[0]["payload"]["game"] = ["manitou"]


def odd_form(events: list[dict[str, Any]]) -> None:
    events[5]["by"] = "Ann"


def closed_secrets(events: list[dict[str, Any]]) -> None:
    hidden = next(event for event in events if "move" in event["opened"])
    del hidden["opened"]["move"], hidden["move"]


def one_large_batch(events: list[dict[str, Any]]) -> None:
    """A word in a dispute three hundred times, in one batch before the last."""
    said = {
        "payload": {"dispute": "d1", "player": "p_ann", "seat": 1, "text": {"of": "p_ann", "text": "so"}},
        "type": "DisputeCommented",
    }
    bare = {"readers": {}, "secrets": {}, "opened": {}, "draws": {}, "by": {"kind": "player", "player": "p_ann"}}
    first = next(event["batch"][0] - 1 for event in reversed(events) if event["type"] == "CardPlayed")
    later = events[first:]
    more = [{**later[0], **said, **bare} for _ in range(300)]
    for more_row in more:
        more_row.pop("move", None)
        more_row["batch"] = [first + 1, first + 300]
    events[first:] = more + later
    for number, event in enumerate(events, 1):
        event["version"] = number
    for event in later:
        event["batch"] = [version + 300 for version in event["batch"]]


def header_of(change: dict[str, Any]) -> bytes:
    header, *rows = corpus.lines_of(NAME)
    return canonical(json.loads(header) | change) + b"\n" + b"".join(rows)


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: b"", "header: "),
    "one byte less": (lambda: data_of(NAME)[:-1], "version 145: "),
    "half of it": (lambda: data_of(NAME)[: len(data_of(NAME)) // 2], "version "),
    "another letter": (lambda: data_of(NAME).replace(b'"hunter-10"', b'"hunter-11"', 1), "version "),
    "a newer form": (lambda: header_of({"format_version": 2}), "header: the archive has format 2"),
    "another card": (lambda: changed(other_card), "today's rules decide otherwise"),
    "a version that is not there": (lambda: changed(no_such_version), ""),
    "an unknown event": (lambda: changed(no_such_event), "its events cannot be folded"),
    "unknown house rules": (lambda: changed(odd_options), ""),
    "another form": (lambda: changed(odd_form), "version 6: "),
    "secrets still closed": (lambda: changed(closed_secrets), "secrets are still closed"),
    "no end": (lambda: changed(no_end), "only the archive of a finished game"),
    "a word in no dispute": (lambda: changed(one_large_batch), "DisputeCommented would be refused"),
    "a game in another form": (lambda: changed(odd_game), "version 1: the header names another"),
    "a game that is not hosted": (lambda: changed(unknown_game, game="go"), "'go' is not hosted here"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_does_not_hold_is_refused_and_nothing_is_kept(strict: World, what: str) -> None:
    """With the version if there is one; nothing of it can be read afterwards."""
    make, detail = REFUSED[what]
    problem = refused(send(strict.operator, make()), 422, "archive_refused")
    assert detail in problem["detail"]
    assert kept(strict, data_of(NAME)) == 0
    assert strict.nobody.get(f"/v1/tables/{corpus.history_of(NAME).table.id}").status_code == 404


def test_the_archive_of_a_running_table_is_refused(world: World, second: World) -> None:
    """It verifies, but its secrets are closed: nobody could decide it again."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game="manitou")
    world.play(table, ann, bob, moves=8)
    for somebody in (world.nobody, ann):
        archive = somebody.get(f"/v1/tables/{table}/archive").data
        assert list(archive_faults(archive.splitlines(keepends=True))) == []
        problem = refused(send(second.operator, archive), 422, "archive_refused")
        assert "secrets are still closed" in problem["detail"]
    refused(second.nobody.get(f"/v1/tables/{table}"), 404, "no_such_table")


def test_another_table_of_that_name_stays_as_it_is(second: World) -> None:
    """An archive whose history parts from the one kept here is refused."""
    first = accepted(send(second.operator, data_of(NAME)), 201)

    def said_later(events: list[dict[str, Any]]) -> None:
        for event in events[events[-1]["batch"][0] - 1 :]:
            event["at"] = "2030-01-01T00:00:00.000Z"

    problem = refused(send(second.operator, changed(said_later)), 422, "archive_refused")
    assert "another table with the id" in problem["detail"]
    assert second.nobody.get(f"/v1/tables/{first['id']}").json["hash"] == first["hash"]


def renamed(data: bytes, was: str, becomes: str) -> bytes:
    """The archive with another name everywhere, everything hashed anew."""
    head, *rows = data.replace(canonical(was), canonical(becomes)).splitlines()
    return rechained(head, [json.loads(row) for row in rows])


@pytest.mark.parametrize(
    "name",
    [f"x_{'a' * 20}", "../a b", "t_7jkczhgqp56c2alk:events", "t_7jk|zhgqp56c2alk", "t_AAAAAAAAAAAAAAAA", "t_x\n", ""],
)
def test_a_table_has_a_name_as_the_service_gives_it(second: World, name: str) -> None:
    """Keys, indexes and addresses are made of it: another would lie where something else does, or break a line."""
    was = json.loads(data_of(NAME).splitlines()[0])["table"]
    refused(send(second.operator, renamed(data_of(NAME), was, name)), 422, "archive_refused")
    accepted(send(second.operator, renamed(data_of(NAME), was, f"t_{'a' * 16}")), 201)


def test_only_operators_take_archives_in(strict: World) -> None:
    """Nobody without a token, no player, whatever it is that is sent."""
    refused(send(strict.nobody, data_of(NAME)), 401, "unauthenticated")
    refused(send(strict.somebody(), data_of(NAME)), 403, "scope_missing")
    refused(send(strict.somebody(), b"x"), 403, "scope_missing")
    assert kept(strict, data_of(NAME)) == 0


def test_an_archive_is_sent_as_one(strict: World) -> None:
    """As lines of JSON, and not longer than is allowed."""
    refused(send(strict.operator, data_of(NAME), "application/json"), 415, "unsupported_media_type")
    refused(send(strict.operator, b"x" * (LARGEST_ARCHIVE + 1)), 413, "too_large")
    refused(send(strict.operator, b"x" * 3_000_000), 422, "archive_refused")
    assert kept(strict, data_of(NAME)) == 0


def test_a_long_archive_comes_in_parts(second: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each names the next in a `Link`; one behind the other they are the archive."""
    path = f"/v1/tables/{accepted(send(second.operator, data_of(NAME)), 201)['id']}/archive"
    whole = second.nobody.get(path)
    assert "Link" not in whole.headers
    monkeypatch.setattr("service.tables.archive_transfer.MOST_EVENTS", 60)
    parts, address = [], path
    while address:
        answer = second.nobody.get(address)
        parts.append(answer.data)
        address = answer.headers.get("Link", "").partition(">")[0].removeprefix("<")
    assert [part.count(b"\n") for part in parts] == [61, 60, 25]
    assert b"".join(parts) == whole.data
    refused(second.nobody.get(f"{path}?after=9999"), 404, "no_such_version")
    refused(second.nobody.get(f"{path}?until=0"), 404, "no_such_version")


def test_the_archive_up_to_a_version_verifies(second: World) -> None:
    """Its header names that version and its hash: parts that were read while the table went on fit together."""
    table = accepted(send(second.operator, data_of(NAME)), 201)["id"]
    lines = second.nobody.get(f"/v1/tables/{table}/archive?until=50").data.splitlines(keepends=True)
    assert (len(lines), list(archive_faults(lines))) == (1 + corpus.history_of(NAME).events[49].envelope.batch[1], [])
