"""Decided again: each recorded move of a table is taken once more, under today's rules or under other house rules.

The recorded seed draws again what was drawn: a draw has a stream of its own, named by its kind and number, so that the
outcome is the recorded one wherever the population is the same, and one from the table's own stream elsewhere.
Everything behind the first divergence is counterfactual: the players decided in another world.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

import msgspec

from events.luck import Luck
from events.recorded import Recorded
from games.kernel import Game, MoveRefused, Turn
from games.reading import event_type, payload_of
from projections.history import History
from projections.table import Table, more

T = TypeVar("T")
Drawn = tuple[str, int]  # the kind of a draw, and its number among those of its kind


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


class Batch(NamedTuple):
    """Events that one decision caused: the game's own among them, and the move if it was one."""

    version: int
    events: tuple[Recorded, ...]
    seat: int | None
    move: Any


def batches_of(history: History) -> Iterator[Batch]:
    """The decisions of the game, in order: its start, then the moves."""
    kinds = {str(kind.__struct_config__.tag) for kind in history.table.game.EVENTS}
    for _, group in groupby(history.events, key=lambda event: event.envelope.batch):
        events = tuple(group)
        own = tuple(event for event in events if event.envelope.type in kinds)
        if own:
            move = events[0].sealed.get("move")
            yield Batch(own[0].version, own, events[0].envelope.by.get("seat"), move.value if move else None)


class _Notes(Luck):
    """Luck that notes from which populations it drew."""

    def __init__(self, table: Table, before: dict[str, int], notes: dict[Drawn, tuple[Any, ...]]) -> None:
        contributions = [seat.contribution for seat in table.seats]
        super().__init__(str(table.opened.seed), contributions, before)
        self._counts, self._notes = before, notes

    def __call__(self, kind: str, population: Sequence[T], count: int) -> tuple[T, ...]:
        number = self._counts.get(kind, 0) + self.drawn.get(kind, 0)
        self._notes[kind, number] = (tuple(population), count)
        return super().__call__(kind, population, count)


class _Run:
    """The game, decided once more batch by batch, in one world: as recorded, or under other house rules."""

    def __init__(self, table: Table, options: Mapping[str, Any]) -> None:
        self.table, self.game = table, table.game
        self.options = self.game.read_options({**table.opened.options, **options}, table.opened.players)
        self.state: Any = None
        self.before: Any = None
        self.counts: dict[str, int] = {}
        self.populations: dict[Drawn, tuple[Any, ...]] = {}

    def take(self, batch: Batch) -> Turn:
        """The turn that the batch's decision leads to here; raises `MoveRefused`."""
        luck = _Notes(self.table, self.counts, self.populations)
        if batch.seat is None:
            turn = self.game.start(self.table.opened.players, self.options, luck)
        else:
            turn = self.game.play(self.state, batch.seat, self.game.read_move(batch.move), luck)
        self.before, self.state = self.state, turn.state
        self.counts = more(self.counts, luck.drawn)
        return turn


def redecide(
    history: History, options: Mapping[str, Any] | None = None, tell: Callable[[int], Any] = lambda _: None
) -> Report:
    """Takes every recorded decision again; raises `OptionsRefused` for house rules that the game does not know.

    `tell` is told the number of recorded events of each decision taken.
    """
    here = _Run(history.table, options or {})
    recorded = _Run(history.table, {}) if options else here
    divergence: Divergence | None = None
    stop: Stop | None = None
    taken: list[int] = []
    for batch in batches_of(history):
        if recorded is not here:
            recorded.take(batch)
        try:
            turn = here.take(batch)
        except MoveRefused as refusal:
            stop = Stop(batch.version, batch.seat or 0, refusal.rule, refusal.detail)
            break
        divergence = divergence or compare(here, batch, turn, ignore_options=bool(options))
        taken.append(len(turn.events))
        tell(len(batch.events))
    return _report(history.table, here, recorded.populations, taken, (divergence, stop))


def _report(
    table: Table,
    here: _Run,
    recorded: Mapping[Drawn, tuple[Any, ...]],
    taken: list[int],
    found: tuple[Divergence | None, Stop | None],
) -> Report:
    divergence, stop = found
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
        over=here.state is not None and not here.game.to_act(here.state),
        scores_recorded=msgspec.to_builtins(table.game.scores(table.state)),
        scores_decided=msgspec.to_builtins(here.game.scores(here.state)),
    )


def compare(run: _Run, batch: Batch, turn: Turn, *, ignore_options: bool) -> Divergence | None:
    """The first event of a turn that is not the recorded one, value for value."""
    decided = list(facts(run.game, run.before, turn))
    for number in range(max(len(decided), len(batch.events))):
        was = _fact(batch.events[number]) if number < len(batch.events) else None
        now = decided[number] if number < len(decided) else None
        if was != now and not (ignore_options and was and now and _only_options_differ(was, now)):
            either: dict[str, Any] = now or was or {}
            rules = tuple(either["payload"].get("rules", ()))
            return Divergence(batch.version + number, either["type"], rules, was, now)
    return None


def facts(game: Game, state: Any, turn: Turn) -> Iterator[dict[str, Any]]:
    """The turn's events as they would be recorded."""
    for event in turn.events:
        readers = {name: list(seats) for name, seats in game.readers(state, event).items()}
        yield {"type": event_type(event), "payload": payload_of(event), "readers": readers}
        state = game.evolve(state, event)


def _fact(event: Recorded) -> dict[str, Any]:
    return {"type": event.envelope.type, "payload": event.payload, "readers": event.envelope.readers}


def _only_options_differ(was: dict[str, Any], now: dict[str, Any]) -> bool:
    """Of `GameStarted`, which states the house rules themselves."""
    bare = [fact | {"payload": fact["payload"] | {"options": None}} for fact in (was, now)]
    return was["type"] == "GameStarted" and bare[0] == bare[1]
