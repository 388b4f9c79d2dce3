"""Parses a text into a document."""

from collections.abc import Iterator
from typing import Any

from games import GAMES
from games.kernel import AnyGame
from rulings.notation.document import (
    FORMAT,
    Amended,
    Comment,
    Corrected,
    Document,
    Drawn,
    Item,
    Played,
    Tag,
    TextPosition,
    Variation,
)
from rulings.notation.text import CONSTANTS, NotationError, Token, move_of, number_of, string_of, tokens_of

DEEPEST = 50  # nesting of variations and values


def parse(text: str) -> Document:
    """Parses a text, which may begin with a byte order mark; raises `NotationError`, which names line and column."""
    return _Parser(text.removeprefix("\ufeff")).document()


class _Parser:
    """Parses from left to right with one token of look-ahead."""

    def __init__(self, text: str) -> None:
        self._tokens = list(tokens_of(text))
        self._next = 0
        self._game: AnyGame | None = None
        self._depth = 0

    def document(self) -> Document:
        """Parses the whole text."""
        tags = self._tags()
        self._game = _checked(tags)
        setup = self._draws()
        items = self._items(1)
        if self._token.kind != "end":
            raise self._unexpected("a move number such as `1.`, `!`, `(` or a comment")
        return Document(tags, setup, items)

    @property
    def _token(self) -> Token:
        return self._tokens[self._next]

    def _take(self) -> Token:
        token = self._token
        self._next += 1
        return token

    def _is(self, sign: str) -> bool:
        return self._token.kind == "sign" and self._token.text == sign

    def _each(self, sign: str) -> Iterator[TextPosition]:
        """Takes this sign as long as it comes next, yielding its places."""
        while self._is(sign):
            yield self._take().place

    def _expect(self, kind: str, what: str) -> Token:
        if self._token.kind != kind and not (self._token.kind == "sign" and self._token.text == kind):
            raise self._unexpected(what)
        return self._take()

    def _unexpected(self, wanted: str) -> NotationError:
        return NotationError(self._token.place, f"expected {wanted}, not {self._token}")

    def _tags(self) -> tuple[Tag, ...]:
        tags = []
        for place in self._each("["):
            name = self._expect("word", "the name of a tag").text
            values, named = self._values(), self._pairs()
            self._expect("]", "`]` at the end of the tag")
            tags.append(Tag(name, values, named, place))
        return tuple(tags)

    def _draws(self) -> tuple[Drawn, ...]:
        draws = []
        for place in self._each("="):
            kind = self._expect("word", "what is drawn").text
            draws.append(Drawn(kind, None if self._take_question_mark() else self._values(), place))
        return tuple(draws)

    def _corrected(self) -> tuple[Corrected, ...]:
        found = []
        for place in self._each("~"):
            number = number_of(self._expect("number", "the number of the ruling's event"))
            kind = self._expect("word", "the type of the ruling's event").text
            found.append(Corrected(number, kind, self._pairs(), place))
        return tuple(found)

    def _take_question_mark(self) -> bool:
        return self._is("?") and bool(self._take())

    def _items(self, number: int) -> tuple[Item, ...]:
        items: list[Item] = []
        while self._token.kind in ("ply", "comment") or self._is("!") or self._is("("):
            items.append(self._item(number))
            number += isinstance(items[-1], Played)
        return tuple(items)

    def _item(self, number: int) -> Item:
        if self._token.kind == "comment":
            return Comment(" ".join(self._take().text[1:-1].split()))
        if self._token.kind == "ply":
            return self._played(number)
        if self._is("!"):
            return Amended(place=self._take().place, options=self._pairs())
        return self._variation(number)

    def _variation(self, number: int) -> Variation:
        self._deeper(self._take().place)
        items = self._items(number)
        self._expect(")", "`)` at the end of the variation")
        self._depth -= 1
        return Variation(items)

    def _played(self, number: int) -> Played:
        ply = self._take()
        if ply.text != f"{number}.":
            raise NotationError(ply.place, f"the number of this move should be {number}, not {ply.text[:-1]}")
        seat = number_of(self._expect("number", "the seat that moves"))
        self._expect(":", "`:` after the seat")
        if self._take_question_mark():
            return Played(number, seat, None, self._draws(), self._corrected(), ply.place)
        name = self._expect("word", "the name of a move, or `?`")
        move = move_of(self._rules, name.text, self._values(), self._pairs(), name.place)
        return Played(number, seat, move, self._draws(), self._corrected(), ply.place)

    @property
    def _rules(self) -> AnyGame:
        if self._game is None:
            raise LookupError("the header comes first")
        return self._game

    def _values(self) -> tuple[Any, ...]:
        values = []
        while self._token.kind in ("word", "number", "string") or self._is("[") or self._is("<"):
            values.append(self._value())
        return tuple(values)

    def _pairs(self) -> dict[str, Any]:
        named: dict[str, Any] = {}
        while self._token.kind == "name":
            token = self._take()
            name = string_of(token) if token.text.startswith('"') else token.text[:-1]
            if name in named:
                raise NotationError(token.place, f"{name} occurs twice")
            named[name] = self._value()
        return named

    def _value(self) -> Any:
        token = self._take()
        if token.kind == "word":
            return CONSTANTS.get(token.text, token.text)
        if token.kind == "number":
            return number_of(token)
        if token.kind == "string":
            return string_of(token)
        if token.text in ("[", "<"):
            return self._nested(token)
        self._next -= 1
        raise self._unexpected("a value")

    def _nested(self, opening: Token) -> Any:
        self._deeper(opening.place)
        inner: Any = list(self._values()) if opening.text == "[" else self._pairs()
        closing = "]" if opening.text == "[" else ">"
        self._expect(closing, f"`{closing}` or another value")
        self._depth -= 1
        return inner

    def _deeper(self, place: TextPosition) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise NotationError(place, f"more than {DEEPEST} levels of nesting")


def _checked(tags: tuple[Tag, ...]) -> AnyGame:
    """Checks the header and returns its game; raises `NotationError`."""
    named: dict[str, Tag] = {}
    for tag in tags:
        if tag.name in named and tag.name != "Seat":
            raise NotationError(tag.place, f"the tag {tag.name} occurs twice")
        named[tag.name] = tag
    for name in ("Format", "Game", "Rules", "Players"):
        if name not in named:
            raise NotationError(TextPosition(1, 1), f"the header has no tag [{name} …]")
        if len(named[name].values) != 1 or named[name].named:
            raise NotationError(named[name].place, f"the tag {name} must have one value")
    return _game(named)


def _game(named: dict[str, Tag]) -> AnyGame:
    if named["Format"].values != (FORMAT,):
        raise NotationError(named["Format"].place, f"this release reads format {FORMAT}")
    slug, version, players = (named[name].values[0] for name in ("Game", "Rules", "Players"))
    game = GAMES.get(slug) if isinstance(slug, str) else None
    if game is None:
        raise NotationError(named["Game"].place, f"{slug!r} is not hosted here; the games are {', '.join(GAMES)}")
    if type(version) is not int or not 1 <= version <= game.rules_version:
        raise NotationError(named["Rules"].place, f"the rules of {game.title} have versions 1 to {game.rules_version}")
    if type(players) is not int or players not in game.players:
        numbers = f"{game.players[0]} to {game.players[-1]}"
        raise NotationError(named["Players"].place, f"{game.title} is for {numbers} players")
    return game
