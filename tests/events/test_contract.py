"""One contract for every store: the log in memory, on Valkey, and on a cluster, acknowledged by either kind of node."""

import threading
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from events.chain import GENESIS
from events.envelopes import Head, Recorded
from events.log import (
    PARTITIONS,
    Batch,
    Conflict,
    Diverged,
    Log,
    LogDamaged,
    Pointer,
    RequestReused,
    Timer,
    VersionRange,
    partition_of,
)
from tests.events.batches import START, batch, said, tell
from tests.long import long_but_for
from tests.memory_log import MemoryLog

HERE = partition_of("t_one")
NEIGHBOURS = [name for name in (f"t_{number}" for number in range(1000)) if partition_of(name) == HERE][:2]
ELSEWHERE = next(name for name in ("t_a", "t_b", "t_c") if partition_of(name) != HERE)
LEASE_MS = 5_000
LATER_MS = 4_000_000_000_000  # after all events
SOON_S = 30.0  # for which a test waits at most
STORES = {"memory": None, "valkey": "valkey_log", "cluster": "cluster_log", "replica": "replica_log"}


@pytest.fixture(params=long_but_for(lambda store: store != "replica", STORES))
def log(request: pytest.FixtureRequest) -> Any:
    """An empty log of each kind."""
    fixture = STORES[request.param]
    return request.getfixturevalue(fixture) if fixture else MemoryLog()


def contents(log: Log, *tables: str) -> Any:
    """All that a log holds about tables, and in their partitions."""
    names = tables or ("t_one",)
    partitions = sorted({partition_of(name) for name in names})
    kept = [(log.head(name), log.read(name)) for name in names]
    return kept, [(list(log.feed(number, 0)), log.timers(number)) for number in partitions]


def test_what_was_recorded_elsewhere_is_noted(log: Log) -> None:
    """Before anything of it is there, and once for all; of a neighbour it is not told."""
    for _ in range(2):
        log.note_imported("t_one")
    tell(log, "hello")
    assert [log.is_imported(table) for table in ("t_one", *NEIGHBOURS, ELSEWHERE)] == [True, False, False, False]
    assert log.head("t_one").version == 1


def test_a_table_that_is_not_there_has_version_0(log: Log) -> None:
    """An empty table has the version 0, the hash that every chain begins with, and no events."""
    assert (log.head("t_one"), log.read("t_one")) == (START, ())


def test_what_is_appended_is_read(log: Log) -> None:
    """Events are read as they were appended, secrets and hashes included, and the head is the last of them."""
    first = tell(log, "one", "two")
    second = tell(log, "three")

    assert log.read("t_one") == first + second
    assert log.head("t_one") == Head(3, second[0].hash)


def test_batches_are_appended_at_once(log: Log) -> None:
    """As one by one they would be; a repeat changes nothing, and what does not follow adds nothing."""
    first = batch(START, "one", "two", request="r_one")
    second = batch(first.leads_to, "three")
    batches = [first, second, batch(second.leads_to, "four")]
    for _ in range(2):
        log.append_all("t_one", batches)
        assert log.head("t_one") == batches[-1].leads_to
        assert log.read("t_one") == tuple(event for one in batches for event in one.events)
        assert [(told.first, told.last) for told in log.feed(HERE, 0)] == [(1, 2), (3, 3), (4, 4)]
    kept = contents(log)
    with pytest.raises(Conflict):
        log.append_all("t_one", [batch(START, "other")])
    with pytest.raises(Diverged):
        log.append_all("t_one", [batch(Head(9, b"9" * 32), "other")])
    assert contents(log) == kept


@pytest.mark.parametrize(
    ("first", "last", "expected"), [(1, 2, "12"), (2, None, "234"), (3, 3, "3"), (4, 9, "4"), (5, None, "")]
)
def test_a_range_is_read(log: Log, first: int, last: int | None, expected: str) -> None:
    """Versions are read from the first to the last asked for, as far as there are any."""
    tell(log, "1", "2", "3", "4")

    assert "".join(event.payload["text"] for event in log.read("t_one", first, last)) == expected


