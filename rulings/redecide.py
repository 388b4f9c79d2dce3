"""Decided again: each recorded move of a table is taken once more, under today's rules or under other house rules.

What somebody brought is an input and is taken from the record: moves, corrections, seed and contributions. All else
must follow: `play` is pure, and its luck is a function of the seed (`deciding`). So under today's rules every event
comes out byte for byte as recorded, unless the rules or the code have changed since or the record was altered; the
first event that does not is the divergence. Under other house rules it is where they first make a difference.

Everything behind the first divergence is counterfactual: the players decided in another world. There the recorded
moves are played on as far as they are legal. Luck stays comparable even then: draw number n of a kind is drawn from
the same stream in both worlds (common random numbers; Glasserman and Yao 1992), so it comes out the same wherever the
population is the same.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import Any, NamedTuple

import msgspec

from events.canonical import canonical
from events.lifecycle import PlayTakenBack
from events.recorded import NewEvent, Recorded
from games.house_rules import reshaped
from games.kernel import MoveRefused, OptionsRefused
from games.schemas import state_to_keep, todays_state
from projections.folding import more
from projections.history import History
from projections.recording import all_in_todays_form, new_events_of
from projections.table import Table
from rulings.deciding import Decider, Redecided, World


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


class Report(msgspec.Struct, frozen=True):
    """What came of deciding again. `counterfactual_from` is the version from which on it is another world."""

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

    @property
    def same(self) -> bool:
        """Whether everything came out as recorded."""
        return self.divergence is None and self.stop is None


class RecordedBatch(NamedTuple):
    """What one batch of the log did to the game: its events, the moves that caused them, and where play went back to.

    There are no moves when the game starts or a branch of it goes on, one ordinarily, and some or none after a
    correction.
    """

    last: int
    events: tuple[Recorded, ...]
    moves: tuple[tuple[int, Any], ...]
    draws: dict[str, int]
    back: Recorded | None

    @property
    def version(self) -> int:
        """The first of its events of the game, or its last event if it has none."""
        return self.events[0].version if self.events else self.last

    @property
    def correction(self) -> PlayTakenBack | None:
        """The correction, if the batch is one."""
        return msgspec.convert(self.back.payload, PlayTakenBack) if self.back else None


def batches_of(history: History) -> Iterator[RecordedBatch]:
    """The decisions of the game, in order: its start, the moves, the corrections."""
    kinds = history.table.game.kinds
    for _, group in groupby(history.events, key=lambda event: event.envelope.batch):
        events = tuple(group)
        own = tuple(event for event in events if event.envelope.type in kinds)
        back = next((event for event in events if event.envelope.type == "PlayTakenBack"), None)
        if own or back or any(event.envelope.type == "PlayContinued" for event in events):
            yield RecordedBatch(events[-1].version, own, _moves_of(events[0]), events[0].envelope.draws, back)


def _moves_of(cause: Recorded) -> tuple[tuple[int, Any], ...]:
    if "move" in cause.sealed:
        return ((cause.envelope.by["seat"], cause.sealed["move"].value),)
    again = cause.sealed.get("again")
    return tuple((row["seat"], row["move"]) for row in again.value) if again else ()


class _Run:
    """The game, decided once more batch by batch, in one world: as recorded, or under other house rules."""

    def __init__(self, table: Table, options: Mapping[str, Any]) -> None:
        self.table, self.game, self._other = table, table.game, options
        self._decider = Decider(table)
        self.options = self._decider.options({**table.opened.options, **options})
        if table.fork and (name := reshaped(table.game, table.opened.options, options)):
            raise OptionsRefused(name, f"`{name}` shaped the set-up, which a branch goes on from")
        self.world = World(None, {})
        self.populations: dict[tuple[str, int], tuple[Any, ...]] = {}
        self.acting = 0
        self.before: Any = None
        self.drawn: dict[str, int] = {}
        self.returned: Any = None
        self._worlds: dict[int, World] = {}

    def take(self, batch: RecordedBatch) -> list[NewEvent]:
        """The events that the batch's decisions lead to here; raises `MoveRefused`."""
        if correction := batch.correction:
            self._go_back(correction)
        self.drawn, self.before = {}, self.world.state
        new_events: list[NewEvent] = []
        if not correction and not batch.moves:
            new_events += self._went_on(self._decider.begin(self.options))
        for self.acting, move in batch.moves:
            read = self.game.read_move(move)
            new_events += self._went_on(self._decider.play(self.world, self.acting, read))
        self._worlds[batch.last] = self.world
        return new_events

    def _went_on(self, decided: Redecided) -> Iterator[NewEvent]:
        """The decision's events; its world is now this one, and its draws are noted."""
        self.world = decided.world
        self.drawn = more(self.drawn, decided.drawn)
        self.populations |= {(draw.kind, draw.number): (draw.population, draw.size) for draw in decided.draws}
        return iter(() if decided.transition is None else new_events_of(self.game, decided.transition))

    def _go_back(self, correction: PlayTakenBack) -> None:
        """A correction is an input: what it amends holds in every world, unless the world has it otherwise."""
        world = self._worlds[max(version for version in self._worlds if version <= correction.to)]
        in_force = msgspec.to_builtins(self.options) | correction.options | dict(self._other)
        self.options = self._decider.options(in_force)
        self.world = world.under(self.options)
        self.returned = self.world.state


