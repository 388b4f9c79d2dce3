"""Budgets: what an account and an address may spend, how that is told, and that legal moves are never refused."""

import contextlib
import random
import time
from collections.abc import Iterator
from itertools import pairwise
from threading import Event, Thread
from typing import Any

import pytest
from freezegun import freeze_time
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import ResponseError

from events.store import connect
from projections.history import past_rows
from service.accounts.accounts import Accounts
from service.accounts.callers import NOBODY, Caller, Player
from service.api import admission, blocks, disputes, events, inbox, rulings
from service.api.personal import TABLE_MS
from service.config import Settings
from service.errors import Refused
from service.limits import budgets, costs, counts
from service.limits.budgets import Limits
from service.limits.client_addresses import client_of
from service.limits.costs import lone_worlds_ms, searched_ms
from service.limits.counts import SHARED
from service.runtime import embedded
from service.tables import searching
from service.tables.clocks import expire
from service.tables.takebacks import DECIDED, WORLDS
from tests import corpus
from tests.fixtures import noting
from tests.servers import data_directory, running, wait_until
from tests.service.api.world import ADMIN, Answer, Somebody, World, accepted, refused
from worker.efforts import efforts
from worker.turns import play_turns

SPENT = "wintercount:spent:"  # how all keys of budgets begin
NOON = "2026-11-21T12:00:00Z"  # windows of a minute and of an hour begin then
ANN, BEN, CAT, DAN, EVA, FAY, GIL = (
    Caller(Player(name, name, bot=False, at=""), ("play",))
    for name in ("ann", "ben", "cat", "dan", "eva", "fay", "gil")
)
HERE, THERE, ELSEWHERE, AWAY = "192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"


@pytest.fixture
def limited(store_url: str) -> Iterator[World]:
    """A service whose budgets are small: 100 ms of work a minute, 40 s of thinking and 3 accounts an hour."""
    with contextlib.closing(World(store_url, work_ms=100, thinking_s=40, accounts=3)) as found:
        yield found


def limits(work_ms: int = 100) -> Limits:
    return Limits(Settings(work_ms=work_ms))


def spend_all(found: Limits, caller: Caller, address: str = HERE) -> int:
    """Spends until it is refused, a tenth at a time; how often that went."""
    times = 0
    with contextlib.suppress(Refused):
        while times < 100:
            found.spend(caller, address, "work", 10)
            times += 1
    return times


def shared_at(found: Limits, caller: Caller) -> str:
    """Where the present window of an account's work is shared."""
    own = found.budgets(caller, HERE, "work")[0]
    return SHARED + found.counts.sliding_window_keys(own.item.key_for(*own.key), 60, time.time())[1]


def test_an_account_has_a_budget_and_its_address_twice_that() -> None:
    """Another account has its own, until both together have what the address has; another address has its own."""
    with freeze_time(NOON):
        found = limits()
        assert [spend_all(found, who) for who in (ANN, BEN, NOBODY)] == [10, 10, 0]
        assert spend_all(found, NOBODY, THERE) == 20


def test_a_site_has_eight_times_what_one_of_its_addresses_has() -> None:
    """However many networks of IPv6 somebody has, and however many accounts; another site has its own."""
    with freeze_time(NOON):
        found = limits()
        networks = [f"2001:db8:1:{number:x}::/64" for number in range(12)]
        assert [spend_all(found, NOBODY, network) for network in networks] == [20] * 8 + [0] * 4
        assert spend_all(found, ANN, "2001:db8:1:ffff::/64") == 0
        assert spend_all(found, NOBODY, "2001:db8:2::/64") == 20


@pytest.mark.parametrize(
    ("spent_by", "asking", "whose"),
    [
        ([(ANN, HERE)], (ANN, THERE), "1000 processor milliseconds a minute are granted to an account"),
        ([(ANN, HERE), (BEN, HERE)], (CAT, HERE), "2000 processor milliseconds a minute are granted to an address"),
        (
            [(NOBODY, f"2001:db8:1:{number:x}::/64") for number in range(8)],
            (CAT, "2001:db8:1:9::/64"),
            "16000 processor milliseconds a minute are granted to all addresses of a /48",
        ),
    ],
)
def test_who_is_refused_is_told_whose_budget_is_spent(
    spent_by: list[tuple[Caller, str]], asking: tuple[Caller, str], whose: str
) -> None:
    """It may be others' doing: who has spent nothing looks for them at the same address."""
    with freeze_time(NOON):
        found = limits(work_ms=1000)
        for caller, address in spent_by:
            while spend_all(found, caller, address):
                pass
        with pytest.raises(Refused) as refusal:
            found.spend(*asking, "work", 10)
        assert refusal.value.detail.startswith(f"{whose}, and this takes 10; wait ")


def test_a_site_opens_eight_times_as_many_accounts_as_an_address() -> None:
    with freeze_time(NOON):
        found, opened = limits(), 0
        with contextlib.suppress(Refused):
            while opened < 1000:
                found.spend(NOBODY, f"2001:db8:1:{opened:x}::/64", "accounts", 1)
                opened += 1
    assert opened == 8 * Settings().accounts


def test_a_full_redis_has_no_address_written_into_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """Budgets are counted by address and by account, and a server names the key that it refuses."""
    with data_directory() as directory, running(embedded.start(directory)):
        client = connect(embedded.url_of(directory))
        client.config_set("maxmemory", 1)
        found = limits()
        found.spend(ANN, HERE, "work", 10)
        stop = Event()
        sharing = Thread(target=found.share_until, args=(stop, client))
        sharing.start()
        wait_until(lambda: caplog.records)
        stop.set()
        sharing.join()
    assert "maxmemory" in caplog.text
    assert HERE not in caplog.text
    assert "ann" not in caplog.text


def test_a_budget_comes_back_as_told() -> None:
    """Nothing a second before the time that was told; room for the request then."""
    with freeze_time(NOON) as clock:
        found = limits()
        spend_all(found, ANN)
        with pytest.raises(Refused) as refusal:
            found.spend(ANN, HERE, "work", 10)
        assert refusal.value.members == {"retry_after": 66}  # a tenth of the window before has faded
        clock.tick(65)
        assert spend_all(found, ANN) == 0
        clock.tick(1)
        assert spend_all(found, ANN) == 1


