"""The events of a table, in pages and as lines; rulings; and the table as it was."""

import json
from typing import Any

import pytest

from events.verify import faults
from tests.corpus import text_of
from tests.service.api.test_transcripts import loaded
from tests.service.api.world import Somebody, World, accepted, refused


class Played:
    """A table in the middle of a game, and one that is finished."""

    def __init__(self, world: World) -> None:
        self.world, self.ann, self.bob = world, world.somebody("Ann"), world.somebody("Bob")
        self.arbiter = world.again(world.somebody("Cleo"), ["watch", "arbitrate"])
        self.running = world.open(self.ann, self.bob, arbiter=self.arbiter.player)
        world.play(self.running, self.ann, self.bob, moves=40)
        self.finished = world.open(self.ann, self.bob, game="tomahawk")
        world.play(self.finished, self.ann, self.bob, moves=1000)

    def table(self, *, running: bool = True) -> str:
        return f"/v1/tables/{self.running if running else self.finished}"


@pytest.fixture(scope="module")
def played(world: World) -> Played:
    return Played(world)


def pages(who: Somebody, path: str, limit: int) -> list[Any]:
    found, after = [], 0
    while after is not None:
        page = accepted(who.get(f"{path}/events?after={after}&limit={limit}"))
        found += page["events"]
        after = page["next"]
    return found


def lines(who: Somebody, path: str, query: str = "") -> list[Any]:
    answer = who.get(f"{path}/events{query}", Accept="application/x-ndjson")
    assert (answer.status_code, answer.mimetype) == (200, "application/x-ndjson")
    return [json.loads(line) for line in answer.text.splitlines()]


@pytest.mark.parametrize("running", [True, False])
def test_pages_and_lines_hold_the_same_events(played: Played, running: bool) -> None:
    path = played.table(running=running)
    for who in (played.ann, played.bob, played.world.nobody):
        events = lines(who, path)
        assert [event["version"] for event in events] == list(range(1, len(events) + 1))
        assert pages(who, path, 7) == pages(who, path, 1000) == events
        assert lines(who, path, "?after=5") == events[5:]
        assert lines(who, path, f"?after={len(events)}") == []


@pytest.mark.parametrize("running", [True, False])
def test_everybody_can_check_the_chain(played: Played, running: bool) -> None:
    """With what each is told: hashes cover the public envelope, opened secrets fit their commitments."""
    for who in (played.ann, played.bob, played.world.nobody):
        events = lines(who, played.table(running=running))
        assert list(faults(events)) == []
        events[3]["payload"] |= {"seat": 7}
        assert list(faults(events)) != []


def test_each_reads_his_own_secrets_until_the_game_is_over(played: Played) -> None:
    mine = {who: lines(player, played.table()) for who, player in ((1, played.ann), (2, played.bob))}
    drawn = [(one, two) for one, two in zip(mine[1], mine[2], strict=True) if one["type"] == "CardsDrawn"]
    assert drawn
    for one, two in drawn:
        assert ("cards" in one["payload"]) == (one["payload"]["seat"] == 1)
        assert ("cards" in two["payload"]) == (one["payload"]["seat"] == 2)
    assert not any(
        "cards" in event["payload"] for event in lines(played.world.nobody, played.table()) if event["readers"]
    )
    over = lines(played.world.nobody, played.table(running=False))
    assert all(set(event["opened"]) == set(event["secrets"]) for event in over)
    assert over[-2]["payload"]["seed"] == over[0]["payload"]["seed"]


def test_a_language_adds_a_sentence(played: Played) -> None:
    plain, english, french = (
        lines(played.ann, played.table(), query) for query in ("", "?language=en", "?language=fr")
    )
    assert all("words" not in event for event in plain)
    assert [{k: v for k, v in event.items() if k != "words"} for event in english] == plain
    pairs = zip(english, french, strict=True)
    assert all(one["words"] and one["words"] != two["words"] for one, two in pairs if one["type"] == "CardPlayed")


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "after=1.0", "limit=0", "limit=1001", "language=de", "since=3", "after=1&after=2"]
)
def test_a_query_of_events_is_read_strictly(played: Played, query: str) -> None:
    answer = played.world.nobody.get(f"{played.table()}/events?{query}")
    refused(answer, 422, "invalid")


