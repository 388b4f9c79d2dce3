"""What both lanes share: requests are read as their schemas say, however they are read."""

from typing import Any

import msgspec
import pytest

from service.accounts.callers import NOBODY
from service.api.requests import Asked, Move, move_of
from service.api.schemas.moves import MoveRequest
from service.api.strict import body_of, load
from service.errors import Refused
from service.tables.playing import OWN_SEAT, Play

BODIES = (
    b'{"game":"manitou","seat":1,"move":{"type":"choose_party","cards":["hunter-1","scout-1"]}}',
    b'{"game": "manitou", "seat": 1,\n "move": null, "decision": "57-2-1a2b3c4d"}',
    '{"game":"manitou","seat":1,"move":{"type":"é"}}'.encode(),
    b'{"game":"manitou","seat":1,"move":"\\u00e9"}',
    b'{"game":"manitou","seat":1,"move":1e3}',
    b'{"game":"manitou","seat":1,"move":' + b"[" * 20 + b"]" * 20 + b"}",
    b'{"game":"manitou","seat":1,"move":"' + b"x" * 2000 + b'"}',
    b'{"game":"manitou","seat":1}',
    b'{"move":1}',
    b'{"seat":0,"move":1}',
    b'{"seat":null,"move":1}',
    b'{"game":null,"move":1}',
    b'{"game":"manitou","move":{"type":"pass_turn"}}',
    b'{"game":"manitou","seat":1,"move":1,"more":1}',
    b'{"game":"manitou","game":"tomahawk","seat":1,"move":1}',
    b'{"game":"manitou","seat":1,"move":{"card":"a","card":"b"}}',
    b'{"game":"manitou","seat":1.0,"move":1}',
    b'{"game":"manitou","seat":"1","move":1}',
    b'{"game":"manitou","seat":true,"move":1}',
    b'{"game":"manitou","seat":9007199254740992,"move":1}',
    b'{"game":"manitou","seat":1,"move":12345678901234567890}',
    b'{"game":"","seat":1,"move":1}',
    b'{"game":"' + b"g" * 41 + b'","seat":1,"move":1}',
    b'{"game":1,"seat":1,"move":1}',
    b'{"game":"manitou","seat":1,"move":1,"decision":null}',
    b'{"game":"manitou","seat":1,"move":1,"decision":""}',
    b'{"game":"manitou","seat":1,"move":NaN}',
    b'{"game":"manitou","seat":1,"move":1e999}',
    b'{"game":"manitou","seat":1,"move":"\x00"}',
    b'{"game":"manitou","seat":1,"move":"\\u0000"}',
    b'{"game":"manitou","seat":1,"move":"\\ud800"}',
    b'{"game":"manitou","seat":1,"move":"\xff"}',
    b'{"game":"manitou","seat":1,"move":' + b"[" * 40 + b"]" * 40 + b"}",
    b'{"game":"manitou","seat":1,"move":[' + b"1," * 1200 + b"1]}",
    b"[1]",
    b"null",
    b"{",
    b"",
)


def answer(read: Any) -> Any:
    """What reading gives, or how it is refused."""
    try:
        return read()
    except Refused as refusal:
        return refusal.code, refusal.detail, refusal.members


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
@pytest.mark.parametrize("media_type", ["application/json", "text/plain"])
def test_a_move_is_read_and_refused_as_its_schema_says(body: bytes, media_type: str) -> None:
    asked = Asked("t_1", NOBODY, "en", {}, body, media_type, None, None, None)

    def described() -> Play:
        read = load(MoveRequest(), "json", body_of(body, media_type))
        return Play(read.get("seat", OWN_SEAT), read["move"], read.get("decision"), game=read.get("game"))

    assert answer(lambda: move_of(asked)) == answer(described)


def test_the_struct_of_a_move_has_the_fields_of_its_schema() -> None:
    described = {name: field.required for name, field in MoveRequest().fields.items()}
    assert {field.name: field.required for field in msgspec.structs.fields(Move)} == described
