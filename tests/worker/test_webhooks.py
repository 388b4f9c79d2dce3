"""Bots are told that it is their turn, at least once, by a signed letter whose id stays the same."""

import base64
import contextlib
import hashlib
import hmac
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from events.log import LogDamaged, partition_of
from events.store import RedisLog
from projections.due_timers import TimerName
from service.accounts.callers import Player
from service.accounts.sealing import sealer_for
from service.accounts.webhooks import Webhooks, keys_of
from service.addresses import Reach, networks_of, ports_of
from service.config import Settings
from service.tables.playing import Play
from service.tables.webhook_timers import begin_to_notify
from tests import damage
from tests.servers import SECRET, wait_until
from tests.tables import ANN, PEOPLE, Visit, catch_up
from tests.worker.receiver import Letter, Receiver, receiving
from wintercount.testing.random_games import random_move
from worker.dispatcher import LEASE_MS, Dispatcher
from worker.play_turn import play_turns
from worker.webhook_delivery import AT_ONCE, MOST_ATTEMPTS, Deliverer

HERE = Reach(networks_of("127.0.0.0/8"), ports_of("1-65535"))
ROB = Player("p_rob", "Rob", bot=True, at="2026-11-21T09:00:00.000Z")
NOW = "2026-11-21T09:00:00.000Z"