def test_events_that_have_not_happened_are_not_found(played: Played) -> None:
    refused(played.world.nobody.get(f"{played.table()}/events?after=9999"), 404, "no_such_version")


def test_other_forms_are_not_acceptable(played: Played) -> None:
    refused(played.world.nobody.get(f"{played.table()}/events", Accept="text/html"), 406, "not_acceptable")


@pytest.mark.parametrize("accept", ["*/*", "application/json", "text/html, application/json;q=0.1"])
def test_a_page_is_what_is_given_by_default(played: Played, accept: str) -> None:
    assert played.world.nobody.get(f"{played.table()}/events", Accept=accept).mimetype == "application/json"


def test_a_stream_is_not_resumed_on_other_events(played: Played) -> None:
    """The store may have gone back: who was told of events that the table does not have hears so, and nothing else."""
    path, version = f"{played.table()}/events", lines(played.ann, played.table())[-1]["version"]
    for place in (f"{version}-00000000", f"{version + 9}-00000000", "0-00000000"):
        answer = played.ann.get(path, Accept="text/event-stream", Last_Event_ID=place)
        assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
        assert answer.text == 'event: end\ndata: {"reason":"log_damaged"}\n\n'
        answer = played.ann.get(f"{path}?names=off", Accept="text/event-stream", Last_Event_ID=place)
        assert answer.text == 'data: {"frame":"end","reason":"log_damaged"}\n\n'


def test_the_table_at_every_version(played: Played) -> None:
    """As it was then: the seats, the decisions, the view; and the time at which it was so."""
    path = played.table()
    for event in lines(played.ann, path):
        then = accepted(played.ann.get(f"{path}?at={event['version']}"))
        assert (then["version"], then["at"], then["hash"]) == (event["version"], event["at"], event["hash"])
    assert then == accepted(played.ann.get(path))
    for version in (0, event["version"] + 1):
        refused(played.ann.get(f"{path}?at={version}"), 404, "no_such_version")


@pytest.mark.fault
def test_the_table_at_a_time(played: Played) -> None:
    path = played.table()
    events = lines(played.ann, path)
    at = events[20]["at"]
    last = max(event["version"] for event in events if event["at"] <= at)
    assert accepted(played.ann.get(f"{path}?at_time={at}")) == accepted(played.ann.get(f"{path}?at={last}"))
    offset = at.replace("Z", "+00:00")
    assert accepted(played.ann.get(f"{path}?at_time={offset}"))["version"] == last
    assert accepted(played.ann.get(f"{path}?at_time=2999-01-01T00:00:00Z"))["version"] == len(events)
    refused(played.ann.get(f"{path}?at_time=1999-01-01T00:00:00Z"), 404, "no_such_version")
    refused(played.ann.get(f"{path}?at_time={at}&at=3"), 422, "contradictory")
    assert accepted(played.ann.get(f"{path}?at_time=2999-12-31t23:59:60 01:00"))["version"] == len(events)
    for text in ("yesterday", "2026-11-21T09:15:41", "2026-13-01T00:00:00Z", "2026-W47-6T09:15:41Z", ""):
        refused(played.ann.get(f"{path}?at_time={text}"), 422, "invalid")


def test_with_whose_eyes(played: Played) -> None:
    """One's own; any other's for everybody once the game is over, and before that not even for the arbiter."""
    path = played.table()
    assert accepted(played.ann.get(f"{path}?seat=1")) == accepted(played.ann.get(path))
    for who in (played.ann, played.world.nobody, played.arbiter):
        refused(who.get(f"{path}?seat=2"), 403, "not_your_seat")
        refused(who.get(f"{path}?seat=3"), 404, "no_such_seat")
    assert accepted(played.arbiter.get(path))["seat"] is None
    unscoped = played.world.again(played.world.somebody(), ["watch"])
    refused(unscoped.get(f"{path}?seat=2"), 403, "not_your_seat")
    over = played.table(running=False)
    assert (
        accepted(played.world.nobody.get(f"{over}?seat=2&at=20"))["view"]
        == accepted(played.bob.get(f"{over}?at=20"))["view"]
    )


