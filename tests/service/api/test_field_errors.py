"""What does not fit in a request: where, a code, and a sentence."""

from typing import Any

import pytest

from games import GAMES
from games.kernel import MoveRefused
from service.errors import code_of
from tests.service.api.test_moves import Playing
from tests.service.api.world import World, refused

SEATS = [{"kind": "me"}, {"kind": "ai", "level": "greedy"}]
OPEN = {"game": "manitou", "seats": SEATS}
BODIES: list[tuple[dict[str, Any], str, str]] = [
    ({"seats": SEATS}, "/game", "required"),
    (OPEN | {"game": None}, "/game", "null"),
    (OPEN | {"game": 7}, "/game", "type"),
    (OPEN | {"a/b~c": 1}, "/a~1b~0c", "unknown"),
    (OPEN | {"seats": [{"kind": "me"}, 7]}, "/seats/1", "type"),
    (OPEN | {"seats": [{"kind": "me"}, {"kind": "ai"}]}, "/seats/1/level", "required"),
    (OPEN | {"clock": {"kind": "days", "days": 31}}, "/clock/days", "range"),
    (OPEN | {"options": {"tile_bonus": {}}}, "/options/tile_bonus", "type"),
]


@pytest.mark.parametrize(("body", "pointer", "code"), BODIES)
def test_a_field_that_does_not_fit_is_named(world: World, body: dict[str, Any], pointer: str, code: str) -> None:
    """By a JSON Pointer into the body (RFC 6901)."""
    (error,) = refused(world.somebody().post("/v1/tables", body), 422, "invalid")["errors"]
    assert (error["in"], error["pointer"], error["code"]) == ("body", pointer, code)


MOVES: list[tuple[str, Any, str, str]] = [
    ("big-manitou", "play", "/move", "type"),
    ("big-manitou", {"type": "fly"}, "/move/type", "choice"),
    ("big-manitou", {"type": "play_card", "card": "chief-1"}, "/move/ground", "required"),
    ("big-manitou", {"type": "pass_turn", "why": 1}, "/move/why", "unknown"),
    ("manitou", {"type": "play_card", "card": 7, "ground": 1}, "/move/card", "type"),
    ("tomahawk", {"type": "play_cards", "cards": [{"pile": 9, "card": "shaman"}]}, "/move/cards/0/pile", "choice"),
]


@pytest.mark.parametrize(("game", "move", "pointer", "code"), MOVES)
def test_a_field_of_a_move_that_does_not_fit_is_named(
    world: World, game: str, move: Any, pointer: str, code: str
) -> None:
    playing = Playing(world, game)
    (error,) = refused(playing.ann.post(playing.path, {"move": move}), 422, "invalid")["errors"]
    assert (error["in"], error["pointer"], error["code"]) == ("body", pointer, code)


def test_a_misspelt_query_is_named(world: World) -> None:
    (error,) = refused(world.nobody.get("/v1/games?limt=1"), 422, "invalid")["errors"]
    assert error == {"in": "query", "pointer": "/limt", "code": "unknown", "detail": "Unknown field."}


@pytest.mark.parametrize("game", list(GAMES))
def test_every_fault_of_a_move_has_a_code(game: str) -> None:
    """Given each type of move with a field too many, and with fields of a wrong type."""
    for kind in GAMES[game].moves:
        type_, names = str(kind.__struct_config__.tag), kind.__struct_encode_fields__
        for faulty in [{"more": 1}] + [dict.fromkeys(names, 1.5)] * bool(names):
            with pytest.raises(MoveRefused) as refused_move:
                GAMES[game].read_move({"type": type_} | faulty)
            assert refused_move.value.fault
            assert code_of(refused_move.value.fault[1]) != "invalid", refused_move.value.fault
