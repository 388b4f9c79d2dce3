"""Brings tables back: what a source holds behind the end of the store's record is verified, then appended as it was.

Nothing is overwritten: each batch is appended by the script that every move uses, which compares version and hash
first. Whoever is killed begins again, and goes on where the store ends by then.
"""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from events.log import Conflict, LogDamaged, LogUnreadable, RequestReused, malformed
from events.memory import MemoryLog
from events.recorded import Recorded
from events.store import RedisLog
from projections.folding import fold
from projections.history import Histories, History
from service.commands import Request, batch_of
from service.runtime.offline import Source as Table
from service.runtime.offline import kept_in
from service.runtime.recovery.comparing import Finding, State
from service.runtime.recovery.gathering import Gathered
from service.runtime.recovery.holdings import Copy
from service.runtime.verifying import Checks, Status, Verification, decided
from service.tables.ids import wrong_id

# Whoever holds the seed of a table can deal its cards, and play all seats of it otherwise than they did.
MADE_UP = "nothing but what others may have handed in tells of them, and may have made up: --exported if you believe it"

CHANGED = "the source does not hold it any more as it was compared: compare again"


class How(NamedTuple):
    """Where to write, None for not at all; how many AI moves of each table to compute again; whether exports count."""

    log: RedisLog | None
    ai_moves: int
    exported: bool = False


def brought_back(found: Gathered, how: How) -> Iterator[Finding]:
    """Verifies each table that can be brought back, and appends what the store lacks if asked to."""
    sources = {table: name for table, one in sorted(found.comparisons.items()) if (name := one.longest)}
    for name in dict.fromkeys(sources.values()):
        left = {table for table, source in sources.items() if source == name}
        for copy in found.copies(name, set(left)):
            left.discard(copy.table)
            state, told = _brought_back(found, copy, how, name)
            yield Finding(state, copy.table, name, *_span(found, copy.table, name), told)
        for table in sorted(left):
            yield Finding("left", table, name, *_span(found, table, name), CHANGED)


def _span(found: Gathered, table: str, source: str) -> tuple[int, int]:
    compared = found.comparisons[table]
    return compared.store.length + 1, compared.others[source].length


def _brought_back(found: Gathered, copy: Copy, how: How, source: str) -> tuple[State, str]:
    first, last = _span(found, copy.table, source)
    verdict = verified(found, copy, how.ai_moves)
    if verdict.status is not Status.HOLDS:
        return "left", f"versions {first} to {last} do not verify: {'; '.join(verdict.lines)}"
    if found.is_claimed(source) and not how.exported:
        return "left", f"versions {first} to {last} verify, and {MADE_UP}"
    if how.log is None:
        return "ahead", f"versions {first} to {last} verify; --write appends them"
    try:
        if copy.table in found.imported or (found.is_claimed(source) and not how.log.head(copy.table).version):
            how.log.note_imported(copy.table)  # as where an operator imports it: dumps tell
        append(how.log, copy.events, found.requests.get(copy.table, {}))
    except (Conflict, RequestReused, LogUnreadable) as refusal:
        return "left", f"somebody has played on there meanwhile: {refusal}"
    return "restored", f"versions {first} to {last} are in the store again"


def verified(found: Gathered, copy: Copy, ai_moves: int) -> Verification:
    """As `wintercount verify` checks it; a branch against its parent, wherever that is whole."""
    return decided(lambda: _history(copy), Checks(ai_moves, _parent(found, copy.events[0])))


def _history(copy: Copy) -> History:
    known = Histories(MemoryLog(), capacity=1).add(copy.table, copy.events)
    if known is None:
        raise LogDamaged(f"{copy.table} has no first event")
    if (name := wrong_id(known)) is not None:
        raise LogDamaged(f"{name!a} is no name that the service gives to a table or a player")
    return known


def _parent(found: Gathered, first: Recorded) -> Table | None:
    """The parent of a branch: as a source holds it that has more of it than the store, else as the store does."""
    parent, log = first.envelope.payload.get("parent"), found.store.log
    if not isinstance(parent, str):
        return None
    name = found.comparisons[parent].longest if parent in found.comparisons else None
    if name is None:
        return kept_in(log, parent) if log and log.head(parent).version else None
    return lambda: _history_in(found, name, parent)


def _history_in(found: Gathered, source: str, table: str) -> History:
    copy = next(found.copies(source, {table}), None)
    if copy is None:
        raise LogDamaged(f"{table}: {CHANGED}")
    return _history(copy)


def append(log: RedisLog, events: tuple[Recorded, ...], requests: Mapping[str, str]) -> None:
    """Appends what the store lacks, batch by batch, with its requests and what is due; raises as `log.append` does."""
    table = events[0].envelope.table
    head = log.head(table)
    if head.version > len(events) or (head.version and events[head.version - 1].hash != head.hash):
        raise LogDamaged(f"{table} has version {head.place} in the store by now, and another history here")
    before = fold(None, events[: head.version]) if head.version else None
    for _, group in groupby(events[head.version :], key=lambda event: event.envelope.batch):
        batch = tuple(group)
        if fault := malformed(batch):
            raise LogDamaged(f"{table} version {batch[0].version}: a batch that could not have been recorded: {fault}")
        after = fold(before, batch)
        if after is None:
            raise LogDamaged(f"{table} version {batch[0].version} leads to no table")
        log.append(table, batch_of(before, after, batch, _request(batch[0], requests)))
        before = after


def _request(first: Recorded, requests: Mapping[str, str]) -> Request:
    """The request that led to a batch; where nobody kept its fingerprint, a repeat of it is refused."""
    name = first.envelope.request
    kept = requests.get(name, "") if name else ""
    return Request(name, kept.rsplit(":", 2)[0] if kept else "")
