"""Replays a table: repeats each of its decisions, under today's rules or under other house rules.

The inputs come from the record: moves, corrections, seed and contributions. All else must follow from them, because
`play` is pure and its luck is a function of the seed. Each draw has its own stream, named by its kind and number
(`events.verifiable_luck`), so a decision can be repeated without the earlier ones: it needs only the state and the
number of draws of each kind so far. Under today's rules each event must come out byte for byte as recorded, unless the
rules or the code have changed or the record was altered; the first event that differs is the divergence. Under other
house rules, the divergence is the first event in which they make a difference.

Everything after the divergence is counterfactual: the players decided in another situation. There, the recorded moves
are played as far as they are legal. Luck stays comparable even then: draw number n of a kind has the same outcome
wherever the population is the same (common random numbers; Glasserman and Yao 1992).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby, zip_longest
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from events.canonical import canonical
from events.envelopes import NewEvent, Recorded
from events.lifecycle import TYPES
from events.verifiable_luck import Luck
from games.house_rules import reshaped
from games.kernel import AnyGame, Event, MoveRefused, OptionsRefused, Transition
from projections.event_conversion import as_of_today, new_events_of
from projections.folding import fold, more
from projections.history import TableHistory, effective_events, extended
from projections.table import Table

T = TypeVar("T")


# Recorded batches


class SeatMove(NamedTuple):
    """A move and the seat that made it."""

    seat: int
    move: Any


class Batch(NamedTuple):
    """Events that were recorded together, caused by one request or one timer."""

    events: tuple[Recorded, ...]

    @property
    def first(self) -> int:
        """The version of the first event."""
        return self.events[0].version

    @property
    def last(self) -> int:
        """The version of the last event."""
        return self.events[-1].version

    @property
    def played(self) -> tuple[Recorded, ...]:
        """The events of the game."""
        return tuple(event for event in self.events if event.envelope.type not in TYPES)

    @property
    def taken_back(self) -> Recorded | None:
        """The event that takes play back, if there is one."""
        return self._of_type("PlayTakenBack")

    @property
    def corrections(self) -> tuple[Recorded, ...]:
        """The corrections of rulings of the moves."""
        return tuple(event for event in self.events if event.envelope.type == "RulingCorrected")

    @property
    def decides(self) -> bool:
        """Whether the game begins, continues or goes back with this batch."""
        return bool(self.played or self.taken_back or self._of_type("PlayContinued"))

    @property
    def moves(self) -> tuple[SeatMove, ...]:
        """The moves that caused the batch: none at the start, usually one, any number after play was taken back."""
        cause = self.events[0]
        if "move" in cause.sealed:
            return (SeatMove(cause.envelope.by["seat"], cause.sealed["move"].value),)
        again = cause.sealed.get("again")
        return tuple(SeatMove(row["seat"], row["move"]) for row in again.value) if again else ()

    @property
    def before(self) -> int:
        """The version of the table at which the moves were made."""
        back = self.taken_back
        return int(back.envelope.payload["to"]) if back else self.first - 1

    def _of_type(self, type_: str) -> Recorded | None:
        return next((event for event in self.events if event.envelope.type == type_), None)


def batches(history: TableHistory) -> Iterator[Batch]:
    """Yields the batches of a table in order."""
    for _, group in groupby(history.events, key=lambda event: event.envelope.batch):
        yield Batch(tuple(group))


def batch_at(history: TableHistory, version: int) -> Batch | None:
    """Returns the batch of event `version`; None if no move caused it."""
    first, last = history.events[version - 1].envelope.batch
    batch = Batch(history.events[first - 1 : last])
    return batch if batch.moves else None


def effective_moves(history: TableHistory) -> Iterator[Batch]:
    """Yields the batches of moves that were not undone, the last first."""
    seen: set[int] = set()
    for event in reversed(list(effective_events(history.events))):
        first = event.envelope.batch[0]
        if first not in seen:
            seen.add(first)
            if made := batch_at(history, event.version):
                yield made


# Corrected rulings


Corrected = Mapping[int, Event]
"""The events of a decision that are corrected, by their number in it."""
UNCORRECTED: Corrected = MappingProxyType({})


def corrected_moves(game: AnyGame, corrections: Iterable[Mapping[str, Any]]) -> Mapping[int, Corrected]:
    """Returns the corrected events of each move, from payloads of `RulingCorrected`; malformed ones are left out."""
    found: dict[int, dict[int, Event]] = {}
    for one in corrections:
        if one["corrected"] != one["decided"]:
            with suppress(LookupError, msgspec.ValidationError):
                event = msgspec.convert(one["corrected"], game.kinds[one["ruling"]])
                found.setdefault(one["move"], {})[one["event"]] = event
    return found


# Repeating decisions


class ReplayState(NamedTuple):
    """The state of the game at a moment, and the number of draws of each kind so far."""

    state: Any
    counts: dict[str, int]

    def under(self, options: Any) -> "ReplayState":
        """Returns the same moment under other house rules."""
        return ReplayState(replace(self.state, options=options), self.counts)


class Draw(NamedTuple):
    """A draw: its kind, its number within the kind, the population, the number of items, and the outcome."""

    kind: str
    number: int
    population: tuple[Any, ...]
    size: int
    outcome: tuple[Any, ...]


class DecisionOutcome(NamedTuple):
    """The result of a decision; only a state at the start of a branch."""

    world: ReplayState
    draws: tuple[Draw, ...] = ()
    new_events: tuple[NewEvent, ...] = ()


class PlayedAgain(NamedTuple):
    """The results of moves played again, until the rules refuse one."""

    decisions: tuple[DecisionOutcome, ...]
    refused: MoveRefused | None = None

    @property
    def new_events(self) -> tuple[NewEvent, ...]:
        """The events of all decisions."""
        return tuple(event for decided in self.decisions for event in decided.new_events)

    def events_of(self, move: int) -> tuple[NewEvent, ...]:
        """Returns the events of a move, counted from 0; none if it was not played."""
        return self.decisions[move].new_events if move < len(self.decisions) else ()

    def holds(self, correction: Mapping[str, Any]) -> bool:
        """Whether a ruling came up again and is corrected: that of a payload of `RulingCorrected`."""
        event, right = correction["event"], canonical(correction["corrected"])
        return any(canonical(one.payload) == right for one in self.events_of(correction["move"])[event : event + 1])


class _RecordingLuck(Luck):
    """The table's own luck; it records its draws."""

    def __init__(self, table: Table, before: Mapping[str, int]) -> None:
        super().__init__(*table.luck_source, before)
        self._counts, self.draws = before, list[Draw]()

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        number = self._counts.get(kind, 0) + self.drawn.get(kind, 0)
        found = super().__call__(kind, population, count)
        self.draws.append(Draw(kind, number, tuple(population), count, found))
        return found


