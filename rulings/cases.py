"""Cases: executable examples of what each ruling decides, under each house rule that a table may choose.

A case is a file, `games/<game>/cases/<rule>….json`: given a moment of a game, when a seat moves, then this follows
under these house rules. A resolved dispute makes a case too.
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
from events.lifecycle import Remedy
from games import GAMES
from games.kernel import AnyGame, MoveRefused, T, Transition
from games.payloads import as_json
from projections.disputes import Dispute
from projections.event_conversion import new_events_of
from projections.history import TableHistory
from projections.table import Table
from rulings.replay import Batch, Decider, ReplayState, batch_at, event_row
from rulings.rulebook import rule, rules, rulings

WIDTH = 120  # of a file
HELD = "the reading that was held"
OTHER = "the other reading"
MISSING = object()


class CaseBroken(ValueError):
    """A case that cannot be played, because it refers to something that the game does not have."""


class NoCaseError(Exception):
    """A dispute that makes no case: it does not exist, was not resolved or ended in a correction, or its table runs."""


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's move, as clients send it."""

    seat: int
    move: Any


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A moment of a game: how it began, the parts of the state that differ from then, and the moves that follow.

    Draws take items in their order, except that `luck` lists, for each kind and draw after draw, which come first. If
    a state is given, `luck` is for the draws after it.
    """

    players: int
    options: dict[str, Any] = {}
    luck: dict[str, list[list[Any]]] = {}
    state: dict[str, Any] = {}
    moves: tuple[Act, ...] = ()


class Happened(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An expected event, with the fields that matter and, if they matter, their readers."""

    type: str
    payload: dict[str, Any] = {}
    readers: dict[str, list[int]] | None = None


