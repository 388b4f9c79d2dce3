"""Moves in a short form that follows from their structs: the name, then the fields in order."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from games.kernel import AnyGame, Move, MoveRefused
from rulings.notation.document import TextPosition
from rulings.notation.text import NotationError, pairs_of, words_of


def move_words(move: Move) -> list[str]:
    """The move as pieces: a field that has a default is written by its name, and only if it has another value."""
    raw = msgspec.to_builtins(move)
    fields = msgspec.structs.fields(move)
    pieces = [piece for field in fields if field.required for piece in words_of(raw[field.encode_name])]
    named = {
        field.encode_name: raw[field.encode_name]
        for field in fields
        if not field.required and field.encode_name in raw and getattr(move, field.name) != field.default
    }
    return [str(move.__struct_config__.tag), *pieces, *pairs_of(named)]


def move_of(game: AnyGame, name: str, values: Sequence[Any], named: Mapping[str, Any], place: TextPosition) -> Move:
    """The move that these words say; raises `NotationError`."""
    kind = next((kind for kind in game.moves if kind.__struct_config__.tag == name), None)
    if kind is None:
        known = ", ".join(str(kind.__struct_config__.tag) for kind in game.moves)
        raise NotationError(place, f"{game.title} has no move {name!r}, but {known}")
    required = [field.encode_name for field in msgspec.structs.fields(kind) if field.required]
    if len(values) != len(required):
        takes = f"{name} takes {len(required)} values ({', '.join(required)})" if required else f"{name} takes no value"
        raise NotationError(place, f"{takes}, not {len(values)}")
    try:
        move: Move = game.read_move({"type": name, **dict(zip(required, values, strict=True)), **named})
    except MoveRefused as refusal:
        raise NotationError(place, f"{name}: {refusal.detail}") from None
    return move