def test_a_repeated_request_gets_its_first_answer(log: Log) -> None:
    """The same request with the same body adds nothing, and is told what it added the first time."""
    log.append("t_one", batch(START, "one", "two", request="r1"))
    before = contents(log)

    again = log.append("t_one", batch(START, "one", "two", request="r1"))

    assert again == VersionRange(1, 2, repeated=True)
    assert contents(log) == before


def test_a_repeat_is_known_before_versions_are_compared(log: Log) -> None:
    """The repeat is answered when others have written since, and when it was decided anew on the newest version."""
    log.append("t_one", batch(START, "one", request="r1"))
    tell(log, "two")

    assert log.append("t_one", batch(START, "one", request="r1")) == VersionRange(1, 1, repeated=True)
    assert log.append("t_one", batch(log.head("t_one"), "one", request="r1")) == VersionRange(1, 1, repeated=True)
    assert log.append("t_one", batch(Head(9, GENESIS), "one", request="r1")) == VersionRange(1, 1, repeated=True)


def test_a_request_with_another_body_is_refused(log: Log) -> None:
    """The same request with another body is no repeat, whatever version it expects; nothing is written."""
    log.append("t_one", batch(START, "one", request="r1"))
    before = contents(log)

    for head in (START, log.head("t_one")):
        with pytest.raises(RequestReused):
            log.append("t_one", batch(head, "two", request="r1", fingerprint="another"))
    assert contents(log) == before


def test_a_request_is_known_at_its_own_table_alone(log: Log) -> None:
    """The same name of a request at another table is another request."""
    log.append("t_one", batch(START, "one", request="r1"))

    assert log.append(ELSEWHERE, batch(START, "one", table=ELSEWHERE, request="r1")) == VersionRange(1, 1)


def test_the_first_answer_can_be_asked_for(log: Log) -> None:
    """What a request led to is known by its name, with colons in the fingerprint or not; of others nothing is."""
    log.append("t_one", batch(START, "one", "two", request="r1", fingerprint="a:1:2"))

    assert log.find_answer("t_one", "r1") == ("a:1:2", VersionRange(1, 2, repeated=True))
    assert log.find_answer("t_one", "r2") is None
    assert log.find_answer(ELSEWHERE, "r1") is None


def test_without_a_request_nothing_is_a_repeat(log: Log) -> None:
    """Two batches without the name of a request are two batches."""
    tell(log, "one")
    tell(log, "one")

    assert log.head("t_one").version == 2


def test_a_conflict_brings_the_events_missed(log: Log) -> None:
    """A writer that expects an older version gets exactly the events since; nothing is written."""
    first = tell(log, "one")
    missed = tell(log, "two", "three") + tell(log, "four")
    before = contents(log)

    with pytest.raises(Conflict) as conflict:
        log.append("t_one", batch(Head(1, first[0].hash), "mine", request="r1"))

    assert conflict.value.missed == missed
    assert contents(log) == before
    assert log.find_answer("t_one", "r1") is None


@pytest.mark.parametrize("version", [0, 1])
def test_another_hash_is_damage(log: Log, version: int) -> None:
    """The right version with another hash means that the history is not the one that was read; nothing is written."""
    for number in range(version):
        tell(log, str(number))
    before = contents(log)

    with pytest.raises(LogDamaged, match="diverged"):
        log.append("t_one", batch(Head(version, bytes([7]) * 32), "mine"))
    assert contents(log) == before


@pytest.mark.parametrize("version", [1, 3])
def test_a_lost_end_is_damage(log: Log, version: int) -> None:
    """A writer that has read more events than there are knows of lost events; nothing is written."""
    before = contents(log)

    with pytest.raises(LogDamaged, match="diverged"):
        log.append("t_one", batch(Head(version, bytes(32)), "mine"))
    assert contents(log) == before


@pytest.mark.parametrize("known", [0, 1, 3, 4])
def test_what_is_behind_a_head_is_read(log: Log, known: int) -> None:
    """The events after a known head: all of them, the last ones, or none."""
    events = tell(log, "1") + tell(log, "2", "3") + tell(log, "4")

    assert log.after("t_one", head_of(events, known)) == events[known:]


