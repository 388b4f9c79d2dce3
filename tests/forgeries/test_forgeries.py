"""Verification finds altered fields even if everything is hashed anew: a sample of all forgeries."""

import random
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest

from events.log import LogDamaged
from events.verify import archive_faults
from projections.folding import folded
from projections.history import TableHistory
from rulings.archive_format import read_archive, read_history
from tests import corpus
from tests.forgeries.altering import Alteration, altered
from tests.forgeries.finding import Forgery, forgeries, is_found, missed
from tests.forgeries.stories import STORIES, archive_of, parent_of
from tests.forgeries.uncovered import UNCOVERED
from tests.long import quick_first
from wintercount.operations.verifying import Checks, Status, decided

SAMPLES = [pytest.param(6, marks=pytest.mark.slow), pytest.param(40, marks=pytest.mark.long)]
NAME = "big-manitou-5-disputed"


@cache
def everything() -> list[Forgery]:
    """All forgeries."""
    return list(forgeries())


@pytest.mark.parametrize("size", SAMPLES)
def test_a_sample_of_forgeries_is_found(size: int) -> None:
    """But for fields that nothing can cover."""
    picked = random.Random(7).sample(everything(), size)
    assert [fault for forgery in picked for fault in missed(forgery)] == []


@pytest.mark.parametrize("name", STORIES)
def test_what_was_not_altered_holds(name: str) -> None:
    """Every decision is taken again, at tables where everything happens that may happen."""
    archive = archive_of(name)
    assert list(archive_faults(archive)) == []
    parent = (lambda: parent_of(name)) if name.startswith("branched") else None
    assert decided(lambda: read_history(archive), Checks(0, parent)).status is Status.HOLDS


@pytest.mark.slow
def test_everything_happens_at_some_table() -> None:
    """Every event of a table, and every way to end a dispute but by correction, is altered somewhere."""
    types = Counter(row.alteration.type for row in everything() if row.alteration.field == "at")
    assert not {"SeatLeft", "ClockExpired", "DeadlineExtended", "SeatHandedOver", "SeatResigned", "TableForked"} - set(
        types
    )
    assert not {"DisputeCommented", "DisputeVoted", "RulingCorrected", "OfferMade", "OfferAnswered"} - set(types)


@cache
def told_by(name: str) -> TableHistory:
    """What an archive tells, read once."""
    return read_history(archive_of(name))


def of_type(type_: str, path: tuple[str | int, ...], value: object, name: str = NAME) -> Forgery:
    """The first event of a type with another value there."""
    history = told_by(name)
    version = next(event.version for event in history.events if event.envelope.type == type_)
    return Forgery(name, Alteration(version, type_, path, "is another", value))


def of_choice(path: tuple[str | int, ...], value: object, name: str = "players of today") -> Forgery:
    """The last move of a player that searches, with another value there."""
    searched = [e for e in told_by(name).events if e.envelope.by.get("ai", {}).get("player") == "search"]
    chosen = [event.envelope for event in searched if "ai_seed" in event.sealed][-1]
    return Forgery(name, Alteration(chosen.version, chosen.type, path, "is another", value))


