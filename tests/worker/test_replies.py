"""Bots that have invited are told by their webhook what became of that: at least once, under one id."""

import contextlib
from collections.abc import Iterator

import msgspec
import pytest
from redis.exceptions import ConnectionError as NotConnected

from events.log import LONGEST_LEASE
from events.store import RedisLog
from service.accounts.accounts import key_of
from service.accounts.blocks import Blocks
from service.accounts.invitations import LETTERS, Invitation, Invitations
from service.accounts.replies import ATTEMPTS, FIRST, Replies, Reply, reply_row
from service.accounts.sealing import sealer_for
from service.accounts.webhooks import Webhooks
from service.config import Settings
from service.outgoing_addresses import Reach, networks_of, ports_of
from tests.servers import SECRET, wait_until
from tests.tables import TEXTS, Visit
from tests.worker.receiver import Receiver, receiving
from worker.dispatch import LEASE_MS
from worker.replies import take
from worker.webhooks import MOST_ATTEMPTS, Deliverer

HERE = Reach(networks_of("127.0.0.0/8"), ports_of("1-65535"))
NOW = "2026-11-21T09:00:00.000Z"
ROB = "p_rob"


def invite(log: RedisLog) -> None:
    """Rob has invited Bea."""
    kept = msgspec.json.encode(Invitation("i_one", "t_one", ROB, "Bea", NOW, 2))
    log.client.set(key_of("invitation", "i_one"), kept, px=1_000_000)


class House:
    """A service in which Rob, a bot, has invited somebody."""

    def __init__(self, log: RedisLog, visit: Visit, receiver: Receiver) -> None:
        sealer = sealer_for(log.client, Settings(secret=SECRET))
        self.client, self.handler, self.receiver = log.client, visit.handler, receiver
        self.webhooks, self.replies = Webhooks(log.client, sealer, HERE), Replies(log.client, Blocks(log.client, 10))
        self.invitations = Invitations(log.client, sealer, TEXTS, 10)
        self.deliverer = Deliverer(visit.handler, self.webhooks, self.replies)
        invite(log)

    def take(self, later_ms: int = 0) -> None:
        """Sends what is due, now or in a while."""
        take(self.replies, self.handler.now_ms() + later_ms, self.deliverer)
        wait_until(lambda: not self.deliverer._under_way)

    def due(self) -> list[bytes]:
        found: list[bytes] = self.client.zrange(LETTERS, 0, -1)
        return found

    def told(self) -> list[str]:
        """What the bot was told became of its invitation."""
        return [msgspec.json.decode(letter.body)["data"]["state"] for letter in self.receiver.letters]


@pytest.fixture
def house(valkey_log: RedisLog, visit: Visit) -> Iterator[House]:
    with receiving() as receiver:
        found = House(valkey_log, visit, receiver)
        with contextlib.closing(found.deliverer):
            yield found


