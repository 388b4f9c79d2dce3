"""Sends webhooks: each due message is sent again until it is received or given up."""

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
from projections.due_timers import TimerName
from projections.history import TableHistory
from projections.table import Table
from service.accounts.sealing import SecretUnusable, Unsealable
from service.accounts.webhooks import Delivery, Webhook, Webhooks
from service.command_handler import CommandHandler
from service.tables.table_documents import decision_row
from worker.safe_post import Undelivered, post

THREADS = 64  # for waiting on receivers
MOST_WAITING = 500  # deliveries at a time; further ones are due again later
AT_ONCE = 2  # per-destination concurrency limit, so that a slow receiver does not delay others
MOST_FOLLOWING = 100  # deliveries that wait for the same destination; further ones are due again later
MOST_ATTEMPTS = 30  # for a delivery, in about half an hour
GONE = 410  # the status by which a receiver ends its webhook

Post = Callable[[str, bytes, Mapping[str, str]], int]

log = logging.getLogger(__name__)


class Message(NamedTuple):
    """The body to send to a webhook, with a delivery id that is the same at every attempt."""

    webhook: Webhook
    delivery: str
    body: bytes


class Deliverer:
    """Sends the messages of timers; each delivery is under way at most once."""

    def __init__(self, handler: CommandHandler, webhooks: Webhooks, send: Post | None = None) -> None:
        self._handler, self._webhooks = handler, webhooks
        self._post: Post = send or partial(post, reach=webhooks.reach)
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="webhooks")
        self._under_way: set[TimerName] = set()
        self._sending: Counter[str] = Counter()  # by player
        self._following: defaultdict[str, deque[tuple[TimerName, int]]] = defaultdict(deque)
        self._lock = threading.Lock()

    def __call__(self, entry: TimerName, attempt: int) -> None:
        """Accepts a timer; if its message is not sent now, the timer becomes due again."""
        with self._lock:
            if entry in self._under_way or len(self._under_way) >= MOST_WAITING:
                return
            self._under_way.add(entry)
        self._pool.submit(self._take, entry, attempt)

    def close(self) -> None:
        """Waits for messages being sent; the rest becomes due again."""
        self._pool.shutdown(cancel_futures=True)

    def _take(self, entry: TimerName, attempt: int) -> None:
        follows = False
        try:
            follows = self._attend(entry, attempt)
        except RedisError as error:
            log.warning("the store does not answer: %s", error)
        except LogUnreadable as damage:
            log.critical("%s", damage)
        except (Unsealable, SecretUnusable) as error:  # it stays due: a restarted process may have the key
            log.error("a message cannot be signed: %s", error)
        except Exception as error:  # noqa: BLE001 - nobody else would log it
            log.error("a message was not sent and is due again: %s", place_of(error))
        finally:
            if not follows:
                with self._lock:
                    self._under_way.discard(entry)

    def _attend(self, entry: TimerName, attempt: int) -> bool:
        """Sends a message and completes its timer; returns True if it waits for others to the same destination."""
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
        """Starts the next delivery to the same destination."""
        with self._lock:
            self._sending -= Counter([player])
            following = self._following.pop(player, None)
            if following:
                with contextlib.suppress(RuntimeError):  # the pool is closed: the timer becomes due again
                    self._pool.submit(self._take, *following.popleft())
            if following:
                self._following[player] = following

    def _of_turn(self, entry: TimerName) -> Message | None:
        """Returns the message about a turn; None if there is nobody to send it to."""
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
        headers = signed_headers(self._webhooks.key_of(webhook), delivery, now_ms // 1000, message)
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
        detail = detail or ("received" if received else "only a status from 200 to 299 counts as received")
        self._webhooks.note(webhook, Delivery(delivery, stamp(now_ms), status, detail))
        return received


def _player_of(entry: TimerName, history: TableHistory | None) -> str | None:
    """Returns the person whose turn it is; None if an AI has the seat, or there is no such table or seat."""
    seats = history.table.seats[entry.seat - 1 : entry.seat] if history else ()
    return seats[0].player if seats else None


def _delivery(webhook: Webhook, member: str, opened_by: str) -> str:
    """Returns the id of a delivery, the same at every attempt.

    It depends on the hash of the event that opened the decision. After the store went back, another event can get that
    version; its message needs another id, because receivers ignore ids that they know.
    """
    return "msg_" + hashlib.sha256(f"{webhook.id}|{member}|{opened_by}".encode()).hexdigest()[:32]


def message_of(table: Table, seat: int, decision: str) -> bytes | None:
    """Returns the body to send, with the same data as the inbox; None if the decision is no longer open."""
    found = table.decision_of(seat)
    if found is None or found.recorded_id != decision:
        return None
    data = {"table": table.id, "game": table.opened.game, "version": table.version} | decision_row(found)
    return msgspec.json.encode({"type": "your_turn", "timestamp": found.since, "data": data})


def signed_headers(key: bytes, delivery: str, now_s: int, body: bytes) -> dict[str, str]:
    """Returns the headers of Standard Webhooks."""
    signature = hmac.digest(key, f"{delivery}.{now_s}.".encode() + body, "sha256")
    return {
        "Content-Type": "application/json",
        "User-Agent": "wintercount",
        "webhook-id": delivery,
        "webhook-timestamp": str(now_s),
        "webhook-signature": "v1," + base64.b64encode(signature).decode(),
    }