class Decider:
    """Repeats the decisions of one table, each with the table's own luck."""

    def __init__(self, table: Table) -> None:
        self.table, self.game = table, table.game

    def options(self, named: Mapping[str, Any]) -> Any:
        """Parses house rules; raises `OptionsRefused`."""
        return self.game.read_options(named, self.table.opened.players)

    def begin(self, options: Any) -> DecisionOutcome:
        """Starts the game, or returns the initial state of a branch."""
        fork = self.table.fork
        if fork is None:
            return self._decide({}, lambda luck: self.game.start(self.table.opened.players, options, luck))
        state = msgspec.convert(fork.state or {}, self.game.state_type)
        return DecisionOutcome(ReplayState(state, fork.draws).under(options))

    def play(self, world: ReplayState, seat: int, move: Any, corrected: Corrected = UNCORRECTED) -> DecisionOutcome:
        """Plays a move as clients send it; raises `MoveRefused`, and `ValueError` if it has no such rulings."""
        read = self.game.read_move(move)
        return self._decide(world.counts, lambda luck: self.game.play(world.state, seat, read, luck, corrected))

    def play_corrected(self, world: ReplayState, seat: int, move: Any, corrected: Corrected) -> DecisionOutcome:
        """Plays a move with its rulings corrected, or without if they do not come up; raises `MoveRefused`."""
        if corrected:
            with suppress(ValueError):
                return self.play(world, seat, move, corrected)
        return self.play(world, seat, move)

    def play_again(
        self, world: ReplayState, moves: Iterable[SeatMove], corrected: Mapping[int, Corrected]
    ) -> PlayedAgain:
        """Plays moves, with the rulings of each that are corrected, while they are legal."""
        decisions: list[DecisionOutcome] = []
        for number, made in enumerate(moves):
            try:
                decided = self.play_corrected(world, made.seat, made.move, corrected.get(number, UNCORRECTED))
            except MoveRefused as refusal:
                return PlayedAgain(tuple(decisions), refusal)
            decisions.append(decided)
            world = decided.world
        return PlayedAgain(tuple(decisions))

    def _decide(self, counts: dict[str, int], decide: Callable[[Luck], Transition[Any]]) -> DecisionOutcome:
        luck = _RecordingLuck(self.table, counts)
        turn = decide(luck)
        after = ReplayState(turn.state, more(counts, luck.drawn))
        return DecisionOutcome(after, tuple(luck.draws), new_events_of(self.game, turn))


