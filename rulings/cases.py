"""The register of rulings: executable cases of what each ruling decides, in each reading that it leaves to tables.

A case is a file, `games/<game>/rulings/<rule>….json`: given a moment of a game, when a seat moves, then this, by house
rules. They are read once a process.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from jsonpointer import JsonPointerException, set_pointer

from events.canonical import canonical
from games import GAMES
from games.kernel import AnyGame, MoveRefused, T, Transition
from projections.recording import new_events_of
from rulings.replay import event_row
from rulings.rulebook import rules

WIDTH = 120  # of a file


class CaseBroken(ValueError):
    """A case that cannot be played, because it names something that the game does not have."""


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's move, as it is sent."""

    seat: int
    move: Any


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A moment of a game: how it began, the places of the state that differ by now, and the moves from there on.

    What is drawn lies in its order, except that `luck` names, for each kind of draw, what comes first in one after the
    other. Where a state is given it is about the draws behind it.
    """

    players: int
    options: dict[str, Any] = {}
    luck: dict[str, list[list[Any]]] = {}
    state: dict[str, Any] = {}
    moves: tuple[Act, ...] = ()


class Happened(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An event, with the fields that matter and, if it matters, who may read which."""

    type: str
    payload: dict[str, Any] = {}
    readers: dict[str, list[int]] | None = None


class Seen(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a seat (null: a spectator) sees afterwards at a place of the view; without a value the place is missing."""

    seat: int | None
    place: str
    value: Any | msgspec.UnsetType = msgspec.UNSET


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What follows under the house rules `options`, in words; and as the rule that refuses the move, or as events.

    Of the types that `events` names these are all that happen, in their order; of those in `without` none does.
    """

    says: str
    options: dict[str, Any] = {}
    refused: str | None = None
    events: tuple[Happened, ...] = ()
    without: tuple[str, ...] = ()
    seen: tuple[Seen, ...] = ()


class Disputed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The dispute that a case comes from: the version of the ruling, and how, and by whom, it was resolved."""

    version: int
    outcome: str
    by: str


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What a rule, most often a ruling, decides. Without a move (`when`) it shows how the game begins."""

    rule: str
    title: str
    dispute: Disputed | None = None
    given: Given
    when: Act | None = None
    then: tuple[Outcome, ...]


def case_files(slug: str) -> list[Traversable]:
    """The files of a game's cases, `<rule>….json` in the folder `rulings` of its package; none if it brings none."""
    folder = files(GAMES[slug].package) / "rulings"
    return sorted(folder.iterdir(), key=lambda path: path.name) if folder.is_dir() else []


@cache
def cases(slug: str) -> dict[str, Case]:
    """The cases of a game by the names of their files, in the order of the rules and rulings."""
    found = {path.name.removesuffix(".json"): read(path.read_bytes()) for path in case_files(slug)}
    order = list(rules(slug))
    return dict(sorted(found.items(), key=lambda item: (order.index(item[1].rule), item[0])))


def read(data: bytes) -> Case:
    """The case that a file holds; raises `CaseBroken`."""
    try:
        return msgspec.json.decode(data, type=Case)
    except msgspec.DecodeError as error:
        raise CaseBroken(str(error)) from None


# A case is played


class Script:
    """The luck of a case: a draw takes first what the case names, then the rest in order."""

    def __init__(self, luck: Mapping[str, Sequence[Sequence[Any]]]) -> None:
        self._left = {kind: list(draws) for kind, draws in luck.items()}

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        """The first `count` of a population in that order."""
        rest, first = list(population), []
        for item in self._left[kind].pop(0) if self._left.get(kind) else ():
            if item in rest:
                rest.remove(item)
                first.append(item)
        return (*first, *rest)[:count]


def decide(game: AnyGame, case: Case, options: Mapping[str, Any]) -> tuple[list[dict[str, Any]], Any]:
    """The events that follow under these house rules, and the state after them; raises `MoveRefused`, `CaseBroken`."""
    *_, (_, turn) = played(game, case, options)
    return [event_row(event) for event in new_events_of(game, turn)], turn.state


def played(game: AnyGame, case: Case, options: Mapping[str, Any]) -> Iterator[tuple[Act | None, Transition[Any]]]:
    """The case as it is played: how the game begins, the moves given, the move in question, each with what it leads to.

    Raises `MoveRefused` if the move in question is refused, `CaseBroken` if anything before it is.
    """
    given, script = case.given, Script(case.given.luck)
    read_options = game.read_options({**given.options, **options}, given.players)
    turn = game.start(given.players, read_options, Script({}) if given.state else script)
    turn = turn._replace(state=laid_over(game, turn.state, given.state))
    yield None, turn
    for act in given.moves:
        try:
            turn = _play(game, turn.state, act, script)
        except MoveRefused as refusal:
            raise CaseBroken(f"a move that is given is refused: {refusal}") from None
        yield act, turn
    if case.when:
        yield case.when, _play(game, turn.state, case.when, script)


def _play(game: AnyGame, state: Any, act: Act, script: Script) -> Transition[Any]:
    return game.play(state, act.seat, game.read_move(act.move), script)


def laid_over(game: AnyGame, state: Any, places: Mapping[str, Any]) -> Any:
    """The state with other values in these places; raises `CaseBroken` if the game has no such state."""
    plain = as_json(state)
    try:
        for place, value in places.items():
            set_pointer(plain, place, value)
        made = msgspec.convert(plain, game.state_type)
    except (JsonPointerException, LookupError, TypeError, ValueError) as error:
        raise CaseBroken(f"the state given is none of {game.slug}: {error}") from None
    if canonical(made) != canonical(plain):
        raise CaseBroken(f"a place given is none in a state of {game.slug}")
    return made


def as_json(value: Any) -> Any:
    """A state, a view or an event as JSON values."""
    return msgspec.json.decode(msgspec.json.encode(value))


# A case is written, as JSON that people read


def written(value: Any, indent: int = 0, before: int = 0) -> str:
    """JSON that people read: a value on one line where it fits; `before` is what stands on its line already."""
    plain = msgspec.to_builtins(value)
    short = _json(plain)
    if indent + before + len(short) < WIDTH or not isinstance(plain, dict | list | tuple):
        return short
    pad = " " * (indent + 1)
    opening, closing = "{}" if isinstance(plain, dict) else "[]"
    return "\n".join([opening, *[pad + line for line in _lines(plain, indent + 1)], f"{pad[1:]}{closing}"])


def _lines(plain: Any, indent: int) -> Iterator[str]:
    """What stands between the brackets: a line for each name or row; plain values fill lines together."""
    if isinstance(plain, dict):
        names = [f"{_json(name)}: " for name in plain]
        return _separated([f"{n}{written(v, indent, len(n))}" for n, v in zip(names, plain.values(), strict=True)])
    rows = [written(item, indent) for item in plain]
    has_rows = any(isinstance(item, dict | list | tuple) for item in plain)
    return _separated(rows) if has_rows else _filled(rows, WIDTH - indent)


def _separated(rows: Sequence[str]) -> Iterator[str]:
    yield from [f"{row}," for row in rows[:-1]]
    yield rows[-1]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _filled(rows: Sequence[str], width: int) -> Iterator[str]:
    line = ""
    for row in _separated(rows):
        if line and len(line) + 1 + len(row) > width:
            yield line
            line = ""
        line = f"{line} {row}".lstrip()
    yield line
