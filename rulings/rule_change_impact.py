"""What a change of the rules or of the code would have done to a game already played.

Each recorded decision is decided again from the state that the record led to, so a difference counts for the decision
that it is in, and for none that follow. What would have followed is hypothetical: the players decided in another
situation. `rulings.replay` plays on from the first difference, for the scores.

Most decisions come out as they were recorded. So events are compared as structs, and their chain is not checked.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from itertools import zip_longest
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from events.archiving.packing import Packed, PackedBatch
from events.canonical import canonical
from events.lifecycle import TableForked, TableOpened
from events.verifiable_luck import Luck
from games import GAMES
from games.house_rules import reshaped
from games.kernel import Event, MoveRefused, OptionsRefused, Transition
from games.payloads import event_type, payload_of
from projections.event_conversion import read_event
from projections.folding import FAULTS, more
from projections.history import TableHistory
from rulings.archive_format import ArchiveRefused
from rulings.replay import UNCORRECTED, Divergence, Report, Stop, corrected_moves, replay

OPENINGS: dict[str, type[TableOpened]] = {"TableOpened": TableOpened, "TableForked": TableForked}


class Impact(msgspec.Struct, frozen=True):
    """The result for one table: how many of its decisions differ, by rule, and the first that does by version.

    From `hypothetical_from` on, the scores are hypothetical; `stop` tells where the recorded moves cannot go on.
    `scores` and `winners` tell whether those differ, null if play cannot go on to the end.
    """

    table: str
    game: str
    ended_at: str
    decisions: int
    differing: int
    rules: dict[str, int]
    firsts: dict[str, int]
    divergence: Divergence | None = None
    stop: Stop | None = None
    hypothetical_from: int | None = None
    scores: bool | None = False
    winners: bool | None = False


class NotDecided(msgspec.Struct, frozen=True):
    """A table that was left out, and why."""

    table: str
    reason: str


Row = tuple[Event, dict[str, list[int]]]  # an event of the game, read as of today, and who may read which secret


class _Batch(NamedTuple):
    """A recorded batch with its events of the game, the versions of the first of all and of these, and its draws."""

    batch: PackedBatch
    first: int
    played: int
    rows: list[Row]
    drawn: dict[str, int]


class _Record:
    """A table's record, gone through once: after each batch the state that it led to, under these house rules."""

    def __init__(self, columns: Packed, options: Mapping[str, Any]) -> None:
        self._columns, self._asked = columns, options
        opened = read_event(OPENINGS[columns.type[0]], columns.schema[0], columns.payload[0])
        self.game, self._opened = GAMES[opened.game], opened
        self._fork = opened if isinstance(opened, TableForked) else None
        if self._fork and (name := reshaped(self.game, opened.options, options)):
            raise OptionsRefused(name, f"`{name}` shaped the set-up that the branch started from")
        self._options = self._in_force(opened.options)
        self._state: Any = None
        self._contributions: list[str | None] = [None] * opened.players
        self._counts = self._fork.draws if self._fork else {}
        self._counts_at = {0: self._counts}  # by the last version of a batch
        self.decisions = 0

    def _in_force(self, recorded: Mapping[str, Any]) -> Any:
        return self.game.read_options({**recorded, **self._asked}, self._opened.players)

    def differences(self) -> Iterator[tuple[int, str]]:
        """Yields each decision that comes out otherwise: the version of its first difference, and the rule there."""
        version = 1
        for batch in self._columns.batches:
            found = self._read(batch, version)
            version += batch.events
            types = self._columns.type[found.first - 1 : version - 1]
            if "PlayContinued" in types and self._fork:
                state = msgspec.convert(self._fork.state or {}, self.game.state_type)
                self._state = replace(state, options=self._options)
            elif "PlayTakenBack" in types:
                found = self._go_back(found, self._columns.payload[found.first - 1 + types.index("PlayTakenBack")])
            if found.rows:
                yield from self._decide(found)
            self._counts_at[version - 1] = self._counts = more(self._counts, found.drawn)

    def _read(self, batch: PackedBatch, first: int) -> _Batch:
        columns, rows, played = self._columns, list[Row](), first
        for index in range(first - 1, first - 1 + batch.events):
            payload = columns.payload[index]
            if kind := self.game.kinds.get(columns.type[index]):
                played = played if rows else index + 1
                rows.append((read_event(kind, columns.schema[index], payload), columns.readers[index]))
            elif columns.type[index] == "SeatTaken":
                self._contributions[payload["seat"] - 1] = payload.get("contribution")
        return _Batch(batch, first, played, rows, batch.draws)

    def _go_back(self, found: _Batch, payload: Mapping[str, Any]) -> _Batch:
        """Goes back to an earlier state, and returns the batch with the draws of the moves that it plays again."""
        self._options = self._in_force(msgspec.to_builtins(self._options) | payload["options"])
        self._state = replace(msgspec.convert(payload["state"], self.game.state_type), options=self._options)
        self._counts = self._counts_at[max(version for version in self._counts_at if version <= payload["to"])]
        drawn = {kind: count - self._counts.get(kind, 0) for kind, count in payload["draws"].items()}
        return found._replace(drawn={kind: count for kind, count in drawn.items() if count})

    def _decide(self, found: _Batch) -> Iterator[tuple[int, str]]:
        """Decides a batch again, and goes on from what was recorded."""
        self.decisions += 1
        recorded = [event for event, _ in found.rows]
        luck = Luck(*self._luck_source(), self._counts)
        try:
            turns = list(self._turns(found, luck))
        except MoveRefused as refusal:
            yield found.played, refusal.rule
        else:
            difference = self._difference(found, turns, luck)
            if difference is None:
                self._state, recorded = turns[-1].state, []
            else:
                yield difference
        if recorded:
            self._state = replace(reduce(self.game.evolve, recorded, self._state), options=self._options)

    def _luck_source(self) -> tuple[str, Sequence[str | None]]:
        if self._fork and self._fork.parent_seed is not None:
            return self._fork.parent_seed, self._fork.contributions
        return str(self._opened.seed), self._contributions

    def _turns(self, found: _Batch, luck: Luck) -> Iterator[Transition[Any]]:
        """Yields what follows from each move of a batch, or from the start; raises `MoveRefused`."""
        sealed, state = found.batch.sealed, self._state
        if "move" in sealed:
            yield self._play(state, found.batch.by["seat"], sealed["move"], luck)
        elif "again" in sealed:
            columns, after = self._columns, found.first - 1 + found.batch.events
            named = zip(columns.type[found.first - 1 : after], columns.payload[found.first - 1 : after], strict=True)
            corrected = corrected_moves(self.game, (row for type_, row in named if type_ == "RulingCorrected"))
            for number, made in enumerate(sealed["again"]):
                turn = self._play(state, made["seat"], made["move"], luck, corrected.get(number, UNCORRECTED))
                state = turn.state
                yield turn
        else:
            yield self.game.start(self._opened.players, self._options, luck)

    def _play(self, state: Any, seat: int, move: Any, luck: Luck, corrected: Any = UNCORRECTED) -> Transition[Any]:
        read = self.game.read_move(move)
        if corrected:
            with suppress(ValueError):
                return self.game.play(state, seat, read, luck, corrected)
        return self.game.play(state, seat, read, luck)

    def _difference(self, found: _Batch, turns: Sequence[Transition[Any]], luck: Luck) -> tuple[int, str] | None:
        """Returns the version and the rule of the first event that differs from the recorded ones."""
        steps = [(before, event) for turn in turns for before, event, _ in turn.steps]
        for number, (was, step) in enumerate(zip_longest(found.rows, steps), found.played):
            if was is None or step is None or not self._same(*was, *step):
                return number, _rule(step[1] if step else was[0] if was else None)
        if not self._asked and luck.drawn != found.drawn:
            return found.played, "draws"
        return None

    def _same(self, was: Event, may_read: Mapping[str, Sequence[int]], before: Any, now: Event) -> bool:
        """Whether an event is as it was recorded. A game starts alike under other house rules if it is dealt alike."""
        if self._asked and before is None and type(now) is type(was):
            now = replace(now, options=was.options)  # type: ignore[attr-defined]
        readers = self.game.readers(before, now)
        if (readers or may_read) and {name: list(seats) for name, seats in readers.items()} != may_read:
            return False
        # Lists stand where a decision has tuples in fields of any type.
        return now == was or (type(now) is type(was) and canonical(payload_of(now)) == canonical(payload_of(was)))