def test_what_is_owed_has_to_fade_before_anything_else_is_let_in() -> None:
    """What shows only later, such as how much had to be read: at most as much is owed as the budget grants."""
    with freeze_time(NOON) as clock:
        found = limits()
        found.spend(ANN, HERE, "work", 90)
        for _ in range(3):
            found.note(ANN, HERE, "work", 60)
        assert found.fields(ANN, HERE, ["work"])["RateLimit"] == '"work";r=0;t=60'
        with pytest.raises(Refused) as refusal:
            found.spend(ANN, HERE, "work", 10)
        assert refusal.value.members == {"retry_after": 93}  # until less than half of the window before counts
        clock.tick(92)
        assert spend_all(found, ANN) == 0
        clock.tick(1)
        assert spend_all(found, ANN) == 1


def test_operators_have_no_budget() -> None:
    found, operator = limits(), Caller(Player("operator", "operator", bot=False, at=""), ("admin",))
    for _ in range(1000):
        found.spend(operator, HERE, "work", 10)
    assert found.fields(operator, HERE, ["work"]) == {}


def test_processes_learn_what_others_have_spent(store_url: str) -> None:
    """What two have spent counts in both, once each has told twice; what nobody else spent does not change."""
    with freeze_time(NOON), contextlib.closing(connect(store_url)) as client:
        one, other = limits(), limits()
        for _ in range(4):
            one.spend(ANN, HERE, "work", 10)
            other.spend(ANN, HERE, "work", 10)
        for found in (one, other, one, other):
            found.counts.share(client)
        one.spend(ANN, HERE, "work", 10)
        other.spend(ANN, HERE, "work", 10)
        one.counts.share(client)
        other.counts.share(client)
        assert [spend_all(found, ANN) for found in (one, other)] == [1, 0]


@pytest.mark.parametrize("held", [False, True])
def test_a_redis_that_was_emptied_or_put_back_is_told_everything_again(store_url: str, held: bool) -> None:
    """By each, also by one that spends no more as its budget is spent: others would grant a whole one else."""
    with freeze_time(NOON), contextlib.closing(connect(store_url)) as client:
        one, other, third = limits(), limits(), limits()
        one.spend(CAT, AWAY, "work", 60)
        one.counts.share(client)
        kept = {key: client.dump(key) for key in client.keys(f"{SPENT}*")}
        for found in (one, other):
            found.spend(CAT, AWAY, "work", 20)
            found.counts.share(client)
        client.delete(*client.keys(f"{SPENT}*"))
        for key, value in kept.items() if held else ():
            client.restore(key, 60_000, value)
        for found in (one, other):
            found.counts.share(client)
        third.note(CAT, AWAY, "work", 5)
        third.counts.share(client)
        assert spend_all(third, CAT, AWAY) == 0
        client.delete(*client.keys(f"{SPENT}*"))


def test_a_redis_that_has_lost_nothing_is_told_nothing_twice(store_url: str) -> None:
    """However often it is looked whether it has, nor where the answer to that was lost."""

    class Deaf:
        def set(self, *args: Any, **named: Any) -> Any:
            client.set(*args, **named)
            raise NoConnection

    with freeze_time(NOON), contextlib.closing(connect(store_url)) as client:
        found = limits()
        found.spend(CAT, HERE, "work", 30)
        found.counts.share(client)
        client.delete(place := shared_at(found, CAT))
        with pytest.raises(NoConnection):
            found.counts.share(Deaf())
        for _ in range(3):
            found.counts.share(client)
        assert not client.exists(place)


def test_a_count_that_cannot_be_read_leaves_those_of_others_as_they_are(store_url: str) -> None:
    """However often it is tried again: what was told counts once. Raises why."""
    with freeze_time(NOON), contextlib.closing(connect(store_url)) as client:
        one, other = limits(), limits()
        client.set(shared_at(one, DAN), "of another kind")
        for who in (DAN, EVA):
            one.spend(who, ELSEWHERE, "work", 10)
        for _ in range(3):
            with pytest.raises(ResponseError):
                one.counts.share(client)
        other.spend(EVA, ELSEWHERE, "work", 10)
        other.counts.share(client)
        assert spend_all(other, EVA, ELSEWHERE) == 8


