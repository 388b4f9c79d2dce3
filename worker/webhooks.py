"""Sends webhooks: a turn that is due is sent, and stays due until it was received or given up."""

import base64
import contextlib
import hashlib
import hmac
import logging
import threading
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import msgspec
from redis.exceptions import RedisError

from events.failures import place_of
from events.log import LogUnreadable
from events.times import stamp
from projections.history import TableHistory
from projections.table import Table
from projections.timers import TimerName
from service.accounts.sealing import SecretUnusable, Unsealable
from service.accounts.webhooks import Delivery, Webhook, Webhooks
from service.commands import CommandHandler
from service.tables.viewing import decision_row
from worker.posting import Undelivered, post

THREADS = 64  # they wait for bots
MOST_WAITING = 500  # deliveries; more are left, and are due again
AT_ONCE = 2  # deliveries to a bot that are under way: bots that are slow hold up nobody but one another
MOST_FOLLOWING = 100  # deliveries to a bot that wait for these; more are left, and are due again
MOST_ATTEMPTS = 30  # of a delivery: for about half an hour
GONE = 410  # the status with which a bot ends its webhook

Post = Callable[[str, bytes, Mapping[str, str]], int]

log = logging.getLogger(__name__)


class Message(NamedTuple):
    """What is sent to a webhook, under a name that is the same at every attempt."""

    webhook: Webhook
    delivery: str
    body: bytes


class Deliverer:
    """Sends what is taken from the timers, each delivery once at a time."""

    def __init__(self, handler: CommandHandler, webhooks: Webhooks, send: Post | None = None) -> None:
        self._handler, self._webhooks = handler, webhooks
        self._post: Post = send or partial(post, reach=webhooks.reach)
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="webhooks")
        self._under_way: set[TimerName] = set()
        self._sending: Counter[str] = Counter()  # by player
        self._following: defaultdict[str, deque[tuple[TimerName, int]]] = defaultdict(deque)
        self._lock = threading.Lock()

    def __call__(self, entry: TimerName, attempt: int) -> None:
        """Accepts a timer; what is not sent now becomes due again."""
        with self._lock:
            if entry in self._under_way or len(self._under_way) >= MOST_WAITING:
                return
            self._under_way.add(entry)
        self._pool.submit(self._take, entry, attempt)

    def close(self) -> None:
        """Waits for what is being sent; the rest becomes due again."""
        self._pool.shutdown(cancel_futures=True)

    def _take(self, entry: TimerName, attempt: int) -> None:
        follows = False
        try:
            follows = self._attend(entry, attempt)
        except RedisError as error:
            log.warning("the store does not answer: %s", error)
        except LogUnreadable as damage:
            log.critical("%s", damage)
        except (Unsealable, SecretUnusable) as error:  # it stays due: the key may be given to a restarted process
            log.error("a message cannot be signed: %s", error)
        except Exception as error:  # noqa: BLE001 - whatever it is, nobody else would tell of it
            log.error("a message was not sent, and is due again: %s", place_of(error))
        finally:
            if not follows:
                with self._lock:
                    self._under_way.discard(entry)

    def _attend(self, entry: TimerName, attempt: int) -> bool:
        """Sends, and settles what is done; returns whether the delivery follows others to the same bot instead."""
        message = self._of_turn(entry)
        if message is not None:
            player = message.webhook.player
            with self._lock:
                if self._sending[player] >= AT_ONCE:
                    following = self._following[player]
                    has_room = len(following) < MOST_FOLLOWING
                    following.extend([(entry, attempt)] * has_room)
                    return has_room
                self._sending[player] += 1
            try:
                is_done = self._send(*message) or attempt >= MOST_ATTEMPTS
            finally:
                self._leave(player)
            if not is_done:
                return False
        self._handler.log.remove_timers([(entry.table, entry.member)])
        return False

    def _leave(self, player: str) -> None:
        """Lets the next delivery to a bot follow."""
        with self._lock:
            self._sending -= Counter([player])
            following = self._following.pop(player, None)
            if following:
                with contextlib.suppress(RuntimeError):  # nothing is taken any more: it becomes due again
                    self._pool.submit(self._take, *following.popleft())
            if following:
                self._following[player] = following

    def _of_turn(self, entry: TimerName) -> Message | None:
        """What tells of a turn; None if nobody is to be told."""
        history = self._handler.cache.load(entry.table)
        player = _player_of(entry, history)
        webhook = self._webhooks.of(player) if player else None
        if history is None or webhook is None:
            return None
        body = message_of(history.table, entry.seat, entry.decision)
        opened_by = history.events[int(entry.what) - 1].hash.hex()
        return Message(webhook, _delivery(webhook, entry.member, opened_by), body) if body else None

    def _send(self, webhook: Webhook, delivery: str, message: bytes) -> bool:
        now_ms = self._handler.now_ms()
        headers = signed(self._webhooks.key_of(webhook), delivery, now_ms // 1000, message)
        status, detail = None, ""
        try:
            status = self._post(self._webhooks.url_of(webhook), message, headers)
        except Undelivered as why:
            detail = str(why)
        if status == GONE:
            if self._webhooks.end(webhook):
                self._handler.log.unlisten(webhook.player, webhook.id)
            return True
        received = status is not None and 200 <= status < 300
        detail = detail or ("received" if received else "only a status of 200 to 299 is a receipt")
        self._webhooks.note(webhook, Delivery(delivery, stamp(now_ms), status, detail))
        return received


def _player_of(entry: TimerName, history: TableHistory | None) -> str | None:
    """The person whose turn it is; None where an AI has the seat now, or there is no such table or seat."""
    seats = history.table.seats[entry.seat - 1 : entry.seat] if history else ()
    return seats[0].player if seats else None


def _delivery(webhook: Webhook, member: str, opened_by: str) -> str:
    """The name of a delivery, the same at every attempt.

    It depends on the hash of the event that opened the decision: after the store went back another event gets that
    version, and a bot passes over a message whose name it knows.
    """
    told = f"{webhook.id}|{member}|{opened_by}"
    return "msg_" + hashlib.sha256(told.encode()).hexdigest()[:32]


def message_of(table: Table, seat: int, decision: str) -> bytes | None:
    """The body to send, with the same data as the inbox; None if the decision is no longer open."""
    found = table.decision_of(seat)
    if found is None or found.recorded_id != decision:
        return None
    data = {"table": table.id, "game": table.opened.game, "version": table.version} | decision_row(found)
    return msgspec.json.encode({"type": "your_turn", "timestamp": found.since, "data": data})


def signed(key: bytes, delivery: str, now_s: int, body: bytes) -> dict[str, str]:
    """The headers of Standard Webhooks."""
    signature = hmac.digest(key, f"{delivery}.{now_s}.".encode() + body, "sha256")
    return {
        "Content-Type": "application/json",
        "User-Agent": "wintercount",
        "webhook-id": delivery,
        "webhook-timestamp": str(now_s),
        "webhook-signature": "v1," + base64.b64encode(signature).decode(),
    }
