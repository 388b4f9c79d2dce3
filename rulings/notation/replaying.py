"""Plays the moves of a document by the rules of the game, with the luck that the document contains."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from games.house_rules import reshaped
from games.kernel import AnyGame, Event, MoveRefused, OptionsRefused, Transition
from projections.folding import FAULTS
from rulings.notation.document import Amended, Document, Drawn, Item, Played, TextPosition, Variation
from rulings.notation.text import NotationError, words_of

T = TypeVar("T")
replace = msgspec.structs.replace


class ReplayedDecision(NamedTuple):
    """A decision: the move in the text (None: the start of the game), and its transition."""

    played: Played | None
    turn: Transition[Any]


class Amendment(NamedTuple):
    """House rules that apply from here on: by name, and the state under them."""

    options: dict[str, Any]
    state: Any


class Line(NamedTuple):
    """Play without its variations, from a moment with the house rules `options` and the state `state`.

    It begins after the first `after` entries of the line number `parent`. The main line has no parent, and no state
    before the game has started. Each comment comes with the number of entries before it.
    """

    parent: int | None
    after: int
    options: dict[str, Any]
    state: Any
    entries: list[ReplayedDecision | Amendment]
    comments: list[tuple[int, str]]


class Replay(NamedTuple):
    """A replayed document: the state at the end of its main line, and all lines, the main line first."""

    game: AnyGame
    state: Any
    lines: tuple[Line, ...]

    @property
    def turns(self) -> tuple[Transition[Any], ...]:
        """The decisions of the main line, the start of the game first."""
        return tuple(entry.turn for entry in self.lines[0].entries if isinstance(entry, ReplayedDecision))


def replay(document: Document) -> Replay:
    """Plays a document and its variations; raises `NotationError`."""
    return _Replayer(document).replay()


class WrittenLuck:
    """Chance that draws the items written in a text."""

    def __init__(self, draws: Sequence[Drawn], place: TextPosition) -> None:
        self._draws, self._place = iter(draws), place

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        draw = next(self._draws, None)
        if draw is None:
            raise NotationError(self._place, f"the draw `= {kind} …` is missing")
        if draw.kind != kind:
            raise NotationError(draw.place, f"expected the draw {kind}, not {draw.kind}")
        if draw.items is None:
            raise NotationError(draw.place, "the text does not give this draw, so it cannot be replayed from here on")
        if len(draw.items) != count:
            raise NotationError(draw.place, f"{kind} draws {count}, not {len(draw.items)}")
        return _found(draw, draw.items, population)

    def check(self) -> None:
        """Raises `NotationError` if the text has draws that were not made."""
        if draw := next(self._draws, None):
            raise NotationError(draw.place, f"no draw happens here, but the text has {draw.kind}")


def _found(draw: Drawn, items: Sequence[Any], population: Sequence[T]) -> tuple[T, ...]:
    """Returns the members of a population that a draw lists, each at most once."""
    left: dict[str, list[T]] = {}
    for thing in reversed(population):
        left.setdefault(_key(thing), []).append(thing)
    found = []
    for item in items:
        things = left.get(_key(item))
        if not things:
            raise NotationError(draw.place, f"{' '.join(words_of(item))} cannot be drawn here, or not that often")
        found.append(things.pop())
    return tuple(found)


def _key(thing: Any) -> str:
    return " ".join(words_of(msgspec.to_builtins(thing)))


class _Replayer:
    def __init__(self, document: Document) -> None:
        self.document, self.game = document, document.game
        self.players, self.version = document.value("Players"), document.value("Rules")
        self._lines: list[Line] = []

    def replay(self) -> Replay:
        """Plays the main line and the variations."""
        named = self.document.options
        options = self._options(named, self._place("Options"))
        first = self._start(options)
        main = Line(None, 0, named, None if first else self._initial_state(options), [], [])
        main.entries.extend([ReplayedDecision(None, first)] if first else [])
        state = self._play(main, first.state if first else main.state, self.document.items)
        return Replay(self.game, state, tuple(self._lines))

    def _place(self, name: str) -> TextPosition:
        tag = self.document.tag(name) or self.document.tag("Game")
        return tag.place if tag else TextPosition(1, 1)

    def _start(self, options: Any) -> Transition[Any] | None:
        """Starts the game; returns None if the text begins with a state instead."""
        if self.document.tag("State"):
            WrittenLuck(self.document.setup, TextPosition(1, 1)).check()
            return None
        chance = WrittenLuck(self.document.setup, self._place("Game"))
        turn = self.game.start(self.players, options, chance)
        chance.check()
        return turn

    def _initial_state(self, options: Any) -> Any:
        try:
            return replace(msgspec.convert(self.document.value("State"), self.game.state_type), options=options)
        except (TypeError, AttributeError, LookupError, msgspec.ValidationError) as error:
            raise NotationError(self._place("State"), f"the state is unreadable: {error}") from None

    def _options(self, raw: dict[str, Any], place: TextPosition) -> Any:
        try:
            return self.game.read_options(raw, self.players)
        except OptionsRefused as refusal:
            raise NotationError(place, refusal.detail) from None

    def _play(self, line: Line, state: Any, items: Sequence[Item]) -> Any:
        """Plays the items of a line, adding its entries, and returns the state after them."""
        number, options = len(self._lines), line.options
        self._lines.append(line)
        for item in items:
            if isinstance(item, Variation):
                self._play(Line(number, len(line.entries), options, state, [], []), state, item.items)
            elif isinstance(item, Amended):
                options = self._amended(options, item)
                state = replace(state, options=self._options(options, item.place))
                line.entries.append(Amendment(options, state))
            elif isinstance(item, Played):
                turn = self._turn(state, item)
                line.entries.append(ReplayedDecision(item, turn))
                state = turn.state
            else:
                line.comments.append((len(line.entries), item.text))
        return state

    def _amended(self, options: dict[str, Any], item: Amended) -> dict[str, Any]:
        now = options | item.options
        was = msgspec.to_builtins(self._options(options, item.place))
        if name := reshaped(self.game, was, {**was, **item.options}):
            raise NotationError(item.place, f"{name} shapes the set-up, so it cannot change during a game")
        return now

    def _turn(self, state: Any, item: Played) -> Transition[Any]:
        if item.move is None:
            raise NotationError(item.place, "the text does not give this move, so it cannot be replayed from here on")
        chance = WrittenLuck(item.draws, item.place)
        corrected = self._corrected(item)
        try:
            turn = self.game.play(state, item.seat, item.move, chance, corrected)
        except MoveRefused as refusal:
            raise NotationError(item.place, f"{refusal.rule}: {refusal.detail}", refusal.rule) from None
        except NotationError:
            raise
        except FAULTS as error:  # the text began with an impossible state, or a correction is none
            if corrected:
                raise NotationError(item.corrected[0].place, f"the ruling cannot be corrected so: {error}") from None
            raise NotationError(item.place, f"the initial state of the text is impossible: {error}") from None
        chance.check()
        return turn

    def _corrected(self, item: Played) -> dict[int, Event]:
        try:
            return item.rulings(self.game)
        except (LookupError, msgspec.ValidationError) as error:
            place = item.corrected[0].place
            raise NotationError(place, f"the corrected ruling is unreadable: {error}") from None
