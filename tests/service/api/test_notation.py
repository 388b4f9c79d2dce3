"""A table in notation over the API: before the game is over, as its reader sees it; whole ones: test_transcripts."""

import pytest

from games import GAMES
from rulings.notation import parse, replay, write
from rulings.notation.document import Played
from tests.service.api.world import Somebody, World, accepted


def text_of(somebody: Somebody, table: str) -> str:
    answer = somebody.get(f"/v1/tables/{table}/notation")
    assert (answer.status_code, answer.content_type) == (200, "text/plain; charset=utf-8"), answer.text
    return answer.text


@pytest.mark.parametrize("game", list(GAMES))
def test_a_running_table_tells_its_reader_his_own_moves(world: World, game: str) -> None:
    """And no other, but in comments; a spectator none at all."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game=game)
    world.play(table, ann, bob, moves=8)
    for somebody, seats in ((ann, {1}), (bob, {2}), (world.nobody, set())):
        document = parse(text_of(somebody, table))
        moves = [item for item in document.items if isinstance(item, Played)]
        assert len(moves) == 8
        assert {move.seat for move in moves if move.move} == seats


def test_a_branch_replays_from_its_state(world: World) -> None:
    """Its text begins with the state that it goes on from, once it is over."""
    ann, bob = world.somebody("Ann"), world.somebody("Bob")
    table = world.open(ann, bob, game="tomahawk")
    world.play(table, ann, bob, moves=1000)
    version = accepted(ann.get(f"/v1/tables/{table}"))["version"] // 2
    branch = accepted(ann.post(f"/v1/tables/{table}/forks", {"version": version}), 201)["id"]
    assert "[State" not in text_of(ann, branch)
    world.finish(branch)
    text = text_of(ann, branch)
    assert f"[Branch {table} version=" in text
    assert replay(parse(text)).state == world.services.handler.history(branch).table.state
    assert write(parse(text)) == text


def test_before_the_game_begins_there_is_a_header(world: World) -> None:
    """With who sits there."""
    ann = world.somebody("Ann")
    seats = [{"kind": "me"}, {"kind": "open"}]
    table = accepted(ann.post("/v1/tables", {"game": "manitou", "seats": seats}), 201)["id"]
    document = parse(text_of(ann, table))
    assert (document.setup, document.items) == ((), ())
    assert [tag.values for tag in document.tags if tag.name == "Seat"] == [(1,)]