def test_an_entity_tag_names_version_and_eyes(played: Played) -> None:
    path = played.table()
    tags = {who: who.get(path).headers["ETag"] for who in (played.ann, played.bob, played.world.nobody)}
    assert len(set(tags.values())) == 3
    for who, tag in tags.items():
        for sent in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            same = who.get(path, If_None_Match=sent)
            assert (same.status_code, same.data, same.headers["ETag"]) == (304, b"", tag)
        for other in ('""', 'W/""', ",", 'W/"'):
            assert who.get(path, If_None_Match=other).status_code == 200
    assert played.ann.get(path, If_None_Match=tags[played.bob]).status_code == 200
    assert played.ann.get(f"{path}?at=5", If_None_Match=tags[played.ann]).status_code == 200


def test_a_ruling_is_explained_in_words_and_figures(played: Played) -> None:
    path = f"{played.table()}/rulings"
    answer = played.ann.get(path, Accept_Language="fr;q=0.8, de")
    assert (answer.headers["Content-Language"], played.ann.get(path).headers["Content-Language"]) == ("fr", "en")
    english, french = accepted(played.ann.get(path))["rulings"], accepted(answer)["rulings"]
    assert [row["figures"] for row in english] == [row["figures"] for row in french]
    assert all(one["words"] != two["words"] for one, two in zip(english, french, strict=True))
    for row in english:
        assert [rule["id"] for rule in row["rules"]] == row["figures"]["rules"]
        assert accepted(played.ann.get(f"{path}/{row['version']}")) == row


def test_an_event_that_decides_nothing_is_no_ruling(played: Played) -> None:
    path = f"{played.table()}/rulings"
    refused(played.ann.get(f"{path}/1"), 404, "no_such_ruling")
    refused(played.ann.get(f"{path}/9999"), 404, "no_such_version")
    refused(played.ann.get(f"{path}/0"), 404, "no_such_version")


def test_a_table_that_is_not_there(world: World) -> None:
    for end in ("", "/events", "/rulings", "/rulings/1", "/moves"):
        refused(world.somebody().get(f"/v1/tables/t_aaaaaaaaaaaaaaaa{end}"), 404, "no_such_table")


@pytest.mark.parametrize("kind", ["table", "transcript", "inbox", "feed"])
def test_no_proxy_holds_a_stream_back(played: Played, kind: str) -> None:
    """Neither to fill a buffer nor to compress it; and nobody keeps it."""
    paths = {"table": f"{played.table()}/events", "inbox": "/v1/inbox", "feed": "/v1/feed"}
    if kind == "transcript":
        paths[kind] = f"/v1/tables/{loaded(played.ann, text_of('tomahawk-2-greedy'))['id']}/events"
    told = played.ann.send("HEAD", paths[kind], headers={"Accept": "text/event-stream"})
    assert told.mimetype == "text/event-stream"
    assert (told.headers["Cache-Control"], told.headers["X-Accel-Buffering"]) == ("no-store, no-transform", "no")


def test_a_form_may_be_asked_for_with_parameters(world: World) -> None:
    """`Accept: text/event-stream; charset=utf-8`, as some clients send it."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game="manitou")
    for path in (f"/v1/tables/{table}/events", "/v1/feed", "/v1/inbox"):
        answer = ann.get(path, Accept="application/json; charset=utf-8")
        assert (answer.status_code, answer.mimetype) == (200, "application/json")
    refused(ann.get("/v1/inbox", Accept="text/html; charset=utf-8"), 406, "not_acceptable")
