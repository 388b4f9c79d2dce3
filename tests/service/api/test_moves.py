"""Decisions, moves, refusals with the rule that makes them, and requests that are sent twice."""

import random
from typing import Any

import pytest

from events.store import connect
from games import GAMES
from tests import damage
from tests.service.api.world import World, accepted, refused


class Playing:
    """A table of two at which a party has to be chosen."""

    def __init__(self, world: World, game: str = "big-manitou") -> None:
        self.world, self.ann, self.bob = world, world.somebody("Ann"), world.somebody("Bob")
        self.table = world.open(self.ann, self.bob, game=game)
        self.path = f"/v1/tables/{self.table}/moves"

    def legal(self, seat: int) -> dict[str, Any]:
        """A legal move of a seat."""
        table, rng = self.world.services.handler.history(self.table).table, random.Random(1)
        while True:
            chosen = self.world.move(self.table, rng)
            assert chosen is not None
            assert table.game.to_act(table.state).count(seat), f"seat {seat} is not to act"
            if chosen[0] == seat:
                return chosen[1]

    def version(self) -> int:
        return self.world.services.handler.history(self.table).table.version


@pytest.fixture
def playing(world: World) -> Playing:
    return Playing(world)


def test_the_moves_listed_for_me_are_mine(playing: Playing) -> None:
    found = accepted(playing.ann.get(playing.path))
    assert [row["seat"] for row in found["decisions"]] == [1]
    assert found["decisions"][0]["moves"][0]["type"] == "choose_party"
    assert accepted(playing.world.somebody().get(playing.path))["decisions"] == []
    refused(playing.world.nobody.get(playing.path), 401, "unauthenticated")


def test_the_answer_to_a_move_holds_all_that_follows(playing: Playing) -> None:
    """Nothing has to be asked again: version, events, the view, the next decisions and a receipt."""
    accepted(playing.bob.post(playing.path, {"game": "big-manitou", "seat": 2, "move": playing.legal(2)}))
    before = playing.version()
    answer = playing.ann.post(playing.path, {"game": "big-manitou", "seat": 1, "move": playing.legal(1)})
    played = accepted(answer)
    assert [event["version"] for event in played["events"]] == list(range(before + 1, played["version"] + 1))
    assert played["events"] == accepted(playing.ann.get(f"/v1/tables/{playing.table}/events?after={before}"))["events"]
    table = accepted(playing.ann.get(f"/v1/tables/{playing.table}"))
    assert (played["view"], played["status"]) == (table["view"] if played["decisions"] else None, "running")
    assert "table" not in played
    assert played["decisions"] == accepted(playing.ann.get(playing.path))["decisions"]
    last = played["events"][-1]
    assert played["receipt"] == {"table": playing.table, "version": last["version"], "hash": last["hash"]}
    assert answer.headers["ETag"] == playing.ann.get(f"/v1/tables/{playing.table}").headers["ETag"]
    assert played["events"][0]["move"]["type"] == "choose_party"


def test_the_answer_to_a_move_holds_the_whole_table_if_it_is_asked_for(playing: Playing) -> None:
    """As a seat that waits now sees it; a query that asks for something else is refused, and nothing is played."""
    path, body = f"{playing.path}?include=table", {"game": "big-manitou", "seat": 2, "move": playing.legal(2)}
    before = playing.version()
    for query in ("include=view", "include=", "include=table&include=table", "more=1"):
        refused(playing.bob.post(f"{playing.path}?{query}", body), 422, "invalid")
    assert playing.version() == before
    played = accepted(playing.bob.post(path, body))
    assert played["table"] == accepted(playing.bob.get(f"/v1/tables/{playing.table}"))
    assert (played["decisions"], played["view"]) == ([], None)
    assert all(event["words"].endswith(".") for event in played["events"])


