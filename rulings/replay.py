"""Replays a record: each decision of a table is taken again, under today's rules or under other house rules.

What somebody brought is an input and is read from the record: moves, corrections, seed and contributions. All else
must follow: `play` is pure, and its luck is a function of the seed. Every draw has a stream of its own, named by its
kind and its number among those of its kind (`events.luck`), so a decision can be taken again without those before it:
it needs only the state, and how many draws of each kind led there. Under today's rules every event comes out byte for
byte as recorded, unless the rules or the code have changed since or the record was altered; the first event that does
not is the divergence. Under other house rules it is where they first make a difference.

Everything after the first divergence is counterfactual: the players decided in another world. There the recorded moves
are played on as far as they are legal. Luck stays comparable even then: draw number n of a kind comes out the same
wherever the population is the same (common random numbers; Glasserman and Yao 1992).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from events.canonical import canonical
from events.lifecycle import TYPES
from events.luck import Luck
from events.recorded import NewEvent, Recorded
from games.house_rules import reshaped
from games.kernel import MoveRefused, OptionsRefused, Transition
from projections.folding import MARK, fold, more
from projections.history import TableHistory, effective_events
from projections.recording import as_of_today, new_events_of
from projections.table import Table

T = TypeVar("T")


# Batches of the record


class SeatMove(NamedTuple):
    """A move and the seat that made it."""

    seat: int
    move: Any


class Batch(NamedTuple):
    """Events that were recorded together, because one request or one timer caused them."""

    events: tuple[Recorded, ...]

    @property
    def first(self) -> int:
        """The version of its first event."""
        return self.events[0].version

    @property
    def last(self) -> int:
        """The version of its last event."""
        return self.events[-1].version

    @property
    def played(self) -> tuple[Recorded, ...]:
        """Its events of the game."""
        return tuple(event for event in self.events if event.envelope.type not in TYPES)

    @property
    def correction(self) -> Recorded | None:
        """The event that takes play back, if one does."""
        return self._of_type("PlayTakenBack")

    @property
    def decides(self) -> bool:
        """Whether the game begins, goes on or goes back with it."""
        return bool(self.played or self.correction or self._of_type("PlayContinued"))

    @property
    def moves(self) -> tuple[SeatMove, ...]:
        """The moves that caused it: none at the start of a game, one ordinarily, any number after a correction."""
        cause = self.events[0]
        if "move" in cause.sealed:
            return (SeatMove(cause.envelope.by["seat"], cause.sealed["move"].value),)
        again = cause.sealed.get("again")
        return tuple(SeatMove(row["seat"], row["move"]) for row in again.value) if again else ()

    @property
    def before(self) -> int:
        """The version of the table at which its moves were made."""
        back = self.correction
        return int(back.envelope.payload["to"]) if back else self.first - 1

    def _of_type(self, type_: str) -> Recorded | None:
        return next((event for event in self.events if event.envelope.type == type_), None)


def batches(history: TableHistory) -> Iterator[Batch]:
    """The batches of a table, in order."""
    for _, group in groupby(history.events, key=lambda event: event.envelope.batch):
        yield Batch(tuple(group))


def made_at(history: TableHistory, version: int) -> Batch | None:
    """The batch of the event `version`; None if no move caused it (the game's start, a table's own event)."""
    first, last = history.events[version - 1].envelope.batch
    batch = Batch(history.events[first - 1 : last])
    return batch if batch.moves else None


def effective_moves(history: TableHistory) -> Iterator[Batch]:
    """The batches of moves that were not undone, the last first."""
    seen: set[int] = set()
    for event in reversed(list(effective_events(history.events))):
        first = event.envelope.batch[0]
        if first not in seen:
            seen.add(first)
            if made := made_at(history, event.version):
                yield made


# Decisions taken again


class World(NamedTuple):
    """The game at a moment, and how many draws of each kind have led to it."""

    state: Any
    counts: dict[str, int]

    def under(self, options: Any) -> "World":
        """The same moment under other house rules."""
        return World(replace(self.state, options=options), self.counts)


class Draw(NamedTuple):
    """A draw of luck: of which kind and its number among those, what from and how much of it, and what came."""

    kind: str
    number: int
    population: tuple[Any, ...]
    size: int
    outcome: tuple[Any, ...]


class Redecided(NamedTuple):
    """What a decision comes to; nothing but a world where a branch goes on from a state that it was given."""

    world: World
    draws: tuple[Draw, ...] = ()
    new_events: tuple[NewEvent, ...] = ()


class _NotedLuck(Luck):
    """The table's own luck, which notes what it draws."""

    def __init__(self, table: Table, before: Mapping[str, int]) -> None:
        super().__init__(*table.luck_source, before)
        self._counts, self.draws = before, list[Draw]()

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        number = self._counts.get(kind, 0) + self.drawn.get(kind, 0)
        found = super().__call__(kind, population, count)
        self.draws.append(Draw(kind, number, tuple(population), count, found))
        return found


