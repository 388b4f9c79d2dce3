"""What has to hold of the log after any faults, each check a generator of what is wrong."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import groupby
from typing import Protocol

import msgspec

from events.envelopes import Recorded, event_as_read
from events.log import PARTITIONS, LogDamaged
from events.store import RedisLog, connect
from events.verify import API_FIELDS, faults
from projections.due_timers import TimerName, all_timers
from projections.folding import fold
from projections.history import TableHistory
from tests.chaos.client import Sent


class OfALog(Protocol):
    """A log, and the events of some of its tables."""

    @property
    def log(self) -> RedisLog: ...

    @property
    def tables(self) -> Mapping[str, tuple[Recorded, ...]]: ...


class Kept:
    """What the store holds of the tables that the clients opened, read without the service."""

    def __init__(self, url: str, sent: list[Sent]) -> None:
        self.sent = sent
        self.log = RedisLog(connect(url), PARTITIONS)
        self.opened = [request.answer for request in sent if request.path == "/v1/tables"]
        self.moves = [request for request in sent if request.path.endswith("/moves")]

    def close(self) -> None:
        """Ends the connection."""
        self.log.client.close()

    def is_settled(self) -> bool:
        """Whether no AI seat has anything to play any more: tables are only waited for until they are abandoned."""
        return all(TimerName.read(entry.member).kind == "idle" for entry in all_timers(self.log))

    def written(self) -> int:
        """How many batches the log holds: a number that grows as long as something happens."""
        return sum(self.log.feed_ends().values())

    @cached_property
    def tables(self) -> dict[str, tuple[Recorded, ...]]:
        """The events of every table, read once everything has settled."""
        return {table["id"]: self.log.read(table["id"]) for table in self.opened}

    def history(self, table: str) -> TableHistory:
        """A table folded from its events."""
        folded = fold(None, self.tables[table])
        assert folded is not None
        return TableHistory(self.tables[table], folded)


def batches(events: tuple[Recorded, ...]) -> Iterator[tuple[Recorded, ...]]:
    """The events in their batches."""
    for _, group in groupby(events, key=lambda event: event.envelope.batch):
        yield tuple(group)


def lost_events(kept: Kept) -> Iterator[str]:
    """Every acknowledged version of a table is in the log, with the hash that was acknowledged."""
    acknowledged = [(opened["id"], opened["version"], opened["hash"]) for opened in kept.opened]
    acknowledged += [tuple(move.answer["receipt"].values()) for move in kept.moves]
    for table, version, event_hash in acknowledged:
        events = kept.tables[table]
        if len(events) < version or events[version - 1].hash.hex() != event_hash:
            yield f"{table}: version {version} was acknowledged and is lost"


def broken_chains(kept: Kept) -> Iterator[str]:
    """Every event fits its hash, and every secret its commitment; the head is the last of them."""
    for table, events in kept.tables.items():
        yield from (f"{table}: {fault}" for fault in faults(event_as_read(event, None, over=True) for event in events))
        if kept.log.head(table) != kept.history(table).table.head:
            yield f"{table}: the head is not the last event"


def torn_batches(kept: OfALog) -> Iterator[str]:
    """Every batch is there from its first event to its last, one behind the other."""
    for table, events in kept.tables.items():
        spans = [(group[0].version, group[-1].version) for group in batches(events)]
        told = [group[0].envelope.batch for group in batches(events)]
        if spans != told:
            yield f"{table}: a batch is torn"


def gaps_in_feeds(kept: OfALog) -> Iterator[str]:
    """Feeds are numbered without gaps, and tell of every batch of every table once, in order."""
    told: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for partition in range(PARTITIONS):
        try:
            pointers = list(kept.log.feed(partition, 0, 1_000_000))
        except LogDamaged as damage:
            yield str(damage)
            continue
        if [pointer.position for pointer in pointers] != list(range(1, len(pointers) + 1)):
            yield f"partition {partition}: the feed has a gap"
        for pointer in pointers:
            told[pointer.table].append((pointer.first, pointer.last))
    for table, events in kept.tables.items():
        if told[table] != [group[0].envelope.batch for group in batches(events)]:
            yield f"{table}: the feed does not tell of its batches"


def answered_twice(kept: Kept) -> Iterator[str]:
    """Every decision is answered once, by its own seat, and every request is recorded once."""
    for table, events in kept.tables.items():
        history = kept.history(table)
        requests: Counter[str | None] = Counter()
        decisions: Counter[str] = Counter()
        for group in batches(events):
            requests[group[0].envelope.request] += 1
            if (seat := group[0].envelope.by.get("seat")) is not None:
                decision = history.at(group[0].version - 1).decision_of(seat)
                decisions[decision.recorded_id if decision else f"none of seat {seat}"] += 1
        for counts in (requests, decisions):
            yield from (f"{table}: {name} was recorded {count} times" for name, count in counts.items() if count > 1)
        yield from (f"{table}: {name} was decided" for name in decisions if name.startswith("none"))


def moves_that_nobody_made(kept: Kept) -> Iterator[str]:
    """A table has as many moves of a person as were acknowledged to him: none is lost and none is added."""
    acknowledged = Counter(move.answer["receipt"]["table"] for move in kept.moves)
    for table, events in kept.tables.items():
        made = sum(group[0].envelope.by.get("player") is not None for group in batches(events[1:])) - _opening(events)
        if made != acknowledged[table]:
            yield f"{table}: {acknowledged[table]} moves were acknowledged, {made} were made"


def _opening(events: tuple[Recorded, ...]) -> int:
    """1 if the first batch has more than one event, else 0: it is caused by a person and no move."""
    return int(events[0].envelope.batch[1] > 1)


def answers_that_differ(kept: Kept) -> Iterator[str]:
    """What a move was answered with is what was recorded, as the seat reads it."""
    for move in kept.moves:
        table, version, _ = move.answer["receipt"].values()
        over = kept.history(table).at(version).over
        recorded = [
            event_as_read(kept.tables[table][row["version"] - 1], 1, over=over) for row in move.answer["events"]
        ]
        answered = [{name: row[name] for name in row if name not in API_FIELDS} for row in move.answer["events"]]
        if msgspec.json.decode(msgspec.json.encode(recorded)) != answered:
            yield f"{table}: the move that led to version {version} was answered with other events"


def lost_turns(kept: Kept) -> Iterator[str]:
    """No AI seat owes a move: tables of AI seats alone are played to their end, at others it is the person's turn."""
    for table in kept.tables:
        now = kept.history(table).table
        if any(now.seats[decision.seat - 1].ai for decision in now.decisions):
            yield f"{table}: an AI turn is lost"
        if now.seats[0].ai and now.closed != "game_over":
            yield f"{table}: it was not played to its end"


Check = Callable[[Kept], Iterator[str]]
OF_THE_LOG: tuple[Check, ...] = (lost_events, broken_chains, torn_batches, gaps_in_feeds, answered_twice)
# where nobody else plays
OF_SEAT_1_ALONE: tuple[Check, ...] = (moves_that_nobody_made, answers_that_differ, lost_turns)
CHECKS = OF_THE_LOG + OF_SEAT_1_ALONE


def faults_of(kept: Kept, repeats: list[tuple[Sent, Sent]]) -> list[str]:
    """All that is wrong: with the log, and with answers to repeated requests that are not the first answers."""
    found = [fault for check in CHECKS for fault in check(kept)]
    different = [first for first, again in repeats if first.answer != again.answer]
    return found + [f"{sent.path}: the repeat of {sent.key} got another answer" for sent in different]