def test_a_seat_that_has_to_decide_again_is_shown_what_it_sees(playing: Playing) -> None:
    """The view of a table is in the answer as soon as there is something to decide by it."""
    rng, who = random.Random(1), {1: playing.ann, 2: playing.bob}
    played: dict[str, Any] = {"decisions": []}
    while not played["decisions"]:
        chosen = playing.world.move(playing.table, rng)
        assert chosen is not None
        seat, move = chosen
        played = accepted(who[seat].post(playing.path, {"game": "big-manitou", "seat": seat, "move": move}))
        assert (played["view"] is None) == (played["decisions"] == [])
    assert played["view"] == accepted(who[seat].get(f"/v1/tables/{playing.table}"))["view"]


def test_simultaneous_choices_do_not_collide(playing: Playing) -> None:
    """Both answer the decision that they saw; the second is none the worse for the first."""
    decisions = {
        seat: accepted(who.get(playing.path))["decisions"][0] for seat, who in ((1, playing.ann), (2, playing.bob))
    }
    for seat, who in ((2, playing.bob), (1, playing.ann)):
        body = {"game": "big-manitou", "seat": seat, "decision": decisions[seat]["id"], "move": playing.legal(seat)}
        accepted(who.post(playing.path, body))


def test_a_move_that_a_rule_forbids_names_the_rule(playing: Playing) -> None:
    before = playing.version()
    body = {"game": "big-manitou", "seat": 1, "move": {"type": "choose_party", "cards": ["chief-1"]}}
    problem = refused(playing.ann.post(playing.path, body), 422, "move_refused")
    assert (problem["rule"], problem["version"]) == ("BM-4.2a", before)
    assert playing.version() == before


def test_a_move_at_the_wrong_moment_is_a_conflict(playing: Playing) -> None:
    """Another phase, or not to act: the same move may be right later, so 409 and not 422."""
    body = {"game": "big-manitou", "seat": 1, "move": {"type": "play_card", "card": "chief-1", "ground": 1}}
    problem = refused(playing.ann.post(playing.path, body), 409, "not_your_turn")
    assert problem["rule"].startswith("BM-4.1")


NO_MOVES: tuple[Any, ...] = ({}, {"type": "fly"}, {"type": 7}, [], "play", None, 7)
NO_MOVE_OF = {  # a move that is none, and what is said of it
    "big-manitou": ({"type": "play_card", "card": "chief-1", "ground": 7}, "`ground` is one of 1, 2, 3"),
    "manitou": ({"type": "play_card", "card": "chief-1", "ground": "1"}, "`ground` is one of 1, 2, 3"),
    "tomahawk": (
        {"type": "play_cards", "cards": [{"pile": 9, "card": "shaman"}]},
        "`cards[0].pile` is one of 1, 2, 3, 4",
    ),
    "plenty-coups": ({"type": "choose_tribe", "tribe": "pink"}, "`tribe` is one of"),
}


@pytest.mark.parametrize("game", list(GAMES))
def test_what_is_no_move_at_all_is_invalid_and_told_what_there_is(world: World, game: str) -> None:
    """4.1a of every game: the rule is named, and so are the types, the fields and the values that it may have."""
    table = Playing(world, game)
    rule, types = f"{GAMES[game].prefix}-4.1a", [str(kind.__struct_config__.tag) for kind in GAMES[game].moves]
    for move in NO_MOVES:
        problem = refused(table.ann.post(table.path, {"game": game, "seat": 1, "move": move}), 422, "invalid")
        assert problem["rule"] == rule
        assert problem["detail"].endswith(f"one of {', '.join(types)}")
    move, said = NO_MOVE_OF[game]
    problem = refused(table.ann.post(table.path, {"game": game, "seat": 1, "move": move}), 422, "invalid")
    assert problem["rule"] == rule
    assert said in problem["detail"]
    more = {"game": game, "seat": 1, "move": {"type": types[0], "why": "tired"}}
    problem = refused(table.ann.post(table.path, more), 422, "invalid")
    assert f"{types[0]} has exactly the fields type" in problem["detail"]


