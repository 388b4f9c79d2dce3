"""Plays a text: its moves with the luck that it holds, by the rules of the game."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from games.house_rules import reshaped
from games.kernel import AnyGame, MoveRefused, OptionsRefused, Transition
from projections.folding import FAULTS
from rulings.notation.document import Amended, Document, Drawn, Item, Played, TextPosition, Variation
from rulings.notation.text import NotationError, words_of

T = TypeVar("T")
replace = msgspec.structs.replace


class ReplayedDecision(NamedTuple):
    """A decision: the move that the text has (None: the start of the game), and what it led to."""

    played: Played | None
    turn: Transition[Any]


class Amendment(NamedTuple):
    """House rules that hold from here on: as they are named, and the state under them."""

    options: dict[str, Any]
    state: Any


class Line(NamedTuple):
    """Play without its variations, from a moment: the options as they are named there, and the state.

    It begins behind the first `after` entries of the line with the number `parent`; the main line has no parent, and
    no state before the game has started. `comments` stand each behind so many entries.
    """

    parent: int | None
    after: int
    options: dict[str, Any]
    state: Any
    entries: list[ReplayedDecision | Amendment]
    comments: list[tuple[int, str]]


class Replay(NamedTuple):
    """What a text leads to: the state at the end of its main line, and all lines as they begin, the main line first."""

    game: AnyGame
    state: Any
    lines: tuple[Line, ...]

    @property
    def turns(self) -> tuple[Transition[Any], ...]:
        """The decisions of the main line, the start of the game first."""
        return tuple(entry.turn for entry in self.lines[0].entries if isinstance(entry, ReplayedDecision))


def replay(document: Document) -> Replay:
    """Plays a document, its variations too; raises `NotationError` where it cannot be so."""
    return _Replayer(document).replay()


class _Told:
    """Chance that draws what a text says."""

    def __init__(self, draws: Sequence[Drawn], place: TextPosition) -> None:
        self._draws, self._place = iter(draws), place

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        draw = next(self._draws, None)
        if draw is None:
            raise NotationError(self._place, f"the draw `= {kind} …` is missing")
        if draw.kind != kind:
            raise NotationError(draw.place, f"here should be the draw {kind}, not {draw.kind}")
        if draw.items is None:
            raise NotationError(draw.place, "what was drawn is not told, so nothing that follows can be played")
        if len(draw.items) != count:
            raise NotationError(draw.place, f"{kind} draws {count}, not {len(draw.items)}")
        return _found(draw, draw.items, population)

    def check(self) -> None:
        """Raises `NotationError` if the text has draws that were not made."""
        if draw := next(self._draws, None):
            raise NotationError(draw.place, f"nothing is drawn here, but the text has {draw.kind}")


def _found(draw: Drawn, items: Sequence[Any], population: Sequence[T]) -> tuple[T, ...]:
    """The things of a population that a draw names, each of them once."""
    left: dict[str, list[T]] = {}
    for thing in reversed(population):
        left.setdefault(_key(thing), []).append(thing)
    found = []
    for item in items:
        things = left.get(_key(item))
        if not things:
            raise NotationError(draw.place, f"{' '.join(words_of(item))} is not there to be drawn, or not so often")
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
        """The main line and the variations."""
        named = self.document.options
        options = self._options(named, self._place("Options"))
        first = self._begun(options)
        main = Line(None, 0, named, None if first else self._kept(options), [], [])
        main.entries.extend([ReplayedDecision(None, first)] if first else [])
        state = self._play(main, first.state if first else main.state, self.document.items)
        return Replay(self.game, state, tuple(self._lines))

    def _place(self, name: str) -> TextPosition:
        tag = self.document.tag(name) or self.document.tag("Game")
        return tag.place if tag else TextPosition(1, 1)

    def _begun(self, options: Any) -> Transition[Any] | None:
        """The start of the game; None where the text begins with a state."""
        if self.document.tag("State"):
            _Told(self.document.setup, TextPosition(1, 1)).check()
            return None
        chance = _Told(self.document.setup, self._place("Game"))
        turn = self.game.start(self.players, options, chance)
        chance.check()
        return turn

    def _kept(self, options: Any) -> Any:
        try:
            return replace(msgspec.convert(self.document.value("State"), self.game.state_type), options=options)
        except (TypeError, AttributeError, LookupError, msgspec.ValidationError) as error:
            raise NotationError(self._place("State"), f"the state cannot be read: {error}") from None

    def _options(self, raw: dict[str, Any], place: TextPosition) -> Any:
        try:
            return self.game.read_options(raw, self.players)
        except OptionsRefused as refusal:
            raise NotationError(place, refusal.detail) from None

    def _play(self, line: Line, state: Any, items: Sequence[Item]) -> Any:
        """The state after the items of a line, whose entries are noted."""
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
            raise NotationError(item.place, f"{name} shapes the set-up, so a game under way cannot change it")
        return now

    def _turn(self, state: Any, item: Played) -> Transition[Any]:
        if item.move is None:
            raise NotationError(item.place, "the move is not told, so nothing that follows can be played")
        chance = _Told(item.draws, item.place)
        try:
            turn = self.game.play(state, item.seat, item.move, chance)
        except MoveRefused as refusal:
            raise NotationError(item.place, f"{refusal.rule}: {refusal.detail}", refusal.rule) from None
        except NotationError:
            raise
        except FAULTS as error:  # from a state that no game leads to
            raise NotationError(item.place, f"the state that the text begins with makes no sense: {error}") from None
        chance.check()
        return turn