def test_what_is_forgotten_here_is_not_taken_back_elsewhere(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With more counters than a process keeps the first half goes; what it spends then adds to what it has told."""
    monkeypatch.setattr(counts, "MOST_KEYS", 4)
    with freeze_time(NOON), contextlib.closing(connect(store_url)) as client:
        one, other = limits(), limits()
        one.spend(FAY, "192.0.2.5", "work", 60)
        one.counts.share(client)
        for address in ("192.0.2.7", "192.0.2.8", "192.0.2.9"):
            one.spend(NOBODY, address, "work", 10)
        one.spend(FAY, "192.0.2.5", "work", 10)
        one.counts.share(client)
        other.spend(FAY, "192.0.2.5", "work", 10)
        other.counts.share(client)
        assert spend_all(other, FAY, "192.0.2.5") == 2


def test_counters_that_are_over_make_little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """One is no reason to look at all again for the next: the half that came first goes as well."""
    monkeypatch.setattr(counts, "MOST_KEYS", 20)
    with freeze_time(NOON) as clock:
        found = limits()
        found.spend(NOBODY, HERE, "work", 10)
        clock.tick(121)
        for number in range(20):
            found.spend(NOBODY, f"192.0.2.{number}", "work", 10)
        assert found.counts.reset() == 11


def test_much_that_is_spent_at_once_is_told_at_once(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else each process would grant the whole budget before it hears of the others."""
    monkeypatch.setattr(budgets, "SHARE_S", 3600.0)
    stop = Event()
    with contextlib.closing(connect(store_url)) as client:
        found = limits()
        Thread(target=found.share_until, args=(stop, client), daemon=True).start()
        found.spend(GIL, ELSEWHERE, "work", 5)
        wait_until(lambda: client.exists(shared_at(found, GIL)))
        stop.set()


def test_a_redis_that_does_not_answer_leaves_each_to_itself() -> None:
    """What could not be told is told later."""

    class Dead:
        def set(self, *_: Any, **__: Any) -> Any:
            raise NoConnection

    with freeze_time(NOON):
        found = limits()
        found.spend(ANN, HERE, "work", 10)
        with pytest.raises(NoConnection):
            found.counts.share(Dead())
        with pytest.raises(NoConnection):
            found.counts.share(Dead())
        assert spend_all(found, ANN) == 9


def test_a_request_tells_of_the_callers_own_budget(limited: World) -> None:
    """In the form of the draft; others at the same address do not show in it."""
    with freeze_time(NOON):
        ann = limited.somebody("Ann")
        first = ann.get("/v1/players/me")
        assert first.headers["RateLimit-Policy"] == '"work";q=100;w=60'
        assert first.headers["RateLimit"] == '"work";r=98;t=60'
        limited.somebody("Ben").get("/v1/tables")
        assert ann.get("/v1/games").headers["RateLimit"] == '"work";r=96;t=60'


def test_a_refusal_tells_of_the_budget_that_is_spent(limited: World) -> None:
    """When to come again, and how much there will be then."""
    with freeze_time(NOON):
        ann = limited.somebody("Ann")
        while (answer := ann.get("/v1/players/me")).status_code == 200:
            pass
        refused(answer, 429, "too-many-requests")
        assert answer.headers["Retry-After"]
        assert answer.headers["RateLimit-Policy"] == '"work";q=100;w=60'
        assert answer.headers["RateLimit"] == '"work";r=0;t=60'


def test_what_is_not_there_is_charged_to_the_address(limited: World) -> None:
    """Or else whoever has spent the budget would go on with paths that lead nowhere, and methods that nothing has."""
    with freeze_time(NOON):
        for number in range(50):
            refused(limited.nobody.get(f"/v1/nothing/{number}"), 404, "not-found")
            refused(limited.nobody.send("PUT", "/v1/games"), 405, "method-not-allowed")
        for answer in (limited.nobody.get("/v1/nothing"), limited.nobody.send("PUT", "/v1/games")):
            assert refused(answer, 429, "too-many-requests")["detail"].startswith("200 processor milliseconds a minute")


def test_what_grows_with_a_table_is_charged_by_how_much_there_is(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """All rulings in one answer, all that was said on disputes, events: those of a long table cost more."""
    monkeypatch.setattr(rulings, "RULINGS_A_MS", 1)
    monkeypatch.setattr(disputes, "TEXTS_A_MS", 1)
    monkeypatch.setattr(events, "EVENTS_A_MS", 1)
    monkeypatch.setattr(events, "SENTENCES_A_MS", 2)
    with freeze_time(NOON):
        ann, bob = world.somebody("Ann"), world.somebody("Bob")
        table = world.open(ann, bob, game="manitou", disputes={"by": "vote"})
        world.play(table, ann, bob, moves=12)
        path = f"/v1/tables/{table}"
        ruling = accepted(ann.get(f"{path}/rulings"))["rulings"][-1]
        claim = {"seat": 1, "version": ruling["version"], "rule": ruling["rules"][0]["id"], "claim": "No."}
        found = accepted(ann.post(f"{path}/disputes", claim), 201)["disputes"][0]["dispute"]
        for text in "abc":
            accepted(ann.post(f"{path}/disputes/{found}/comments", {"text": text}))
        version, lines = accepted(ann.get(path))["version"], {"Accept": "application/x-ndjson"}
        for read, form, fixed, told in (
            ("rulings", {}, 10, len(accepted(ann.get(f"{path}/rulings"))["rulings"])),
            ("disputes", {}, 2, 4),
            ("events?limit=7&after=2", {}, 10, 7),
            ("events?after=9&language=fr", {}, 10, (version - 9) // 2),
            ("events?after=2", lines, 10, version - 2),
        ):
            before, after = (left(ann.get(f"{path}/{read}", **form)) for _ in "ab")
            assert before - after == fixed + told
        monkeypatch.setattr(events, "SAID_A_MS", 1)  # 480 comments took 65 ms with gzip, for a charge of 26
        before, after = (left(ann.get(f"{path}/events?limit=1000")) for _ in "ab")
        assert before - after == 10 + version + 4


def test_who_adds_to_a_dispute_is_charged_for_all_that_is_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer holds every claim and comment: 1200 disputes took 30 ms, for a charge of 3."""
    monkeypatch.setattr(disputes, "TEXTS_A_MS", 1)
    with freeze_time(NOON):
        ann, bob = world.somebody("Ann"), world.somebody("Bob")
        path, claim = world.disputable(ann, bob)
        opened = ann.post(f"{path}/disputes", claim)
        found = f"{path}/disputes/{accepted(opened, 201)['disputes'][0]['dispute']}"
        answers = [ann.post(f"{found}/comments", {"text": text}) for text in "ab"]
        answers.append(ann.post(f"{found}/votes", {"seat": 1, "overturn": True}))
        lefts = [left(answer) for answer in (opened, *answers)]
        assert [one - other for one, other in pairwise(lefts)] == [3 + told for told in (2, 3, 3)]


def test_an_archive_is_charged_for_whoever_takes_one_encoding_alone() -> None:
    """1.2 MB of Plenty Coups took 190 ms with brotli, 110 with gzip and 50 without, for a charge of 40 each."""
    assert costs.archive_ms(1_200_000) >= 110


@pytest.mark.parametrize(
    ("method", "rule", "took_ms"),
    [  # for charges of 8, 10 and 5
        ("GET", "/v1/ratings", 22),
        ("POST", f"{costs.TABLE}/forks", 23),
        ("GET", "/v1/games/<game>/cases/<case>", 20),
    ],
)
def test_what_make_charges_found_is_charged_at_least_half_of_what_it_takes(
    method: str, rule: str, took_ms: int
) -> None:
    assert took_ms <= 2 * costs.cost_ms(method, rule)


def test_a_record_is_charged_by_what_there_is_to_write(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Archive and notation: 2000 events took 33 ms for a charge of 10, 5000 in notation 120 for one of 45."""
    monkeypatch.setattr(costs, "ARCHIVED_A_MS", 1000)
    monkeypatch.setattr(costs, "NOTED_A_MS", 1)
    monkeypatch.setattr(costs, "USUAL_EVENTS", 5)
    with freeze_time(NOON):
        ann, bob = world.somebody("Ann"), world.somebody("Bob")
        table = world.open(ann, bob, game="manitou")
        world.play(table, ann, bob, moves=12)
        version = accepted(ann.get(f"/v1/tables/{table}"))["version"]
        size = len(ann.get(f"/v1/tables/{table}/archive?after=2").data)
        for read, fixed, told in (("archive?after=2", 10, size // 1000), ("notation", 45, version - 5)):
            before, after = (left(ann.get(f"/v1/tables/{table}/{read}")) for _ in "ab")
            assert before - after == fixed + told


def test_a_table_that_closed_is_charged_by_its_length(world: World) -> None:
    """It may have to be unpacked from the archive, and hashed anew: 14 ms for 283 events, where others take 2."""
    with freeze_time(NOON):
        ann, bob = world.somebody("Ann"), world.somebody("Bob")
        table = world.open(ann, bob, game="tomahawk")
        costs = []
        for _ in range(2):
            before, after = (left(ann.get(f"/v1/tables/{table}")) for _ in "ab")
            costs.append(before - after)
            world.finish(table)
        version = accepted(ann.get(f"/v1/tables/{table}"))["version"]
        assert version > 60
        private = world.open(ann, bob, game="tomahawk", visibility="private")
        world.finish(private)
        strange = [left(world.nobody.get(f"/v1/tables/{name}")) for name in ("t_none", private, "t_none")]
        assert [one - other for one, other in pairwise(strange)] == [2, 2]
        assert costs == [2, 2 + version // 20]


@pytest.mark.parametrize("is_over", [False, True])
def test_a_branch_is_charged_for_its_past_where_it_is_read(
    is_over: bool, world: World, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that closed was charged for its own events alone."""
    monkeypatch.setattr(costs, "PAST_A_MS", 1)
    with freeze_time(NOON), contextlib.closing(World(store_url, kept_tables=1)) as small:
        ann, bob = world.somebody("Ann"), world.somebody("Bob")
        other, parent = (world.open(ann, bob, game="tomahawk") for _ in "ab")
        world.finish(parent)
        version = world.services.handler.history(parent).table.version // 2
        branch = accepted(ann.post(f"/v1/tables/{parent}/forks", {"version": version}), 201)["table"]
        if is_over:
            world.finish(branch)
        history = world.services.handler.history(branch)
        asking = Somebody(small.app, ann.player, ann.token)
        before, after = (left(asking.get(f"/v1/tables/{name}")) for name in (other, branch))
        assert before - after == 2 + history.table.version // costs.EVENTS_A_MS + len(past_rows(history.table))


def test_a_table_costs_more_to_read_where_play_went_back(
    world: World, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole state stands there each time: 800 events with 400 of these took 110 ms in Tomahawk, for 42."""
    monkeypatch.setattr(costs, "EVENTS_A_MS", 1)
    with freeze_time(NOON), contextlib.closing(World(store_url, kept_tables=1)) as small:
        players = [world.somebody(name) for name in ("Ann", "Bob")]
        other = world.open(*players, game="tomahawk")
        table, found = taken_back(world, world.open(*players, game="manitou"), *players), list[int]()
        undone = world.services.handler.history(table).table.undone
        asking = Somebody(small.app, players[0].player, players[0].token)
        for is_over in (False, True):
            if is_over:
                world.finish(table)
            for each in (10**6, 1):
                monkeypatch.setattr(costs, "READ_BACK_A_MS", each)
                before, after = (left(asking.get(f"/v1/tables/{name}")) for name in (other, table))
                found.append(before - after)
        assert undone
        assert [found[1] - found[0], found[3] - found[2]] == [undone, undone]


def test_a_table_that_was_not_in_memory_is_charged_by_its_length(world: World, store_url: str) -> None:
    """Whoever goes around more tables than are kept has each read and folded anew: 5000 events took 190 ms, for 2."""
    with freeze_time(NOON), contextlib.closing(World(store_url, kept_tables=1)) as small:
        ann, bob = world.somebody("Ann"), world.somebody("Bob")
        one, other = (world.open(ann, bob, game="big-manitou") for _ in "ab")
        world.play(one, ann, bob, moves=60)
        version = accepted(ann.get(f"/v1/tables/{one}"))["version"]
        assert version > 60
        asking = Somebody(small.app, ann.player, ann.token)
        lefts = [left(asking.get(f"/v1/tables/{table}")) for table in (other, one, one, other, one)]
        assert [one - other for one, other in pairwise(lefts)] == [2 + version // 20, 2, 3, 2 + version // 20]


def test_what_reads_many_tables_is_charged_for_each(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """An export by the length of its tables, an inbox by their number."""
    monkeypatch.setattr(inbox, "TABLES_A_MS", 1)
    with freeze_time(NOON):
        ann, bob = world.somebody("Ann"), world.somebody("Bob")
        long = world.open(ann, bob, game="big-manitou")
        world.finish(long)
        for _ in range(3):
            world.open(ann, bob, game="tomahawk")
        world.catch_up()
        version = accepted(ann.get(f"/v1/tables/{long}"))["version"]
        assert version // 20 > TABLE_MS
        for path, fixed, tables in (("players/me/export", 10, 3 * TABLE_MS + version // 20), ("inbox", 2, 3)):
            before, after = (left(ann.get(f"/v1/{path}")) for _ in "ab")
            assert before - after == fixed + tables


def test_an_export_is_charged_for_each_time_that_play_went_back(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifty tables of Tomahawk with a thousand takebacks each would take 27 s to read, for a charge of 13."""
    with freeze_time(NOON):
        players, found = [world.somebody(name) for name in ("Ann", "Bob")], list[int]()
        table = taken_back(world, world.open(*players, game="manitou"), *players)
        world.catch_up()
        for each in (10**6, 1):
            monkeypatch.setattr(costs, "READ_BACK_A_MS", each)
            before, after = (left(players[0].get("/v1/players/me/export")) for _ in "ab")
            found.append(before - after)
        assert found[1] - found[0] == world.services.handler.history(table).table.undone > 0


def test_blocks_are_charged_for_each_name(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """An account may have 500, whose names take 15 ms: alone, and in the export."""
    monkeypatch.setattr(blocks, "NAMES_A_MS", 1)
    with freeze_time(NOON):
        ann, others = world.somebody("Ann"), [world.somebody(name) for name in ("Bob", "Cy", "Di")]
        for other in others:
            accepted(ann.send("PUT", f"/v1/players/me/blocks/{other.player}"), 204)
        for path, fixed in (("blocks", 2), ("export", 10)):
            before, after = (left(ann.get(f"/v1/players/me/{path}")) for _ in "ab")
            assert before - after == fixed + len(others)


def test_reports_are_charged_for_by_how_many_there_are(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those about people who were erased wait no more, so that there may be any number: 3000 took 20 ms to count."""
    monkeypatch.setattr(costs, "REPORTS_COUNTED_A_MS", 1)
    monkeypatch.setattr(costs, "REPORTS_TOLD_A_MS", 1)
    with freeze_time(NOON):
        ann = world.somebody("Ann")
        for made in range(3):
            bob = world.somebody("Bob")
            before, reported = left(ann.get("/v1/players/me")), {"player": bob.player, "reason": "abuse", "text": "no"}
            assert before - left(ann.post("/v1/reports", reported)) == 3 + made
            accepted(bob.delete("/v1/players/me"), 204)
        for path, fixed in (("quotas", 8), ("export", 10)):
            before, after = (left(ann.get(f"/v1/players/me/{path}")) for _ in "ab")
            assert before - after == fixed + 3


def test_worlds_that_are_imagined_are_charged_by_the_game(world: World) -> None:
    """For a branch of a running game, and to see who has learned from what is taken back: by the game alone."""
    with freeze_time(NOON):
        people = [world.somebody(name) for name in ("Ann", "Bob")]
        found = []
        for game in ("big-manitou", "plenty-coups"):
            path = f"/v1/tables/{world.open(*people, game=game)}"
            world.play(path.rpartition("/")[2], *people, moves=6)
            asked = (("forks", {"version": 9}), ("takebacks", {"seat": 1}))
            start = left(people[0].get("/v1/inbox"))
            costs = [left(people[0].post(f"{path}/{end}", body)) for end, body in asked]
            found.append([one - other for one, other in pairwise([start, *costs])])
        (fork, takeback), others = found
        assert others == [fork + lone_worlds_ms(game, 1), takeback + lone_worlds_ms(game, WORLDS)]


def taken_back(world: World, table: str, ann: Somebody, *others: Somebody) -> str:
    """The table, at which three moves were taken back or asked back."""
    players, rng = (ann, *others), random.Random(1)
    for _ in range(3):
        seat, move = world.move(table, rng) or (0, {})
        while seat > len(players):
            play_turns(world.services.handler, table)
            seat, move = world.move(table, rng) or (0, {})
        for end, body in (("moves", world.moving(table, seat, move)), ("takebacks", {"seat": seat})):
            accepted(players[seat - 1].post(f"/v1/tables/{table}/{end}", body))
    return table


def audited(who: Somebody, table: str) -> int:
    """What an audit is charged."""
    before, after = (left(who.get(f"/v1/tables/{table}/audit")) for _ in "ab")
    return before - after


def test_an_audit_is_charged_for_what_was_taken_back(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It decides again who has learned something: with 1200 takebacks it took 16 s, for a charge of one."""
    with freeze_time(NOON):
        players, found = [world.somebody(name) for name in ("Ann", "Bob")], []
        world.finish(table := taken_back(world, world.open(*players, game="manitou"), *players))
        for each in (0, 100):
            monkeypatch.setattr(costs, "TAKEBACK_AGAIN_MS", each)
            found.append(audited(players[0], table))
        assert found[1] - found[0] == 300


def test_an_audit_is_charged_for_worlds_in_which_takebacks_are_tried(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Late in Plenty Coups 24 took 5.6 s, for a charge of 0.3: six worlds each. Who is alone asks nobody."""
    with freeze_time(NOON):
        players, found = [world.somebody(name) for name in ("Ann", "Bob")], []
        seats = [{"kind": "me"}, {"kind": "ai", "level": "uniform"}]
        alone = accepted(players[0].post("/v1/tables", {"game": "manitou", "seats": seats}), 201)["table"]
        world.finish(taken_back(world, alone, players[0]))
        world.finish(table := taken_back(world, world.open(*players, game="manitou"), *players))
        for each in (0, 10):
            monkeypatch.setitem(costs.LONE_WORLD_MS, "manitou", each)
            found.append((audited(players[0], table), audited(players[0], alone)))
        assert found[1] == (found[0][0] + 3 * WORLDS * 10, found[0][1])


def test_an_audit_of_a_running_table_is_charged_by_its_length(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one with 3,400 events and 1,200 takebacks it took 1.0 s, for a charge of 100 ms."""
    with freeze_time(NOON):
        players, found = [world.somebody(name) for name in ("Ann", "Bob")], []
        table = taken_back(world, world.open(*players, game="manitou"), *players)
        for each in (10**6, 1):
            monkeypatch.setattr(costs, "EVENTS_A_MS", each)
            monkeypatch.setattr(costs, "UNDONE_A_MS", each)
            monkeypatch.setattr(costs, "USUAL_EVENTS", 0)
            found.append(audited(players[0], table))
        events = world.services.handler.history(table).events
        undone = sum(event.envelope.type in DECIDED for event in events)
        assert found[1] - found[0] == len(events) + undone


def test_deciding_again_is_charged_for_what_was_undone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """With 1,300 takebacks of Plenty Coups it took 0.5 s, for a charge of 0.2."""
    with freeze_time(NOON):
        players, found = [world.somebody(name) for name in ("Ann", "Bob")], []
        world.finish(table := taken_back(world, world.open(*players, game="manitou"), *players))
        events = world.services.handler.history(table).events
        for each in (10**6, 1):
            monkeypatch.setattr(costs, "UNDONE_A_MS", each)
            before, after = (
                left(players[0].post(f"/v1/tables/{table}/readjudications", {"options": {}})) for _ in "ab"
            )
            found.append(before - after)
        assert found[1] - found[0] == sum(event.envelope.type in DECIDED for event in events)


def test_ai_moves_that_are_computed_again_are_charged_by_what_was_searched(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A choice of an expert of Plenty Coups took 1.2 s, and up to 2.2, for a charge of 500 ms."""
    with freeze_time(NOON):
        ann = world.somebody("Ann")
        seats = [{"kind": "me"}, {"kind": "ai", "level": "uniform"}]
        table = accepted(ann.post("/v1/tables", {"game": "manitou", "seats": seats}), 201)["table"]
        world.finish(table)
        path, found = f"/v1/tables/{table}", []
        version = next(e.version for e in world.services.handler.history(table).events if "ai_used" in e.sealed)
        for share in (0.0, 0.5):
            used = {"budget": int(share * efforts("manitou")["expert"].iterations)}
            monkeypatch.setattr(searching, "of_ai", lambda event, used=used: used if "ai_used" in event.sealed else {})
            for read in (f"moves/{version}/explanation", "audit"):
                before, after = (left(ann.get(f"{path}/{read}")) for _ in "ab")
                found.append(before - after)
        assert [found[2] - found[0], found[3] - found[1]] == [searched_ms("manitou", 0.5), searched_ms("manitou", 1)]


def test_a_choice_is_charged_for_at_each_event_that_it_led_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first of a table to its last; elsewhere there is none."""
    history = corpus.history_of("manitou-2-greedy")
    last = history.table.version
    monkeypatch.setattr(searching, "of_ai", lambda _: {"budget": 9})
    assert [searching.iterations_at(history, version) for version in (0, 1, last, last + 1)] == [0, 9, 9, 0]


def left(answer: Answer) -> int:
    """What is left of the budget for work."""
    return int(answer.headers["RateLimit"].partition("r=")[2].partition(";")[0])


def test_whoever_has_spent_the_budget_is_told_when_to_come_again(limited: World) -> None:
    with freeze_time(NOON):
        ann = limited.somebody("Ann")
        accepted(ann.get("/v1/players/me"))
        while (answer := ann.get("/v1/standings")).status_code == 200:
            pass
        problem = refused(answer, 429, "too-many-requests")
        assert (answer.headers["Retry-After"], problem["retry_after"]) == ("62", 62)
        assert accepted(limited.nobody.get("/v1/games"))


def test_a_legal_move_is_never_refused(limited: World, world: World) -> None:
    """Whatever else its player has asked for; a move for which none waits is."""
    with freeze_time(NOON):
        ann, bob = (Somebody(limited.app, one.player, one.token) for one in (world.somebody("A"), world.somebody("B")))
        table = world.open(*(Somebody(world.app, one.player, one.token) for one in (ann, bob)), game="manitou")
        for who in (ann, bob):
            while who.get("/v1/players/me").status_code == 200:
                pass
        rng, idle = random.Random(1), 0
        for _ in range(30):
            chosen = world.move(table, rng)
            assert chosen
            acting, waiting = (ann, bob) if chosen[0] == 1 else (bob, ann)
            body = {"game": "manitou", "seat": chosen[0], "move": chosen[1]}
            if not world.services.handler.history(table).table.is_due(str(waiting.player)):
                refused(waiting.post(f"/v1/tables/{table}/moves", body), 429, "too-many-requests")
                idle += 1
            accepted(acting.post(f"/v1/tables/{table}/moves", body))
        assert idle


def test_repeats_of_a_move_end_with_the_budget(store_url: str, world: World) -> None:
    """Whoever had a decision open could repeat an old move for ever. Some repeats are answered, and legal moves are."""
    with freeze_time(NOON), contextlib.closing(World(store_url, work_ms=100, refused_moves=3)) as small:
        ann, bob = world.somebody("Ann"), world.somebody("Bob")
        table, again = world.open(ann, bob, game="manitou"), Somebody(small.app, ann.player, ann.token)
        path, rng, first = f"/v1/tables/{table}/moves", random.Random(1), None
        while (chosen := world.move(table, rng)) and (chosen[0] == 2 or not first):
            body = world.moving(table, *chosen)
            first = body if chosen[0] == 1 else first
            accepted((ann, bob)[chosen[0] - 1].post(path, body, **({"Idempotency_Key": "1"} if body is first else {})))
        world.catch_up()
        while again.get("/v1/players/me").status_code == 200:
            pass
        small.services.limits.note(NOBODY, "127.0.0.1", "refused_moves", 100)  # by others at the address
        answers = [again.post(path, first, Idempotency_Key="1").status_code for _ in range(5)]
        assert answers == [200, 200, 200, 429, 429]
        assert chosen
        accepted(again.post(path, world.moving(table, *chosen)))


def test_what_was_read_is_owed_where_the_budget_has_no_room_for_it(store_url: str, world: World) -> None:
    """Tables that closed and are not in memory were read again and again for 2 ms each: the rest was refused."""
    with freeze_time(NOON), contextlib.closing(World(store_url, work_ms=100, kept_tables=1)) as small:
        ann, bob = world.somebody("Ann"), world.somebody("Bob")
        tables = [world.open(ann, bob, game="big-manitou") for _ in range(2)]
        for table in tables:
            world.finish(table)
        asking = Somebody(small.app, ann.player, ann.token)
        while left(asking.get("/v1/players/me")) >= 10:
            pass
        assert all(len(world.services.handler.history(table).events) > 200 for table in tables)
        answers = [asking.get(f"/v1/tables/{tables[number % 2]}").status_code for number in range(3)]
        assert answers == [200, 429, 429]


def test_a_legal_move_is_never_refused_though_the_lobby_lags(store_url: str, world: World) -> None:
    """Its table has to be read each time, no list has it yet, and others at the address have had all refused moves."""
    with freeze_time(NOON), contextlib.closing(World(store_url, work_ms=100, refused_moves=3, kept_tables=1)) as small:
        ann, bob = (
            Somebody(small.app, one.player, one.token) for one in (world.somebody("Ann"), world.somebody("Bob"))
        )
        tables = [world.open(ann, bob, game="manitou") for _ in range(2)]
        for who in (ann, bob):
            while who.get("/v1/players/me").status_code == 200:
                pass
        small.services.limits.note(NOBODY, "127.0.0.1", "refused_moves", 100)
        for number in range(20):
            chosen = world.move(tables[number % 2], random.Random(number))
            assert chosen
            body = world.moving(tables[number % 2], *chosen)
            accepted((ann, bob)[chosen[0] - 1].post(f"/v1/tables/{tables[number % 2]}/moves", body))


def test_no_table_is_read_for_moves_beyond_the_budget(
    store_url: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever sent moves to tables of others that are not in memory had each read for nothing. One's own is read."""
    with freeze_time(NOON), contextlib.closing(World(store_url, work_ms=100, refused_moves=3, kept_tables=1)) as small:
        people = ann, bob, cat = [world.somebody(name) for name in ("Ann", "Bob", "Cat")]
        others = [world.open(ann, bob, game="tomahawk") for _ in range(2)]
        own = world.open(cat, bob, game="manitou")
        world.finish(others[0])
        world.finish(others[1])
        world.catch_up()
        asking, read = Somebody(small.app, cat.player, cat.token), list[bool]()
        while asking.get("/v1/players/me").status_code == 200:
            pass
        body = {"game": "tomahawk", "seat": 1, "move": {"type": "none"}}
        histories = small.services.handler.histories
        noted = noting(read, lambda table: histories.known(table) is None, histories.fresh)
        monkeypatch.setattr(histories, "fresh", noted)
        for number in range(8):
            answer = asking.post(f"/v1/tables/{others[number % 2]}/moves", body)
            refused(answer, 429, "too-many-requests")
        assert sum(read) == 3
        while (chosen := world.move(own, random.Random(1))) and chosen[0] == 2:
            accepted(people[1].post(f"/v1/tables/{own}/moves", world.moving(own, *chosen)))
        assert chosen
        accepted(asking.post(f"/v1/tables/{own}/moves", world.moving(own, *chosen)))


def test_an_account_may_send_so_many_moves_that_are_refused(store_url: str) -> None:
    """Even while a decision waits for it; its legal moves are taken all the same."""
    with freeze_time(NOON), contextlib.closing(World(store_url, refused_moves=3)) as found:
        ann, bob = found.somebody("Ann"), found.somebody("Bob")
        table = found.open(ann, bob, game="manitou")
        seat, move = found.move(table, random.Random(1)) or (0, {})
        acting = (ann, bob)[seat - 1]
        path = f"/v1/tables/{table}/moves"
        illegal = {"game": "manitou", "seat": seat, "move": {"type": "no such move"}}
        for _ in range(3):
            assert acting.post(path, illegal).status_code in (409, 422)
        answer = acting.post(path, illegal)
        refused(answer, 429, "too-many-requests")
        assert answer.headers["RateLimit-Policy"] == '"work";q=1000000000;w=60, "refused_moves";q=3;w=60'
        assert int(answer.headers["Retry-After"]) > 0
        accepted(acting.post(path, {"game": "manitou", "seat": seat, "move": move}))


def test_what_is_no_move_counts_as_one_that_is_refused(store_url: str) -> None:
    """It is read before the budget is looked at, as a legal move is never refused: there would be no end of it."""
    with freeze_time(NOON), contextlib.closing(World(store_url, refused_moves=3)) as found:
        ann, bob = found.somebody("Ann"), found.somebody("Bob")
        path = f"/v1/tables/{found.open(ann, bob, game='manitou')}/moves"
        sent = {"content_type": "application/json"}
        refused(ann.send("POST", path, data=b"[", **sent), 400, "malformed")
        refused(ann.send("POST", path, data=b"{}", **sent), 422, "invalid")
        refused(ann.post("/v1/tables/t_none/moves", {"game": "manitou", "seat": 1, "move": {}}), 404, "no-such-table")
        refused(ann.send("POST", path, data=b"[", **sent), 429, "too-many-requests")


def test_a_query_beside_a_move_counts_as_one_that_is_refused(store_url: str) -> None:
    """Playing reads none, so that it is no move however good its body is."""
    with freeze_time(NOON), contextlib.closing(World(store_url, refused_moves=2)) as found:
        ann = found.somebody("Ann")
        for _ in range(2):
            refused(ann.post("/v1/tables/t_none/moves?x=1"), 422, "invalid")
        refused(ann.post("/v1/tables/t_none/moves?x=1"), 429, "too-many-requests")


def test_a_repeat_of_a_move_counts_as_one_that_is_refused(store_url: str) -> None:
    """It is answered all the same: with whom an answer was lost, that is one or two. A legal move is not counted."""
    with freeze_time(NOON), contextlib.closing(World(store_url, refused_moves=3)) as found:
        ann, bob = found.somebody("Ann"), found.somebody("Bob")
        table = found.open(ann, bob, game="manitou")
        seat, move = found.move(table, random.Random(1)) or (0, {})
        acting, path, body = (ann, bob)[seat - 1], f"/v1/tables/{table}/moves", found.moving(table, seat, move)
        first, *repeats = [acting.post(path, body, Idempotency_Key="1") for _ in range(5)]
        assert [answer.status_code for answer in (first, *repeats)] == [200] * 5
        assert "refused_moves" not in first.headers["RateLimit"]
        assert [f'"refused_moves";r={left}' in repeats[2 - left].headers["RateLimit"] for left in (2, 1, 0)] == [
            True
        ] * 3
        refused(acting.post(path, {"game": "manitou", "seat": seat, "move": {}}), 429, "too-many-requests")


def test_the_list_of_moves_is_a_read_like_any_other(limited: World) -> None:
    """It is at the place where moves are played, and those alone are never refused."""
    with freeze_time(NOON):
        ann = limited.somebody("Ann")
        while ann.get("/v1/players/me").status_code == 200:
            pass
        refused(ann.get("/v1/tables/t_none/moves"), 429, "too-many-requests")
        assert ann.send("HEAD", "/v1/tables/t_none/moves").status_code == 429


def test_an_address_opens_so_many_accounts(limited: World) -> None:
    with freeze_time(NOON):
        for name in ("Ann", "Ben", "Cat"):
            accepted(limited.nobody.post("/v1/players", {"name": name}), 201)
        answer = limited.nobody.post("/v1/players", {"name": "Dan"})
        refused(answer, 429, "too-many-requests")
        assert answer.headers["RateLimit-Policy"] == '"work";q=200;w=60, "accounts";q=3;w=3600'


def test_ai_seats_are_paid_for_by_what_they_will_think(limited: World) -> None:
    """A seat of `expert` in Big Manitou is 20 s; opening, and giving a seat to an AI, alike."""
    with freeze_time(NOON):
        ann = limited.somebody("Ann")
        experts = {"game": "big-manitou", "seats": [{"kind": "me"}, {"kind": "ai", "level": "expert"}]}
        free = {"game": "big-manitou", "seats": [{"kind": "me"}, {"kind": "open"}]}
        for _ in range(2):
            accepted(ann.post("/v1/tables", experts), 201)
        refused(ann.post("/v1/tables", experts), 429, "too-many-requests")
        table = accepted(ann.post("/v1/tables", free), 201)["table"]
        refused(ann.post(f"/v1/tables/{table}/seats/2", {"level": "uniform"}), 429, "too-many-requests")


def test_ai_seats_that_a_branch_takes_over_are_paid_for(limited: World) -> None:
    """Two tables with an `expert` each are 40 s of 40; a branch of one, for which no seats are named, is 20 more."""
    with freeze_time(NOON):
        ann = limited.somebody("Ann")
        experts = {"game": "big-manitou", "seats": [{"kind": "me"}, {"kind": "ai", "level": "expert"}]}
        table, _ = (accepted(ann.post("/v1/tables", experts), 201) for _ in range(2))
        branch = {"version": table["version"]}
        refused(ann.post(f"/v1/tables/{table['table']}/forks", branch), 429, "too-many-requests")


def test_what_ai_seats_cost() -> None:
    assert efforts("big-manitou")["expert"].seat_s == 20
    assert [efforts("manitou")[level].seat_s for level in ("expert", "skilled", "greedy")] == [12, 1, 1]


def test_ai_seats_are_paid_for_when_they_have_to_think_again(store_url: str) -> None:
    """A seat of `expert` in Manitou is 12 s, and a second more each time that play may go back."""
    with freeze_time(NOON), contextlib.closing(World(store_url, thinking_s=14)) as found:
        ann = found.somebody("Ann")
        seats = [{"kind": "me"}, {"kind": "ai", "level": "expert"}]
        path = f"/v1/tables/{accepted(ann.post('/v1/tables', {'game': 'manitou', 'seats': seats}), 201)['table']}"
        dispute = {"seat": 1, "version": 1, "rule": "MA-1", "claim": "no"}
        refused(ann.post(f"{path}/takebacks", {"seat": 1}), 409, "nothing-to-take-back")
        refused(ann.post(f"{path}/disputes", dispute), 403, "not-allowed")
        refused(ann.post(f"{path}/takebacks", {"seat": 1}), 429, "too-many-requests")
        refused(ann.post(f"{path}/disputes", dispute), 429, "too-many-requests")


def test_ai_seats_are_paid_for_by_how_far_play_may_go_back(store_url: str) -> None:
    """Where play goes on while a ruling is disputed, all that they think: a seat of `skilled` in Manitou is 1 s."""
    with freeze_time(NOON), contextlib.closing(World(store_url, thinking_s=2)) as found:
        ann, ida = found.somebody("Ann"), found.somebody("Ida")
        seats = [{"kind": "me"}, {"kind": "ai", "level": "skilled"}]
        rules = {"by": "arbiter", "play": "goes_on"}
        opening = {"game": "manitou", "seats": seats, "arbiter": ida.player, "disputes": rules}
        path = f"/v1/tables/{accepted(ann.post('/v1/tables', opening), 201)['table']}"
        dispute = {"seat": 1, "version": 1, "rule": "MA-1", "claim": "no"}
        refused(ann.post(f"{path}/disputes", dispute), 404, "no-such-ruling")
        refused(ann.post(f"{path}/disputes", dispute), 429, "too-many-requests")


def test_a_seat_is_handed_over_to_whom_the_budget_has_room_for(store_url: str) -> None:
    """An `expert` in Manitou is 12 s of 14; `greedy`, as whoever leaves is replaced by, is owed: the game goes on."""
    with freeze_time(NOON) as now, contextlib.closing(World(store_url, thinking_s=14)) as found:
        ann, ben = found.somebody("Ann"), found.somebody("Ben")
        one, other = (waited_for(found, now, ann, ben) for _ in range(2))
        refused(ann.post(one.replace("/1/", "/2/"), {"level": "expert"}), 409, "decision-open")  # costs nothing
        for _ in range(2):  # sent again, it gets the first answer
            accepted(ben.post(one, {"level": "expert"}, Idempotency_Key="one"))
        refused(ben.post(other, {"level": "expert"}), 429, "too-many-requests")
        found.services.limits.spend(found.services.accounts.caller(str(ben.token)), "here", "thinking", 2)
        accepted(ben.post(other, {"level": "greedy"}))


def waited_for(world: World, now: Any, ann: Somebody, ben: Somebody) -> str:
    """The path to hand over seat 1 of a new table, Ann's, whose clock has run out."""
    table = world.open(ann, ben, game="manitou", clock={"kind": "fischer", "initial_s": 5, "increment_s": 0})
    decision = world.services.handler.history(table).table.decision_of(1)
    assert decision
    now.tick(6)
    assert expire(world.services.handler, table, 1, decision.recorded_id)
    return f"/v1/tables/{table}/seats/1/handover"


def test_whoever_leaves_for_good_owes_what_plays_on(store_url: str) -> None:
    """A second for each table: to erase accounts, one after the other, is no way to have AI play for nothing."""
    with freeze_time(NOON), contextlib.closing(World(store_url, thinking_s=14)) as found:
        ann, ben = found.somebody("Ann"), found.somebody("Ben")
        for _ in range(3):
            found.open(ann, ben, game="manitou")
        found.catch_up()
        left = ann.delete("/v1/players/me").headers["RateLimit"]

    assert '"thinking";r=11;' in left


def test_an_account_makes_so_many_changes(store_url: str) -> None:
    """Whatever is kept of them; reads, checks and moves are none."""
    with freeze_time(NOON), contextlib.closing(World(store_url, changes=3)) as found:
        ann, bob = found.somebody("Ann"), found.somebody("Bob")
        table = found.open(ann, bob, game="manitou")
        seat, move = found.move(table, random.Random(1)) or (0, {})
        acting, path = (ann, bob)[seat - 1], f"/v1/tables/{table}"
        while (answer := acting.post(f"{path}/takebacks", {"seat": seat})).status_code == 409:
            assert '"changes";q=3;w=3600' in answer.headers["RateLimit-Policy"]
        refused(answer, 429, "too-many-requests")
        refused(acting.post("/v1/players/me/tokens", {"scopes": ["watch"]}), 429, "too-many-requests")
        accepted(acting.post(f"{path}/moves/check", found.moving(table, seat, move)))
        accepted(acting.post(f"{path}/moves", found.moving(table, seat, move)))


@pytest.mark.parametrize("path", ["/v1/tables?mine=true", "/v1/tables/{}", "/v1/tables/{}/diff", "/v1/inbox"])
def test_who_asks_and_from_where_is_worked_out_once(world: World, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The token is looked up once a request, and its address is found once."""
    ann = world.somebody("Ann")
    table = accepted(ann.post("/v1/tables", {"game": "manitou", "seats": [{"kind": "me"}, {"kind": "open"}]}), 201)
    found: list[str] = []
    look_up, find = Accounts.caller, client_of
    monkeypatch.setattr(Accounts, "caller", noting(found, "token", look_up))
    monkeypatch.setattr(admission, "client_of", noting(found, "address", find))
    accepted(ann.get(path.format(table["table"])))
    assert sorted(found) == ["address", "token"]


@pytest.mark.parametrize("method", ["POST", "post"])
def test_a_method_in_small_letters_costs_the_same(world: World, method: str) -> None:
    operation = world.app.extensions["admission"].operation(method, "/v1/archives")
    assert operation.method == "POST"


@pytest.mark.slow
def test_operators_are_never_refused(limited: World) -> None:
    operator = Somebody(limited.app, "operator", ADMIN)
    for _ in range(200):
        assert operator.get("/v1/standings").status_code == 200


def test_listing_tables_is_charged_for_all_that_a_filter_looks_at(limited: World) -> None:
    """With 100 ms a minute, a list may be asked for twice, whatever it then finds."""
    ann = limited.somebody("Ann")
    for _ in range(2):
        accepted(ann.get("/v1/tables?player=nobody"))
    refused(ann.get("/v1/tables"), 429, "too-many-requests")
