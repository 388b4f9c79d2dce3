"""Transcripts over the API: a text is loaded, and read as a table that no record proves."""

import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from games import GAMES
from projections.history import TableHistory, effective_events
from rulings.notation import parse, write
from rulings.notation.document import Tag
from service.api.admission import contract_of
from service.tables.table_documents import BESIDE
from service.transcripts import keeps_any
from tests import corpus
from tests.corpus import text_of
from tests.games.spec import as_json
from tests.long import long_but_for
from tests.service.api.world import Somebody, World, accepted, refused
from worker.play_turn import play_turns

SAMPLES = ("big-manitou-3-disputed", "manitou-2-taken-back", "plenty-coups-3-overturned", "tomahawk-2-disputed")
HEADER = "[Format 1]\n[Game manitou]\n[Rules 1]\n[Players 2]\n"


def beside(told: dict[str, Any]) -> dict[str, Any]:
    """What a table says beside its view, and the view of its game holds as well."""
    return {name: told[name] for name in BESIDE}


def loaded(somebody: Somebody, text: str, **more: Any) -> dict[str, Any]:
    row: dict[str, Any] = accepted(somebody.post("/v1/transcripts", {"text": text} | more), 201)
    return row


@pytest.mark.parametrize("name", SAMPLES)
def test_a_loaded_game_is_read_as_the_table_was(world: World, name: str) -> None:
    """Views of every seat, scores and sentences before each of the game's events, and at the end."""
    ann, history = world.somebody("Ann"), corpus.history_of(name)
    game, table = history.table.game, loaded(ann, text_of(name))["id"]
    assert accepted(ann.get(f"/v1/tables/{table}"))["transcribed"] is True
    was = [event for event in effective_events(history.events) if event.envelope.type in game.kinds]
    rows = accepted(ann.get(f"/v1/tables/{table}/events?limit=1000&language=en"))["events"]
    now = [row for row in rows if row["type"] in game.kinds]
    assert [row["type"] for row in now] == [event.envelope.type for event in was]
    assert all(row["words"] and row["opened"] == {} and row["hash"] == "0" * 64 for row in rows)
    for event, row in list(zip(was, now, strict=True))[1 :: len(was) // 8]:
        state = history.at(event.version - 1).state
        for seat in range(1, history.table.opened.players + 1):
            told = accepted(ann.get(f"/v1/tables/{table}?at={row['version'] - 1}&seat={seat}"))
            scores = as_json(game.scores(state)) | {"winners": []}  # until the game is over
            assert told["view"] | beside(told) == as_json(game.view(state, seat)) | {"scores": scores}
            assert told["scores"] == scores
    end = accepted(ann.get(f"/v1/tables/{table}?seat=all"))
    assert end["view"] | beside(end) == as_json(game.open_view(history.table.state))
    assert (end["status"], end["counted"], end["hash"]) == ("finished", False, "0" * 64)


@pytest.mark.parametrize("game", long_but_for({"manitou", "tomahawk"}.__contains__, GAMES))
def test_what_the_service_writes_it_reads_again(world: World, game: str) -> None:
    """The names of those who sat there stand at their seats, and hold none."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    played = world.open(ann, bob, game=game)
    world.play(played, ann, bob, moves=1000)
    text = ann.get(f"/v1/tables/{played}/notation").text
    assert world.nobody.get(f"/v1/tables/{played}/notation").text == text
    row = loaded(ann, text)
    assert (row["game"], row["players"], row["is_over"], row["lines"]) == (game, 2, True, 1)
    table, was = accepted(ann.get(f"/v1/tables/{row['id']}")), accepted(ann.get(f"/v1/tables/{played}"))
    assert [(seat["name"], seat["player"]) for seat in table["seats"]] == [("Ann", None), ("Bob", None)]
    assert table["scores"] == was["scores"]
    assert ann.get(f"/v1/tables/{row['id']}/notation").text == text


def test_what_is_asked_of_tables_is_asked_of_transcripts(world: World) -> None:
    """Rulings, what changed, which event changed it, when it became so, and its events as a stream that ends."""
    ann = world.somebody("Ann")
    row = loaded(ann, text_of("big-manitou-3-disputed"))
    table, last = row["id"], row["version"]
    rulings = accepted(ann.get(f"/v1/tables/{table}/rulings"))["rulings"]
    assert len(rulings) > 3
    assert accepted(ann.get(f"/v1/tables/{table}/rulings/{rulings[0]['version']}"))["version"] == rulings[0]["version"]
    changes = accepted(ann.get(f"/v1/tables/{table}/diff?from=10&to=20&seat=2"))["changes"]
    assert [change["version"] for change in changes] == list(range(11, 21))
    assert accepted(ann.get(f"/v1/tables/{table}/blame?path=/status"))["version"] == last - 1
    assert accepted(ann.get(f'/v1/tables/{table}/find?path=/status&value="finished"'))["version"] == last - 1
    assert accepted(ann.get(f"/v1/tables/{table}?at_time={row['at']}"))["version"] == last
    assert accepted(ann.get(f"/v1/tables/{table}/moves"))["decisions"] == []
    assert accepted(ann.get(f"/v1/tables/{table}/disputes"))["disputes"] == []
    stream = ann.get(f"/v1/tables/{table}/events", Accept="text/event-stream").text
    assert stream.count("\nid: ") == last
    assert stream.endswith('event: end\ndata: {"reason":"table_closed"}\n\n')
    plain = ann.get(f"/v1/tables/{table}/events?names=off", Accept="text/event-stream").text
    assert "event: " not in plain
    assert plain.endswith('\ndata: {"frame":"end","reason":"table_closed"}\n\n')


BODIES: dict[str, Any] = {  # of operations that need one; of a move the text has the game
    "handOverSeat": {"level": "greedy"},
    "grantTime": {"seconds": 60},
    "playMove": {"game": "big-manitou", "seat": 1, "move": {}},
    "checkMove": {"game": "big-manitou", "seat": 1, "move": {}},
    "askAnalysis": {"kind": "quick"},
    "readjudicateTable": {"options": {}},
    "openDispute": {"seat": 1, "version": 9, "rule": "BM-5.4", "claim": "No.", "remedy": {"correction": 1}},
    "previewDispute": {"version": 9},
    "commentOnDispute": {"text": "No."},
    "lookThroughSeat": {"seat": 1},
    "voteOnDispute": {"seat": 1, "overturn": True},
    "resolveDispute": {"outcome": "upheld", "text": "No."},
    "makeOffer": {"kind": "takeback", "seat": 1},
    "answerOffer": {"seat": 1, "agrees": True},
    "invite": {"name": "Bob"},
}


def test_what_needs_a_record_is_refused_of_transcripts(world: World) -> None:
    """Whatever the document says that it does not read them; nothing is begun, paid for or enqueued."""
    ann = world.somebody("Ann", scopes=["play", "watch", "arbitrate"])
    table = loaded(ann, text_of("big-manitou-3-disputed"))["id"]
    asked = []
    for rule in world.app.url_map.iter_rules():
        contract = contract_of(world.app.view_functions[rule.endpoint])
        if "<table>" in rule.rule and not contract["transcripts"]:
            path = re.sub("<[^>]+>", "1", rule.rule.replace("<table>", table))
            (method,) = (rule.methods or set()) - {"HEAD", "OPTIONS"}
            told = ann.send(method, path, json=BODIES.get(contract["name"]))
            asked.append((contract["name"], told.status_code, (told.json or {}).get("code")))
    assert len(asked) > 20
    assert [one for one in asked if one[1:] != (409, "transcribed")] == []


def test_variations_are_branches(world: World) -> None:
    """Listed at the line that they part from, read as tables, laid beside each other."""
    ann = world.somebody("Ann")
    table = loaded(ann, text_of("manitou-2-taken-back"))["id"]
    forks = accepted(ann.get(f"/v1/tables/{table}/forks"))["forks"]
    assert [row["id"] for row in forks] == [f"{table}-1", f"{table}-2"]
    branch = accepted(ann.get(f"/v1/tables/{table}-1"))
    assert (branch["forked_from"]["table"], branch["forked_from"]["version"]) == (table, 5)
    assert branch["status"] == "finished"
    compared = accepted(ann.get(f"/v1/tables/{table}-1/comparison?with={table}"))
    assert compared["common"] == {"table": table, "version": 5}
    assert compared["first_difference"]["number"] == 1
    refused(ann.get(f"/v1/tables/{table}-3"), 404, "no_such_table")


def test_lines_and_comments_are_told_with_the_text(world: World) -> None:
    """For everyone who may see it."""
    ann, text = world.somebody("Ann"), text_of("manitou-2-taken-back")
    row = loaded(ann, text)
    whole = accepted(ann.get(f"/v1/transcripts/{row['id']}"))
    assert whole["text"] == text
    assert {name: whole[name] for name in row} == row
    main, first, second = whole["told"]
    assert (main["parent"], main["version"]) == (None, row["version"])
    assert (first["parent"], first["parent_version"]) == (row["id"], 5) == (second["parent"], 5)
    assert [comment["text"][:22] for comment in main["comments"]] == ["Play is taken back to "] * 2


def test_loading_again_changes_nothing(world: World) -> None:
    """One transcript for one text of one person; another visibility, or another person, makes another."""
    ann, bob, text = world.somebody("Ann"), world.somebody("Bob"), text_of("tomahawk-2-greedy")
    first, again = loaded(ann, text), loaded(ann, text)
    assert again == first
    others = [loaded(ann, text, visibility="public"), loaded(bob, text)]
    assert len({first["id"], *(row["id"] for row in others)}) == 3
    listed = accepted(ann.get("/v1/transcripts"))["transcripts"]
    assert {row["id"] for row in listed} == {first["id"], others[0]["id"]}


@pytest.mark.parametrize("media", ["text/plain", "text/plain; charset=UTF-8", "application/octet-stream"])
def test_a_text_may_be_the_whole_body(world: World, media: str) -> None:
    """As `curl --data-binary @game.txt` sends it: it is the transcript that JSON makes of the same text."""
    ann, text = world.somebody("Ann"), text_of("tomahawk-2-greedy") + "{Été}"
    for query, visibility in (("", "private"), ("?visibility=public", "public")):
        sent = ann.send("POST", f"/v1/transcripts{query}", data=text.encode(), content_type=media)
        assert accepted(sent, 201)["visibility"] == visibility
        assert loaded(ann, text, visibility=visibility) == sent.json
    marked = ann.send("POST", "/v1/transcripts", data=text.encode("utf-8-sig"), content_type=media)
    assert accepted(marked, 201) == loaded(ann, text)


NO_TEXTS: dict[str, tuple[bytes, str, str, int, str]] = {
    "of a form": (b"a=b", "application/x-www-form-urlencoded", "", 415, "unsupported_media_type"),
    "of another coding": (b"[Format 1]", "text/plain; charset=latin-1", "", 415, "unsupported_media_type"),
    "not UTF-8": (b"\xff\xfe", "text/plain", "", 400, "malformed"),
    "with a NUL": (b"[Format 1]\0", "text/plain", "", 400, "malformed"),
    "for nobody known": (b"[Format 1]", "text/plain", "?visibility=secret", 422, "invalid"),
    "too long": (b"x" * 60_001, "text/plain", "", 422, "invalid"),
    "too large": (b"x" * 65_537, "text/plain", "", 413, "too_large"),
    "twice seen": (b'{"text": "[Format 1]"}', "application/json", "?visibility=public", 422, "contradictory"),
}


@pytest.mark.parametrize("case", NO_TEXTS)
def test_a_body_that_is_no_text_is_refused(world: World, case: str) -> None:
    """With what to send in its place; nothing is kept."""
    data, media, query, status, code = NO_TEXTS[case]
    ann = world.somebody("Ann")
    refused(ann.send("POST", f"/v1/transcripts{query}", data=data, content_type=media), status, code)
    assert accepted(ann.get("/v1/transcripts"))["transcripts"] == []


def test_a_private_transcript_is_for_its_keeper(world: World) -> None:
    """For others it does not exist, with a message as of what was never there; nor for a token that may not watch."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = loaded(ann, text_of("manitou-2-taken-back"))["id"]
    blind = world.again(ann, ["play"])
    for path in ("", "/events", "/rulings", "/notation", "/diff", "/forks"):
        for somebody in (bob, world.nobody, blind):
            answer = somebody.get(f"/v1/tables/{table}{path}")
            absent = somebody.get(f"/v1/tables/x_{'a' * 20}{path}")
            refused(answer, 404, "no_such_table")
            assert answer.json["detail"].replace(table, "") == absent.json["detail"].replace(f"x_{'a' * 20}", "")
    refused(bob.get(f"/v1/transcripts/{table}"), 404, "no_such_table")
    refused(bob.delete(f"/v1/transcripts/{table}"), 404, "no_such_table")
    refused(bob.get(f"/v1/tables/{table}-1"), 404, "no_such_table")
    assert accepted(world.operator.get(f"/v1/tables/{table}"))["id"] == table


def test_a_public_transcript_is_for_all(own: World) -> None:
    """Who have its id: no list has it, and no feed, in a store to which nobody else writes meanwhile."""
    ann = own.somebody("Ann")
    own.catch_up()
    lists = ("/v1/tables?status=finished&limit=200", "/v1/standings?game=manitou", "/v1/feed?limit=200")
    before = [accepted(own.nobody.get(path)) for path in lists]
    table = loaded(ann, text_of("manitou-2-greedy"), visibility="public")["id"]
    own.catch_up()
    assert accepted(own.nobody.get(f"/v1/tables/{table}?seat=2&at=40"))["seat"] == 2
    assert [accepted(own.nobody.get(path)) for path in lists] == before
    assert accepted(ann.get("/v1/tables?mine=true"))["tables"] == []


def test_a_deleted_transcript_is_gone(world: World) -> None:
    """With its lines; a repeat finds nothing more."""
    ann = world.somebody("Ann")
    table = loaded(ann, text_of("manitou-2-taken-back"), visibility="public")["id"]
    assert accepted(ann.get(f"/v1/tables/{table}-1"))
    assert keeps_any(world.log.client, str(ann.player))
    assert ann.delete(f"/v1/transcripts/{table}").status_code == 204
    refused(ann.delete(f"/v1/transcripts/{table}"), 404, "no_such_table")
    refused(ann.get(f"/v1/tables/{table}"), 404, "no_such_table")
    refused(ann.get(f"/v1/tables/{table}-1"), 404, "no_such_table")
    assert not keeps_any(world.log.client, str(ann.player))


def test_an_account_keeps_so_many(store_url: str) -> None:
    """One more is refused, one that is there is not."""
    few = World(store_url, transcripts=1)
    ann, text = few.somebody("Ann"), text_of("tomahawk-2-greedy")
    row = loaded(ann, text)
    answer = ann.post("/v1/transcripts", {"text": text, "visibility": "public"})
    assert refused(answer, 409, "quota_reached")["most"] == 1
    assert loaded(ann, text) == row
    few.close()


def history_of(world: World, table: str) -> TableHistory:
    return world.services.handler.history(table)


def branch_of(somebody: Somebody, table: str, version: int, **more: Any) -> dict[str, Any]:
    """A branch in which somebody has seat 1 and AI the others."""
    seats = [{"kind": "me"}, *[{"kind": "ai", "level": "uniform"}] * (len(more.pop("others", "b")))]
    body = {"version": version, "seats": seats} | more
    row: dict[str, Any] = accepted(somebody.post(f"/v1/tables/{table}/forks", body), 201)
    return row


@pytest.mark.parametrize("name", long_but_for({sorted(SAMPLES)[-1]}.__contains__, SAMPLES))
def test_a_transcript_is_played_on_from(world: World, name: str) -> None:
    """From its middle to the end, against AI that knows what its seat has seen; it counts nowhere and is marked."""
    ann = world.somebody("Ann")
    row = loaded(ann, text_of(name))
    table, middle = row["id"], row["version"] // 2
    branch = branch_of(ann, table, middle, others="b" * (row["players"] - 1))
    origin, was = branch["forked_from"], branch["id"]
    assert (origin["table"], origin["transcribed"], origin["head"]) == (table, True, "0" * 64)
    assert (branch["status"], branch["visibility"], branch["counted"]) == ("running", "private", False)
    assert branch["transcribed"] is False
    then = accepted(ann.get(f"/v1/tables/{table}?at={origin['version']}&seat=1"))
    assert (branch["scores"], branch["options"]) == (then["scores"], then["options"])
    for seed in range(1000):
        play_turns(world.services.handler, was)
        if history_of(world, was).table.over:
            break
        world.play(was, ann, moves=1, seed=seed)
    audit = accepted(ann.get(f"/v1/tables/{was}/audit"))
    assert (audit["holds"], audit["divergence"]) == (True, None)
    assert accepted(ann.get(f"/v1/tables/{was}"))["counted"] is False
    archive = ann.get(f"/v1/tables/{was}/archive").data
    sent = world.operator.send("POST", "/v1/archives", data=archive, content_type="application/x-ndjson")
    assert accepted(sent, 201)["forked_from"]["transcribed"] is True
    compared = accepted(ann.get(f"/v1/tables/{was}/comparison?with={table}"))
    assert compared["common"]["table"] == table
    world.catch_up()
    assert was in [fork["id"] for fork in accepted(ann.get(f"/v1/tables/{table}/forks"))["forks"]]
    assert ann.delete(f"/v1/transcripts/{table}").status_code == 204
    assert accepted(ann.get(f"/v1/tables/{was}"))["forked_from"]["table"] == table
    refused(ann.get(f"/v1/tables/{was}/comparison?with={table}"), 404, "no_such_table")
    assert accepted(ann.get(f"/v1/tables/{was}/comparison?with={was}"))["first_difference"] is None


def test_what_no_rules_led_to_is_not_played_on_from(world: World) -> None:
    """A text that begins with a state, the moment before the game begins, its end; and a text has no seed."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    row = loaded(ann, text_of("tomahawk-2-greedy"))
    path = f"/v1/tables/{row['id']}/forks"
    refused(bob.post(path, {"version": 20}), 404, "no_such_table")
    refused(ann.post(path, {"version": 1}), 422, "fork_refused")
    refused(ann.post(path, {"version": row["version"]}), 422, "fork_refused")
    refused(ann.post(path, {"version": row["version"] + 1}), 404, "no_such_version")
    told = refused(ann.post(path, {"version": 20, "chance": "continued"}), 422, "fork_refused")
    assert told["detail"].endswith("no seed to continue with: take chance `anew`")
    told = refused(ann.post(path, {"version": 20, "visibility": "public"}), 422, "fork_refused")
    assert told["detail"].endswith("make it private")
    begun = loaded(ann, with_state("tomahawk-2-disputed", dict, ""))["id"]
    told = refused(ann.post(f"/v1/tables/{begun}/forks", {"version": 2}), 422, "fork_refused")
    assert told["detail"].startswith("the text begins with a state")


STARTED = text_of("tomahawk-2-greedy")
HOSTILE = {
    "": ("invalid", None, None),
    "Bonjour, voici ma partie d'hier soir.": ("notation_refused", 1, 8),
    HEADER + "= shuffle_small_buffalo chief-1": ("notation_refused", 5, 1),
    HEADER + "[Note " + "[" * 20_000: ("notation_refused", 5, 57),
    HEADER + "(" * 50_000: ("notation_refused", 5, 51),
    HEADER + "(" + ")(" * 25_000: ("notation_refused", 5, 50_002),
    STARTED + "()" * 1000: ("notation_refused", 1, 1),
    "[Seat 1 ai=greedy level=divine]\n" + STARTED.replace("[Seat 1", "[Was 1"): ("notation_refused", 1, 1),
    HEADER + "[Seat 1 name=" + "a" * 41 + "]": ("notation_refused", 2, 1),
    "[Format 1]": ("notation_refused", 1, 1),
    HEADER.replace("manitou", "chess"): ("notation_refused", 2, 1),
    HEADER + "x" * 60_000: ("invalid", None, None),
    HEADER + "é" * 70_000: ("too_large", None, None),
}


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_text_that_is_no_game_is_refused(world: World, text: str) -> None:
    """With line and column; nothing is kept."""
    ann = world.somebody("Ann")
    code, line, column = HOSTILE[text]
    answer = ann.post("/v1/transcripts", {"text": text})
    assert answer.json["code"] == code, answer.json
    assert (answer.json.get("line"), answer.json.get("column")) == (line, column)
    assert accepted(ann.get("/v1/transcripts"))["transcripts"] == []


def test_a_move_that_a_rule_forbids_names_it(world: World) -> None:
    """Where it stands in the text."""
    text = (
        text_of("manitou-2-greedy").replace("1. 1: choose_party", "1. 1: pass_turn {", 1).replace("\n2. ", "}\n2. ", 1)
    )
    told = refused(world.somebody("Ann").post("/v1/transcripts", {"text": text}), 422, "notation_refused")
    assert told["rule"] == "MA-4.1d"
    assert told["detail"].startswith(f"line {told['line']}, column 1: MA-4.1d: ")


def text_with(name: str, seated: str = "name") -> str:
    """A text whose first seat is held by somebody of this name, or by an AI player (`ai`)."""
    return f'[Seat 1 {seated}="{name}"]\n' + text_of("tomahawk-2-greedy").replace("[Seat 1", "[Was 1")


@pytest.mark.parametrize(
    "name",
    ["\\u202eAnn", "Ann\\nBob", "A\\u0000", "A\\u200bnn", "\\u0301Ann", "Wintercount", "0perator", "somebody else"],
)
def test_a_name_that_misleads_is_refused(world: World, name: str) -> None:
    """As a name of an account is: with signs that turn what stands around it, that nobody sees, or the operator's."""
    for seated in ("name", "ai"):
        body = {"text": text_with(name, seated)}
        told = refused(world.somebody("Ann").post("/v1/transcripts", body), 422, "notation_refused")
        assert re.search(f"({seated}|a text) (must not|looks like)", told["detail"])


@pytest.mark.parametrize("sign", ["\u202e", "\u2066", "\x1b", "\x85", "\u2028", "\x7f"])
def test_a_text_that_misleads_is_refused(world: World, sign: str) -> None:
    """In a comment, which others are shown, and in a tag that says nothing: they would turn what is around them."""
    ann, text = world.somebody("Ann"), text_of("tomahawk-2-greedy")
    for told, place in (
        (text.replace("\n9. ", f"\n{{so\tit\r\ngoes{sign}}}\n9. "), text[: text.index("\n9. ")].count("\n") + 3),
        (text.replace("[Seat 1", f'[Event "{sign}"]\n[Seat 1', 1), text[: text.index("[Seat 1")].count("\n") + 1),
    ):
        problem = refused(ann.post("/v1/transcripts", {"text": told}), 422, "notation_refused")
        assert f"a text must not contain U+{ord(sign):04X}" in problem["detail"]
        assert problem["line"] == place
        loaded(ann, told.replace(sign, ""))


def test_a_running_game_tells_no_more_as_a_transcript(world: World) -> None:
    """What its reader was not told stands as `?`, and that cannot be loaded."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    played = world.open(ann, bob, game="manitou")
    world.play(played, ann, bob, moves=4)
    text = ann.get(f"/v1/tables/{played}/notation").text
    told = refused(ann.post("/v1/transcripts", {"text": text}), 422, "notation_refused")
    assert "draw" in told["detail"]


def test_without_its_keepers_key_nobody_reads_it(world: World) -> None:
    """In the store it lies encrypted; when the key is erased, the transcript is gone."""
    ann, text = world.somebody("Ann"), text_of("manitou-2-taken-back")
    table = loaded(ann, text + "{Zebulon was here.}", visibility="public")["id"]
    client = world.log.client
    keys: Any = world.services.handler.texts._keys
    kept = b"".join(client.get(key) or b"" for key in client.scan_iter("{transcripts:*}:x_*"))
    assert table.encode() in kept
    assert b"Zebulon" not in kept
    wrapped = keys.store.read([str(ann.player)])[str(ann.player)]
    assert keys.store.replace([(str(ann.player), wrapped, b"")]) == 1
    keys.drop()
    refused(world.nobody.get(f"/v1/tables/{table}"), 404, "no_such_table")


def with_state(name: str, more: Callable[[dict[str, Any]], dict[str, Any]], items: str) -> str:
    """A text that begins in the middle of a recorded game, with that state altered."""
    history, header = corpus.history_of(name), parse(text_of(name))
    state = msgspec.to_builtins(history.at(history.table.version // 2).state)
    return write(type(header)((*header.tags, Tag("State", (more(state),))), (), ())) + items