def test_what_is_behind_many_heads_is_read_together(log: Log) -> None:
    """Of each table the events behind its head: one that has diverged keeps no other from being read."""
    events = tell(log, "1", "2")
    tell(log, "another", table=ELSEWHERE)

    found = log.after_each({"t_one": head_of(events, 1), ELSEWHERE: Head(1, bytes(32)), "t_none": START})

    assert (found["t_one"], found["t_none"]) == (events[1:], ())
    assert isinstance(found[ELSEWHERE], Diverged)
    assert log.after_each({}) == {}


@pytest.mark.parametrize("held", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("read", [True, False])
def test_another_history_is_said(log: Log, held: int, read: bool) -> None:
    """A store that holds less than is known, as much, or more, but other events: no read and no append is answered."""
    events = said(START, "1", "2")
    for number in range(held):
        tell(log, f"another {number}")
    before = contents(log)
    known = Head(2, events[-1].hash)

    with pytest.raises(Diverged) as damage:
        log.after("t_one", known) if read else log.append("t_one", batch(known, "mine"))

    assert (damage.value.table, damage.value.known) == ("t_one", known)
    for head in (known, log.head("t_one")):
        assert f"version {head.version} with hash {head.hash.hex()}" in str(damage.value)
    assert contents(log) == before


@pytest.mark.parametrize("read", [True, False])
def test_a_shorter_copy_is_said(log: Log, read: bool) -> None:
    """A store that holds the beginning of what is known has lost the rest."""
    events = tell(log, "1", "2")
    known = Head(3, said(head_of(events, 2), "lost")[-1].hash)

    with pytest.raises(Diverged):
        log.after("t_one", known) if read else log.append("t_one", batch(known, "mine"))


def head_of(events: tuple[Recorded, ...], version: int) -> Head:
    """The head at a version."""
    return Head(version, events[version - 1].hash) if version else START


@pytest.mark.parametrize("read", [True, False])
@pytest.mark.parametrize("known", [0, 1])
def test_an_event_that_is_not_linked_is_damage(log: Log, known: int, read: bool) -> None:
    """Each event handed out is linked to the one before it, up to what is known."""
    events = said(START, "1", "2", "3")
    strange = said(Head(2, bytes([7]) * 32), "3")
    log.append("t_one", Batch(START, (*events[:2], *strange)))
    head = head_of(events, known)

    with pytest.raises(LogDamaged, match="t_one version 3 is not linked"):
        log.after("t_one", head) if read else log.append("t_one", batch(head, "mine"))


def test_events_of_another_table_are_damage(log: Log) -> None:
    """Events name their table: another's chain is not taken for this one's."""
    log.append("t_one", Batch(START, said(START, "1", table=ELSEWHERE)))

    with pytest.raises(LogDamaged, match="t_one version 1 is not linked"):
        log.after("t_one", START)


MALFORMED: dict[str, Callable[[], Batch]] = {
    "no events": lambda: Batch(START, ()),
    "257 events": lambda: batch(START, *map(str, range(257))),
    "more than 1 MiB in one event": lambda: batch(START, "x" * (1 << 20)),
    "more than 1 MiB in all": lambda: batch(START, *["x" * 200_000] * 4),
    "more than 1 MiB of secrets": lambda: batch(START, " ".join("x" * 200_000)),
}


@pytest.mark.parametrize("what", MALFORMED)
def test_a_malformed_batch_is_refused(log: Log, what: str) -> None:
    """A batch has 1 to 256 events and at most 1 MiB; of any other nothing is written."""
    with pytest.raises(LogDamaged, match="malformed"):
        log.append("t_one", MALFORMED[what]())
    assert contents(log) == ([(START, ())], [([], [])])


def test_stores_agree_on_the_largest_batch(log: Log) -> None:
    """Envelopes, seals and hashes count: the last byte of a mebibyte is taken, the one behind it is not."""
    event = said(START, "one")[0]
    seals = len(msgspec.json.encode(event.sealed))
    room = (1 << 20) - seals - len(event.hash)
    full = msgspec.structs.replace(event, raw=event.raw.ljust(room))
    too_full = msgspec.structs.replace(event, raw=event.raw.ljust(room + 1))

    with pytest.raises(LogDamaged, match="malformed"):
        log.append("t_one", Batch(START, (too_full,)))
    assert log.append("t_one", Batch(START, (full,))) == VersionRange(1, 1)


def test_tables_do_not_touch_each_other(log: Log) -> None:
    """Tables of one partition and of others each have their own versions."""
    for name in ("t_one", *NEIGHBOURS, ELSEWHERE):
        tell(log, "one", table=name)
        assert tell(log, "two", table=name)[0].version == 2


def test_the_feed_has_no_gaps(log: Log) -> None:
    """A partition's feed has one pointer a batch, numbered from 1, in the order of the batches, with its last hash."""
    one, other = NEIGHBOURS
    hashes = [
        tell(log, *texts, table=table)[-1].hash for table, texts in ((one, ("1", "2")), (other, ("1",)), (one, ("3",)))
    ]

    where = [(1, one, 1, 2), (2, other, 1, 1), (3, one, 3, 3)]
    expected = [Pointer(*pointer, last) for pointer, last in zip(where, hashes, strict=True)]
    assert list(log.feed(HERE, 0)) == expected
    assert list(log.feed(HERE, 1)) == expected[1:]
    assert list(log.feed(HERE, 0, 2)) == expected[:2]
    assert list(log.feed(HERE, 3)) == []


def test_refused_batches_leave_no_gap_in_the_feed(log: Log) -> None:
    """Repeats, conflicts and malformed batches take no position."""
    log.append("t_one", batch(START, "one", request="r1"))
    log.append("t_one", batch(START, "one", request="r1"))
    with pytest.raises(Conflict):
        log.append("t_one", batch(START, "mine"))
    with pytest.raises(LogDamaged):
        log.append("t_one", Batch(log.head("t_one"), ()))
    tell(log, "two")

    assert [pointer[:4] for pointer in log.feed(HERE, 0)] == [(1, "t_one", 1, 1), (2, "t_one", 2, 2)]


def test_pointers_are_found_by_their_positions(log: Log) -> None:
    """What stands at a position of a feed can be asked for, of many partitions at once."""
    tell(log, "one")
    tell(log, "two")
    elsewhere = partition_of(ELSEWHERE)
    tell(log, "one", table=ELSEWHERE)

    assert log.pointers({HERE: 1, elsewhere: 1}) == {HERE: log.feed(HERE, 0)[0], elsewhere: log.feed(elsewhere, 0)[0]}
    assert log.pointers({HERE: 3, elsewhere: 0}) == {}
    assert log.pointers({}) == {}


def test_the_ends_of_all_feeds(log: Log) -> None:
    """Every partition has an end, 0 for one in which nothing happened."""
    tell(log, "one")
    tell(log, "two")
    tell(log, "one", table=ELSEWHERE)

    expected = dict.fromkeys(range(PARTITIONS), 0) | {HERE: 2, partition_of(ELSEWHERE): 1}
    assert log.feed_ends() == expected


def test_following_tells_what_is_there(log: Log) -> None:
    """A follower gets at once everything after the given positions."""
    for text in ("one", "two"):
        tell(log, text)
    tell(log, "one", table=ELSEWHERE)

    told = list(log.wait_for_pointers(dict.fromkeys(range(PARTITIONS), 0) | {HERE: 1}, 10.0))

    expected = [(HERE, log.feed(HERE, 1)[0]), (partition_of(ELSEWHERE), log.feed(partition_of(ELSEWHERE), 0)[0])]
    assert sorted(told) == sorted(expected)


def test_following_ends_when_nothing_happens(log: Log) -> None:
    """After the given time a follower gets nothing."""
    assert list(log.wait_for_pointers({HERE: 0}, 0.01)) == []


def test_an_append_wakes_who_follows(log: Log) -> None:
    """A waiting follower gets a batch that is written meanwhile."""
    told: list[Any] = []
    waiting = threading.Thread(target=lambda: told.extend(log.wait_for_pointers(log.feed_ends(), 600.0)), daemon=True)
    waiting.start()

    for _ in range(200):  # the thread may not have begun to wait
        tell(log, "one")
        waiting.join(0.05)
        if told:
            break

    assert told[0][0] == HERE
    assert told[0][1].table == "t_one"


def test_a_batch_says_what_is_due(log: Log) -> None:
    """What a batch makes due is kept with it, the earliest first; what it settles is gone."""
    log.append("t_one", batch(START, "one", timers=(Timer("b", 30), Timer("a", 30), Timer("c", 20))))
    assert log.timers(HERE) == [Timer("c", 20), Timer("a", 30), Timer("b", 30)]

    log.append(
        "t_one",
        batch(log.head("t_one"), "two", completed_timers=("a", "nothing"), timers=(Timer("d", 10), Timer("b", 40))),
    )
    assert log.timers(HERE) == [Timer("d", 10), Timer("c", 20), Timer("b", 40)]
    assert log.timers(partition_of(ELSEWHERE)) == []


def test_a_repeat_makes_nothing_due_again(log: Log) -> None:
    """What was settled since is not due again because its request is repeated."""
    log.append("t_one", batch(START, "one", request="r1", timers=(Timer("a", 10),)))
    log.append("t_one", batch(log.head("t_one"), "two", completed_timers=("a",)))

    log.append("t_one", batch(START, "one", request="r1", timers=(Timer("a", 10),)))

    assert log.timers(HERE) == []


def test_what_is_due_at_once_wakes(log: Log) -> None:
    """A batch that makes something due at once wakes the waiters once; no other batch does."""
    log.woken_partitions(0)
    log.append("t_one", batch(START, "one", timers=(Timer("later", LATER_MS),)))
    log.append(ELSEWHERE, batch(START, "one", table=ELSEWHERE))
    assert log.woken_partitions(0) == set()

    log.append("t_one", batch(log.head("t_one"), "two", timers=(Timer("later still", LATER_MS), Timer("now", 0))))
    assert log.woken_partitions(SOON_S) == {HERE}
    assert log.woken_partitions(0) == set()
    log.append(ELSEWHERE, batch(log.head(ELSEWHERE), "two", table=ELSEWHERE, timers=(Timer("now", 0),)))
    assert log.woken_partitions(SOON_S) == {partition_of(ELSEWHERE)}


def test_what_waits_for_a_listener_is_written_while_the_player_listens(log: Log) -> None:
    """And wakes only then; the end of an earlier webhook ends no later one."""
    heard = Timer("heard", 0, "p_rob")
    log.woken_partitions(0)
    log.append("t_one", batch(START, "one", timers=(heard,)))
    assert (log.timers(HERE), log.woken_partitions(0)) == ([], set())

    log.listen("p_rob", "first")
    log.listen("p_rob", "second")
    log.unlisten("p_rob", "first")
    log.append("t_one", batch(log.head("t_one"), "two", timers=(heard, Timer("other", 0, "p_kim"))))
    assert [entry.member for entry in log.timers(HERE)] == ["heard"]
    assert log.woken_partitions(SOON_S) == {HERE}

    log.unlisten("p_rob", "second")
    log.append(ELSEWHERE, batch(START, "one", table=ELSEWHERE, timers=(heard,)))
    assert log.timers(partition_of(ELSEWHERE)) == []


def test_what_is_kept_due_is_added_once_and_wakes(log: Log) -> None:
    """An entry that is there already stays as it is."""
    log.append("t_one", batch(START, "one", timers=(Timer("t_one|a", 1000),)))
    log.woken_partitions(0)
    log.add_timers([Timer("t_one|a", 5), Timer("t_one|b", 10)])
    assert log.timers(HERE) == [Timer("t_one|b", 10), Timer("t_one|a", 1000)]
    assert log.woken_partitions(SOON_S) == {HERE}


def test_only_what_is_due_is_taken(log: Log) -> None:
    """Entries whose time has come are taken, the earliest first, and no more than asked for."""
    log.append(
        "t_one", batch(START, "one", timers=(Timer("late", 101), Timer("b", 100), Timer("a", 100), Timer("first", 50)))
    )

    assert log.lease(HERE, 100, LEASE_MS, 2) == [("first", 1), ("a", 1)]
    assert log.lease(HERE, 100, LEASE_MS, 10) == [("b", 1)]
    assert log.lease(partition_of(ELSEWHERE), 100, LEASE_MS, 10) == []


def test_partitions_are_found_in_which_something_is_due(log: Log) -> None:
    """Those that have an entry whose time has come, in their order; one that is taken is not due within the lease."""
    log.append("t_one", batch(START, "one", timers=(Timer("a", 100), Timer("b", 300))))
    log.append(ELSEWHERE, batch(START, "one", table=ELSEWHERE, timers=(Timer("c", 200),)))
    both = sorted((HERE, partition_of(ELSEWHERE)))

    assert [log.partitions_due(now_ms) for now_ms in (99, 100, 200)] == [[], [HERE], both]
    log.lease(HERE, 200, LEASE_MS, 10)
    assert log.partitions_due(200) == [partition_of(ELSEWHERE)]


def test_what_is_taken_is_not_taken_twice_within_the_lease(log: Log) -> None:
    """An entry that was taken is due again when the lease is over and not before."""
    log.append("t_one", batch(START, "one", timers=(Timer("a", 100),)))
    log.lease(HERE, 100, LEASE_MS, 10)

    assert log.timers(HERE) == [Timer("a", 100 + LEASE_MS)]
    assert log.lease(HERE, 99 + LEASE_MS, LEASE_MS, 10) == []
    assert log.lease(HERE, 100 + LEASE_MS, LEASE_MS, 10) == [("a", 2)]


def test_leases_double_up_to_twelve_times_the_first(log: Log) -> None:
    """Every further attempt has twice the lease of the one before, up to twelve times the first."""
    log.append("t_one", batch(START, "one", timers=(Timer("a", 0),)))
    now, leases = 0, []
    for attempt in range(1, 15):
        assert log.lease(HERE, now, LEASE_MS, 1) == [("a", attempt)]
        leases.append(log.timers(HERE)[0].at_ms - now)
        now += leases[-1]

    assert leases == [LEASE_MS * factor for factor in (1, 2, 4, 8, *[12] * 10)]


@pytest.mark.parametrize("how", ["by an append", "alone"])
def test_what_is_settled_begins_anew(log: Log, how: str) -> None:
    """An entry that is settled is not due, and its attempts are forgotten if it comes again."""
    log.append("t_one", batch(START, "one", timers=(Timer("a", 0), Timer("b", 0))))
    log.lease(HERE, 0, LEASE_MS, 10)
    if how == "alone":
        log.remove_timers([("t_one", "a"), ("t_one", "none")])
    else:
        log.append("t_one", batch(log.head("t_one"), "two", completed_timers=("a",)))
    assert [due.member for due in log.timers(HERE)] == ["b"]

    log.append("t_one", batch(log.head("t_one"), "three", timers=(Timer("a", 0),)))
    assert log.lease(HERE, LEASE_MS, LEASE_MS, 10) == [("a", 1), ("b", 2)]


def test_what_was_put_off_is_hastened(log: Log) -> None:
    """An entry may become due earlier than it was; never later, and none comes to be that way."""
    log.append("t_one", batch(START, "one", timers=(Timer("t_one|a", 1000), Timer("t_one|b", 50))))
    log.bring_forward([Timer(member, 100) for member in ("t_one|a", "t_one|b", "t_one|c")])

    assert log.timers(HERE) == [Timer("t_one|b", 50), Timer("t_one|a", 100)]


def test_what_is_hastened_counts_as_never_taken(log: Log) -> None:
    """Its next lease is as short as the first."""
    log.append("t_one", batch(START, "one", timers=(Timer("t_one|a", 0),)))
    for now_ms in (0, 1000):
        log.lease(HERE, now_ms, 1000, 10)
    log.bring_forward([Timer("t_one|a", 1500)])

    assert log.lease(HERE, 1500, 1000, 10) == [("t_one|a", 1)]
    assert log.timers(HERE) == [Timer("t_one|a", 2500)]


def test_many_writers_of_one_table_write_one_chain(log: Log) -> None:
    """A writer that meets a conflict decides again: all batches are there, one after the other, each once."""

    def write(writer: int) -> None:
        for number in range(5):
            head = log.head("t_one")
            while not _appended(log, batch(head, f"{writer}.{number}", request=f"{writer}.{number}")):
                head = log.head("t_one")

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    texts = [event.payload["text"] for event in log.read("t_one")]
    assert sorted(texts) == [f"{writer}.{number}" for writer in range(4) for number in range(5)]
    assert [pointer.first for pointer in log.feed(HERE, 0)] == list(range(1, 21))


def _appended(log: Log, wanted: Batch) -> bool:
    try:
        return not log.append("t_one", wanted).repeated
    except Conflict:
        return False
