"""The words of a text: tokens, values, and moves in a short form that follows from their structs."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from games.kernel import AnyGame, Move, MoveRefused
from rulings.notation.document import TextPosition

WORD = r"[A-Za-z_][A-Za-z0-9_.-]*"
STRING = r'"(?:[^"\\\n]|\\.)*"'
CONSTANTS = {"true": True, "false": False, "null": None}
TOKEN = re.compile(
    rf"""(?P<space>\s+)
    | (?P<comment>\{{[^}}]*\}})
    | (?P<name>(?:{WORD}|{STRING})=(?=[^\s=]))
    | (?P<string>{STRING})
    | (?P<word>{WORD})
    | (?P<ply>[0-9]{{1,6}}\.(?!\S))
    | (?P<number>-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![A-Za-z0-9_.-]))
    | (?P<sign>[][<>()=:!?])""",
    re.VERBOSE,
)
MOST_DIGITS = 300  # of a number: more than any has


class NotationError(ValueError):
    """What is wrong with a text, where, and the rule that forbids it if one does."""

    def __init__(self, place: TextPosition, detail: str, rule: str | None = None) -> None:
        super().__init__(f"line {place.line}, column {place.column}: {detail}")
        self.place, self.detail, self.rule = place, detail, rule


class Token(NamedTuple):
    """A word, number, string, name, comment, move number or sign; the last one of a text is an `end`."""

    kind: str
    text: str
    place: TextPosition

    def __str__(self) -> str:
        return "the end of the text" if self.kind == "end" else repr(self.text[:40])


def tokens_of(text: str) -> Iterator[Token]:
    """The tokens of a text, without white space; raises `NotationError`."""
    position, line, line_start = 0, 1, 0
    while position < len(text):
        place = TextPosition(line, position - line_start + 1)
        found = TOKEN.match(text, position)
        if found is None:
            raise NotationError(place, f"{text[position]!r} begins nothing that is known here")
        if found.lastgroup != "space":
            yield Token(str(found.lastgroup), found.group(), place)
        line += found.group().count("\n")
        line_start = found.start() + found.group().rfind("\n") + 1 if "\n" in found.group() else line_start
        position = found.end()
    yield Token("end", "", TextPosition(line, position - line_start + 1))


def words_of(value: Any) -> list[str]:
    """A value (of JSON) as pieces that may stand on different lines."""
    if isinstance(value, Mapping):
        return _between("<", pairs_of(value), ">")
    if isinstance(value, list | tuple):
        return _between("[", [piece for item in value for piece in words_of(item)], "]")
    return [_scalar(value)]


def pairs_of(named: Mapping[str, Any]) -> list[str]:
    """Values that have names, as pieces."""
    pieces = []
    for name, value in named.items():
        first, *rest = words_of(value)
        pieces += [f"{_scalar(name)}={first}", *rest]
    return pieces


def _between(opening: str, pieces: list[str], closing: str) -> list[str]:
    if not pieces:
        return [opening + closing]
    joined = [opening + pieces[0], *pieces[1:]]
    return [*joined[:-1], joined[-1] + closing]


def _scalar(value: Any) -> str:
    if isinstance(value, str) and value not in CONSTANTS and re.fullmatch(WORD, value):
        return value
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def string_of(token: Token) -> str:
    """What a string, or the string before `=`, says; raises `NotationError`."""
    try:
        said = str(json.loads(token.text.removesuffix("=")))
        said.encode()  # half of a surrogate pair can be written in JSON, but is no character
    except ValueError as error:
        raise NotationError(token.place, f"the string is not one of JSON: {error}") from None
    return said


def number_of(token: Token) -> Any:
    """The number; raises `NotationError` for one that JSON does not have."""
    try:
        if len(token.text) > MOST_DIGITS:
            raise ValueError("too long")
        found = json.loads(token.text)
        if math.isinf(found):
            raise ValueError("too large")
    except ValueError as error:
        raise NotationError(token.place, f"the number is not one of JSON: {error}") from None
    return found


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
