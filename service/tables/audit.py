"""Audits a table's record (chain, commitments, draws, decisions), and decides a table again under other house rules."""

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any, Protocol

import msgspec

from events.canonical import canonical
from events.envelopes import chain_faults
from events.lifecycle import TableForked
from games.kernel import OptionsRefused
from projections.history import TableHistory, past_rows
from projections.table import Table
from rulings.replay import Divergence, Report, replay
from service.accounts.callers import Caller
from service.errors import Refused, option_refused
from service.tables.authorisation import Viewer, arbitrates, reach
from service.tables.forks import past_of
from service.tables.playing import seed_of_choice
from service.tables.record_again import Reruns

MOST_FAULTS = 20  # in a report


class Sample(Protocol):
    """AI moves that were computed again: their versions, and those that came out differently."""

    @property
    def different(self) -> tuple[int, ...]: ...


def audit(
    history: TableHistory, viewer: Viewer, *, parent: TableHistory | None = None, sampled: Sample | None = None
) -> dict[str, Any]:
    """Returns the report: what was checked, and what does not hold.

    Replays only a record whose chain holds. While there are secrets, the report names the place of a divergence, but
    not what differs. A branch is compared with its `parent`. `sampled` are AI moves that were computed again.
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


def _decisions(report: Report | None, viewer: Viewer) -> dict[str, Any]:
    if report is None:
        return {"draws": 0, "moves": 0, "divergence": None, "stop": None}
    return {
        "draws": report.draws_recorded + report.draws_other,
        "moves": report.moves,
        "divergence": msgspec.to_builtins(report.divergence if viewer.over else _place_of(report.divergence)),
        "stop": msgspec.to_builtins(report.stop) if viewer.over else None,
    }


def _checked(history: TableHistory) -> tuple[list[str], Report | None]:
    """Returns the faults of the record, and its replay if its chain holds.

    A batch is recorded again only after the game: its faults would reveal secrets.
    """
    faults = list(islice(chain(chain_faults(history.events), seed_faults(history)), MOST_FAULTS))
    if faults:
        return faults, None
    report = replay(history, rerun=Reruns() if history.table.over else None)
    return [report.fault] if report.fault else [], report


def origin_faults(table: Table, parent: TableHistory) -> Iterator[str]:
    """Yields false claims of a branch about its parent: version and hash there, its state, its past, its luck."""
    fork = table.fork
    if fork is None or fork.parent != parent.table.id:
        yield f"it is not a branch of {parent.table.id}"
    elif not 1 <= fork.parent_version <= parent.table.version:
        yield "the parent has no such version"
    elif parent.events[fork.parent_version - 1].hash.hex() != fork.parent_head:
        yield f"version {fork.parent_version} of the parent has another hash"
    else:
        yield from _beginning_faults(table, fork, parent)


def _beginning_faults(table: Table, fork: TableForked, parent: TableHistory) -> Iterator[str]:
    then = parent.at(fork.parent_version)
    options = then.game.read_options(table.opened.options, table.opened.players)
    state = msgspec.to_builtins(msgspec.structs.replace(then.state, options=options))
    recorded = [fork.state, past_rows(table)]
    if not fork.dealt_anew and canonical([state, past_of(parent, then.version, None)]) != canonical(recorded):
        yield f"it does not begin as the parent was at version {then.version}"
    luck = (*then.luck_source, then.draws)
    if fork.parent_seed is not None and (fork.parent_seed, fork.contributions, fork.draws) != luck:
        yield "its luck is not that of the parent"


def seed_faults(history: TableHistory) -> Iterator[str]:
    """Yields the AI moves whose seed does not follow from the table's."""
    for event in history.events:
        if "ai_seed" in event.sealed:
            expected = seed_of_choice(history.table, event.envelope.request)
            if event.sealed["ai_seed"].value != expected:
                yield f"version {event.version}: `ai_seed` does not follow from the table's seed"


def _place_of(divergence: Divergence | None) -> Divergence | None:
    """Returns the place of a divergence without its contents."""
    return divergence and msgspec.structs.replace(divergence, recorded=None, decided=None)


def readjudicate(history: TableHistory, caller: Caller, options: Mapping[str, Any]) -> Report:
    """Decides the table again under other house rules; raises `Refused`.

    While the game runs, only an arbiter with a look through every seat may ask, and only up to the move that led to
    the disputed ruling; the report then names the place of a divergence alone.
    """
    table = history.table
    if table.state is None:
        raise Refused("table_not_started", "nothing has been decided at this table yet")
    try:
        if table.over:
            return replay(history, options)
        report = replay(history.until(_decided_until(history, caller)), options)
        return msgspec.structs.replace(report, divergence=_place_of(report.divergence))
    except OptionsRefused as refusal:
        raise option_refused(refusal) from None


def _decided_until(history: TableHistory, caller: Caller) -> int:
    """Returns the last version that an arbiter may have decided again; raises `Refused`."""
    table = history.table
    if not arbitrates(table, caller) or table.seat_of(caller.id) is not None:
        raise Refused("not_allowed", "while the game runs only its arbiter, without a seat, may ask that")
    until = min((reach(table, caller, seat.seat) or 0 for seat in table.seats), default=0)
    if not until:
        raise Refused("not_allowed", "first look through each seat, while the dispute is open")
    return history.events[until - 1].envelope.batch[1]