def test_what_is_damaged_keeps_no_letters_waiting(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """Given names that are none among those that are due, then the others are sent, and these are told.

    But not by those names: the link of an invitation may stand in one.
    """
    house.client.zadd(LETTERS, dict.fromkeys([b"\xff|declined", b"alone", b"i_one|withdrawn|again"], 0))
    house.client.zadd(LETTERS, {"i_one|declined": 1})
    found = house.replies.lease(house.handler.now_ms(), LEASE_MS, 10)
    assert [letter.member for letter, _ in found] == ["i_one|declined"]
    assert sum("is no letter" in record.message for record in caplog.records) == 3
    assert "i_one" not in caplog.text


def test_a_bot_is_told_what_became_of_its_invitation(house: House) -> None:
    """Once, with what the inbox tells; nothing is left of it then."""
    house.webhooks.put(ROB, house.receiver.url, NOW)
    found = house.invitations.answer("i_one", "declined", NOW)
    house.take()
    house.take(100 * LEASE_MS)
    [letter] = house.receiver.letters
    told = {"type": "invitation_answered", "timestamp": NOW, "data": reply_row(found)}
    assert msgspec.json.decode(letter.body) == told
    assert not house.client.exists(LETTERS, ATTEMPTS)


@pytest.mark.parametrize("store", ["valkey_log", "cluster_log"])
def test_a_reply_wakes_whoever_waits_for_it(request: pytest.FixtureRequest, store: str) -> None:
    """On a server and on a cluster; among others, and once: what is behind the last place is news."""
    log: RedisLog = request.getfixturevalue(store)
    invite(log)
    replies = Replies(log.client, Blocks(log.client, 10))
    invitations = Invitations(log.client, sealer_for(log.client, Settings(secret=SECRET)), TEXTS, 10)
    assert replies.news({ROB: FIRST, "p_ann": FIRST}, 0.0) == {}
    told = invitations.answer("i_one", "declined", NOW)
    [(player, place)] = replies.news({"p_ann": FIRST, ROB: FIRST}, 0.0).items()
    assert (player, replies.after(ROB, FIRST)) == (ROB, ([Reply(place, told)], place))
    assert replies.news({ROB: place}, 0.0) == {}
    assert replies.after(ROB, place) == ([], place)


def test_what_was_only_seen_is_not_told(house: House) -> None:
    house.webhooks.put(ROB, house.receiver.url, NOW)
    house.invitations.answer("i_one", "seen", NOW)
    assert house.due() == []


def test_without_a_webhook_no_letter_is_due(house: House) -> None:
    house.invitations.answer("i_one", "declined", NOW)
    assert house.due() == []


def test_a_letter_that_was_not_received_is_sent_again_under_the_same_id(house: House) -> None:
    house.webhooks.put(ROB, house.receiver.url, NOW)
    house.receiver.status = 500
    house.invitations.answer("i_one", "declined", NOW)
    house.take()
    house.receiver.status = 204
    house.take(LEASE_MS)
    assert len({letter.headers["webhook-id"] for letter in house.receiver.letters}) == 1
    assert (house.told(), house.due()) == (["declined", "declined"], [])


def test_a_letter_is_given_up_after_as_many_attempts_as_others(house: House) -> None:
    house.webhooks.put(ROB, house.receiver.url, NOW)
    house.receiver.status = 500
    house.invitations.answer("i_one", "declined", NOW)
    [(letter, _)] = house.replies.lease(house.handler.now_ms(), LEASE_MS, 10)
    assert not house.deliverer.is_done(letter, MOST_ATTEMPTS - 1)
    assert house.deliverer.is_done(letter, MOST_ATTEMPTS)


def test_a_letter_that_another_has_overtaken_is_not_sent(house: House) -> None:
    """Whoever declined has accepted before the first letter went out."""
    house.webhooks.put(ROB, house.receiver.url, NOW)
    house.client.set(key_of("player", "p_bea"), b"{}")
    house.invitations.answer("i_one", "declined", NOW)
    house.invitations.answer("i_one", "accepted", NOW, "p_bea")
    assert len(house.due()) == 2
    house.take()
    assert (house.told(), house.due()) == (["accepted"], [])


@pytest.mark.parametrize("how", ["blocked", "erased", "withdrawn", "without a webhook"])
def test_nothing_is_sent_that_is_not_to_be_told(house: House, how: str) -> None:
    """Of who was blocked or erased since, or by an account that has its invitation or its webhook no more."""
    house.webhooks.put(ROB, house.receiver.url, NOW)
    house.client.set(key_of("player", "p_bea"), b"{}")
    found = house.invitations.answer("i_one", "accepted", NOW, "p_bea")
    if how == "blocked":
        house.client.hset(key_of("blocks", "p_bea"), ROB, NOW)
    elif how == "erased":
        house.client.delete(key_of("player", "p_bea"))
    elif how == "withdrawn":
        house.invitations.withdraw(found)
    else:
        house.webhooks.remove(ROB)
    house.take()
    assert (house.receiver.letters, house.due()) == ([], [])


def test_a_repeated_answer_makes_one_letter(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer of the script is lost behind the write: whoever asks again finds it written, and nothing twice."""
    house.webhooks.put(ROB, house.receiver.url, NOW)
    write, calls = house.invitations._answer, list[object]()

    def lost(**asked: list[str]) -> object:
        calls.append(write(**asked))
        return write(**asked)

    monkeypatch.setattr(house.invitations, "_answer", lost)
    assert house.invitations.answer("i_one", "declined", NOW).state == "declined"
    assert (calls, house.client.xlen(key_of("replies", ROB)), len(house.due())) == ([b"noted"], 1, 1)


def test_a_letter_outlives_whoever_took_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut between sending and settling, it is sent again when its lease is over."""
    house.webhooks.put(ROB, house.receiver.url, NOW)
    house.invitations.answer("i_one", "declined", NOW)

    def cut(*_: object) -> None:
        raise NotConnected

    monkeypatch.setattr(house.replies, "drop_due", cut)
    house.take()
    monkeypatch.undo()
    house.take(LEASE_MS)
    assert len({letter.headers["webhook-id"] for letter in house.receiver.letters}) == 1
    assert (house.told(), house.due()) == (["declined", "declined"], [])


def test_a_clock_that_ran_ahead_puts_nothing_off(house: House) -> None:
    house.webhooks.put(ROB, house.receiver.url, NOW)
    house.receiver.status = 500
    house.invitations.answer("i_one", "declined", NOW)
    house.take(10_000 * LEASE_MS)
    now_ms = house.handler.now_ms()
    house.replies.hasten(now_ms, LEASE_MS)
    assert house.client.zscore(LETTERS, house.due()[0]) == now_ms
    house.client.zadd(LETTERS, {house.due()[0]: now_ms + LONGEST_LEASE * LEASE_MS})
    house.replies.hasten(now_ms, LEASE_MS)
    assert house.client.zscore(LETTERS, house.due()[0]) > now_ms