@pytest.mark.parametrize("game", list(GAMES))
def test_what_is_wrong_besides_the_rules_of_a_game_has_codes_of_its_own(world: World, game: str) -> None:
    """4.1b and 4.1c of every game: a seat that there is not, and a game that is over."""
    table = Playing(world, game)
    prefix = GAMES[game].prefix
    seat, move = world.move(table.table, random.Random(1)) or (0, {})
    body = {"game": game, "seat": 99, "move": move}
    assert refused(table.ann.post(table.path, body), 404, "no_such_seat")["rule"] == f"{prefix}-4.1b"
    world.finish(table.table)
    body = {"game": game, "seat": seat, "move": move}
    who = (table.ann, table.bob)[seat - 1]
    assert refused(who.post(table.path, body), 409, "table_finished")["rule"] == f"{prefix}-4.1c"


def test_a_move_of_another_game_is_refused_before_it_is_read(playing: Playing) -> None:
    """The table's game tells its form: a move by the name of another would be read as what it is not."""
    for path in (playing.path, f"{playing.path}/check"):
        problem = refused(playing.ann.post(path, {"game": "manitou", "seat": 1, "move": {}}), 422, "contradictory")
        assert problem["detail"] == "the table plays big-manitou, not manitou"


def test_the_seats_of_others_are_theirs(playing: Playing) -> None:
    for who in (playing.ann, playing.world.somebody()):
        refused(
            who.post(playing.path, {"game": "big-manitou", "seat": 2, "move": playing.legal(2)}), 403, "not_your_seat"
        )


def test_game_and_seat_may_be_left_out(playing: Playing) -> None:
    """The table decides the game, the token the seat; the answer is the one to the whole body."""
    body = {"move": playing.legal(2)}
    assert accepted(playing.bob.post(f"{playing.path}/check", body))["legal"]
    first = playing.bob.post(playing.path, body, Idempotency_Key="short")
    played = accepted(first)
    assert played["receipt"]["version"] == played["version"] == playing.version()
    same_bytes(first, playing.bob.post(playing.path, body, Idempotency_Key="short"))
    for path in (playing.path, f"{playing.path}/check"):
        refused(playing.world.somebody().post(path, body), 403, "not_your_seat")
    problem = refused(playing.ann.post(playing.path, {"move": {"type": "fly"}}), 422, "invalid")
    assert problem["rule"] == "BM-4.1a"
    decision = accepted(playing.ann.get(playing.path))["decisions"][0]["id"]
    accepted(playing.ann.post(playing.path, {"move": playing.legal(1), "decision": decision}))


def test_a_move_before_the_game_begins_is_too_early(world: World) -> None:
    ann = world.somebody()
    opened = accepted(ann.post("/v1/tables", {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "open"}]}), 201)
    body = {"game": "manitou", "seat": 1, "move": {"type": "pass_turn"}}
    for path in ("moves", "moves/check"):
        refused(ann.post(f"/v1/tables/{opened['id']}/{path}", body), 409, "table_not_started")
    assert accepted(ann.get(f"/v1/tables/{opened['id']}/moves"))["decisions"] == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"seat": 1},
        {"game": None, "move": {}},
        {"seat": None, "move": {}},
        {"game": "big-manitou", "seat": "1", "move": {}},
        {"game": "big-manitou", "seat": 1.0, "move": {}},
        {"game": "big-manitou", "seat": True, "move": {}},
        [],
    ],
)
def test_a_body_of_another_form_is_refused(playing: Playing, body: Any) -> None:
    refused(playing.ann.post(playing.path, body), 422, "invalid")


def test_a_decision_that_was_answered_is_closed(playing: Playing) -> None:
    """The refusal names the decision that is open instead."""
    decision = accepted(playing.ann.get(playing.path))["decisions"][0]["id"]
    body = {"game": "big-manitou", "seat": 1, "decision": decision, "move": playing.legal(1)}
    accepted(playing.ann.post(playing.path, body))
    problem = refused(playing.ann.post(playing.path, body), 409, "decision_closed")
    assert (problem["decision"], problem["version"]) == (None, playing.version())
    accepted(playing.bob.post(playing.path, {"game": "big-manitou", "seat": 2, "move": playing.legal(2)}))
    problem = refused(playing.ann.post(playing.path, body), 409, "decision_closed")
    following = accepted(playing.ann.get(playing.path))["decisions"]
    assert problem["decision"] == (following[0]["id"] if following else None)