class _Comparison:
    """The decisions of a table in one world against the record: where they first differ, and where they cannot go on.

    Under today's rules they are compared with the record itself; under other house rules with the recorded decisions
    taken again (`recorded`), as far as they draw.
    """

    def __init__(self, table: Table, options: Mapping[str, Any]) -> None:
        self.here = _Run(table, options)
        self.recorded = _Run(table, {}) if options else self.here
        self.ignores_options = bool(options)
        self.divergence: Divergence | None = None
        self.stop: Stop | None = None
        self.taken: list[int] = []  # the events of each decision

    def take(self, batch: RecordedBatch) -> bool:
        """Whether the batch's decisions could be taken."""
        if self.recorded is not self.here:
            self.recorded.take(batch)
        try:
            decided = self.here.take(batch)
        except MoveRefused as refusal:
            self.stop = Stop(batch.version, self.here.acting, refusal.rule, refusal.detail)
            return False
        self.divergence = self.divergence or self._diverges(batch, decided)
        self.taken.append(len(decided))
        return True

    def _diverges(self, batch: RecordedBatch, decided: Sequence[NewEvent]) -> Divergence | None:
        run = self.here
        if not self.ignores_options:
            found = _drawn_otherwise(batch, run) or _returned_otherwise(batch, run)
            if found:
                return found
        was = list(all_in_todays_form(run.game, batch.events, self.recorded.before))
        return compare(batch.version, was, decided, ignore_options=self.ignores_options)


def redecide(
    history: History, options: Mapping[str, Any] | None = None, tell: Callable[[int], Any] = lambda _: None
) -> Report:
    """Takes every recorded decision again; raises `OptionsRefused` for house rules that the game does not know.

    `tell` is told the number of recorded events of each decision taken.
    """
    compared = _Comparison(history.table, options or {})
    for batch in batches_of(history):
        if not compared.take(batch):
            break
        tell(len(batch.events))
    compared.divergence = compared.divergence or _revealed_otherwise(history)
    return _report(history.table, compared)


def _report(table: Table, compared: _Comparison) -> Report:
    here, taken, divergence, stop = compared.here, compared.taken, compared.divergence, compared.stop
    recorded = compared.recorded.populations
    same = sum(recorded.get(drawn) == population for drawn, population in here.populations.items())
    begins = [found.version for found in (divergence, stop) if found]
    return Report(
        table=table.id,
        game=table.opened.game,
        options=msgspec.to_builtins(here.options),
        moves=max(len(taken) - 1, 0),
        events=sum(taken),
        draws_recorded=same,
        draws_other=len(here.populations) - same,
        divergence=divergence,
        counterfactual_from=min(begins) if begins else None,
        stop=stop,
        over=here.world.state is not None and not here.game.to_act(here.world.state),
        scores_recorded=msgspec.to_builtins(table.game.scores(table.state)),
        scores_decided=msgspec.to_builtins(here.game.scores(here.world.state)),
    )


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


def _drawn_otherwise(batch: RecordedBatch, run: _Run) -> Divergence | None:
    """Luck was drawn more or less often than the record says; a correction tells the counts that it leads to."""
    if batch.back or run.drawn == batch.draws:
        return None
    first = batch.events[0] if batch.events else None
    kind = first.envelope.type if first else "PlayContinued"
    return Divergence(batch.version, kind, (), {"draws": batch.draws}, {"draws": run.drawn})


def _revealed_otherwise(history: History) -> Divergence | None:
    """The seed that is told in the end is not the one that the first event committed to."""
    seed = history.table.opened.seed
    for event in history.events:
        if event.envelope.type == "SeedRevealed" and event.payload != {"seed": seed}:
            was = {"type": "SeedRevealed", "payload": event.payload, "readers": event.envelope.readers}
            return Divergence(event.version, "SeedRevealed", (), was, {"payload": {"seed": seed}})
    return None


def _returned_otherwise(batch: RecordedBatch, run: _Run) -> Divergence | None:
    """Play goes on from another state, or with other draws, than it had been led to at the version it went back to."""
    if batch.back is None:
        return None
    payload = batch.back.payload
    was = {"state": todays_state(run.game, payload["state"]), "draws": payload["draws"]}
    now = {"state": state_to_keep(run.game, run.returned), "draws": run.world.counts}
    return Divergence(batch.back.version, "PlayTakenBack", (), was, now) if _differ(was, now) else None


def event_row(event: NewEvent) -> dict[str, Any]:
    """An event as a report tells it."""
    return {"type": event.type, "payload": event.payload, "readers": event.readers}


def _only_options_differ(was: dict[str, Any] | None, now: dict[str, Any] | None) -> bool:
    """Of `GameStarted`, which states the house rules themselves."""
    if was is None or now is None:
        return False
    bare = [new_event | {"payload": new_event["payload"] | {"options": None}} for new_event in (was, now)]
    return was["type"] == "GameStarted" and not _differ(*bare)
