"""Whether a table's record holds: chain and commitments, draws and decisions, each checked once more."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any, Protocol

import msgspec

from events.chain import GENESIS, commitment, link
from events.recorded import Recorded
from games.kernel import OptionsRefused
from projections.archive import ArchiveRefused, decided_again, history_of
from projections.history import History
from projections.redecide import Divergence, Report, redecide
from service.accounts import Caller
from service.errors import Refused
from service.house import House
from service.tables.deciding import seed_of, seed_of_choice
from service.tables.reading import Eyes, arbitrates

MOST_FAULTS = 20  # told of one table


class Sample(Protocol):
    """AI moves that were computed again: their versions, and those that came out otherwise."""

    @property
    def different(self) -> tuple[int, ...]: ...


def audit(history: History, eyes: Eyes, sampled: Sample | None = None) -> dict[str, Any]:
    """The report: what was checked and what does not hold. While secrets are kept it tells where, not what.

    Only a record that holds is decided again: what was altered decides nothing. `sampled` are AI moves that were
    computed again, none while the game is on.
    """
    faults = list(islice(chain(record_faults(history.events), seed_faults(history)), MOST_FAULTS))
    report = redecide(history) if history.table.state is not None and not faults else None
    return {
        "table": history.table.id,
        "version": history.table.version,
        "head": history.table.head.hash.hex(),
        "holds": not faults and (report is None or report.same) and not (sampled and sampled.different),
        "chain": {"events": len(history.events), "faults": faults},
        "commitments": sum(len(event.sealed) for event in history.events),
        "draws": report.draws_recorded + report.draws_other if report else 0,
        "decisions": report.moves if report else 0,
        "divergence": _told(report.divergence, eyes) if report and report.divergence else None,
        "stop": msgspec.to_builtins(report.stop) if report and eyes.over else None,
        "ai_moves": msgspec.to_builtins(sampled) if sampled else None,
    }


def record_faults(events: tuple[Recorded, ...]) -> Iterator[str]:
    """What is wrong with the chain and the seals as the log holds them."""
    previous = GENESIS
    for expected, event in enumerate(events, 1):
        if event.version != expected or link(previous, expected, event.raw) != event.hash:
            yield f"version {expected}: the hash does not fit the event"
        for name in event.envelope.secrets.keys() - event.sealed.keys():
            yield f"version {expected}: `{name}` is lost"
        for name, seal in event.sealed.items():
            if commitment(seal.salt, seal.value) != event.envelope.secrets.get(name):
                yield f"version {expected}: `{name}` does not fit its commitment"
        previous = event.hash


def seed_faults(history: History) -> Iterator[str]:
    """Which AI moves were made from another seed than the one that follows from the table's."""
    for event in history.events:
        if "ai_seed" in event.sealed:
            expected = seed_of_choice(seed_of(history.table), event.envelope.request)
            if event.sealed["ai_seed"].value != expected:
                yield f"version {event.version}: `ai_seed` does not follow from the table's seed"


def _told(divergence: Divergence, eyes: Eyes) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(divergence)
    return told if eyes.over else told | {"recorded": None, "decided": None}


def receipt_holds(history: History, version: int, hash_hex: str) -> bool:
    """Whether the log still holds the event that a receipt speaks of."""
    return 1 <= version <= history.table.version and history.events[version - 1].hash.hex() == hash_hex


def readjudicate(history: History, caller: Caller, options: Mapping[str, Any]) -> Report:
    """The table decided again under other house rules; while the game runs only for an arbiter without a seat."""
    table = history.table
    if table.state is None:
        raise Refused("table-not-started", "nothing has been decided at this table yet")
    if not table.over and (not arbitrates(table, caller) or table.seat_of(caller.id) is not None):
        raise Refused("not-allowed", "while the game runs only its arbiter, without a seat, may ask that")
    try:
        return redecide(history, options)
    except OptionsRefused as refusal:
        raise Refused("option-refused", refusal.detail, option=refusal.option) from None


def take_in(house: House, archive: Iterable[bytes]) -> History:
    """Keeps the table of a complete archive here, under its own name; raises `Refused`, and nothing was kept.

    Everything is checked first: the chain, the seals, and that today's rules decide every recorded move as recorded.
    An import that was cut off is completed by repeating it.
    """
    try:
        history = history_of(archive)
        report = decided_again(history)
    except (ArchiveRefused, OptionsRefused) as refusal:
        raise Refused("archive-refused", str(refusal)) from None
    if not report.same:
        version = report.counterfactual_from
        raise Refused("archive-refused", f"version {version}: today's rules decide otherwise", version=version)
    return house.take_in(history)
