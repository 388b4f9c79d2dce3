"""Waits for a store that does not answer yet, and reports why and how much data it has loaded."""

import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import redis
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, AuthorizationError, BusyLoadingError, RedisError, ResponseError
from redis.retry import Retry

from events.connections import ask_each_server
from events.scripts import Client
from events.store import connect

FIRST_TOLD_S, TOLD_S = 2.0, 10.0  # before the first report of a wait, and between later ones
PAUSES_S = (0.02, 0.5)  # between two attempts: the first, and the longest
OLDEST = (7, 2)  # Redis: earlier ones lack WAITAOF

log = logging.getLogger(__name__)


class StoreTooOld(Exception):
    """A server is older than what the service needs."""


UNMENDED = (AuthenticationError, AuthorizationError)  # no wait cures these


class Waits(NamedTuple):
    """The reason why the store does not answer: a problem code, words and figures.

    `where` may contain the store's address, and is for operators alone.
    """

    code: str
    detail: str
    figures: Mapping[str, Any] = MappingProxyType({})
    where: str = ""


def why_not(url: str) -> Waits | None:
    """Returns why the store does not answer; None if it does. Raises errors that no wait cures."""
    try:
        client = _looking(url)
        try:
            client.ping()
            _check_versions(client)
        except BusyLoadingError:
            return loading(client)
        finally:
            client.close()
    except UNMENDED:
        raise
    except (RedisError, OSError) as error:
        return Waits("store_unavailable", "the store does not answer", where=f": {error}")
    return None


def _check_versions(client: Client) -> None:
    """Raises `StoreTooOld` for a server that is too old; one that hides its version is taken."""
    try:
        found = ask_each_server(client, partial(client.info, "server"))
    except ResponseError:
        return
    for server in found:
        version = str(server.get("redis_version", ""))
        if "valkey_version" not in server and tuple(map(int, re.findall(r"\d+", version)[:2] or OLDEST)) < OLDEST:
            raise StoreTooOld(f"Redis {version} answers; Redis 7.2 or later, or Valkey, is needed")


def _looking(url: str) -> Client:
    """Returns a client without retries: redis-py would repeat a call to a loading store until it answers."""
    return connect(url) if "+cluster://" in url else redis.Redis.from_url(url, retry=Retry(NoBackoff(), 0))


def loading(client: Client) -> Waits:
    """Returns how much of its data a loading store has read."""
    try:
        found = max(_loading_nodes(client), key=lambda node: node["loading_eta_seconds"])
        percent, eta_s = float(found["loading_loaded_perc"]), int(found["loading_eta_seconds"])
    except (RedisError, OSError, KeyError, ValueError):  # it has stopped, or is ready
        return Waits("store_loading", "the store loads its data")
    figures = {"loaded_percent": percent, "eta_s": eta_s}
    return Waits("store_loading", f"the store loads its data: {percent:.1f} %, about {eta_s} s to go", figures)


def _loading_nodes(client: Client) -> Iterator[dict[str, Any]]:
    clustered = isinstance(client, redis.RedisCluster)
    told = client.info("persistence", **({"target_nodes": redis.RedisCluster.ALL_NODES} if clustered else {}))
    return (node for node in (told.values() if clustered else (told,)) if node["loading"])


def until_it_answers(look: Callable[[], Waits | None], tell: Callable[[str], Any] = log.warning) -> Iterator[Waits]:
    """Yields why the store does not answer, until it does; calls `tell` now and then."""
    begun = told = time.monotonic()
    pause_s, longest_s = PAUSES_S
    while (found := look()) is not None:
        if (now := time.monotonic()) - told >= (FIRST_TOLD_S if told == begun else TOLD_S):
            tell(found.detail + found.where)
            told = now
        yield found
        time.sleep(pause_s)
        pause_s = min(longest_s, 1.5 * pause_s)


def wait_for(url: str, goes_on: Callable[[], bool] = lambda: True) -> bool:
    """Waits for the store as long as `goes_on()`; returns whether it answers now."""
    return all(goes_on() for _ in until_it_answers(lambda: why_not(url)))