class Decider:
    """Takes the decisions of one table, each with the luck that the table has for it."""

    def __init__(self, table: Table) -> None:
        self.table, self.game = table, table.game

    def options(self, named: Mapping[str, Any]) -> Any:
        """House rules as the game has them; raises `OptionsRefused`."""
        return self.game.read_options(named, self.table.opened.players)

    def begin(self, options: Any) -> Redecided:
        """The start of the game; of a branch the state that it goes on from."""
        fork = self.table.fork
        if fork is None:
            return self._decide({}, lambda luck: self.game.start(self.table.opened.players, options, luck))
        return Redecided(World(msgspec.convert(fork.state or {}, self.game.state_type), fork.draws).under(options))

    def play(self, world: World, seat: int, move: Any) -> Redecided:
        """A move of a seat, as it is sent; raises `MoveRefused`."""
        read = self.game.read_move(move)
        return self._decide(world.counts, lambda luck: self.game.play(world.state, seat, read, luck))

    def _decide(self, counts: dict[str, int], decide: Callable[[Luck], Transition[Any]]) -> Redecided:
        luck = _NotedLuck(self.table, counts)
        turn = decide(luck)
        return Redecided(World(turn.state, more(counts, luck.drawn)), tuple(luck.draws), new_events_of(self.game, turn))


# What a replay finds


class Divergence(msgspec.Struct, frozen=True):
    """The first event that comes out otherwise: `recorded` or `decided` is null where there is no event."""

    version: int
    type: str
    rules: tuple[str, ...]
    recorded: dict[str, Any] | None
    decided: dict[str, Any] | None


class Stop(msgspec.Struct, frozen=True):
    """Where the recorded moves cannot go on: the move recorded at `version` is refused by `rule`."""

    version: int
    seat: int
    rule: str
    detail: str


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of deciding again. `counterfactual_from` is the version from which on it is another world.

    `fault` is what `replay` was told by whoever looked at each batch as a whole.
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
        """Whether every decision came out as recorded."""
        return self.divergence is None and self.stop is None


class _Run:
    """The game, decided once more batch by batch, in one world: as recorded, or under other house rules."""

    def __init__(self, table: Table, options: Mapping[str, Any]) -> None:
        self.game, self._other, self._decider = table.game, options, Decider(table)
        self.options = self._decider.options({**table.opened.options, **options})
        if table.fork and (name := reshaped(table.game, table.opened.options, options)):
            raise OptionsRefused(name, f"`{name}` shaped the set-up, which a branch goes on from")
        self.world = self.returned = World(None, {})
        self._worlds: dict[int, World] = {}  # by the last version of the batch that led there
        self.draws: list[Draw] = []  # of the last batch
        self.populations: dict[tuple[str, int], tuple[Any, ...]] = {}
        self.acting = 0
        self.counts: list[int] = []  # the events of each decision

    def take(self, batch: Batch) -> list[NewEvent]:
        """The events that the batch's decisions lead to here; raises `MoveRefused`."""
        self.draws = []
        new_events: list[NewEvent] = []
        if batch.correction:
            self._go_back(batch.correction)
        elif not batch.moves:
            new_events += self._went_on(self._decider.begin(self.options))
        for self.acting, move in batch.moves:
            new_events += self._went_on(self._decider.play(self.world, self.acting, move))
        self._worlds[batch.last] = self.world
        self.counts.append(len(new_events))
        return new_events

    def _went_on(self, decided: Redecided) -> tuple[NewEvent, ...]:
        """The decision's events; its world is now this one, and its draws are noted."""
        self.world = decided.world
        self.draws += decided.draws
        self.populations |= {(draw.kind, draw.number): (draw.population, draw.size) for draw in decided.draws}
        return decided.new_events

    def _go_back(self, correction: Recorded) -> None:
        """A correction is an input: what it amends holds in every world, unless the world has it otherwise."""
        payload = correction.payload
        world = self._worlds[max(version for version in self._worlds if version <= payload["to"])]
        in_force = msgspec.to_builtins(self.options) | payload["options"] | dict(self._other)
        self.options = self._decider.options(in_force)
        self.world = self.returned = world.under(self.options)


Rerun = Callable[[Batch, TableHistory | None], str | None]
"""Makes a whole batch again, given the table before it: what is wrong with it, in words, or None."""


