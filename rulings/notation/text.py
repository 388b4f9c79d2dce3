"""Tokens, values and moves of a text, and the writing of a whole document.

The short form of a move follows from its struct.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from games.kernel import AnyGame, Move, MoveRefused
from rulings.notation.document import Amended, Comment, Document, Drawn, Item, Played, Tag, TextPosition

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
    | (?P<sign>[][<>()=:!?~])""",
    re.VERBOSE,
)
MOST_DIGITS = 300  # of a number


class NotationError(ValueError):
    """A fault of a text, its position, and the rule that refuses a move, if one does."""

    def __init__(self, place: TextPosition, detail: str, rule: str | None = None) -> None:
        super().__init__(f"line {place.line}, column {place.column}: {detail}")
        self.place, self.detail, self.rule = place, detail, rule


class Token(NamedTuple):
    """A word, number, string, name, comment, move number or sign; the last token is an `end`."""

    kind: str
    text: str
    place: TextPosition

    def __str__(self) -> str:
        return "the end of the text" if self.kind == "end" else repr(self.text[:40])


def tokens_of(text: str) -> Iterator[Token]:
    """Yields the tokens of a text, without white space; raises `NotationError`."""
    position, line, line_start = 0, 1, 0
    while position < len(text):
        place = TextPosition(line, position - line_start + 1)
        found = TOKEN.match(text, position)
        if found is None:
            raise NotationError(place, f"unexpected character {text[position]!r}")
        if found.lastgroup != "space":
            yield Token(str(found.lastgroup), found.group(), place)
        line += found.group().count("\n")
        line_start = found.start() + found.group().rfind("\n") + 1 if "\n" in found.group() else line_start
        position = found.end()
    yield Token("end", "", TextPosition(line, position - line_start + 1))


def words_of(value: Any) -> list[str]:
    """Returns a JSON value as pieces between which a line may break."""
    if isinstance(value, Mapping):
        return _between("<", pairs_of(value), ">")
    if isinstance(value, list | tuple):
        return _between("[", [piece for item in value for piece in words_of(item)], "]")
    return [_scalar(value)]


def pairs_of(named: Mapping[str, Any]) -> list[str]:
    """Returns named values as pieces."""
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
    """Returns the value of a string, which may end with `=`; raises `NotationError`."""
    try:
        value = str(json.loads(token.text.removesuffix("=")))
        value.encode()  # JSON can contain half a surrogate pair, which is not a character
    except ValueError as error:
        raise NotationError(token.place, f"the string is not valid JSON: {error}") from None
    return value


def number_of(token: Token) -> Any:
    """Returns the value of a number; raises `NotationError`."""
    try:
        if len(token.text) > MOST_DIGITS:
            raise ValueError("too long")
        found = json.loads(token.text)
        if math.isinf(found):
            raise ValueError("too large")
    except ValueError as error:
        raise NotationError(token.place, f"the number is not valid JSON: {error}") from None
    return found


def move_words(move: Move) -> list[str]:
    """Returns a move as pieces; fields with a default are written by name, and only if they differ from it."""
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
    """Returns the move with this name and these fields; raises `NotationError`."""
    kind = next((kind for kind in game.moves if kind.__struct_config__.tag == name), None)
    if kind is None:
        known = ", ".join(str(kind.__struct_config__.tag) for kind in game.moves)
        raise NotationError(place, f"{game.title} has no move {name!r}; its moves are {known}")
    required = [field.encode_name for field in msgspec.structs.fields(kind) if field.required]
    if len(values) != len(required):
        takes = f"{name} takes {len(required)} values ({', '.join(required)})" if required else f"{name} takes no value"
        raise NotationError(place, f"{takes}, not {len(values)}")
    try:
        move: Move = game.read_move({"type": name, **dict(zip(required, values, strict=True)), **named})
    except MoveRefused as refusal:
        raise NotationError(place, f"{name}: {refusal.detail}") from None
    return move


# Writing

WIDTH = 100
INDENT = "  "


def write(document: Document) -> str:
    """Returns the text of a document, with long lines wrapped; `parse` reads it back."""
    header = [line for tag in document.tags for line in _wrapped("", _tag(tag))]
    play = [line for draw in document.setup for line in _draw("", draw)] + list(_lines("", document.items))
    return "\n".join([*header, "", *play, ""])


def _tag(tag: Tag) -> list[str]:
    pieces = [tag.name, *(piece for value in tag.values for piece in words_of(value)), *pairs_of(tag.named)]
    return _between("[", pieces, "]")


def _lines(indent: str, items: Iterable[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Comment):
            yield from _wrapped(indent, ("{" + item.text + "}").split(" "))
        elif isinstance(item, Played):
            yield from _played(indent, item)
        elif isinstance(item, Amended):
            yield from _wrapped(indent, ["!", *pairs_of(item.options)])
        else:
            yield f"{indent}("
            yield from _lines(indent + INDENT, item.items)
            yield f"{indent})"


def _played(indent: str, item: Played) -> Iterator[str]:
    words = move_words(item.move) if item.move else ["?"]
    yield from _wrapped(indent, [f"{item.number}.", f"{item.seat}:", *words])
    for draw in item.draws:
        yield from _draw(indent, draw)
    for one in item.corrected:
        yield from _wrapped(indent + INDENT, ["~", str(one.event), one.kind, *pairs_of(one.payload)])


def _draw(indent: str, draw: Drawn) -> Iterator[str]:
    items = ["?"] if draw.items is None else [piece for item in draw.items for piece in words_of(item)]
    yield from _wrapped(indent + INDENT, ["=", draw.kind, *items])


def _wrapped(indent: str, pieces: list[str]) -> Iterator[str]:
    """Yields the pieces on lines of at most `WIDTH`; all lines but the first are indented further."""
    line = indent + pieces[0]
    for piece in pieces[1:]:
        if len(line) + 1 + len(piece) > WIDTH:
            yield line
            line = indent + INDENT * 2 + piece
        else:
            line += " " + piece
    yield line
