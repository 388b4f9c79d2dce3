"""Audits a table's record: chain and commitments, draws and decisions."""

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any, Protocol

import msgspec

from events.canonical import canonical
from events.lifecycle import TableForked
from events.recorded import chain_faults
from games.kernel import OptionsRefused
from projections.history import TableHistory, past_rows
from projections.table import Table
from rulings.replay import Divergence, Report, replay
from service.accounts.callers import Caller
from service.errors import Refused, option_refused
from service.tables.forks import past_of
from service.tables.playing import seed_of_choice
from service.tables.rerun import Reruns
from service.tables.viewing import Viewer, arbitrates, reach

MOST_FAULTS = 20  # told of one table


class Sample(Protocol):
    """AI moves that were recomputed: their versions, and those that came out differently."""

    @property
    def different(self) -> tuple[int, ...]: ...


def audit(
    history: TableHistory, viewer: Viewer, *, parent: TableHistory | None = None, sampled: Sample | None = None
) -> dict[str, Any]:
    """The report: what was checked and what does not hold. While there are secrets it says where, not what.

    Only a record that holds is replayed: what was altered decides nothing. Before the end of the game what is wrong
    with a batch would tell secrets. A branch is held against its `parent`, if that is given. `sampled` are AI moves
    that were computed again, none while the game is on.
    """
    table, (faults, report) = history.table, _checked(history)
    strays = list(origin_faults(table, parent)) if parent and not faults else []
    return {
        "table": table.id,
        "version": table.version,
        "head": table.head.hash.hex(),
        "holds": not any((faults, strays, sampled and sampled.different, report and not report.same)),
        "chain": {"events": len(history.events), "faults": faults},
        "origin": {"checked": parent is not None, "faults": strays} if table.fork else None,
        "commitments": sum(len(event.sealed) for event in history.events),
        **_decisions(report, viewer),
        "ai_moves": msgspec.to_builtins(sampled) if sampled else None,
    }


def _checked(history: TableHistory) -> tuple[list[str], Report | None]:
    """What is wrong with the record, and what its replay came to, if its chain holds."""
    faults = list(islice(chain(chain_faults(history.events), seed_faults(history)), MOST_FAULTS))
    if faults:
        return faults, None
    report = replay(history, rerun=Reruns() if history.table.over else None)
    return [report.fault] if report.fault else [], report


def _decisions(report: Report | None, viewer: Viewer) -> dict[str, Any]:
    """What the report says of the decisions taken again."""
    if report is None:
        return {"draws": 0, "decisions": 0, "divergence": None, "stop": None}
    return {
        "draws": report.draws_recorded + report.draws_other,
        "decisions": report.moves,
        "divergence": msgspec.to_builtins(report.divergence if viewer.over else _untold(report.divergence)),
        "stop": msgspec.to_builtins(report.stop) if viewer.over else None,
    }


def origin_faults(table: Table, parent: TableHistory) -> Iterator[str]:
    """False claims of a branch about its parent: version and hash there, its state, its past, its luck."""
    fork = table.fork
    if fork is None or fork.parent != parent.table.id:
        yield f"it is no branch of {parent.table.id}"
        return
    if not 1 <= fork.parent_version <= parent.table.version:
        yield "the parent has no such version"
        return
    if parent.events[fork.parent_version - 1].hash.hex() != fork.parent_head:
        yield f"version {fork.parent_version} of the parent has another hash"
        return
    yield from _beginning_faults(table, fork, parent)


def _beginning_faults(table: Table, fork: TableForked, parent: TableHistory) -> Iterator[str]:
    """Where a branch begins otherwise than its parent was at that version."""
    then = parent.at(fork.parent_version)
    options = then.game.read_options(table.opened.options, table.opened.players)
    state = msgspec.to_builtins(msgspec.structs.replace(then.state, options=options))
    told = [fork.state, past_rows(table)]
    if not fork.dealt_anew and canonical([state, past_of(parent, then.version, None)]) != canonical(told):
        yield f"it does not begin as the parent was at version {then.version}"
    if fork.parent_seed is not None and (fork.parent_seed, fork.contributions, fork.draws) != (
        *then.luck_source,
        then.draws,
    ):
        yield "its luck is not that of the parent"


def seed_faults(history: TableHistory) -> Iterator[str]:
    """The AI moves whose seed is not the one that follows from the table's."""
    for event in history.events:
        if "ai_seed" in event.sealed:
            expected = seed_of_choice(history.table, event.envelope.request)
            if event.sealed["ai_seed"].value != expected:
                yield f"version {event.version}: `ai_seed` does not follow from the table's seed"


def _untold(divergence: Divergence | None) -> Divergence | None:
    """Where the first difference is, and not what it is."""
    return divergence and msgspec.structs.replace(divergence, recorded=None, decided=None)


def receipt_holds(history: TableHistory, version: int, hash_hex: str) -> bool:
    """Whether the log still holds the event of a receipt."""
    return 1 <= version <= history.table.version and history.events[version - 1].hash.hex() == hash_hex


def readjudicate(history: TableHistory, caller: Caller, options: Mapping[str, Any]) -> Report:
    """The table decided again under other house rules.

    While the game runs only for an arbiter who looks through every seat in an open dispute, and only up to the move
    that led to the disputed ruling: what was decided there otherwise is told by its place alone.
    """
    table = history.table
    if table.state is None:
        raise Refused("table_not_started", "nothing has been decided at this table yet")
    try:
        if table.over:
            return replay(history, options)
        report = replay(history.until(_decided_until(history, caller)), options)
        return msgspec.structs.replace(report, divergence=_untold(report.divergence))
    except OptionsRefused as refusal:
        raise option_refused(refusal) from None


def _decided_until(history: TableHistory, caller: Caller) -> int:
    """The last version that an arbiter with a look through every seat may have decided again; raises `Refused`."""
    table = history.table
    if not arbitrates(table, caller) or table.seat_of(caller.id) is not None:
        raise Refused("not_allowed", "while the game runs only its arbiter, without a seat, may ask that")
    reached = [reach(table, caller, seat.seat) for seat in table.seats]
    until = min((version or 0 for version in reached), default=0)
    if not until:
        raise Refused("not_allowed", "it takes every hand: first look through each seat, while the dispute is open")
    return history.events[until - 1].envelope.batch[1]