def test_if_match_makes_a_move_for_one_version_only(playing: Playing) -> None:
    tag = playing.ann.get(f"/v1/tables/{playing.table}").headers["ETag"]
    accepted(playing.bob.post(playing.path, {"game": "big-manitou", "seat": 2, "move": playing.legal(2)}))
    body = {"game": "big-manitou", "seat": 1, "move": playing.legal(1)}
    problem = refused(playing.ann.post(playing.path, body, If_Match=tag), 412, "version_mismatch")
    assert problem["version"] == playing.version()
    refused(playing.ann.post(playing.path, body, If_Match='"nonsense"'), 412, "version_mismatch")
    tag = playing.ann.get(f"/v1/tables/{playing.table}").headers["ETag"]
    accepted(playing.ann.post(playing.path, body, If_Match=tag))


def test_a_decision_names_a_history_and_not_a_number_alone(own: World) -> None:
    """After the store went back, others' events may have opened a decision of the seat at the same version."""
    ann, bob = own.somebody("Ann"), own.somebody("Bob")
    seats = [{"kind": "me"}, {"kind": "open"}]
    table = accepted(ann.post("/v1/tables", {"game": "manitou", "seats": seats}), 201)["id"]
    path, store = f"/v1/tables/{table}", connect(own.url)
    copy = damage.copy_of(store)
    accepted(bob.post(f"{path}/seats/2", {}))
    seen = accepted(ann.get(f"{path}/moves"))["decisions"][0]

    damage.put_back(store, copy)
    refused(ann.get(path), 500, "log_damaged")
    accepted(bob.post(f"{path}/seats/2", {}))
    now = accepted(ann.get(f"{path}/moves"))["decisions"][0]
    seat, move = own.move(table, random.Random(1)) or (0, {})
    body = {"game": "manitou", "seat": seat, "move": move}

    assert seen["id"].rpartition("-")[0] == now["id"].rpartition("-")[0]
    problem = refused(ann.post(f"{path}/moves", body | {"decision": seen["id"]}), 409, "decision_closed")
    assert problem["decision"] == now["id"]
    accepted(ann.post(f"{path}/moves", body | {"decision": now["id"]}))


def same_bytes(first: Any, again: Any) -> None:
    assert (again.status_code, again.data) == (first.status_code, first.data)
    assert again.headers["ETag"] == first.headers["ETag"]


def test_a_repeated_move_gets_its_first_answer(playing: Playing) -> None:
    """The same bytes, whatever has happened since; with another body it is another request."""
    body = {"game": "big-manitou", "seat": 1, "move": playing.legal(1)}
    first = playing.ann.post(playing.path, body, Idempotency_Key="m1")
    accepted(first)
    accepted(playing.bob.post(playing.path, {"game": "big-manitou", "seat": 2, "move": playing.legal(2)}))
    playing.world.play(playing.table, playing.ann, playing.bob, moves=6)
    again = playing.ann.post(playing.path, body, Idempotency_Key="m1")
    same_bytes(first, again)
    assert [answer.headers.get("Idempotent-Replayed") for answer in (first, again)] == [None, "true"]
    other = {"game": "big-manitou", "seat": 1, "move": {"type": "pass_turn"}}
    refused(playing.ann.post(playing.path, other, Idempotency_Key="m1"), 422, "request_reused")


def test_a_repeated_move_gets_its_first_answer_when_the_game_is_over(world: World) -> None:
    """Then nothing is secret any more, yet the answer is the one of that moment."""
    playing = Playing(world, "tomahawk")
    body = {"game": "tomahawk", "seat": 1, "move": playing.legal(1)}
    first = playing.ann.post(playing.path, body, Idempotency_Key="m1")
    accepted(first)
    world.play(playing.table, playing.ann, playing.bob, moves=1000)
    assert accepted(playing.ann.get(f"/v1/tables/{playing.table}"))["status"] == "finished"
    again = playing.ann.post(playing.path, body, Idempotency_Key="m1")
    same_bytes(first, again)
    assert [answer.headers.get("Idempotent-Replayed") for answer in (first, again)] == [None, "true"]