@pytest.fixture(autouse=True)
def rob(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot among the people who take seats here."""
    monkeypatch.setitem(PEOPLE, "rob", ROB)


pytestmark = pytest.mark.usefixtures("valkey_log")


@pytest.fixture
def webhooks(valkey_log: RedisLog) -> Webhooks:
    sealer = sealer_for(valkey_log.client, Settings(secret=SECRET))
    return Webhooks(valkey_log.client, sealer, HERE)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.fixture
def deliverer(visit: Visit, webhooks: Webhooks) -> Iterator[Deliverer]:
    with contextlib.closing(Deliverer(visit.handler, webhooks)) as found:
        yield found


def opened(visit: Visit, bot: Player = ROB) -> str:
    """A table at which a bot and Ann have to choose a party."""
    table = visit.open("manitou", "open ann")
    visit.sit(table, 1, bot)
    if visit.table(table).state is None:
        visit.sit(table, 2, ANN)
    return table


def due(visit: Visit, table: str) -> list[str]:
    """The letters that are due at a table."""
    entries = visit.log.timers(partition_of(table))
    return [entry.member for entry in entries if entry.member.startswith(f"{table}|hook|")]


def put(visit: Visit, webhooks: Webhooks, url: str, bot: Player = ROB) -> str:
    """A bot's webhook, to which it listens; its secret."""
    assert isinstance(visit.log, RedisLog)
    webhook, secret = webhooks.put(bot.id, url, NOW)
    begin_to_notify(visit.handler, visit.log, webhook)
    return secret


def dispatch(visit: Visit, deliverer: Deliverer, later_ms: int = 0) -> None:
    """Takes what is due now, or in a while, and waits until it was sent."""
    handler = visit.handler
    now_ms = handler.now_ms() + later_ms
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(handler, "now_ms", lambda: now_ms)
        Dispatcher(handler, lambda *_: None, deliverer).dispatch(range(64))
        wait_until(lambda: not deliverer._under_way)


def deliver(deliverer: Deliverer, member: str, attempt: int) -> None:
    """Hands over one entry, and waits until it was sent."""
    deliverer(TimerName.read(member), attempt)
    wait_until(lambda: not deliverer._under_way)


def data(letter: Letter) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.json.decode(letter.body)["data"]
    return told


def test_a_bot_is_told_of_its_turn(visit: Visit, webhooks: Webhooks, deliverer: Deliverer, receiver: Receiver) -> None:
    """As its inbox would tell it; once, and nobody else's turn."""
    put(visit, webhooks, receiver.url)
    table = opened(visit)
    dispatch(visit, deliverer)
    dispatch(visit, deliverer, 10 * LEASE_MS)

    decision = visit.decision(table, ROB)
    assert [msgspec.json.decode(letter.body)["type"] for letter in receiver.letters] == ["your_turn"]
    told = data(receiver.letters[0])
    assert (told["table"], told["seat"], told["id"]) == (table, 1, decision.public_id)
    public = {"table", "game", "version", "id", "seat", "since", "deadline", "expired"}
    assert set(told) == public  # an eavesdropper learns no card
    assert due(visit, table) == []
    last = webhooks.last(ROB.id)
    assert last is not None
    assert (last.status, last.delivery) == (200, receiver.letters[0].headers["webhook-id"])


def test_a_letter_is_signed(visit: Visit, webhooks: Webhooks, deliverer: Deliverer, receiver: Receiver) -> None:
    """By HMAC-SHA256 over id, time and body, with the secret that was told when the webhook was made."""
    secret = put(visit, webhooks, receiver.url)
    opened(visit)
    dispatch(visit, deliverer)
    letter = receiver.letters[0]

    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{letter.headers['webhook-id']}.{letter.headers['webhook-timestamp']}.".encode() + letter.body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert letter.headers["webhook-signature"] == f"v1,{expected}"


@pytest.mark.parametrize("status", [302, 400, 404, 500, None])
def test_a_letter_that_was_not_received_is_sent_again(
    visit: Visit, webhooks: Webhooks, deliverer: Deliverer, receiver: Receiver, status: int | None
) -> None:
    """When its lease is over, with the same id and a new time; the bot can see why."""
    url = receiver.url if status else "http://127.0.0.1:9/"
    receiver.status = status or 200
    put(visit, webhooks, url)
    table = opened(visit)
    dispatch(visit, deliverer)
    assert len(due(visit, table)) == 1
    last = webhooks.last(ROB.id)
    assert last is not None
    assert (last.status, "counts as received" in last.detail) == (status, status is not None)
    if status:
        receiver.status = 204
        dispatch(visit, deliverer)
        assert len(receiver.letters) == 1
        dispatch(visit, deliverer, LEASE_MS)
        assert due(visit, table) == []
        assert len({letter.headers["webhook-id"] for letter in receiver.letters}) == 1
        assert len(receiver.letters) == 2


def test_a_letter_of_another_history_is_another(
    visit: Visit, valkey_log: RedisLog, webhooks: Webhooks, deliverer: Deliverer, receiver: Receiver
) -> None:
    """A bot passes over ids that it knows; after the store went back another decision may have the seat and version."""
    put(visit, webhooks, receiver.url)
    table = visit.open("manitou", "open ann")
    copy = damage.copy_of(valkey_log.client)
    visit.sit(table, 1, ROB)
    dispatch(visit, deliverer)

    damage.put_back(valkey_log.client, copy)
    with pytest.raises(LogDamaged):
        visit.table(table)
    visit.sit(table, 1, ROB)
    dispatch(visit, deliverer)

    first, second = receiver.letters
    names = [data(letter)["id"] for letter in (first, second)]
    assert len({name.rpartition("-")[0] for name in names}) == 1
    assert len(set(names)) == 2
    assert first.headers["webhook-id"] != second.headers["webhook-id"]


def test_a_letter_that_nobody_receives_is_given_up(
    visit: Visit, webhooks: Webhooks, deliverer: Deliverer, receiver: Receiver
) -> None:
    """After many attempts: the inbox still tells of the turn."""
    receiver.status = 500
    put(visit, webhooks, receiver.url)
    table = opened(visit)
    [member] = due(visit, table)
    deliver(deliverer, member, MOST_ATTEMPTS - 1)
    assert due(visit, table) == [member]
    deliver(deliverer, member, MOST_ATTEMPTS)
    assert due(visit, table) == []


def test_a_bot_that_is_gone_ends_its_webhook(
    visit: Visit, webhooks: Webhooks, deliverer: Deliverer, receiver: Receiver
) -> None:
    """By answering 410."""
    receiver.status = 410
    put(visit, webhooks, receiver.url)
    table = opened(visit)
    dispatch(visit, deliverer)
    assert (webhooks.of(ROB.id), due(visit, table)) == (None, [])


def test_few_letters_to_a_bot_are_under_way_and_another_is_told(
    visit: Visit, webhooks: Webhooks, deliverer: Deliverer, receiver: Receiver
) -> None:
    """While it answers none of them; then each of the rest comes, once."""
    bea = msgspec.structs.replace(ROB, id="p_bea", name="Bea")
    receiver.answer.clear()
    with receiving() as other:
        for bot, url in ((ROB, receiver.url), (bea, other.url)):
            put(visit, webhooks, url, bot)
        for bot in (*[ROB] * 3 * AT_ONCE, bea):
            deliverer(TimerName.read(due(visit, opened(visit, bot))[0]), 1)
        wait_until(lambda: other.letters and len(receiver.letters) == AT_ONCE)
        receiver.answer.set()
        wait_until(lambda: not deliverer._under_way)
    assert len(receiver.letters) == 3 * AT_ONCE


def test_a_turn_that_was_played_is_not_told(
    visit: Visit, webhooks: Webhooks, deliverer: Deliverer, receiver: Receiver
) -> None:
    """The append that answers the decision takes the letter with it; one already taken is thrown away."""
    put(visit, webhooks, receiver.url)
    table = opened(visit)
    member = due(visit, table)[0]
    visit.play(table, ROB)
    assert member not in due(visit, table)
    deliver(deliverer, member, 1)
    assert receiver.letters == []


def test_no_timer_is_written_for_a_webhook_that_nobody_has(visit: Visit, webhooks: Webhooks) -> None:
    """A bot that listens to its inbox wakes nobody; nor does one whose webhook has ended."""
    table = opened(visit)
    visit.log.woken_partitions(0)
    visit.play(table, ROB)
    assert (due(visit, table), visit.log.woken_partitions(0)) == ([], set())

    put(visit, webhooks, "http://127.0.0.1/")
    visit.log.unlisten(ROB.id, str(webhooks.remove(ROB.id)))
    assert due(visit, opened(visit)) == []


def test_a_bot_with_a_new_webhook_is_told_of_what_is_open(
    visit: Visit, valkey_log: RedisLog, webhooks: Webhooks, deliverer: Deliverer, receiver: Receiver
) -> None:
    """At tables that the lobby shows, and at those that it does not show yet."""
    shown = opened(visit)
    catch_up(valkey_log)
    news = opened(visit)
    put(visit, webhooks, receiver.url)
    assert visit.log.woken_partitions(0) >= {partition_of(shown), partition_of(news)}
    dispatch(visit, deliverer)
    assert {data(letter)["table"] for letter in receiver.letters} >= {shown, news}
    assert (due(visit, shown), due(visit, news)) == ([], [])


def test_what_cannot_be_read_keeps_no_bot_from_being_told(
    webhooks: Webhooks, receiver: Receiver, valkey_log: RedisLog, caplog: pytest.LogCaptureFixture
) -> None:
    """A damaged table and a damaged webhook are told of, and stay due."""
    visit, kim = Visit(valkey_log), Player("p_kim", "Kim", bot=True, at=NOW)
    put(visit, webhooks, receiver.url)
    put(visit, webhooks, receiver.url, kim)
    valkey_log.client.set(keys_of(kim.id)[0], b"{")
    whole, broken, unread = opened(visit), opened(visit), opened(visit, kim)
    damage.damage(valkey_log, broken, 2, damage.torn)
    new = Visit(valkey_log)
    with contextlib.closing(Deliverer(new.handler, webhooks)) as deliverer:
        dispatch(new, deliverer)
    assert [data(letter)["table"] for letter in receiver.letters] == [whole]
    assert [len(due(visit, table)) for table in (whole, broken, unread)] == [0, 1, 1]
    assert f"{broken} version 2 is not a valid event" in caplog.text
    assert "DecodeError" in caplog.text


@pytest.mark.slow
def test_no_letter_is_lost_with_a_killed_dispatcher(
    visit: Visit, webhooks: Webhooks, receiver: Receiver, valkey_url: str
) -> None:
    """SIGKILL in the middle of sending; the next dispatcher sends it, when the lease is over."""
    receiver.answer.clear()
    put(visit, webhooks, receiver.url)
    table = opened(visit)
    environment = os.environ | {"WINTERCOUNT_REDIS_URL": valkey_url, "WINTERCOUNT_SECRET": SECRET}
    environment |= {"WINTERCOUNT_WEBHOOK_NETWORKS": "127.0.0.0/8", "WINTERCOUNT_WEBHOOK_PORTS": "1-65535"}
    command = [sys.executable, "-m", "wintercount", "dispatch"]
    with subprocess.Popen(command, env=environment) as first:
        wait_until(lambda: receiver.letters)
        first.send_signal(signal.SIGKILL)
    receiver.answer.set()
    with subprocess.Popen(command, env=environment) as second:
        wait_until(lambda: due(visit, table) == [])
        second.terminate()
    assert len({letter.headers["webhook-id"] for letter in receiver.letters}) == 1
    assert len(receiver.letters) >= 2


def test_a_bot_plays_a_whole_game_by_letters(visit: Visit, webhooks: Webhooks, receiver: Receiver) -> None:
    """Told of every decision, it never looks at its inbox."""
    put(visit, webhooks, receiver.url)
    table = visit.open("tomahawk", "open ai")
    visit.sit(table, 1, ROB)
    with contextlib.closing(Deliverer(visit.handler, webhooks)) as deliverer:
        while not visit.table(table).closed:
            play_turns(visit.handler, table)
            if visit.table(table).closed:
                break
            known = len(receiver.letters)
            dispatch(visit, deliverer)
            assert len(receiver.letters) == known + 1
            told, now = data(receiver.letters[-1]), visit.table(table)
            move = random_move(now.game, now.state, told["seat"], random.Random(known))
            visit.play_move(table, ROB, Play(told["seat"], move, told["id"]))
    assert visit.table(table).closed == "game_over"