class Seen(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a seat (null: a spectator) must see afterwards at a place of its view; without a value, nothing."""

    seat: int | None
    place: str
    value: Any | msgspec.UnsetType = msgspec.UNSET


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What follows under the house rules `options`: in words (`says`), and as the refusing rule or as events.

    Events of the types in `events` must be exactly these, in this order; types in `without` must not occur.
    """

    says: str
    options: dict[str, Any] = {}
    refused: str | None = None
    events: tuple[Happened, ...] = ()
    without: tuple[str, ...] = ()
    seen: tuple[Seen, ...] = ()


class Disputed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The dispute that a case comes from: the version of the ruling, its outcome, and who decided."""

    version: int
    outcome: str
    by: str


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What a rule, usually a ruling, decides. Without a move (`when`) it shows how the game begins."""

    rule: str
    title: str
    dispute: Disputed | None = None
    given: Given
    when: Act | None = None
    then: tuple[Outcome, ...]


def case_files(slug: str) -> list[Traversable]:
    """Returns the files of a game's cases, `<rule>….json` in the folder `cases` of its package."""
    folder = files(GAMES[slug].package) / "cases"
    return sorted(folder.iterdir(), key=lambda path: path.name) if folder.is_dir() else []


@cache
def cases(slug: str) -> dict[str, Case]:
    """Returns the cases of a game by file name, in the order of the rules and rulings; raises `CaseBroken`."""
    found = {path.name.removesuffix(".json"): parse_case(path.read_bytes(), path.name) for path in case_files(slug)}
    order = list(rules(slug))
    if unknown := [
        f"{name}.json: there is no rule {case.rule}" for name, case in found.items() if case.rule not in order
    ]:
        raise CaseBroken("; ".join(unknown))
    return dict(sorted(found.items(), key=lambda item: (order.index(item[1].rule), item[0])))


def parse_case(data: bytes, name: str = "case") -> Case:
    """Parses the content of a case file; raises `CaseBroken`."""
    try:
        return msgspec.json.decode(data, type=Case)
    except msgspec.DecodeError as error:
        raise CaseBroken(f"{name}: {error}") from None


# Playing a case


class ScriptedLuck:
    """The luck of a case: a draw takes first the items that the case lists, then the rest in order."""

    def __init__(self, luck: Mapping[str, Sequence[Sequence[Any]]]) -> None:
        self._left = {kind: list(draws) for kind, draws in luck.items()}

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        """Returns the first `count` items of a population in that order."""
        rest, first = list(population), []
        for item in self._left[kind].pop(0) if self._left.get(kind) else ():
            if item in rest:
                rest.remove(item)
                first.append(item)
        return (*first, *rest)[:count]


def decide_case(game: AnyGame, case: Case, options: Mapping[str, Any]) -> tuple[list[dict[str, Any]], Any]:
    """Returns the events that follow under these house rules, and the state after them.

    Raises `MoveRefused` and `CaseBroken`.
    """
    *_, (_, turn) = play_case(game, case, options)
    return [event_row(event) for event in new_events_of(game, turn)], turn.state


def play_case(game: AnyGame, case: Case, options: Mapping[str, Any]) -> Iterator[tuple[Act | None, Transition[Any]]]:
    """Yields the start, the given moves and the move in question, each with its transition.

    Raises `MoveRefused` if the move in question is refused, `CaseBroken` if an earlier one is.
    """
    given, script = case.given, ScriptedLuck(case.given.luck)
    read_options = game.read_options({**given.options, **options}, given.players)
    turn = game.start(given.players, read_options, ScriptedLuck({}) if given.state else script)
    turn = turn._replace(state=with_places(game, turn.state, given.state))
    yield None, turn
    for act in given.moves:
        try:
            turn = _play(game, turn.state, act, script)
        except MoveRefused as refusal:
            raise CaseBroken(f"a given move is refused: {refusal}") from None
        yield act, turn
    if case.when:
        yield case.when, _play(game, turn.state, case.when, script)


def _play(game: AnyGame, state: Any, act: Act, script: ScriptedLuck) -> Transition[Any]:
    return game.play(state, act.seat, game.read_move(act.move), script)


def with_places(game: AnyGame, state: Any, places: Mapping[str, Any]) -> Any:
    """Returns the state with other values in these places; raises `CaseBroken` if the game has no such state."""
    plain = as_json(state)
    try:
        for place, value in places.items():
            set_pointer(plain, place, value)
        made = msgspec.convert(plain, game.state_type)
    except (JsonPointerException, LookupError, TypeError, ValueError) as error:
        raise CaseBroken(f"the given state is not a state of {game.slug}: {error}") from None
    if lost := [place for place, _ in differences(as_json(made), plain)]:
        raise CaseBroken(f"a state of {game.slug} has no {', '.join(lost)}, or not with this value")
    return made


# Writing a case, as readable JSON


def format_json(value: Any, indent: int = 0, before: int = 0) -> str:
    """Formats JSON for people: each value on one line if it fits; `before` is the space used up on its line."""
    plain = msgspec.to_builtins(value)
    short = _json(plain)
    if indent + before + len(short) < WIDTH or not isinstance(plain, dict | list | tuple):
        return short
    pad = " " * (indent + 1)
    opening, closing = "{}" if isinstance(plain, dict) else "[]"
    return "\n".join([opening, *[pad + line for line in _lines(plain, indent + 1)], f"{pad[1:]}{closing}"])


def _lines(plain: Any, indent: int) -> Iterator[str]:
    """Yields the lines between the brackets: one for each name or row; plain values share lines."""
    if isinstance(plain, dict):
        names = [f"{_json(name)}: " for name in plain]
        return _separated([f"{n}{format_json(v, indent, len(n))}" for n, v in zip(names, plain.values(), strict=True)])
    rows = [format_json(item, indent) for item in plain]
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


# Making a case from a resolved dispute


def case_from_dispute(history: TableHistory, dispute: str) -> Case:
    """Returns the case of a resolved dispute at a finished table, without names of people; raises `NoCaseError`."""
    found = _resolved(history.table, dispute)
    batch = batch_at(history, found.version)
    if batch is None:
        raise NoCaseError("no move led to the disputed event")
    if batch.corrections or _resolution(history, found).correction is not None:
        raise NoCaseError("a corrected ruling makes no case: no reading of the rules leads to its outcome")
    before = history.at(batch.taken_back.version if batch.taken_back else batch.first - 1)
    try:
        (*earlier, disputed), luck = _made(before, batch, found.version)
    except MoveRefused as refusal:
        raise NoCaseError(f"today's rules refuse the disputed move: {refusal}") from None
    case = Case(
        rule=found.rule,
        title=_title(history.table.opened.game, found.rule),
        dispute=Disputed(found.version, str(found.outcome), str(found.by)),
        given=Given(before.opened.players, _chosen(before), luck, _state(before), tuple(earlier)),
        when=disputed,
        then=(),
    )
    then = [_outcome(before, case, says, options) for says, options in _readings(history, found, before)]
    return msgspec.structs.replace(case, then=tuple(then))


def _resolved(table: Table, dispute: str) -> Dispute:
    found = next((one for one in table.disputes if one.is_named(dispute)), None)
    if found is None:
        raise NoCaseError(f"the table has no dispute {dispute!r}")
    if not table.over:
        raise NoCaseError("the game is not over: its secrets are not public yet")
    if found.outcome not in ("upheld", "overturned"):
        raise NoCaseError(f"the dispute is {found.outcome}: nobody has decided it")
    return found


def _made(before: Table, batch: Batch, version: int) -> tuple[list[Act], dict[str, list[list[Any]]]]:
    """Returns the batch's moves up to the one that caused event `version`, and their draws by kind."""
    decider, world, end, moves = Decider(before), ReplayState(before.state, before.draws), batch.played[0].version, []
    luck: dict[str, list[list[Any]]] = {}
    for seat, move in batch.moves:
        moves.append(Act(seat, move))
        decided = decider.play(world, seat, move)
        for draw in decided.draws:
            luck.setdefault(draw.kind, []).append(list(draw.outcome))
        world, end = decided.world, end + len(decided.new_events)
        if version < end:
            break
    return moves, luck


def _chosen(before: Table) -> dict[str, Any]:
    """Returns the house rules in force that are not the defaults."""
    defaults = as_json(before.game.read_options({}, before.opened.players))
    return {name: value for name, value in before.options.items() if value != defaults[name]}


def _state(before: Table) -> dict[str, Any]:
    game, players = before.game, before.opened.players
    options = game.read_options(_chosen(before), players)
    began = game.start(players, options, ScriptedLuck({})).state
    return dict(differences(as_json(began), as_json(msgspec.structs.replace(before.state, options=options))))


def differences(was: Any, now: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yields the places whose value changed, with the new value; lists of cards are given in full."""
    if isinstance(was, dict) and isinstance(now, dict) and was.keys() <= now.keys():
        for name, value in now.items():
            yield from differences(was.get(name, MISSING), value, f"{place}/{name}")
    elif _are_rows(was, now):
        for number, (one, other) in enumerate(zip(was, now, strict=True)):
            yield from differences(one, other, f"{place}/{number}")
    elif was is MISSING or canonical(was) != canonical(now):
        yield place, now


def _are_rows(*values: Any) -> bool:
    """Whether all values are lists of equally many rows."""
    of_rows = (isinstance(one, list) and one and all(isinstance(row, dict | list) for row in one) for one in values)
    return all(of_rows) and len(set(map(len, values))) == 1


def _title(slug: str, rule_id: str) -> str:
    """Returns a title with the ruling's question, or with another rule's title."""
    found = rulings(slug).get(rule_id)
    question = found.question if found else rule(slug, rule_id).title
    return f"Disputed at a table: {question or rule_id}"


def _readings(history: TableHistory, found: Dispute, before: Table) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the disputed house rules: as they were held in the end, and as the other reading had them."""
    overturned = found.outcome == "overturned"
    asked = (_resolution(history, found) if overturned else found.remedy).reading or {}
    was = {name: before.options[name] for name in asked}
    yield HELD, asked if overturned else was
    if asked != was:
        yield OTHER, was if overturned else asked


def _resolution(history: TableHistory, found: Dispute) -> Remedy:
    """Returns the remedy by which a dispute was overturned, an empty one if it was upheld."""
    resolutions = (event.payload for event in history.events if event.envelope.type == "DisputeResolved")
    remedy = next(payload["remedy"] for payload in resolutions if payload["dispute"] == found.dispute)
    return msgspec.convert(remedy or {}, Remedy)


def _outcome(before: Table, case: Case, says: str, options: dict[str, Any]) -> Outcome:
    try:
        decided, _ = decide_case(before.game, case, options)
    except MoveRefused as refusal:
        return Outcome(says, options, refused=refusal.rule)
    shown = [row for row in decided if "rules" in row["payload"]] or decided
    return Outcome(says, options, events=tuple(Happened(row["type"], as_json(row["payload"])) for row in shown))