def test_a_refused_request_is_decided_again(playing: Playing) -> None:
    """A key is used up by what was accepted only."""
    body = {"game": "big-manitou", "seat": 1, "move": {"type": "choose_party", "cards": []}}
    refused(playing.ann.post(playing.path, body, Idempotency_Key="r1"), 422, "move_refused")
    body = {"game": "big-manitou", "seat": 1, "move": playing.legal(1)}
    accepted(playing.ann.post(playing.path, body, Idempotency_Key="r1"))


@pytest.mark.parametrize("key", ["", "a b", "x" * 256, "é", "\t"])
def test_a_key_is_visible_ascii(playing: Playing, key: str) -> None:
    body = {"game": "big-manitou", "seat": 1, "move": playing.legal(1)}
    refused(playing.ann.post(playing.path, body, Idempotency_Key=key), 400, "malformed")


def test_checking_a_move_says_why_not_and_changes_nothing(playing: Playing) -> None:
    before, path = playing.version(), f"{playing.path}/check"
    yes = accepted(playing.ann.post(path, {"game": "big-manitou", "seat": 1, "move": playing.legal(1)}))
    assert yes == {"legal": True, "version": before, "rule": None, "detail": None, "text": None}
    short = {"type": "choose_party", "cards": ["chief-1"]}
    no = accepted(playing.ann.post(path, {"game": "big-manitou", "seat": 1, "move": short}))
    assert (no["legal"], no["rule"], playing.version()) == (False, "BM-4.2a", before)
    assert no["text"]
    assert no["detail"]
    for who, seat in ((playing.ann, 2), (playing.world.somebody(), 1), (playing.world.somebody(), 9)):
        refused(who.post(path, {"game": "big-manitou", "seat": seat, "move": playing.legal(1)}), 403, "not_your_seat")


def test_a_move_is_checked_at_a_past_version(world: World) -> None:
    """Given a game under way, then each move made is legal where it was made, and not where it was another's turn.

    Of one's own seat while the game runs, of any when it is over.
    """
    ann, bob = world.somebody(), world.somebody()
    table = world.open(ann, bob, game="tomahawk")
    path = f"/v1/tables/{table}/moves/check"
    world.play(table, ann, bob, moves=6)
    made = [event for event in world.services.handler.history(table).events if "move" in event.sealed]
    for event in made:
        seat = event.envelope.by["seat"]
        body = {"game": "tomahawk", "seat": seat, "move": event.sealed["move"].value, "at": event.version}
        before = event.version - 1 if event.envelope.batch[1] > event.version else event.version
        if before == event.version:
            body["at"] = before = event.version - 1
        found = accepted((ann, bob)[seat - 1].post(path, body))
        assert (found["legal"], found["version"]) == (True, before)
        refused((ann, bob)[2 - seat].post(path, body), 403, "not_your_seat")
    late = accepted(ann.post(path, {"game": "tomahawk", "seat": 1, "move": made[0].sealed["move"].value}))
    assert (late["legal"], late["version"]) == (False, world.services.handler.history(table).table.version)
    for at, code in ((0, "no_such_version"), (10_000, "no_such_version")):
        refused(ann.post(path, {"game": "tomahawk", "seat": 1, "move": {}, "at": at}), 404, code)
    refused(ann.post(path, {"game": "tomahawk", "seat": 1, "move": {}, "at": 1}), 409, "table_not_started")
    refused(ann.post(path, {"game": "tomahawk", "seat": 1, "move": {}, "at": "1"}), 422, "invalid")
    world.play(table, ann, bob, moves=1000)
    first = made[0]
    body = {
        "game": "tomahawk",
        "seat": first.envelope.by["seat"],
        "move": first.sealed["move"].value,
        "at": first.version - 1,
    }
    assert accepted(world.somebody().post(path, body))["legal"]