FORGERIES: dict[str, Callable[[], Forgery]] = {  # each made when its test asks: collecting plays no game
    "a machine's time": partial(of_type, "TilesRemoved", ("now",), "2000-01-01T00:00:00.000Z"),
    "a machine's time before the table was": partial(of_type, "TableOpened", ("now",), "2000-01-01T00:00:00.000Z"),
    "a machine's time that is none": partial(of_type, "DisputeOpened", ("now",), ""),
    "another winner": partial(of_type, "GameEnded", ("payload", "ranking", 0, "seats"), [1]),
    "nonsense": partial(of_type, "GameEnded", ("payload", "ranking"), {"no": "sense"}),
    "another who sits": partial(of_type, "SeatTaken", ("payload", "player"), "p_dan"),
    "another level": partial(of_type, "TilesRemoved", ("by", "ai", "level"), "greedy"),
    "another voice": partial(of_type, "DisputeResolved", ("payload", "by"), "vote"),
    "an option of no such rule": partial(
        of_type, "DisputeOpened", ("payload", "remedy"), {"reading": {"tomahawk_tie": "all"}}
    ),
    "who may read": partial(of_type, "PartyShuffled", ("readers", "order"), [1]),
    "who may read drawn cards": partial(
        of_type, "CardsDrawn", ("readers",), {"cards": [3]}, "big-manitou-3-random-parties"
    ),
    "another reason": partial(of_type, "TableClosed", ("payload", "reason"), "abandoned"),
    "one more field": partial(of_type, "SeatTaken", ("payload", "more"), 1),
    "one more in the envelope": partial(of_type, "SeatTaken", ("more",), 1),
    "another draw": partial(of_type, "GroundsStocked", ("draws",), {"stock_grounds": 1}),
    "when a clock ran out": partial(
        of_type, "ClockExpired", ("payload", "deadline"), "2026-01-01T00:00:00.000Z", "clocked"
    ),
    "another bank": partial(of_type, "TableOpened", ("payload", "clock", "initial_s"), 61, "banked"),
    "another increment": partial(of_type, "TableOpened", ("payload", "clock", "increment_s"), 4, "banked"),
    "another kind of clock": partial(
        of_type, "TableOpened", ("payload", "clock"), {"kind": "decision", "decision_s": 60}, "banked"
    ),
    "a clock of no kind": partial(of_type, "TableOpened", ("payload", "clock", "kind"), "none", "banked"),
    "time of a bank that was not there": partial(
        of_type, "ClockExpired", ("payload", "deadline"), "2026-01-01T00:00:00.000Z", "banked"
    ),
    "who waited": partial(of_type, "DeadlineExtended", ("payload", "by_seat"), None, "clocked"),
    "a vote": partial(of_type, "DisputeVoted", ("payload", "overturn"), False, "voted"),
    "another correction": partial(of_type, "RulingCorrected", ("payload", "corrected", "phase"), None, "voted"),
    "another ruling corrected": partial(of_type, "RulingCorrected", ("payload", "event"), 0, "voted"),
    "another parent": partial(of_type, "TableForked", ("payload", "parent_head"), "00" * 32, "branched"),
    "iterations": partial(of_choice, ("ai_used", "iterations"), 9),
    "another version of a player": partial(of_choice, ("by", "ai", "version"), 2),
    "another budget": partial(of_choice, ("ai_used", "budget"), 5),
    "a budget below nothing": partial(of_type, "GiftOffered", ("ai_used", "budget"), -1, "plenty-coups-2-greedy"),
    "another version seen": partial(of_choice, ("ai_used", "seen"), 1),
    "another seed": partial(of_choice, ("ai_seed",), "00" * 32),
    "a name in plain": partial(of_type, "SeatTaken", ("payload", "name"), "Dan", "left"),
    "no claim": partial(of_type, "DisputeOpened", ("payload", "claim"), None, "voted"),
    "a claim that nobody can have written": partial(
        of_type, "DisputeOpened", ("payload", "claim", "text"), "AAAA", "voted"
    ),
    "a claim in plain": partial(of_type, "DisputeOpened", ("payload", "claim"), "No.", "voted"),
    "another's claim": partial(of_type, "DisputeOpened", ("payload", "claim", "of"), "p_ben", "voted"),
    "a comment of no schema": partial(of_type, "DisputeCommented", ("schema",), 0, "voted"),
    "a comment of a later schema": partial(of_type, "DisputeCommented", ("schema",), 2, "voted"),
}


@pytest.mark.parametrize("what", quick_first(FORGERIES, quick=2))
def test_what_used_to_pass_is_found(what: str) -> None:
    """Although every hash and every commitment fits."""
    forgery = FORGERIES[what]()
    assert not any(archive_faults(altered(archive_of(forgery.archive), forgery.alteration))) or "more" in what
    assert is_found(forgery)


def test_a_ranking_forged_with_nonsense_in_it_is_a_fault() -> None:
    """Once it was told that decisions were not taken again, and held."""
    archive = altered(corpus.lines_of(NAME), FORGERIES["nonsense"]().alteration)
    assert decided(lambda: read_history(archive)).status is Status.FAULT


@pytest.mark.parametrize("type_", ["RaidLaunched", "RaidDrivenOff"])
def test_what_is_not_there_when_an_event_looks_for_it_is_a_fault(type_: str) -> None:
    """A raid on nothing: of an archive, and of a table whose store tells that."""
    forgery = of_type(type_, ("payload", "target"), "nothing", "plenty-coups-3-overturned")
    archive = altered(archive_of(forgery.archive), forgery.alteration)
    assert not any(archive_faults(archive))
    assert decided(lambda: read_history(archive)).status is Status.FAULT
    with pytest.raises(LogDamaged, match=r"t_forged version .* fits no table"):
        list(folded("t_forged", None, read_archive(archive)))


def test_what_nothing_can_cover_is_documented() -> None:
    """Each row stands in docs/log.md."""
    told = Path("docs/log.md").read_text(encoding="utf-8")
    assert [row.told for row in UNCOVERED if f"| {row.told} |" not in told] == []