def replay(history: TableHistory, options: Mapping[str, Any] | None = None, rerun: Rerun | None = None) -> Report:
    """Takes every recorded decision again; raises `OptionsRefused` for house rules that the game does not know.

    Under today's rules the decisions are compared with the record itself; under other house rules with the recorded
    ones taken again, as far as they draw. `rerun` is asked about each batch whose decisions come out as recorded, up
    to the first fault: the game knows nothing of who may move, of clocks or of disputes.
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
            before = _grown(before, batch)
    return _report(here, recorded, history, (divergence, stop, fault))


def _report(
    here: _Run, recorded: _Run, history: TableHistory, found: tuple[Divergence | None, Stop | None, str | None]
) -> Report:
    """What was found, and what the decisions come to."""
    table, state, (divergence, stop, fault) = history.table, here.world.state, found
    divergence = divergence or _revealed_otherwise(history)
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


def _grown(before: TableHistory | None, batch: Batch) -> TableHistory:
    """A history with the next batch."""
    after = fold(before.table if before else None, batch.events)
    if after is None:
        raise ValueError("a batch has events")
    marks = before.marks if before else ()
    far = after.version >= (marks[-1].version if marks else 0) + MARK
    return TableHistory((before.events if before else ()) + batch.events, after, (*marks, after) if far else marks)


def _compared(batch: Batch, here: _Run, recorded: _Run) -> tuple[Divergence | None, Stop | None]:
    """The first difference between a batch and its decisions here, and where these cannot be taken."""
    played, other = batch.played, recorded is not here
    version = played[0].version if played else batch.last
    if other:
        recorded.take(batch)
    try:
        decided = here.take(batch)
    except MoveRefused as refusal:
        return None, Stop(version, here.acting, refusal.rule, refusal.detail)
    if not other:
        found = _returned_otherwise(batch.correction, here) if batch.correction else _drawn_otherwise(batch, here)
        if found:
            return found, None
    was = [as_of_today(here.game, event) for event in played]
    return compare(version, was, decided, ignore_options=other), None


def _scores(table: Table, state: Any) -> Any:
    return None if state is None else msgspec.to_builtins(table.game.scores(state))


def compare(
    version: int, recorded: Sequence[NewEvent], decided: Sequence[NewEvent], *, ignore_options: bool
) -> Divergence | None:
    """The first event, from that version on, that is not the recorded one, value for value."""
    for number, pair in enumerate(zip_longest(recorded, decided), version):
        was, now = (event_row(event) if event else None for event in pair)
        if _differ(was, now) and not (ignore_options and _only_options_differ(was, now)):
            either: dict[str, Any] = now or was or {}
            return Divergence(number, either["type"], tuple(either["payload"].get("rules", ())), was, now)
    return None


def _differ(was: Any, now: Any) -> bool:
    """Whether two events are not the same bytes: what was read from JSON has lists where decisions have tuples."""
    return canonical(was) != canonical(now)


def _drawn_otherwise(batch: Batch, run: _Run) -> Divergence | None:
    """Luck was drawn more or less often than the record says; a correction says which counts it leads to."""
    draws = batch.events[0].envelope.draws
    drawn = dict(Counter(draw.kind for draw in run.draws))
    if drawn == draws:
        return None
    version, kind = next(((e.version, e.envelope.type) for e in batch.played), (batch.last, "PlayContinued"))
    return Divergence(version, kind, (), {"draws": draws}, {"draws": drawn})


def _revealed_otherwise(history: TableHistory) -> Divergence | None:
    """The seed that is revealed in the end is not the one that the first event committed to."""
    seed = history.table.opened.seed
    for event in history.events:
        if event.envelope.type == "SeedRevealed" and event.payload != {"seed": seed}:
            was = {"type": "SeedRevealed", "payload": event.payload, "readers": event.envelope.readers}
            return Divergence(event.version, "SeedRevealed", (), was, {"payload": {"seed": seed}})
    return None


def _returned_otherwise(correction: Recorded, run: _Run) -> Divergence | None:
    """Play goes on from another state, or with other draws, than it had been led to at the version it went back to."""
    payload = correction.payload
    was = {"state": payload["state"], "draws": payload["draws"]}
    now = {"state": msgspec.to_builtins(run.returned.state), "draws": run.world.counts}
    return Divergence(correction.version, "PlayTakenBack", (), was, now) if _differ(was, now) else None


def event_row(event: NewEvent) -> dict[str, Any]:
    """An event as a report shows it."""
    return {"type": event.type, "payload": event.payload, "readers": event.readers}


def _only_options_differ(was: dict[str, Any] | None, now: dict[str, Any] | None) -> bool:
    """Of `GameStarted`, which states the house rules themselves."""
    if was is None or now is None:
        return False
    bare = [new_event | {"payload": new_event["payload"] | {"options": None}} for new_event in (was, now)]
    return was["type"] == "GameStarted" and not _differ(*bare)