def _rule(event: Event | None) -> str:
    """Returns the rule that an event names first, else its type."""
    rules = getattr(event, "rules", ())
    return rules[0] if rules else event_type(event)


def impact(columns: Packed, options: Mapping[str, Any], history: Callable[[], TableHistory]) -> Impact | NotDecided:
    """Decides the decisions of a finished table again, also under other house rules; those it lacks are left out.

    `history` reads the whole table, which is needed only if something differs.
    """
    table = columns.table
    try:
        known = {option.name for option in GAMES[columns.payload[0]["game"]].options}
        asked = {name: value for name, value in options.items() if name in known}
        record = _Record(columns, asked)
        found = list(record.differences())
        report = replay(history(), asked) if found else None
    except (OptionsRefused, ArchiveRefused, *FAULTS) as error:
        return NotDecided(table, f"{type(error).__name__}: {error}")
    firsts: dict[str, int] = {}
    for version, rule in found:
        firsts.setdefault(rule, version)
    own = Impact(
        table,
        record.game.slug,
        columns.batches[-1].at,
        record.decisions,
        len(found),
        dict(Counter(rule for _, rule in found)),
        firsts,
    )
    return _with_what_follows(own, report) if report else own


def _with_what_follows(found: Impact, report: Report) -> Impact:
    """Adds how the game would have gone on."""
    was, now = report.scores_recorded, report.scores_decided
    over = report.over and report.stop is None
    return replace(
        found,
        divergence=report.divergence,
        stop=report.stop,
        hypothetical_from=report.counterfactual_from,
        scores=was != now if over else None,
        winners=was["winners"] != now["winners"] if over else None,
    )