# The findings of a replay


class Divergence(msgspec.Struct, frozen=True):
    """The first event that differs: `recorded` or `decided` is null if there is no event."""

    version: int
    type: str
    rules: tuple[str, ...]
    recorded: dict[str, Any] | None
    decided: dict[str, Any] | None


class Stop(msgspec.Struct, frozen=True):
    """The point where the recorded moves cannot continue: `rule` refuses the move recorded at `version`."""

    version: int
    seat: int
    rule: str
    detail: str


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a replay. From version `counterfactual_from` on, the events are counterfactual.

    `fault` is the fault that the `rerun` given to `replay` found.
    """

    table: str
    game: str
    options: dict[str, Any]
    moves: int
    events: int
    draws_recorded: int
    draws_other: int
    divergence: Divergence | None
    counterfactual_from: int | None
    stop: Stop | None
    over: bool
    scores_recorded: Any
    scores_decided: Any
    fault: str | None = None

    @property
    def same(self) -> bool:
        """Whether every decision had its recorded result."""
        return self.divergence is None and self.stop is None


class _Run:
    """One run through the batches of a game: under the recorded house rules, or under others."""

    def __init__(self, table: Table, options: Mapping[str, Any]) -> None:
        self.game, self._other, self._decider = table.game, options, Decider(table)
        self.options = self._decider.options({**table.opened.options, **options})
        if table.fork and (name := reshaped(table.game, table.opened.options, options)):
            raise OptionsRefused(name, f"`{name}` shaped the set-up that the branch started from")
        self.world = self.returned = ReplayState(None, {})
        self._worlds: dict[int, ReplayState] = {}  # by the last version of the batch that led there
        self.draws: list[Draw] = []  # of the last batch
        self.populations: dict[tuple[str, int], tuple[Any, ...]] = {}
        self.acting = 0
        self.counts: list[int] = []  # the events of each decision

    def take(self, batch: Batch) -> list[NewEvent]:
        """Repeats the decisions of a batch and returns their events; raises `MoveRefused`."""
        self.draws = []
        new_events: list[NewEvent] = []
        if batch.taken_back:
            self._go_back(batch.taken_back)
        elif not batch.moves:
            new_events += self._adopt(self._decider.begin(self.options))
        corrected = corrected_moves(self.game, (event.payload for event in batch.corrections))
        for number, (self.acting, move) in enumerate(batch.moves):
            right = corrected.get(number, UNCORRECTED)
            new_events += self._adopt(self._decider.play_corrected(self.world, self.acting, move, right))
        self._worlds[batch.last] = self.world
        self.counts.append(len(new_events))
        return new_events

    def _adopt(self, decided: DecisionOutcome) -> tuple[NewEvent, ...]:
        """Takes over the state and the draws of a decision, and returns its events."""
        self.world = decided.world
        self.draws += decided.draws
        self.populations |= {(draw.kind, draw.number): (draw.population, draw.size) for draw in decided.draws}
        return decided.new_events

    def _go_back(self, taken_back: Recorded) -> None:
        """Returns to an earlier state. The house rules amended there apply, unless this run overrides them."""
        payload = taken_back.payload
        world = self._worlds[max(version for version in self._worlds if version <= payload["to"])]
        in_force = msgspec.to_builtins(self.options) | payload["options"] | dict(self._other)
        self.options = self._decider.options(in_force)
        self.world = self.returned = world.under(self.options)


Rerun = Callable[[Batch, TableHistory | None], str | None]
"""Repeats a whole batch, given the table before it; returns the fault that it finds, or None."""


def replay(history: TableHistory, options: Mapping[str, Any] | None = None, rerun: Rerun | None = None) -> Report:
    """Repeats every recorded decision; raises `OptionsRefused` for house rules that the game does not know.

    Under today's rules the results are compared with the record; under other house rules also with a second run under
    the recorded ones. `rerun` checks what the game does not know, such as permissions, clocks and disputes. It gets
    each batch whose decisions have their recorded results, up to the first fault.
    """
    table = history.table
    here = _Run(table, options or {})
    recorded = _Run(table, {}) if options else here
    divergence, stop, fault, before = None, None, None, None
    for batch in batches(history):
        if batch.decides:
            differs, stop = _compared(batch, here, recorded)
            divergence = divergence or differs
            if stop:
                break
        if rerun and not (divergence or fault):
            fault = rerun(batch, before)
            before = _extended(before, batch)
    return _report(here, recorded, history, (divergence, stop, fault))


def _report(
    here: _Run, recorded: _Run, history: TableHistory, found: tuple[Divergence | None, Stop | None, str | None]
) -> Report:
    table, state, (divergence, stop, fault) = history.table, here.world.state, found
    divergence = divergence or _seed_divergence(history)
    same = sum(recorded.populations.get(draw) == population for draw, population in here.populations.items())
    return Report(
        table=table.id,
        game=table.opened.game,
        options=msgspec.to_builtins(here.options),
        moves=max(len(here.counts) - 1, 0),
        events=sum(here.counts),
        draws_recorded=same,
        draws_other=len(here.populations) - same,
        divergence=divergence,
        counterfactual_from=min((found.version for found in (divergence, stop) if found), default=None),
        stop=stop,
        over=state is not None and not table.game.to_act(state),
        scores_recorded=_scores(table, table.state),
        scores_decided=_scores(table, state),
        fault=None if divergence or stop else fault,
    )


def _extended(before: TableHistory | None, batch: Batch) -> TableHistory:
    """Returns the history with the next batch."""
    after = fold(before.table if before else None, batch.events)
    if after is None:
        raise ValueError("a batch has events")
    return extended(after.id, before, batch.events, after)


def _compared(batch: Batch, here: _Run, recorded: _Run) -> tuple[Divergence | None, Stop | None]:
    """Repeats a batch; returns the first difference from the record, or the stop if a move is refused."""
    played, other = batch.played, recorded is not here
    version = played[0].version if played else batch.last
    if other:
        recorded.take(batch)
    try:
        decided = here.take(batch)
    except MoveRefused as refusal:
        return None, Stop(version, here.acting, refusal.rule, refusal.detail)
    if not other:
        back = batch.taken_back
        found = _return_divergence(back, here) if back else _draw_divergence(batch, here)
        if found:
            return found, None
    was = [as_of_today(here.game, event) for event in played]
    return compare(version, was, decided, ignore_options=other), None


def _scores(table: Table, state: Any) -> Any:
    return None if state is None else msgspec.to_builtins(table.game.scores(state))


def compare(
    version: int, recorded: Sequence[NewEvent], decided: Sequence[NewEvent], *, ignore_options: bool
) -> Divergence | None:
    """Returns the first event, from that version on, that differs from the recorded one."""
    for number, pair in enumerate(zip_longest(recorded, decided), version):
        was, now = (event_row(event) if event else None for event in pair)
        if _differ(was, now) and not (ignore_options and _only_options_differ(was, now)):
            either: dict[str, Any] = now or was or {}
            return Divergence(number, either["type"], tuple(either["payload"].get("rules", ())), was, now)
    return None


def _differ(was: Any, now: Any) -> bool:
    """Compares bytes, because values from JSON have lists where decisions have tuples."""
    return canonical(was) != canonical(now)


def _draw_divergence(batch: Batch, run: _Run) -> Divergence | None:
    """Returns a divergence if the number of draws differs from the record."""
    draws = batch.events[0].envelope.draws
    drawn = dict(Counter(draw.kind for draw in run.draws))
    if drawn == draws:
        return None
    version, kind = next(((e.version, e.envelope.type) for e in batch.played), (batch.last, "PlayContinued"))
    return Divergence(version, kind, (), {"draws": draws}, {"draws": drawn})


def _seed_divergence(history: TableHistory) -> Divergence | None:
    """Returns a divergence if the revealed seed is not the one that the first event committed to."""
    seed = history.table.opened.seed
    for event in history.events:
        if event.envelope.type == "SeedRevealed" and event.payload != {"seed": seed}:
            was = {"type": "SeedRevealed", "payload": event.payload, "readers": event.envelope.readers}
            return Divergence(event.version, "SeedRevealed", (), was, {"payload": {"seed": seed}})
    return None


def _return_divergence(taken_back: Recorded, run: _Run) -> Divergence | None:
    """Returns a divergence if play goes on from another state or count of draws than it should."""
    payload = taken_back.payload
    was = {"state": payload["state"], "draws": payload["draws"]}
    now = {"state": msgspec.to_builtins(run.returned.state), "draws": run.world.counts}
    return Divergence(taken_back.version, "PlayTakenBack", (), was, now) if _differ(was, now) else None


def event_row(event: NewEvent) -> dict[str, Any]:
    """Returns an event as reports show it."""
    return {"type": event.type, "payload": event.payload, "readers": event.readers}


def _only_options_differ(was: dict[str, Any] | None, now: dict[str, Any] | None) -> bool:
    """Returns whether two `GameStarted` events differ only in the house rules that they state."""
    if was is None or now is None:
        return False
    bare = [new_event | {"payload": new_event["payload"] | {"options": None}} for new_event in (was, now)]
    return was["type"] == "GameStarted" and not _differ(*bare)
